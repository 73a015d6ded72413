"""Check the theme files of a site: unused blocks and templates, and files that a style sheet cannot load."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from posixpath import dirname, normpath

from tenure.cache.up_to_date import list_used_files
from tenure.model.site import Site
from tenure.problems import Place, Problems, find_similar_word, suggest_word
from tenure.record import Record

_CSS_URL = re.compile(
    r"""/\*.*?(?:\*/|\Z) | (?P<import>@import\s+)?(?:url\(\s*["']?|(?<=@import\s)["'])(?P<url>[^"')\s]+)  # url("photo.png")""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class ThemeFile(Record):
    """A theme file of a site: its path in the site ("themes/plain/parts/talks.html"), its path in the theme, and its text."""

    display_path: str
    theme_path: str
    text: str


def read_theme_files(folders: Iterable[Path], pattern: str) -> Iterator[ThemeFile]:
    """Yield the files of a site's own theme folders that match a glob pattern ("pa*/**/*.html")."""
    for folder in folders:
        for path in list_used_files(folder, pattern):
            theme_path = path.relative_to(folder).as_posix()
            text = path.read_text(encoding="utf-8", errors="replace")
            yield ThemeFile(f"themes/{folder.name}/{theme_path}", theme_path, text)


def report_unknown_blocks(
    file: ThemeFile, own_blocks: Iterable[str], parent_blocks: Collection[str], problems: Problems
) -> None:
    """
    Report each outermost block that no extended template has. Jinja never shows such a block.

    `parent_blocks` are the blocks of all templates that the template extends; none if it extends no template that can be read.
    """
    for name in own_blocks if parent_blocks else ():
        if name not in parent_blocks:
            hint = suggest_word(name, parent_blocks, f"the blocks are {', '.join(sorted(parent_blocks))}")
            message = f'no template that this one extends has a block "{name}", so it is not shown'
            place = next(problems.find_places(rf"block\s+({name})\b", file.display_path))
            problems.report("unknown-block", place, message, hint)


def report_unused_templates(
    site: Site, files: Sequence[ThemeFile], own_folders: Sequence[Path], problems: Problems
) -> None:
    """
    Report templates of a site that no page uses.

    One is used if a packaged theme has its path, if a template names it, or if it has the name of an own list of the site.
    """
    known = {
        PurePosixPath(path.relative_to(folder))
        for folder in site.active_theme.folders
        if folder not in own_folders
        for path in list_used_files(folder, "pa*/*.html")
    }
    named = {name for file in files for name in re.findall(r"[\"']([\w./-]+\.html)[\"']", file.text)}
    for file in files:
        path = PurePosixPath(file.theme_path)
        listing = site.collections.get(path.stem)
        is_own_list = listing is not None and listing.kind == "items"
        if path in known or is_own_list or any(name.endswith(file.theme_path) for name in named):
            continue
        folder = path.parts[0]
        similar = find_similar_word(path.stem, [other.stem for other in known if other.parts[0] == folder])
        hint = (
            f'did you mean "{folder}/{similar}.html"?'
            if similar
            else "delete it, or import it where it is needed"
        )
        problems.report("unused-template", Place(file.display_path), "no page uses this template", hint)


def report_style_sheet_errors(
    site: Site, own_folders: Iterable[Path], assets: Mapping[str, Path], problems: Problems
) -> None:
    """
    Report files that a style sheet of a site loads from a host that site.yaml does not allow, and files that the theme does not have.

    `assets` has the files of the theme by name.
    """
    allow = site.settings.allow
    allowed_hosts = (*allow.style, *allow.font, *(allow.image or ()))
    for file in read_theme_files(own_folders, "assets/**/*.css"):
        problems.add_source(file.display_path, file.text)
        for match in _CSS_URL.finditer(file.text):
            url = match["url"] or ""
            if not url or url.startswith(allowed_hosts):
                continue
            place = problems.locate(file.display_path, *match.span("url"))
            if re.match(r"(?:https?:)?//", url, re.IGNORECASE):
                hint = "put the file into assets/ of the theme and name it here"
                problems.report("style-sheet", place, "this style sheet loads a file from another host", hint)
            elif not re.match(r"[a-z]+:|[#/]", url, re.IGNORECASE):
                name = normpath(f"{dirname(file.theme_path)}/{re.split('[?#]', url)[0]}").removeprefix(
                    "assets/"
                )
                # an import names the style sheet of another theme ("base/style.css"); the build puts it in its place
                theme, _, inner_name = url.partition("/")
                is_known_theme = match["import"] and any(theme in asset.parts for asset in assets.values())
                if name not in assets and not (is_known_theme and inner_name in assets):
                    hint = suggest_word(name, assets, "put it into assets/ of the theme")
                    problems.report("missing-file", place, f"the theme has no file “{url}”", hint)
