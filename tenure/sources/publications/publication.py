"""
Build a Publication from the Node of a BibTeX entry.

The objects: EntryFields reads single fields;
a VenueReader and a LinkReader read what stands in several; the _PublicationBuilder puts all together.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.markdown.html import plain_text
from tenure.model.entries import Markdown, Publication, PublicationFact
from tenure.model.identifiers import parse_doi
from tenure.model.languages import find_language
from tenure.model.links import Url, is_safe_url, suggest_safe_url
from tenure.model.names import Author, Authors, Name
from tenure.model.publications import BOOKS, POSSIBLE_PREPRINTS, TYPE_ALIASES, escape_text
from tenure.problems import Problems
from tenure.record import replace
from tenure.sources.bibtex.bib_fields import (
    BIB_FIELDS,
    PLACEHOLDER,
    TRUE_VALUES,
    find_image_field,
    is_draft_entry,
)
from tenure.sources.bibtex.preprint_servers import ARXIV
from tenure.sources.bibtex.reader import MACROS_KEY, PARENTS_KEY, SOURCE_KEY, TYPE_KEY
from tenure.sources.latex.conversion import latex_to_markdown
from tenure.sources.publications.author_names import parse_authors
from tenure.sources.publications.entry_fields import EntryFields, join_subtitle, read_keywords
from tenure.sources.publications.link_fields import LinkReader, read_doi
from tenure.sources.publications.public_bibtex import BibtexText, format_public_bibtex
from tenure.sources.publications.publication_dates import PublicationDate, parse_publication_date
from tenure.sources.publications.venue_fields import VenueReader
from tenure.sources.reading.node import Node

PREPRINT_TYPE = "misc"
"""The entry type of a preprint. BibTeX has no type for it; bibliography styles write @misc."""

PUBLICATION_STATE_KEYS = {"prepublished": "preprint", "published": "", "final": ""}
"""Publication states with another meaning than their words. Source: biblatex manual, section 4.9.2.11."""


GENRE_KEYS: Mapping[str, str] = {
    "bachelorsthesis": "bathesis",
    "bachelorthesis": "bathesis",
    "masterthesis": "mastersthesis",
    "mathesis": "mastersthesis",
    "researchreport": "resreport",
    "technicalreport": "techreport",
    "theses": "phdthesis",
    **{
        key: key
        for key in (
            "phdthesis",
            "mastersthesis",
            "bathesis",
            "candthesis",
            "techreport",
            "resreport",
            "workingpaper",
            "software",
        )
    },
    **{
        f"{key}{country}": f"{key}{country}"
        for key in ("patent", "patreq")
        for country in ("", "de", "eu", "fr", "uk", "us")
    },
}
"""
The key of a label by the letters of `type`. Source: biblatex manual, section 4.9.2.10, "Publication Type".
"""


def build_publication(node: Node, owner: Sequence[Name], problems: Problems) -> Publication:
    """Build a publication, without an id, from the Node of an entry. Doubtful values are reported."""
    return _PublicationBuilder(node, problems).build_publication(owner)


def _format_source(node: Node) -> BibtexText:
    """The BibTeX of an entry for readers."""
    macros = {name: child.text for name, child in node.mapping[MACROS_KEY].mapping.items()}
    return format_public_bibtex(node.mapping[SOURCE_KEY].text, macros)


class _PublicationBuilder:
    """Builds the publication of one entry and reports its problems."""

    def __init__(self, node: Node, problems: Problems) -> None:
        self._fields = EntryFields(node, problems)
        self._problems = problems
        self.entry_type = TYPE_ALIASES.get(node.mapping[TYPE_KEY].text, node.mapping[TYPE_KEY].text)
        self._bibtex, *self._parents = map(_format_source, (node, *node.child(PARENTS_KEY).items))
        self._venue_reader = VenueReader(self._fields, self.entry_type)
        self._preprint = self._venue_reader.preprint
        if self._preprint is not None and self.entry_type in POSSIBLE_PREPRINTS:
            self.entry_type = PREPRINT_TYPE

    def build_publication(self, owner: Sequence[Name]) -> Publication:
        """The publication of the entry, in which the `owner` is marked."""
        fields = self._fields
        publication_date = self._read_date()
        doi = read_doi(fields)
        eprint = self._venue_reader.read_eprint()
        venue, shown_fields = self._venue_reader.read_venue(eprint)
        link_reader = LinkReader(fields, doi, eprint, self._preprint)
        links = tuple(link_reader.list_links())
        award_fields = ("award_name", "award", "awards")
        awards = tuple(dict.fromkeys(filter(None, map(fields.read_markdown, award_fields))))
        status = fields.read_text("pubstate", "status") or self._venue_reader.state

        return Publication(
            id="",
            source=fields.place,
            key=fields.key,
            kind=self.entry_type,
            genre=self._read_genre(eprint),
            title=self._read_title(),
            authors=self._read_names("author", owner),
            editors=self._read_names("editor", owner),
            editor_role=read_role(fields, "editortype"),
            date=publication_date.date,
            end_date=publication_date.end_date,
            venue=venue,
            status=PUBLICATION_STATE_KEYS.get(status.casefold(), status) or publication_date.status,
            awards=awards,
            abstract=fields.read_markdown("abstract"),
            note=self._read_note(eprint, awards),
            selected=fields.values.get("selected", "").strip().casefold() in TRUE_VALUES,
            tags=tuple(dict.fromkeys(self._read_keywords())),
            language=find_language(fields.read_text("langid") or fields.read_text("language")),
            doi=doi,
            eprint=eprint,
            server=self._preprint.server if self._preprint else "",
            links=links,
            facts=(*list_facts(fields, shown_fields, self.entry_type), *link_reader.facts),
            image=self._read_image(),
            draft=is_draft_entry(fields.values),
            bibtex=self._bibtex.written,
            printed_bibtex="\n".join(text.printed for text in (self._bibtex, *self._parents)),
            parents=tuple(parent.written for parent in self._parents),
        )

    def _read_genre(self, eprint: str) -> Markdown:
        """The key of a label, or the text in `type`; "" if it only repeats what the entry says anyway."""
        text = self._fields.read_markdown("type")
        if not text:
            return text
        letters = re.sub(r"[^a-z]", "", text.casefold())
        if letters in GENRE_KEYS:
            key = GENRE_KEYS[letters]
            return Markdown("" if key == self.entry_type else key)

        # type = {Journal article} of an @article, type = {thesis} of a @phdthesis
        if letters and (letters in self.entry_type or self.entry_type in letters):
            return Markdown("")
        # the server of a preprint is shown
        if letters == "preprint" and (eprint or self._preprint):
            return Markdown("")
        # {invited article} -> Invited article; {e-print} stays
        begins_lower = re.match(r"[^\W\d_A-Z]+(?!\S)", text)
        if begins_lower:
            return Markdown(text[:1].upper() + text[1:])
        return text

    def _read_title(self) -> Markdown:
        """The title with its subtitle; the key of an entry without one, which is reported."""
        fields = self._fields
        title = fields.read_markdown("title")
        if not title and self.entry_type in BOOKS:
            title = fields.read_markdown("booktitle", "maintitle")
        # no text: such as a formula of spaces
        if not plain_text(title).strip():
            self._report_missing_title()
            return Markdown(latex_to_markdown(fields.key).text or "?")
        return join_subtitle(title, fields.read_markdown("subtitle"))

    def _report_missing_title(self) -> None:
        """Report an entry without a title, at the field whose name may be a misspelled one."""
        message = f'the entry "{self._fields.key}" has no title'
        names = [name for name in self._fields.values if not name.endswith("title")]
        misspelled = difflib.get_close_matches("title", names, n=1, cutoff=0.75)
        place = self._fields.find_place(misspelled[0]) if misspelled else self._fields.place
        hint = 'did you mean "title"?' if misspelled else "add title = {…}"
        self._problems.report("bib-missing-field", place, message, hint)

    def _read_names(self, field: str, owner: Sequence[Name]) -> Authors:
        """The people of a field; a collaboration of authors is the last of them."""
        if field not in self._fields.values:
            return Authors()
        parsed = parse_authors(self._fields.values[field])
        for issue in parsed.issues:
            self._fields.report_issue(issue._replace(field=field))
        collaboration = self._fields.read_text("collaboration") if field == "author" else ""
        authors = _add_collaborations(parsed.authors, collaboration) if collaboration else parsed.authors
        return authors.with_owner_marked(owner)

    def _read_date(self) -> PublicationDate:
        """The date or publication state; values that are not dates are reported."""
        fields = self._fields
        # a ~ after a date says that it is not exact; in a text it would be a space
        publication_date = parse_publication_date(
            lambda name: fields.read_url(name) if name == "date" else fields.read_text(name)
        )
        for issue in publication_date.issues:
            fields.report_issue(issue)
        return publication_date

    def _read_note(self, eprint: str, awards: Sequence[Markdown]) -> Markdown:
        """
        The addition to the title, the notes without an award, and fields of a venue that is not shown.

        note = {Best paper} -> "" if it is an award, note = {To appear.}, addendum = {Code online} -> "To
        appear. Code online".
        """
        fields = self._fields
        hidden_fields = [name for name in ("journal", "booktitle", "howpublished") if self._is_hidden(name)]
        names = ("titleaddon", "nameaddon", "note", *hidden_fields, "additional_info", "addendum")
        omitted = {award.strip("*. ") for award in awards}

        note = ""
        seen: set[str] = set()
        for name in names:
            if name not in fields.values:
                continue
            text = fields.read_markdown(name).strip()
            is_repeated = text in seen or text.strip("*. ") in omitted or self._repeats_number(name, eprint)
            if not is_repeated and not PLACEHOLDER.fullmatch(text):
                # no second period behind "To appear."
                separator = ". "
                if note.rstrip("*_")[-1:] in ".!?,;:)":
                    separator = " "
                note = f"{note}{separator}{text}" if note else text
            seen.add(text)
        return Markdown(note)

    def _is_hidden(self, name: str) -> bool:
        """Whether a field has a second venue, which the venue line does not show."""
        fields = self._fields
        venue_field = self._venue_reader.field
        if name not in fields.values or venue_field in (name, "journaltitle"):
            return False
        if fields.read_text(name).casefold() in fields.read_text(venue_field).casefold():
            return False
        return not self._venue_reader.read_preprint_server(name)

    def _repeats_number(self, field: str, eprint: str) -> bool:
        """Whether a field is only the DOI or the arXiv number that the entry has anyway."""
        preprint = self._venue_reader.read_preprint_server(field)
        if eprint and preprint is not None and preprint.server == ARXIV:
            return preprint.number in ("", eprint)
        doi = ""
        if "10." in self._fields.values[field]:
            doi = parse_doi(self._fields.read_url(field))
        return bool(doi) and doi.casefold() == parse_doi(self._fields.read_url("doi")).casefold()

    def _read_keywords(self) -> Iterator[str]:
        """The keywords without the tags of programs."""
        for name in self._fields.list_names("tag"):
            yield from read_keywords(self._fields.values[name]).words

    def _read_image(self) -> Url:
        """
        The file of the image. A URL is reported: no value of a .bib file makes a page load another host.
        """
        field = find_image_field(self._fields.values)
        if not field:
            return Url("")
        url = self._fields.read_url(field)
        is_remote = re.match(r"(?:[a-zA-Z][a-zA-Z+.-]*:)?//", url)
        if is_safe_url(url) and not url.startswith(("#", "?")) and not is_remote:
            return Url(url)
        message = f'“{url}” is not the file of an image in "{self._fields.key}"'
        hint = "save the image in content/, and write its name" if is_remote else suggest_safe_url(url)
        self._fields.report("bib-bad-value", field, url, message, hint)
        return Url("")


def _add_collaborations(authors: Authors, field: str) -> Authors:
    """The authors with the collaborations as the last ones: "ATLAS" of INSPIRE -> ATLAS Collaboration."""
    people = list(authors.people)
    for name in re.split(r"\s*[,;]\s*|\s+(?:and|&)\s+", field.strip(" ()")):
        if name and not any(name.casefold() in person.name.full_name.casefold() for person in people):
            is_complete = re.search(r"(?i)collaboration|group|team|consortium|project", name)
            people.append(Author(Name(group=name if is_complete else f"{name} Collaboration")))
    return replace(authors, people=tuple(people))


FACT_SEPARATORS = {"issue": ": ", "series": ": "}
"""The text between two fields of a fact, if it is not a comma."""


def list_facts(
    fields: EntryFields, shown_fields: frozenset[str], entry_type: str
) -> Iterator[PublicationFact]:
    """
    The facts of an entry, such as its translator and its event; `shown_fields` are already in its venue line.

    Two fields with one label are joined; the date of access is dropped but for a web page.
    """
    texts: dict[str, list[str]] = {}
    for name in fields.list_names("people", "fact"):
        row = BIB_FIELDS[name]
        if row.role == "people":
            authors = parse_authors(fields.values[name]).authors
            names_text = Markdown(", ".join(escape_text(person.name.full_name) for person in authors.people))
            yield PublicationFact(row.label, names_text, authors, read_role(fields, f"{name}type"))
            continue
        # urldate is a fact of a web page only
        is_of_other_type = row.label == "accessed" and entry_type != "online"
        if name not in shown_fields and not is_of_other_type:
            texts.setdefault(row.label, []).append(_read_fact(fields, name))

    for label, parts in texts.items():
        text = Markdown(FACT_SEPARATORS.get(label, ", ").join(parts))
        # location = {Graz}, address = {Graz}
        is_repeated = label == "event" and text == fields.read_markdown("address")
        if text and not is_repeated:
            yield PublicationFact(label, text)


def _read_fact(fields: EntryFields, name: str) -> Markdown:
    """The text of a fact: "2020-01-01T10:00/2020-01-02" -> "2020-01-01 – 2020-01-02"."""
    text = fields.read_markdown(name)
    # a number, such as an ISBN, has no markup
    if BIB_FIELDS[name].label.isupper():
        text = escape_text(fields.read_text(name))
    # an element or URL has slashes of its own
    if name.endswith("date") and "<" not in text:
        text = Markdown(re.sub(r"(?<=\d)T[\d:.+-]*Z?(?=/|$)", "", text).replace("/", " – "))
    return text


def read_role(fields: EntryFields, name: str) -> str:
    """The role of the people of a field, from the field with its type: "compiler"; "" for editors."""
    text = fields.read_text(name)
    if not text:
        return ""
    role = re.sub(r"[{}]", "", text).strip()
    key = role.casefold().replace("organiser", "organizer").replace("redaktor", "redactor")
    if key == "editor":
        return ""
    # as biblatex-apa writes it
    if key == "series":
        return "series editor"
    return key if key.isascii() and key.isalpha() else role
