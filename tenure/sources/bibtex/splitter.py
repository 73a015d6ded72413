"""Split a .bib file into blocks: simple entries by regular expressions, all other text by bibtexparser."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from tenure.record import Record
from tenure.sources.bibtex.values import find_field_spans

NON_ENTRY_TYPES = frozenset({"comment", "string", "preamble"})

_PLAIN_TEXT = r"[^{}\\]*+"
_BRACED_VALUE = rf"\{{{_PLAIN_TEXT}(?>(?:\\[^\\]{_PLAIN_TEXT})*)\}}"
for _ in range(3):
    _BRACED_VALUE = rf"\{{{_PLAIN_TEXT}(?>(?:(?:\\[^\\]|{_BRACED_VALUE}){_PLAIN_TEXT})*)\}}"
_SIMPLE_HEAD = re.compile(r"@(?!comment|string|preamble)(\w+)\{\s*+([^\s,={}\"#%\\()']+),", re.IGNORECASE)
_QUOTED_VALUE = r"\"[^\"\\]*+(?>(?:\\[^\\\"][^\"\\]*+)*)\""
_SIMPLE_FIELD = re.compile(
    rf"\s*+([A-Za-z][\w-]*+)\s*+=\s*+({_BRACED_VALUE}|[\w:.+/-]++|{_QUOTED_VALUE})\s*+(,|(?=\}}))"
)
SIMPLE_VALUE = re.compile(rf"{_BRACED_VALUE}|\"[^\"\\{{}}]*+\"")
_ENTRY_END = re.compile(r"\s*+\}")
_INDENTED_AT_SIGN = re.compile(r"^[ \t]+@", re.MULTILINE)
ENTRY_HEAD = re.compile(r"@\s*(\w+)\s*[{(]\s*([^,\s}=;]*)")
_NEXT_HEAD = re.compile(r"(?<!\A)@\w*[ \t]*\Z")

BlockType = Literal["entry", "torn", "string", "text", "broken", "other"]


class BibBlock(Record):
    """
    A block of a .bib file: its offset and text, the word after the @ in lower case, citation key and unparsed fields.

    A "string" block has its macro as the only field. A "text" block is outside of all others; "other" blocks are
    comments and preambles. A "broken" block has a syntax error, and no fields. A "torn" block is an entry in which the
    library ended a value at a quote inside braces, which BibTeX does not do.
    """

    block_type: BlockType
    start: int
    raw: str
    entry_type: str = ""
    key: str = ""
    fields: Sequence[tuple[str, str]] = ()


def split_blocks(text: str) -> Iterator[BibBlock]:
    """
    The blocks of a .bib file in order; they do not overlap.

    A simple entry begins a line, and no other line in it begins with an @. It has exactly the fields that the library
    would return; the library takes four times as long. The text between two simple entries is split by the library.
    """
    pending_start = offset = 0
    while offset < len(text):
        next_at_sign = text.find("\n@", offset) + 1 or len(text)
        entry = _match_simple_entry(text, offset, next_at_sign)
        if entry is not None:
            yield from split_with_library(text[pending_start:offset], pending_start)
            yield entry
            pending_start = offset + len(entry.raw)
        offset = next_at_sign
    yield from split_with_library(text[pending_start:], pending_start)


def split_entries(text: str) -> Iterator[BibBlock]:
    """The entries of a .bib file in order, with those that have a syntax error."""
    return (
        block
        for block in split_blocks(text)
        if block.block_type != "text" and block.entry_type not in NON_ENTRY_TYPES
    )


def _match_simple_entry(text: str, start: int, end: int) -> BibBlock | None:
    """The simple entry at the beginning of a part of the text, or None."""
    head = _SIMPLE_HEAD.match(text, start, end)
    if head is None or text.find("\\\\", start, end) >= 0:
        return None
    if text.find("@", start + 1, end) >= 0 and _INDENTED_AT_SIGN.search(text, start + 1, end):
        return None  # the library ends the entry at an @ that begins a line
    fields: dict[str, str] = {}
    offset, has_more = head.end(), True
    while has_more and (field := _SIMPLE_FIELD.match(text, offset, end)):
        name, value, comma = field.groups()
        if name in fields or (value[0] == '"' and value.count("{") != value.count("}")):
            return None
        fields[name] = value
        has_more, offset = comma == ",", field.end()
    end_match = _ENTRY_END.match(text, offset, end)
    if end_match is None:
        return None
    raw = text[start : end_match.end()]
    return BibBlock("entry", start, raw, head[1].casefold(), head[2], [*fields.items()])


def split_with_library(text: str, start: int) -> Iterator[BibBlock]:
    """The blocks of a text that begins at an offset of its file, as bibtexparser splits it; none if it is blank."""
    if not text.strip():
        return
    import logging  # noqa: PLC0415 - the library takes 12 ms, and most files do not need it

    from bibtexparser import model  # noqa: PLC0415 - see above
    from bibtexparser.splitter import Splitter  # noqa: PLC0415 - see above

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # Tenure reports these problems itself
    position = 0
    for library_block in Splitter(text).split().blocks:
        raw = library_block.raw or ""
        block: model.Block | None = library_block
        if isinstance(block, model.DuplicateBlockKeyBlock | model.DuplicateFieldKeyBlock):
            block = block.ignore_error_block
        if isinstance(block, model.ParsingFailedBlock):
            raw = _NEXT_HEAD.sub("", raw)  # the library includes the head of the next block
        offset = text.index(raw, position)
        position = offset + len(raw)
        head = ENTRY_HEAD.match(raw)
        entry_type, key = (head[1].casefold(), head[2]) if head else ("comment", "")
        offset += start
        match block:
            case model.Entry():
                written = [(item.key.rpartition("\n")[2].strip(), str(item.value)) for item in block.fields]
                fields = [*_list_fields(written)]
                is_torn = any(value[:1] == '"' and value.count("{") > value.count("}") for _, value in fields)
                block_type: BlockType = "torn" if is_torn else "entry"
                entry_type = block.entry_type.casefold()
                yield BibBlock(block_type, offset, raw, entry_type, block.key.strip(), fields)
            case model.String():
                yield BibBlock("string", offset, raw, entry_type, fields=[(block.key, block.value)])
            case model.ImplicitComment():
                yield BibBlock("text", offset, raw)
            case model.ParsingFailedBlock():
                yield BibBlock("broken", offset, raw, entry_type, key)
            case _:
                yield BibBlock("other", offset, raw, entry_type, key)


def _list_fields(written_fields: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The fields of an entry without those after a percent sign; such a line may end without a comma."""
    for name, value in written_fields:
        if not name.startswith("%"):
            yield name, value
            continue
        line, _, rest = value.partition("\n")
        if line.count("{") == line.count("}"):
            yield from ((name, rest[start:end]) for name, start, end in find_field_spans(rest, 0))
