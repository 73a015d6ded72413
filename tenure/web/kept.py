"""Render all pages. Unchanged pages are taken from the cache."""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from tenure.frozen import dataclass
from tenure.memo import Memo
from tenure.problems import Problem, Problems
from tenure.progress import Progress, counted, unseen
from tenure.spread import spread
from tenure.web.finish import Finished
from tenure.web.pages import Page
from tenure.web.sameness import Sameness
from tenure.web.theme import Theme

MANY = 200
"""Minimum number of pages for a second process, which costs as much time as rendering about 20 pages."""


def rendered(
    theme: Theme, pages: Sequence[Page], problems: Problems, memo: Memo, progress: Progress = unseen
) -> list[Finished | None]:
    """
    Return each page in order, or None for a page with a template mistake.

    A page comes from the store if the page, the theme and all attributes that its templates read are unchanged. A page
    with a problem, or with a link to a source file, is rendered every time.
    """
    same = theme.same

    def known(page: Page) -> Finished | None:
        found = _found(memo.get(same.key(page)), same)
        if found is None:
            return None
        return replace(found, artifact=replace(found.artifact, source=page.source or "site.yaml"))

    def render(page: Page) -> _Made:
        before = problems.count()
        theme.watched.looked.clear()
        theme.pieces.asked.clear()
        made = theme.render(page, problems)
        told, kept = problems.since(before), {**theme.pieces.asked}
        if made is None or told or made.moving:
            return _Made(made, kept, told)
        parts = same.parts(theme.watched.looked | theme.watched.always)
        key = same.key(page)
        return _Made(
            None, kept | {key: pickle.dumps((parts, made), protocol=pickle.HIGHEST_PROTOCOL)}, key=key
        )

    # If the store is empty, the rendering processes also compute the keys.
    before = [known(page) if memo.known else None for page in pages]
    new = [page for page, found in zip(pages, before, strict=True) if found is None]
    made = iter(spread(render, new, MANY, counted(progress, "rendering pages", len(new))))
    results = [_taken(next(made), problems, memo) if found is None else found for found in before]
    theme.report_own_files(problems)
    return results


def _found(body: bytes | None, same: Sameness) -> Finished | None:
    """Return a stored page, or None if an attribute of the site that it shows changed."""
    if body is None:
        return None
    parts, finished = pickle.loads(body)  # noqa: S301 - the store has only values that this program wrote
    return finished if same.still(parts) else None


@dataclass(frozen=True, slots=True)
class _Made:
    """
    A rendered page and the values for the store by key; b"" is a value that the store already has.

    A page that is stored is only in `store_values`, so that a process does not send it twice.
    """

    page: Finished | None
    kept: Mapping[str, bytes]
    told: tuple[Problem, ...] = ()
    key: str = ""


def _taken(made: _Made, problems: Problems, memo: Memo) -> Finished | None:
    """Return the page of a result, and add its problems and its stored values."""
    problems.add(made.told)
    for key, body in made.kept.items():
        if body:
            memo.put(key, body)
        else:
            memo.get(key)
    if made.key:
        _, page = pickle.loads(made.kept[made.key])  # noqa: S301 - written by render_one()
        return cast(Finished, page)
    return made.page
