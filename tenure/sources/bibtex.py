"""A .bib file's text to one Node an entry: values joined and macros replaced, nothing decoded."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bibtexparser.model import (
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    Field,
    ParsingFailedBlock,
    String,
)
from bibtexparser.splitter import Splitter

from tenure.model.dates import MONTHS
from tenure.problems import Place, Problems
from tenure.sources.tree import Node

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it logs is told here with its place

KIND, KEY, SOURCE = "@kind", "@key", "@source"
"""Keys of an entry's Node that no field can have: its type, its citation key, its own text."""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The entries of a .bib file in order, and how many its text has, readable or not."""

    entries: tuple[Node, ...]
    found: int


def read_bibtex(text: str, name: str, problems: Problems) -> Bibliography:
    """Read a .bib file's text; what cannot be read is told and harms no neighbour."""
    return _File(text, name, problems).read()


class _File:
    """One .bib file on its way to Nodes."""

    def __init__(self, text: str, name: str, problems: Problems) -> None:
        self._text = text
        self._name = name
        self._problems = problems
        self._position = 0
        self._strings: dict[str, str] = {month[:3]: month[:3] for month in MONTHS}

    def read(self) -> Bibliography:
        entries: list[Node] = []
        found = 0
        for block in Splitter(self._text).split().blocks:
            place = self._locate(block.raw or "")
            if isinstance(block, String):
                self._strings[block.key.casefold()] = self._joined(block.value, place, block.raw or "")[0]
            elif isinstance(block, DuplicateBlockKeyBlock):
                found += 1
                first = self._problems.where(f"{{{block.key},") or place
                message = f'the key "{block.key}" is used twice, first in line {first.line}'
                self._problems.tell("bib-duplicate-key", place, message, "give one of the two another key")
                entries += self._entry(block.ignore_error_block, place)
            elif isinstance(block, DuplicateFieldKeyBlock):
                found += 1
                entries += self._entry(block.ignore_error_block, place)
            elif isinstance(block, ParsingFailedBlock):
                found += self._failed(block.raw or "", place)
            elif isinstance(block, Entry):
                found += 1
                entries += self._entry(block, place)
        return Bibliography(tuple(entries), found)

    def _locate(self, raw: str) -> Place:
        """Where a block begins; blocks come in the order of the text."""
        at = self._text.find(raw, self._position)
        if at < 0 or not raw:
            return Place(self._name)
        line = self._text.count("\n", 0, at) + 1
        self._position = at + len(raw)
        head = raw.split("\n", 1)[0]
        return Place(self._name, line, at - self._text.rfind("\n", 0, at), min(len(head), 40))

    def _failed(self, raw: str, place: Place) -> int:
        head = re.match(r"@\s*(\w+)\s*[{(]\s*([^,\s}]*)", raw)
        if head is None or head[1].casefold() in ("comment", "preamble", "string"):
            self._problems.tell("bib-syntax", place, "this block is not closed", "add the missing brace")
            return 0
        message = f'the entry "{head[2]}" is not closed and is left out'
        self._problems.tell("bib-syntax", place, message, "a brace or quote is missing in it")
        return 1

    def _entry(self, entry: object, place: Place) -> Iterator[Node]:
        if not isinstance(entry, Entry):
            return
        raw = entry.raw or ""
        fields: dict[str, Node] = {
            KIND: Node(entry.entry_type.casefold(), place),
            KEY: Node(entry.key.strip(), place),
            SOURCE: Node(raw, place),
        }
        for field in entry.fields:
            for name, value in self._values(field, place, raw):
                if name in fields:
                    if fields[name].words != value:
                        where = field_place(place, raw, name)
                        message = f'the entry "{entry.key}" has "{name}" twice; the first is shown'
                        self._problems.tell("bib-duplicate-field", where, message, "delete one of the two")
                    continue
                fields[name] = Node(value, place)
        yield Node(fields, place)

    def _values(self, field: Field, place: Place, raw: str) -> Iterator[tuple[str, str]]:
        """A field's value, and the fields that a missing comma hid in it."""
        name, written = field.key.strip().casefold(), str(field.value)
        while True:
            value, rest = self._joined(written, field_place(place, raw, name), raw)
            yield name, value
            hidden = re.match(r"\s*([\w-]+)\s*=\s*(?=\S)", rest)
            if hidden is None:
                if rest.strip():
                    where = field_place(place, raw, name)
                    message = f"“{_short(rest)}” after the value of {name} is not read"
                    self._problems.tell("bib-syntax", where, message, "put the whole value in braces")
                return
            where = field_place(place, raw, hidden[1])
            hint = f"put a comma after the value of {name}"
            self._problems.tell("bib-syntax", where, f'a comma is missing before "{hidden[1]}"', hint)
            name, written = hidden[1].casefold(), rest[hidden.end() :]

    def _joined(self, written: str, place: Place, raw: str) -> tuple[str, str]:
        """A value from its parts joined by #, and what follows that is no part of it."""
        parts: list[str] = []
        rest = written.strip()
        while rest:
            part, rest = self._part(rest, place)
            parts.append(part)
            rest = rest.lstrip()
            if not rest.startswith("#"):
                break
            rest = rest[1:].lstrip()
        del raw
        return "".join(parts), rest

    def _part(self, rest: str, place: Place) -> tuple[str, str]:
        if rest[0] == "{":
            end = _closing(rest)
            return rest[1:end], rest[end + 1 :]
        if rest[0] == '"':
            end = _closing_quote(rest)
            return rest[1:end], rest[end + 1 :]
        word = re.match(r"[^\s#,{}\"]+", rest)
        if word is None:
            return rest, ""
        name = word[0]
        if name.isdecimal():
            return name, rest[word.end() :]
        known = self._strings.get(name.casefold())
        if known is None:
            if not re.fullmatch(r"[\d\-–./]+", name):
                message = f'no @string defines "{name}"; it is shown as written'
                self._problems.tell("bib-undefined-string", place, message, "put the value in braces")
            return name, rest[word.end() :]
        return known, rest[word.end() :]


def field_place(entry: Place, raw: str, name: str) -> Place:
    """Where a field stands, found in the entry's own text when it is needed."""
    found = re.search(rf"(?<![\w-]){re.escape(name)}(?=\s*=)", raw, re.IGNORECASE)
    if found is None:
        return entry
    before = raw[: found.start()]
    line = before.count("\n")
    column = found.start() - before.rfind("\n") if line else entry.column + found.start()
    return Place(entry.file, entry.line + line, column, len(name))


def strings_of(node: Node) -> Mapping[str, str]:
    """The fields of an entry's Node as words."""
    return {name: child.words for name, child in node.entries.items()}


def _closing(text: str) -> int:
    depth = 0
    for i, character in enumerate(text):
        if character in "{}" and text[i - 1 : i] != "\\":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return i
    return len(text)


def _closing_quote(text: str) -> int:
    depth = 0
    for i, character in enumerate(text[1:], 1):
        if character in "{}" and text[i - 1] != "\\":
            depth += 1 if character == "{" else -1
        elif character == '"' and depth == 0:
            return i
    return len(text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else line[:29] + "…"
