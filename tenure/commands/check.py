"""`check`: report every problem, write nothing."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, FAULTY, CallError
from tenure.commands.sites import as_text, jobs_of, label, make, placed, seen
from tenure.counts import number

if TYPE_CHECKING:
    from tenure.commands.sites import Job
    from tenure.pipeline import Build, Outlet


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Report the problems of every target site, or repair them with --fix; returns the exit status."""
    jobs = jobs_of(call, here)
    if call.write and not call.fix:
        raise CallError("--write needs --fix: check --fix --write")
    if call.fix and call.format != "text":
        raise CallError("--fix shows a diff; --format json lists the same repairs as edits")
    if call.fix:
        from tenure.commands.fix import fix_site  # noqa: PLC0415 - loaded only when called

        for job in jobs:
            fix_site(job, call, outlets, several=len(jobs) > 1)
        if not call.write:
            return DONE
    builds = [(job, make(job, call.theme, outlets, thorough=True)) for job in jobs]
    if call.links == "external":
        from tenure.commands.outside import with_outside  # noqa: PLC0415 - loaded only for --links external

        builds = [(job, with_outside(made, job.root)) for job, made in builds]
    if call.info:
        builds = [(job, _with_notes(made)) for job, made in builds]
    _report(call, builds)
    failed = any(made.failed or (call.strict and _is_doubtful(made)) for _, made in builds)
    return FAULTY if failed else DONE


def _with_notes(made: "Build") -> "Build":
    """A copy of a build whose problems include its notes."""
    return replace(made, problems=tuple(sorted((*made.problems, *made.notes))))


def _is_doubtful(made: "Build") -> bool:
    """Whether a build has errors or warnings."""
    return any(problem.level != "info" for problem in made.problems)


def _report(call: argparse.Namespace, builds: "Sequence[tuple[Job, Build]]") -> None:
    """Print the problems of every site in the format of --format."""
    from tenure.problems import as_annotation, as_json  # noqa: PLC0415 - loaded only when needed

    found = [placed(problem, job) for job, made in builds for problem in made.problems]
    if call.format != "text" and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # the encoding of these formats, on Windows too
    if call.format == "json":
        counts = {
            seen(job.root / file): {"found": count.found, "shown": count.shown, "told": count.told}
            for job, made in builds
            for file, count in made.counts.items()
        }
        report = {"problems": [as_json(problem) for problem in found], "entries": counts}
        print(json.dumps(report, ensure_ascii=False, indent=2))
    elif call.format == "github":
        for problem in found:
            print(as_annotation(problem))
    else:
        for job, made in builds:
            sys.stderr.write(as_text(made, job))
        sys.stderr.flush()
        for job, made in builds:
            print(f"{label(job, several=len(builds) > 1)}{_summary(made, listed=call.info)}")


def _summary(made: "Build", *, listed: bool) -> str:
    """The last line on a site: the number of problems, and how to see the notes and the repairs."""
    problems = made.problems
    counts = [
        number(sum(problem.level == level for problem in problems), noun)
        for level, noun in (("error", "error"), ("warning", "warning"), ("info", "note"))
        if any(problem.level == level for problem in problems)
    ]
    lines = [f"{', '.join(counts) or '0 problems'}."]
    if made.notes and not listed:
        verb = "lists it" if len(made.notes) == 1 else "lists them"
        lines.append(f"{number(len(made.notes), 'note')}: check --info {verb}.")
    certain = {problem for problem in (*problems, *made.notes) if problem.edits}
    if certain:
        lines.append(
            f"{number(len(certain), 'repair')} can be written for you: check --fix shows the changes."
        )
    return " ".join(lines)
