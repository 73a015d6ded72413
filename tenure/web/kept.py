"""Rendered pages, kept between builds by what they were made from."""

import hashlib
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from io import BytesIO
from operator import attrgetter
from typing import Any

from tenure.memo import Memo
from tenure.problems import Problem, Problems
from tenure.spread import spread
from tenure.web.finish import Finished
from tenure.web.pages import Page
from tenure.web.tags import paths_of
from tenure.web.theme import Theme

MANY = 200
"""Pages from which on a second process pays: starting one and fetching its pages takes as long as rendering some 20."""

EVERYWHERE = ("profile", "settings", "files")
"""What of a site any page may show, so that it is not noted page by page."""


def rendered(theme: Theme, pages: Sequence[Page], problems: Problems, memo: Memo) -> list[Finished | None]:
    """
    Every page as it is served, in order; None where its template is at fault.

    A page is taken from the memo where it, the theme and all that its templates had looked at in the site are as they
    were. One of which a problem is told, or that names another by its source, is made every time.
    """
    same = _Sameness(theme)

    def render(page: Page) -> _Made:
        key = same.key(page)
        found = same.kept(key, memo)
        if found is not None:
            artifact = replace(found.artifact, source=page.source or "site.yaml")
            return _Made(key, replace(found, artifact=artifact))
        before = problems.count()
        theme.watched.looked.clear()
        made = theme.render(page, problems)
        told = problems.since(before)
        if made is None or told or made.moving:
            return _Made(key, made, told)
        return _Made(key, made, body=same.packed(made, theme.watched.looked | theme.watched.always))

    results: list[Finished | None] = []
    for made in spread(render, pages, MANY):
        problems.add(made.told)
        if made.body:
            memo.put(made.key, made.body)
        elif not made.told:
            memo.get(made.key)
        results.append(made.page)
    return results


@dataclass(frozen=True, slots=True)
class _Made:
    """A page by its key; `body` is what is to be kept of it, where it was made anew."""

    key: str
    page: Finished | None
    told: tuple[Problem, ...] = ()
    body: bytes = b""


class _Sameness:
    """Digests of all that a page is made from."""

    def __init__(self, theme: Theme) -> None:
        self._site = theme.site
        everywhere = [getattr(theme.site, name) for name in EVERYWHERE]
        everywhere[-1] = sorted(theme.site.files)
        everywhere.append(paths_of(theme.site))
        self._theme = _digest((theme.identity, everywhere))
        self._parts: dict[str, bytes] = {}

    def key(self, page: Page) -> str:
        """The digest of a page and of what all pages share; where its source stands in a file does not matter."""
        entry = replace(page.entry, source="") if page.entry is not None else None
        return hashlib.blake2b(
            _plain(replace(page, source="", entry=entry)), digest_size=16, key=self._theme
        ).hexdigest()

    def kept(self, key: str, memo: Memo) -> Finished | None:
        """The page as it was made before, where the parts of the site that it shows are as they were."""
        body = memo.get(key)
        if body is None:
            return None
        parts, finished = pickle.loads(body)  # noqa: S301 - the memo holds what we wrote, by its digest
        return finished if all(self._part(name) == digest for name, digest in parts.items()) else None

    def packed(self, finished: Finished, seen: set[str]) -> bytes:
        """A page with the parts of the site that its templates looked at, to be kept."""
        parts = {name: self._part(name) for name in sorted(seen - {*EVERYWHERE})}
        return pickle.dumps((parts, finished), protocol=pickle.HIGHEST_PROTOCOL)

    def _part(self, name: str) -> bytes:
        if name not in self._parts:
            self._parts[name] = _digest(getattr(self._site, name, None))
        return self._parts[name]


def _digest(value: object) -> bytes:
    return hashlib.blake2b(_plain(value), digest_size=16).digest()


def _plain(value: object) -> bytes:
    """
    A value as bytes that depend on nothing but the value.

    Pickle's memo would make them depend on which of its equal strings are one object; `fast` does without it.
    """
    body = BytesIO()
    pickler = pickle.Pickler(body, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    pickler.dispatch_table = _REDUCERS
    pickler.dump(value)
    return body.getvalue()


class _Reducers(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """How values become bytes: a dataclass by its fields, all at once, as its own way goes field by field."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        if not is_dataclass(kind):
            raise KeyError(kind)
        values = attrgetter(*(field.name for field in fields(kind)))
        self[kind] = lambda value: (kind, (values(value),))
        return self[kind]


_REDUCERS = _Reducers()
