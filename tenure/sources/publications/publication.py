"""Build a Publication from the Node of a BibTeX entry."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import plain_text
from tenure.model.entries import Markdown, Publication
from tenure.model.languages import find_language
from tenure.model.links import Url, is_safe_url, suggest_safe_url
from tenure.model.names import Author, Authors, Name
from tenure.problems import Problems
from tenure.record import replace
from tenure.sources.bibtex.latex import latex_to_markdown, latex_to_text
from tenure.sources.bibtex.reader import MACROS_KEY, PARENTS_KEY, SOURCE_KEY, TYPE_KEY
from tenure.sources.bibtex.source_text import format_public_bibtex
from tenure.sources.node import Node
from tenure.sources.publications.dates import PublicationDate, parse_publication_date
from tenure.sources.publications.entry_fields import EntryFields, join_subtitle
from tenure.sources.publications.facts import list_facts, read_role
from tenure.sources.publications.fields import PLACEHOLDER, TRUE_VALUES, find_image_field, is_draft_entry
from tenure.sources.publications.link_fields import LinkReader, read_doi
from tenure.sources.publications.names import LIST_SEPARATORS, apply_annotations, is_initials, parse_authors
from tenure.sources.publications.preprint_servers import ARXIV, Preprint
from tenure.sources.publications.venue_fields import (
    BOOK_TYPES,
    POSSIBLE_PREPRINT_TYPES,
    VenueReader,
    parse_state,
)
from tenure.sources.schema.links import parse_doi

ENTRY_TYPE_ALIASES: Mapping[str, str] = {
    "conference": "inproceedings",
    "www": "online",
    "electronic": "online",
    "website": "online",
    "webpage": "online",
    "preprint": "misc",
    "draft": "unpublished",
}
"""Old names of entry types (biblatex manual, section 2.1.2, "Type Aliases"), and those that people make up."""

PREPRINT_TYPE = "misc"
"""The entry type of a preprint. BibTeX has no type for it; bibliography styles write @misc."""

PUBLICATION_STATE_KEYS = {"prepublished": "preprint", "published": "", "final": ""}
"""Publication states with another meaning than their words. Source: biblatex manual, section 4.9.2.11."""


def build_publication(node: Node, owner: Sequence[Name], problems: Problems) -> Publication:
    """Build a publication, without an id, from the Node of an entry. Doubtful values are reported and not dropped."""
    return _PublicationBuilder(node, problems).build_publication(owner)


def _read_source(node: Node) -> tuple[str, Mapping[str, str]]:
    """The text of an entry in its file, and the values of the macros that it uses, by name."""
    macros = {name: child.text for name, child in node.mapping[MACROS_KEY].mapping.items()}
    return node.mapping[SOURCE_KEY].text, macros


class _PublicationBuilder:
    """Builds the publication of one entry and reports its problems."""

    def __init__(self, node: Node, problems: Problems) -> None:
        self._fields = EntryFields(node, problems)
        self._problems = problems
        self.entry_type = ENTRY_TYPE_ALIASES.get(node.mapping[TYPE_KEY].text, node.mapping[TYPE_KEY].text)
        self._sources = tuple(map(_read_source, (node, *node.child(PARENTS_KEY).items)))
        self._venue_reader = VenueReader(self._fields, self.entry_type)
        self._preprint = self._venue_reader.preprint
        if self._preprint is not None and self.entry_type in POSSIBLE_PREPRINT_TYPES:
            self.entry_type = PREPRINT_TYPE

    def build_publication(self, owner: Sequence[Name]) -> Publication:
        fields = self._fields
        bibtex, *parents = (format_public_bibtex(*source) for source in self._sources)
        publication_date = self._read_date()
        eprint = self._venue_reader.read_eprint()
        venue, shown_fields = self._venue_reader.read_venue(eprint)
        link_reader = LinkReader(fields, eprint, self._preprint)
        links = tuple(link_reader.list_links())
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
            status=self._read_status() or publication_date.status,
            awards=self._read_awards(),
            abstract=self._read_abstract(),
            note=_read_note(fields, self._venue_reader, eprint, self._read_awards()),
            selected=fields.values.get("selected", "").strip().casefold() in TRUE_VALUES,
            tags=tuple(dict.fromkeys(self._read_keywords())),
            language=find_language(fields.read_text("langid") or fields.read_text("language")),
            doi=read_doi(fields),
            eprint=eprint,
            server=self._preprint.server if self._preprint else "",
            links=links,
            facts=(*list_facts(fields, shown_fields, self.entry_type), *link_reader.facts),
            image=self._read_image(),
            draft=is_draft_entry(fields.values),
            bibtex=bibtex.written,
            printed_bibtex="\n".join(text.printed for text in (bibtex, *parents)),
            parents=tuple(parent.written for parent in parents),
        )

    def _read_genre(self, eprint: str) -> Markdown:
        """The genre; a preprint server says "preprint" itself."""
        genre = _find_genre(self._fields, self.entry_type)
        return Markdown("") if genre.casefold() == "preprint" and (eprint or self._preprint) else genre

    def _read_awards(self) -> tuple[Markdown, ...]:
        """The awards, each once."""
        awards = map(self._fields.read_markdown, ("award_name", "award", "awards"))
        return tuple(award for award in dict.fromkeys(awards) if award)

    def _read_abstract(self) -> Markdown:
        """The abstract without its heading, unless it only says that there is none."""
        heading = _ABSTRACT_HEADING.match(self._fields.values.get("abstract", ""))
        abstract = self._fields.read_markdown("abstract")
        abstract = Markdown(abstract[8:].lstrip(" \n.:—–-") if heading else abstract)
        is_missing = re.fullmatch(r"(?i)no abstract (?:is )?(?:available|provided)[^.]*\.?", abstract)
        return Markdown("") if is_missing else abstract

    def _read_title(self) -> Markdown:
        fields = self._fields
        title = fields.read_markdown("title")
        subtitle = fields.read_markdown("subtitle")
        if not title and self.entry_type in BOOK_TYPES:
            title = fields.read_markdown("booktitle", "maintitle")
        if not _has_words(title):
            self._report_missing_title()
            return Markdown(latex_to_markdown(fields.key).text or "?")
        return join_subtitle(title, subtitle)

    def _report_missing_title(self) -> None:
        """Report an entry without a title, at the field whose name may be a misspelled one."""
        message = f'the entry "{self._fields.key}" has no title'
        names = [name for name in self._fields.values if not name.endswith("title")]
        misspelled = difflib.get_close_matches("title", names, n=1, cutoff=0.75)
        place = self._fields.find_place(misspelled[0]) if misspelled else self._fields.place
        hint = 'did you mean "title"?' if misspelled else "add title = {…}"
        self._problems.report("bib-missing-field", place, message, hint)

    def _read_names(self, field: str, owner: Sequence[Name]) -> Authors:
        value = self._fields.values.get(field, "")
        if not value.strip():
            return Authors()
        parsed = parse_authors(value, may_end_in_initials=any(is_initials(name.family) for name in owner))
        for complaint in [*_find_wrong_separators(value)] or parsed.issues:
            excerpt = next(iter(re.findall("“(.*)”", complaint)), "and and")
            hints = (hint for phrase, hint in NAME_HINTS if phrase in complaint)
            hint = next(hints, 'write "Family, Given and …"')
            self._fields.report("bib-name", field, excerpt, f'{complaint} in "{self._fields.key}"', hint)
        annotated = (f"{field}+an", f"{field}+an:")
        annotations = (
            text
            for name, text in self._fields.values.items()
            if name == annotated[0] or name.startswith(annotated[1])
        )
        annotation = next(annotations, "")
        collaboration = self._fields.read_text("collaboration") if field == "author" else ""
        authors = _add_collaborations(parsed.authors, collaboration).with_owner_marked(owner)
        return apply_annotations(authors, annotation) if annotation else authors

    def _read_date(self) -> PublicationDate:
        """The date or publication state; values that are not dates are reported."""
        fields = self._fields  # a ~ after a date says that it is not exact
        publication_date = parse_publication_date(
            lambda name: fields.read_url(name) if name == "date" else fields.read_text(name)
        )
        for issue in publication_date.issues:
            message = f'{issue.message} in "{self._fields.key}"'
            self._fields.report("bib-bad-date", issue.field, issue.excerpt, message, issue.hint)
        return publication_date

    def _read_status(self) -> str:
        """The publication state."""
        status = self._fields.read_text("pubstate", "status") or self._venue_reader.read_state()
        return PUBLICATION_STATE_KEYS.get(status.casefold(), status)

    def _read_keywords(self) -> Iterator[str]:
        """The keywords, split outside parentheses; numbers of a database are no keywords."""
        values = self._fields.values
        names: tuple[str, ...] = ("keywords", "keyword", "tags")
        if values.get("author_keywords", "").strip():
            names = ("author_keywords",)  # as Scopus writes them; keywords has then those of the database
        for value in filter(None, (values.get(name, "") for name in names)):
            lines = [line for line in value.split("\n") if line.strip()]
            has_keyword_lines = sum("," in line or ";" in line for line in lines) * 2 < len(lines)
            texts = lines if has_keyword_lines else [value]  # EndNote writes one keyword a line
            pattern = r"[^;]+" if has_keyword_lines else r"(?:\([^()]*\)|[^;,])+"
            for text in texts:
                for keyword in re.findall(pattern, latex_to_text(text).text):
                    word = keyword.strip().removeprefix("*")  # a main keyword of PubMed
                    if word and not _NO_KEYWORD.fullmatch(keyword.strip()):
                        yield word

    def _read_image(self) -> Url:
        """The file of the image. A URL is reported, because no value of a .bib file makes a page load from another host."""
        field = find_image_field(self._fields.values)
        url = self._fields.read_url(field)
        is_remote = re.match(r"(?:[a-zA-Z][a-zA-Z+.-]*:)?//", url)
        if is_safe_url(url) and not url.startswith(("#", "?")) and not is_remote:
            return Url(url)
        message = f'“{url}” is not the file of an image in "{self._fields.key}"'
        hint = "save the image in content/, and write its name" if is_remote else suggest_safe_url(url)
        self._fields.report("bib-bad-address", field, url, message, hint)
        return Url("")


_ABSTRACT_HEADING = re.compile(r"\s*abstract(?:\s*[.:—–]|\s*\n|\s{2,})", re.IGNORECASE)
"""The heading that publishers' pages have before the text: "Abstract   The order …"."""

