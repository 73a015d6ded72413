"""Build a Publication from the Node of a BibTeX entry."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.model.entries import Markdown, Publication, PublicationFact, Venue
from tenure.model.languages import find_language
from tenure.model.links import Link, Url, is_safe_url, suggest_safe_url
from tenure.model.names import Authors, Name
from tenure.model.publication_links import escape_text
from tenure.problems import Place, Problems
from tenure.sources.bibtex.latex import latex_to_markdown, latex_to_text, latex_to_url
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    MACROS_KEY,
    PARENTS_KEY,
    SOURCE_KEY,
    TYPE_KEY,
    find_field_place,
)
from tenure.sources.bibtex.source_text import format_public_bibtex
from tenure.sources.node import Node
from tenure.sources.publications.bib_fields import (
    ALWAYS_LINK_FIELDS,
    TAG_FIELDS,
    TRUE_VALUES,
    find_image_field,
    is_draft_entry,
    is_link_field,
    strip_url_affix,
)
from tenure.sources.publications.dates import PublicationDate, parse_publication_date
from tenure.sources.publications.names import apply_annotations, parse_authors
from tenure.sources.publications.preprint_servers import (
    ARXIV,
    ARXIV_NUMBER,
    Preprint,
    may_name_preprint_server,
    parse_arxiv_number,
    parse_preprint,
)
from tenure.sources.schema.links import build_link, format_link_label, parse_doi

ENTRY_TYPE_ALIASES: Mapping[str, str] = {
    "conference": "inproceedings",
    "www": "online",
    "electronic": "online",
}
"""Old names of entry types. Source: biblatex manual, section 2.1.2, "Type Aliases"."""

VENUE_FIELDS = ("journaltitle", "journal", "booktitle", "eventtitle", "maintitle", "howpublished")
LOCATION_LINKS = frozenset({"arxiv", "doi", "hal", "html", "pmid", "url", "website"})
"""Links to the publication itself: one with a URL that is already linked is omitted. Other links also name the content."""

URL_TEMPLATES: Mapping[str, str] = {
    "arxiv": "https://arxiv.org/abs/{}",
    "hal": "https://hal.science/{}",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
}
BOOK_TYPES = frozenset(
    {"book", "mvbook", "proceedings", "mvproceedings", "collection", "mvcollection", "periodical"}
)
BOOK_PART_TYPES = frozenset({"inproceedings", "incollection", "inbook", "bookinbook", "inreference"})
"""Types that are a part of a book: `booktitle` takes precedence over `journal`."""

PREPRINT_TYPE = "misc"
"""The entry type of a preprint. BibTeX has no type for it; bibliography styles write @misc."""

POSSIBLE_PREPRINT_TYPES = frozenset(
    {"article", "incollection", "inproceedings", "misc", "online", "report", "techreport", "unpublished"}
)
TYPES_WITH_TYPE_FIELD = frozenset(
    {"techreport", "report", "thesis", "phdthesis", "mastersthesis", "misc", "patent", "unpublished"}
)
"""Types whose field `type` is shown in the note: "Ph.D. dissertation"."""


def build_publication(node: Node, owner: Sequence[Name], entry_id: str, problems: Problems) -> Publication:
    """Build a publication from the Node of an entry. Doubtful values are reported and not dropped."""
    return _PublicationBuilder(node, problems).build_publication(owner, entry_id)


def _macro_values(node: Node) -> dict[str, str]:
    """The values of the macros that an entry uses, by name."""
    return {name: child.text for name, child in node.mapping[MACROS_KEY].mapping.items()}


class _PublicationBuilder:
    """Builds the publication of one entry and reports its problems."""

    def __init__(self, node: Node, problems: Problems) -> None:
        self._problems = problems
        self._place = node.place
        self._source_text = node.mapping[SOURCE_KEY].text
        self.entry_type = ENTRY_TYPE_ALIASES.get(node.mapping[TYPE_KEY].text, node.mapping[TYPE_KEY].text)
        self.key = node.mapping[CITATION_KEY].text
        self._macros = _macro_values(node)
        parents = node.mapping[PARENTS_KEY].items if PARENTS_KEY in node.mapping else ()
        self._parents = tuple(
            format_public_bibtex(parent.mapping[SOURCE_KEY].text, _macro_values(parent)) for parent in parents
        )
        self._fields = {name: child.text for name, child in node.mapping.items() if not name.startswith("@")}
        self._facts: list[PublicationFact] = []
        self._preprint = self._find_preprint()
        if self._preprint is not None and self.entry_type in POSSIBLE_PREPRINT_TYPES:
            self.entry_type = PREPRINT_TYPE

    def _find_preprint(self) -> Preprint | None:
        """The preprint named by the first venue field that is set; None if that field names another venue."""
        venue = next(
            (name for name in self._list_venue_fields() if self._fields.get(name, "").strip()), "publisher"
        )
        return self._read_preprint_server(venue) if self.entry_type in POSSIBLE_PREPRINT_TYPES else None

    def _read_preprint_server(self, field: str) -> Preprint | None:
        """The preprint that a field names, or None."""
        value = self._fields.get(field, "")
        return parse_preprint(latex_to_text(value).text) if may_name_preprint_server(value) else None

    def build_publication(self, owner: Sequence[Name], entry_id: str) -> Publication:
        publication_date = self._read_date()
        eprint = self._read_eprint()
        links = tuple(self._read_links(eprint))
        return Publication(
            id=entry_id,
            source=self._place,
            key=self.key,
            kind=self.entry_type,
            title=self._read_title(),
            authors=self._read_names("author", owner),
            editors=self._read_names("editor", owner),
            date=publication_date.date,
            venue=self._read_venue(eprint),
            status=self._read_text("pubstate") or self._read_text("status") or publication_date.status,
            awards=tuple(
                award
                for award in dict.fromkeys((self._read_markdown("award_name"), self._read_markdown("award")))
                if award
            ),
            abstract=self._read_markdown("abstract"),
            note=self._read_note(),
            selected=self._fields.get("selected", "").strip().casefold() in TRUE_VALUES,
            tags=tuple(dict.fromkeys(self._read_keywords())),
            language=find_language(self._read_text("langid") or self._read_text("language")),
            doi=parse_doi(latex_to_url(self._fields.get("doi", ""))),
            eprint=eprint,
            server=self._preprint.server if self._preprint else "",
            links=links,
            facts=tuple(self._facts),
            image=self._read_image(),
            draft=is_draft_entry(self._fields),
            bibtex=format_public_bibtex(self._source_text, self._macros),
            parents=self._parents,
        )

    def _report_field_problem(
        self, code: str, field: str, excerpt: str, message: str, hint: str = ""
    ) -> None:
        """Report a problem at an excerpt of a field's value, or else at the field."""
        place = find_field_place(self._place, self._source_text, field)
        lines = self._source_text.split("\n")[place.line - self._place.line :]
        column_shift = self._place.column - 1 if place.line == self._place.line else 0
        for number, line in enumerate(lines if excerpt else ()):
            offset = line.find(excerpt, place.column + place.length - column_shift if number == 0 else 0)
            if offset >= 0:
                column = offset + 1 + (column_shift if number == 0 else 0)
                place = Place(place.file, place.line + number, column, len(excerpt))
                break
        self._problems.report(code, place, message, hint)

    def _read_text(self, *names: str) -> str:
        """The first of these fields that is set, as plain text."""
        value = next((self._fields[name] for name in names if self._fields.get(name, "").strip()), "")
        return latex_to_text(value).text

    def _read_markdown(self, *names: str) -> Markdown:
        """The first of these fields that is set, as Markdown; unknown commands are reported."""
        name = next((name for name in names if self._fields.get(name, "").strip()), "")
        if not name:
            return Markdown("")
        decoded = latex_to_markdown(self._fields[name])
        for command in decoded.unknown_commands:
            message = f'the command {command} in the {name} of "{self.key}" is not known'
            self._report_field_problem("bib-latex", name, command, message, "it is shown as written")
        for url in decoded.unsafe_urls:
            message = f'“{url}” in the {name} of "{self.key}" cannot be linked, and is shown as text'
            self._report_field_problem("bib-bad-address", name, url, message, suggest_safe_url(url))
        return Markdown(decoded.text)

    def _read_title(self) -> Markdown:
        title = self._read_markdown("title")
        subtitle = self._read_markdown("subtitle")
        if not title and self.entry_type in BOOK_TYPES:
            title = self._read_markdown("booktitle", "maintitle")
        if not title:
            field_names = [name for name in self._fields if not name.endswith("title")]
            misspelled_name = next(
                iter(difflib.get_close_matches("title", field_names, n=1, cutoff=0.75)), ""
            )
            place = (
                find_field_place(self._place, self._source_text, misspelled_name)
                if misspelled_name
                else self._place
            )
            hint = 'did you mean "title"?' if misspelled_name else "add title = {…}"
            self._problems.report("bib-missing-title", place, f'the entry "{self.key}" has no title', hint)
            return Markdown(latex_to_markdown(self.key).text or "?")
        return Markdown(f"{title}: {subtitle}") if subtitle else title

    def _read_names(self, field: str, owner: Sequence[Name]) -> Authors:
        value = self._fields.get(field, "")
        if not value.strip():
            return Authors()
        parsed = parse_authors(value)
        for complaint in [*_find_wrong_separators(value)] or parsed.issues:
            excerpt = next(iter(re.findall("“(.*)”", complaint)), "and and")
            hint = next(
                (hint for phrase, hint in NAME_HINTS if phrase in complaint), 'write "Family, Given and …"'
            )
            self._report_field_problem("bib-name", field, excerpt, f'{complaint} in "{self.key}"', hint)
        annotation = next(
            (
                text
                for name, text in self._fields.items()
                if name == f"{field}+an" or name.startswith(f"{field}+an:")
            ),
            "",
        )
        authors = parsed.authors.with_owner_marked(owner)
        return apply_annotations(authors, annotation) if annotation else authors

    def _read_date(self) -> PublicationDate:
        """The date or publication state; values that are not dates are reported."""
        publication_date = parse_publication_date(self._read_text)
        for issue in publication_date.issues:
            self._report_field_problem(
                "bib-bad-date", issue.field, issue.excerpt, f'{issue.message} in "{self.key}"', issue.hint
            )
        return publication_date

    def _read_venue(self, eprint: str) -> Venue:
        """The venue. A preprint server is named once, and an arXiv number is not repeated if `eprint` has it."""
        numbers = [
            self._read_text("volume"),
            self._read_text("number", "issue"),
            self._read_text("pages", "eid"),
        ]
        publisher = self._read_markdown("publisher")
        if self._preprint is None:
            name = self._read_markdown(*self._list_venue_fields())
        else:
            has_arxiv_number = self._preprint.server == ARXIV and eprint
            name = Markdown("" if has_arxiv_number else self._preprint.server)
            numbers = ["" if has_arxiv_number and parse_arxiv_number(text) else text for text in numbers]
            publisher = Markdown("") if self._read_preprint_server("publisher") else publisher
        return Venue(
            name=name,
            short=self._read_text("abbr", "shortjournal", "shortbooktitle"),
            volume=numbers[0],
            number=numbers[1],
            pages=re.sub(r"(?<=\d)\s*[-–—]+\s*(?=\w)", "–", numbers[2]),
            series=self._read_markdown("series"),
            edition=self._read_text("edition"),
            publisher=publisher,
            institution=self._read_markdown("school", "institution", "organization"),
            location=self._read_markdown("venue", "location", "address")
            if self.entry_type != "article"
            else Markdown(""),
        )

    def _list_venue_fields(self) -> tuple[str, ...]:
        """The fields that may name the venue, in order of precedence."""
        return (
            ("booktitle", "eventtitle", *VENUE_FIELDS) if self.entry_type in BOOK_PART_TYPES else VENUE_FIELDS
        )

    def _read_note(self) -> Markdown:
        """The field `type`, the notes, and a second venue field that is not shown as the venue."""
        venue_field = next(
            (name for name in self._list_venue_fields() if self._fields.get(name, "").strip()), ""
        )
        hidden_fields = [
            name for name in ("journal", "howpublished") if venue_field not in ("", name, "journaltitle")
        ]
        field_names = (
            *(["type"] if self.entry_type in TYPES_WITH_TYPE_FIELD else []),
            "note",
            *hidden_fields,
            "additional_info",
            "annotation",
        )
        texts = dict.fromkeys(
            self._read_markdown(name).strip()
            for name in field_names
            if name not in hidden_fields or not self._read_preprint_server(name)
        )
        return Markdown(" ".join(text for text in texts if text))

    def _read_keywords(self) -> Iterator[str]:
        for keyword in re.split(r"[;,]", ",".join(self._read_text(name) for name in TAG_FIELDS)):
            if keyword.strip():
                yield keyword.strip()

    def _read_eprint(self) -> str:
        """The arXiv number from `arxiv`, `eprint` or a venue field."""
        archive = self._read_text("archiveprefix", "eprinttype").casefold()
        value = latex_to_url(self._fields.get("arxiv", "") or self._fields.get("arxivid", ""))
        if not value and archive in ("arxiv", ""):
            value = latex_to_url(self._fields.get("eprint", ""))
        match = re.search(r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}", value)
        return match[0] if match else self._find_eprint_in_venue()

    def _find_eprint_in_venue(self) -> str:
        """The arXiv number in a venue field, in volume, number, pages or eid, or in the DOI; otherwise ""."""
        preprints = [self._read_preprint_server(name) for name in (*VENUE_FIELDS, "publisher")]
        arxiv_preprints = [
            preprint for preprint in preprints if preprint is not None and preprint.server == ARXIV
        ]
        if not arxiv_preprints:
            return ""
        numbers = [parse_arxiv_number(self._read_text(name)) for name in ("volume", "number", "pages", "eid")]
        doi = _ARXIV_DOI_PATTERN.fullmatch(parse_doi(latex_to_url(self._fields.get("doi", ""))))
        return next(
            filter(
                None, [*(preprint.number for preprint in arxiv_preprints), *numbers, doi[1] if doi else ""]
            ),
            "",
        )

    def _read_links(self, eprint: str) -> Iterator[Link]:
        fields = dict(self._fields)
        if eprint:
            fields["arxiv"] = eprint
        if "hal_id" in fields:
            fields.setdefault("hal", fields["hal_id"])
        other_fields = sorted(
            name
            for name in fields
            if name not in ALWAYS_LINK_FIELDS
            and (
                name.endswith("_url")
                or name.startswith("url_")
                or is_link_field(name, latex_to_url(fields[name]))
            )
        )
        seen_urls: set[str] = set()
        if self._preprint is not None and self._preprint.url and self._preprint.server != ARXIV:
            seen_urls.add(self._preprint.url)
            yield Link(label=self._preprint.server, url=Url(self._preprint.url))
        for name in (*(name for name in ALWAYS_LINK_FIELDS if name in fields), *other_fields):
            url = self._resolve_url(name, latex_to_url(fields[name]))
            if not url:
                continue
            link, complaint = build_link(strip_url_affix(name), url)
            if link is None or url.startswith(("#", "?")):
                message = f'{complaint or f"“{url}” is not a URL that can be linked"} in "{self.key}"'
                self._report_field_problem("bib-bad-address", name, url, message, suggest_safe_url(url))
                self._facts.append(
                    PublicationFact(format_link_label(strip_url_affix(name)), escape_text(url))
                )
            elif link.url not in seen_urls or name not in LOCATION_LINKS:
                seen_urls.add(link.url)
                yield link

    def _read_image(self) -> Url:
        """The URL or the file of the image; a URL that cannot be linked is reported."""
        field = find_image_field(self._fields)
        url = latex_to_url(self._fields.get(field, ""))
        if is_safe_url(url) and not url.startswith(("#", "?")):
            return Url(url)
        message = f'“{url}” is not the address of an image in "{self.key}"'
        self._report_field_problem("bib-bad-address", field, url, message, suggest_safe_url(url))
        return Url("")

    def _resolve_url(self, field: str, value: str) -> str:
        """The URL for a field's value, or "". A wrong DOI is reported."""
        if not value or value.casefold() in TRUE_VALUES | {"false"}:
            return ""
        if field == "url" and parse_doi(value) and "://" not in value:
            return f"https://doi.org/{parse_doi(value)}"
        if field == "doi" and parse_doi(value) and len(value.split()) > 1:
            message = f'the doi of "{self.key}" holds more than a DOI; {parse_doi(value)} is linked'
            self._report_field_problem(
                "bib-bad-address",
                "doi",
                value.split(maxsplit=1)[0],
                message,
                "keep one, and put the rest into url",
            )
        if field == "doi" and not parse_doi(value) and "://" not in value:
            message = f'“{value}” is not a DOI in "{self.key}"'
            self._report_field_problem(
                "bib-bad-address", "doi", value, message, "write doi = {10.…/…}, or delete the field"
            )
            return ""
        if field == "arxiv" and "://" not in value:
            return URL_TEMPLATES[field].format(value)
        if field in URL_TEMPLATES and "/" not in value.strip("/"):
            return URL_TEMPLATES[field].format(value)
        return value


_ARXIV_DOI_PATTERN = re.compile(rf"10\.48550/arxiv\.({ARXIV_NUMBER})", re.IGNORECASE)
"""Source: arXiv, "New arXiv articles are now automatically assigned DOIs" (2022)."""

NAME_HINTS = (
    ("ends in a comma", 'delete the comma before "and"'),
    ("too many commas", 'put "and" between the authors'),
    ("does not separate", 'put "and" in its place'),
    ("empty", 'delete one "and"'),
)


def _find_wrong_separators(value: str) -> Iterator[str]:
    """The problem message for a separator of authors that BibTeX does not know, such as "&" or ";"."""
    outside_braces = re.sub(r"\{[^{}]*\}", "", value)
    for separator in (r"\&", "&", ";"):
        if separator in outside_braces:
            yield f"“{separator}” does not separate authors"
            return
