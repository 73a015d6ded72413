r"""
The metadata that programs write into notes.

Zotero writes a pair "Key: value" for each field without a place in BibTeX, TeXMed writes links.

note = {ISBN: 978-0-19-853453-2 Publisher: Wiley} -> the fields isbn and publisher, and no note.
note = {[PubMed:\href{https://…}{30000149}]} -> the field pmid, and no note.
Source: Zotero documentation, "Item Types and Fields", "Citing Fields from Extra".
"""

import re
from collections.abc import Mapping

NOTE_FIELDS = ("note", "addendum")
WORD_KEYS: Mapping[str, str] = {
    "number": "number",
    "issn": "issn",
    "isbn": "isbn",
    "pmid": "pmid",
    "pmcid": "pmcid",
    "pubmed central": "pmcid",
    "pubmed": "pmid",
    "doi": "doi",
    "arxiv id": "arxivid",
    "arxiv": "arxivid",
    "eprint": "",
    "citation key": "",
    "accepted": "",
    "zscc": "",
    "s2id": "",
    "jid": "",
    "oclc": "",
    "ads bibcode": "",
    "google-books-id": "",
}
"""
The keys of one word with a digit, and the fields of the same meaning; "" if there is no such field.

A longer key stands before the one that it begins with.
"""

TEXT_KEYS: Mapping[str, str] = {
    "publisher": "publisher",
    "series title": "series",
    "version number": "version",
    "company": "",
    "distributor": "",
    "institution": "",
    "label": "",
    "container-title": "",
    "event-place": "",
    "journal abbreviation": "",
    "publication title": "",
    "conference name": "",
    "archive location": "",
    "citation key": "",
}
"""The keys of a text, which ends before the next key or sentence."""

_TEXT_KEY = rf"(?i:{'|'.join(TEXT_KEYS).replace(' ', '[ ]')})|tex\.\w+"
_WORD_KEY = rf"(?i:{'|'.join(WORD_KEYS).replace(' ', '[ ]')})"
_PAIR = rf"""(?x)
    \\?_?(?:
    (?P<word_key>{_WORD_KEY})\s*:\s*(?P<word>(?=\S*\d)[^\s,;]++)
     (?:\s+\[[\w.,\ -]+\])?(?!\s+[a-z])      # arXiv: 2001.00001 [cs]; not the text "Number: 2 of the series"
    |(?P<text_key>{_TEXT_KEY})\s*:\s+(?P<text>\S.*?)
     (?=\s+\\?_?(?:{_WORD_KEY}|{_TEXT_KEY})\s*:|(?<=[^\W\d_]{{3}})[.;]\s+[A-Z]|\s*$))  # Publisher: J. Lee. S
    [\s.,;]*
"""

_LINKED_IDENTIFIER = re.compile(
    r"""
    \[(?P<key>PubMed[ ]Central|PubMed|DOI):\s*
    (?:\\href\s*\{[^{}]*\}\s*)?
    \{?(?P<identifier>[^\s{}\]]+)\}?\]          # [DOI:\href{https://dx.doi.org/10.1000/1}{10.1000/1}]
    """,
    re.VERBOSE | re.IGNORECASE,
)


def move_metadata(values: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """
    The fields of an entry with the metadata of its notes, and the keys of metadata that no field takes.

    A field that is set stays as it is.
    """
    moved = dict(values)
    unused_keys: list[str] = []

    for note_field in NOTE_FIELDS:
        pairs, rest = _cut_pairs(values.get(note_field, ""))
        if pairs:
            moved[note_field] = rest
        for key, value in pairs:
            field = WORD_KEYS.get(key.casefold()) or TEXT_KEYS.get(key.casefold(), "")
            names = ("arxiv", "eprint", field) if field == "arxivid" else (field,)
            # the publisher of an article is not shown
            is_of_journal = field == "publisher" and (moved.get("journal") or moved.get("journaltitle"))
            if field and not is_of_journal and not any(moved.get(name, "").strip() for name in names):
                moved[field] = value
            if value not in map(moved.get, names):
                unused_keys.append(key.casefold())
    return moved, unused_keys


def _cut_pairs(note: str) -> tuple[list[tuple[str, str]], str]:
    """The pairs in a note, and its other lines: "ISBN: 978-0-19-853453-2" -> ("ISBN", "978-…"), ""."""
    pairs: list[tuple[str, str]] = []
    lines: list[str] = []
    for line in note.split("\n") if ":" in note else ():
        rest = " ".join(line.split())
        pairs += [(found["key"], found["identifier"]) for found in _LINKED_IDENTIFIER.finditer(rest)]
        rest = _LINKED_IDENTIFIER.sub("", rest).strip()
        while pair := re.match(_PAIR, rest):
            pairs.append((pair["word_key"] or pair["text_key"], pair["word"] or pair["text"]))
            rest = rest[pair.end() :]
        lines += [rest] if rest else []
    return pairs, "\n".join(lines)
