"""`check --fix`: show certain repairs as a diff, and write them into the sources with --write."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.changes import apart_from_edited, show_changes, show_refusals, write_changes
from tenure.commands.sites import Job, label, make, seen
from tenure.counts import number
from tenure.stamp import inputs

if TYPE_CHECKING:
    from tenure.pipeline import Outlet
    from tenure.sources.edits import Change, Refusal

MOST_ROUNDS = 10
"""A repair may reveal another mistake that can be repaired; after this number of rounds the user has to repair the rest."""


def fix_site(
    job: Job, call: argparse.Namespace, outlets: "Sequence[Outlet] | None", *, several: bool
) -> None:
    """
    Show the certain repairs of one site; with --write, write them, and then those that they reveal.

    Raises UsageError if a file cannot be written or was changed by someone else.
    """
    prefix = label(job, several=several)
    changes, refusals = _plan(job, call, outlets)
    show_changes(job.root, changes)
    show_refusals(job.root, refusals)
    if not changes:
        print(f"{prefix}no problem in {seen(job.root)} has a repair that is certain; nothing to change.")
        return
    repairs, files = sum(change.repairs for change in changes), {change.file for change in changes}
    if not call.write:
        count = f"{number(repairs, 'repair')} in {number(len(files), 'file')}"
        print(f"{prefix}Nothing was written. To write {count}: check --fix --write")
        return
    write_changes(job.root, changes)
    for _ in range(MOST_ROUNDS):
        changes, _ = _plan(job, call, outlets)
        if not changes:
            break
        show_changes(job.root, changes)
        write_changes(job.root, changes)
        repairs += sum(change.repairs for change in changes)
        files |= {change.file for change in changes}
    print(f"{prefix}wrote {number(repairs, 'repair')} into {number(len(files), 'file')}.")


def _plan(
    job: Job, call: argparse.Namespace, outlets: "Sequence[Outlet] | None"
) -> "tuple[list[Change], list[Refusal]]":
    """The changes that repair the current problems of a site."""
    from tenure.sources.edits import plan_changes  # noqa: PLC0415 - loaded only if there is a site

    root: Path = job.root
    before = inputs(root)
    made = make(job, call.theme, outlets, thorough=True)
    changes, refusals = plan_changes(root, [problem.edits for problem in (*made.problems, *made.notes)])
    changes, edited = apart_from_edited(root, changes, before, inputs(root))
    return changes, [*refusals, *edited]
