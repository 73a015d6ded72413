"""Decode entries to publications; an entry without problems is decoded once and cached between builds."""

from collections.abc import Sequence

from tenure.cache.store import CacheStore
from tenure.model.entries import Publication
from tenure.model.names import Name
from tenure.problems import Problems
from tenure.sources.node import Node
from tenure.sources.publications.publication import build_publication


def decode_entries(
    nodes: Sequence[Node], owner: Sequence[Name], problems: Problems, store: CacheStore
) -> list[Publication]:
    """
    The publication of each entry, in order, without an id; doubtful values are reported.

    An entry with problems is decoded in every build, so that each problem has its current place in the file.
    """
    owner_names = repr(owner)

    def decode_entry(node: Node) -> Publication:
        # The place is not an input, because it is set in every build.
        inputs = owner_names, [(name, _nested_value(child)) for name, child in node.mapping.items()]
        return store.call(
            "entries", None, inputs, lambda: build_publication(node, owner, "", problems), problems
        )

    return [decode_entry(node) for node in nodes]


def _nested_value(node: Node) -> object:
    value = node.value
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [_nested_value(child) for child in value]
    return [(name, _nested_value(child)) for name, child in value.items()]
