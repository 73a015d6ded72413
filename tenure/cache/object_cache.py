"""What a step made of the very same things before, while the process lives."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

from tenure.problems import Problems

Made = TypeVar("Made")


class Kept(NamedTuple):
    """A thing, what it was taken with, and what was made of it."""

    thing: object
    beside: object
    made: object


class Recall:
    """
    Values by the object that they were made from: that very object, not one that is equal; a name by its words.

    What a run does not ask for is forgotten at its end. Where a process makes one run alone, nothing is worth `keeping`.
    """

    def __init__(self, *, keeping: bool) -> None:
        self.keeping = keeping
        self._before: dict[tuple[str, str | int], Kept] = {}
        self._now: dict[tuple[str, str | int], Kept] = {}

    def get(self, step: str, thing: object, beside: object = None) -> object | None:
        """What was kept of a thing for a step, where it is taken with the same; else None."""
        key = step, thing if isinstance(thing, str) else id(thing)
        kept = self._now.get(key) or self._before.get(key)
        if kept is None or kept.beside != beside:
            return None
        self._now[key] = kept
        return kept.made

    def put(self, step: str, thing: object, made: object, beside: object = None) -> None:
        """Keep what was made of a thing; the thing is held, so that its number is no other's meanwhile."""
        if self.keeping:
            self._now[step, thing if isinstance(thing, str) else id(thing)] = Kept(thing, beside, made)

    def once(
        self, step: str, thing: object, beside: object, problems: Problems, make: Callable[[], Made]
    ) -> Made:
        """What a step makes of a thing, made again only where it told a problem, as that is to be told again."""
        known = self.get(step, thing, beside)
        if known is not None:
            return cast(Made, known)
        before = problems.count()
        made = make()
        if problems.count() == before:
            self.put(step, thing, made, beside)
        return made

    def same(self, step: str, value: Made) -> Made:
        """A value, as the object that it was the last time where it is equal to that."""
        kept = self.get("same", step)
        known = value if kept is None or kept != value else kept
        self.put("same", step, known)
        return known

    def forget(self) -> None:
        """End a run."""
        self._before, self._now = self._now, {}
