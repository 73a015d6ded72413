"""Frozen dataclasses whose methods cost nothing before they are called: compiling them all takes half of a small build's start."""

import dataclasses
from collections.abc import Callable, Sequence
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

Kind = TypeVar("Kind")
Method = Callable[..., Any]


def _frozen(
    *, frozen: bool, slots: bool = False, kw_only: bool = False, order: bool = False
) -> Callable[[type[Kind]], type[Kind]]:
    """
    What dataclasses.dataclass makes of a class with the same wishes, at a tenth of the cost.

    That writes up to eight methods as text and compiles each. Of ours, all but `__init__` work for any class, and
    `__init__` is compiled when the first object of a class is made. Raises ValueError for a class that is not `frozen`.
    """
    if not frozen:
        raise ValueError("only frozen dataclasses are made here")

    def made(plain: type[Kind]) -> type[Kind]:
        bare = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
        kind = bare(plain)
        fields = dataclasses.fields(kind)  # type: ignore[arg-type]
        methods = _methods(kind, [field.name for field in fields], slots=slots, order=order)
        for name, method in methods.items():
            if name not in plain.__dict__:
                setattr(kind, name, method)
        return kind

    return made


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - what type checkers know it by
else:
    dataclass = _frozen


class _Initialiser:
    """Stands for `__init__` until it is first asked for, then makes it and steps aside."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __get__(self, instance: object | None, owner: type) -> Method:
        init = _compiled(self._kind)
        self._kind.__init__ = init  # type: ignore[misc]
        method: Method = init if instance is None else init.__get__(instance, owner)
        return method


def _compiled(kind: type) -> Any:
    """The `__init__` of a dataclass: its fields as arguments, those for keywords alone at the end."""
    scope: dict[str, Any] = {"missing": dataclasses.MISSING, "put": object.__setattr__}
    places: list[str] = []
    keywords: list[str] = []
    lines: list[str] = []
    for field in dataclasses.fields(kind):
        name, value = field.name, field.name
        argument = name
        if field.default is not dataclasses.MISSING:
            scope[f"default_{name}"] = field.default
            argument = f"{name}=default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"make_{name}"] = field.default_factory
            argument = f"{name}=missing"
            value = f"make_{name}() if {name} is missing else {name}"
        (keywords if field.kw_only else places).append(argument)
        put = getattr(getattr(kind, name, None), "__set__", None)
        if put is not None:
            scope[f"put_{name}"] = put
            lines.append(f"    put_{name}(self, {value})")
        else:
            lines.append(f"    put(self, {name!r}, {value})")
    arguments = ", ".join(["self", *places, *(["*", *keywords] if keywords else [])])
    text = f"def __init__({arguments}):\n" + "\n".join(lines or ["    pass"])
    exec(text, scope)  # noqa: S102 - as dataclasses do: the names in it are those of a class's own fields
    init = scope["__init__"]
    init.__qualname__ = f"{kind.__qualname__}.__init__"
    return init


def _methods(kind: type, names: Sequence[str], *, slots: bool, order: bool) -> dict[str, object]:
    """The methods of a frozen dataclass by name."""
    values = _values(names)

    def same(self: object, other: object) -> bool:
        return bool(values(self) == values(other)) if other.__class__ is self.__class__ else NotImplemented

    def ordered(sign: Callable[[Any, Any], bool]) -> Callable[[object, object], bool]:
        return lambda self, other: (
            sign(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented
        )

    def digest(self: object) -> int:
        return hash(values(self))

    def written(self: object) -> str:
        pairs = zip(names, values(self), strict=True)
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    made: dict[str, object] = {
        "__init__": _Initialiser(kind),
        "__eq__": same,
        "__hash__": digest,
        "__repr__": written,
    }
    made |= {"__setattr__": _refuse, "__delattr__": _refuse}
    if order:
        made |= {f"__{sign.__name__}__": ordered(sign) for sign in (lt, le, gt, ge)}
    return made | _pickled(kind, names, values) if slots else made


def _values(names: Sequence[str]) -> Callable[[object], tuple[Any, ...]]:
    """Takes the values of some fields of an object, at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda thing: tuple(getattr(thing, name) for name in names)


def _pickled(
    kind: type, names: Sequence[str], values: Callable[[object], tuple[Any, ...]]
) -> dict[str, object]:
    """How an object without a dictionary is pickled: by its values in order."""
    setters = [getattr(kind, name).__set__ for name in names]

    def state(self: object) -> tuple[Any, ...]:
        return values(self)

    def restored(self: object, state: tuple[Any, ...]) -> None:
        for put, value in zip(setters, state, strict=True):
            put(self, value)

    return {"__getstate__": state, "__setstate__": restored}


def _refuse(thing: object, name: str, *_: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r} of {type(thing).__name__}")
