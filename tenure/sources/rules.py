"""Read the decoding rules of the fields of a record class from its annotations."""

import types
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from tenure.frozen import dataclass
from tenure.model.marks import Computed, Continuing, Joining, Keyed, Known, Main, Named, Rest, Separated


@dataclass(frozen=True, slots=True)
class Rule:
    """The decoding rule of one field of a record class."""

    field: str
    kind: Any
    many: bool
    required: bool
    known: Known
    computed: bool = False
    main: bool = False
    named: bool = False
    rest: bool = False
    separated: bool = False
    keyed: bool = False
    joining: bool = False
    continuing: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that a source may use for the field."""
        return (self.field, *self.known.accepted)

    @property
    def read(self) -> tuple[str, ...]:
        """The accepted keys, and the deprecated keys of older versions."""
        return (*self.names, *self.known.former)


@cache
def rules(cls: Any) -> tuple[Rule, ...]:
    """Return the rules of a record class. The result is cached."""
    hints = get_type_hints(cls, include_extras=True)
    return tuple(_rule(field, hints[field.name]) for field in fields(cls))


def _rule(field: Field[Any], hint: Any) -> Rule:
    marks: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        marks = tuple(rest)
    kind = _without_none(hint)
    many = get_origin(kind) is tuple
    if many:
        kind = get_args(kind)[0]
    return Rule(
        field=field.name,
        kind=kind,
        many=many,
        required=field.default is MISSING and field.default_factory is MISSING,
        known=next((mark for mark in marks if isinstance(mark, Known)), Known()),
        computed=any(isinstance(mark, Computed) for mark in marks),
        main=any(isinstance(mark, Main) for mark in marks),
        named=any(isinstance(mark, Named) for mark in marks),
        rest=any(isinstance(mark, Rest) for mark in marks),
        separated=any(isinstance(mark, Separated) for mark in marks),
        keyed=any(isinstance(mark, Keyed) for mark in marks),
        joining=any(isinstance(mark, Joining) for mark in marks),
        continuing=any(isinstance(mark, Continuing) for mark in marks),
    )


def _without_none(hint: Any) -> Any:
    """Return T for `T | None`, and without `Annotated`."""
    if get_origin(hint) in (Union, types.UnionType):
        (kind,) = (arg for arg in get_args(hint) if arg is not types.NoneType)
        return _without_none(kind)
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint
