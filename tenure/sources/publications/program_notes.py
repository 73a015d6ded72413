r"""
The metadata that reference managers write into notes, such as "Publisher: Wiley" or "\_eprint: https://doi.org/10.1000/182".

Source: Zotero documentation, "Item Types and Fields", "Citing Fields from Extra": a line "Key: value" for each field
without a place in BibTeX.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tenure.sources.publications.preprint_servers import ARXIV_NUMBER

NOTE_FIELDS = ("note", "addendum")

TEXT_KEYS: Mapping[str, str] = {
    "publisher": "publisher",
    "series title": "series",
    "version number": "version",
    "container-title": "",
    "event-place": "",
    "journal abbreviation": "",
    "publication title": "",
    "conference name": "",
    "archive location": "",
}
"""Keys whose values are texts, and the fields of the same meaning; "" if there is no such field."""

NUMBER_KEYS: Mapping[str, str] = {
    "number": "number",
    "issn": "issn",
    "isbn": "isbn",
    "pmid": "pmid",
    "pmcid": "pmcid",
    "doi": "doi",
    "arxiv id": "arxivid",
    "eprint": "",
    "citation key": "",
    "accepted": "",
    "zscc": "",
    "s2id": "",
    "jid": "",
    "oclc": "",
    "ads bibcode": "",
    "google-books-id": "",
    "bandiera_abtest": "",
}
"""Keys whose values are one word or number, and the fields of the same meaning; "" if there is no such field."""

_KEY_PATTERN = rf"(?i:\\?_?(?:{'|'.join([*TEXT_KEYS, *NUMBER_KEYS])}|tex\.\w+))\s*:\s"
_PAIR_PATTERN = re.compile(
    rf"\\?_?(?P<key>(?i:{'|'.join(TEXT_KEYS)}|tex\.\w+))\s*:\s+"
    rf"(?P<text>\S.*?)(?=\s+{_KEY_PATTERN}|(?<=[^\W\d_]{{3}})[.;]\s+[A-Z]|\s*$)"
    rf"|\\?_?(?P<number_key>(?i:{'|'.join(NUMBER_KEYS)}))\s*:\s+"
    r"(?P<number>(?=\S*\d)[^\s,;]++(?>(?:,?\s+[\d-]{9,16}[\dXx](?!\S))*)(?!\s+[a-z])|(?i:(?<=key:\s))\S+)"
    rf"|(?P<arxiv_key>(?i:arXiv)):\s*(?P<arxiv>{ARXIV_NUMBER})\s*(?:\[[\w., -]+\]|$)"
)
"""
A key and its value at the start of a line. A text ends before the next key or the next sentence, a number at a space.
"""


_SCOPUS_NOTE = re.compile(
    r"\s*cited by:?\s*\d+(?:\s*;\s*(?:(?:Conference (?:of|name|date|code)\b|All Open Access|Export Date|By )[^;]*|[^;]*Open Access[^;]*))*\s*;?\s*",
    re.IGNORECASE,
)
"""The note that Scopus writes: "Cited by: 3; All Open Access, Gold Open Access"."""

_PUBMED_NOTE = re.compile(
    r"^[ \t]*(?:chi|cze|dan|dut|eng|fin|fre|ger|hun|ita|jpn|kor|nor|pol|por|rus|spa|swe|tur)[ \t]*$",
    re.MULTILINE,
)
"""The language of an article in the note that EndNote copies from PubMed, in a line of its own; the note has no other text."""


_ACCESS_NOTE = re.compile(
    r"\s*+[\[(]?\s*+(?:online\s*+[;,.:]?\s*+)?(?:last\s++)?access(?:ed|\s++date)\b(?:\s++on\b)?"
    r"(?>(?:[\s\d.,/:-]|(?<=\d)(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\b[ymd]{2,4}\b)*)"
    r"[\])]?\.?\s*+",
    re.IGNORECASE,
)
"""The date on which a page was read, which biblatex writes as `urldate`: "[Online; accessed 19-July-2020]"."""


_ACCESS_AFTER_URL = re.compile(
    r"[\s,;.]*(?P<access>[\[(]?\s*(?:online\s*[;,.:]?\s*)?(?:last\s+)?access(?:ed|\s+date)\b[^{}]*)$",
    re.IGNORECASE,
)
MAX_ACCESS_LENGTH = 500
"""Maximum length of a value in which the date of access is searched."""


class SeparatedNote(NamedTuple):
    """The text of the author in a note, and the metadata of programs: pairs of a key in lower case and a value."""

    words: str
    metadata: tuple[tuple[str, str], ...]


def separate_metadata(note: str) -> SeparatedNote:
    """Separate the metadata of programs from the text of the author in a note in LaTeX."""
    for key, pattern in (("scopus", _SCOPUS_NOTE.fullmatch), ("pubmed", _PUBMED_NOTE.search)):
        if pattern(note):
            return SeparatedNote("", ((f"record of {key}", " ".join(note.split())),))
    if _ACCESS_NOTE.fullmatch(note):
        return SeparatedNote("", (("accessed", " ".join(note.split())),))
    lines: list[str] = []
    metadata: list[tuple[str, str]] = []
    for line in note.split("\n"):
        rest = line.strip()
        if metadata and not lines and metadata[-1][0] in TEXT_KEYS and rest[:1].islower():
            metadata[-1] = (metadata[-1][0], f"{metadata[-1][1]} {rest}")  # a long value on two lines
            continue
        match = _PAIR_PATTERN.match(rest)
        is_metadata = match is not None
        while match is not None:
            key, value = (part for name, part in match.groupdict().items() if part)
            if value.count("{") != value.count("}"):
                break
            metadata.append((key.casefold(), value))
            rest = rest[match.end() :].lstrip(" .;,")
            match = _PAIR_PATTERN.match(rest)
        if rest or not is_metadata:
            lines.append(rest)
    return SeparatedNote("\n".join(lines).strip() if metadata else note, tuple(metadata))


def move_metadata(values: Mapping[str, str]) -> dict[str, str]:
    """The fields of an entry; the metadata of its notes is moved to the fields of the same meaning that are not set."""
    return _separate_notes(values)[0]


def list_unused_keys(values: Mapping[str, str]) -> list[str]:
    """The keys in the notes of an entry whose values no field takes."""
    moved, metadata = _separate_notes(values)
    return [
        key
        for key, value in metadata
        if value not in (moved.get(find_field(key)), moved.get("eprint"), moved.get("arxiv"))
    ]


def _separate_notes(values: Mapping[str, str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The fields of an entry after `move_metadata`, and all pairs of keys and values in its notes and after its URL."""
    moved = dict(values)
    pairs: list[tuple[str, str]] = []
    howpublished = values.get("howpublished", "")
    if "://" in howpublished and len(howpublished) < MAX_ACCESS_LENGTH:
        match = _ACCESS_AFTER_URL.search(howpublished)
        if match and _ACCESS_NOTE.fullmatch(match["access"]):
            moved["howpublished"] = howpublished[: match.start()]
            pairs.append(("accessed", match["access"]))
    for name in NOTE_FIELDS:
        if _may_have_metadata(values.get(name, "")):
            moved[name], metadata = separate_metadata(values[name])
            pairs += metadata
            for key, value in metadata:
                field = find_field(key)
                fields = ("arxiv", "eprint", field) if field == "arxivid" else (field,)
                if field and not any(moved.get(name, "").strip() for name in fields):
                    moved[field] = value
    return moved, pairs


def _may_have_metadata(note: str) -> bool:
    """Whether a note may have metadata: "Key: value", several lines, "Cited by" or "Accessed". A cheap test."""
    return ":" in note or "\n" in note or "ited" in note or "ccess" in note


def find_field(key: str) -> str:
    """The field with the meaning of a key in a note; "" if there is none."""
    return {**TEXT_KEYS, **NUMBER_KEYS, "arxiv": "arxivid"}.get(key, "")
