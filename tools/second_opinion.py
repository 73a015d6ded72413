"""A second parser, which reads an entry by the rules of BibTeX only; tests compare it with that of Tenure."""

import re
from collections.abc import Iterator

NO_ENTRY = frozenset({"comment", "string", "preamble", "control", "ieeetranbstctl", "bibnote"})
_HEAD = re.compile(r"^\s*@(\w+)\s*[{(]", re.MULTILINE)
"""@article{."""

_OPENING = re.compile(r"\s*@\s*\w+\s*[{(]\s*[^,\s={}\"#()]*\s*")
"""@article{lee2020."""

_NAME = re.compile(r"\s*,\s*([^\s,={}\"#()%]+)\s*=\s*")
""", title =."""

_END = re.compile(r"\s*,?\s*[})]\s*")
""", }."""

_WORD = re.compile(r"[^\s#,{}\"()]+")
"""2024, or the name of a macro."""

_JOIN = re.compile(r"\s*#\s*")
_BRACE = re.compile(r"[{}]")
_BRACE_OR_QUOTE = re.compile(r"[{}\"]")


def find_heads(text: str) -> Iterator[tuple[str, int]]:
    """Yield the type and the line of every line that begins an entry."""
    for match in _HEAD.finditer(text):
        if match[1].casefold() not in NO_ENTRY:
            yield match[1].casefold(), text.count("\n", 0, match.start(1)) + 1


def parse_fields(entry: str) -> dict[str, str] | None:
    """
    Return the fields of an entry, or None if any part of the entry breaks the rules.

    The result has no value with a macro, and only the first of two fields with one name. Source: Patashnik,
    "BibTeXing" (1988), section 3.
    """
    opening = _OPENING.match(entry)
    results: dict[str, str] = {}
    seen: set[str] = set()
    at = opening.end() if opening else 0
    while opening and not _END.fullmatch(entry, at):
        name = _NAME.match(entry, at)
        value, at = _parse_value(entry, name.end()) if name else (None, -1)
        if name is None or at < 0:
            return None
        key = name[1].casefold()
        if key not in seen and value is not None:
            results[key] = value
        seen.add(key)
    return results if opening else None


def _parse_value(text: str, at: int) -> tuple[str | None, int]:
    """Return a value, or None if it contains a macro, and its end; the end is -1 if there is no value."""
    parts: list[str | None] = []
    while True:
        part, end = _parse_part(text, at)
        if end < 0:
            return None, -1
        parts.append(part)
        joined = _JOIN.match(text, end)
        if joined is None:
            known = [part for part in parts if part is not None]
            return ("".join(known) if len(known) == len(parts) else None), end
        at = joined.end()


def _parse_part(text: str, at: int) -> tuple[str | None, int]:
    """Return a part of a value in braces or quotes, or a number, and its end; None for a macro."""
    if text.startswith("{", at):
        end = _find_closing_brace(text, at)
        return text[at + 1 : end - 1], end
    if text.startswith('"', at):
        end = _find_closing_quote(text, at)
        return text[at + 1 : end - 1], end
    word = _WORD.match(text, at)
    if word is None:
        return None, -1
    return (word[0] if word[0].isdecimal() else None), word.end()


def _find_closing_brace(text: str, at: int) -> int:
    """Return the position after the brace that closes the one at `at`; -1 if there is none."""
    # BibTeX counts every brace, with a backslash or without
    depth = 0
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return -1


def _find_closing_quote(text: str, at: int) -> int:
    """Return the position after the quote that closes the quote at `at`: the next quote outside braces."""
    depth = 0
    for sign in _BRACE_OR_QUOTE.finditer(text, at + 1):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if sign[0] == '"' and depth == 0:
            return sign.end()
    return -1


ADDRESSES = re.compile(r"url|doi|pdf|html|code|slides|poster|video|supp|blog|website|preview|\w+_url|url_\w+")
"""Fields whose value is only a URL or an identifier."""

_ESCAPED = re.compile(r"\\([_&%#~${}])")
_DOI = re.compile(
    r"(?:doi:?\s*|(?:https?://)?(?:\w+\.)*doi\.(?:org|acm\.org|ieeecomputersociety\.org)/)", re.IGNORECASE
)
"""doi:, or https://doi.org/, before a DOI."""

_SPACED_ACCENT = re.compile(r"\S*\\(?:[a-zA-Z]|[^\sa-zA-Z])\s+\S+")
r"""G\" odel, in which a space stands between an accent and its letter."""

_LETTERS = re.compile(r"[^\W\d_]{2,}")


def clean_url(value: str) -> str:
    """Return a URL without TeX's escapes and braces."""
    words = re.sub(r"^\s*\\url\s*(?=\{)", "", value)
    return "".join(_ESCAPED.sub(r"\1", words).replace("{", "").replace("}", "").split()).strip('"')


def clean_doi(value: str) -> str:
    """Return a DOI without the URL of its resolver."""
    return _DOI.sub("", clean_url(value), count=1)


def list_words(title: str) -> list[str]:
    """Return the words of a title without formulas, index entries, and words with a command."""
    title = re.sub(r"\\index\{[^{}]*\}", "", title)
    bare = _SPACED_ACCENT.sub(" ", re.sub(r"(?<!\\)\$[^$]*(?<!\\)\$", " ", title))
    tokens = (re.sub(r"[{}]", "", token) for token in bare.split() if not set(token) & set("\\$^~&<"))
    return [word for token in tokens for word in _LETTERS.findall(token)]
