"""How a field may be written in a source, said in the annotations of the types."""

from tenure.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Main:
    """Marks the field that a bare string fills: "- MLSys Travel Grant" is an award's title."""


@dataclass(frozen=True, slots=True)
class Known:
    """
    Marks the other names of a field that are as good as its own.

    `former` names are those of older versions: they are reported as warnings, and `migrate` writes the new one.
    """

    accepted: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joining:
    """Marks a list that takes the values of all its names in one entry: `tags` and `categories` of a post."""


@dataclass(frozen=True, slots=True)
class Continuing:
    """Marks a period of something that can go on: with `start` and without `end` it goes on until today."""


@dataclass(frozen=True, slots=True)
class Computed:
    """Marks a field that the loader gives and no source may write."""


@dataclass(frozen=True, slots=True)
class Named:
    """Marks the field that may be written as the key of what belongs to it: "- talks: {limit: 3}"."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Marks the field that takes what is written under names of the author's own."""


@dataclass(frozen=True, slots=True)
class Separated:
    """Marks a list that may be written as one string with commas."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """Marks a list that may be written as a mapping: each key is the name of what stands under it."""
