"""Check the theme files of a site: unused blocks and templates, and files that a style sheet cannot load."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from posixpath import dirname, normpath

from tenure.cache.up_to_date import list_used_files
from tenure.problems import Place, Problems, find_similar_word, suggest_word
from tenure.record import Record

_TEMPLATE_NAME = re.compile(r"[\"']([\w./-]+\.html)[\"']")
_CSS_URL = re.compile(
    r"""/\*.*?(?:\*/|\Z) | (?P<import>@import\s+)?(?:url\(\s*["']?|(?<=@import\s)["'])(?P<url>[^"')\s]+)  # url("photo.png")""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class ThemeFile(Record):
    """A theme file of a site: its path in the site ("themes/plain/parts/talks.html"), its path in the theme, and its text."""

    display_path: str
    theme_path: str
    text: str


def report_unknown_blocks(
    file: ThemeFile, own_blocks: Iterable[str], parent_blocks: Iterable[str], problems: Problems
) -> None:
    """
    Report each outermost block that no extended template has. Jinja never shows such a block.

    `parent_blocks` are the blocks of all templates that the template extends; none if it extends no template that can be read.
    """
    blocks = frozenset(parent_blocks)
    for name in own_blocks if blocks else ():
        if name not in blocks:
            hint = suggest_word(name, blocks, f"the blocks are {', '.join(sorted(blocks))}")
            message = f'no template that this one extends has a block "{name}", so it is not shown'
            place = next(problems.find_places(rf"block\s+({name})\b", file.display_path))
            problems.report("unknown-block", place, message, hint)


def report_unused_templates(
    files: Sequence[ThemeFile], packaged_paths: Iterable[str], own_lists: Container[str], problems: Problems
) -> None:
    """
    Report templates that no page uses: no packaged template has the same path, and no template refers to them.

    `packaged_paths` are the paths of the packaged templates; `own_lists` are the names of the site's own lists, whose
    templates have these names.
    """
    known_paths = frozenset(packaged_paths)
    named_templates = {name for file in files for name in _TEMPLATE_NAME.findall(file.text)}
    for file in files:
        path = PurePosixPath(file.theme_path)
        is_named = any(name.endswith(file.theme_path) for name in named_templates)
        if file.theme_path not in known_paths and path.stem not in own_lists and not is_named:
            folder = path.parts[0]
            stems = [PurePosixPath(known).stem for known in known_paths if known.startswith(folder)]
            similar = find_similar_word(path.stem, stems)
            hint = (
                f'did you mean "{folder}/{similar}.html"?'
                if similar
                else "delete it, or import it where it is needed"
            )
            problems.report("unused-template", Place(file.display_path), "no page uses this template", hint)


def report_style_sheet_errors(
    file: ThemeFile, assets: Mapping[str, Path], allowed_hosts: Sequence[str], problems: Problems
) -> None:
    """
    Report files that a style sheet loads from other hosts, and files that the theme does not have.

    `assets` has the files of the theme by name. `allowed_hosts` are the hosts that site.yaml allows
    ("https://fonts.example.org").
    """
    for match in _CSS_URL.finditer(file.text):
        url = match["url"] or ""
        if not url or url.startswith(tuple(allowed_hosts)):
            continue
        place = problems.locate(file.display_path, *match.span("url"))
        if re.match(r"(?:https?:)?//", url, re.IGNORECASE):
            hint = "put the file into assets/ of the theme and name it here"
            problems.report("style-sheet", place, "this style sheet loads a file from another host", hint)
        elif not re.match(r"[a-z]+:|[#/]", url, re.IGNORECASE):
            path = normpath(f"{dirname(file.theme_path)}/{re.split('[?#]', url)[0]}").removeprefix("assets/")
            # an import names the style sheet of another theme ("base/style.css"); the build puts it in its place
            theme, _, name = url.partition("/")
            is_known_theme = match["import"] and any(theme in asset.parts for asset in assets.values())
            known_names = {path, name} if is_known_theme else {path}
            if known_names.isdisjoint(assets):
                hint = suggest_word(path, assets, "put it into assets/ of the theme")
                problems.report("missing-file", place, f"the theme has no file “{url}”", hint)


def read_theme_files(folders: Iterable[Path], pattern: str) -> Iterator[ThemeFile]:
    """Yield the files of a site's own theme folders that match a glob pattern ("pa*/**/*.html")."""
    for folder in folders:
        for path in list_used_files(folder, pattern):
            theme_path = path.relative_to(folder).as_posix()
            text = path.read_text(encoding="utf-8", errors="replace")
            yield ThemeFile(f"themes/{folder.name}/{theme_path}", theme_path, text)
