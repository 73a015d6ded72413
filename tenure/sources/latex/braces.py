r"""
Braces and quotes, which LaTeX and BibTeX read the same, and patterns that are compiled when they are needed.

find_closing_sign("{a {b} c} d") -> 8; a sign after a backslash opens and closes nothing: {a\}.
"""

import re
from functools import cache

_BRACE_OR_QUOTE = r"(?s)\\.|[{}\"]"


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled on first use: a site needs few of them, and a program that starts none."""
    return re.compile(pattern)


def find_closing_sign(text: str, start: int = 0) -> int:
    """The offset of the brace or quote that closes the one at `start`, without those after a backslash; the length of the text if there is none."""
    closing_sign = "}" if text[start] == "{" else '"'
    position, depth = start + 1, 1
    while depth and closing_sign == "}" and (end := text.find("}", position)) >= 0:
        depth += text.count("{", position, end) - 1
        position = end + 1
    if not depth and "\\{" not in (value := text[start:position]) and "\\}" not in value:
        return position - 1  # the usual value
    depth = 0
    for match in compile_pattern(_BRACE_OR_QUOTE).finditer(text, start + 1):
        if match[0] == closing_sign and depth == 0:
            return match.start()
        depth += {"{": 1, "}": -1}.get(match[0], 0)
    return len(text)
