"""Syntax highlighting by Pygments; only imported if a text has code with a named language."""

import html
import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

if TYPE_CHECKING:
    from pygments.lexer import Lexer

PLAIN_LANGUAGES = frozenset({"text", "txt", "plain", "plaintext", "none", "output"})
"""Languages without highlighting."""

TOKEN_CLASSES = {
    Comment: "c",
    Comment.Preproc: "k",
    Comment.PreprocFile: "s",
    Keyword: "k",
    Keyword.Constant: "n",
    Keyword.Type: "t",
    Operator.Word: "k",
    String: "s",
    String.Escape: "e",
    String.Interpol: "e",
    Number: "n",
    Name.Attribute: "v",
    Name.Builtin: "t",
    Name.Class: "f",
    Name.Constant: "n",
    Name.Decorator: "v",
    Name.Exception: "t",
    Name.Function: "f",
    Name.Namespace: "f",
    Name.Tag: "k",
    Name.Variable: "v",
    Generic.Deleted: "gd",
    Generic.Heading: "gh",
    Generic.Inserted: "gi",
    Generic.Output: "go",
    Generic.Prompt: "go",
    Generic.Subheading: "gh",
}
"""Pygments' token types and their classes in themes/base/assets/code.css; any other type has the class of its parent."""


def is_known_language(language: str) -> bool:
    """Whether Pygments knows a language, or it needs no highlighting."""
    return language.casefold() in PLAIN_LANGUAGES or _find_lexer(language) is not None


def list_languages() -> tuple[str, ...]:
    """All names of all languages, sorted."""
    return tuple(
        sorted({alias for _, aliases, _, _ in get_all_lexers() for alias in aliases} | PLAIN_LANGUAGES)
    )


def highlight_code(code: str, language: str) -> str | None:
    """The code as HTML with a `<span>` around each token; None if the language is unknown or plain."""
    lexer = None if language.casefold() in PLAIN_LANGUAGES else _find_lexer(language)
    if lexer is None:
        return None
    token_groups = groupby(lexer.get_tokens(code), lambda token: _find_token_class(token[0]))
    markup = "".join(
        _wrap_token(css_class, "".join(text for _, text in tokens)) for css_class, tokens in token_groups
    )
    return re.sub(r"\n((?:</span>)?)$", r"\1", markup)


def _wrap_token(css_class: str, text: str) -> str:
    escaped = html.escape(text, quote=False)
    return f'<span class="{css_class}">{escaped}</span>' if css_class and text.strip() else escaped


@lru_cache(maxsize=1024)
def _find_token_class(token_type: _TokenType) -> str:
    while token_type.parent is not None:
        if token_type in TOKEN_CLASSES:
            return TOKEN_CLASSES[token_type]
        token_type = token_type.parent
    return ""


@lru_cache(maxsize=128)
def _find_lexer(language: str) -> "Lexer | None":
    try:
        return get_lexer_by_name(language.casefold(), stripnl=False)
    except ClassNotFound:
        return None
