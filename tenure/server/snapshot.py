"""
Snapshots of the site that the preview serves, and their differences: the changed pages, and the one element
of a page.
"""

import re
import time
from collections.abc import Iterable, Mapping, Sequence

from tenure.build import BuildResult
from tenure.model.links import parse_url
from tenure.plan.pages import Page
from tenure.publish import Artifact
from tenure.record import Record, field


class Snapshot(Record):
    """
    The served site: its files by path, the names of the drafts on each page, and the path of the site's URL.

    `number` is unique, also across servers at the same URL; 0 means that there is no site yet.
    """

    number: int = 0
    files: Mapping[str, Artifact] = field(default_factory=dict)
    drafts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    base_path: str = ""

    def with_build(self, build: BuildResult) -> "Snapshot":
        """The snapshot after a complete build; a failed build without `url` keeps the base path."""
        url = build.site.settings.url if build.site else ""
        base_path = parse_url(url).path.rstrip("/")
        if build.has_errors and not url:
            base_path = self.base_path
        files = {artifact.path: artifact for artifact in build.artifacts}
        number = max(self.number + 1, time.time_ns() // 1_000_000)
        return Snapshot(number, files, _find_drafts(build.pages), base_path)

    def with_page(self, page: Page, artifacts: Sequence[Artifact]) -> "Snapshot":
        """This snapshot with one newly rendered page and the files that it needs."""
        files = {**self.files, **{artifact.path: artifact for artifact in artifacts}}
        drafts = {**self.drafts, page.output_path: (), **_find_drafts([page])}
        return Snapshot(self.number + 1, files, drafts, self.base_path)

    def find_changed_paths(self, previous: "Snapshot", sources: Iterable[str]) -> tuple[str, ...]:
        """
        The sorted paths of files that differ from another snapshot; a copied file differs if its source
        changed.
        """
        changed = frozenset(sources)

        # a rendered page has bytes; a copied file has a path, and differs if that is among the changed
        # sources
        def is_unchanged(path: str) -> bool:
            current_file = self.files.get(path)
            previous_file = previous.files.get(path)
            if current_file is None or previous_file is None or current_file.body != previous_file.body:
                return False
            if self.drafts.get(path, ()) != previous.drafts.get(path, ()):
                return False
            return isinstance(current_file.body, bytes) or current_file.source.file not in changed

        return tuple(
            path for path in sorted(self.files.keys() | previous.files.keys()) if not is_unchanged(path)
        )

    def describe_change(self, page: Page, previous: "Snapshot") -> dict[str, object]:
        """
        The only element of a page that differs from another snapshot, for a message to browsers; {} if there
        is no such element.
        """
        path = page.output_path
        bodies = [snapshot.files[path].body for snapshot in (previous, self) if path in snapshot.files]
        pages = [body for body in bodies if isinstance(body, bytes)]
        if len(pages) != 2 or self.drafts.get(path, ()) != previous.drafts.get(path, ()):
            return {}

        element = find_changed_element(*pages)
        if element is None:
            return {}
        return {
            "element": {"file": path, "build": previous.number, "before": element[0], "after": element[1]}
        }

    def find_file(self, url_path: str) -> str:
        """The path of the file for a URL path relative to the base path; "" if there is none."""
        if any(part.startswith(".") and part != ".well-known" for part in url_path.split("/")):
            return ""
        candidate = url_path
        if url_path.endswith("/") or not url_path:
            candidate = f"{url_path}index.html"
        return next((path for path in (candidate, f"{candidate}.html") if path in self.files), "")


def _find_drafts(pages: Iterable[Page]) -> dict[str, tuple[str, ...]]:
    """The names of the drafts on each page, by the file of the page."""
    drafts_by_file = {}
    for page in pages:
        entries = [item.entry for section in page.sections for item in section.items]
        drafts = [entry.name for entry in (page.entry, *entries) if entry is not None and entry.draft]
        if drafts:
            drafts_by_file[page.output_path] = tuple(dict.fromkeys(drafts))
    return drafts_by_file


MAX_ELEMENT_LENGTH = 65_536
"""Maximum length of an element in bytes; a larger difference is not faster than the whole page."""

MAX_CANDIDATES = 8
"""Maximum number of elements with an id that are tried before a difference."""

# the data for search engines, which no reader sees
_JSON_LD = re.compile(rb'<script type="application/ld\+json">.*?</script>', re.DOTALL)


def find_changed_element(old_page: bytes, new_page: bytes) -> tuple[str, str] | None:
    """
    The HTML of the smallest element with an id that has all visible differences of two pages, before and
    after; JSON-LD is not visible.

    None if there is no difference or no such element. The browser checks that the tags in both are nested
    properly.
    """
    old_page, new_page = (_JSON_LD.sub(b"", page, 1) for page in (old_page, new_page))
    # <p id="a">old</p> and <p id="a">new</p> are equal up to `start`, and in `tail_length` bytes at their
    # ends
    start = _count_equal_bytes(old_page, new_page)
    rest_length = min(len(old_page), len(new_page)) - start
    tail_length = _count_equal_bytes(old_page[::-1][:rest_length], new_page[::-1][:rest_length])
    growth = len(new_page) - len(old_page)
    # equal pages
    if not rest_length and not growth:
        return None

    # from the difference back to the beginning: the first element that goes beyond the difference has all of
    # it
    id_position = start
    for _ in range(MAX_CANDIDATES):
        id_position = old_page.rfind(b' id="', 0, id_position)
        element_start = old_page.rfind(b"<", 0, max(id_position, 0))
        if element_start < 0:
            return None
        length = _measure_element(old_page, element_start)
        if element_start + length >= len(old_page) - tail_length:
            after = new_page[element_start : element_start + length + growth]
            return old_page[element_start : element_start + length].decode(), after.decode(errors="replace")
    return None


def _count_equal_bytes(first: bytes, second: bytes) -> int:
    """The number of equal bytes at the start of two values."""
    low = 0
    high = min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _measure_element(page: bytes, start: int) -> int:
    """
    The length of the element that starts at a position, up to the end tag of its own name; 0 if it is too
    long.
    """
    name = re.compile(rb"<([a-z][a-z0-9-]*)").match(page, start)
    if name is None:
        return 0

    depth = 0
    tags = re.compile(rb"<(/?)%s[\s>]" % name[1])
    for tag in tags.finditer(page, start, start + MAX_ELEMENT_LENGTH):
        if tag[1]:
            depth -= 1
        else:
            depth += 1
        if depth == 0:
            return tag.end() - start
    return 0
