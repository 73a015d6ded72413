"""The target sites of a command, and texts about them."""

import argparse
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import CallError
from tenure.counts import number
from tenure.frozen import dataclass
from tenure.stamp import Stamp

if TYPE_CHECKING:
    from tenure.pipeline import Build, Outlet
    from tenure.problems import Problem
    from tenure.progress import Line


@dataclass(frozen=True, slots=True)
class Job:
    """One site of a command: its folder, its output folder, its URL if --base-url gives one, and its name."""

    root: Path
    output: Path
    base_url: str
    name: str


def is_site(folder: Path) -> bool:
    """Whether a folder contains the sources of a site."""
    return (folder / "content").is_dir() or (folder / "site.yaml").is_file()


def site_in(folder: Path) -> Path:
    """The folder itself; raises UsageError if it contains no site."""
    if not is_site(folder):
        raise CallError(f"there is no site in {seen(folder)}: it has neither site.yaml nor content/")
    return folder


def jobs_of(call: argparse.Namespace, here: Path) -> list[Job]:
    """The sites of a command; a folder that is not a site itself is replaced by the sites in it."""
    named = call.site or [here]
    roots: list[Path] = []
    several = len(named) > 1
    for folder in named:
        if not folder.is_dir():
            raise CallError(f"there is no folder {folder}")
        inside = (
            []
            if is_site(folder)
            else sorted(path for path in folder.iterdir() if path.is_dir() and is_site(path))
        )
        several = several or bool(inside)
        roots += inside or [folder]
    output: Path | None = getattr(call, "output", None)
    base = _address(getattr(call, "base_url", ""))
    if not several:
        return [Job(roots[0], output or roots[0] / "output", base, roots[0].resolve().name)]
    names = [root.resolve().name for root in roots]
    for name in names:
        if names.count(name) > 1:
            raise CallError(f'two sites are called "{name}"; their folders must differ in name')
    target = output or Path("output")
    return [Job(r, target / n, f"{base}/{n}" if base else "", n) for r, n in zip(roots, names, strict=True)]


def _address(written: str) -> str:
    """The URL of --base-url without its last slash; raises UsageError if it is invalid."""
    if written and not re.match(r"https?://[^/\s]+", written):
        raise CallError(f"{written} is not the URL of a site; write one that begins with https://")
    return written.rstrip("/")


def stamp_of(call: argparse.Namespace, job: Job) -> Stamp:
    """The check whether anything has changed since the last build of a target."""
    return Stamp(job.root, job.output, (job.base_url, call.theme, str(call.strict)))


def unchanged(job: Job, *, several: bool) -> str:
    """The line about a site without changes."""
    return f"{label(job, several=several)}Nothing has changed: {seen(job.output)}/ is up to date."


def label(job: Job, *, several: bool) -> str:
    """The beginning of each line about a site: its name if the command has several sites, else ""."""
    return f"{job.name}: " if several else ""


def make(
    job: Job,
    theme: str,
    outlets: "Sequence[Outlet] | None",
    line: "Line | None" = None,
    *,
    thorough: bool = False,
) -> "Build":
    """Build a site in memory; `progress_line` shows its stages and their progress."""
    from tenure.project import Wishes  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.reading import begin  # noqa: PLC0415 - as above

    refuse_unknown_theme(theme, job.root)
    reading = begin(job.root, Wishes(job.base_url, theme, thorough))
    from tenure.pipeline import OUTLETS, build  # noqa: PLC0415 - while the sources are read

    wanted = OUTLETS if outlets is None else outlets
    if line is None:
        return build(job.root, wanted, reading=reading)
    return build(job.root, wanted, reading=reading, say=line.say, progress=line)


def refuse_unknown_theme(name: str, root: Path) -> None:
    """Raise UsageError for a theme of --theme that does not exist; "" is the theme in site.yaml."""
    if not name:
        return
    from tenure.problems import suggestion  # noqa: PLC0415 - loaded only if a theme is named
    from tenure.sources.themes import own_folders, themes_of  # noqa: PLC0415 - as above

    if not any(folder.is_dir() for folder in own_folders(root, name)):
        raise CallError(f'there is no theme called "{name}"; {suggestion(name, themes_of(root))}')


def placed(problem: "Problem", job: Job) -> "Problem":
    """A copy of a problem with its file relative to the current folder."""
    return replace(problem, place=replace(problem.place, file=seen(job.root / problem.place.file)))


def seen(path: Path) -> str:
    """A path relative to the current folder; without ".." and outside that folder, as it was typed."""
    full = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and change the path that the user typed
    if full.is_relative_to(Path.cwd()):
        return full.relative_to(Path.cwd()).as_posix()
    if ".." not in path.parts:
        return str(path)
    try:
        return Path(os.path.relpath(full)).as_posix()
    except ValueError:  # on Windows, a path on another drive
        return path.as_posix()


def as_text(made: "Build", job: Job) -> str:
    """The problems of a build as lines for the terminal."""
    from tenure.problems import written  # noqa: PLC0415 - loaded only when needed

    return "".join(f"{written(placed(problem, job))}\n" for problem in made.problems)


def counted(made: "Build") -> str:
    """The numbers of problems in words, such as "1 error, 2 warnings"."""
    errors = sum(problem.level == "error" for problem in made.problems)
    warnings = len(made.problems) - errors
    parts = [number(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return ", ".join(parts) if parts else "0 problems"
