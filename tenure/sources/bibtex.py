"""Read a .bib file into one Node per entry: values are joined and macros replaced; LaTeX is not decoded."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.frozen import dataclass
from tenure.model.dates import MONTHS
from tenure.problems import Edit, Place, Problems, did_you_mean
from tenure.sources.breaches import Breach, breach, strays
from tenure.sources.plain import Block, parts
from tenure.sources.tree import Node
from tenure.sources.values import join, mend, sound

KIND, KEY, SOURCE, STRINGS, PARENTS = "@kind", "@key", "@source", "@strings", "@parents"
"""Keys of an entry's Node that are not fields: type, citation key, source text, the macros it uses, the entries it inherits from."""

KEY_HINT = "write one after the brace: {pan2025,"
NO_ENTRY = frozenset({"comment", "string", "preamble"})
NO_WORK = frozenset({"control", "ieeetranbstctl", "bibnote"})
"""Entry types that configure LaTeX and are not publications."""

MONTH_NAMES = (
    {month[:3]: month[:3] for month in MONTHS} | {month: month for month in MONTHS} | {"sept": "sep"}
)
PLAIN_WORDS = frozenset({"true", "false", "yes", "no"})


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The readable entries of a .bib file in order, and the number of all its entries."""

    entries: tuple[Node, ...]
    found: int


def read_bibtex(
    text: str, name: str, problems: Problems, strings: Mapping[str, str] | None = None
) -> Bibliography:
    """
    Read the text of a .bib file; a syntax error is reported and does not affect other entries.

    `macros` has the macros of other files, by name in lower case; the file's own macros take precedence.
    """
    return _File(text, name, problems, strings or {}).read()


def strings_in(text: str) -> dict[str, str]:
    """The macros that the @string blocks of a file define, by name in lower case."""
    found: dict[str, str] = {}
    if not any(words[:6].casefold() == "string" for words in text.split("@")):
        return found  # six times as fast as the search below
    for head in re.finditer(r"(?im)^[ \t]*@string\s*[{(]\s*([^\s={}()\",]+)\s*=\s*", text):
        value = join(
            text[head.end() : head.end() + 5000],
            lambda word: found.get(word.casefold(), MONTH_NAMES.get(word)),
        )
        found.setdefault(head[1].casefold(), value.value)
    return found


class _File:
    """Reads one .bib file."""

    def __init__(self, text: str, name: str, problems: Problems, strings: Mapping[str, str]) -> None:
        self._text = text
        self._name = name
        self._problems = problems
        self._position, self._line, self._line_start = 0, 1, 0
        self._keys: dict[str, Place] = {}
        self._own: dict[str, str] = {}
        self._others = strings
        self._told: set[str] = set()
        self._used: dict[str, str] = {}
        self._raw = ""

    def read(self) -> Bibliography:
        entries: list[Node] = []
        found = 0
        blocks = [(block, *self._locate(block.raw)) for block in _blocks(self._text)]
        broken = False
        for i, (block, at, place) in enumerate(blocks):
            if block.what == "remark":
                if not broken:
                    self._remark(block.raw, place)
                continue
            broken = block.what == "broken"
            if block.what == "plain" and block.kind not in NO_WORK:
                found += 1
                entries.append(self._plain(block, place))
            elif block.what == "entry" and block.kind not in NO_WORK:
                found += 1
                broken = _is_torn(block)
                whole = self._mended(self._text[at : self._end(blocks, i)], block, place) if broken else None
                entries.append(whole or self._entry(block, place))
            elif _kind(block) not in NO_ENTRY | NO_WORK:
                node = self._mended(self._text[at : self._end(blocks, i)], block, place)
                found += 1
                entries += [node] if node is not None else []
            elif block.what == "string":
                self._own |= {name.casefold(): self._join(value, place)[0] for name, value in block.fields}
            elif broken:
                self._problems.tell("bib-syntax", place, "this block is not closed", "add the missing brace")
        return Bibliography(tuple(entries), found)

    def _locate(self, raw: str) -> tuple[int, Place]:
        """The offset and the place of a block. Must be called in the order of the text."""
        at = self._text.find(raw, self._position)
        if at < 0 or not raw:
            return self._position, Place(self._name)
        newlines = self._text.count("\n", self._position, at)
        if newlines:
            self._line += newlines
            self._line_start = self._text.rfind("\n", 0, at) + 1
        line, column = self._line, at - self._line_start + 1
        inside = raw.count("\n")
        if inside:
            self._line += inside
            self._line_start = at + raw.rfind("\n") + 1
        self._position = at + len(raw)
        return at, Place(self._name, line, column, min(len(raw.partition("\n")[0]), 40))

    def _end(self, blocks: Sequence[tuple[Block, int, Place]], i: int) -> int:
        """The end of a broken block: the offset of the next block that is not a comment."""
        following = (at for block, at, _ in blocks[i + 1 :] if block.what != "remark")
        return next(following, len(self._text))

    def _mended(self, raw: str, block: Block, place: Place) -> Node | None:
        """The Node of a broken entry, or None. The error is reported, unless BibTeX itself accepts the entry."""
        found = sound(raw)
        if found is not None:
            entry, length = found
            return self._node(entry.kind, entry.key, raw[:length], [*entry.fields], place)
        read = mend(raw)
        if read is None:
            self._problems.tell("bib-syntax", place, "this is not a BibTeX entry", "write @article{key, …}")
            return None
        whole = any(name == "title" for name, _ in read.fields)
        if not read.key and read.fields:
            tail = "" if whole else " and is left out"
            self._problems.tell("bib-missing-key", place, f"this entry has no key{tail}", KEY_HINT)
        elif block.what == "broken":
            tail = (
                f'what can be read of "{read.key}" is shown'
                if whole
                else f'the entry "{read.key}" is left out'
            )
            self._tell_breach(breach(block.raw), raw, place, f"; {tail}")
        elif not whole:
            message = f'the entry "{read.key}" has no title and is left out'
            self._problems.tell("bib-syntax", place, message, "add title = {…}")
        return self._node(read.kind, read.key, raw.rstrip(), [*read.fields], place) if whole else None

    def _remark(self, raw: str, place: Place) -> None:
        """Report text between entries that looks like a part of an entry; other text is a comment."""
        for lost in strays(raw):
            self._tell_breach(lost, raw, place)

    def _tell_breach(self, found: Breach, raw: str, place: Place, tail: str = "") -> None:
        line = raw.count("\n", 0, found.at)
        column = found.at - raw.rfind("\n", 0, found.at) + (0 if line else place.column - 1)
        where = Place(place.file, place.line + line, column, found.length)
        edits: tuple[Edit, ...] = ()
        if found.edit is not None:
            at, length, text = found.edit
            edits = (Edit(place_inside(place, raw, at, length), text),)
        self._problems.tell("bib-syntax", where, f"{found.message}{tail}", found.hint, edits)

    def _entry(self, entry: Block, place: Place) -> Node:
        if not entry.key:
            self._problems.tell("bib-missing-key", place, "this entry has no key", KEY_HINT)
        return self._node(entry.kind, entry.key, entry.raw, entry.fields, place)

    def _begin(self, kind: str, key: str, raw: str, place: Place) -> dict[str, Node]:
        """The keys of an entry's Node that are not fields; reports a citation key that is used twice."""
        if key and (first := self._keys.setdefault(key, place)) is not place:
            message = f'the key "{key}" is used twice, first in line {first.line}'
            self._problems.tell("bib-duplicate-key", place, message, "give one of the two another key")
        self._used, self._raw = {}, raw
        return {KIND: Node(kind, place), KEY: Node(key, place), SOURCE: Node(raw, place)}

    def _plain(self, entry: Block, place: Place) -> Node:
        fields = self._begin(entry.kind, entry.key, entry.raw, place)
        for label, written in entry.fields:
            name = label.casefold()
            words = written[1:-1] if written[0] in '{"' else self._join(written, place)[0]
            if (
                fields.setdefault(name, node := Node(words, place)) is not node
                and fields[name].words != words
            ):
                self._tell_field_twice(name, entry.key, place, entry.raw)
        return self._ended(fields, place)

    def _ended(self, fields: dict[str, Node], place: Place) -> Node:
        """The Node of an entry, with the macros that it uses."""
        fields[STRINGS] = Node({macro: Node(words, place) for macro, words in self._used.items()}, place)
        return Node(fields, place)

    def _node(self, kind: str, key: str, raw: str, written: Sequence[tuple[str, str]], place: Place) -> Node:
        fields = self._begin(kind, key, raw, place)
        for label, value in written:
            name = label.rpartition("\n")[2].strip().casefold()
            if name.startswith("%"):
                continue  # a field after a percent sign is commented out
            if name.startswith("@"):
                name = name.lstrip("@ ")
                where = field_place(place, raw, name)
                sign = re.search(rf"(?i)@(?=\s*{re.escape(name)}\s*=)", raw)
                edits = (Edit(place_inside(place, raw, sign.start(), 1), ""),) if sign else ()
                message = f"there is an @ before the field {name}"
                self._problems.tell("bib-syntax", where, message, "delete the @", edits)
            for each, words in self._values(name, value, place, raw):
                if each not in fields:
                    fields[each] = Node(words, place)
                elif fields[each].words != words:
                    self._tell_field_twice(each, key, place, raw)
        return self._ended(fields, place)

    def _tell_field_twice(self, name: str, key: str, place: Place, raw: str) -> None:
        first = field_place(place, raw, name)
        again = self._problems.places(rf"(?i)(?<![\w-])({re.escape(name)})\s*=", place.file)
        where = next((other for other in again if other > first), first)
        message = f'the entry "{key}" has "{name}" twice; the first is shown'
        self._problems.tell("bib-duplicate-field", where, message, "delete one of the two")

    def _values(self, name: str, written: str, place: Place, raw: str) -> Iterator[tuple[str, str]]:
        """A field and its value, and the fields after it if the comma between them is missing."""
        while True:
            value, rest = self._join(written, place)
            yield name, value
            if not rest or not rest.strip(" \t\n,"):
                return
            hidden = re.match(r"\s*([\w-]+)\s*=\s*(?=\S)", rest)
            where = field_place(place, raw, hidden[1] if hidden else name)
            if hidden is None:
                message = f"“{_short(rest)}” after the value of {name} is not read"
                hint = f"put the whole value in braces: {{{_short(written)}}}"
                self._problems.tell("bib-syntax", where, message, hint)
                return
            hint = f"add a comma after the value of {name}"
            edits = _missing_comma(place, raw, hidden[1])
            self._problems.tell("bib-syntax", where, f'a comma is missing before "{hidden[1]}"', hint, edits)
            name, written = hidden[1].casefold(), rest[hidden.end() :]

    def _join(self, written: str, place: Place) -> tuple[str, str]:
        """The joined value and the text after it; an undefined macro is reported once."""
        if (
            written[:1] == "{"
            and written[-1:] == "}"
            and written.find("{", 1) < 0
            and written.find("}") == len(written) - 1
        ):
            return written[1:-1], ""
        joined = join(written, self._macro)
        if not joined.rest.strip():
            for name in joined.unknown:
                if (
                    name.casefold() not in self._told
                    and name.casefold() not in PLAIN_WORDS
                    and not re.search(r"[\d/.:–-]", name)
                ):
                    self._told.add(name.casefold())
                    self._tell_undefined(name, place)
        return joined.value, joined.rest

    def _macro(self, name: str) -> str | None:
        folded = name.casefold()
        if folded in MONTH_NAMES and folded not in self._own:
            return MONTH_NAMES[folded]
        found = self._own.get(folded, self._others.get(folded))
        if found is not None:
            self._used[name] = found
        return found

    def _tell_undefined(self, name: str, place: Place) -> None:
        near = did_you_mean(name, [*self._own, *self._others, *MONTH_NAMES])
        hint = f'did you mean "{near}"?' if near else f"put it in braces: {{{name}}}"
        found = re.search(rf"[=#]\s*({re.escape(name)})(?![\w-])", self._raw)
        if found is not None:
            place = place_inside(place, self._raw, found.start(1), len(name))
        message = f'no @string defines "{name}"; it is shown as written'
        self._problems.tell("bib-undefined-string", place, message, hint)


