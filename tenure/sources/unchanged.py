"""Reparse only the changed entries of a .bib file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tenure.frozen import dataclass
from tenure.problems import Problems
from tenure.sources.bibtex import KEY, NO_ENTRY, NO_WORK, SOURCE, Bibliography, read_bibtex
from tenure.sources.tree import Node

MOST = 20
"""With more changed entries than this, the whole file is parsed."""

_MACRO = re.compile(r"@\s*string", re.IGNORECASE)

Block = tuple[str, int]
"""
The text from one @ at the beginning of a line to the next, and the number of non-entry blocks before it.

The number is part of the key because non-entry blocks define macros. An entry that does not begin a line belongs to
the block before it.
"""


@dataclass(frozen=True, slots=True)
class Sound:
    """A .bib file parsed without problems: text before the first block, entry (or None) per block, all entries."""

    head: str
    blocks: Mapping[Block, Node | None]
    entries: Bibliography


def sound(text: str, made: Bibliography) -> Sound | None:
    """Index the entries of a file that was parsed without problems; None if a block is not exactly one entry or none."""
    head, *cut = _cut(text)
    nodes = {node.place.line: node for node in made.entries}
    blocks: dict[Block, Node | None] = {}
    after = 0
    for line, words in zip(_lines(head, cut), cut, strict=True):
        node = nodes.pop(line, None)
        if not (_stands(node, words) if node else _is_no_entry(words)):
            return None
        blocks[words, after] = node
        after += node is None
    alone = len(made.entries) == sum(node is not None for node in blocks.values())
    return Sound(head, blocks, made) if alone and made.found == len(made.entries) else None


def again(text: str, name: str, before: Sound, strings: Mapping[str, str]) -> Sound | None:
    """
    Parse the changed entries of a file; unchanged entries keep the same field objects.

    None if the whole file must be parsed: a non-entry block has changed, or a changed entry has a problem. `macros`
    has the macros of other files.
    """
    head, *cut = _cut(text)
    known = before.blocks
    blocks: list[Block] = []
    after = 0
    for words in cut:
        blocks.append((words, after))
        after += blocks[-1] in known and known[blocks[-1]] is None
    new = [block for block in blocks if block not in known]
    if (head != before.head and "@" in head + before.head) or len(new) > MOST:
        return None
    if after != sum(node is None for node in known.values()):
        return None
    problems = Problems()
    apart = [block[0] for block in blocks if known.get(block) is None]
    made = read_bibtex("\n@".join([head, *apart]), name, problems, strings)
    if problems.count() or made.found != len(new) or len(made.entries) != len(new):
        return None
    if not all(_stands(node, block[0]) for node, block in zip(made.entries, new, strict=True)):
        return None
    nodes = {**known, **dict(zip(new, made.entries, strict=True))}
    found = {block: _at(nodes[block], line) for block, line in zip(blocks, _lines(head, cut), strict=True)}
    entries = tuple(node for node in found.values() if node is not None)
    if len(found) < len(blocks) or len({node.entries[KEY].words for node in entries}) < len(entries):
        return None
    return Sound(head, found, Bibliography(entries, len(entries)))


def _cut(text: str) -> list[str]:
    """The text before the first block, then each block without its @."""
    return f"\n{text}".split("\n@")


def _lines(head: str, cut: Sequence[str]) -> Iterator[int]:
    """The line number of each block."""
    line = 1 + head.count("\n")
    for words in cut:
        yield line
        line += 1 + words.count("\n")


def _stands(node: Node, words: str) -> bool:
    """Whether a block contains the whole entry and no macro definition."""
    return node.entries[SOURCE].words.strip()[1:] in words and not _MACRO.search(words)


def _is_no_entry(words: str) -> bool:
    kind = words.strip().partition("{")[0].partition("(")[0].strip().casefold()
    return kind in NO_ENTRY | NO_WORK


def _at(node: Node | None, line: int) -> Node | None:
    """The entry with another line number; its fields are the same objects, because their places are not used."""
    if node is None or node.place.line == line:
        return node
    return Node(node.value, replace(node.place, line=line))
