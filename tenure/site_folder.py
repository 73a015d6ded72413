"""The options of a build, and the loaded folder of a site."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from tenure.model.languages import Language
from tenure.model.site import Site
from tenure.publish import Artifact
from tenure.record import Record


class BibCounts(Record):
    """
    The numbers of entries in a .bib file and of those on the site; each of the others is reported as a problem.

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

    `optional_files` are copied only if something links to them. `lint_entries` reports doubtful entries in bib/, which
    no page needs: a preview shows the visible pages first.
    """

    site: Site
    static_files: tuple[Artifact, ...]
    optional_files: tuple[Artifact, ...]
    bib_counts: Mapping[str, BibCounts]
    lint_entries: Callable[[], None]


class BuildOptions(Record):
    """
    The options of a build: another URL or theme, drafts. With `theme_options`, the theme has these options alone.

    `last_contents` has the last valid contents of each file by name, and is updated by each load (in the preview); a
    file that cannot be read is replaced by them. Without last contents, an unreadable site.yaml gives no site.
    `language` is the language to read, by default the main one; `original` is then the site in the main language.
    """

    base_url: str = ""
    theme: str = ""
    theme_options: Mapping[str, str] | None = None
    include_drafts: bool = False
    last_contents: dict[str, object] | None = None
    language: Language = Language("")
    original: Site | None = None

    def contents_for(self, name: str) -> dict[Any, Any] | None:
        """The part of the last contents with a name, for another language or another reader; None without last contents."""
        contents = self.last_contents
        return None if contents is None else cast("dict[Any, Any]", contents.setdefault(name, {}))
