"""Changes of source files: print them as a diff, write them in place; and the repairs of `check --fix`."""

import argparse
import difflib
import os
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import input_states
from tenure.cli.arguments import UsageError
from tenure.cli.targets import BuildTarget, build_site, display_path, site_prefix
from tenure.counts import format_count

if TYPE_CHECKING:
    from tenure.build import Exporter
    from tenure.cache.up_to_date import FileStates
    from tenure.sources.edits import FileChange, RefusedFile

MAX_REPAIR_ROUNDS = 10
"""A repair may reveal another mistake that can be repaired; after this number of rounds the user has to repair the rest."""


def show_changes(root: Path, changes: "Sequence[FileChange]") -> None:
    """Print the change of each file in the format of `diff -u`."""
    for change in changes:
        print(format_diff(display_path(root / change.file), change.old_text, change.new_text), end="")


def show_refusals(root: Path, refusals: "Sequence[RefusedFile]") -> None:
    """Print on stderr which files are not changed, and the reasons."""
    for refusal in refusals:
        print(f"{display_path(root / refusal.file)} is left as it is: {refusal.reason}.", file=sys.stderr)


def write_changes(root: Path, changes: "Sequence[FileChange]") -> None:
    """Replace each file; raises UsageError if a file cannot be written or has changed since it was read."""
    from tenure.sources.edits import UneditableError, write_change  # noqa: PLC0415 - loaded only if something is written

    for change in changes:
        name = display_path(root / change.file)
        try:
            write_change(change)
        except UneditableError:
            message = f"{name} has changed meanwhile and is left as it is; run the command again"
            raise UsageError(message) from None
        except OSError as error:
            raise UsageError(f"cannot write {name}: {error.strerror or error}") from error


def separate_edited_files(
    root: Path, changes: "Sequence[FileChange]", state_before: "FileStates", state_after: "FileStates"
) -> "tuple[list[FileChange], list[RefusedFile]]":
    """
    The changes of files that were not edited since they were read, and a refusal for each other file.

    `state_before` and `state_after` are the states of the sources before they were read and now, see
    tenure.cache.up_to_date.
    """
    from tenure.sources.edits import RefusedFile  # noqa: PLC0415 - loaded only if something is written

    unedited: list[FileChange] = []
    refusals: list[RefusedFile] = []
    reason = "it has changed since it was read; run the command again"
    for change in changes:
        path = os.path.join(root, *change.file.split("/"))  # noqa: PTH118 - the keys of a state have this form
        if state_before.get(path) == state_after.get(path):
            unedited.append(change)
        else:
            refusals.append(RefusedFile(change.file, reason))
    return unedited, refusals


def format_diff(name: str, old_text: str, new_text: str) -> str:
    """The change of a file in the format of `diff -u`, with every line end written as a line feed."""
    old_lines, new_lines = (
        [line for line in re.split(r"(?<=\n)", re.sub(r"\r\n?", "\n", text)) if line]
        for text in (old_text, new_text)
    )
    lines = difflib.unified_diff(old_lines, new_lines, name if old_text else "/dev/null", name)
    no_newline = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else f"{line}{no_newline}" for line in lines)


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
        place = display_path(target.root)
        print(f"{prefix}no problem in {place} has a repair that is certain; nothing to change.")
        return
    repair_count = sum(change.repair_count for change in changes)
    changed_files = {change.file for change in changes}
    if not arguments.write:
        print(
            f"{prefix}Nothing was written. To write {_count_repairs(repair_count, changed_files)}: check --fix --write"
        )
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
    print(f"{prefix}wrote {_count_repairs(repair_count, changed_files, 'into')}.")


def _count_repairs(repair_count: int, files: Collection[str], preposition: str = "in") -> str:
    return f"{format_count(repair_count, 'repair')} {preposition} {format_count(len(files), 'file')}"


def _plan_repairs(
    target: BuildTarget, arguments: argparse.Namespace, exporters: "Sequence[Exporter] | None"
) -> "tuple[list[FileChange], list[RefusedFile]]":
    """The changes that repair the current problems of a site."""
    from tenure.sources.edits import plan_changes  # noqa: PLC0415 - loaded only if there is a site

    root: Path = target.root
    state_before = input_states(root)
    build = build_site(target, arguments.theme, exporters)
    changes, refusals = plan_changes(root, [problem.edits for problem in (*build.problems, *build.notes)])
    changes, edited_refusals = separate_edited_files(root, changes, state_before, input_states(root))
    return changes, [*refusals, *edited_refusals]
