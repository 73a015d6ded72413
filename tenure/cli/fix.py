"""`check --fix`: show certain repairs as a diff, and write them into the sources with --write."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import input_states
from tenure.cli.source_changes import separate_edited_files, show_changes, show_refusals, write_changes
from tenure.cli.targets import BuildTarget, build_site, display_path, site_prefix
from tenure.counts import format_count

if TYPE_CHECKING:
    from tenure.build import Exporter
    from tenure.sources.edits import FileChange, RefusedFile

MAX_REPAIR_ROUNDS = 10
"""A repair may reveal another mistake that can be repaired; after this number of rounds the user has to repair the rest."""


def fix_site(
    target: BuildTarget,
    arguments: argparse.Namespace,
    exporters: "Sequence[Exporter] | None",
    *,
    multiple_sites: bool,
) -> None:
    """
    Show the certain repairs of one site; with --write, write them, and then those that they reveal.

    Raises UsageError if a file cannot be written or was changed by someone else.
    """
    prefix = site_prefix(target, multiple_sites=multiple_sites)
    changes, refusals = _plan_repairs(target, arguments, exporters)
    show_changes(target.root, changes)
    show_refusals(target.root, refusals)
    if not changes:
        print(
            f"{prefix}no problem in {display_path(target.root)} has a repair that is certain; nothing to change."
        )
        return
    repair_count, changed_files = (
        sum(change.repair_count for change in changes),
        {change.file for change in changes},
    )
    if not arguments.write:
        count = f"{format_count(repair_count, 'repair')} in {format_count(len(changed_files), 'file')}"
        print(f"{prefix}Nothing was written. To write {count}: check --fix --write")
        return
    write_changes(target.root, changes)
    for _ in range(MAX_REPAIR_ROUNDS):
        changes, _ = _plan_repairs(target, arguments, exporters)
        if not changes:
            break
        show_changes(target.root, changes)
        write_changes(target.root, changes)
        repair_count += sum(change.repair_count for change in changes)
        changed_files |= {change.file for change in changes}
    print(
        f"{prefix}wrote {format_count(repair_count, 'repair')} into {format_count(len(changed_files), 'file')}."
    )


def _plan_repairs(
    target: BuildTarget, arguments: argparse.Namespace, exporters: "Sequence[Exporter] | None"
) -> "tuple[list[FileChange], list[RefusedFile]]":
    """The changes that repair the current problems of a site."""
    from tenure.sources.edits import plan_changes  # noqa: PLC0415 - loaded only if there is a site

    root: Path = target.root
    state_before = input_states(root)
    build = build_site(target, arguments.theme, exporters, thorough=True)
    changes, refusals = plan_changes(root, [problem.edits for problem in (*build.problems, *build.notes)])
    changes, edited_refusals = separate_edited_files(root, changes, state_before, input_states(root))
    return changes, [*refusals, *edited_refusals]
