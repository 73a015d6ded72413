"""Changes of source files: print them as a diff, write them in place."""

import difflib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import UsageError
from tenure.cli.targets import display_path

if TYPE_CHECKING:
    from tenure.sources.edits import FileChange, RefusedFile


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
    from tenure.atomic import write_file  # noqa: PLC0415 - loaded only if something is written

    for change in changes:
        name = display_path(root / change.file)
        try:
            if change.path.exists() and change.path.read_bytes() != change.old_bytes:
                raise UsageError(f"{name} has changed meanwhile and is left as it is; run the command again")
            mode = change.path.stat().st_mode & 0o777 if change.path.exists() else 0o644
            write_file(change.path, change.new_bytes, mode)
            change.path.chmod(mode)
        except OSError as error:
            raise UsageError(f"cannot write {name}: {error.strerror or error}") from error


def separate_edited_files(
    root: Path,
    changes: "Sequence[FileChange]",
    state_before: Mapping[str, tuple[int, int]],
    state_after: Mapping[str, tuple[int, int]],
) -> "tuple[list[FileChange], list[RefusedFile]]":
    """
    The changes of files that were not edited since they were read, and a refusal for each other file.

    `state_before` and `state_after` are the states of the sources before they were read and now, see
    tenure.cache.up_to_date.
    """
    from tenure.sources.edits import RefusedFile  # noqa: PLC0415 - loaded only if something is written

    unedited: list[FileChange] = []
    refusals: list[RefusedFile] = []
    for change in changes:
        path = os.path.join(root, *change.file.split("/"))  # noqa: PTH118 - the keys of a state have this form
        if state_before.get(path) == state_after.get(path):
            unedited.append(change)
        else:
            refusals.append(
                RefusedFile(change.file, "it has changed since it was read; run the command again")
            )
    return unedited, refusals


def format_diff(name: str, old_text: str, new_text: str) -> str:
    """The change of a file in the format of `diff -u`, with every line end written as a line feed."""
    old_lines, new_lines = (
        re.split(r"(?<=\n)", re.sub(r"\r\n?", "\n", text)) for text in (old_text, new_text)
    )
    lines = difflib.unified_diff(
        [line for line in old_lines if line],
        [line for line in new_lines if line],
        fromfile=name if old_text else "/dev/null",
        tofile=name,
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
