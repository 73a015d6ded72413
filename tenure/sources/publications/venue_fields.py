"""
The fields of an entry about its place of publication: journal, book, publisher, numbers and pages.

The objects: a Venue has the parts of the line below a title; a fact is a field that this line does not show,
and that stands with its label on the page of the publication; a preprint has its server as its venue.
journal = {Looms}, volume = {Vol. 52} -> a Venue with the name Looms and the volume 52
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tenure.limits import cache_texts
from tenure.model.entries import Markdown, Venue
from tenure.model.identifiers import find_arxiv, parse_arxiv, parse_doi
from tenure.model.publications import PARTS, POSSIBLE_PREPRINTS, UNPUBLISHED, WHOLE_WORKS
from tenure.sources.bibtex.bib_fields import list_fields
from tenure.sources.bibtex.preprint_servers import (
    ARXIV,
    OPERATORS,
    Preprint,
    find_server,
    parse_preprint,
)
from tenure.sources.publications.entry_fields import EntryFields, join_subtitle

VENUE_FIELDS = ("journaltitle", "journal", "booktitle", "eventtitle", "maintitle", "howpublished", "reporter")

TITLE_PARTS: Mapping[str, tuple[str, str]] = {
    "journaltitle": ("journalsubtitle", "journaltitleaddon"),
    "journal": ("journalsubtitle", "journaltitleaddon"),
    "booktitle": ("booksubtitle", "booktitleaddon"),
    "eventtitle": ("", "eventtitleaddon"),
    "maintitle": ("mainsubtitle", "maintitleaddon"),
}
"""The subtitle and the addition of each title of a venue. Source: biblatex manual, section 2.2.2."""

_UNIT_OF_NUMBER = r"""(?xi)
    ^(?:vol(?:ume)?|nos?|nr|num(?:ber)?|iss(?:ue)?|bd|v(?:er(?:sion)?)?|pp?|pages?)
     \b\.?:?\ *(?=\w*\d)                                              # Vol. 52, pp. 5-9
    |^v(?=\d)                                                         # v2
    |(?<=[\w.])\ +(?:ed\.?|edn\.?|edition|pp?\.?|pages?)$             # 2nd ed., 120 pages
"""
"""The words before and after a number that the venue line writes anyway."""

_STATE = r"""(?xi)
    [\s({\[]*(?P<state>to\ appear|in\ press|in\ print|forthcoming|accepted|submitted|(?:under|in)\ review
    |in\ prep(?:aration)?|(?:under|in)\ revision)
    (?:\ for\ (?:publication|review))?[\s)}\].]*                      # (Submitted for publication)