_NO_KEYWORD = re.compile(
    r"[\d\s.]+|#\S+|[^\w\s]*\s*(?:(?:un|to[ -]?|being )?read(?:ing)?|todo)", re.IGNORECASE
)
"""Numbers of a database, tags of a program (#nosource), and whether the owner of the file has read the publication."""


def _add_collaborations(authors: Authors, field: str) -> Authors:
    """The authors with the collaborations as the last ones, as INSPIRE exports them: "ATLAS", "LIGO Scientific, Virgo"."""
    people = list(authors.people)
    for name in re.split(r"\s*[,;]\s*|\s+(?:and|&)\s+", field.strip(" ()")):
        if name and not any(name.casefold() in person.name.full_name.casefold() for person in people):
            is_complete = re.search(r"(?i)collaboration|group|team|consortium|project", name)
            people.append(Author(Name(group=name if is_complete else f"{name} Collaboration")))
    return replace(authors, people=tuple(people))


def _has_words(title: Markdown) -> bool:
    """Whether a title shows anything; a formula of spaces and empty HTML elements show nothing."""
    return bool(title) and bool(plain_text(title).strip())


NAME_HINTS = (
    ("ends in a comma", 'delete the comma before "and"'),
    ("too many commas", 'put "and" between the authors'),
    ("does not separate", 'put "and" in its place'),
    ("empty", 'delete one "and"'),
)


