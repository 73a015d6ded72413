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
    ImplicitComment,
    ParsingFailedBlock,
    String,
)
from bibtexparser.splitter import Splitter

from tenure.model.dates import MONTHS
from tenure.problems import Place, Problems, did_you_mean
from tenure.sources.breaches import Breach, breach, stray
from tenure.sources.tree import Node

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it logs is told here with its place

KIND, KEY, SOURCE = "@kind", "@key", "@source"
"""Keys of an entry's Node that no field can have: its type, its citation key, its own text."""

KEY_HINT = "write one after the brace: {pan2025,"


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
        self._position, self._line = 0, 1
        self._keys: dict[str, Place] = {}
        self._strings: dict[str, str] = {month[:3]: month[:3] for month in MONTHS}

    def read(self) -> Bibliography:
        entries: list[Node] = []
        found = 0
        broken = False
        for block in Splitter(self._text).split().blocks:
            place = self._locate(block.raw or "")
            twice = isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock)
            inner = getattr(block, "ignore_error_block", None) if twice else block
            if isinstance(inner, String):
                self._strings[inner.key.casefold()] = self._joined(inner.value, place, block.raw or "")[0]
            elif isinstance(inner, Entry):
                found += 1
                entries.append(self._entry(inner, place))
            elif isinstance(block, ParsingFailedBlock):
                found += self._failed(block.raw or "", place)
                broken = True
                continue
            elif isinstance(block, ImplicitComment) and not broken:
                self._remark(block.raw or "", place)
            broken = False
        return Bibliography(tuple(entries), found)

    def _locate(self, raw: str) -> Place:
        """Where a block begins; blocks come in the order of the text."""
        at = self._text.find(raw, self._position)
        if at < 0 or not raw:
            return Place(self._name)
        self._line += self._text.count("\n", self._position, at)
        line = self._line
        self._line += raw.count("\n")
        self._position = at + len(raw)
        head = raw.split("\n", 1)[0]
        return Place(self._name, line, at - self._text.rfind("\n", 0, at), min(len(head), 40))

    def _failed(self, raw: str, place: Place) -> int:
        head = re.match(r"@\s*(\w+)\s*[{(]\s*([^,\s}=]*)(\s*=)?", raw)
        if head is None or head[1].casefold() in ("comment", "preamble", "string"):
            self._problems.tell("bib-syntax", place, "this block is not closed", "add the missing brace")
            return 0
        if head[3]:
            self._problems.tell("bib-missing-key", place, "this entry has no key and is left out", KEY_HINT)
            return 1
        self._tell_breach(breach(raw), raw, place, f'; the entry "{head[2].rstrip(";")}" is left out')
        return 1

    def _remark(self, raw: str, place: Place) -> None:
        """Text between entries is a remark, unless it looks like a part of one."""
        lost = stray(raw)
        if lost is not None:
            self._tell_breach(lost, raw, place)

    def _tell_breach(self, found: Breach, raw: str, place: Place, tail: str = "") -> None:
        line = raw.count("\n", 0, found.at)
        column = found.at - raw.rfind("\n", 0, found.at) + (0 if line else place.column - 1)
        where = Place(place.file, place.line + line, column, found.length)
        self._problems.tell("bib-syntax", where, f"{found.message}{tail}", found.hint)

    def _entry(self, entry: Entry, place: Place) -> Node:
        raw, key = entry.raw or "", entry.key.strip()
        if not key:
            self._problems.tell("bib-missing-key", place, "this entry has no key", KEY_HINT)
        elif (first := self._keys.setdefault(key, place)) is not place:
            message = f'the key "{key}" is used twice, first in line {first.line}'
            self._problems.tell("bib-duplicate-key", place, message, "give one of the two another key")
        fields: dict[str, Node] = {
            KIND: Node(entry.entry_type.casefold(), place),
            KEY: Node(key, place),
            SOURCE: Node(raw, place),
        }
        for field in entry.fields:
            for name, value in self._values(field, place, raw):
                if name in fields:
                    if fields[name].words != value:
                        first = field_place(place, raw, name)
                        again = self._problems.places(rf"(?i)(?<![\w-])({re.escape(name)})\s*=", place.file)
                        where = next((other for other in again if other > first), first)
                        message = f'the entry "{key}" has "{name}" twice; the first is shown'
                        self._problems.tell("bib-duplicate-field", where, message, "delete one of the two")
                    continue
                fields[name] = Node(value, place)
        return Node(fields, place)

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
                    hint = f"put the whole value in braces: {{{_short(written)}}}"
                    self._problems.tell("bib-syntax", where, message, hint)
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
            if not re.fullmatch(r"[\d\-–./]+", name) and re.match(r"\s*(?:#|$)", rest[word.end() :]):
                self._tell_undefined(name, place)
            return name, rest[word.end() :]
        return known, rest[word.end() :]

    def _tell_undefined(self, name: str, place: Place) -> None:
        near = did_you_mean(name, self._strings)
        hint = f'did you mean "{near}"?' if near else f"put it in braces: {{{name}}}"
        found = self._problems.places(rf"[=#]\s*({re.escape(name)})(?![\w-])", place.file)
        where = next((other for other in found if other > place), place)
        message = f'no @string defines "{name}"; it is shown as written'
        self._problems.tell("bib-undefined-string", where, message, hint)


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
