"""Hints for BibTeX syntax errors: what is wrong, and what to write."""

import re
from collections.abc import Iterator

from tenure.frozen import dataclass

HEAD = re.compile(r"@\s*(\w+)\s*[{(]\s*([^,\s}=;]*)")
_UNOPENED = re.compile(r"^[ \t]*(@\w+)\s+([^\s,{(@=]+)\s*,\s*\n?\s*[\w+-]+\s*=", re.MULTILINE)
_FIELD = re.compile(r"(?:^|,)[ \t]*([A-Za-z][\w+-]*)\s*=\s*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Breach:
    """
    A syntax error in the text of an entry: offset and length of the excerpt, message and repair.

    `edit` is the repair if it is certain: offset, number of replaced characters, new text.
    """

    at: int
    length: int
    message: str
    hint: str
    edit: tuple[int, int, str] | None = None


def breach(raw: str) -> Breach:
    """Explain why the text of an entry cannot be parsed."""
    head = HEAD.match(raw)
    start = head.end() if head else 0
    if head and re.fullmatch(r"[;\s]\s*[\w+-]+\s*=?\s*", raw[start:]) and head[2]:
        hint = f"write {head[2]},"
        message = "a comma is missing after the key"
        edit = (start, int(raw[start] == ";"), ",")
        return Breach(head.start(2), len(head[2]), message, hint, edit)
    last = [*_FIELD.finditer(raw)][-1:]
    if _depth(raw) > 1 or any(_is_open_quote(raw[field.end() :]) for field in last):
        return _unclosed(raw)
    if raw.endswith(","):
        edit = (len(raw) - 1, 1, "")
        return Breach(len(raw) - 1, 2, "two commas follow each other", "delete one of them", edit)
    word = re.search(r"([\w+-]+)\s*:?\s*$", raw)
    if word and not re.search(r",\s*$", raw[: word.start(1)]):
        names = [field[1] for field in _FIELD.finditer(raw)] or ["the last field"]
        at = max(raw.rfind("}", 0, word.start(1)), 0)
        return Breach(at, 1, f"the value of {names[-1]} is closed too early", "delete the extra }")
    if word and not raw.endswith("\n"):
        hint = f"write {word[1]} = {{…}}"
        return Breach(word.start(1), len(word[1]), f"an equals sign is missing after {word[1]}", hint)
    return _unclosed(raw)


def _unclosed(raw: str) -> Breach:
    fields = [*_FIELD.finditer(raw)]
    for i, field in enumerate(fields):
        last = i == len(fields) - 1
        value = raw[field.end() : len(raw) if last else fields[i + 1].start()]
        if _is_open_quote(value):
            message = f"the quote around the value of {field[1]} is never closed"
            return Breach(field.end(), 1, message, 'add " at its end')
        depth = _depth(value) + (1 if last and re.search(r"\}\s*\}\s*$", value) else 0)
        if depth > 0 and not last:
            more = "one more }" if depth == 1 else f"{depth} more }}"
            return Breach(field.end(), 1, f"the value of {field[1]} is never closed", f"it needs {more}")
    depth = _depth(raw)
    if depth > 1 and fields:
        message = f"the entry ends inside the value of {fields[-1][1]}"
        return Breach(fields[-1].end(), 1, message, f"add {'}' * depth} at its end")
    length = len(raw.split("\n", 1)[0])
    return Breach(0, length, "the entry is never closed", "add a } after its last field")


def _is_open_quote(value: str) -> bool:
    return value.startswith('"') and not re.search(r'(?<!\\)"', value[1:])


def _depth(value: str) -> int:
    """The number of opening braces minus the number of closing ones."""
    signs = re.findall(r"(?<!\\)[{}]", value)
    return signs.count("{") - signs.count("}")


def strays(text: str) -> Iterator[Breach]:
    """Hints for text between two entries that looks like an entry or a part of one; a comment gives none."""
    opened = [*_UNOPENED.finditer(text)]
    for head in opened:
        hint = f"write {head[1]}{{{head[2]},"
        yield Breach(head.start(1), len(head[1]), f'the entry "{head[2]}" has no opening brace', hint)
    if opened or re.match(r"\s*\w+\s*[{(]\s*[^\s,]+\s*,", text):
        return  # an entry without its @: a usual way to disable an entry
    field = re.search(r"(?:\A[\s,}]*|^[ \t]*,?[ \t]*)([A-Za-z][\w+-]*)\s*=\s*[{\"\d]", text, re.MULTILINE)
    if field:
        message = f"the entry above is closed before its {field[1]}, which is not read"
        yield Breach(field.start(1), len(field[1]), message, "delete the extra } above")
