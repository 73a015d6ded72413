"""Snapshots of the site that the preview serves, and their differences."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from tenure.frozen import dataclass
from tenure.output import Artifact
from tenure.pipeline import Build
from tenure.problems import Place
from tenure.web.pages import Page


@dataclass(frozen=True, slots=True)
class Edition:
    """
    The served site: its files by path, the names of the drafts on each page, and the path of the site's URL.

    `number` is unique, also across servers at the same URL; 0 means that there is no site yet.
    """

    number: int = 0
    files: Mapping[str, Artifact] = field(default_factory=dict)
    drafts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    base: str = ""

    def after(self, build: Build) -> "Edition":
        """The snapshot after a complete build; a failed build without `url` keeps the base path."""
        url = build.site.settings.url if build.site else ""
        base = self.base if build.failed and not url else urlsplit(url).path.rstrip("/")
        files = {artifact.path: artifact for artifact in build.artifacts}
        number = max(self.number + 1, time.time_ns() // 1_000_000)
        return Edition(number, files, _drafts(build.pages), base)

    def with_page(self, page: Page, artifacts: Sequence[Artifact]) -> "Edition":
        """This snapshot with one newly rendered page and the files that it needs."""
        files = {**self.files, **{artifact.path: artifact for artifact in artifacts}}
        drafts = {**self.drafts, page.file: (), **_drafts([page])}
        return Edition(self.number + 1, files, drafts, self.base)

    def differing(self, other: "Edition", sources: Iterable[str]) -> tuple[str, ...]:
        """The sorted paths of files that differ from another snapshot; a copied file differs if its source changed."""
        changed = frozenset(sources)

        def same(path: str) -> bool:
            one, two = self.files.get(path), other.files.get(path)
            if one is None or two is None or one.body != two.body:
                return False
            if self.drafts.get(path, ()) != other.drafts.get(path, ()):
                return False
            return isinstance(one.body, bytes) or one.source not in changed

        return tuple(path for path in sorted(self.files.keys() | other.files.keys()) if not same(path))

    def file(self, address: str) -> str:
        """The path of the file for a URL path relative to the base path; "" if there is none."""
        if any(part.startswith(".") and part != ".well-known" for part in address.split("/")):
            return ""
        wanted = f"{address}index.html" if address.endswith("/") or not address else address
        return next((path for path in (wanted, f"{wanted}.html") if path in self.files), "")


def _drafts(pages: Iterable[Page]) -> dict[str, tuple[str, ...]]:
    """The names of the drafts on each page, by the file of the page."""
    found = {}
    for page in pages:
        listed = [item.entry for section in page.sections for item in section.items]
        drafts = [entry.name for entry in (page.entry, *listed) if entry is not None and entry.draft]
        if drafts:
            found[page.file] = tuple(dict.fromkeys(drafts))
    return found


def nearest(files: Iterable[str], edition: Edition, sources: Sequence[str]) -> str:
    """The URL path of the changed page that matches the changed sources best; "" if no page changed."""
    stems = {PurePosixPath(source).stem for source in sources}

    def rank(path: str) -> tuple[bool, bool, int, str]:
        about = Place.at(edition.files[path].source).file in sources
        return not about, path.partition("/")[0] not in stems, len(path), path

    pages = [path for path in files if path.endswith("index.html") and path in edition.files]
    return f"/{min(pages, key=rank).removesuffix('index.html')}" if pages else ""
