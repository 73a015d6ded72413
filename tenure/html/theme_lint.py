"""Check the theme files of a site: unused blocks, and files of other hosts in style sheets."""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tenure.html.assets import OWN_STYLE_SHEET
from tenure.model.site import Site
from tenure.problems import Problems, suggest_word
from tenure.record import Record
from tenure.source_paths import list_used_files

_FOREIGN_URL = re.compile(
    r"""
    /\*.*?(?:\*/|\Z)                                                   # a comment, in which nothing is loaded
    | (?:@import\s+|url\(\s*) ["']? (?P<url>(?:https?:)?//[^"')\s]+)   # url("https://example.org/photo.png")
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class ThemeFile(Record):
    """
    A theme file of a site: its path in the site ("themes/plain/parts/a.html"), that in the theme, its text.
    """

    display_path: str
    theme_path: str
    text: str
    folder: str = "assets/ of the theme"
    """where the files that it names are"""


def read_theme_files(folders: Iterable[Path], pattern: str) -> Iterator[ThemeFile]:
    """Yield the files of a site's own theme folders that match a glob pattern ("pa*/**/*.html")."""
    for folder in folders:
        for path in list_used_files(folder, pattern):
            theme_path = path.relative_to(folder).as_posix()
            text = path.read_text(encoding="utf-8", errors="replace")
            yield ThemeFile(f"themes/{folder.name}/{theme_path}", theme_path, text)


def _read_own_stylesheets(site: Site, own_folders: Iterable[Path]) -> Iterator[ThemeFile]:
    """The style sheets in the theme folders of a site, and content/style.css."""
    yield from read_theme_files(own_folders, "assets/**/*.css")
    own_css = site.active_theme.style_sheet
    if own_css:
        yield ThemeFile(OWN_STYLE_SHEET, OWN_STYLE_SHEET, own_css, folder="content/")


def report_unknown_blocks(
    file: ThemeFile, own_blocks: Iterable[str], parent_blocks: Collection[str], problems: Problems
) -> None:
    """
    Report each outermost block that no extended template has. Jinja never shows such a block.

    `parent_blocks` are those of all templates that the template extends, as far as they can be read.
    """
    for name in own_blocks:
        if parent_blocks and name not in parent_blocks:
            hint = suggest_word(name, parent_blocks, f"the blocks are {', '.join(sorted(parent_blocks))}")
            message = f'no template that this one extends has a block "{name}", so it is not shown'
            place = next(problems.find_places(rf"block\s+({name})\b", file.display_path))
            problems.report("unknown-block", place, message, hint)


def report_foreign_files(site: Site, own_folders: Iterable[Path], problems: Problems) -> None:
    """Report files that a style sheet of a site loads from a host that site.yaml does not allow."""
    allowed_hosts = site.settings.allow.hosts or ()
    for file in _read_own_stylesheets(site, own_folders):
        problems.add_source(file.display_path, file.text)

        for match in _FOREIGN_URL.finditer(file.text):
            if match["url"] and not match["url"].startswith(allowed_hosts):
                place = problems.locate(file.display_path, *match.span("url"))
                hint = f"put the file into {file.folder} and name it here"
                problems.report("style-sheet", place, "this style sheet loads a file from another host", hint)
