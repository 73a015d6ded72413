r"""
The fields of one .bib entry as text, Markdown and URLs; doubtful values are reported at their places.

Programs write metadata into notes: Zotero a pair "Key: value" for each field without a place in BibTeX,
TeXMed links. (Source: Zotero documentation, "Item Types and Fields", "Citing Fields from Extra".)
note = {ISBN: 978-0-19-853453-2 Publisher: Wiley} -> the fields isbn and publisher, and no note.
note = {[PubMed:\href{https://…}{30000149}]} -> the field pmid, and no note.

They write tags among the keywords too:
keywords = {economics; ⛔ No DOI found; _tablet} -> the keyword economics, and two tags that are not published.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from tenure.model.entries import Markdown
from tenure.model.links import suggest_safe_url
from tenure.problems import Place, Problems
from tenure.sources.bibtex.bib_fields import TEXT_FIELDS, FieldIssue, Role, rank_fields
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    SOURCE_KEY,
    find_field_offsets,
    find_field_place,
    place_at_offset,
)
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_text, latex_to_url
from tenure.sources.reading.node import Node


class EntryFields:
    """Reads the fields of one entry."""

    def __init__(self, node: Node, problems: Problems) -> None:
        self.place = node.place
        self.key = node.mapping[CITATION_KEY].text
        self.source_text = node.mapping[SOURCE_KEY].text
        texts = {name: node.text for name, node in node.mapping.items() if not name.startswith("@")}
        moved, _ = move_metadata(texts)
        self.values: Mapping[str, str] = {name: text for name, text in moved.items() if text.strip()}
        self._problems = problems

    def find_first(self, *names: str) -> str:
        """The first of these fields that has a value; "" if none has."""
        for name in names:
            if name in self.values:
                return name
        return ""

    def list_names(self, *roles: Role) -> list[str]:
        """The fields with one of these roles, in the order of the table."""
        ranks = rank_fields(roles)
        return sorted((name for name in self.values if name in ranks), key=ranks.__getitem__)

    def read_text(self, *names: str) -> str:
        """The first of these fields that is set, as plain text."""
        for name in names:
            if name in self.values:
                return latex_to_text(self.values[name]).text
        return ""

    def read_url(self, name: str) -> str:
        """A field as a URL, without the escapes of TeX."""
        if name in self.values:
            return latex_to_url(self.values[name])
        return ""

    def read_markdown(self, *names: str) -> Markdown:
        """The first of these fields that is set, as Markdown; URLs that cannot be linked are reported."""
        name = self.find_first(*names)
        if not name:
            return Markdown("")
        decoded = latex_to_markdown(self.values[name], name in TEXT_FIELDS)
        for url in decoded.unsafe_urls:
            message = f'“{url}” in the {name} of "{self.key}" cannot be linked, and is shown as text'
            self.report("bib-bad-value", name, url, message, suggest_safe_url(url))
        return Markdown(decoded.text)

    def find_place(self, name: str) -> Place:
        """The place of a field."""
        return find_field_place(self.place, self.source_text, name)

    def report_issue(self, issue: FieldIssue) -> None:
        """Report a doubtful text in a field."""
        message = f'{issue.message} in "{self.key}"'
        self.report("bib-bad-value", issue.field, issue.excerpt, message, issue.hint)

    def report(self, code: str, field: str, excerpt: str, message: str, hint: str = "") -> None:
        """Report a problem at an excerpt of a field's value, or else at the field."""
        # the excerpt is searched after the name of its field, or after the first line of the entry
        field_offset = next(find_field_offsets(self.source_text, field), None)
        start = self.place.length if field_offset is None else field_offset + len(field)
        offset = self.source_text.find(excerpt, start + 1) if excerpt else -1
        place = self.find_place(field)
        if offset >= 0:
            place = place_at_offset(self.place, self.source_text, offset, len(excerpt))
        self._problems.report(code, place, message, hint)


def join_subtitle(title: str, subtitle: str) -> Markdown:
    """A title and its subtitle; no colon follows a mark at the end of the title: "Who knows? A study"."""
    separator = ": "
    if title.rstrip("*_”’»\"'")[-1:] in ("?", "!", "…", ":", "."):
        separator = " "
    return Markdown(separator.join(filter(None, (title, subtitle))))


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
"""A key whose value is one word: ISBN, of "ISBN: 978-0-19-853453-2"."""

_PAIR = rf"""(?x)
    \\?_?(?:
    (?P<word_key>{_WORD_KEY})\s*:\s*(?P<word>(?=\S*\d)[^\s,;]++)
     (?:\s+\[[\w.,\ -]+\])?(?!\s+[a-z])      # arXiv: 2001.00001 [cs]; not the text "Number: 2 of the series"
    |(?P<text_key>{_TEXT_KEY})\s*:\s+(?P<text>\S.*?)
     (?=\s+\\?_?(?:{_WORD_KEY}|{_TEXT_KEY})\s*:|(?<=[^\W\d_]{{3}})[.;]\s+[A-Z]|\s*$)   # Publisher: J. Lee. S
    |(?P<count>\d+\ (?P<count_key>citations?)\ \([^()]+\)\ \[[\d-]+\]))  # 3 citations (Crossref) [2024-02-03]
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

    {note: "ISBN: 978-0 Color: red"} -> {note: "", isbn: "978-0"}, ["color"]. A field that is set stays as it
    is.
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
    # the usual note has no pairs, and its text is not asked for
    if ":" not in note and "citation" not in note:
        return pairs, ""
    for line in note.split("\n"):
        rest = " ".join(line.split())
        pairs += [(found["key"], found["identifier"]) for found in _LINKED_IDENTIFIER.finditer(rest)]
        rest = _LINKED_IDENTIFIER.sub("", rest).strip()
        while pair := re.match(_PAIR, rest):
            key = pair["word_key"] or pair["text_key"] or pair["count_key"]
            pairs.append((key, pair["word"] or pair["text"] or pair["count"]))
            rest = rest[pair.end() :]
        if rest:
            lines.append(rest)
    return pairs, "\n".join(lines)


_NO_KEYWORD = re.compile(
    r"""
    [\d\s.]+                                                                    # the number of a database
    | \#\S+ | _tablet\w* | [^\w\s]+\s*(?:no|multiple|invalid)\ dois?\b.*        # #nosource, ⛔ No DOI found
    | [^\w\s]*\s*(?:(?:un|to[ -]?|being\ )?read(?:ing)?|todo)                   # what the owner has read
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Keywords(NamedTuple):
    """The keywords of a field, and the tags in it that are not published."""

    words: tuple[str, ...]
    unpublished: tuple[str, ...]


def read_keywords(value: str) -> Keywords:
    """
    The keywords of a field, split outside parentheses: "looms (hand, power), cloth" -> two.

    EndNote writes one keyword a line, which may have a comma. Tags of programs are not published.
    """
    lines = [line for line in value.split("\n") if line.strip()]
    # in a list with commas over several lines, most lines have one
    has_keyword_lines = sum("," in line or ";" in line for line in lines) * 2 < len(lines)
    pattern = r"[^;]+" if has_keyword_lines else r"(?:\([^()]*\)|[^;,])+"

    sources = lines if has_keyword_lines else [value]
    texts = [latex_to_text(text).text for text in sources]
    words = [word for text in texts for part in re.findall(pattern, text) if (word := part.strip())]
    unpublished = tuple(word for word in words if _NO_KEYWORD.fullmatch(word))
    return Keywords(tuple(word for word in words if word not in unpublished), unpublished)
