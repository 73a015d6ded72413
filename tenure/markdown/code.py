"""Syntax highlighting by Pygments; only imported if a text has code with a named language."""

from functools import lru_cache
from typing import TYPE_CHECKING

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.util import ClassNotFound

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_FORMATTER: "HtmlFormatter[str]" = HtmlFormatter(nowrap=True)
PLAIN_LANGUAGES = frozenset({"text", "txt", "plain", "plaintext", "none", "output"})
"""Languages without highlighting."""


def is_known_language(language: str) -> bool:
    """Whether Pygments knows a language, or it needs no highlighting."""
    return language.casefold() in PLAIN_LANGUAGES or _find_lexer(language) is not None


def list_languages() -> tuple[str, ...]:
    """All names of all languages, sorted."""
    aliases = {alias for _, aliases, _, _ in get_all_lexers() for alias in aliases}
    return tuple(sorted(aliases | PLAIN_LANGUAGES))


def highlight_code(code: str, language: str) -> str | None:
    """The code as HTML with a `<span>` around each token; None if the language is unknown or plain."""
    lexer = None if language.casefold() in PLAIN_LANGUAGES else _find_lexer(language)
    return highlight(code, lexer, _FORMATTER).removesuffix("\n") if lexer else None


@lru_cache(maxsize=128)
def _find_lexer(language: str) -> "Lexer | None":
    try:
        return get_lexer_by_name(language.casefold(), stripnl=False)
    except ClassNotFound:
        return None