"""
STATE_NAMES: Mapping[str, str] = {
    "in prep": "in preparation",
    "in print": "in press",
    "in review": "under review",
}


@cache_texts
def parse_state(text: str) -> str:
    """The state of publication that a text is, in lower case; "" for any other text."""
    match = re.fullmatch(_STATE, text)
    state = match["state"].casefold() if match else ""
    return STATE_NAMES.get(state, state)


class ReadVenue(NamedTuple):
    """A venue, and the fields that it shows; the other fields about the venue become facts."""

    venue: Venue
    shown_fields: frozenset[str]


class VenueReader:
    """
    Reads the venue of one entry, and recognizes preprints. `field` names the venue; "" if there is none.
    """

    def __init__(self, fields: EntryFields, entry_type: str) -> None:
        self._fields = fields
        self._entry_type = entry_type
        first = ("booktitle", "eventtitle") if entry_type in PARTS else ()
        self.field = fields.find_first(*first, *VENUE_FIELDS, "venue")
        self.state = parse_state(fields.read_text(self.field))
        self.preprint = self._find_preprint()

    def _find_preprint(self) -> Preprint | None:
        """The preprint named by the first venue field that is set; None if that field names another venue."""
        if self._entry_type not in POSSIBLE_PREPRINTS:
            return None
        archive = self._fields.read_text("eprinttype", "archiveprefix").casefold()
        if self._entry_type == "online" and not self.field and archive == "arxiv":
            # as Better BibLaTeX and biblatex write preprints
            return Preprint(ARXIV)
        named = self.read_preprint_server(self.field or "publisher")
        # a paper in a journal is none, even if its URL leads to arXiv
        is_elsewhere = self.field or self._fields.find_first(*list_fields("venue", "institution"))
        may_have_only_url = self._entry_type in UNPUBLISHED | {"article"}
        if named or is_elsewhere or not may_have_only_url:
            return named
        return find_server(self._fields.read_url("url"), self._fields.read_url("doi"))

    def read_preprint_server(self, field: str) -> Preprint | None:
        """The preprint that a field names, or None."""
        value = self._fields.read_text(field)
        return parse_preprint(value) if value else None

    def read_venue(self, eprint: str) -> ReadVenue:
        """
        The venue, and the fields that it shows, which are no facts any more.

        A preprint server is named once, and an arXiv number is not repeated if `eprint` has it:
        journal = {arXiv}, volume = {2405.01234} -> no name and no volume.
        """
        fields = self._fields
        is_article = self._entry_type == "article"
        volume = self._read_number("volume")
        number = self._read_number("number", "issue")
        pages, page_total = self._read_pages()
        name, name_fields = self._read_name()
        if self.preprint is not None:
            name = Markdown(self.preprint.server)
            if self.preprint.server == ARXIV and eprint:
                name = Markdown("")
                texts = (volume, number, pages)
                volume, number, pages = ("" if parse_arxiv(text) else text for text in texts)

        series, series_fields = self._read_series(name_fields)
        shown_fields = name_fields | series_fields
        location_field = self._find_location(shown_fields)
        # abbr = {PRL} is a tag beside the name; shortjournal = {Phys. Rev. Lett.} is too long for one, and
        # stands only in the place of a name
        short_fields = ["abbr"]
        if not name:
            short_fields += ["shortjournal", "shortbooktitle"]
        venue = Venue(
            name=name,
            short=fields.read_text(*short_fields),
            rank=fields.read_text("rank"),
            volume=volume,
            number=number,
            # 5--9 -> 5–9
            pages=re.sub(r"(?<=\d)\s*[-–—]+\s*(?=\w)", "–", pages),
            page_total=page_total,
            series=series,
            edition=self._read_number("edition"),
            version=self._read_number("version", "sver"),
            part=fields.read_text("part"),
            # a journal has no chapters; programs write other numbers there
            chapter="" if is_article else fields.read_text("chapter"),
            volumes=fields.read_text("volumes"),
            publisher=self._read_publisher(),
            institution=fields.read_markdown(*list_fields("venue", "institution")),
            location=Markdown(fields.read_markdown(location_field).rstrip(" ,:;")),
        )

        # the place of a conference is a fact
        if not self._has_place_of_event():
            shown_fields |= {"location"}
        # `number` is shown; `issue` is a fact only if it says something else
        if fields.read_text("number") in ("", fields.read_text("issue")):
            shown_fields |= {"issue"}
        return ReadVenue(venue, shown_fields | {location_field})

    def _read_name(self) -> tuple[Markdown, frozenset[str]]:
        """The name of the venue, and the fields with it; "" if the field has a state or a URL instead."""
        if self.state or (self.field == "howpublished" and self._is_linked_url()):
            return Markdown(""), frozenset({self.field})
        return self._read_title(self.field)

    def _read_series(self, name_fields: frozenset[str]) -> tuple[Markdown, frozenset[str]]:
        """The series, or else the title of a work in several volumes, and the fields with that."""
        series = self._fields.read_markdown("series")
        if series or "maintitle" in name_fields:
            return series, frozenset()
        return self._read_title("maintitle")

    def _find_location(self, shown_fields: frozenset[str]) -> str:
        """
        The field with the place of the publisher; "" if there is none, and for an article.

        In biblatex, `venue` is the place of an event: booktitle = {Proc. of Looms}, venue = {Rome}. In an
        entry without another venue it is the name, as some people write it: venue = {Proc. of Looms}.
        """
        if self._has_place_of_event():
            return "address"
        if self._entry_type == "article":
            return ""
        if "venue" in shown_fields:
            return self._fields.find_first("location", "address")
        return self._fields.find_first("location", "address", "venue")

    def _read_number(self, *names: str) -> str:
        """The first of these fields that is set, without the word that the venue line writes anyway."""
        text = self._fields.read_text(*names)
        is_bare = text[:1].isdecimal() and text[-1:].isdecimal()
        return text if is_bare else re.sub(_UNIT_OF_NUMBER, "", text)

    def _has_place_of_event(self) -> bool:
        """
        Whether a paper has the place of its conference in `location`, another in `address`, as ACM writes it.
        """
        location = self._fields.read_text("location")
        address = self._fields.read_text("address")
        return self._entry_type == "inproceedings" and bool(location and address) and location != address

    def _read_title(self, field: str) -> tuple[Markdown, frozenset[str]]:
        """A title of a venue with its subtitle and addition, and the names of these fields."""
        part_fields = TITLE_PARTS.get(field, ("", ""))
        subtitle, addition = map(self._fields.read_markdown, part_fields)
        name = join_subtitle(self._fields.read_markdown(field), subtitle)
        text = Markdown(f"{name}. {addition}" if addition else name)
        return text, frozenset({field, *part_fields})

    def _is_linked_url(self) -> bool:
        """Whether `howpublished` is only a URL that the entry has as `url` or `doi` too."""
        url = self._fields.read_url("howpublished")
        doi = parse_doi(url)
        own_doi = parse_doi(self._fields.read_url("doi"))
        return url == self._fields.read_url("url") or (bool(doi) and doi.casefold() == own_doi.casefold())

    def _read_publisher(self) -> Markdown:
        """
        The publisher without the year after it, as ADS writes it; "" for the operator of a preprint server.
        """
        publisher = self._fields.read_markdown("publisher")
        year = self._fields.read_text("year")
        name = publisher.rstrip(" .").removesuffix(f", {year}")
        has_year = year and name != publisher.rstrip(" .")
        name = (name if has_year else publisher).rstrip(" ,:;")
        is_operator = name.casefold() in OPERATORS or self.read_preprint_server("publisher")
        return Markdown("" if self.preprint is not None and is_operator else name)

    def _read_pages(self) -> tuple[str, str]:
        """The pages, and the number of all pages: "5--9" -> "5--9", ""; "320" of a book -> "", "320"."""
        pages = self._read_number("pages", "eid", *list_fields("number", "article number"))
        total = self._read_number("pagetotal", "numpages")
        if not pages:
            return "", total
        # 5-9; 5 and 9; 5, 9, 12
        is_range = re.search(r"[-–—]|\band\b|\w,\s*\w+\s*,", pages)
        # pages = {320} of a book is the number of all
        if self._entry_type in WHOLE_WORKS and re.search(r"\d", pages) and not is_range:
            return "", total or pages

        ends = re.fullmatch(r"(\w+)\s*[-–—]+\s*(\w+)", pages)
        if ends and ends[1] != ends[2]:
            # a range says the number of pages
            return pages, ""
        if ends:
            # IEEE writes "1-1" before an article has pages
            pages = "" if ends[1] == "1" else ends[1]
        return pages, total

    def read_eprint(self) -> str:
        """The arXiv number from `arxiv`, `eprint`, a venue field, the URL or a note that is nothing else."""
        fields = self._fields
        value = fields.read_url("arxiv") or fields.read_url("arxivid")
        # eprint = {2405.01234}, also without an archive
        if not value and fields.read_text("archiveprefix", "eprinttype").casefold() in ("arxiv", ""):
            value = fields.read_url("eprint")
        if number := parse_arxiv(value) or find_arxiv(value):
            return number

        names = [name for name in (*VENUE_FIELDS, "publisher") if name in fields.values]
        numbers = self._list_arxiv_numbers(*names)
        if numbers:
            texts = map(fields.read_text, ("volume", "number", "pages", "eid"))
            numbers += map(parse_arxiv, (*texts, fields.read_url("doi")))
        numbers.append(parse_arxiv(fields.read_url("url")))
        numbers += self._list_arxiv_numbers("note")
        return next(filter(None, numbers), "")

    def _list_arxiv_numbers(self, *names: str) -> list[str]:
        """
        The number of arXiv in each of these fields that names arXiv, "" if it names it without a number.
        """
        preprints = map(self.read_preprint_server, names)
        return [preprint.number for preprint in preprints if preprint and preprint.server == ARXIV]
