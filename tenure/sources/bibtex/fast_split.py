"""Split simple entries of a .bib file by regular expressions; the library handles unusual parts."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from tenure.record import dataclass

_PLAIN_TEXT = r"[^{}\\]*+"
_BRACED_VALUE = rf"\{{{_PLAIN_TEXT}(?:\\[^\\]{_PLAIN_TEXT})*+\}}"
for _ in range(3):
    _BRACED_VALUE = rf"\{{{_PLAIN_TEXT}(?:(?:\\[^\\]|{_BRACED_VALUE}){_PLAIN_TEXT})*+\}}"
_ENTRY_HEAD = re.compile(r"@(?!comment|string|preamble)(\w+)\{\s*+([^\s,={}\"#%\\()']+),", re.IGNORECASE)
_QUOTED_VALUE = r"\"[^\"\\]*+(?:\\[^\\\"][^\"\\]*+)*+\""
_FIELD_PATTERN = re.compile(
    rf"\s*+([A-Za-z][\w-]*+)\s*+=\s*+({_BRACED_VALUE}|[\w:.+/-]++|{_QUOTED_VALUE})\s*+(,|(?=\}}))"
)
_ENTRY_END = re.compile(r"\s*+\}")
_INDENTED_AT_SIGN = re.compile(r"^[ \t]+@", re.MULTILINE)


BlockType = Literal["plain", "unusual", "entry", "string", "remark", "broken", "other"]
"""The type of a block: "plain" and "unusual" are set here; the others are results of the library for unusual text."""


@dataclass(frozen=True, slots=True)
class BibBlock:
    """A block of a .bib file: its text; for an entry also type, key and unparsed fields. A macro is one field."""

    block_type: BlockType
    raw: str
    entry_type: str = ""
    key: str = ""
    fields: Sequence[tuple[str, str]] = ()


def split_simple_entries(text: str) -> Iterator[BibBlock]:
    """
    Split the text of a .bib file at each @ at the beginning of a line, as the library does.

    A simple entry has exactly the fields that the library would return. The text between two simple entries is one
    block.
    """
    pending_start = offset = 0
    while offset < len(text):
        next_at_sign = text.find("\n@", offset) + 1 or len(text)
        entry = _match_simple_entry(text, offset, next_at_sign)
        if entry is not None:
            if text[pending_start:offset].strip():
                yield BibBlock("unusual", text[pending_start:offset])
            yield entry
            pending_start = offset + len(entry.raw)
        offset = next_at_sign
    if text[pending_start:offset].strip():
        yield BibBlock("unusual", text[pending_start:offset])


def _match_simple_entry(text: str, start: int, end: int) -> BibBlock | None:
    """The simple entry at the beginning of a part of the text, or None."""
    head = _ENTRY_HEAD.match(text, start, end)
    if head is None or text.find("\\\\", start, end) >= 0:
        return None
    if text.find("@", start + 1, end) >= 0 and _INDENTED_AT_SIGN.search(text, start + 1, end):
        return None  # the library ends the entry at an @ that begins a line
    fields: dict[str, str] = {}
    offset, has_more = head.end(), True
    while has_more and (field := _FIELD_PATTERN.match(text, offset, end)):
        name, value, comma = field.groups()
        if name in fields or (value[0] == '"' and value.count("{") != value.count("}")):
            return None
        fields[name] = value
        has_more, offset = comma == ",", field.end()
    end_match = _ENTRY_END.match(text, offset, end)
    if end_match is None:
        return None
    return BibBlock("plain", text[start : end_match.end()], head[1].casefold(), head[2], [*fields.items()])
