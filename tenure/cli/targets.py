"""The target sites of a command, and texts about them."""

import argparse
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import UpToDateCheck
from tenure.cli.arguments import UsageError
from tenure.counts import format_count
from tenure.record import Record, replace

if TYPE_CHECKING:
    from tenure.build import BuildResult, Exporter
    from tenure.problems import Problem
    from tenure.progress import ProgressLine


class BuildTarget(Record):
    """One site of a command: its folder, its output folder, its URL if --base-url gives one, and its name."""

    root: Path
    output: Path
    base_url: str
    name: str


def is_site_folder(folder: Path) -> bool:
    """Whether a folder contains the sources of a site."""
    return (folder / "content").is_dir() or (folder / "site.yaml").is_file()


def require_site_folder(folder: Path) -> Path:
    """The folder itself; raises UsageError if it contains no site."""
    if not is_site_folder(folder):
        raise UsageError(f"there is no site in {display_path(folder)}: it has neither site.yaml nor content/")
    return folder


def select_targets(arguments: argparse.Namespace, default_folder: Path) -> list[BuildTarget]:
    """The sites of a command; a folder that is not a site itself is replaced by the sites in it."""
    folders = arguments.site or [default_folder]
    roots: list[Path] = []
    multiple_sites = len(folders) > 1
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}")
        inner_sites = (
            []
            if is_site_folder(folder)
            else sorted(path for path in folder.iterdir() if path.is_dir() and is_site_folder(path))
        )
        multiple_sites = multiple_sites or bool(inner_sites)
        roots += inner_sites or [folder]
    output: Path | None = getattr(arguments, "output", None)
    base_url = _check_base_url(getattr(arguments, "base_url", ""))
    if not multiple_sites:
        return [BuildTarget(roots[0], output or roots[0] / "output", base_url, roots[0].resolve().name)]
    names = [root.resolve().name for root in roots]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f'two sites are called "{name}"; their folders must differ in name')
    output_root = output or Path("output")
    return [
        BuildTarget(r, output_root / n, f"{base_url}/{n}" if base_url else "", n)
        for r, n in zip(roots, names, strict=True)
    ]


def _check_base_url(base_url: str) -> str:
    """The URL of --base-url without its last slash; raises UsageError if it is invalid."""
    if not base_url:
        return ""
    from tenure.model.links import is_valid_url  # noqa: PLC0415 - only needed with --base-url

    if not (re.match(r"https?://[^/\s]+", base_url) and is_valid_url(base_url)):
        raise UsageError(f"{base_url} is not the URL of a site; write one that begins with https://")
    return base_url.rstrip("/")


def create_up_to_date_check(arguments: argparse.Namespace, target: BuildTarget) -> UpToDateCheck:
    """The check whether anything has changed since the last build of a target."""
    options = (target.base_url, arguments.theme, str(arguments.strict), str(arguments.for_disk))
    return UpToDateCheck(target.root, target.output, options)


def describe_unchanged_site(target: BuildTarget, *, multiple_sites: bool) -> str:
    """The line about a site without changes."""
    return f"{site_prefix(target, multiple_sites=multiple_sites)}Nothing has changed: {display_path(target.output)}/ is up to date."


def site_prefix(target: BuildTarget, *, multiple_sites: bool) -> str:
    """The beginning of each line about a site: its name if the command has several sites, else ""."""
    return f"{target.name}: " if multiple_sites else ""


def build_site(
    target: BuildTarget,
    theme: str,
    exporters: "Sequence[Exporter] | None",
    progress_line: "ProgressLine | None" = None,
) -> "BuildResult":
    """Build a site in memory; `progress_line` shows its stages and their progress."""
    from tenure.build import EXPORTERS, build_site, ignore_message  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.progress import ignore_progress  # noqa: PLC0415 - as above

    refuse_unknown_theme(theme, target.root)
    return build_site(
        target.root,
        EXPORTERS if exporters is None else exporters,
        base_url=target.base_url,
        theme=theme,
        log=progress_line.print_line if progress_line else ignore_message,
        progress=progress_line or ignore_progress,
    )


def refuse_unknown_theme(name: str, root: Path) -> None:
    """Raise UsageError for a theme of --theme that does not exist; "" is the theme in site.yaml."""
    if not name:
        return
    from tenure.problems import format_suggestion  # noqa: PLC0415 - loaded only if a theme is named
    from tenure.sources.theme.theme import list_themes, theme_folders  # noqa: PLC0415 - as above

    if not any(folder.is_dir() for folder in theme_folders(root, name)):
        raise UsageError(f'there is no theme called "{name}"; {format_suggestion(name, list_themes(root))}')


def relocate_problem(problem: "Problem", target: BuildTarget) -> "Problem":
    """A copy of a problem with its file relative to the current folder."""
    return replace(problem, place=replace(problem.place, file=display_path(target.root / problem.place.file)))


def display_path(path: Path) -> str:
    """A path relative to the current folder; without ".." and outside that folder, as it was typed."""
    absolute_path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and change the path that the user typed
    if absolute_path.is_relative_to(Path.cwd()):
        return absolute_path.relative_to(Path.cwd()).as_posix()
    if ".." not in path.parts:
        return str(path)
    try:
        return Path(os.path.relpath(absolute_path)).as_posix()
    except ValueError:  # on Windows, a path on another drive
        return path.as_posix()


def format_problems(build: "BuildResult", target: BuildTarget) -> str:
    """The problems of a build as lines for the terminal."""
    from tenure.problems import format_problem  # noqa: PLC0415 - loaded only when needed

    return "".join(f"{format_problem(relocate_problem(problem, target))}\n" for problem in build.problems)


def summarize_problems(build: "BuildResult") -> str:
    """The numbers of problems in words, such as "1 error, 2 warnings"."""
    errors = sum(problem.level == "error" for problem in build.problems)
    warnings = len(build.problems) - errors
    counts = [format_count(n, noun) for n, noun in ((errors, "error"), (warnings, "warning")) if n]
    return ", ".join(counts) if counts else "0 problems"
