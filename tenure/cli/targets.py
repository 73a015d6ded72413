"""The site that a command builds, and texts about its build."""

import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import Call, UsageError, find_site, format_command
from tenure.problems import format_count
from tenure.record import Record, replace

if TYPE_CHECKING:
    from tenure.build import BuildResult, Exporter
    from tenure.model.site import Site
    from tenure.plan.pages import Plan
    from tenure.problems import Problem, Problems
    from tenure.progress import ProgressLine
    from tenure.publish import Artifact


class BuildTarget(Record):
    """
    The site of a command: its folder, its output folder, the URL of --base-url, and the theme of --theme.
    """

    root: Path
    output: Path
    base_url: str = ""
    theme: str = ""


class ValidSite(Record):
    """A site without errors: its folder, content, pages and static files, and its problems so far."""

    root: Path
    site: "Site"
    pages: "Plan"
    files: "Sequence[Artifact]"
    problems: "Problems"


def select_target(call: Call) -> BuildTarget:
    """The site that the options of a command name; raises UsageError if it, its theme or its URL is wrong."""
    root = find_site(call)
    arguments = call.options
    output: Path | None = getattr(arguments, "output", None)
    base_url = getattr(arguments, "base_url", "")
    if base_url:
        from tenure.model.links import is_valid_url

        if not (re.match(r"https?://[^/\s]+", base_url) and is_valid_url(base_url)):
            raise UsageError(f"{base_url} is not the URL of a site; write one that begins with https://")
    if arguments.theme:
        from tenure.problems import format_suggestion
        from tenure.sources.theme.theme_settings import list_themes, theme_folders

        if not any(folder.is_dir() for folder in theme_folders(root, arguments.theme)):
            suggestion = format_suggestion(arguments.theme, list_themes(root))
            raise UsageError(f'there is no theme called "{arguments.theme}"; {suggestion}')
    return BuildTarget(root, output or root / "output", base_url.rstrip("/"), arguments.theme)


def build_site(
    target: BuildTarget,
    exporters: "Sequence[Exporter] | None",
    progress_line: "ProgressLine | None" = None,
) -> "BuildResult":
    """Build a site in memory; `progress_line` shows its stages and their progress."""
    from tenure.build import EXPORTERS, build_site, ignore_message
    from tenure.progress import ignore_progress
    from tenure.site_folder import BuildOptions

    return build_site(
        target.root,
        EXPORTERS if exporters is None else exporters,
        # on a machine that builds once, nobody reads what is kept
        BuildOptions(base_url=target.base_url, theme=target.theme, keeps_pages=not os.environ.get("CI")),
        log=progress_line.print_line if progress_line else ignore_message,
        progress=progress_line or ignore_progress,
    )


def load_valid_site(root: Path) -> ValidSite | None:
    """Load a site and plan its pages; None if it has errors, which are printed."""
    from tenure.cache.store import CacheStore
    from tenure.plan.pages import plan_pages
    from tenure.problems import Problems
    from tenure.site_folder import BuildOptions
    from tenure.sources.load import load_site

    problems = Problems()
    store = CacheStore(root / ".cache")
    loaded = load_site(root, problems, store, BuildOptions())
    store.save()

    pages = plan_pages(loaded.site, problems) if loaded is not None else None
    errors = [problem for problem in problems.sorted_problems() if problem.level == "error"]
    sys.stderr.write(format_problems(errors, root))
    if loaded is None or pages is None or errors:
        return None
    return ValidSite(root, loaded.site, pages, loaded.static_files, problems)


def relocate_problem(problem: "Problem", root: Path) -> "Problem":
    """A copy of a problem of a site, with its file relative to the current folder."""
    return replace(problem, place=replace(problem.place, file=display_path(root / problem.place.file)))


def display_path(path: Path) -> str:
    """A path relative to the current folder; without ".." and outside that folder, as it was typed."""
    # resolve() would change what the user typed, because it follows links
    absolute_path = Path(os.path.abspath(path))
    if absolute_path.is_relative_to(Path.cwd()):
        return absolute_path.relative_to(Path.cwd()).as_posix()
    if ".." not in path.parts:
        return str(path)
    try:
        return Path(os.path.relpath(absolute_path)).as_posix()
    except ValueError:  # on Windows, a path on another drive
        return path.as_posix()


def format_problems(problems: "Sequence[Problem]", root: Path) -> str:
    """The problems of a site as lines for the terminal."""
    from tenure.problems import format_problem

    return "".join(f"{format_problem(relocate_problem(problem, root))}\n" for problem in problems)


def format_explain_line(problems: "Sequence[Problem]") -> str:
    """How to read what the problems mean: More: python3 build.py explain alias bad-date"""
    codes = dict.fromkeys(problem.code for problem in problems)
    return f"More: {format_command('explain', *codes)}"


def summarize_problems(problems: "Sequence[Problem]") -> str:
    """The numbers of problems in words, such as "1 error, 2 warnings"."""
    numbers: Counter[str] = Counter(problem.level for problem in problems)
    nouns = (("error", "error"), ("warning", "warning"), ("info", "note"))
    counts = [format_count(numbers[level], noun) for level, noun in nouns if numbers[level]]
    return ", ".join(counts) or "0 problems"
