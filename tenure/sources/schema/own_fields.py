"""The fields that a list of the user declares at its head: `fields: {number: text, filed: date}`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tenure.model.dates import Period
from tenure.model.entries import CustomEntry, Entry, Markdown, OwnField
from tenure.model.field_html import keep_field_html
from tenure.model.links import Url
from tenure.model.site import ListHeader
from tenure.problems import Problems, suggest_word
from tenure.record import Record
from tenure.sources.files import parse_yaml, read_source_text
from tenure.sources.node import Node
from tenure.sources.schema.aliases import canonical_key
from tenure.sources.schema.decode import decode_node, decode_value
from tenure.sources.schema.links import shorten_for_message

OWN_FIELD_TYPES: Mapping[str, Any] = {
    "text": Markdown,
    "date": Period,
    "url": Url,
    "number": str,
    "list": str,
    "markdown": Markdown,
}
"""The Python type from which a value is decoded, by the type that users write in `fields`."""

NUMBER_PATTERN = r"[-+]?[0-9][0-9 ,.'’]*\s*%?"
"""A number as people write it, such as -1,200.50 or 12 %; it is shown as it is written."""


def read_declared_fields(root: Path) -> dict[str, dict[str, str]]:
    """The types of the fields that the lists of a site declare, by the name of the list; mistakes are reported only by a build."""
    fields_by_list: dict[str, dict[str, str]] = {}
    problems = Problems()
    for path in sorted((root / "content").glob("*.y*ml")):
        text = read_source_text(path, path.name, problems)
        node = parse_yaml(text, path.name, problems) if text and "fields:" in text else None
        head = node.mapping.get("fields") if node else None
        if head and head.mapping:
            header = decode_node(Node({"fields": head}, head.place), ListHeader, problems, path.name)
            types = read_field_types(header, CustomEntry, problems) if header else {}
            fields_by_list |= {path.stem: types} if types else {}
    return fields_by_list


class DividedEntry(Record):
    """An entry in two parts: a node without the declared fields, and the values of these fields."""

    remaining: Node
    own_fields: tuple[OwnField, ...]


def read_field_types(header: ListHeader, cls: type[Entry], problems: Problems) -> dict[str, str]:
    """The types of the declared fields by name, without the two mistakes that are reported: an unknown type, a known key."""
    types: dict[str, str] = {}
    for name, type_name in header.fields.types.items():
        place = header.fields.place_of(name)
        if type_name not in OWN_FIELD_TYPES:
            hint = suggest_word(type_name, OWN_FIELD_TYPES, f"write one of {', '.join(OWN_FIELD_TYPES)}")
            problems.report("bad-choice", place, f'"{type_name}" is not a type of a field', hint)
        elif canonical_key(name, cls):
            message = f'"{name}" is a key of every entry of this list'
            problems.report("bad-choice", place, message, "delete it here, or choose another name")
        else:
            types[name] = type_name
    return types


def divide_entry(node: Node, types: Mapping[str, str], problems: Problems, subject: str) -> DividedEntry:
    """Divide an entry into its other keys and the values of declared fields. A value of another type is reported."""
    if not any(name in node.mapping for name in types):
        return DividedEntry(node, ())
    fields = [
        field
        for name, type_name in types.items()
        if name in node.mapping
        and (field := _decode_field(node.mapping[name], name, type_name, problems, subject))
    ]
    remaining = {key: child for key, child in node.mapping.items() if key not in types}
    return DividedEntry(Node(remaining, node.place, node.keys), tuple(fields))


def _decode_field(node: Node, name: str, type_name: str, problems: Problems, subject: str) -> OwnField | None:
    """The value of one declared field; None if it is empty or of another type, which is reported."""
    is_block = type_name == "markdown"
    value = decode_value(
        node, OWN_FIELD_TYPES[type_name], problems, f'"{name}" of {subject}', has_blocks=is_block
    )
    if not value:
        return None
    if isinstance(value, Period):
        return OwnField(name=name, period=value)
    if type_name == "url":
        return OwnField(name=name, url=value)
    if type_name == "number" and not re.fullmatch(NUMBER_PATTERN, value):
        message = f'"{name}" of {subject}: “{shorten_for_message(value)}” is not a number'
        problems.report("bad-value", node.place, message, "write digits, such as 1200 or 12.5")
        return None
    text = keep_field_html(value, has_blocks=False) if type_name == "list" else value
    return OwnField(name=name, text=Markdown(text), is_block=is_block)
