"""What an entry's text says by BibTeX's own rules and nothing more: a reader to hold the engine's against."""

import re
from collections.abc import Iterator

NO_ENTRY = frozenset({"comment", "string", "preamble", "control", "ieeetranbstctl", "bibnote"})
_HEAD = re.compile(r"^\s*@(\w+)\s*[{(]", re.MULTILINE)
_OPENING = re.compile(r"\s*@\s*\w+\s*[{(]\s*[^,\s={}\"#()]*\s*")
_NAME = re.compile(r"\s*,\s*([^\s,={}\"#()%]+)\s*=\s*")
_END = re.compile(r"\s*,?\s*[})]\s*")
_WORD = re.compile(r"[^\s#,{}\"()]+")
_JOIN = re.compile(r"\s*#\s*")
_BRACE = re.compile(r"[{}]")
_BRACE_OR_QUOTE = re.compile(r"[{}\"]")


def heads(text: str) -> Iterator[tuple[str, int]]:
    """The type and the line of everything that begins like an entry at the begin of a line."""
    for match in _HEAD.finditer(text):
        if match[1].casefold() not in NO_ENTRY:
            yield match[1].casefold(), text.count("\n", 0, match.start(1)) + 1


def fields(entry: str) -> dict[str, str] | None:
    """
    The fields of an entry that holds the rules from its first character to its last; None of one that does not.

    A value with a macro in it is left out, as is the second of two fields of one name.
    Source: Patashnik, "BibTeXing" (1988), section 3.
    """
    opening = _OPENING.match(entry)
    results: dict[str, str] = {}
    seen: set[str] = set()
    at = opening.end() if opening else 0
    while opening and not _END.fullmatch(entry, at):
        name = _NAME.match(entry, at)
        value, at = _value(entry, name.end()) if name else (None, -1)
        if name is None or at < 0:
            return None
        key = name[1].casefold()
        if key not in seen and value is not None:
            results[key] = value
        seen.add(key)
    return results if opening else None


def _value(text: str, at: int) -> tuple[str | None, int]:
    """A value, None where a macro is in it, and where it ends; -1 where it is none."""
    parts: list[str] | None = []
    while True:
        if text.startswith("{", at):
            end, part = _closing(text, at), True
        elif text.startswith('"', at):
            end, part = _quote(text, at), True
        else:
            word = _WORD.match(text, at)
            end, part = (word.end(), word[0].isdecimal()) if word else (-1, False)
            if word and part and parts is not None:
                parts.append(word[0])
        if end < 0:
            return None, -1
        if not part:
            parts = None
        elif text[at] in '{"' and parts is not None:
            parts.append(text[at + 1 : end - 1])
        joined = _JOIN.match(text, end)
        if joined is None:
            return (None if parts is None else "".join(parts)), end
        at = joined.end()


def _closing(text: str, at: int) -> int:
    """Behind the brace that closes the one here; BibTeX counts every brace, with a backslash or without."""
    depth = 0
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return -1


def _quote(text: str, at: int) -> int:
    """Behind the quote that closes the one here: the next outside braces."""
    depth = 0
    for sign in _BRACE_OR_QUOTE.finditer(text, at + 1):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if sign[0] == '"' and depth == 0:
            return sign.end()
    return -1


ADDRESSES = re.compile(r"url|doi|pdf|html|code|slides|poster|video|supp|blog|website|preview|\w+_url|url_\w+")
"""Fields whose value is an address, and nothing else."""

_ESCAPED = re.compile(r"\\([_&%#~${}])")
_DOI = re.compile(
    r"(?:doi:?\s*|(?:https?://)?(?:\w+\.)*doi\.(?:org|acm\.org|ieeecomputersociety\.org)/)", re.IGNORECASE
)
_SPACED_ACCENT = re.compile(r"\S*\\(?:[a-zA-Z]|[^\sa-zA-Z])\s+\S+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def address(value: str) -> str:
    """An address relieved of TeX's escapes and braces."""
    words = re.sub(r"^\s*\\url\s*(?=\{)", "", value)
    return "".join(_ESCAPED.sub(r"\1", words).replace("{", "").replace("}", "").split()).strip('"')


def doi(value: str) -> str:
    """A DOI without the address that it may be written as."""
    return _DOI.sub("", address(value), count=1)


def words(title: str) -> list[str]:
    """The words of a title; formulas, entries of an index and whatever is at a command are left out."""
    title = re.sub(r"\\index\{[^{}]*\}", "", title)
    bare = _SPACED_ACCENT.sub(" ", re.sub(r"(?<!\\)\$[^$]*(?<!\\)\$", " ", title))
    tokens = (re.sub(r"[{}]", "", token) for token in bare.split() if not set(token) & set("\\$^~&<"))
    return [word for token in tokens for word in _LETTERS.findall(token)]
