"""
The decoding rules of the fields of a record class, from its annotations, and the help of each field.

The help is the string below the field in the class that declares it. The JSON Schema, Pages CMS and the documentation use
it. It is read from the source text of the classes, so that it costs a build nothing.
"""

import ast
import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
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
    names = (mark for mark in marks if isinstance(mark, AlternativeNames))
    mark_types = frozenset(map(type, marks))
    return FieldRule(
        field=field.name,
        value_type=value_type,
        is_list=is_list,
        is_required=field.required,
        alternative_names=next(names, AlternativeNames()),
        is_computed=ComputedField in mark_types,
        is_main=MainField in mark_types,
        is_mapping_key=MappingKey in mark_types,
        takes_extra_fields=ExtraFields in mark_types,
        is_comma_separated=CommaSeparated in mark_types,
        is_keyed_list=KeyedList in mark_types,
        merges_names=MergedNames in mark_types,
        is_open_ended=OpenEnded in mark_types,
    )


def _unwrap_optional(type_hint: Any) -> Any:
    """Return T for `T | None`, and without `Annotated`."""
    if get_origin(type_hint) in (Union, types.UnionType):
        (value_type,) = (arg for arg in get_args(type_hint) if arg is not types.NoneType)
        return _unwrap_optional(value_type)
    return get_args(type_hint)[0] if get_origin(type_hint) is Annotated else type_hint


START_END_HELP = {"start": "the start date", "end": "the end date, present, or ~May 2027 (expected)"}
"""The help of the two keys that can replace a period."""


def help_for_field(cls: type[Record], field: str) -> str:
    """Return the help of a field of a record class or of one of its base classes, or ""."""
    record_types = (base for base in cls.__mro__ if issubclass(base, Record))
    texts = (_read_module_help(base.__module__).get((base.__name__, field), "") for base in record_types)
    return next(filter(None, texts), "")


@cache
def _read_module_help(module: str) -> Mapping[tuple[str, str], str]:
    """Return the help of the fields that the classes of a module declare, by class and field."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    classes = [statement for statement in tree.body if isinstance(statement, ast.ClassDef)]
    return {(declared.name, field): text for declared in classes for field, text in _list_help(declared)}


def _list_help(declared: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield the name of each field that has a string below it, and the string."""
    for statement, next_statement in pairwise(declared.body):
        match statement, next_statement:
            case ast.AnnAssign(target=ast.Name(id=field)), ast.Expr(value=ast.Constant(value=str(text))):
                yield field, text
