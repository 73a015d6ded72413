"""Lint of a bibliography: probable duplicates, missing fields, doubtful values."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenure.frozen import dataclass
from tenure.model.names import fold
from tenure.model.scholar import Publication
from tenure.problems import Edit, Place, Problems
from tenure.sources.bib_fields import is_used, nearest_field, picture_field
from tenure.sources.bibtex import KEY, KIND, SOURCE, field_place, place_inside
from tenure.sources.tree import Node

NEEDS_VENUE = frozenset(
    {"article", "inproceedings", "incollection", "phdthesis", "mastersthesis", "techreport", "report"}
)
ANONYMOUS = frozenset(
    {"proceedings", "collection", "manual", "misc", "online", "software", "dataset", "book", "periodical"}
)
"""Entry types that are complete without an author."""

TYPES = frozenset(
    {
        "article",
        "artwork",
        "audio",
        "bibnote",
        "book",
        "bookinbook",
        "booklet",
        "collection",
        "commentary",
        "conference",
        "dataset",
        "electronic",
        "image",
        "inbook",
        "incollection",
        "inproceedings",
        "inreference",
        "jurisdiction",
        "legal",
        "legislation",
        "letter",
        "manual",
        "mastersthesis",
        "misc",
        "movie",
        "music",
        "mvbook",
        "mvcollection",
        "mvproceedings",
        "mvreference",
        "online",
        "patent",
        "performance",
        "periodical",
        "phdthesis",
        "proceedings",
        "reference",
        "report",
        "review",
        "set",
        "software",
        "standard",
        "suppbook",
        "suppcollection",
        "suppperiodical",
        "techreport",
        "thesis",
        "unpublished",
        "video",
        "www",
    }
)
"""Entry types of BibTeX and of biblatex 3.20 (manual, section 2.1)."""

LATEX_FIELDS = ("title", "journal", "journaltitle", "booktitle", "publisher")

_AMPERSAND = re.compile(r"(?<!\\)&(?!\w+;)")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A publication with the node of its entry."""

    node: Node
    publication: Publication

    @property
    def key(self) -> str:
        return self.node.entries[KEY].words

    def field(self, name: str) -> str:
        return self.node.entries[name].words if name in self.node.entries else ""

    def place(self, name: str = "") -> Place:
        """The place of a field, or of the entry if no name is given."""
        return (
            field_place(self.node.place, self.node.entries[SOURCE].words, name) if name else self.node.place
        )

    @property
    def raw(self) -> str:
        """The text of the entry in its file."""
        return self.node.entries[SOURCE].words

    def edit(self, at: int, length: int, text: str) -> Edit:
        """An edit that replaces characters of the entry."""
        return Edit(place_inside(self.node.place, self.raw, at, length), text)

    def value_at(self, name: str) -> int | None:
        """The offset of a field's value in the text of the entry; None if the value is concatenated from several parts."""
        begin = re.search(rf"(?i)(?<![\w-]){re.escape(name)}\s*=\s*[{{\"]", self.raw)
        value = self.field(name)
        return begin.end() if begin and value and self.raw.startswith(value, begin.end()) else None


def _new_field(entry: Reviewed, name: str, value: str) -> tuple[Edit, ...]:
    """An edit that adds a field after the key of an entry."""
    head = re.match(r"@\s*\w+\s*[{(]\s*[^,\s]+\s*,", entry.raw)
    if head is None or name in entry.node.entries:
        return ()
    following = re.match(r"[ \t]*(\n[ \t]*)?", entry.raw[head.end() :])
    margin = (following and following[1]) or " "
    return (entry.edit(head.end(), 0, f"{margin}{name} = {{{value}}},"),)


def _escaped_ampersands(entry: Reviewed, name: str) -> tuple[Edit, ...]:
    """Edits that escape each bare & in a field; () if it may be part of a formula or a URL."""
    value, start = entry.field(name), entry.value_at(name)
    if start is None or re.search(r"\$|\\(?:begin|url|href)|https?:", value):
        return ()
    return tuple(entry.edit(start + found.start(), 0, "\\") for found in _AMPERSAND.finditer(value))


def _bare_doi(entry: Reviewed) -> tuple[Edit, ...]:
    """An edit that removes the resolver or prefix from the DOI of an entry."""
    start = entry.value_at("doi")
    return () if start is None else (entry.edit(start, len(entry.field("doi")), paper_doi(entry)),)


