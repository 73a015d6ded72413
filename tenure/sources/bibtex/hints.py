"""Hints for BibTeX syntax errors: what is wrong, and what to write."""

import re
from collections.abc import Iterator

from tenure.record import Record
from tenure.sources.bibtex.splitter import ENTRY_HEAD

_UNOPENED_ENTRY = re.compile(r"^[ \t]*(@\w+)\s+([^\s,{(@=]+)\s*,\s*\n?\s*[\w+-]+\s*=", re.MULTILINE)
_FIELD_START = re.compile(r"(?:^|,)[ \t]*([A-Za-z][\w+-]*)\s*=\s*", re.MULTILINE)


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


def explain_broken_entry(raw: str) -> BibtexHint:
    """Explain why the text of an entry cannot be parsed."""
    head = ENTRY_HEAD.match(raw)
    start = head.end() if head else 0
    if head and re.fullmatch(r"[;\s]\s*[\w+-]+\s*=?\s*", raw[start:]) and head[2]:
        hint = f"write {head[2]},"
        message = "a comma is missing after the key"
        edit = (start, int(raw[start] == ";"), ",")
        return BibtexHint(head.start(2), len(head[2]), message, hint, edit)
    last_fields = [*_FIELD_START.finditer(raw)][-1:]
    if _count_open_braces(raw) > 1 or any(_has_open_quote(raw[field.end() :]) for field in last_fields):
        return _explain_unclosed_entry(raw)
    if raw.endswith(","):
        edit = (len(raw) - 1, 1, "")
        return BibtexHint(len(raw) - 1, 2, "two commas follow each other", "delete one of them", edit)
    last_word = re.search(r"(?<![\w+-])([\w+-]++)\s*+:?\s*+$", raw)
    if last_word and not re.search(r",\s*$", raw[: last_word.start(1)]):
        field_names = [field[1] for field in _FIELD_START.finditer(raw)] or ["the last field"]
        offset = max(raw.rfind("}", 0, last_word.start(1)), 0)
        return BibtexHint(
            offset, 1, f"the value of {field_names[-1]} is closed too early", "delete the extra }"
        )
    if last_word and not raw.endswith("\n"):
        hint = f"write {last_word[1]} = {{…}}"
        return BibtexHint(
            last_word.start(1), len(last_word[1]), f"an equals sign is missing after {last_word[1]}", hint
        )
    return _explain_unclosed_entry(raw)


def _explain_unclosed_entry(raw: str) -> BibtexHint:
    fields = [*_FIELD_START.finditer(raw)]
    for i, field in enumerate(fields):
        is_last = i == len(fields) - 1
        value = raw[field.end() : len(raw) if is_last else fields[i + 1].start()]
        if _has_open_quote(value):
            message = f"the quote around the value of {field[1]} is never closed"
            return BibtexHint(field.end(), 1, message, 'add " at its end')
        depth = _count_open_braces(value) + (1 if is_last and re.search(r"\}\s*\}\s*$", value) else 0)
        if depth > 0 and not is_last:
            missing_braces = "one more }" if depth == 1 else f"{depth} more }}"
            return BibtexHint(
                field.end(), 1, f"the value of {field[1]} is never closed", f"it needs {missing_braces}"
            )
    depth = _count_open_braces(raw)
    if depth > 1 and fields:
        message = f"the entry ends inside the value of {fields[-1][1]}"
        return BibtexHint(fields[-1].end(), 1, message, f"add {'}' * depth} at its end")
    length = len(raw.split("\n", 1)[0])
    return BibtexHint(0, length, "the entry is never closed", "add a } after its last field")


def _has_open_quote(value: str) -> bool:
    return value.startswith('"') and not re.search(r'(?<!\\)"', value[1:])


def _count_open_braces(value: str) -> int:
    """The number of opening braces minus the number of closing ones."""
    signs = re.findall(r"(?<!\\)[{}]", value)
    return signs.count("{") - signs.count("}")


def find_stray_entries(text: str) -> Iterator[BibtexHint]:
    """Hints for text between two entries that looks like an entry or a part of one; a comment gives none."""
    unopened_entries = [*_UNOPENED_ENTRY.finditer(text)]
    for head in unopened_entries:
        hint = f"write {head[1]}{{{head[2]},"
        yield BibtexHint(head.start(1), len(head[1]), f'the entry "{head[2]}" has no opening brace', hint)
    if unopened_entries or re.match(r"\s*\w+\s*[{(]\s*[^\s,]+\s*,", text):
        return  # an entry without its @: a usual way to disable an entry
    field = re.search(r"(?:\A[\s,}]*|^[ \t]*,?[ \t]*)([A-Za-z][\w+-]*)\s*=\s*[{\"\d]", text, re.MULTILINE)
    if field:
        message = f"the entry above is closed before its {field[1]}, which is not read"
        yield BibtexHint(field.start(1), len(field[1]), message, "delete the extra } above")
