"""Snapshots of the site that the preview serves, and their differences."""

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from tenure.build import BuildResult
from tenure.model.links import parse_url
from tenure.plan.pages import Page
from tenure.publish import Artifact
from tenure.record import Record, field
from tenure.server.changed_element import find_changed_element


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
        return {
            "element": {
                "file": path,
                "build": previous.number,
                "before": element.before,
                "after": element.after,
            }
        }

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
