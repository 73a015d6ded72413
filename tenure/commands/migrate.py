"""`migrate`: sources of an older version as this one writes them, shown before anything is written."""

import argparse
import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE, CallError
from tenure.commands.sites import seen, site_in
from tenure.counts import number

if TYPE_CHECKING:
    from tenure.pipeline import Outlet


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Show what would change in the sources of a site, and write it where the call says so; returns the exit status."""
    del outlets
    from tenure.sources.assembly import VERSION  # noqa: PLC0415 - loaded when there is a site to look at
    from tenure.sources.migration import migrated  # noqa: PLC0415 - as above

    root = site_in(here / call.folder)
    changes = migrated(root)
    for file, (before, after) in changes.items():
        print(_diff(seen(root / file), before, after), end="")
    if not changes:
        print(f"{seen(root)} is as schema {VERSION} has it; nothing to change.")
        return DONE
    if not call.write:
        print(f"Nothing was written. To change {number(len(changes), 'file')}: migrate --write")
        return DONE
    for file, (_, after) in changes.items():
        try:
            (root / file).write_bytes(after.encode("utf-8"))
        except OSError as error:
            raise CallError(f"cannot write {seen(root / file)}: {error.strerror or error}") from error
    print(f"changed {number(len(changes), 'file')}.")
    return DONE


def _diff(name: str, before: str, after: str) -> str:
    """What changes in a file, as `diff -u` says it."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    shown = difflib.unified_diff(old, new, fromfile=name if before else "/dev/null", tofile=name)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in shown)
