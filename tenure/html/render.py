"""Render all pages. Unchanged pages are taken from the cache."""

from collections.abc import Mapping, Sequence

from tenure.cache.store import CacheStore
from tenure.html.links import FinishedPage
from tenure.html.page_cache import STORE_NAME, Fragment
from tenure.html.theme import Theme
from tenure.parallel import parallel_map
from tenure.plan.pages import Page
from tenure.problems import Place, Problem, Problems
from tenure.progress import ProgressCallback, ignore_progress, make_progress_counter
from tenure.record import Record, replace

MIN_PARALLEL_PAGES = 200
"""Minimum number of pages for a second process, which costs as much time as rendering about 20 pages."""


class _RenderedPage(Record):
    """A rendered page, the digests of the attributes of the site that its templates read, and its problems."""

    page: FinishedPage | None
    digests: Mapping[str, bytes]
    problems: tuple[Problem, ...] = ()

    @property
    def is_storable(self) -> bool:
        """Whether the next build may show the page again."""
        return self.page is not None and not self.problems


def render_pages(
    theme: Theme,
    pages: Sequence[Page],
    problems: Problems,
    store: CacheStore,
    progress: ProgressCallback = ignore_progress,
) -> list[FinishedPage | None]:
    """
    Return each page in order, or None for a page with a template mistake.

    A page comes from the store if the page, the theme and all attributes that its templates read are unchanged. A page
    with a problem is rendered every time.
    """
    page_keys, tracked_site = theme.page_keys, theme.tracked_site

    def find_stored(key: str) -> _RenderedPage | None:
        stored = store.find(STORE_NAME, None, key)
        is_unchanged = isinstance(stored, _RenderedPage) and page_keys.is_unchanged(stored.digests)
        return stored if isinstance(stored, _RenderedPage) and is_unchanged else None

    def render_one(page: Page) -> tuple[_RenderedPage, dict[str, Fragment]]:
        problem_count = problems.count()
        tracked_site.read_attributes.clear()
        theme.fragments.rendered.clear()
        finished = theme.render_page(page, problems)
        digests = page_keys.digests(tracked_site.read_attributes | tracked_site.read_for_all_pages)
        return _RenderedPage(finished, digests, problems.added_since(problem_count)), {
            **theme.fragments.rendered
        }

    keys = [page_keys.digest_key(page) for page in pages]
    results = [find_stored(key) for key in keys]
    missing = [index for index, result in enumerate(results) if result is None]
    counter = make_progress_counter(progress, "rendering pages", len(missing))
    rendered = parallel_map(render_one, [pages[index] for index in missing], MIN_PARALLEL_PAGES, counter)
    for index, (result, fragments) in zip(missing, rendered, strict=True):
        results[index] = result
        problems.add(result.problems)
        for key, fragment in fragments.items():
            store.put(STORE_NAME, None, key, fragment)
        if result.is_storable:
            store.put(STORE_NAME, None, keys[index], result)
    theme.report_own_files(problems)
    return [_set_source(page, result) for page, result in zip(pages, results, strict=True)]


def _set_source(page: Page, result: _RenderedPage | None) -> FinishedPage | None:
    """The page of a result with its place in the sources, which may have changed since the page was stored."""
    if result is None or result.page is None:
        return None
    source = page.source if page.source.file else Place("site.yaml")
    artifact = replace(result.page.artifact, source=source)
    return replace(result.page, artifact=artifact)
