"""Node: a value with its file, line and column."""

from collections.abc import Container, Mapping

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
