"""Render all pages. Unchanged pages are taken from the cache."""

import pickle
from collections.abc import Mapping, Sequence
from typing import cast

from tenure.cache.store import CacheFile
from tenure.html.link_rewriter import FinishedPage
from tenure.html.page_cache import PageKeys
from tenure.html.theme import Theme
from tenure.parallel import parallel_map
from tenure.plan.pages import Page
from tenure.problems import Place, Problem, Problems
from tenure.progress import ProgressCallback, ignore_progress, make_progress_counter
from tenure.record import Record, replace

MIN_PARALLEL_PAGES = 200
"""Minimum number of pages for a second process, which costs as much time as rendering about 20 pages."""


def render_pages(
    theme: Theme,
    pages: Sequence[Page],
    problems: Problems,
    store: CacheFile,
    progress: ProgressCallback = ignore_progress,
) -> list[FinishedPage | None]:
    """
    Return each page in order, or None for a page with a template mistake.

    A page comes from the store if the page, the theme and all attributes that its templates read are unchanged. A page
    with a problem, or with a link to a source file, is rendered every time.
    """
    page_keys = theme.page_keys

    def find_cached_page(page: Page) -> FinishedPage | None:
        cached = _unpack_unchanged_page(store.get(page_keys.digest_key(page)), page_keys)
        if cached is None:
            return None
        return replace(
            cached,
            artifact=replace(cached.artifact, source=page.source if page.source.file else Place("site.yaml")),
        )

    def render_one(page: Page) -> _RenderResult:
        problem_count = problems.count()
        theme.tracked_site.accessed.clear()
        theme.fragments.requested.clear()
        finished = theme.render_page(page, problems)
        new_problems, fragment_values = problems.added_since(problem_count), {**theme.fragments.requested}
        if finished is None or new_problems or finished.links_to_sources:
            return _RenderResult(finished, fragment_values, new_problems)
        digests = page_keys.digests(theme.tracked_site.accessed | theme.tracked_site.always_accessed)
        key = page_keys.digest_key(page)
        return _RenderResult(
            None,
            fragment_values | {key: pickle.dumps((digests, finished), protocol=pickle.HIGHEST_PROTOCOL)},
            key=key,
        )

    # If the store is empty, the rendering processes also compute the keys.
    cached_pages = [find_cached_page(page) if store.has_values else None for page in pages]
    new_pages = [page for page, cached in zip(pages, cached_pages, strict=True) if cached is None]
    new_results = iter(
        parallel_map(
            render_one,
            new_pages,
            MIN_PARALLEL_PAGES,
            make_progress_counter(progress, "rendering pages", len(new_pages)),
        )
    )
    results = [
        _accept_result(next(new_results), problems, store) if cached is None else cached
        for cached in cached_pages
    ]
    theme.report_own_files(problems)
    return results


def _unpack_unchanged_page(body: bytes | None, page_keys: PageKeys) -> FinishedPage | None:
    """Return a stored page, or None if an attribute of the site that it shows changed."""
    if body is None:
        return None
    digests, finished = pickle.loads(body)  # noqa: S301 - the store has only values that this program wrote
    return finished if page_keys.is_unchanged(digests) else None


class _RenderResult(Record):
    """
    A rendered page and the values for the store by key; b"" is a value that the store already has.

    A page that is stored is only in `store_values`, so that a process does not send it twice.
    """

    page: FinishedPage | None
    store_values: Mapping[str, bytes]
    problems: tuple[Problem, ...] = ()
    key: str = ""


def _accept_result(result: _RenderResult, problems: Problems, store: CacheFile) -> FinishedPage | None:
    """Return the page of a result, and add its problems and its stored values."""
    problems.add(result.problems)
    for key, body in result.store_values.items():
        if body:
            store.put(key, body)
        else:
            store.get(key)
    if result.key:
        _, page = pickle.loads(result.store_values[result.key])  # noqa: S301 - written by render_one()
        return cast(FinishedPage, page)
    return result.page
