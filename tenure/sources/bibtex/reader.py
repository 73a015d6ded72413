"""
Read .bib files into one Node per entry: values are joined and macros replaced; LaTeX is not decoded.

The objects: a BibBlock is a part of a file as the library splits it; an entry block becomes a Node, whose
keys are the fields and, with an @ before them, what is no field; a broken or torn block is recovered first.
- broken: the library stopped at a syntax error, and gives no fields: @article{a title = {Looms}
- torn: the library ended a value, and the entry, at a quote inside braces: title = "On {M{"u}ller} looms"
@string{j = "Looms"} @article{a, title = {On {W}ool}, journal = j # " 2"}
-> title: "On {W}ool", journal: "Looms 2"

An entry with a syntax error, @article{a title = {Looms}, gives what can be read, and a BibtexHint.
A parent is the entry whose key is in `crossref` or `xdata`; its title becomes the book title of a paper.
@inproceedings{a, crossref = {p}} @proceedings{p, title = {Proc. of Looms}} -> a with booktitle Proc. of Looms
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tenure.model.dates import MONTH_NAMES
from tenure.model.publications import ARTICLES, BOOKS, PARTS, TYPE_ALIASES
from tenure.problems import Edit, Place, Problems, find_similar_word, suggest_word
from tenure.record import Record
from tenure.sources.bibtex.bib_fields import BIB_FIELDS
from tenure.sources.bibtex.bib_text import (
    MAX_EXPANDED_LENGTH,
    MAX_JOINED_LENGTH,
    NON_ENTRY_TYPES,
    BibBlock,
    JoinedValue,
    find_field_spans,
    join_value,
    split_blocks,
)
from tenure.sources.reading.node import Node

# Patterns as texts: most sites have no broken entry, and compile none of them.
_ENTRY_HEAD = r"""(?x)
    @\s*(?P<kind>\w+)\s*[{(]\s*
    (?:(?P<key>[^,\s={}()"]*)(?P<end>\s*,|\s*;|(?=\s*\n)|(?=\s+[\w+-]+\s*=))   # @article{pan2025,
    |(?=[\w+-]+\s*=))                                                           # @article{title =
"""

_FIELD_START = r"(?m)(?:^|,)[ \t]*([A-Za-z][\w+-]*)\s*=\s*"
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
    # a comma after the key, or in place of "pan2025;"
    end = head.end("key")
    replaced_length = 1 if raw[end] == ";" else 0
    edit = (end, replaced_length, ",")
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
    """
    What is wrong at the end of the text that the library could read.

    @book{a, title = {A} -> never closed. @book{a, title {A}} is read up to the word before the brace:
    -> an equals sign is missing after title. @book{a, title = {A},, year = 2024} -> no field before “,”.
    """
    # all is read, and the library still wants a brace
    if read_text.rstrip() == raw.rstrip():
        message = "the entry is never closed"
        return BibtexHint(0, len(raw.split("\n", 1)[0]), message, "add a } after its last field")

    # the last word or sign that was read; without any, the entry ends at its own first sign, the @
    excerpt = re.search(r"([\w+:-]+|\S)\s*\Z", read_text)
    offset = excerpt.start(1) if excerpt else 0
    text = excerpt[1] if excerpt else "@"
    if not text[0].isalpha():
        return BibtexHint(offset, len(text), f"there is no field before “{text}”", "delete it")
    hint = f"write {text} = {{…}}, or correct the braces before it"
    return BibtexHint(offset, len(text), f"an equals sign is missing after {text}", hint)


def _count_open_braces(value: str) -> int:
    """The number of opening braces minus the number of closing ones."""
    signs = re.findall(r"(?<!\\)[{}]", value)
    return signs.count("{") - signs.count("}")


_UNOPENED_ENTRY = r"(?m)^[ \t]*(@\w+)\s+([^\s,{(@=]+)\s*,\s*\n?\s*[\w+-]+\s*="
"""@article lee2020, title = -> "@article" and "lee2020"."""

_STRAY_FIELD = r"""(?xm)
    (?:\A[\s,}]*|^[ \t]*,?[ \t]*)
    (?P<name>[A-Za-z][\w+-]*)\s*=\s*[{\"\d]         # }, author = {…}
"""


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


TYPE_KEY = "@kind"
CITATION_KEY = "@key"
SOURCE_KEY = "@source"
MACROS_KEY = "@strings"
PARENTS_KEY = "@parents"
"""
Keys of an entry's Node that are not fields.

Type, citation key, source text, the macros it uses, the entries it inherits from.
"""

CONTROL_ENTRY_TYPES = frozenset({"control", "ieeetranbstctl", "bibnote"})
"""Entry types that configure LaTeX and are not publications."""

MONTH_MACROS = {month: month for name in MONTH_NAMES for month in (name[:3], name)} | {"sept": "sep"}
MAX_REPORTED_COMMAS = 50
"""So many missing commas of a value are reported; the search for the place of each reads the entry."""
BOOLEAN_WORDS = frozenset({"true", "false", "yes", "no"})


class ParsedBibFile(Record):
    """The readable entries of a .bib file in order, and the number of all its entries."""

    entries: tuple[Node, ...]
    entry_count: int


def read_bibtex(text: str, name: str, problems: Problems) -> ParsedBibFile:
    """Read the text of a .bib file; a syntax error is reported and does not affect other entries."""
    return read_bib_files({name: text}, problems)[name]


def read_bib_files(texts: Mapping[str, str], problems: Problems) -> dict[str, ParsedBibFile]:
    """
    Read the texts of .bib files by name. A file may use the macros of the others; its own take precedence.
    """
    blocks = {name: [*split_blocks(text)] for name, text in texts.items()}
    macros = {name: _find_macros(file_blocks) for name, file_blocks in blocks.items()}
    parsed: dict[str, ParsedBibFile] = {}
    for name, text in texts.items():
        others = ChainMap(*(values for other, values in macros.items() if other != name))
        parsed[name] = _BibFileReader(text, name, problems, others).read_entries(blocks[name])
    return parsed


def _find_macros(blocks: Sequence[BibBlock]) -> dict[str, str]:
    """
    The macros that the @string blocks of a file define, by name in lower case, for its other files.

    @string{M = JAN} -> {m: "jan"}. Nothing is reported: `_read_macros` reads the blocks of a file again, with
    its entries. There a macro has the value that stands above, and may use macros of other files, which must
    all be known before.
    """
    macros: dict[str, str] = {}

    def resolve(word: str) -> str | None:
        folded = word.casefold()
        return macros.get(folded, MONTH_MACROS.get(folded))

    for block in blocks:
        if block.block_type == "string":
            for name, value in block.fields:
                macros[name.casefold()] = join_value(value, resolve).value
    return macros


class _BibFileReader:
    """Reads one .bib file."""

    def __init__(self, text: str, name: str, problems: Problems, macros: Mapping[str, str]) -> None:
        self._text = text
        self._name = name
        self._problems = problems
        self._line = 1
        self._line_start = 0
        self._key_places: dict[str, Place] = {}
        self._own_macros: dict[str, str] = {}
        self._other_macros = macros
        self._reported_macros: set[str] = set()
        self._used_macros: dict[str, str] = {}
        self._expanded_length = 0

    def read_entries(self, blocks: Sequence[BibBlock]) -> ParsedBibFile:
        """The entries among the blocks of the file; everything that is not read is reported."""
        entries: list[Node] = []
        entry_count = 0
        is_broken = False
        for index, block in enumerate(blocks):
            place = self._locate_block(block)
            if block.block_type == "text":
                # the text after a broken entry is a part of it
                if not is_broken:
                    for syntax_hint in find_stray_entries(block.raw):
                        self._report_hint(syntax_hint, block.raw, place)
                continue

            is_broken = block.block_type in ("broken", "torn")
            if block.entry_type not in NON_ENTRY_TYPES | CONTROL_ENTRY_TYPES:
                entry_count += 1
                node = self._read_entry(blocks, index, place)
                if node is not None:
                    entries.append(node)
            elif block.block_type == "string":
                self._read_macros(block, place)
            elif is_broken:
                message = "this block is not closed"
                self._problems.report("bib-syntax", place, message, "add the missing brace")
        self._report_missing_entries(blocks)
        return ParsedBibFile(tuple(entries), entry_count)

    def _read_entry(self, blocks: Sequence[BibBlock], index: int, place: Place) -> Node | None:
        """The Node of an entry; of a broken or torn one what can be read, None if that has no title."""
        block = blocks[index]
        if block.block_type != "entry":
            # the entry continues in the text after it, up to the next block
            next_starts = (later.start for later in blocks[index + 1 :] if later.block_type != "text")
            raw = self._text[block.start : next(next_starts, len(self._text))]
            node = self._recover_node(raw, block, place)
            # without a title in the whole text, a torn block has the fields that the library read
            if node is not None or block.block_type != "torn":
                return node
        if not block.key:
            self._report_missing_key(place, "")
        return self._build_node(block, block.raw, place)

    def _read_macros(self, block: BibBlock, place: Place) -> None:
        """Read the macro of an @string block: one that the file defines twice has the value above its use."""
        self._own_macros |= {
            name.casefold(): self._join_value(value, place, block.raw).value for name, value in block.fields
        }

    def _report_missing_entries(self, blocks: Sequence[BibBlock]) -> None:
        """
        Report a file that has text, but no entry, not even a misspelt one.

        Lines with % and the front matter of Jekyll are no text.
        """
        if any(block.block_type != "text" for block in blocks) or any(find_stray_entries(self._text)):
            return
        for number, line in enumerate(self._text.split("\n"), 1):
            if line.strip().strip("-") and not line.lstrip().startswith("%"):
                place = Place(self._name, number, 1, min(len(line.rstrip()), 40))
                message = "this file has text, but no BibTeX entry"
                self._problems.report("bib-syntax", place, message, "write @article{key, …}")
                return

    def _locate_block(self, block: BibBlock) -> Place:
        """The place of a block. Must be called in the order of the text."""
        newlines = self._text.count("\n", self._line_start, block.start)
        if newlines:
            self._line += newlines
            self._line_start = self._text.rfind("\n", 0, block.start) + 1
        column = block.start - self._line_start + 1
        return Place(self._name, self._line, column, min(len(block.raw.partition("\n")[0]), 40))

    def _recover_node(self, raw: str, block: BibBlock, place: Place) -> Node | None:
        """The Node of a broken entry, which is reported; None without a title, as nothing could be shown."""
        recovered = recover_entry(raw, len(block.raw))
        # "@book{" alone
        if recovered is None:
            message = "this is not a BibTeX entry"
            self._problems.report("bib-syntax", place, message, "write @article{key, …}")
            return None

        has_title = any(name == "title" for name, _ in recovered.fields)
        if not recovered.key and recovered.fields:
            # @book{title = {A}, year = 2024}: the library takes the first field for the key
            self._report_missing_key(place, "" if has_title else " and is left out")
        elif block.block_type == "broken":
            # @book{a title = {A}}
            suffix = f'what can be read of "{recovered.key}" is shown'
            if not has_title:
                suffix = f'the entry "{recovered.key}" is left out'
            self._report_hint(recovered.hint, raw, place, f"; {suffix}")
        elif not has_title:
            # a torn entry with a title is correct BibTeX, and needs no report
            message = f'the entry "{recovered.key}" has no title and is left out'
            self._problems.report("bib-syntax", place, message, "add title = {…}")
        return self._build_node(recovered, raw.rstrip(), place) if has_title else None

    def _report_hint(self, syntax_hint: BibtexHint, raw: str, place: Place, suffix: str = "") -> None:
        """
        Report a syntax error at its place in the text `raw` of an entry, with the repair if that is certain.
        """
        problem_place = place_at_offset(place, raw, syntax_hint.offset, syntax_hint.length)
        edits: tuple[Edit, ...] = ()
        if syntax_hint.edit is not None:
            offset, length, text = syntax_hint.edit
            edits = (Edit(place_at_offset(place, raw, offset, length), text),)
        message = f"{syntax_hint.message}{suffix}"
        self._problems.report("bib-syntax", problem_place, message, syntax_hint.hint, edits)

    def _report_missing_key(self, place: Place, suffix: str) -> None:
        message = f"this entry has no key{suffix}"
        self._problems.report("bib-syntax", place, message, "write one after the brace: {pan2025,")

    def _build_node(self, entry: BibBlock | RecoveredEntry, raw: str, place: Place) -> Node:
        """The Node of an entry with this source text; a citation key that is used twice is reported."""
        key = entry.key
        if key and (first := self._key_places.setdefault(key, place)) is not place:
            message = f'the key "{key}" is used twice, first in line {first.line}'
            self._problems.report("bib-duplicate-key", place, message, "give one of the two another key")

        # `_read_values` adds the macros of this entry
        self._used_macros = {}
        texts = {TYPE_KEY: entry.entry_type, CITATION_KEY: key, SOURCE_KEY: raw}
        fields = {name: Node(text, place) for name, text in texts.items()}
        for name, text in self._read_values(entry, place, raw):
            if name not in fields:
                fields[name] = Node(text, place)
            elif fields[name].text != text:
                self._report_repeated_field(name, key, place, raw)
        macros = {macro: Node(text, place) for macro, text in self._used_macros.items()}
        return Node({**fields, MACROS_KEY: Node(macros, place)}, place)

    def _read_values(
        self, entry: BibBlock | RecoveredEntry, place: Place, raw: str
    ) -> Iterator[tuple[str, str]]:
        """The fields of an entry and their joined values, without fields that are commented out."""
        for label, value in entry.fields:
            own_name = label.casefold().lstrip("@ ")
            # the usual value: one pair of braces
            if value[:1] == "{" and value.find("}") == len(value) - 1:
                values = iter([(own_name, value[1:-1])])
            else:
                values = self._split_values(own_name, value, place, raw)
            yield from (pair for pair in values if not pair[0].startswith("%"))

    def _report_repeated_field(self, name: str, key: str, place: Place, raw: str) -> None:
        """Report a field that an entry has twice, at the second."""
        offsets = [*islice(find_field_offsets(raw, name), 2)]
        repeated_place = place
        if offsets:
            repeated_place = place_at_offset(place, raw, offsets[-1], len(name))
        message = f'the entry "{key}" has "{name}" twice; the first is shown'
        self._problems.report("bib-syntax", repeated_place, message, "delete one of the two")

    def _split_values(self, name: str, value_text: str, place: Place, raw: str) -> Iterator[tuple[str, str]]:
        """
        A field and its value, and the fields after it if the comma between them is missing.

        "title", "{Looms} year = 2024" -> title: Looms, year: 2024. Another text after the value is reported
        and dropped.
        """
        joined = self._join_value(value_text, place, raw)
        yield name, joined.value
        remainder = joined.remainder.strip(" \t\n,")
        if not remainder:
            return

        spans = [*find_field_spans(remainder, 0)]
        if not spans or not re.match(r"[\w:+-]+\s*=", remainder):
            message = f"“{_shorten_text(joined.remainder)}” after the value of {name} is not read"
            hint = f"put the whole value in braces: {{{_shorten_text(value_text)}}}"
            self._problems.report("bib-syntax", find_field_place(place, raw, name), message, hint)
            return

        for number, (other_name, start, end) in enumerate(spans):
            yield other_name, self._join_value(remainder[start:end], place, raw).value
            if number < MAX_REPORTED_COMMAS:
                message = f'a comma is missing before "{other_name}"'
                hint = f"add a comma after the value of {name}"
                edits = _insert_comma(place, raw, other_name)
                name_place = find_field_place(place, raw, other_name)
                self._problems.report("bib-syntax", name_place, message, hint, edits)
            name = other_name

    def _join_value(self, value_text: str, place: Place, raw: str) -> JoinedValue:
        """
        The joined value and the text after it: '"In " # caches, junk' -> "In Caches", "junk".

        An undefined macro is reported once. Macros of macros can grow without end, so that beyond a limit
        their names are taken for their values, which is reported once too.
        """
        is_within_limit = self._expanded_length <= MAX_EXPANDED_LENGTH
        joined = join_value(value_text, self._resolve_macro if is_within_limit else str)
        self._expanded_length += max(0, len(joined.value) - len(value_text))

        message = ""
        if is_within_limit and self._expanded_length > MAX_EXPANDED_LENGTH:
            limit = f"{MAX_EXPANDED_LENGTH:,} characters; after this value, only their names are read"
            message = f"the macros in this file expand to more than {limit}"
        elif joined.is_cut:
            limit = f"{MAX_JOINED_LENGTH:,} characters; only its first part is read"
            message = f"a value with its macros is longer than {limit}"
        if message:
            self._problems.report("bib-syntax", place, message, "write the value without macros")
        # journal = Looms and wool: "Looms" is no macro, but the first word of a text without braces, and the
        # caller reports the words after it
        if not joined.remainder.strip():
            self._report_unknown_macros(joined.unknown_macros, place, raw)
        return joined

    def _report_unknown_macros(self, names: Sequence[str], place: Place, raw: str) -> None:
        """Report the first use of each macro that no @string defines; "12/2020" and "yes" are no macros."""
        for name in names:
            is_expected = name.casefold() in self._reported_macros | BOOLEAN_WORDS
            if is_expected or re.search(r"[\d/.:–-]", name):
                continue
            self._reported_macros.add(name.casefold())
            match = re.search(rf"[=#]\s*({re.escape(name)})(?![\w-])", raw)
            macro_place = place
            if match is not None:
                macro_place = place_at_offset(place, raw, match.start(1), len(name))
            macros = [*self._own_macros, *self._other_macros, *MONTH_MACROS]
            hint = suggest_word(name, macros, f"put it in braces: {{{name}}}")
            message = f'no @string defines "{name}"; it is shown as written'
            self._problems.report("bib-syntax", macro_place, message, hint)

    def _resolve_macro(self, name: str) -> str | None:
        """
        The value of a macro: that of the file, a month, or that of another file; None if nothing defines it.
        """
        folded = name.casefold()
        if folded in MONTH_MACROS and folded not in self._own_macros:
            return MONTH_MACROS[folded]
        value = self._own_macros.get(folded, self._other_macros.get(folded))
        if value is not None:
            self._used_macros[name] = value
        return value


def _insert_comma(entry_place: Place, raw: str, name: str) -> tuple[Edit, ...]:
    """The edit that inserts a comma before a field; empty if the entry has the field twice."""
    offsets = [*islice(find_field_offsets(raw, name), 2)]
    preceding_text = ""
    if len(offsets) == 1:
        preceding_text = raw[: offsets[0]].rstrip()
    if not preceding_text or preceding_text[-1] in ",{(":
        return ()
    return (Edit(place_at_offset(entry_place, raw, len(preceding_text), 0), ","),)


def find_field_offsets(raw: str, name: str) -> Iterator[int]:
    """The offsets of a field's name in the source text of its entry; several if the field is repeated."""
    return (match.start() for match in re.finditer(rf"(?i)(?<![\w-]){re.escape(name)}(?=\s*=)", raw))


def find_field_place(entry_place: Place, raw: str, name: str) -> Place:
    """
    The place of a field in the source text of its entry; the place of the entry if it has no such field.
    """
    offset = next(find_field_offsets(raw, name), None)
    if offset is None:
        return entry_place
    return place_at_offset(entry_place, raw, offset, len(name))


def place_at_offset(entry_place: Place, raw: str, offset: int, length: int) -> Place:
    """The place of an excerpt of an entry's source text, given by offset and length."""
    line = raw.count("\n", 0, offset)
    column = offset - raw.rfind("\n", 0, offset) if line else entry_place.column + offset
    return Place(entry_place.file, entry_place.line + line, column, length)


def _shorten_text(text: str) -> str:
    """A text for a message, on one line and of at most 30 characters."""
    line = " ".join(text.split())
    if len(line) <= 30:
        return line
    return line[:29] + "…"


DATA_ONLY_TYPES = frozenset({"xdata", "set"})
"""Entry types that only hold data for other entries and are not publications."""


def inherit_fields(entries: Sequence[Node], problems: Problems) -> tuple[Node, ...]:
    """The entries in order, with inherited fields. Missing parents are reported; cycles are ignored."""
    by_key = {node.mapping[CITATION_KEY].text: node for node in reversed(entries)}
    by_folded_key = {key.casefold(): node for key, node in by_key.items()}
    return tuple(_resolve_entry(node, by_key, by_folded_key, problems) for node in entries)


def find_container_keys(entries: Sequence[Node]) -> frozenset[str]:
    """
    The keys of the books that contain other entries: those which an entry names in `crossref`.

    @inproceedings{pan, crossref = {p24}} @proceedings{p24, title = {Proc. of Looms}} -> {"p24"}
    An article may be named in `crossref` too, but contains nothing.
    """
    parents = (node.child("crossref").text for node in entries if "crossref" in node.mapping)
    referenced_keys = {key.strip().casefold() for key in parents}
    return frozenset(
        node.mapping[CITATION_KEY].text
        for node in entries
        if node.mapping[CITATION_KEY].text.casefold() in referenced_keys
        and node.mapping[TYPE_KEY].text in BOOKS
    )


def _resolve_entry(
    node: Node, by_key: Mapping[str, Node], by_folded_key: Mapping[str, Node], problems: Problems
) -> Node:
    """An entry with the fields of its parents, and of theirs, which are parents of the entry too."""
    references = _list_references(node)
    if not references:
        return node
    fields = dict(node.mapping)
    parents: list[Node] = []
    seen_ids = {id(node)}

    # `references` grows by those of each parent
    for field, key in references:
        parent = by_key.get(key) or by_folded_key.get(key.casefold())
        if parent is None:
            _report_missing_parent(node, field, key, by_key, problems)
        elif id(parent) not in seen_ids:
            seen_ids.add(id(parent))
            parents.append(
                Node({name: parent.mapping[name] for name in (SOURCE_KEY, MACROS_KEY)}, parent.place)
            )
            _copy_missing_fields(fields, parent, field)
            references += _list_references(parent)

    fields[PARENTS_KEY] = Node(tuple(parents), node.place)
    return Node(fields, node.place, node.keys)


def _list_references(node: Node) -> list[tuple[str, str]]:
    """The references of an entry as (field, key), `xdata` first."""
    return [
        (field, key.strip())
        for field in ("xdata", "crossref")
        if field in node.mapping
        for key in node.mapping[field].text.split(",")
        if key.strip()
    ]


def _copy_missing_fields(fields: dict[str, Node], parent: Node, reference_field: str) -> None:
    """
    Copy the fields of a parent that the entry does not have.

    By `xdata` all of them; by `crossref` the title as `booktitle`, and not what is of the parent itself.
    """
    written = {name: value for name, value in parent.mapping.items() if not name.startswith("@")}
    is_crossref = reference_field == "crossref"
    entry_types = (parent.mapping[TYPE_KEY].text, fields[TYPE_KEY].text)
    new_names = _find_title_names(*entry_types) if is_crossref else {}
    for name, value in written.items():
        row = BIB_FIELDS.get(name) if is_crossref else None
        # the references of a parent are followed one by one; a paper has an abstract of its own
        stays_with_parent = name in ("crossref", "xdata") or (row is not None and not row.inherited)
        if name in new_names or not stays_with_parent:
            fields.setdefault(new_names.get(name, name), value)


def _find_title_names(parent_type: str, child_type: str) -> Mapping[str, str]:
    """The fields that inherit the title and the subtitle of a parent. Source: biblatex manual, appendix B."""
    child_type = TYPE_ALIASES.get(child_type, child_type)
    if parent_type == "periodical" and child_type in ARTICLES:
        return {"title": "journaltitle", "subtitle": "journalsubtitle"}
    if parent_type in BOOKS and child_type in PARTS:
        return {"title": "booktitle", "subtitle": "booksubtitle"}
    return {}


def _report_missing_parent(
    node: Node, field: str, key: str, by_key: Mapping[str, Node], problems: Problems
) -> None:
    """Report a key in `crossref` or `xdata` that no entry has."""
    own_key = node.mapping[CITATION_KEY].text
    hint = "add its entry to a .bib file in bib/"
    if find_similar_word(key, by_key) != own_key:
        hint = suggest_word(key, by_key, hint)
    message = f'the entry “{own_key}” names "{key}" in {field}, but there is no such entry'
    problems.report("bib-missing-entry", node.place, message, hint)
