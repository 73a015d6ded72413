"""Split simple entries of a .bib file by regular expressions; the library handles unusual parts."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from tenure.frozen import dataclass

_WORDS = r"[^{}\\]*+"
_BRACES = rf"\{{{_WORDS}(?:\\[^\\]{_WORDS})*+\}}"
for _ in range(3):
    _BRACES = rf"\{{{_WORDS}(?:(?:\\[^\\]|{_BRACES}){_WORDS})*+\}}"
_HEAD = re.compile(r"@(?!comment|string|preamble)(\w+)\{\s*+([^\s,={}\"#%\\()']+),", re.IGNORECASE)
_QUOTES = r"\"[^\"\\]*+(?:\\[^\\\"][^\"\\]*+)*+\""
_FIELD = re.compile(rf"\s*+([A-Za-z][\w-]*+)\s*+=\s*+({_BRACES}|[\w:.+/-]++|{_QUOTES})\s*+(,|(?=\}}))")
_END = re.compile(r"\s*+\}")
_INDENTED = re.compile(r"^[ \t]+@", re.MULTILINE)


What = Literal["plain", "unusual", "entry", "string", "remark", "broken", "other"]
"""The type of a block: "plain" and "unusual" are set here; the others are results of the library for unusual text."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a .bib file: its text; for an entry also type, key and unparsed fields. A macro is one field."""

    what: What
    raw: str
    kind: str = ""
    key: str = ""
    fields: Sequence[tuple[str, str]] = ()


def parts(text: str) -> Iterator[Block]:
    """
    Split the text of a .bib file at each @ at the beginning of a line, as the library does.

    A simple entry has exactly the fields that the library would return. The text between two simple entries is one
    block.
    """
    begun = at = 0
    while at < len(text):
        following = text.find("\n@", at) + 1 or len(text)
        entry = _plain(text, at, following)
        if entry is not None:
            if text[begun:at].strip():
                yield Block("unusual", text[begun:at])
            yield entry
            begun = at + len(entry.raw)
        at = following
    if text[begun:at].strip():
        yield Block("unusual", text[begun:at])


def _plain(text: str, start: int, end: int) -> Block | None:
    """The simple entry at the beginning of a part of the text, or None."""
    head = _HEAD.match(text, start, end)
    if head is None or text.find("\\\\", start, end) >= 0:
        return None
    if text.find("@", start + 1, end) >= 0 and _INDENTED.search(text, start + 1, end):
        return None  # the library ends the entry at an @ that begins a line
    fields: dict[str, str] = {}
    at, more = head.end(), True
    while more and (field := _FIELD.match(text, at, end)):
        name, value, comma = field.groups()
        if name in fields or (value[0] == '"' and value.count("{") != value.count("}")):
            return None
        fields[name] = value
        more, at = comma == ",", field.end()
    closing = _END.match(text, at, end)
    if closing is None:
        return None
    return Block("plain", text[start : closing.end()], head[1].casefold(), head[2], [*fields.items()])
