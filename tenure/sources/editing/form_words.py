"""
The words of forms: the label of each field, and its help where the help of the sources shows syntax.

A row of form_words.txt is "field: label | help", or "Record.field: …" for the field of one record. Without a
row, the label is the key with spaces, "Photo alt", and the help is that of the field (`help_for_field`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tenure.record import Record


class Words(Record):
    """The label of a field in a form, and its help; "" if that of the sources has no syntax."""

    label: str
    help: str = ""


_TABLE = Path(__file__).with_suffix(".txt")

_FIRST_FIELDS: Mapping[str, str] = {
    "CvConfig": "name title look photo sections",
    "Experience": "role organization period location unit advisors mentors topic",
    "PageConfig": "name title path sections",
    "Profile": "name role affiliation photo email links tagline interests",
    "Project": "title summary image image_alt date tagline role features technologies links video",
    "SectionConfig": "name title show limit",
    "Settings": "title url description pages language languages",
}
"""The fields that a form shows first, in this order; the others are under "More fields"."""

GROUP_FIELDS = frozenset({"head", "ror"})
"""The fields of the profile that only a group, a centre or a project has."""


@cache
def _read_rows() -> Mapping[str, Words]:
    """
    The rows of the table: "Profile.photo_alt: Photo description | what it shows" by "Profile.photo_alt".
    """
    found: dict[str, Words] = {}
    for row in _TABLE.read_text(encoding="utf-8").splitlines():
        field, _, words = row.partition(": ")
        label, _, help_text = words.partition(" | ")
        found[field] = Words(label, help_text)
    return found


def find_words(cls: type[Record], name: str) -> Words:
    """The label and the help of a field in a form: Profile, "photo_alt" -> "Photo description"."""
    # the row of the record, then of the records that it extends, then of a field of any record
    rows = _read_rows()
    for base in cls.__mro__:
        if words := rows.get(f"{base.__name__}.{name}"):
            return words
    default = Words(name[:1].upper() + name[1:].replace("_", " "))
    return rows.get(name, default)


def list_first_fields(cls: type[Record], own_fields: Sequence[str]) -> Sequence[str]:
    """The fields that a form of a record shows first: those of its own, or a choice of them."""
    chosen = _FIRST_FIELDS.get(cls.__name__, "")
    return chosen.split() or own_fields
