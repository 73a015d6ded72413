"""Annotations of model fields: how a field may be written in a source file."""

from tenure.record import Record


class MainField(Record):
    """The field that a bare string fills: "- MLSys Travel Grant" is an award's title."""


class AlternativeNames(Record):
    """Other keys of a field, which are accepted without a warning."""

    aliases: tuple[str, ...] = ()


class MergedNames(Record):
    """A list that collects the values of all its names in one entry: `tags` and `categories` of a post."""


class OpenEnded(Record):
    """A period that may be open: with `start` and without `end` it lasts until today."""


class ComputedField(Record):
    """A field that the loader computes. A source file may not set it."""


class MappingKey(Record):
    """The field that may be written as the key of a mapping: "- talks: {limit: 3}" sets `name` to "talks"."""


class ExtraFields(Record):
    """The field that collects all unknown keys of a mapping."""


class CommaSeparated(Record):
    """A list that may be written as one string with commas."""


class KeyedList(Record):
    """A list that may be written as a mapping from names to entries."""
