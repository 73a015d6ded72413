"""Decode entries to publications; an entry without problems is decoded once and cached between builds."""

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
"""Number of entries from which a second process is faster; sending back the result costs a fifth of decoding."""


def decoded(
    nodes: Sequence[Node], owner: Sequence[Name], problems: Problems, memo: Memo
) -> list[Publication]:
    """
    The publication of each entry, in order, without an id; doubtful values are reported.

    An entry with problems is decoded in every build, so that each problem has its current place in the file.
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
            paper = pickle.loads(body)  # noqa: S301 - the cache contains only our own data, by digest
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
    """The publication of a node decoded earlier in this process; its cached bytes are marked as used."""
    match memo.recall.get("decoded", node.entries, whose):
        case (Publication() as paper, str() as key):
            memo.get(key)
            return paper
        case _:
            return None


def _key(node: Node, whose: bytes) -> str:
    """The digest of an entry's values; the place is not included, because it is set in every build."""
    words = marshal.dumps([(name, _words(child)) for name, child in node.entries.items()])
    return hashlib.blake2b(words, digest_size=16, key=whose).hexdigest()


def _words(node: Node) -> object:
    value = node.value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [_words(child) for child in value]
    return [(name, _words(child)) for name, child in value.items()]
