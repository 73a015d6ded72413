"""Parses references in prose: authors, volume, number, pages, DOI and arXiv number."""

import html
import re
from collections.abc import Mapping
from itertools import takewhile

from tenure.markdown.html import plain_text
from tenure.record import Record, field

_INITIALS = r"(?:[A-ZÀ-ÞŁŚŻČŠŽ]\.?(?:[\s-]?)){1,5}"
_LETTER = r"[^\W\d_]"
_LAST_FIRST_NAME = re.compile(
    rf"\s*((?:{_LETTER}[\w'’.-]*\s+){{0,3}}{_LETTER}[\w'’-]+)[,.]\s+({_INITIALS})(?=[\s,;.&]|and\b|$)"
)
_NAME_SEPARATOR = re.compile(r"\s*(?:[,;.&…]|\band\b|\.\.\.)*\s*(?:[,;.&]|\band\b)*\s*", re.IGNORECASE)
_VOLUME_PATTERN = re.compile(
    r"(?:vol(?:ume|\.)?\s*)?\b(\d{1,4})\s*\((?:no\.?\s*)?(\d[\w–/-]*)\)\s*[,:;]?\s*(?:pp?\.?\s*)?(?:pages\s+)?(e?\d[\w.]*(?:\s*[-–—]+\s*e?\d[\w.]*)?)?"
    r"|(?:,\s*|vol(?:ume|\.)?\s*)(\d{1,4}),\s*(?:no\.?\s*(\d+),?\s*)?(?:pp?\.?\s*)?([a-z]?\d[\w.]*(?:\s*[-–—]+\s*\d[\w.]*)?)",
    re.IGNORECASE,
)
_NAME_WORD = r"(?:(?!(?:The|In|On|An?|For)\b)[^\W\d_a-zà-öø-ÿ][\w.'’-]*,?|d[aeiu]|de[lnr]|dos|das|van|von|zu|zur|ter|ten|el|al|bin|ibn|la|le|y|e)"
_FULL_NAME = re.compile(rf"{_NAME_WORD}(?:\s+{_NAME_WORD})*")
"""Words with a capital letter, or particles of names."""

_FAMILY_NAME = rf"(?:(?:d[aeiu]|de[lnr]?|dos|das|van|von|ter|ten|el|al|bin|ibn|la|le)\s+)*{_LETTER}[\w'’-]+(?:\s+{_LETTER}[\w'’-]{{2,}}+)?"
_TRAILING_INITIALS = re.compile(rf"({_FAMILY_NAME})\s+((?:[A-ZÀ-ÞŁŚŻČŠŽ]\.?-?){{1,3}})")
_LEADING_INITIALS = re.compile(rf"(?:[A-ZÀ-ÞŁŚŻČŠŽ]\.[\s-]?){{1,4}}\s*{_FAMILY_NAME}")

_DOI_PATTERN = re.compile(r"\b(10\.\d{4,9}/[^\s\"'<>{}]+[^\s\"'<>{}.,;)])")
_ARXIV_PATTERN = re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|[:\s]+)(\d{4}\.\d{4,5})", re.IGNORECASE)


class ProseReference(Record):
    """A parsed reference: authors in order ("others" last for "et al."), and BibTeX fields."""

    authors: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


def parse_reference(reference: str, title: str, venue: str = "") -> ProseReference:
    """Parse a reference to the publication with this title; authors are empty if their format is not certain."""
    text = " ".join(re.sub(r"<[^>]*>|\*{1,3}", "", html.unescape(reference)).split())
    title_start = _find_title(text, title)
    head, tail = (text[:title_start], text[title_start + len(title) :]) if title_start >= 0 else (text, text)
    venue_start = _find_title(head, venue) if title_start < 0 and venue else -1
    head = head[:venue_start] if venue_start > 0 else head
    year = re.search(r"\(?\b(?:1[6-9]|20)\d\d[a-z]?\b\)?", head)
    head = head[: year.start()] if year else head
    tail_venue_start = _find_title(tail, venue) if venue else -1
    fields = find_volume_and_pages(tail[tail_venue_start + len(venue) :] if tail_venue_start >= 0 else tail)
    fields["doi"] = find_doi(text)
    authors = parse_reference_authors(head)
    if len(authors) < 2 and title_start <= 0 and not year:
        authors = ()
    return ProseReference(authors, {name: value for name, value in fields.items() if value})


def find_volume_and_pages(text: str) -> dict[str, str]:
    """The volume, number and pages in a text such as "12(3), 45-67"; {} if there are none."""
    match = _VOLUME_PATTERN.search(text)
    if not match:
        return {}
    groups = [part or "" for part in match.groups()]
    volume, number, pages = (groups[i] or groups[i + 3] for i in range(3))
    page_range = re.sub(r"\s*[-–—]+\s*", "--", pages.rstrip("."))
    fields = {"volume": volume, "number": number, "pages": page_range}
    return {name: value for name, value in fields.items() if value}


def find_doi(text: str) -> str:
    """The DOI in a text or a URL, or ""."""
    match = _DOI_PATTERN.search(text)
    return re.sub(r"\.pdf$|/(?:full|abstract|pdf|epdf)$", "", match[1]) if match else ""


