"""Reparse only the changed entries of a .bib file."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.problems import Problems
from tenure.record import Record, replace
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    CONTROL_ENTRY_TYPES,
    SOURCE_KEY,
    ParsedBibFile,
    read_bibtex,
)
from tenure.sources.bibtex.splitter import NON_ENTRY_TYPES
from tenure.sources.node import Node

MAX_CHANGED_BLOCKS = 20
"""With more changed entries than this, the whole file is parsed."""

_MACRO_DEFINITION = re.compile(r"@\s*string", re.IGNORECASE)

BlockKey = tuple[str, int]
"""
The text from one @ at the beginning of a line to the next, and the number of non-entry blocks before it.

The number is part of the key because non-entry blocks define macros. An entry that does not begin a line belongs to
the block before it.
"""


class CleanParse(Record):
    """A .bib file parsed without problems: text before the first block, entry (or None) per block, all entries."""

    leading_text: str
    blocks: Mapping[BlockKey, Node | None]
    bib_file: ParsedBibFile


def index_blocks(text: str, bib_file: ParsedBibFile) -> CleanParse | None:
    """Index the entries of a file that was parsed without problems; None if a block is not exactly one entry or none."""
    leading_text, *block_texts = _split_into_blocks(text)
    nodes = {node.place.line: node for node in bib_file.entries}
    blocks: dict[BlockKey, Node | None] = {}
    non_entry_count = 0
    for line, block_text in zip(_find_block_lines(leading_text, block_texts), block_texts, strict=True):
        node = nodes.pop(line, None)
        if not (_has_whole_entry(node, block_text) if node else _is_non_entry(block_text)):
            return None
        blocks[block_text, non_entry_count] = node
        non_entry_count += node is None
    has_unique_blocks = len(bib_file.entries) == sum(node is not None for node in blocks.values())
    return (
        CleanParse(leading_text, blocks, bib_file)
        if has_unique_blocks and bib_file.entry_count == len(bib_file.entries)
        else None
    )


def reparse_changed(
    text: str, name: str, previous: CleanParse, macros: Mapping[str, str]
) -> CleanParse | None:
    """
    Parse the changed entries of a file; unchanged entries keep the same field objects.

    None if the whole file must be parsed: a non-entry block has changed, or a changed entry has a problem. `macros`
    has the macros of other files.
    """
    leading_text, *block_texts = _split_into_blocks(text)
    known_blocks = previous.blocks
    blocks: list[BlockKey] = []
    non_entry_count = 0
    for block_text in block_texts:
        blocks.append((block_text, non_entry_count))
        non_entry_count += blocks[-1] in known_blocks and known_blocks[blocks[-1]] is None
    changed_blocks = [block for block in blocks if block not in known_blocks]
    if (leading_text != previous.leading_text and "@" in leading_text + previous.leading_text) or len(
        changed_blocks
    ) > MAX_CHANGED_BLOCKS:
        return None
    if non_entry_count != sum(node is None for node in known_blocks.values()):
        return None
    problems = Problems()
    reread_texts = [block[0] for block in blocks if known_blocks.get(block) is None]
    bib_file = read_bibtex("\n@".join([leading_text, *reread_texts]), name, problems, macros)
    if (
        problems.count()
        or bib_file.entry_count != len(changed_blocks)
        or len(bib_file.entries) != len(changed_blocks)
    ):
        return None
    if not all(
        _has_whole_entry(node, block[0]) for node, block in zip(bib_file.entries, changed_blocks, strict=True)
    ):
        return None
    nodes = {**known_blocks, **dict(zip(changed_blocks, bib_file.entries, strict=True))}
    node_by_block = {
        block: _move_to_line(nodes[block], line)
        for block, line in zip(blocks, _find_block_lines(leading_text, block_texts), strict=True)
    }
    entries = tuple(node for node in node_by_block.values() if node is not None)
    if len(node_by_block) < len(blocks) or len({node.mapping[CITATION_KEY].text for node in entries}) < len(
        entries
    ):
        return None
    return CleanParse(leading_text, node_by_block, ParsedBibFile(entries, len(entries)))


def _split_into_blocks(text: str) -> list[str]:
    """The text before the first block, then each block without its @."""
    return f"\n{text}".split("\n@")


def _find_block_lines(leading_text: str, block_texts: Sequence[str]) -> Iterator[int]:
    """The line number of each block."""
    line = 1 + leading_text.count("\n")
    for block_text in block_texts:
        yield line
        line += 1 + block_text.count("\n")


def _has_whole_entry(node: Node, block_text: str) -> bool:
    """Whether a block contains the whole entry and no macro definition."""
    return node.mapping[SOURCE_KEY].text.strip()[1:] in block_text and not _MACRO_DEFINITION.search(
        block_text
    )


def _is_non_entry(block_text: str) -> bool:
    entry_type = block_text.strip().partition("{")[0].partition("(")[0].strip().casefold()
    return entry_type in NON_ENTRY_TYPES | CONTROL_ENTRY_TYPES


def _move_to_line(node: Node | None, line: int) -> Node | None:
    """The entry with another line number; its fields are the same objects, because their places are not used."""
    if node is None or node.place.line == line:
        return node
    return Node(node.value, replace(node.place, line=line))
