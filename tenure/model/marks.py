"""Annotations of model fields: how a field may be written in a source file."""

from tenure.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Main:
    """The field that a bare string fills: "- MLSys Travel Grant" is an award's title."""


@dataclass(frozen=True, slots=True)
class Known:
    """
    Other keys of a field.

    `aliases` are accepted without a warning. `deprecated` names come from older versions: each is reported as a
    warning, and `migrate` replaces it.
    """

    accepted: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joining:
    """A list that collects the values of all its names in one entry: `tags` and `categories` of a post."""


@dataclass(frozen=True, slots=True)
class Continuing:
    """A period that may be open: with `start` and without `end` it lasts until today."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A field that the loader computes. A source file may not set it."""


@dataclass(frozen=True, slots=True)
class Named:
    """The field that may be written as the key of a mapping: "- talks: {limit: 3}" sets `name` to "talks"."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The field that collects all unknown keys of a mapping."""


@dataclass(frozen=True, slots=True)
class Separated:
    """A list that may be written as one string with commas."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A list that may be written as a mapping from names to entries."""
