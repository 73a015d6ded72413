"""Parses references in prose: authors, volume, number, pages, DOI and arXiv number."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from tenure.frozen import dataclass
from tenure.text import plain

_INITIALS = r"(?:[A-ZÀ-ÞŁŚŻČŠŽ]\.?(?:[\s-]?)){1,5}"
_LETTER = r"[^\W\d_]"
_LAST_FIRST = re.compile(
    rf"\s*((?:{_LETTER}[\w'’.-]*\s+){{0,3}}{_LETTER}[\w'’-]+)[,.]\s+({_INITIALS})(?=[\s,;.&]|and\b|$)"
)
_BETWEEN = re.compile(r"\s*(?:[,;.&…]|\band\b|\.\.\.)*\s*(?:[,;.&]|\band\b)*\s*", re.IGNORECASE)
_VOLUME = re.compile(
    r"(?:vol(?:ume|\.)?\s*)?\b(\d{1,4})\s*\((?:no\.?\s*)?(\d[\w–/-]*)\)\s*[,:;]?\s*(?:pp?\.?\s*)?(?:pages\s+)?(e?\d[\w.]*(?:\s*[-–—]+\s*e?\d[\w.]*)?)?"
    r"|(?:,\s*|vol(?:ume|\.)?\s*)(\d{1,4}),\s*(?:no\.?\s*(\d+),?\s*)?(?:pp?\.?\s*)?([a-z]?\d[\w.]*(?:\s*[-–—]+\s*\d[\w.]*)?)",
    re.IGNORECASE,
)
_WORD = r"(?:(?!(?:The|In|On|An?|For)\b)[^\W\d_a-zà-öø-ÿ][\w.'’-]*,?|d[aeiu]|de[lnr]|dos|das|van|von|zu|zur|ter|ten|el|al|bin|ibn|la|le|y|e)"
_NAME = re.compile(rf"{_WORD}(?:\s+{_WORD})*")
"""Words with a capital letter, or particles of names."""

_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"'<>{}]+[^\s\"'<>{}.,;)])")
_ARXIV = re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|[:\s]+)(\d{4}\.\d{4,5})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference: authors in order ("others" last for "et al."), and BibTeX fields."""

    authors: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


def read_reference(written: str, title: str, venue: str = "") -> Reference:
    """Parse a reference to the publication with this title; authors are empty if their format is not certain."""
    words = _bare(written)
    at = _find(words, title)
    head, tail = (words[:at], words[at + len(title) :]) if at >= 0 else (words, words)
    before = _find(head, venue) if at < 0 and venue else -1
    head = head[:before] if before > 0 else head
    year = re.search(r"\(?\b(?:1[6-9]|20)\d\d[a-z]?\b\)?", head)
    head = head[: year.start()] if year else head
    where = _find(tail, venue) if venue else -1
    found = _VOLUME.search(tail[where + len(venue) :] if where >= 0 else tail)
    fields = {}
    if found:
        parts = [part or "" for part in found.groups()]
        volume, number, pages = (parts[i] or parts[i + 3] for i in range(3))
        fields = {
            "volume": volume,
            "number": number,
            "pages": re.sub(r"\s*[-–—]+\s*", "--", pages.rstrip(".")),
        }
    fields["doi"] = doi_in(words)
    authors = authors_of(head)
    if len(authors) < 2 and at <= 0 and not year:
        authors = ()
    return Reference(authors, {name: value for name, value in fields.items() if value})


def numbers_in(words: str) -> dict[str, str]:
    """The volume, number and pages in a text such as "12(3), 45-67"; {} if there are none."""
    found = _VOLUME.search(words)
    if not found:
        return {}
    parts = [part or "" for part in found.groups()]
    volume, number, pages = (parts[i] or parts[i + 3] for i in range(3))
    made = {"volume": volume, "number": number, "pages": re.sub(r"\s*[-–—]+\s*", "--", pages.rstrip("."))}
    return {name: value for name, value in made.items() if value}


def doi_in(words: str) -> str:
    """The DOI in a text or a URL, or ""."""
    found = _DOI.search(words)
    return re.sub(r"\.pdf$|/(?:full|abstract|pdf|epdf)$", "", found[1]) if found else ""


def arxiv_in(words: str) -> str:
    """The arXiv number in a text or a URL, or ""."""
    found = _ARXIV.search(words)
    return found[1] if found else ""


def authors_of(head: str) -> tuple[str, ...]:
    """The names at the start of a reference: "Last, F. M., & Last, F." or full names with commas; () if not certain."""
    head = re.sub(r"^\W+", "", head).strip(" ,;:\"“”'‘’(")
    others = re.search(r"[,\s]*\bet\.?\s+al\.?.*$|[,\s]*(?:…|\.\.\.)\s*$", head, re.IGNORECASE)
    head = head[: others.start()] if others else head
    names = _last_first(head) or _full(head)
    return (*names, "others") if names and others else names


def _last_first(head: str) -> tuple[str, ...]:
    names, at = [], 0
    while at < len(head):
        found = _LAST_FIRST.match(head, at)
        if not found:
            return ()
        names.append(f"{found[1]}, {found[2].strip()}")
        gap = _BETWEEN.match(head, found.end())
        at = gap.end() if gap else found.end()
    return tuple(names)


def _full(head: str) -> tuple[str, ...]:
    """Full names of two to five words; () if the text has anything else."""
    if re.search(r"\d|https?:", head):
        return ()
    parts: Sequence[str] = re.split(r"\s*;\s*(?:and\s+|&\s*)?", head) if ";" in head else ()
    if not parts:
        parts = re.split(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+", head)
    names = [part.strip(" .*†‡") for part in parts if part.strip(" .*†‡")]
    sound = all(1 < len(name.replace(",", " ").split()) <= 5 and _NAME.fullmatch(name) for name in names)
    return tuple(names) if names and sound else ()


def _bare(written: str) -> str:
    return " ".join(re.sub(r"<[^>]*>|\*{1,3}", "", html.unescape(written)).split())


def _find(words: str, title: str) -> int:
    """The offset of a title or its first half in a text, ignoring punctuation and case; -1 if it is not in it."""
    letters = [re.escape(word) for word in re.findall(r"\w+", plain(title))]
    for part in (letters, letters[: max(3, len(letters) // 2)]):
        found = re.search(r"[\W_]+".join(part), words, re.IGNORECASE) if part else None
        if found:
            return found.start()
    return -1
