"""`migrate`: convert sources of an older version; shows the changes, and writes them with --write."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import EXIT_OK
from tenure.cli.invocation import format_write_command
from tenure.cli.source_changes import show_changes, show_refusals, write_changes
from tenure.cli.targets import display_path, require_site_folder
from tenure.counts import format_count

if TYPE_CHECKING:
    from tenure.build import Exporter


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Show the changes that the sources of a site need, and write them with --write; returns the exit status."""
    del exporters
    from tenure.sources.migrate import plan_migration  # noqa: PLC0415 - as above
    from tenure.sources.settings import SCHEMA_VERSION  # noqa: PLC0415 - loaded only if there is a site

    root = require_site_folder(arguments.folder or default_folder)
    changes, refusals = plan_migration(root)
    show_changes(root, changes)
    show_refusals(root, refusals)
    if not changes:
        print(f"{display_path(root)} already follows schema {SCHEMA_VERSION}; nothing to change.")
    elif not arguments.write:
        write_command = format_write_command("migrate", arguments.folder)
        print(f"Nothing was written. To change {format_count(len(changes), 'file')}: {write_command}")
    else:
        write_changes(root, changes)
        print(f"changed {format_count(len(changes), 'file')}.")
    return EXIT_OK
