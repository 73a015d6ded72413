"""`migrate`: convert sources of an older version; shows the changes, and writes them with --write."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.commands.calls import DONE
from tenure.commands.changes import show_changes, show_refusals, write_changes
from tenure.commands.invocation import again
from tenure.commands.sites import seen, site_in
from tenure.counts import number

if TYPE_CHECKING:
    from tenure.pipeline import Outlet


def run(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    """Show the changes that the sources of a site need, and write them with --write; returns the exit status."""
    del outlets
    from tenure.sources.assembly import VERSION  # noqa: PLC0415 - loaded only if there is a site
    from tenure.sources.migration import plan_migration  # noqa: PLC0415 - as above

    root = site_in(call.folder or here)
    changes, refusals = plan_migration(root)
    show_changes(root, changes)
    show_refusals(root, refusals)
    if not changes:
        print(f"{seen(root)} already follows schema {VERSION}; nothing to change.")
    elif not call.write:
        call_again = again("migrate", call.folder, "--write")
        print(f"Nothing was written. To change {number(len(changes), 'file')}: {call_again}")
    else:
        write_changes(root, changes)
        print(f"changed {number(len(changes), 'file')}.")
    return DONE
