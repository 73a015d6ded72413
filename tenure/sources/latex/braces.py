r"""
Braces and quotes, which LaTeX and BibTeX read the same, and patterns that are compiled when they are needed.

find_closing_sign("{a {b} c} d") -> 8; a sign after a backslash opens and closes nothing: {a\}.
"""

import re
from functools import cache

_BRACE_OR_QUOTE = r"(?s)\\.|[{}\"]"
r"""A brace or a quote; \{ is found as a whole, and counts for none."""


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled on first use: a site needs few of them, and a program that starts none."""
    return re.compile(pattern)


def find_closing_sign(text: str, start: int = 0) -> int:
    r"""
    The offset of the brace or quote that closes the one at `start`; the length of the text if there is none.

    A sign after a backslash closes nothing: "{a \} b} c" -> 7.
    """
    closing_sign = '"'
    # most values have no backslash before a brace: their braces are counted, without a pattern
    if text[start] == "{":
        closing_sign = "}"
        end = _find_closing_brace(text, start)
        if end is not None:
            return end

    depth = 0
    for match in compile_pattern(_BRACE_OR_QUOTE).finditer(text, start + 1):
        if match[0] == closing_sign and depth == 0:
            return match.start()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
    return len(text)


def _find_closing_brace(text: str, start: int) -> int | None:
    """
    The brace that closes the one at `start`; None if there is none, or one of them is after a backslash.
    """
    depth = 1
    position = start + 1
    while depth and (end := text.find("}", position)) >= 0:
        depth += text.count("{", position, end) - 1
        position = end + 1
    value = text[start:position]
    if depth or "\\{" in value or "\\}" in value:
        return None
    return position - 1
