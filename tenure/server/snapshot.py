"""Snapshots of the site that the preview serves, and their differences: the changed pages, and the one element of a page."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from tenure.build import BuildResult
from tenure.markdown.html_tags import VOID_ELEMENTS
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
        base_path = self.base_path if build.has_errors and not url else parse_url(url).path.rstrip("/")
        files = {artifact.path: artifact for artifact in build.artifacts}
        number = max(self.number + 1, time.time_ns() // 1_000_000)
        return Snapshot(number, files, _find_drafts(build.pages), base_path)

    def with_page(self, page: Page, artifacts: Sequence[Artifact]) -> "Snapshot":
        """This snapshot with one newly rendered page and the files that it needs."""
        files = {**self.files, **{artifact.path: artifact for artifact in artifacts}}
        drafts = {**self.drafts, page.output_path: (), **_find_drafts([page])}
        return Snapshot(self.number + 1, files, drafts, self.base_path)

    def find_changed_paths(self, previous: "Snapshot", sources: Iterable[str]) -> tuple[str, ...]:
        """The sorted paths of files that differ from another snapshot; a copied file differs if its source changed."""
        changed = frozenset(sources)

        def is_unchanged(path: str) -> bool:
            current_file, previous_file = self.files.get(path), previous.files.get(path)
            if current_file is None or previous_file is None or current_file.body != previous_file.body:
                return False
            if self.drafts.get(path, ()) != previous.drafts.get(path, ()):
                return False
            return isinstance(current_file.body, bytes) or current_file.source.file not in changed

        return tuple(
            path for path in sorted(self.files.keys() | previous.files.keys()) if not is_unchanged(path)
        )

    def describe_change(self, page: Page, previous: "Snapshot") -> dict[str, object]:
        """The only element of a page that differs from another snapshot, for a message to browsers; {} if there is no such element."""
        path = page.output_path
        bodies = [snapshot.files[path].body for snapshot in (previous, self) if path in snapshot.files]
        pages = [body for body in bodies if isinstance(body, bytes)]
        if len(pages) != 2 or self.drafts.get(path, ()) != previous.drafts.get(path, ()):
            return {}
        element = find_changed_element(*pages)
        if element is None:
            return {}
        texts = {"before": element.before, "after": element.after}
        return {"element": {"file": path, "build": previous.number, **texts}}

    def find_file(self, url_path: str) -> str:
        """The path of the file for a URL path relative to the base path; "" if there is none."""
        if any(part.startswith(".") and part != ".well-known" for part in url_path.split("/")):
            return ""
        candidate = f"{url_path}index.html" if url_path.endswith("/") or not url_path else url_path
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


def choose_page_to_follow(paths: Iterable[str], snapshot: Snapshot, sources: Sequence[str]) -> str:
    """The URL path of the changed page that matches the changed sources best; "" if no page changed."""
    stems = {PurePosixPath(source).stem for source in sources}

    def rank_page(path: str) -> tuple[bool, bool, int, str]:
        is_about_sources = snapshot.files[path].source.file in sources
        return not is_about_sources, path.partition("/")[0] not in stems, len(path), path

    pages = [path for path in paths if path.endswith("index.html") and path in snapshot.files]
    return f"/{min(pages, key=rank_page).removesuffix('index.html')}" if pages else ""


MAX_ELEMENT_LENGTH = 65_536
"""Maximum length of an element in characters; a larger difference is not faster than the whole page."""

MAX_CANDIDATES = 8
"""Maximum number of elements with an id that are tried before a difference."""

_TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*)(?>(?:[^<>"'/]|/(?!>)|"[^"]*"|'[^']*')*)(?P<empty>/?)>"""
)
_JSON_LD = re.compile(rb'<script type="application/ld\+json">.*?</script>', re.DOTALL)
_ELEMENTS_WITH_RAW_TEXT = frozenset({"script", "style", "textarea", "title"})
_FOREIGN_ELEMENTS = frozenset({"svg", "math"})
"""Elements in which "/>" ends a tag; elsewhere browsers ignore its "/". Source: HTML Standard, 13.1.2.1."""


class ChangedElement(Record):
    """The HTML of an element with an id, before and after a change; the rest of the page is the same."""

    before: str
    after: str


def find_changed_element(old_page: bytes, new_page: bytes) -> ChangedElement | None:
    """
    The smallest element with an id that has all visible differences of two pages in UTF-8; JSON-LD is not visible.

    None if there is no difference, no such element, or if an end tag is missing in it: then the rest of the page may also look
    different.
    """
    old_page, new_page = (_JSON_LD.sub(b"", page, 1) for page in (old_page, new_page))
    start = _count_equal_bytes(old_page, new_page)
    if start == len(old_page) == len(new_page):
        return None
    rest_length = min(len(old_page), len(new_page)) - start
    tail_length = (
        _count_equal_bytes(old_page[-rest_length:][::-1], new_page[-rest_length:][::-1]) if rest_length else 0
    )
    old_end, growth = len(old_page) - tail_length, len(new_page) - len(old_page)
    id_position = start
    for _ in range(MAX_CANDIDATES):
        id_position = old_page.rfind(b' id="', 0, id_position)
        if id_position < 0:
            return None
        tag_start = old_page.rfind(b"<", 0, id_position)
        before = _cut_element(old_page, tag_start)
        if tag_start + len(before.encode()) >= old_end:
            after = _cut_element(new_page, tag_start)
            is_same_region = len(after.encode()) == len(before.encode()) + growth
            return ChangedElement(before, after) if after and is_same_region else None
    return None


def _count_equal_bytes(first: bytes, second: bytes) -> int:
    """The number of equal bytes at the start of two values."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut_element(page: bytes, start: int) -> str:
    """The element that starts at a position; "" if it is too long or has a comment, or if its tags are not properly nested."""
    text = page[start : start + MAX_ELEMENT_LENGTH].decode(errors="replace")
    open_elements: list[str] = []
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if name in _ELEMENTS_WITH_RAW_TEXT:
            return ""
        if tag["end"]:
            if not open_elements or open_elements.pop() != name:
                return ""
        elif name not in VOID_ELEMENTS and not (tag["empty"] and _FOREIGN_ELEMENTS & {*open_elements}):
            open_elements.append(name)
        if not open_elements:
            element = text[: tag.end()]
            return "" if "<!" in element else element
    return ""
