"""LaTeX in a title or a name to text and Markdown, fast path first."""

import re
from functools import cache, lru_cache
from typing import Any

_SIMPLE = re.compile(r"[^\\{}$~%`'\"&#^_-]*")
_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "r": "\u030a",
    "k": "\u0328",
}