def review(entries: Sequence[Reviewed], problems: Problems) -> None:
    """Report doubtful entries. Each of these warnings can be ignored by its code."""
    for entry in entries:
        _type(entry, problems)
        _gaps(entry, problems)
        _forms(entry, problems)
    _report_unused_fields(entries, problems)
    _duplicates(entries, problems)
    _venue_names(entries, problems)
    _owner(entries, problems)


def _type(entry: Reviewed, problems: Problems) -> None:
    """Report an entry type that is similar to a known one; any other unknown type is assumed to be intended."""
    written = entry.node.entries[KIND].words
    near = [] if written in TYPES else difflib.get_close_matches(written, sorted(TYPES), n=1, cutoff=0.83)
    if near:
        place = replace(entry.place(), length=len(written) + 1)
        message = f"“{entry.key}” has an unknown entry type: @{written}"
        problems.tell("bib-type", place, message, f"write @{near[0]}")


def _gaps(entry: Reviewed, problems: Problems) -> None:
    """Report missing authors, years, venues, alt texts and arXiv numbers."""
    paper = entry.publication
    venue = paper.venue
    if not paper.authors.people and not paper.editors.people and paper.kind not in ANONYMOUS:
        problems.tell("bib-missing-author", entry.place(), f"“{entry.key}” has no author", "add author = {…}")
    if paper.date is None and not paper.status:
        problems.tell("bib-missing-year", entry.place(), f"“{entry.key}” has no year", "add year = {…}")
    named = venue.name or venue.institution or venue.publisher or paper.eprint or paper.status
    if paper.kind in NEEDS_VENUE and not named:
        field = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}.get(
            paper.kind, "school"
        )
        problems.tell(
            "bib-missing-venue", entry.place(), f"“{entry.key}” has no {field}", f"add {field} = {{…}}"
        )
    field = picture_field({name: child.words for name, child in entry.node.entries.items()})
    if field and paper.image and not paper.image_alt:
        hint = f"write into content/publications.yaml: - {{key: {entry.key}, image_alt: …}}"
        message = f"the thumbnail of “{entry.key}” has no alt text"
        problems.tell("bib-missing-alt", entry.place(field), message, hint)
    written = " ".join(entry.field(name) for name in ("journal", "note", "howpublished", "url"))
    number = re.search(r"ar[xX]iv[:\s./]*(?:abs/|preprint\s+arXiv:)?\s*(\d{4}\.\d{4,5})", written)
    if number and not paper.eprint:
        hint = f"add eprint = {{{number[1]}}}"
        message = f"“{entry.key}” is on arXiv but has no eprint"
        edits = _new_field(entry, "eprint", number[1])
        problems.tell("bib-missing-eprint", entry.place(), message, hint, edits)


def _forms(entry: Reviewed, problems: Problems) -> None:
    """Report titles in capitals, bare ampersands, and doubtful pages and DOIs."""
    title = re.sub(r"[^\w\s]", "", entry.field("title"))
    letters = [c for c in title if c.isalpha()]
    if (
        len(letters) > 12
        and len(title.split()) > 2
        and all(not c.islower() for c in letters)
        and any(c.isupper() for c in letters)
    ):
        problems.tell(
            "bib-capitals",
            entry.place("title"),
            f"the title of “{entry.key}” is in capitals",
            "write it in normal upper and lower case",
        )
    for name in LATEX_FIELDS:
        if _AMPERSAND.search(entry.field(name)):
            message = f"{name} of “{entry.key}” has an & without a backslash"
            hint = "write \\&, so that LaTeX can read the entry too"
            edits = _escaped_ampersands(entry, name)
            problems.tell("bib-ampersand", entry.place(name), message, hint, edits)
    pages = re.fullmatch(r"\s*(\d+)\s*(-+|–|—)\s*(\d+)\s*", entry.field("pages"))
    if pages and len(pages[1]) == len(pages[3]) and int(pages[3]) < int(pages[1]):
        problems.tell(
            "bib-pages",
            entry.place("pages"),
            f"the pages of “{entry.key}” are in reverse order",
            "put the first page first",
        )
    elif "?" in entry.field("pages"):
        problems.tell(
            "bib-pages", entry.place("pages"), f"the pages of “{entry.key}” are not known", "delete the field"
        )
    doi = entry.field("doi").strip()
    if re.match(r"(?:https?://|doi:|dx\.)", doi, re.IGNORECASE) and paper_doi(entry):
        hint = f"write doi = {{{paper_doi(entry)}}}"
        message = f"the doi of “{entry.key}” has more than the DOI"
        problems.tell("bib-doi-prefix", entry.place("doi"), message, hint, _bare_doi(entry))


