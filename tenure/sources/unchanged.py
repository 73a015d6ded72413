"""The entries of a .bib file that stand as they stood before; only those that have changed are read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tenure.frozen import dataclass
from tenure.problems import Problems
from tenure.sources.bibtex import KEY, NO_ENTRY, NO_WORK, SOURCE, Bibliography, read_bibtex
from tenure.sources.tree import Node

MOST = 20
"""Changed entries beyond which the whole file is read."""

_MACRO = re.compile(r"@\s*string", re.IGNORECASE)

Block = tuple[str, int]
"""
What stands from one @ that begins a line to the next, and how many blocks before it are no entries.

Of those are the macros that it may use. An entry that does not begin a line belongs to the block before it.
"""


@dataclass(frozen=True, slots=True)
class Sound:
    """A .bib file of which nothing was told: what stands before its blocks, the entry in each or None, all entries."""

    head: str
    blocks: Mapping[Block, Node | None]
    entries: Bibliography


def sound(text: str, made: Bibliography) -> Sound | None:
    """What is to be known of a file that was read without a problem; None where its entries are not one a block."""
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
    A file read by what is known of it; the fields of an entry that stands as it stood are those very fields.

    None where it has to be read as a whole: what is no entry has changed, or a changed entry is not sound. `strings`
    are the macros of other files.
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
    """What stands before the first block, and each block without its @."""
    return f"\n{text}".split("\n@")


def _lines(head: str, cut: Sequence[str]) -> Iterator[int]:
    """The line of each block."""
    line = 1 + head.count("\n")
    for words in cut:
        yield line
        line += 1 + words.count("\n")


def _stands(node: Node, words: str) -> bool:
    """Whether an entry stands within a block, and no macro for others behind it."""
    return node.entries[SOURCE].words.strip()[1:] in words and not _MACRO.search(words)


def _is_no_entry(words: str) -> bool:
    kind = words.strip().partition("{")[0].partition("(")[0].strip().casefold()
    return kind in NO_ENTRY | NO_WORK


def _at(node: Node | None, line: int) -> Node | None:
    """An entry at another line; its fields stay the same object, as their own places are not looked at."""
    if node is None or node.place.line == line:
        return node
    return Node(node.value, replace(node.place, line=line))