def _find_wrong_separators(value: str) -> Iterator[str]:
    """The problem message for a separator of authors that BibTeX does not know, such as "&" or ";"."""
    outside_braces = re.sub(r"\{[^{}]*\}", "", value)
    for separator in LIST_SEPARATORS:
        if separator in outside_braces:
            yield f"“{separator}” does not separate authors"
            return


GENRE_KEYS: Mapping[str, str] = {
    "phdthesis": "phdthesis",
    "mathesis": "mastersthesis",
    "mastersthesis": "mastersthesis",
    "masterthesis": "mastersthesis",
    "bathesis": "bathesis",
    "bachelorsthesis": "bathesis",
    "bachelorthesis": "bathesis",
    "candthesis": "candthesis",
    "techreport": "techreport",
    "technicalreport": "techreport",
    "resreport": "resreport",
    "researchreport": "resreport",
    "workingpaper": "workingpaper",
    "software": "software",
    "patreq": "patreq",
    "patent": "patent",
    **{f"{key}{country}": f"{key}{country}" for key in ("patent", "patreq") for country in ("de", "eu", "fr", "uk", "us")},
}  # fmt: skip
"""The key of a label by the letters of `type`. Source: biblatex manual, section 4.9.2.10, "Publication Type"."""

GENRE_TEXTS: Mapping[str, str] = {"datacd": "CD-ROM", "audiocd": "Audio CD"}
"""Localisation keys whose words are the same in all languages."""

