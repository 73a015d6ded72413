"""Entries of a .bib file as most are written, taken apart by patterns; what is unusual is for the library."""

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
"""What a block is: an entry taken apart here, text for the library, or what the library found in that."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a .bib file: its text; of an entry its type, its key and its fields as they are written; a macro as a field."""

    what: What
    raw: str
    kind: str = ""
    key: str = ""
    fields: Sequence[tuple[str, str]] = ()


def parts(text: str) -> Iterator[Block]:
    """
    A .bib file's text in order, cut where an @ begins a line, as the library cuts it.

    What is found in a plain entry is what the library finds there; all between two of them stays together.
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
    """The entry with which a part of a text begins, where it is a plain one."""
    head = _HEAD.match(text, start, end)
    if head is None or text.find("\\\\", start, end) >= 0:
        return None
    if text.find("@", start + 1, end) >= 0 and _INDENTED.search(text, start + 1, end):
        return None  # an @ that begins a line ends what stands before it
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
