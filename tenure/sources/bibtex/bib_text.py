"""
The text of a .bib file: its blocks, as bibtexparser splits it, the fields of a block, and their values.

@string{j = "Looms"} @book{a, title = "B"} -> a "string" block; an "entry" block with key a and (title, "B").
A value is in braces or quotes, a number, or the name of a macro; parts are joined by #: "Proc. " # sosp ->
the text and the value of the macro in one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from tenure.record import Record
from tenure.sources.latex.braces import compile_pattern, find_closing_sign

NON_ENTRY_TYPES = frozenset({"comment", "string", "preamble"})
_ENTRY_HEAD = r"@\s*(\w+)\s*[{(]\s*([^,\s}=;]*)"
"""@article{lee2020 -> "article" and "lee2020"."""

BlockType = Literal["entry", "torn", "string", "text", "broken", "other"]


class BibBlock(Record):
    """
    A block of a .bib file: its offset and text, the word after the @ in lower case, key and unparsed fields.

    A "string" block has its macro as the only field. A "text" block is outside of all others; "other" blocks
    are comments and preambles. A "broken" block has a syntax error, and no fields. A "torn" block is an entry
    in which the library ended a value at a quote inside braces, which BibTeX does not do.
    """

    block_type: BlockType
    start: int
    raw: str
    entry_type: str = ""
    key: str = ""
    fields: Sequence[tuple[str, str]] = ()


def split_entries(text: str) -> Iterator[BibBlock]:
    """The entries of a .bib file in order, with those that have a syntax error."""
    return (
        block
        for block in split_blocks(text)
        if block.block_type != "text" and block.entry_type not in NON_ENTRY_TYPES
    )


def split_blocks(text: str) -> Iterator[BibBlock]:
    """The blocks of a .bib file in order; they do not overlap."""
    import logging

    from bibtexparser import model
    from bibtexparser.splitter import Splitter

    # Tenure reports these problems itself
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    position = 0
    for library_block in Splitter(text).split().blocks:
        raw = library_block.raw or ""
        block: model.Block | None = library_block
        if isinstance(block, model.DuplicateBlockKeyBlock | model.DuplicateFieldKeyBlock):
            block = block.ignore_error_block
        if isinstance(block, model.ParsingFailedBlock):
            # the library includes the head of the next block
            raw = re.sub(r"(?<!\A)@\w*[ \t]*\Z", "", raw)
        offset = text.index(raw, position)
        position = offset + len(raw)
        yield _convert_block(block, raw, offset)


def _convert_block(block: object, raw: str, offset: int) -> BibBlock:
    """A block of the library with its text and offset as one of ours."""
    from bibtexparser import model

    head = re.match(_ENTRY_HEAD, raw)
    entry_type, key = (head[1].casefold(), head[2]) if head else ("comment", "")
    match block:
        case model.Entry():
            # a comment line before a field is a part of its key for the library
            fields = [(item.key.rpartition("\n")[2].strip(), str(item.value)) for item in block.fields]
            # title = "On {M{"u}ller} looms" -> the value "On {M{", where BibTeX reads it as a whole
            is_torn = any(value[:1] == '"' and value.count("{") > value.count("}") for _, value in fields)
            own_type = block.entry_type.casefold()
            return BibBlock("torn" if is_torn else "entry", offset, raw, own_type, block.key.strip(), fields)
        case model.String():
            return BibBlock("string", offset, raw, entry_type, fields=[(block.key, block.value)])
        case model.ImplicitComment():
            return BibBlock("text", offset, raw)
        case model.ParsingFailedBlock():
            return BibBlock("broken", offset, raw, entry_type, key)
    return BibBlock("other", offset, raw, entry_type, key)


def split_name_list(value: str) -> list[str]:
    """The names between the "and" outside braces."""
    from bibtexparser.middlewares.names import split_multiple_persons_names

    return split_multiple_persons_names(value)


def split_name_parts(name: str) -> tuple[list[str], list[str], list[str], list[str]]:
    """The words of the given name, the particle, the family name and the suffix of a name."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts

    parts = parse_single_name_into_parts(name, strict=False)
    return parts.first, parts.von, parts.last, parts.jr


_BARE_VALUE = r"[^\s#,{}\"]+"
"""A value without braces or quotes: 2024, or the name of a macro: mar."""

_FIELD_START = r"[\s,;}\"]*(?:%[^\n]*\n[\s,;}]*)*(?P<name>[A-Za-z][\w+:.-]*)\s*=\s*"
"""title =, behind the comma of the field before and behind comments: ", % checked"."""

_USUAL_FIELD = rf"{_FIELD_START}(?P<value>\{{[^{{}}\\]*+\}})(?!\s*#)"
"""A field whose value has no inner braces: title = {Looms}."""

_NEXT_FIELD = r"(?:,?[ \t]*\n[ \t]*(?:,[ \t]*)?|,[ \t]*)(?=[A-Za-z][\w+:.-]*\s*=\s*[{\"\w])"
"""The place before a field behind a value that is never closed: a comma or a line break."""

_ENTRY_END = r"\s*\Z"
"""Nothing follows the sign that closes a value, not even the brace of the entry."""


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
    Join the parts of a field's value: '"Proc. " # sosp' -> "Proc. of SOSP", with {sosp: "of SOSP"}.

    `resolve_macro` returns the value of a macro, or None; the name of an unknown macro stands for its value.

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


_CONCATENATION = r"\s*#\s*"


def _find_value_end(raw: str, start: int) -> int:
    """The end of a value, including all parts joined by #."""
    offset = start
    while True:
        if raw[offset : offset + 1] in ("{", '"'):
            closing_offset = find_closing_sign(raw, offset)
            if compile_pattern(_ENTRY_END).match(raw, closing_offset + 1):
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
