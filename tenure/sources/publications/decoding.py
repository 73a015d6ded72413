"""Decode entries to publications; an entry without problems is decoded once and cached between builds."""

import hashlib
import marshal
import pickle
from collections.abc import Sequence

from tenure.cache.store import CacheStore
from tenure.model.entries import Publication
from tenure.model.names import Name
from tenure.parallel import parallel_map
from tenure.problems import Problem, Problems
from tenure.sources.node import Node
from tenure.sources.publications.publication import build_publication

PARALLEL_THRESHOLD = 400
"""Number of entries from which a second process is faster; sending back the result costs a fifth of decoding."""


def decode_entries(
    nodes: Sequence[Node], owner: Sequence[Name], problems: Problems, cache: CacheStore
) -> list[Publication]:
    """
    The publication of each entry, in order, without an id; doubtful values are reported.

    An entry with problems is decoded in every build, so that each problem has its current place in the file.
    """
    owner_digest = hashlib.blake2b(repr(owner).encode()).digest()
    in_memory = [_find_in_memory(node, owner_digest, cache) for node in nodes]
    keys = [
        _make_cache_key(node, owner_digest) if known_result is None else ""
        for node, known_result in zip(nodes, in_memory, strict=True)
    ]
    cached_bytes = [cache.get(key) if key else None for key in keys]

    def decode_node(node: Node) -> tuple[Publication, tuple[Problem, ...]]:
        problem_count = problems.count()
        return build_publication(node, owner, "", problems), problems.added_since(problem_count)

    new_nodes = [
        node for node, key, pickled in zip(nodes, keys, cached_bytes, strict=True) if key and pickled is None
    ]
    results = iter(parallel_map(decode_node, new_nodes, PARALLEL_THRESHOLD))
    publications: list[Publication] = []
    for node, known_result, key, pickled in zip(nodes, in_memory, keys, cached_bytes, strict=True):
        if known_result is not None:
            publications.append(known_result)
            continue
        if pickled is not None:
            result = pickle.loads(pickled)  # noqa: S301 - the cache contains only our own data, by digest
        else:
            result, new_problems = next(results)
            problems.add(new_problems)
            if new_problems:
                publications.append(result)
                continue
            cache.put(key, pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))
        cache.recall.put("decoded", node.mapping, (result, key), owner_digest)
        publications.append(result)
    return publications


def _find_in_memory(node: Node, owner_digest: bytes, cache: CacheStore) -> Publication | None:
    """The publication of a node decoded earlier in this process; its cached bytes are marked as used."""
    match cache.recall.get("decoded", node.mapping, owner_digest):
        case (Publication() as paper, str() as key):
            cache.get(key)
            return paper
        case _:
            return None


def _make_cache_key(node: Node, owner_digest: bytes) -> str:
    """The digest of an entry's values; the place is not included, because it is set in every build."""
    content = marshal.dumps([(name, _nested_value(child)) for name, child in node.mapping.items()])
    return hashlib.blake2b(content, digest_size=16, key=owner_digest).hexdigest()


def _nested_value(node: Node) -> object:
    value = node.value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [_nested_value(child) for child in value]
    return [(name, _nested_value(child)) for name, child in value.items()]
