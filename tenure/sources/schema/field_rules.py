"""Read the decoding rules of the fields of a record class from its annotations."""

import types
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from tenure.model.field_annotations import (
    AlternativeNames,
    CommaSeparated,
    ComputedField,
    ExtraFields,
    KeyedList,
    MainField,
    MappingKey,
    MergedNames,
    OpenEnded,
)
from tenure.record import FieldInfo, Record, fields


class FieldRule(Record):
    """The decoding rule of one field of a record class."""

    field: str
    value_type: Any
    is_list: bool
    is_required: bool
    alternative_names: AlternativeNames
    is_computed: bool = False
    is_main: bool = False
    is_mapping_key: bool = False
    takes_extra_fields: bool = False
    is_comma_separated: bool = False
    is_keyed_list: bool = False
    merges_names: bool = False
    is_open_ended: bool = False

    @property
    def accepted_keys(self) -> tuple[str, ...]:
        """The keys that a source may use for the field."""
        return (self.field, *self.alternative_names.aliases)

    @property
    def readable_keys(self) -> tuple[str, ...]:
        """The accepted keys, and the deprecated keys of older versions."""
        return (*self.accepted_keys, *self.alternative_names.deprecated)


@cache
def read_field_rules(cls: Any) -> tuple[FieldRule, ...]:
    """Return the rules of a record class. The result is cached."""
    type_hints = get_type_hints(cls, include_extras=True)
    return tuple(_build_field_rule(field, type_hints[field.name]) for field in fields(cls))


def read_key_rules(cls: Any) -> tuple[FieldRule, ...]:
    """Return the rules of the fields that a source sets by keys of their own."""
    return tuple(
        rule for rule in read_field_rules(cls) if not rule.is_computed and not rule.takes_extra_fields
    )


def main_field_name(cls: Any) -> str:
    """Return the name of the main field of a record class: "institution" for education; "" if it has none."""
    return next((rule.field for rule in read_field_rules(cls) if rule.is_main), "")


def _build_field_rule(field: FieldInfo, type_hint: Any) -> FieldRule:
    marks: tuple[Any, ...] = ()
    if get_origin(type_hint) is Annotated:
        type_hint, *metadata = get_args(type_hint)
        marks = tuple(metadata)
    value_type = _unwrap_optional(type_hint)
    is_list = get_origin(value_type) is tuple
    if is_list:
        value_type = get_args(value_type)[0]
    return FieldRule(
        field=field.name,
        value_type=value_type,
        is_list=is_list,
        is_required=field.required,
        alternative_names=next(
            (mark for mark in marks if isinstance(mark, AlternativeNames)), AlternativeNames()
        ),
        is_computed=any(isinstance(mark, ComputedField) for mark in marks),
        is_main=any(isinstance(mark, MainField) for mark in marks),
        is_mapping_key=any(isinstance(mark, MappingKey) for mark in marks),
        takes_extra_fields=any(isinstance(mark, ExtraFields) for mark in marks),
        is_comma_separated=any(isinstance(mark, CommaSeparated) for mark in marks),
        is_keyed_list=any(isinstance(mark, KeyedList) for mark in marks),
        merges_names=any(isinstance(mark, MergedNames) for mark in marks),
        is_open_ended=any(isinstance(mark, OpenEnded) for mark in marks),
    )


def _unwrap_optional(type_hint: Any) -> Any:
    """Return T for `T | None`, and without `Annotated`."""
    if get_origin(type_hint) in (Union, types.UnionType):
        (value_type,) = (arg for arg in get_args(type_hint) if arg is not types.NoneType)
        return _unwrap_optional(value_type)
    return get_args(type_hint)[0] if get_origin(type_hint) is Annotated else type_hint
