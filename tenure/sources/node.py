"""Node: a value with its file, line and column."""

from collections.abc import Mapping

from tenure.problems import Place
from tenure.record import Record, field


class Node(Record):
    """
    A value of a source: None, a scalar, a list or a mapping. `keys` has the place of each key of a mapping.

    Scalars are unconverted text ("2022.10", "NO", "12:30"); the type of the field that takes them converts them.
    `language` is set for a text without a translation into the language that is read.
    """

    value: "None | str | tuple[Node, ...] | Mapping[str, Node]"
    place: Place
    keys: Mapping[str, Place] = field(default_factory=dict)
    language: str = ""

    @property
    def text(self) -> str:
        """The text of a scalar, "" for anything else."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def mapping(self) -> "Mapping[str, Node]":
        """The mapping, or an empty one for anything else."""
        return {} if self.value is None or isinstance(self.value, (str, tuple)) else self.value

    @property
    def items(self) -> "tuple[Node, ...]":
        """The list, or an empty one for anything else."""
        return self.value if isinstance(self.value, tuple) else ()

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
