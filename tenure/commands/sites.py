"""The sites of a call, and how their names and numbers are said."""

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
    """One site of a call: its folder, where its output goes, and its address if the call gives one."""

    root: Path
    output: Path
    base_url: str
    name: str


def is_site(folder: Path) -> bool:
    """Whether sources of a site stand in a folder."""
    return (folder / "content").is_dir() or (folder / "site.yaml").is_file()


def site_in(folder: Path) -> Path:
    """The folder itself; raises CallError where no site stands in it."""
    if not is_site(folder):
        raise CallError(f"there is no site in {seen(folder)}: it has neither site.yaml nor content/")
    return folder


def jobs_of(call: argparse.Namespace, here: Path) -> list[Job]:
    """The sites of a call; a folder that is no site itself stands for the sites in it."""
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
    """The address of a call without its last slash; raises CallError where it is none."""
    if written and not re.match(r"https?://[^/\s]+", written):
        raise CallError(f"{written} is not the URL of a site; write one that begins with https://")
    return written.rstrip("/")


def stamp_of(call: argparse.Namespace, job: Job) -> Stamp:
    """What tells whether anything has changed for a job since its last build."""
    return Stamp(job.root, job.output, (job.base_url, call.theme, str(call.strict)))


def unchanged(job: Job, *, several: bool) -> str:
    """The line on a site of which nothing has changed."""
    return f"{label(job, several=several)}Nothing has changed: {seen(job.output)}/ is up to date."


def label(job: Job, *, several: bool) -> str:
    """How each line about a site begins where there are several."""
    return f"{job.name}: " if several else ""


def make(
    job: Job,
    theme: str,
    outlets: "Sequence[Outlet] | None",
    line: "Line | None" = None,
    *,
    thorough: bool = False,
) -> "Build":
    """Build a job's site in memory; `line` shows its stages and how far each is."""
    from tenure.project import Wishes  # noqa: PLC0415 - an unchanged site is told before this is loaded
    from tenure.reading import begin  # noqa: PLC0415 - as above

    refuse_unknown_theme(theme, job.root)
    reading = begin(job.root, Wishes(job.base_url, theme, thorough))
    from tenure.pipeline import OUTLETS, build  # noqa: PLC0415 - while the sources are read

    wanted = OUTLETS if outlets is None else outlets
    if line is None:
        return build(job.root, wanted, reading=reading)
    return build(job.root, wanted, reading=reading, say=line.say, progress=line)


def refuse_unknown_theme(name: str, root: Path) -> None:
    """Raise CallError for a theme named in the call that a site does not have; "" is the site's own wish."""
    if not name:
        return
    from tenure.problems import suggestion  # noqa: PLC0415 - loaded when a theme is named
    from tenure.sources.themes import own_folders, themes_of  # noqa: PLC0415 - as above

    if not any(folder.is_dir() for folder in own_folders(root, name)):
        raise CallError(f'there is no theme called "{name}"; {suggestion(name, themes_of(root))}')


def placed(problem: "Problem", job: Job) -> "Problem":
    """A problem with its file as seen from where the call was made."""
    return replace(problem, place=replace(problem.place, file=seen(job.root / problem.place.file)))


def seen(path: Path) -> str:
    """A path as short as it can be written from here."""
    full = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and change what the user typed
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
    """How many problems there are, in words."""
    errors = sum(problem.level == "error" for problem in made.problems)
    warnings = len(made.problems) - errors
    parts = [number(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return ", ".join(parts) if parts else "0 problems"
