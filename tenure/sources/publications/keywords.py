"""
The keywords of an entry, and the tags that a program wrote among them.

keywords = {economics; ⛔ No DOI found; _tablet} -> the keyword economics, and two tags that are not published.
"""

import re
from typing import NamedTuple

from tenure.sources.latex.conversion import latex_to_text

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
    """The keywords of a field, split outside parentheses; EndNote writes one keyword a line."""
    lines = [line for line in value.split("\n") if line.strip()]
    has_keyword_lines = sum("," in line or ";" in line for line in lines) * 2 < len(lines)
    pattern = r"[^;]+" if has_keyword_lines else r"(?:\([^()]*\)|[^;,])+"

    texts = [latex_to_text(text).text for text in (lines if has_keyword_lines else [value])]
    words = [word for text in texts for part in re.findall(pattern, text) if (word := part.strip())]
    unpublished = tuple(word for word in words if _NO_KEYWORD.fullmatch(word))
    return Keywords(tuple(word for word in words if word not in unpublished), unpublished)
