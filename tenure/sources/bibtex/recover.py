"""
Read entries with syntax errors, and say what is wrong.

@article{a title = {Looms}, -> the title, and "a comma is missing after the key".
"""

import re
from collections.abc import Iterator

from tenure.record import Record
from tenure.sources.bibtex.field_values import find_field_spans

# Patterns as texts: most sites have no broken entry, and compile none of them.
_ENTRY_HEAD = r"""(?x)
    @\s*(?P<kind>\w+)\s*[{(]\s*
    (?:(?P<key>[^,\s={}()"]*)(?P<end>\s*,|\s*;|(?=\s*\n)|(?=\s+[\w+-]+\s*=))   # @article{pan2025,
    |(?=[\w+-]+\s*=))                                                           # @article{title =
"""
_UNOPENED_ENTRY = r"(?m)^[ \t]*(@\w+)\s+([^\s,{(@=]+)\s*,\s*\n?\s*[\w+-]+\s*="
_FIELD_START = r"(?m)(?:^|,)[ \t]*([A-Za-z][\w+-]*)\s*=\s*"
_STRAY_FIELD = r"""(?xm)
    (?:\A[\s,}]*|^[ \t]*,?[ \t]*)
    (?P<name>[A-Za-z][\w+-]*)\s*=\s*[{\"\d]         # }, author = {…}
"""
_BACKSLASH_BEFORE_END = r"""(?x)
    (?<!\\)\\(?=[}"]\s*(?:,\s*[A-Za-z][\w+-]*\s*=|,?\s*[})]?\s*\Z))    # {C:\Papers\}, year =
"""


class BibtexHint(Record):
    """
    A syntax error in the text of an entry: offset and length of the excerpt, message and repair.

    `edit` is the repair if it is certain: offset, number of replaced characters, new text.
    """

    offset: int
    length: int
    message: str
    hint: str
    edit: tuple[int, int, str] | None = None


class RecoveredEntry(Record):
    """The type, key and unparsed fields of an entry with syntax errors, and what is wrong with it."""

    entry_type: str
    key: str
    fields: tuple[tuple[str, str], ...]
    hint: BibtexHint


def recover_entry(raw: str, read_length: int) -> RecoveredEntry | None:
    """The entry in a text that the library could read up to a length; None if the text is not an entry."""
    head = re.match(_ENTRY_HEAD, raw)
    if head is None:
        return None
    repaired = re.sub(_BACKSLASH_BEFORE_END, " ", raw)
    fields = tuple((name, repaired[start:end]) for name, start, end in find_field_spans(repaired, head.end()))
    hint = _explain_error(raw, head, raw[:read_length])
    return RecoveredEntry(head["kind"].casefold(), (head["key"] or "").strip(), fields, hint)


def _explain_error(raw: str, head: re.Match[str], read_text: str) -> BibtexHint:
    """What is wrong with an entry: the first mistake that is certain, or else where the library stopped."""
    return (
        _find_missing_comma(raw, head)
        or _find_backslash(raw)
        or _find_open_value(raw)
        or _explain_end(raw, read_text)
    )


def _find_missing_comma(raw: str, head: re.Match[str]) -> BibtexHint | None:
    """@article{pan2025 title = … -> write pan2025,"""
    key = head["key"] or ""
    if not key or (head["end"] or "").strip() == ",":
        return None
    edit = (head.end("key"), int(raw[head.end("key")] == ";"), ",")
    message = "a comma is missing after the key"
    return BibtexHint(head.start("key"), len(key), message, f"write {key},", edit)


def _find_backslash(raw: str) -> BibtexHint | None:
    r"""file = {C:\Papers\}, -> delete the backslash."""
    backslash = re.search(_BACKSLASH_BEFORE_END, raw)
    if backslash is None:
        return None
    start = backslash.start()
    return BibtexHint(
        start, 1, "a backslash is before the end of a value", "delete the backslash", (start, 1, "")
    )


def _find_open_value(raw: str) -> BibtexHint | None:
    """title = {A {B}, -> add } at its end; the first value that is not closed before the next field."""
    fields = [*re.finditer(_FIELD_START, raw)]
    ends = [*(field.start() for field in fields[1:]), len(raw)]
    for field, end in zip(fields, ends, strict=False):
        value = raw[field.end() : end]
        sign = "}" * _count_open_braces(value)
        if value.startswith('"') and not re.search(r'(?<!\\)"', value[1:]):
            sign = '"'
        if sign:
            message = f"the value of {field[1]} is never closed"
            return BibtexHint(field.end(), 1, message, f"add {sign} at its end")
    return None


def _explain_end(raw: str, read_text: str) -> BibtexHint:
    """What is wrong at the end of the text that the library could read."""
    if read_text.rstrip() == raw.rstrip():
        message = "the entry is never closed"
        return BibtexHint(0, len(raw.split("\n", 1)[0]), message, "add a } after its last field")

    excerpt = re.search(r"([\w+:-]+|\S)\s*\Z", read_text)
    offset, text = (excerpt.start(1), excerpt[1]) if excerpt else (0, "@")
    if not text[0].isalpha():
        return BibtexHint(offset, len(text), f"there is no field before “{text}”", "delete it")
    hint = f"write {text} = {{…}}, or correct the braces before it"
    return BibtexHint(offset, len(text), f"an equals sign is missing after {text}", hint)


def _count_open_braces(value: str) -> int:
    """The number of opening braces minus the number of closing ones."""
    signs = re.findall(r"(?<!\\)[{}]", value)
    return signs.count("{") - signs.count("}")


def find_stray_entries(text: str) -> Iterator[BibtexHint]:
    """Hints for text between two entries that looks like an entry or a part of one; a comment gives none."""
    unopened_entries = [*re.finditer(_UNOPENED_ENTRY, text)]
    for head in unopened_entries:
        hint = f"write {head[1]}{{{head[2]},"
        yield BibtexHint(head.start(1), len(head[1]), f'the entry "{head[2]}" has no opening brace', hint)
    if unopened_entries or re.match(r"\s*\w+\s*[{(]\s*[^\s,]+\s*,", text):
        # an entry without its @: a usual way to disable an entry
        return
    field = re.search(_STRAY_FIELD, text)
    if field:
        name = field["name"]
        message = f"the entry above is closed before its {name}, which is not read"
        yield BibtexHint(field.start("name"), len(name), message, "delete the extra } above")