def find_arxiv_number(text: str) -> str:
    """The arXiv number in a text or a URL, or ""."""
    match = _ARXIV_PATTERN.search(text)
    return match[1] if match else ""


def split_author_text(text: str) -> tuple[str, ...]:
    """The names in one item of a list of authors, if it has several; else the item."""
    names = parse_reference_authors(text) if re.search(r"\s(?:and|&)\s|;|,.*,", text) else ()
    return names if len(names) > 1 else (text,)


def parse_reference_authors(head: str) -> tuple[str, ...]:
    """The names at the start of a reference: "Last, F. M., & Last, F." or full names with commas; () if not certain."""
    head = re.sub(r"^\W+", "", head).strip(" ,;:\"“”'‘’(")
    et_al = re.search(r"[,\s]*\bet\.?\s+al\.?.*$|[,\s]*(?:…|\.\.\.)\s*$", head, re.IGNORECASE)
    head = head[: et_al.start()] if et_al else head
    names = (
        _parse_last_first_names(head)
        or _parse_names_with_trailing_initials(head)
        or _parse_full_names(head)
        or _parse_inverted_names(head)
        or _parse_leading_initials(head)
    )
    return (*names, "others") if names and et_al else names


def _parse_last_first_names(head: str) -> tuple[str, ...]:
    names, position = [], 0
    while position < len(head):
        match = _LAST_FIRST_NAME.match(head, position)
        if not match:
            return ()
        names.append(f"{match[1]}, {match[2].strip()}")
        gap = _NAME_SEPARATOR.match(head, match.end())
        position = gap.end() if gap else match.end()
    return tuple(names)


def _parse_full_names(head: str) -> tuple[str, ...]:
    """Full names of two to five words; () if the text has anything else."""
    if re.search(r"\d|https?:", head):
        return ()
    comma_pattern = r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+"
    name_texts = re.split(r"\s*;\s*(?:and\s+|&\s*)?" if ";" in head else comma_pattern, head)
    names = tuple(name for text in name_texts if (name := text.strip(" .*†‡")))
    word_counts = [len(name.replace(",", " ").split()) for name in names]
    are_names = all(1 < count <= 5 for count in word_counts) and all(map(_FULL_NAME.fullmatch, names))
    return names if are_names else ()


def _split_names(head: str) -> list[str]:
    """The parts of a list between commas, "and" and "&"."""
    parts = re.split(r"\s*,\s*(?:and\s+|&\s*)?|\s+(?:and|&)\s+", head)
    stripped_parts = (re.sub(r"(?<=\w{3})\.$", "", text.strip(" *†‡")) for text in parts)
    return [part for part in stripped_parts if part]


def _parse_names_with_trailing_initials(head: str) -> tuple[str, ...]:
    """Names as in Vancouver style, "Doe J, van Roe RS"; () if one name has another form."""
    matches = [_TRAILING_INITIALS.fullmatch(part.rstrip(".")) for part in _split_names(head)]
    if not all(matches):
        return ()
    return tuple(
        f"{match[1]}, {' '.join(f'{c}.' for c in match[2]) if match[2].isalpha() else match[2]}"
        for match in matches
        if match
    )


def _parse_inverted_names(head: str) -> tuple[str, ...]:
    """Full names of which the first, or each, is "Last, First"; () if a name has another form."""
    pairs = re.split(r"\s*[;,]?\s+(?:and|&)\s+|\s*;\s*", head)
    if len(pairs) > 1 and all(pair.count(",") == 1 for pair in pairs):
        names = tuple(pair.strip(" *†‡") for pair in pairs)
        return names if all(map(_FULL_NAME.fullmatch, names)) else ()
    parts = _split_names(head)
    other_names = tuple(parts[2:])
    has_inverted_name = len(parts) > 2 and all(1 <= len(part.split()) <= 3 for part in parts[:2])
    if not has_inverted_name or not _FULL_NAME.fullmatch(f"{parts[0]} {parts[1]}"):
        return ()
    are_names = all(1 < len(name.split()) <= 5 and _FULL_NAME.fullmatch(name) for name in other_names)
    return (f"{parts[0]}, {parts[1]}", *other_names) if are_names else ()


def _parse_leading_initials(head: str) -> tuple[str, ...]:
    """The names at the start that begin with initials, "W. Li, C. Zhao, and X. Li"; () unless there are several."""
    parts = _split_names(head)
    names = tuple(takewhile(_LEADING_INITIALS.fullmatch, parts))
    return names if len(names) > 1 else ()


def _find_title(text: str, title: str) -> int:
    """The offset of a title or its first half in a text, ignoring punctuation and case; -1 if it is not in it."""
    title_words = [re.escape(word) for word in re.findall(r"\w+", plain_text(title))]
    for part in (title_words, title_words[: max(3, len(title_words) // 2)]):
        match = re.search(r"[\W_]+".join(part), text, re.IGNORECASE) if part else None
        if match:
            return match.start()
    return -1
