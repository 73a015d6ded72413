"""The fields of an entry about its place of publication: journal, book, publisher, institution, numbers and pages."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tenure.model.entries import Markdown, Venue
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.publications.entry_fields import EntryFields, join_subtitle
from tenure.sources.publications.fields import list_fields
from tenure.sources.publications.preprint_servers import (
    ARXIV,
    ARXIV_NUMBER,
    OPERATORS,
    Preprint,
    find_server,
    parse_arxiv_number,
    parse_preprint,
)
from tenure.sources.schema.links import parse_doi

VENUE_FIELDS = ("journaltitle", "journal", "booktitle", "eventtitle", "maintitle", "howpublished", "reporter")

TITLE_PARTS: Mapping[str, tuple[str, str]] = {
    "journaltitle": ("journalsubtitle", "journaltitleaddon"),
    "journal": ("journalsubtitle", "journaltitleaddon"),
    "booktitle": ("booksubtitle", "booktitleaddon"),
    "eventtitle": ("", "eventtitleaddon"),
    "maintitle": ("mainsubtitle", "maintitleaddon"),
}
"""The subtitle and the addition of each title of a venue. Source: biblatex manual, section 2.2.2."""

BOOK_TYPES = frozenset(
    {"book", "mvbook", "proceedings", "mvproceedings", "collection", "mvcollection", "periodical"}
)
BOOK_PART_TYPES = frozenset(
    {"inproceedings", "incollection", "inbook", "bookinbook", "inreference", "suppbook", "suppcollection"}
)
"""Types that are a part of a book: `booktitle` takes precedence over `journal`."""

WHOLE_WORK_TYPES = BOOK_TYPES | {
    "booklet", "manual", "phdthesis", "mastersthesis", "thesis", "techreport", "report", "reference", "mvreference",
}  # fmt: skip
"""Types of works that are not in another one: their field `pages` is the number of their pages, if it is no range."""

POSSIBLE_PREPRINT_TYPES = frozenset(
    {"article", "incollection", "inproceedings", "misc", "online", "report", "techreport", "unpublished"}
)
COUNTRY_KEYS: Mapping[str, str] = {
    "countryde": "DE", "countryeu": "EU", "countryep": "EP", "countryfr": "FR", "countryuk": "UK", "countryus": "US",
}  # fmt: skip
"""Localisation keys of the countries of patents. Source: biblatex manual, section 4.9.2.13."""

_NUMBER_PREFIX = re.compile(
    r"^(?:(?:vol(?:ume)?|nos?|nr|núm|num(?:ber)?|iss(?:ue)?|bd|band|heft|jg|tome?|roč|č|вып|т)\b\.?|n[º°]|№)\s*(?=\d)",
    re.IGNORECASE,
)
"""The word before a number that the venue line writes anyway: "Vol. 52", as MathSciNet writes it."""

_VERSION_PREFIX = re.compile(r"^v(?:er(?:sion)?)?\b\.?\s*(?=\d)|^v(?=\d)", re.IGNORECASE)
_MONTH_OF_ISSUE = re.compile(
    r"(?<=\d)\s+(?:January|February|March|April|May|June|July|August|September|October|November|December)$"
)
"""The month after the number of an issue, as Scopus writes it: "2 February"."""

_NUMBERS_OF_MENDELEY = re.compile(r"(?P<name>.*\S) (?P<year>\d{4}) (?P<volume>[\w-]+):(?P<number>[\w-]+)")
"""The name of a journal with its year, volume and issue, as Mendeley writes it: "Nature 2024 27:2"."""

_EDITION_SUFFIX = re.compile(r"(?<=[\w.])\s+(?:ed\.?|edn\.?|edition)$", re.IGNORECASE)
"""The word after the number of an edition: "2nd ed"."""

_PAGE_RANGE = re.compile(r"[-–—]|\band\b|\w,\s*\w+\s*,")
_PAGE_UNIT = re.compile(r"\s*(?:pp?\.?|pages?|pgs?\.?|S\.|Seiten|p[áa]ginas?)\s*$", re.IGNORECASE)
_PAGE_PREFIX = re.compile(r"^\s*(?:pp?|pages?|pgs?|S)\b\.?:?\s*(?=\w*\d)", re.IGNORECASE)
"""The word before pages that the venue line writes anyway: "pp. 5–9", as HAL writes it."""

_PAGE_COUNT = re.compile(r"\d+\s*(?:pp?\.|pp|[Pp]ages)")
"""The number of pages as HAL writes it: "8p."."""

_ARTICLE_OF_MATHSCINET = re.compile(
    r"(?:Paper|Art(?:icle)?\.?)\s*+(?:No\.?|ID|Nr\.?|number)?:?\s*+(?=[\w.-]*\d)([\w.-]++)\s*+(?:,\s*+(\d++)\s*+(?:pp?\.?)?)?"
    r"|(e?\d{5,7})\s*+,\s*+(\d{1,3})\s*+(?:pp?\.?)?",
    re.IGNORECASE,
)
"""The number of an article and of its pages, as MathSciNet writes them: "Paper No. 103944, 24", before 2021 "103944, 24"."""

PLACES_OF_STATE = ("pages", "volume", "number", "issue", "type")
_STATE = re.compile(
    r"[\s({\[]*(to appear|in press|in print|forthcoming|accepted|submitted|(?:under|in) review|in prep(?:aration)?|(?:under|in) revision)"
    r"(?: for (?:publication|review))?[\s)}\].]*",
    re.IGNORECASE,
)
"""A state of publication that is written in the place of the pages, the venue or the type: "To appear"."""

STATE_NAMES: Mapping[str, str] = {
    "in print": "in press",
    "in review": "under review",
    "in prep": "in preparation",
}

_PAGES_OF_ADS = re.compile(r"(?<=\w)[-–—]*\+$")
"""The end of pages whose last page is not known, as ADS wrote it: "14-+"."""

_REPEATED_IN = re.compile(
    r"^In:? (?=(?:the )?(?:\d|Proc|Advances|Annual|International|Conference|Workshop|Symposium|[A-Z]{3,}\b))"
)
"""The word that the citation writes anyway: "In Proceedings of …"."""

_ARXIV_DOI_PATTERN = re.compile(rf"10\.48550/arxiv\.({ARXIV_NUMBER})", re.IGNORECASE)
"""Source: arXiv, "New arXiv articles are now automatically assigned DOIs" (2022)."""

_ARXIV_NUMBER_IN_TEXT = re.compile(
    r"\barXiv[:\s]+(?:preprint\s+arXiv:)?(\d{4}\.\d{4,5}(?:v\d+)?)(?!\d)", re.IGNORECASE
)
"""The number in the name of a venue: "arXiv:2105.11068, accepted by Mathematics Letters"."""

_ARXIV_URL_PATTERN = re.compile(
    rf"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/({ARXIV_NUMBER})(?:\.pdf)?/?", re.IGNORECASE
)


def parse_state(text: str) -> str:
    """The state of publication that a text is, in lower case; "" for any other text."""
    match = _STATE.fullmatch(text)
    state = match[1].casefold() if match else ""
    return STATE_NAMES.get(state, state)


class ReadVenue(NamedTuple):
    """A venue, and the fields that it shows."""

    venue: Venue
    shown_fields: frozenset[str]


class VenueReader:
    """Reads the venue of one entry, and recognizes preprints."""

    def __init__(self, fields: EntryFields, entry_type: str) -> None:
        self._fields = fields
        self._entry_type = entry_type
        self.preprint = self._find_preprint()

    def list_venue_fields(self) -> tuple[str, ...]:
        """The fields that may name the venue, in order of precedence."""
        first = ("booktitle", "eventtitle") if self._entry_type in BOOK_PART_TYPES else ()
        return (*first, *VENUE_FIELDS, "venue")

    def _find_preprint(self) -> Preprint | None:
        """The preprint named by the first venue field that is set; None if that field names another venue."""
        if self._entry_type not in POSSIBLE_PREPRINT_TYPES:
            return None
        venue_field = self._fields.find_first(*self.list_venue_fields())
        archive = self._fields.read_text("eprinttype", "archiveprefix").casefold()
        if self._entry_type == "online" and not venue_field and archive == "arxiv":
            return Preprint(ARXIV)  # as Better BibLaTeX and biblatex write preprints
        named = self.read_preprint_server(venue_field or "publisher")
        is_elsewhere = venue_field or self._fields.find_first(*list_fields("venue", "institution"))
        if named or is_elsewhere or self._entry_type not in ("article", "misc", "online", "unpublished"):
            return named
        return find_server(self._fields.read_url("url"), self._fields.read_url("doi"))

    def read_preprint_server(self, field: str) -> Preprint | None:
        """The preprint that a field names, or None."""
        value = self._fields.values.get(field, "")
        return parse_preprint(latex_to_text(value).text) if value else None

    def read_venue(self, eprint: str) -> ReadVenue:
        """The venue. A preprint server is named once, and an arXiv number is not repeated if `eprint` has it."""
        fields = self._fields
        volume = _NUMBER_PREFIX.sub("", fields.read_text("volume"))
        number = _MONTH_OF_ISSUE.sub("", _NUMBER_PREFIX.sub("", fields.read_text("number", "issue")))
        volume, number = ("" if parse_state(text) else text for text in (volume, number))
        if volume == "0" and number in ("", "0"):
            volume = number = ""  # as Sage and others write articles without an issue
        pages, page_total = self._read_pages()
        publisher = Markdown(self._remove_year(fields.read_markdown("publisher")).rstrip(" ,:;"))
        name, shown_fields = self._read_name()
        if self.preprint is not None:
            has_arxiv_number = self.preprint.server == ARXIV and eprint
            name = Markdown("" if has_arxiv_number else self.preprint.server)
            if has_arxiv_number:
                texts = (volume, number, pages)
                volume, number, pages = ("" if parse_arxiv_number(text) else text for text in texts)
            is_operator = self.read_preprint_server("publisher") or publisher.casefold() in OPERATORS
            publisher = Markdown("") if is_operator else publisher
        series = fields.read_markdown("series")
        if not series and "maintitle" not in shown_fields:
            series, series_fields = self._read_title("maintitle")
            shown_fields |= series_fields
        places = ("location", "address", *(() if "venue" in shown_fields else ("venue",)))
        location_field = fields.find_first(*places) if self._entry_type != "article" else ""
        if self._has_place_of_event():
            location_field = "address"
        else:
            shown_fields |= {"location"}
        location = Markdown(fields.read_markdown(location_field).rstrip(" ,:;")) if location_field else ""
        if fields.read_text("type").casefold() == location.replace("country", "patent"):
            location = ""  # "Patent (US)" says the country
        venue = Venue(
            name=name,
            short=fields.read_text("abbr", *(() if name else ("shortjournal", "shortbooktitle"))),
            volume=volume,
            number=number,
            pages=re.sub(r"(?<=\d)\s*[-–—]+\s*(?=\w)", "–", pages),
            page_total=page_total,
            series=series,
            edition=_EDITION_SUFFIX.sub("", fields.read_text("edition")),
            version=_VERSION_PREFIX.sub("", fields.read_text("version", "sver")),
            part=fields.read_text("part"),
            chapter=fields.read_text("chapter") if self._entry_type != "article" else "",
            volumes=fields.read_text("volumes"),
            publisher=publisher,
            institution=fields.read_markdown(*list_fields("venue", "institution")),
            location=Markdown(COUNTRY_KEYS.get(location.strip(), location)),
        )
        return ReadVenue(venue, shown_fields | {location_field} | self._list_shown_issue())

    def _has_place_of_event(self) -> bool:
        """Whether a paper has the place of the conference in `location`, and that of the publisher in `address`, as ACM writes it."""
        location, address = self._fields.read_text("location"), self._fields.read_text("address")
        return self._entry_type == "inproceedings" and bool(location and address) and location != address

    def _list_shown_issue(self) -> frozenset[str]:
        """The field `issue`, unless its text is not shown because the entry has another number."""
        number, issue = self._fields.read_text("number"), self._fields.read_text("issue")
        return frozenset() if number and number != issue and not parse_state(issue) else frozenset({"issue"})

    def _read_name(self) -> tuple[Markdown, frozenset[str]]:
        """The title of the venue with its subtitle and addition, and the names of these fields."""
        field = self._fields.find_first(*self.list_venue_fields())
        title = self._fields.read_markdown(field)
        if parse_state(title) or (field == "howpublished" and self._is_linked_url(title)):
            return Markdown(""), frozenset({field})
        return self._read_title(field)

    def _read_title(self, field: str) -> tuple[Markdown, frozenset[str]]:
        """A title of a venue with its subtitle and addition, and the names of these fields."""
        part_fields = TITLE_PARTS.get(field, ("", ""))
        title = _REPEATED_IN.sub("", self._fields.read_markdown(field))
        subtitle, addition = map(self._fields.read_markdown, part_fields)
        name = join_subtitle(self._remove_numbers(title), subtitle)
        text = Markdown(f"{name}. {addition}" if addition else name)
        return text, frozenset({field, *part_fields})

    def _remove_numbers(self, journal: str) -> str:
        """A journal without its year, volume and issue if the entry has these in fields too."""
        match = _NUMBERS_OF_MENDELEY.fullmatch(journal)
        volume, number = self._fields.read_text("volume"), self._fields.read_text("number", "issue")
        return match["name"] if match and (match["volume"], match["number"]) == (volume, number) else journal

    def _is_linked_url(self, text: str) -> bool:
        """Whether a text is only a URL that the entry has as `url` or `doi` too."""
        url = self._fields.read_url("howpublished")
        doi = parse_doi(url)
        return bool(text) and (
            url == self._fields.read_url("url")
            or (bool(doi) and doi.casefold() == parse_doi(self._fields.read_url("doi")).casefold())
        )

    def _remove_year(self, publisher: str) -> str:
        """A publisher without the year of the publication after it, as ADS writes it."""
        year = self._fields.read_text("year")
        name = publisher.rstrip(" .").removesuffix(f", {year}")
        return name if year and name != publisher.rstrip(" .") else publisher

    def _read_pages(self) -> tuple[str, str]:
        """The pages, and the number of all pages of a work."""
        fields = self._fields
        pages = fields.read_text("pages", "eid", *list_fields("number", "article number"))
        total = fields.read_text("pagetotal", "numpages")
        if self._entry_type in WHOLE_WORK_TYPES and re.search(r"\d", pages) and not _PAGE_RANGE.search(pages):
            pages, total = "", total or pages
        if pages and pages in self._fields.read_text(*self.list_venue_fields()):
            pages = ""  # "Astrophysics Source Code Library, record ascl:2001.001"
        pages = "" if parse_state(pages) else _PAGE_PREFIX.sub("", _PAGES_OF_ADS.sub("", pages))
        article = _ARTICLE_OF_MATHSCINET.fullmatch(pages)
        if article:
            pages, total = article[1] or article[3], article[2] or article[4] or total
        elif _PAGE_COUNT.fullmatch(pages):
            pages, total = "", pages
        ends = re.fullmatch(r"(\w+)\s*[-–—]+\s*(\w+)", pages)
        if ends and ends[1] == ends[2]:
            pages = "" if ends[1] == "1" else ends[1]  # IEEE writes "1-1" before an article has pages
        elif ends:
            total = ""  # a range says the number of pages
        return pages, _PAGE_UNIT.sub("", total)

    def read_state(self) -> str:
        """The state of publication that is written in the place of the venue, its numbers or the type; otherwise ""."""
        fields = (*PLACES_OF_STATE, self._fields.find_first(*self.list_venue_fields()))
        return next(filter(None, map(parse_state, map(self._fields.read_text, fields))), "")

    def read_eprint(self) -> str:
        """The arXiv number from `arxiv`, `eprint`, a venue field, the URL or a note that is nothing else."""
        fields = self._fields
        archive = fields.read_text("archiveprefix", "eprinttype").casefold()
        value = fields.read_url("arxiv") or fields.read_url("arxivid")
        if not value and archive in ("arxiv", ""):
            value = fields.read_url("eprint")
        match = re.search(r"\d{4}\.\d{4,5}(?:v\d+)?|(?<![a-z-])[a-z-]++(?:\.[A-Z]{2})?/\d{7}", value)
        return match[0] if match else self._find_eprint_in_venue() or self._find_eprint_in_text()

    def _find_eprint_in_venue(self) -> str:
        """The arXiv number in a venue field, in volume, number, pages or eid, or in the DOI; otherwise ""."""
        preprints = map(self.read_preprint_server, (*VENUE_FIELDS, "publisher"))
        numbers = [preprint.number for preprint in preprints if preprint and preprint.server == ARXIV]
        if not numbers:
            texts = map(self._fields.read_text, ("journaltitle", "journal", "howpublished"))
            return next((match[1] for match in map(_ARXIV_NUMBER_IN_TEXT.search, texts) if match), "")
        texts = map(self._fields.read_text, ("volume", "number", "pages", "eid"))
        doi = _ARXIV_DOI_PATTERN.fullmatch(parse_doi(self._fields.read_url("doi")))
        numbers += [*map(parse_arxiv_number, texts), doi[1] if doi else ""]
        return next(filter(None, numbers), "")

    def _find_eprint_in_text(self) -> str:
        """The arXiv number in the URL, or in a note that is nothing else; otherwise ""."""
        url = _ARXIV_URL_PATTERN.fullmatch(self._fields.read_url("url"))
        note = self.read_preprint_server("note")
        number_in_doi = parse_arxiv_number(self._fields.read_url("doi"))
        if number_in_doi:
            return number_in_doi
        return url[1] if url else note.number if note is not None and note.server == ARXIV else ""
