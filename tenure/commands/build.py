"""`build`: write the site into its output folder."""

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, FAULTY, CallError
from tenure.commands.sites import (
    Job,
    as_text,
    counted,
    jobs_of,
    label,
    make,
    seen,
    stamp_of,
    unchanged,
)
from tenure.counts import number
from tenure.stamp import inputs

if TYPE_CHECKING:
    from tenure.output import States
    from tenure.pipeline import Build, Outlet
    from tenure.progress import Line


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Build and write every target site; returns the exit status."""
    gc.disable()  # a build needs its objects to its end; the search for garbage takes a tenth of its time
    jobs = jobs_of(call, here)
    _refuse_sources(jobs)
    if call.output is not None and not call.force:
        _refuse_used_folders(jobs)
    results = [_build_one(call, job, outlets, several=len(jobs) > 1) for job in jobs]
    if len(jobs) == 1 and all(results) and outlets is None:
        stamp_of(call, jobs[0]).remember(here, call.words, unchanged(jobs[0], several=False))
    if len(jobs) > 1:
        failed = [job.name for job, sound in zip(jobs, results, strict=True) if not sound]
        tail = f"; with errors: {', '.join(failed)}" if failed else ""
        print(f"{len(jobs) - len(failed)} of {len(jobs)} sites built{tail}.")
    return DONE if all(results) else FAULTY


def _refuse_sources(jobs: Sequence[Job]) -> None:
    """Raise UsageError for an output folder inside the sources: the next build would read the written files."""
    for folder, root in product((job.output.resolve() for job in jobs), [job.root.resolve() for job in jobs]):
        name = next((n for n in ("content", "bib", "themes") if folder.is_relative_to(root / n)), None)
        if name is not None:
            raise CallError(
                f"{seen(folder)}/ is in {seen(root / name)}/, which is read; name another --output"
            )


def _refuse_used_folders(jobs: Sequence[Job]) -> None:
    """Raise UsageError for an output folder that holds files but no manifest of Tenure."""
    for job in jobs:
        names = other_files(job.output)
        if names:
            shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            raise CallError(
                f"{seen(job.output)}/ contains files that Tenure did not write: {shown}; name another folder, "
                "or write the site between them: --force"
            )


def other_files(folder: Path) -> list[str]:
    """
    Sorted names of the files in a folder that Tenure has never written to; `.git` is ignored.

    Empty for a folder with Tenure's manifest, and for a folder that does not exist.
    """
    from tenure.output import MANIFEST  # noqa: PLC0415 - loaded only for --output

    if not folder.is_dir() or (folder / MANIFEST).is_file():
        return []
    return sorted(path.name for path in folder.iterdir() if path.name != ".git")


def _build_one(
    call: argparse.Namespace, job: Job, outlets: "Sequence[Outlet] | None", *, several: bool
) -> bool:
    """Build and publish one site; returns whether it was written."""
    started = time.perf_counter()
    stamp = stamp_of(call, job)
    said = stamp.unchanged() if outlets is None else None
    if said is not None:
        sys.stderr.write(said)
        sys.stderr.flush()
        print(unchanged(job, several=several))
        return True
    from tenure.progress import Line  # noqa: PLC0415 - not needed for an unchanged site

    before = inputs(job.root)
    prefix = label(job, several=several)
    line = Line(sys.stderr, prefix)
    made = make(job, call.theme, outlets, line)
    line.clear()
    told = as_text(made, job)
    sys.stdout.flush()
    sys.stderr.write(told)
    sys.stderr.flush()
    if made.failed or (call.strict and made.problems):
        print(f"{prefix}{counted(made)}; nothing was written.")
        return False
    published = _publish(job, made, line, stamp.left())
    if published is None:
        return False
    written, removed = published
    if outlets is None:
        stamp.keep(before, [artifact.path for artifact in made.artifacts], told)
    print(f"{prefix}{_describe_writing(written, len(made.artifacts) - written, removed)}")
    took = time.perf_counter() - started
    print(f"{prefix}{_contents(made)} in {seen(job.output)}/, {counted(made)}, {took:.2f} s")
    return True


def _publish(job: Job, made: "Build", line: "Line", left: "States") -> tuple[int, int] | None:
    """Write the files; returns the numbers of written and removed files, None if foreign files are in the folder."""
    from tenure import output  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.output import foreign, publish, unwritable_on_windows  # noqa: PLC0415 - not needed for an unchanged site
    from tenure.problems import Place, Problem, written  # noqa: PLC0415 - not needed for an unchanged site

    refused = unwritable_on_windows(artifact.path for artifact in made.artifacts) if output.WINDOWS else []
    if refused:
        raise CallError(
            f"Windows cannot have a file {refused[0]}; give this entry another id, or the file another name"
        )
    in_the_way = foreign(made.artifacts, job.output)
    for path in in_the_way:
        place = Place(f"{seen(job.output)}/{path}")
        hint = "move it away, or build to another folder: --output DIR"
        sys.stderr.write(
            written(Problem(place, "error", "foreign-file", "this file was not written by Tenure", hint))
            + "\n"
        )
    if in_the_way:
        print("Nothing was written.")
        return None
    try:
        published = publish(made.artifacts, job.output, line, left)
    except OSError as error:
        raise CallError(f"cannot write to {seen(job.output)}: {error.strerror or error}") from error
    finally:
        line.clear()
    return len(published.written), len(published.removed)


def _describe_writing(written: int, unchanged: int, removed: int) -> str:
    """A sentence such as "Wrote 2 files; 40 were up to date; deleted 1 old file."."""
    parts = [f"Wrote {number(written, 'file')}"]
    if unchanged:
        parts.append(f"{unchanged:,} {'was' if unchanged == 1 else 'were'} up to date")
    if removed:
        parts.append(f"deleted {number(removed, 'old file')}")
    return f"{'; '.join(parts)}."


def _contents(made: "Build") -> str:
    papers = len(made.site.publications) if made.site else 0
    parts = [number(len(made.pages), "page")] + ([number(papers, "publication")] if papers else [])
    return ", ".join(parts)
