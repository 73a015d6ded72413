"""
Split a .bib file into blocks with bibtexparser.

@string{j = "Looms"} @book{a, title = "B"} -> a "string" block; an "entry" block with key a and (title, "B").
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from tenure.record import Record

NON_ENTRY_TYPES = frozenset({"comment", "string", "preamble"})
_ENTRY_HEAD = r"@\s*(\w+)\s*[{(]\s*([^,\s}=;]*)"

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
            fields = [(item.key.rpartition("\n")[2].strip(), str(item.value)) for item in block.fields]
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
