"""
Parse values of BibTeX fields: braces, quotes, numbers and macros joined by #; and find the fields in a text.

"Proc. " # sosp -> the text and the value of the macro in one.
"""

from collections.abc import Callable, Iterator

from tenure.record import Record
from tenure.sources.latex.braces import compile_pattern, find_closing_sign

_CONCATENATION = r"\s*#\s*"
_BARE_VALUE = r"[^\s#,{}\"]+"
_FIELD_START = r"[\s,;}\"]*(?:%[^\n]*\n[\s,;}]*)*(?P<name>[A-Za-z][\w+:.-]*)\s*=\s*"
_USUAL_FIELD = rf"{_FIELD_START}(?P<value>\{{[^{{}}\\]*+\}})(?!\s*#)"
_NEXT_FIELD = r"(?:\n[ \t]*(?:,[ \t]*)?|,[ \t]*)(?=[A-Za-z][\w+:.-]*\s*=\s*[{\"\w])"


MAX_JOINED_LENGTH = 50_000
"""
Maximum length of a value in several parts, in characters: each macro may double the length of the one before.
"""

MAX_EXPANDED_LENGTH = 2_000_000
"""
Characters by which macros may lengthen the values of a file in all:
a long macro may be used thousands of times.
"""


class JoinedValue(Record):
    """
    A value, the text after it, and the unknown macros in it.

    Of a value that would be too long, only the first part is read: it is cut.
    """

    value: str
    remainder: str = ""
    unknown_macros: tuple[str, ...] = ()
    is_cut: bool = False


def join_value(value_text: str, resolve_macro: Callable[[str], str | None]) -> JoinedValue:
    """
    Join the parts of a field's value; `resolve_macro` returns the value of a macro, or None.

    Source: Patashnik, "BibTeXing" (1988), section 2.3, on concatenation by #.
    """
    remainder = value_text.strip()
    # the usual value: one pair of braces
    if remainder[:1] == "{" and remainder.find("}") == len(remainder) - 1:
        return JoinedValue(remainder[1:-1])

    values: list[str] = []
    unknown_macros: list[str] = []
    while remainder:
        if remainder[0] in '{"':
            value, remainder = _cut_delimited_value(remainder)
        else:
            bare_value = compile_pattern(_BARE_VALUE).match(remainder)
            if bare_value is None:
                break
            word = bare_value[0]
            replacement = word if word.isdecimal() else resolve_macro(word)
            if replacement is None:
                unknown_macros.append(word)
            value = word if replacement is None else replacement
            remainder = remainder[bare_value.end() :]
        values.append(value)
        remainder = remainder.lstrip()
        if not remainder.startswith("#"):
            break
        remainder = remainder[1:].lstrip()

    if len(values) > 1 and sum(map(len, values)) > MAX_JOINED_LENGTH:
        return JoinedValue(values[0][:MAX_JOINED_LENGTH], remainder, tuple(unknown_macros), is_cut=True)
    return JoinedValue("".join(values), remainder, tuple(unknown_macros))


def _cut_delimited_value(text: str) -> tuple[str, str]:
    """
    The value in braces or quotes at the start of a text, and the rest: "{Looms} # x" -> "Looms", " # x".
    """
    end = find_closing_sign(text)
    # {a\}: BibTeX does not read the backslash
    if end == len(text) > 1 and text[-1] == {"{": "}", '"': '"'}[text[0]]:
        end -= 1
    return text[1:end], text[end + 1 :]


def find_field_spans(raw: str, offset: int) -> Iterator[tuple[str, int, int]]:
    """
    The fields of an entry from an offset on: name in lower case, start and end of the value.

    An unclosed value ends before the next field.
    """
    while True:
        field = compile_pattern(_USUAL_FIELD).match(raw, offset)
        if field is not None:
            yield field["name"].casefold(), field.start("value"), field.end()
            offset = field.end()
            continue
        field = compile_pattern(_FIELD_START).match(raw, offset)
        if field is None:
            next_field = compile_pattern(_NEXT_FIELD).search(raw, offset)
            if next_field is None:
                return
            offset = next_field.end()
            continue
        start = field.end()
        end = _find_value_end(raw, start)
        yield field["name"].casefold(), start, end
        offset = max(end, start)


def _find_value_end(raw: str, start: int) -> int:
    """The end of a value, including all parts joined by #."""
    offset = start
    while True:
        if raw[offset : offset + 1] in ("{", '"'):
            closing_offset = find_closing_sign(raw, offset)
            if closing_offset >= len(raw) - 1:
                next_field = compile_pattern(_NEXT_FIELD).search(raw, offset)
                if next_field is not None:
                    # it is never closed
                    return next_field.start()
            offset = min(closing_offset + 1, len(raw))
        else:
            bare_value = compile_pattern(_BARE_VALUE).match(raw, offset)
            offset = bare_value.end() if bare_value else offset

        concatenation = compile_pattern(_CONCATENATION).match(raw, offset)
        if concatenation is None:
            return offset
        offset = concatenation.end()
