"""Rendered pages, kept between builds by what they were made from."""

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
"""Pages from which on a second process pays: starting one and fetching its pages takes as long as rendering some 20."""


def rendered(
    theme: Theme, pages: Sequence[Page], problems: Problems, memo: Memo, progress: Progress = unseen
) -> list[Finished | None]:
    """
    Every page as it is served, in order; None where its template is at fault.

    A page is taken from the memo where it, the theme and all that its templates had looked at in the site are as they
    were. One of which a problem is told, or that names another by its source, is made every time.
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

    # Where nothing is kept, the processes that render make the keys as well.
    before = [known(page) if memo.known else None for page in pages]
    new = [page for page, found in zip(pages, before, strict=True) if found is None]
    made = iter(spread(render, new, MANY, counted(progress, "rendering pages", len(new))))
    results = [_taken(next(made), problems, memo) if found is None else found for found in before]
    theme.report_own_files(problems)
    return results


def _found(body: bytes | None, same: Sameness) -> Finished | None:
    """A page as it was made before, where the parts of the site that it shows are as they were."""
    if body is None:
        return None
    parts, finished = pickle.loads(body)  # noqa: S301 - the memo holds what we wrote, by its digest
    return finished if same.still(parts) else None


@dataclass(frozen=True, slots=True)
class _Made:
    """
    A page, and what of it is kept by key: what is new, or b"" for what was known.

    A page that is kept itself is there under its key alone, so that another process need not send it twice.
    """

    page: Finished | None
    kept: Mapping[str, bytes]
    told: tuple[Problem, ...] = ()
    key: str = ""


def _taken(made: _Made, problems: Problems, memo: Memo) -> Finished | None:
    """A page that has been made, after what was told of it is told and what is to be kept is kept."""
    problems.add(made.told)
    for key, body in made.kept.items():
        if body:
            memo.put(key, body)
        else:
            memo.get(key)
    if made.key:
        _, page = pickle.loads(made.kept[made.key])  # noqa: S301 - render() made it
        return cast(Finished, page)
    return made.page
