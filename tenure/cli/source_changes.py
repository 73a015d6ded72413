"""Changes of source files: print them as a diff, write them in place; and the repairs of `check --fix`."""

import difflib
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cache.up_to_date import input_states
from tenure.cli.arguments import UsageError
from tenure.cli.targets import BuildTarget, build_site, display_path
from tenure.problems import format_count

if TYPE_CHECKING:
    from tenure.build import Exporter
    from tenure.sources.editing.edits import FileChange

MAX_REPAIR_ROUNDS = 10
"""
A repair may reveal another mistake that can be repaired; after so many rounds the user repairs the rest.
"""


def show_changes(root: Path, changes: "Sequence[FileChange]") -> None:
    """Print the change of each file in the format of `diff -u`."""
    for change in changes:
        print(format_diff(display_path(root / change.file), change.old_text, change.new_text), end="")


def write_changes(root: Path, changes: "Sequence[FileChange]") -> None:
    """Replace each file; raises UsageError if a file has changed since it was read."""
    from tenure.sources.editing.edits import UneditableError, write_change

    for change in changes:
        name = display_path(root / change.file)
        try:
            write_change(change)
        except UneditableError:
            message = f"{name} has changed meanwhile and is left as it is; run the command again"
            raise UsageError(message) from None


def format_diff(name: str, old_text: str, new_text: str) -> str:
    """The change of a file in the format of `diff -u`, with every line end written as a line feed."""
    old_name = name if old_text else "/dev/null"
    lines = difflib.unified_diff(_split_lines(old_text), _split_lines(new_text), old_name, name)
    no_newline = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else f"{line}{no_newline}" for line in lines)


def _split_lines(text: str) -> list[str]:
    r"""The lines of a text with their ends: "a\r\nb" -> "a\n", "b"."""
    return [line for line in re.split(r"(?<=\n)", re.sub(r"\r\n?", "\n", text)) if line]


def fix_site(target: BuildTarget, exporters: "Sequence[Exporter] | None", *, write: bool) -> None:
    """
    Show the certain repairs of a site; with `write`, write them, and then those that they reveal.

    Raises UsageError if a file cannot be written or was changed by someone else.
    """
    repair_count = 0
    files: set[str] = set()
    for repair_round in range(MAX_REPAIR_ROUNDS if write else 1):
        changes = _plan_repairs(target, exporters, report_refusals=repair_round == 0)
        if not changes:
            break
        show_changes(target.root, changes)
        repair_count += sum(change.repair_count for change in changes)
        files |= {change.file for change in changes}
        if write:
            write_changes(target.root, changes)

    repairs = format_count(repair_count, "repair")
    file_count = format_count(len(files), "file")
    if not files:
        print(f"no problem in {display_path(target.root)} has a repair that is certain; nothing to change.")
    elif write:
        print(f"wrote {repairs} into {file_count}.")
    else:
        print(f"Nothing was written. To write {repairs} in {file_count}: check --fix --write")


def _plan_repairs(
    target: BuildTarget, exporters: "Sequence[Exporter] | None", *, report_refusals: bool
) -> "Sequence[FileChange]":
    """The changes that repair the problems of a site; prints which files are not changed, and why."""
    from tenure.sources.editing.edits import plan_changes

    state = input_states(target.root)
    build = build_site(target, exporters)
    repairs = [problem.edits for problem in (*build.problems, *build.notes)]
    changes, refusals = plan_changes(target.root, repairs)
    if input_states(target.root) != state:
        raise UsageError("a source has changed since it was read; run the command again")

    if report_refusals:
        for refusal in refusals:
            name = display_path(target.root / refusal.file)
            print(f"{name} is left as it is: {refusal.reason}.", file=sys.stderr)
    return changes
