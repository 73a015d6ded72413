"""Rendered pages, kept between builds by what they were made from."""

import hashlib
import pickle
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

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
    keys = [same.key(page) for page in pages]
    kept = [same.kept(key, memo) for key in keys]

    def render(page: Page) -> tuple[Finished | None, frozenset[str], tuple[Problem, ...]]:
        before = problems.count()
        theme.watched.looked.clear()
        made = theme.render(page, problems)
        return made, frozenset(theme.watched.looked | theme.watched.always), problems.since(before)

    made = iter(
        spread(render, [page for page, found in zip(pages, kept, strict=True) if found is None], MANY)
    )
    results: list[Finished | None] = []
    for page, key, found in zip(pages, keys, kept, strict=True):
        if found is not None:
            results.append(
                replace(found, artifact=replace(found.artifact, source=page.source or "site.yaml"))
            )
            continue
        finished, seen, told = next(made)
        problems.add(told)
        if finished is not None and not told and not finished.moving:
            same.keep(key, finished, seen, memo)
        results.append(finished)
    return results


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

    def keep(self, key: str, finished: Finished, seen: frozenset[str], memo: Memo) -> None:
        """Keep a page with the parts of the site that its templates looked at."""
        parts = {name: self._part(name) for name in sorted(seen.difference(EVERYWHERE))}
        memo.put(key, pickle.dumps((parts, finished), protocol=pickle.HIGHEST_PROTOCOL))

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
    pickler.dump(value)
    return body.getvalue()
