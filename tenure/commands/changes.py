"""Changes of source files: print them as a diff, write them in place."""

import difflib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import CallError
from tenure.commands.sites import seen

if TYPE_CHECKING:
    from tenure.sources.edits import Change, Refusal


def show_changes(root: Path, changes: "Sequence[Change]") -> None:
    """Print the change of each file in the format of `diff -u`."""
    for change in changes:
        print(diff(seen(root / change.file), change.old_text, change.new_text), end="")


def show_refusals(root: Path, refusals: "Sequence[Refusal]") -> None:
    """Print on stderr which files are not changed, and the reasons."""
    for refusal in refusals:
        print(f"{seen(root / refusal.file)} is left as it is: {refusal.reason}.", file=sys.stderr)


def write_changes(root: Path, changes: "Sequence[Change]") -> None:
    """Replace each file; raises UsageError if a file cannot be written or has changed since it was read."""
    from tenure.atomic import write_file  # noqa: PLC0415 - loaded only if something is written

    for change in changes:
        name = seen(root / change.file)
        try:
            if change.path.exists() and change.path.read_bytes() != change.before:
                raise CallError(f"{name} has changed meanwhile and is left as it is; run the command again")
            mode = change.path.stat().st_mode & 0o777 if change.path.exists() else 0o644
            write_file(change.path, change.after, mode)
            change.path.chmod(mode)
        except OSError as error:
            raise CallError(f"cannot write {name}: {error.strerror or error}") from error


def apart_from_edited(
    root: Path,
    changes: "Sequence[Change]",
    before: Mapping[str, tuple[int, int]],
    after: Mapping[str, tuple[int, int]],
) -> "tuple[list[Change], list[Refusal]]":
    """
    The changes of files that were not edited since they were read, and a refusal for each other file.

    `state_before` and `state_after` are the states of the sources before they were read and now, see
    tenure.cache.up_to_date.
    """
    from tenure.sources.edits import Refusal  # noqa: PLC0415 - loaded only if something is written

    sound: list[Change] = []
    refusals: list[Refusal] = []
    for change in changes:
        path = os.path.join(root, *change.file.split("/"))  # noqa: PTH118 - the keys of a state have this form
        if before.get(path) == after.get(path):
            sound.append(change)
        else:
            refusals.append(Refusal(change.file, "it has changed since it was read; run the command again"))
    return sound, refusals


def diff(name: str, before: str, after: str) -> str:
    """The change of a file in the format of `diff -u`, with every line end written as a line feed."""
    old, new = (re.split(r"(?<=\n)", re.sub(r"\r\n?", "\n", text)) for text in (before, after))
    lines = difflib.unified_diff(
        [line for line in old if line],
        [line for line in new if line],
        fromfile=name if before else "/dev/null",
        tofile=name,
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