def _blocks(text: str) -> Iterator[Block]:
    """The blocks of a .bib file in order."""
    for part in parts(text):
        if part.what == "plain":
            yield part
        else:
            from tenure.sources.splitting import split  # noqa: PLC0415 - the import takes 12 ms, and most files do not need it

            yield from split(part.raw)


def _is_torn(entry: Block) -> bool:
    """Whether the library ended a value at a quote inside braces, which BibTeX does not do."""
    return any(value[:1] == '"' and value.count("{") > value.count("}") for _, value in entry.fields)


def _kind(block: Block) -> str:
    """The word after the @ of a block; the library reads @commentary as a comment."""
    head = re.match(r"\s*@\s*(\w+)", block.raw)
    return head[1].casefold() if head else "comment"


def _missing_comma(entry: Place, raw: str, name: str) -> tuple[Edit, ...]:
    """The edit that inserts a comma before a field; empty if the entry has the field twice."""
    fields = [*re.finditer(rf"(?i)(?<![\w-]){re.escape(name)}(?=\s*=)", raw)]
    before = raw[: fields[0].start()].rstrip() if len(fields) == 1 else ""
    if not before or before[-1] in ",{(":
        return ()
    return (Edit(place_inside(entry, raw, len(before), 0), ","),)


def field_place(entry: Place, raw: str, name: str) -> Place:
    """The place of a field, searched in the source text of its entry."""
    found = re.search(rf"(?<![\w-]){re.escape(name)}(?=\s*=)", raw, re.IGNORECASE)
    return entry if found is None else place_inside(entry, raw, found.start(), len(name))


def place_inside(entry: Place, raw: str, at: int, length: int) -> Place:
    """The place of an excerpt of an entry's source text, given by offset and length."""
    line = raw.count("\n", 0, at)
    column = at - raw.rfind("\n", 0, at) if line else entry.column + at
    return Place(entry.file, entry.line + line, column, length)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else line[:29] + "…"
