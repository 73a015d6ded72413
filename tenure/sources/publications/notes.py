r"""
The metadata that reference managers write into notes, such as "Series Title: Looms" or "\_eprint: https://doi.org/10.1000/182".

note = {ISBN: 978-0-19-853453-2 Publisher: Wiley} -> the fields isbn and publisher, and no note.
Source: Zotero documentation, "Item Types and Fields", "Citing Fields from Extra": a line "Key: value" for each field
without a place in BibTeX.
"""

import re
from collections.abc import Mapping

from tenure.sources.publications.preprint_servers import ARXIV_NUMBER

NOTE_FIELDS = ("note", "addendum")

NOTE_KEYS: Mapping[str, str] = {
    "publisher": "publisher", "series title": "series", "version number": "version", "number": "number", "issn": "issn", "isbn": "isbn",
    "pmid": "pmid", "pmcid": "pmcid", "doi": "doi", "arxiv id": "arxivid", "arxiv": "arxivid",
    "company": "", "distributor": "", "institution": "", "label": "",
    "container-title": "", "event-place": "", "journal abbreviation": "", "publication title": "", "conference name": "", "archive location": "",
    "eprint": "", "citation key": "", "accepted": "", "zscc": "", "s2id": "", "jid": "", "oclc": "", "ads bibcode": "", "google-books-id": "",
    "bandiera_abtest": "",
}  # fmt: skip
"""The keys, and the fields of the same meaning; "" if there is no such field."""

_WORD_KEYS = ("number", "citation key", "eprint", "accepted", "issn", "isbn", "pmid", "pmcid", "doi", "arxiv id", "zscc", "s2id", "jid", "oclc", "ads bibcode",
              "google-books-id", "bandiera_abtest")  # fmt: skip
"""Keys whose value is one word with a digit; those of the others end before the next key or sentence."""

_KEY = rf"\\?_?(?:{'|'.join(NOTE_KEYS)}|tex\.\w+)\s*:\s"
_PAIR = rf"""(?x)
    \\?_?(?P<number_key>(?i:{"|".join(_WORD_KEYS).replace(" ", "[ ]")}))\s*:\s+
    (?P<number>(?=\S*\d)[^\s,;]++(?>(?:,?\s+[\d-]{{9,16}}[\dXx](?!\S))*)(?!\s+[a-z]))        # ISBN: 978-0-19-853453-2
    |(?P<arxiv_key>(?i:arXiv)):\s*(?P<arxiv>{ARXIV_NUMBER})\s*(?:\[[\w., -]+\]|$)           # arXiv:2001.00001 [cs]
    |\\?_?(?P<key>(?i:{"|".join(key for key in NOTE_KEYS if key == "citation key" or key not in (*_WORD_KEYS, "arxiv")).replace(" ", "[ ]")}|tex\.\w+))\s*:\s+
    (?P<text>\S.*?)(?=\s+(?i:{_KEY.replace(" ", "[ ]")})|(?<=[^\W\d_]{{3}})[.;]\s+[A-Z]|\s*$)                         # Publisher: Wiley
"""


def move_metadata(values: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """The fields of an entry, to which the metadata of its notes is moved where they are not set; and the keys that no field takes."""
    moved, unused_keys = dict(values), list[str]()
    for note_field in NOTE_FIELDS:
        if ":" not in values.get(note_field, ""):
            continue
        moved[note_field], pairs = _separate_metadata(values[note_field])
        for key, value in pairs:
            field = NOTE_KEYS.get(key, "")
            fields = ("arxiv", "eprint", field) if field == "arxivid" else (field,)
            is_of_journal = field == "publisher" and (moved.get("journal") or moved.get("journaltitle"))
            if field and not is_of_journal and not any(moved.get(name, "").strip() for name in fields):
                moved[field] = value
            if value not in (moved.get(field), moved.get("eprint"), moved.get("arxiv")):
                unused_keys.append(key)
    return moved, unused_keys


def _separate_metadata(note: str) -> tuple[str, list[tuple[str, str]]]:
    """The text of the author in a note in LaTeX, and the metadata of programs: pairs of a key in lower case and a value."""
    lines: list[str] = []
    metadata: list[tuple[str, str]] = []
    for line in note.split("\n"):
        rest = line.strip()
        is_continued = metadata and not lines and metadata[-1][0] not in _WORD_KEYS and rest[:1].islower()
        if is_continued and not re.match(_PAIR, rest):
            metadata[-1] = (metadata[-1][0], f"{metadata[-1][1]} {rest}")  # a long value on two lines
            continue
        pairs: list[tuple[str, str]] = []
        while match := re.match(_PAIR, rest):
            key, value = (part for part in match.groupdict().values() if part)
            if value.count("{") != value.count("}"):
                break
            pairs.append((key.casefold(), value))
            rest = rest[match.end() :].lstrip(" .;,")
        metadata += pairs
        if rest or not pairs:
            lines.append(rest)
    return "\n".join(lines).strip() if metadata else note, metadata
