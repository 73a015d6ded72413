"""
Node: a value with its file, line and column; and Nodes of JSON that other services send.

Any shape, size and depth of JSON is possible until it is read field by field.
"""

import json
import re
from collections.abc import Container, Mapping, Sequence

from tenure.limits import MAX_NESTING
from tenure.problems import Place
from tenure.record import Record, field


class Node(Record):
    """
    A value of a source: None, a scalar, a list or a mapping. `keys` has the place of each key of a mapping.

    Scalars are unconverted text ("2022.10", "NO", "12:30"); the type of the field converts them.
    `language` is set for a text without a translation into the language that is read.
    """

    value: "None | str | tuple[Node, ...] | Mapping[str, Node]"
    place: Place
    keys: Mapping[str, Place] = field(default_factory=dict)
    language: str = ""

    @classmethod
    def from_children(cls, children: "Mapping[str, Node]", place: Place) -> "Node":
        """A mapping whose keys are at the places of their values."""
        return cls(children, place, {key: child.place for key, child in children.items()})

    @property
    def text(self) -> str:
        """The text of a scalar, "" for anything else."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def mapping(self) -> "Mapping[str, Node]":
        """The mapping, or an empty one for anything else."""
        if self.value is None or isinstance(self.value, (str, tuple)):
            return {}
        return self.value

    @property
    def items(self) -> "tuple[Node, ...]":
        """The list, or an empty one for anything else."""
        return self.value if isinstance(self.value, tuple) else ()

    def child(self, *keys: str) -> "Node":
        """The value at a path of keys; an empty one at the place of the last mapping if a key is missing."""
        node = self
        for key in keys:
            node = node.mapping.get(key) or Node(None, node.place)
        return node

    def with_keys_of(self, other: "Node") -> "Node":
        """The mapping with the keys of another one, which has priority."""
        return Node({**self.mapping, **other.mapping}, self.place, {**self.keys, **other.keys})

    def with_child(self, key: str, child: "Node") -> "Node":
        """The mapping with another value for a key, which is at the place of the value."""
        return self.with_keys_of(Node.from_children({key: child}, self.place))

    def without_keys(self, keys: Container[str]) -> "Node":
        """The mapping without some keys."""
        children = {key: child for key, child in self.mapping.items() if key not in keys}
        return Node(children, self.place, self.keys)

    @property
    def shape(self) -> str:
        """The kind of value, as named in messages."""
        if self.value is None:
            return "empty"
        if isinstance(self.value, str):
            return "a single value"
        return "a list" if isinstance(self.value, tuple) else "a group of keys"

    def key_place(self, key: str) -> Place:
        """The place of a key; the place of the node if the key has none."""
        return self.keys.get(key, self.place)


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
