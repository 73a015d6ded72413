"""Annotations of model fields: how a field may be written in a source file."""

from tenure.record import dataclass


@dataclass(frozen=True, slots=True)
class MainField:
    """The field that a bare string fills: "- MLSys Travel Grant" is an award's title."""


@dataclass(frozen=True, slots=True)
class AlternativeNames:
    """
    Other keys of a field.

    `aliases` are accepted without a warning. `deprecated` names come from older versions: each is reported as a
    warning, and `migrate` replaces it.
    """

    aliases: tuple[str, ...] = ()
    deprecated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MergedNames:
    """A list that collects the values of all its names in one entry: `tags` and `categories` of a post."""


@dataclass(frozen=True, slots=True)
class OpenEnded:
    """A period that may be open: with `start` and without `end` it lasts until today."""


@dataclass(frozen=True, slots=True)
class ComputedField:
    """A field that the loader computes. A source file may not set it."""


@dataclass(frozen=True, slots=True)
class MappingKey:
    """The field that may be written as the key of a mapping: "- talks: {limit: 3}" sets `name` to "talks"."""


@dataclass(frozen=True, slots=True)
class ExtraFields:
    """The field that collects all unknown keys of a mapping."""


@dataclass(frozen=True, slots=True)
class CommaSeparated:
    """A list that may be written as one string with commas."""


@dataclass(frozen=True, slots=True)
class KeyedList:
    """A list that may be written as a mapping from names to entries."""
