"""Records that know their source: the place of the record, and of the key and value of each field."""

from collections.abc import Mapping
from typing import Annotated

from tenure.model.fields import COMPUTED
from tenure.problems import Place
from tenure.record import Record

UNKNOWN_PLACE = Place("")
"""The place of a record that no source contains, such as a default page."""


class FieldPlaces:
    """
    The places of the keys and values of a mapping by field, and of items by field and text.

    All are equal, so that two records do not differ by where they are written.
    """

    __slots__ = ("items", "keys", "values")

    def __init__(
        self, keys: Mapping[str, Place], values: Mapping[str, Place], items: Mapping[tuple[str, str], Place]
    ) -> None:
        self.keys = keys
        self.values = values
        self.items = items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FieldPlaces)

    def __hash__(self) -> int:
        return hash(FieldPlaces)


NO_PLACES = FieldPlaces({}, {}, {})


class SourceRecord(Record, kw_only=True):
    """A record that is decoded from a source; the decoder sets `source`, its place, and `places`."""

    source: Annotated[Place, COMPUTED] = UNKNOWN_PLACE
    places: Annotated[FieldPlaces, COMPUTED] = NO_PLACES

    def place_of(self, field: str) -> Place:
        """Return the place of the value of a field; the place of the record if the field is not written."""
        return self.places.values.get(field, self.source)

    def key_place_of(self, field: str) -> Place:
        """Return the place of the key of a field; the place of the record if the field is not written."""
        return self.places.keys.get(field, self.source)

    def item_place_of(self, field: str, text: str) -> Place:
        """Return the place of the item of a list with this text; the place of the list if none has it."""
        return self.places.items.get((field, text)) or self.place_of(field)
