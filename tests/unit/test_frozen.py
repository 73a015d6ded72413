"""Our dataclasses beside those of the library: the same in all that a caller can see."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, astuple, field, fields, replace
from typing import Any

import pytest

from tenure.record import dataclass

Maker = Callable[[Any], Any]
WISHES: list[dict[str, Any]] = [
    {},
    {"slots": True},
    {"kw_only": True},
    {"slots": True, "kw_only": True},
    {"slots": True, "order": True},
]


def of_two(make: Callable[..., Maker], wishes: dict[str, Any]) -> Any:
    """A class with a heir, made by the library or by us."""

    class Thing:
        """A thing."""

        name: str
        size: int = 3
        parts: list[str] = field(default_factory=list)

        @property
        def double(self) -> int:
            return 2 * self.size

    made: Any = make(frozen=True, **wishes)(Thing)

    class Heir(made):  # type: ignore[misc]
        """A thing that has a colour."""

        colour: str = "red"

    return made, make(frozen=True, **wishes)(Heir)


@pytest.mark.parametrize("wishes", WISHES, ids=str)
def test_they_do_what_those_of_the_library_do(wishes: dict[str, Any]) -> None:
    for theirs, ours in zip(of_two(dataclasses.dataclass, wishes), of_two(dataclass, wishes), strict=True):
        a, b = theirs(name="x", size=1), ours(name="x", size=1)
        assert repr(a) == repr(b)
        assert astuple(a) == astuple(b)
        assert [one.name for one in fields(theirs)] == [one.name for one in fields(ours)]
        assert theirs.__match_args__ == ours.__match_args__
        assert hasattr(a, "__dict__") == hasattr(b, "__dict__")
        assert [(p.name, p.kind) for p in inspect.signature(theirs).parameters.values()] == [
            (p.name, p.kind) for p in inspect.signature(ours).parameters.values()
        ]
        assert b.double == 2
        assert b.parts is not ours(name="x").parts, "each object has a list of its own"
        assert (b == ours(name="x", size=1), b == ours(name="y"), b == a) == (True, False, False)
        assert replace(b, size=5) == ours(name="x", size=5)
        assert hash(ours(name="x", parts=())) == hash(ours(name="x", parts=()))
        with pytest.raises(FrozenInstanceError):
            b.size = 4
        with pytest.raises(FrozenInstanceError):
            del b.name
        with pytest.raises(TypeError):
            ours(size=4)
        with pytest.raises(TypeError):
            ours(name="x", weight=4)
        assert copy.deepcopy(b) == b


def test_they_are_ordered_where_they_are_to_be() -> None:
    theirs, _ = of_two(dataclasses.dataclass, {"order": True})
    ours, _ = of_two(dataclass, {"order": True})
    for kind in (theirs, ours):
        small, large = kind("a", 1), kind("a", 2)
        assert (small < large, small <= large, large > small, large >= small) == (True, True, True, True)
        assert (large < small, small > large) == (False, False)
    with pytest.raises(TypeError):
        sorted([of_two(dataclass, {})[0](name) for name in ("a", "b")])


@dataclass(frozen=True, slots=True)
class Kept:
    """What is pickled must be found by its name."""

    one: int
    other: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Single:
    """One value alone."""

    one: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """No value."""


@pytest.mark.parametrize("thing", [Kept(1, ("a",)), Single("a"), Nothing()], ids=repr)
def test_they_travel_between_processes(thing: object) -> None:
    assert pickle.loads(pickle.dumps(thing)) == thing


def test_methods_of_a_class_stay_its_own() -> None:
    @dataclass(frozen=True)
    class Own:
        size: int

        def __repr__(self) -> str:
            return "own"

    assert repr(Own(1)) == "own"


def test_one_that_may_change_is_refused() -> None:
    with pytest.raises(ValueError, match="frozen"):
        dataclass(frozen=False)(Kept)
