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
    recalled = [_recalled(node, whose, memo) for node in nodes]
    keys = [_key(node, whose) if known is None else "" for node, known in zip(nodes, recalled, strict=True)]
    kept = [memo.get(key) if key else None for key in keys]

    def decode(node: Node) -> tuple[Publication, tuple[Problem, ...]]:
        before = problems.count()
        return publication(node, owner, "", problems), problems.since(before)

    new = [node for node, key, body in zip(nodes, keys, kept, strict=True) if key and body is None]
    made = iter(spread(decode, new, MANY))
    papers: list[Publication] = []
    for node, known, key, body in zip(nodes, recalled, keys, kept, strict=True):
        if known is not None:
            papers.append(known)
            continue
        if body is not None:
            paper = pickle.loads(body)  # noqa: S301 - the memo holds what we wrote, by its digest
        else:
            paper, told = next(made)
            problems.add(told)
            if told:
                papers.append(paper)
                continue
            memo.put(key, pickle.dumps(paper, protocol=pickle.HIGHEST_PROTOCOL))
        memo.recall.put("decoded", node.entries, (paper, key), whose)
        papers.append(paper)
    return papers


def _recalled(node: Node, whose: bytes, memo: Memo) -> Publication | None:
    """The publication of a node that was decoded before; its bytes stay kept."""
    match memo.recall.get("decoded", node.entries, whose):
        case (Publication() as paper, str() as key):
            memo.get(key)
            return paper
        case _:
            return None


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
