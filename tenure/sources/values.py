"""Parse values of BibTeX fields (braces, quotes, numbers and macros joined by #) and entries with syntax errors."""

import re
from collections.abc import Callable, Iterator

from tenure.frozen import dataclass

_SIGN = re.compile(r"\\.|[{}\"]", re.DOTALL)
_JOINT = re.compile(r"\s*#\s*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_WORD = re.compile(r"[^\s#,{}\"]+")
_HEAD = re.compile(
    r"@\s*(?P<kind>\w+)\s*[{(]\s*(?:(?P<key>[^,\s={}()\"]*)(?P<end>\s*,|\s*;|(?=\s*\n)|(?=\s+[\w+-]+\s*=))|(?=[\w+-]+\s*=))"
)
_FIELD = re.compile(r"[\s,;}\"]*(?:%[^\n]*\n[\s,;}]*)*(?P<name>[A-Za-z][\w+:.-]*)\s*=\s*")
_SOUND_FIELD = re.compile(r"\s*(?P<name>[A-Za-z][\w+:.-]*)\s*=\s*")
_AFTER_VALUE = re.compile(r"\s*(?:,\s*)?(\})|\s*,")
_ESCAPED = re.compile(r"\\[{}\"]")
_ANY_SIGN = re.compile(r"[{}\"]")
_NEXT_FIELD = re.compile(r"(?:\n[ \t]*(?:,[ \t]*)?|,[ \t]*)(?=[A-Za-z][\w+:.-]*\s*=\s*[{\"\w])")


@dataclass(frozen=True, slots=True)
class Joined:
    """A value, the text after it, and the unknown macros in it."""

    value: str
    rest: str
    unknown: tuple[str, ...] = ()


def closing(text: str) -> int:
    """The offset of the brace that closes the first one; the length of the text if it is never closed."""
    depth = 0
    for sign in _BRACE.finditer(text):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            depth -= 1
            if depth == 0:
                return sign.start()
    return len(text)


def closing_quote(text: str) -> int:
    """The offset of the quote that closes the first one, outside braces; the length of the text if it is never closed."""
    depth = 0
    for sign in _SIGN.finditer(text, 1):
        if sign[0] == '"' and depth == 0:
            return sign.start()
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
    return len(text)


def join(written: str, macro: Callable[[str], str | None]) -> Joined:
    """
    Join the parts of a field's value; `resolve_macro` returns the value of a macro, or None.

    Source: Patashnik, "BibTeXing" (1988), section 2.3, on concatenation by #.
    """
    parts: list[str] = []
    unknown: list[str] = []
    rest = written.strip()
    while rest:
        if rest[0] in '{"':
            end = closing(rest) if rest[0] == "{" else closing_quote(rest)
            if end == len(rest) and _length_to_bibtex(rest) == end:
                end -= 1
            parts.append(rest[1:end])
            rest = rest[end + 1 :]
        else:
            word = _WORD.match(rest)
            if word is None:
                break
            found = word[0] if word[0].isdecimal() else macro(word[0])
            if found is None:
                unknown.append(word[0])
            parts.append(word[0] if found is None else found)
            rest = rest[word.end() :]
        rest = rest.lstrip()
        if not rest.startswith("#"):
            break
        rest = rest[1:].lstrip()
    return Joined("".join(parts), rest, tuple(unknown))


@dataclass(frozen=True, slots=True)
class Mended:
    """The type, key and unparsed fields of an entry with syntax errors."""

    kind: str
    key: str
    fields: tuple[tuple[str, str], ...]


def sound(raw: str) -> tuple[Mended, int] | None:
    """
    Parse an entry by BibTeX's own rules (a backslash escapes neither braces nor quotes); None if that fails.

    Returned are the entry and its length.

    Source: Patashnik, "Designing BibTeX Styles" (1988), section 4: a brace counts whatever precedes it.
    """
    head = _HEAD.match(raw)
    if head is None or not head["key"] or not _ESCAPED.search(raw):
        return None
    fields: list[tuple[str, str]] = []
    at = head.end()
    while field := _SOUND_FIELD.match(raw, at):
        start = field.end()
        end = start + _length_to_bibtex(raw[start:])
        following = _AFTER_VALUE.match(raw, end)
        if end == start or following is None:
            return None
        fields.append((field["name"].casefold(), raw[start:end]))
        at = following.end()
        if following[1]:
            return Mended(head["kind"].casefold(), head["key"].strip(), tuple(fields)), at
    return None


def _length_to_bibtex(text: str) -> int:
    """The length of the value at the beginning of a text, by BibTeX's rules; 0 if it has no end."""
    if text[:1] not in ("{", '"'):
        word = _WORD.match(text)
        return word.end() if word else 0
    depth = 0
    for sign in _ANY_SIGN.finditer(text, 1):
        if depth == 0 and sign[0] == ("}" if text[0] == "{" else '"'):
            return sign.end()
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
    return 0


def mend(raw: str) -> Mended | None:
    """Parse an entry with syntax errors; None if it is not an entry. An unclosed value ends before the next field."""
    head = _HEAD.match(raw)
    if head is None:
        return None
    fields = tuple((name, raw[start:end]) for name, start, end in spans(raw, head.end()))
    return Mended(head["kind"].casefold(), (head["key"] or "").strip(), fields)


def spans(raw: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The fields of an entry from an offset on: name in lower case, start and end of the value."""
    while True:
        field = _FIELD.match(raw, at)
        if field is None:
            following = _NEXT_FIELD.search(raw, at)
            if following is None:
                return
            at = following.end()
            continue
        start = field.end()
        end = _end_of_value(raw, start)
        yield field["name"].casefold(), start, end
        at = max(end, start)


def _end_of_value(raw: str, start: int) -> int:
    """The end of a value, including all parts joined by #."""
    at = start
    while True:
        opener = raw[at : at + 1]
        if opener in ("{", '"') and opener:
            length = closing(raw[at:]) if opener == "{" else closing_quote(raw[at:])
            following = _NEXT_FIELD.search(raw, at)
            if at + length >= len(raw) - 1 and following is not None:
                return following.start()  # it is never closed, so it ends before the next field
            at = min(at + length + 1, len(raw))
        else:
            word = _WORD.match(raw, at)
            at = word.end() if word else at
        joint = _JOINT.match(raw, at)
        if joint is None:
            return at
        at = joint.end()