KIND_NAMES = frozenset(
    """article articlebookchapter articleearlyaccess articleproceedingspaper book bookchapter booksection chapter conference conferencepaper conferenceproceedings dataset generic
    inproceedings journal journalarticle misc newspaperarticle other paper patent proceedings proceedingspaper report text theses thesis webpage""".split()  # noqa: SIM905 - a list of words
)
"""Values by which EndNote, Zotero and publishers repeat the type of the entry."""


def _find_genre(fields: EntryFields, entry_type: str) -> Markdown:
    """The key of a label, or the text in `type`; "" if it only repeats the type of the entry or is a state of publication."""
    value = fields.read_text("type")
    letters = re.sub(r"[^a-z]", "", value.casefold())
    if parse_state(value):
        return Markdown("")
    if letters in GENRE_KEYS:
        key = GENRE_KEYS[letters]
        return Markdown("" if key == entry_type else key)
    if letters in KIND_NAMES:
        return Markdown("")
    text = GENRE_TEXTS.get(letters, "") or fields.read_markdown("type")
    return Markdown(text[:1].upper() + text[1:] if re.match(r"[^\W\d_A-Z]+(?!\S)", text) else text)


def _read_note(
    fields: EntryFields, venue_reader: VenueReader, eprint: str, awards: Sequence[Markdown]
) -> Markdown:
    """The addition to the title, the notes without an award, and a second venue field that is not shown as the venue."""
    venue_field = fields.find_first(*venue_reader.list_venue_fields())
    hidden_fields = [
        name
        for name in ("journal", "booktitle", "howpublished")
        if venue_field not in ("", name, "journaltitle")
        and fields.read_text(name).casefold() not in fields.read_text(venue_field).casefold()
    ]
    notes_after = ("additional_info", "addendum")
    field_names = ("titleaddon", "nameaddon", "note", *hidden_fields, *notes_after)
    texts = dict.fromkeys(
        fields.read_markdown(name).strip()
        for name in field_names
        if not _repeats_doi(fields, name)
        and (name not in hidden_fields or not venue_reader.read_preprint_server(name))
        and not _repeats_eprint(venue_reader.read_preprint_server(name), eprint)
    )
    omitted = {award.strip("*. ") for award in awards}
    shown = (text for text in texts if not PLACEHOLDER.fullmatch(text) and text.strip("*. ") not in omitted)
    return Markdown(_join_sentences(shown))


def _repeats_doi(fields: EntryFields, name: str) -> bool:
    """Whether a field is only the DOI that the entry has anyway."""
    doi = parse_doi(fields.read_url(name)) if "10." in fields.values.get(name, "") else ""
    return bool(doi) and doi.casefold() == parse_doi(fields.read_url("doi")).casefold()


def _repeats_eprint(preprint: Preprint | None, eprint: str) -> bool:
    """Whether a note is only the arXiv number that the entry has anyway: "arXiv preprint arXiv:2405.01234"."""
    if not eprint or preprint is None or preprint.server != ARXIV:
        return False
    return preprint.number in ("", eprint)


def _join_sentences(texts: Iterable[str]) -> str:
    """Texts one after the other; one without a mark at its end gets a period."""
    joined = ""
    for text in texts:
        separator = "" if not joined else " " if joined.rstrip("*_")[-1:] in ".!?,;:)" else ". "
        joined = f"{joined}{separator}{text}"
    return joined
