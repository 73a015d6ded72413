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

BARE = frozenset({"text", "txt", "plain", "plaintext", "none", "output"})
"""Languages without highlighting."""

CLASSES = {
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


def is_known(language: str) -> bool:
    """Whether Pygments knows a language, or it needs no highlighting."""
    return language.casefold() in BARE or _lexer(language) is not None


def languages() -> tuple[str, ...]:
    """All names of all languages, sorted."""
    return tuple(sorted({alias for _, aliases, _, _ in get_all_lexers() for alias in aliases} | BARE))


def marked(code: str, language: str) -> str | None:
    """The code as HTML with a `<span>` around each token; None if the language is unknown or plain."""
    lexer = None if language.casefold() in BARE else _lexer(language)
    if lexer is None:
        return None
    parts = groupby(lexer.get_tokens(code), lambda token: _class(token[0]))
    made = "".join(_part(name, "".join(words for _, words in tokens)) for name, tokens in parts)
    return re.sub(r"\n((?:</span>)?)$", r"\1", made)


def _part(name: str, words: str) -> str:
    escaped = html.escape(words, quote=False)
    return f'<span class="{name}">{escaped}</span>' if name and words.strip() else escaped


@lru_cache(maxsize=1024)
def _class(kind: _TokenType) -> str:
    while kind.parent is not None:
        if kind in CLASSES:
            return CLASSES[kind]
        kind = kind.parent
    return ""


@lru_cache(maxsize=128)
def _lexer(language: str) -> "Lexer | None":
    try:
        return get_lexer_by_name(language.casefold(), stripnl=False)
    except ClassNotFound:
        return None