def _report_unused_fields(entries: Sequence[Reviewed], problems: Problems) -> None:
    """Report each probably misspelled field at its place, and the other unused fields once per file."""
    unused: dict[str, Counter[str]] = {}
    for entry in entries:
        for name, child in entry.node.entries.items():
            if name.startswith("@") or is_used(name, child.words):
                continue
            near = nearest_field(name)
            if near:
                message = f'unknown field "{name}" in “{entry.key}”'
                problems.tell("bib-unknown-field", entry.place(name), message, f'did you mean "{near}"?')
            else:
                unused.setdefault(entry.place().file, Counter())[name] += 1
    for file, names in unused.items():
        listed = ", ".join(f"{name} ({times})" for name, times in sorted(names.items()))
        message = f"fields that are not shown: {listed}"
        problems.tell("bib-unused-fields", Place(file), message, UNUSED_HINT)


UNUSED_HINT = "they stay in the BibTeX of readers; to ignore them: checks: {ignore: [bib-unused-fields]}"


def paper_doi(entry: Reviewed) -> str:
    """The bare DOI of an entry."""
    return entry.publication.doi


def _duplicates(entries: Sequence[Reviewed], problems: Problems) -> None:
    """Report entries with the same DOI, or the same title and first author, unless one is marked as a preprint."""
    seen: dict[str, Reviewed] = {}
    for entry in entries:
        if entry.field("preprint_of") or entry.field("related"):
            continue
        for mark in _marks(entry):
            first = seen.setdefault(mark, entry)
            if first is not entry and first.key != entry.key:
                at = first.node.place
                where = f"line {at.line}" if at.file == entry.place().file else f"{at.file}:{at.line}"
                message = f"“{entry.key}” is probably the same work as “{first.key}” in {where}"
                hint = f"delete one, or write preprint_of = {{{first.key}}}"
                problems.tell("bib-duplicate-work", entry.place(), message, hint)
                break


def _marks(entry: Reviewed) -> Iterable[str]:
    paper = entry.publication
    if paper.doi:
        yield f"doi {paper.doi.casefold()}"
    title = fold(paper.title)
    if len(title) > 12 and paper.authors.people:
        first = paper.authors.people[0].name
        yield f"title {title} by {fold(first.family or first.group)}"


def _venue_names(entries: Sequence[Reviewed], problems: Problems) -> None:
    """Report a venue that is spelled in two ways."""
    spelled: dict[str, tuple[str, Reviewed]] = {}
    for entry in entries:
        name = entry.publication.venue.name
        key = re.sub(r"\b(?:the|of|and|in|on|for)\b|\s", "", fold(name.replace("&", " and ")))
        if len(key) < 8:
            continue
        first, other = spelled.setdefault(key, (name, entry))
        if first != name:
            field = next((f for f in ("journaltitle", "journal", "booktitle") if entry.field(f)), "")
            message = f"“{_short(name)}” is spelled “{_short(first)}” in “{other.key}”"
            problems.tell("bib-venue-names", entry.place(field), message, "choose one spelling")


def _short(text: str) -> str:
    return text if len(text) <= 50 else text[:49].rstrip() + "…"


def _owner(entries: Sequence[Reviewed], problems: Problems) -> None:
    """Report that the site's owner is an author of no entry: the spelling in the profile is probably wrong."""
    papers = [entry.publication for entry in entries if entry.publication.authors.people]
    if papers and not any(
        author.me for paper in papers for author in (*paper.authors.people, *paper.editors.people)
    ):
        place = problems.where("name", "content/profile.yaml") or Place("content/profile.yaml")
        message = "no entry in bib/ has your name among its authors"
        problems.tell("bib-owner-absent", place, message, "add the spelling used there: aliases: [A. Name]")
