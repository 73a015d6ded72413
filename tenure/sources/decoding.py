"""Entries to publications: each decoded once, and kept between builds where there was nothing to tell."""

import hashlib
import marshal
import pickle
from collections.abc import Sequence

from tenure.memo import Memo
from tenure.model.names import Name
from tenure.model.scholar import Publication
from tenure.problems import Problem, Problems
from tenure.sources.bibliography import publication
from tenure.sources.tree import Node
from tenure.spread import spread

MANY = 400
"""Entries from which on a second process pays: what it sends back costs a fifth of decoding."""


def decoded(
    nodes: Sequence[Node], owner: Sequence[Name], problems: Problems, memo: Memo
) -> list[Publication]:
    """
    The publication of each entry, in order, with its id still to be given; what is doubtful is told.

    An entry of which a problem is told is decoded every time, so that the problem has its place in the file.
    """
    whose = hashlib.blake2b(repr(owner).encode()).digest()
    keys = [_key(node, whose) for node in nodes]
    kept = [memo.get(key) for key in keys]

    def decode(node: Node) -> tuple[Publication, tuple[Problem, ...]]:
        before = problems.count()
        return publication(node, owner, "", problems), problems.since(before)

    made = iter(spread(decode, [node for node, body in zip(nodes, kept, strict=True) if body is None], MANY))
    papers: list[Publication] = []
    for key, body in zip(keys, kept, strict=True):
        if body is not None:
            papers.append(pickle.loads(body))  # noqa: S301 - the memo holds what we wrote, by its digest
            continue
        paper, told = next(made)
        problems.add(told)
        if not told:
            memo.put(key, pickle.dumps(paper, protocol=pickle.HIGHEST_PROTOCOL))
        papers.append(paper)
    return papers


def _key(node: Node, whose: bytes) -> str:
    """The digest of an entry's words; its place is given to the publication anew in every build."""
    words = marshal.dumps([(name, _words(child)) for name, child in node.entries.items()])
    return hashlib.blake2b(words, digest_size=16, key=whose).hexdigest()


def _words(node: Node) -> object:
    value = node.value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [_words(child) for child in value]
    return [(name, _words(child)) for name, child in value.items()]
