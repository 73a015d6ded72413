"""
The loaded folder of a site, and the options of a build.

`load_site` makes a LoadedSite of a folder and BuildOptions; the builds of a preview share their LastContents.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tenure.model.languages import Language
from tenure.model.site import Site
from tenure.publish import Artifact
from tenure.record import Record


class BibCounts(Record):
    """
    The numbers of entries in a .bib file and of those on the site; each of the others is reported as a
    problem.

    A draft in content/publications.yaml counts as reported.
    """

    entry_count: int
    shown_count: int

    @property
    def reported_count(self) -> int:
        """The number of entries that are not shown."""
        return self.entry_count - self.shown_count


class LoadedSite(Record):
    """
    A loaded folder: the site, the files to copy, and the counts of its .bib files.

    `optional_files` are copied only if something links to them. `lint_entries` reports doubtful entries in
    bib/, which no page needs: a preview shows the visible pages first.
    """

    site: Site
    static_files: tuple[Artifact, ...]
    optional_files: tuple[Artifact, ...]
    bib_counts: Mapping[str, BibCounts]
    lint_entries: Callable[[], None]


class LastContents:
    """
    What a preview keeps from one build to the next: the last valid contents of each file by name.

    They replace a file that cannot be read. Another language and another reader have a part of their own.
    """

    def __init__(self) -> None:
        self.values: dict[Any, Any] = {}
        self._parts: dict[str, LastContents] = {}

    def find_part(self, name: str) -> "LastContents":
        """The part with a name, such as "language de"; a new one is empty."""
        return self._parts.setdefault(name, LastContents())


class BuildOptions(Record):
    """
    The options of a build: another URL or theme, drafts. With `theme_options`, the theme has these options
    alone.

    Without `last_contents`, which only a preview has, an unreadable site.yaml gives no site. `language` is
    the language to read, by default the main one; `original` is then the site in the main language.
    `keeps_pages`: the pages of publications are kept in the cache for the next build.
    """

    base_url: str = ""
    theme: str = ""
    theme_options: Mapping[str, str] | None = None
    include_drafts: bool = False
    last_contents: LastContents | None = None
    language: Language = Language("")
    original: Site | None = None
    keeps_pages: bool = False

    def find_last_contents(self, name: str) -> LastContents | None:
        """
        The part of the last contents with a name, for another language or another reader; None without them.
        """
        return self.last_contents.find_part(name) if self.last_contents else None
