"""`check`: every mistake told, nothing written."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, FAULTY
from tenure.commands.sites import as_text, counted, jobs_of, label, make, placed, seen

if TYPE_CHECKING:
    from tenure.pipeline import Outlet


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Tell the problems of every site of the call; returns the exit status."""
    from tenure.problems import as_annotation, as_json  # noqa: PLC0415 - loaded only when needed

    jobs = jobs_of(call, here)
    builds = [(job, make(job, call.theme, outlets, thorough=True)) for job in jobs]
    if call.links == "external":
        from tenure.commands.outside import with_outside  # noqa: PLC0415 - loaded only when asked for

        builds = [(job, with_outside(made, job.root)) for job, made in builds]
    found = [placed(problem, job) for job, made in builds for problem in made.problems]
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
            print(f"{label(job, several=len(jobs) > 1)}{counted(made)}.")
    failed = any(made.failed or (call.strict and made.problems) for _, made in builds)
    return FAULTY if failed else DONE
