"""
Nodes of JSON that other services send;
any shape, size and depth of JSON is possible until it is read field by field.
"""

import json
import re
from collections.abc import Mapping, Sequence

from tenure.limits import MAX_NESTING
from tenure.problems import Place
from tenure.sources.reading.node import Node

EMPTY_NODE = Node(None, Place(""))
_INVISIBLE_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters, unpaired surrogates, and marks that change the direction of the text after them."""


def parse_json(body: bytes, name: str) -> Node | None:
    """The value of a JSON text as a Node; None if it is not valid JSON. `name` is its source in notes."""
    try:
        value = json.loads(body.decode("utf-8"), parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return build_node(value, Place(name))


def build_node(value: object, place: Place, depth: int = 0) -> Node:
    """A Node of plain data, without control characters; a value that is nested too deeply is empty."""
    if depth > MAX_NESTING or value is None:
        return Node(None, place)
    if isinstance(value, Mapping):
        return Node({str(key): build_node(child, place, depth + 1) for key, child in value.items()}, place)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Node(tuple(build_node(child, place, depth + 1) for child in value), place)
    return Node(
        str(value).lower() if isinstance(value, bool) else _INVISIBLE_CONTROLS.sub("", str(value)), place
    )


def format_value(node: Node | None) -> str:
    """A value as text: lists joined by commas, mappings as "key: value" pairs, nothing as ""."""
    if node is None:
        return ""
    if isinstance(node.value, tuple):
        return ", ".join(text for item in node.items if (text := format_value(item)))
    if isinstance(node.value, Mapping):
        return ", ".join(f"{key}: {format_value(item)}" for key, item in node.mapping.items())
    return node.text.strip()


def read_text(node: Node, *keys: str) -> str:
    """The text at a path of keys in one line; "" if there is none."""
    return " ".join(format_value(node.child(*keys)).split())
