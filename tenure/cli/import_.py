"""`import`: create a site from the sources of another system, with a report of what was not imported."""

import argparse
import importlib
from pathlib import Path

from tenure.cli.arguments import IMPORT_MODULE, Call
from tenure.cli.starter import print_next_steps


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `import`."""
    source_help = "a folder or a file of another system, a CV in Word (.docx), or an ORCID iD"
    parser.add_argument("source", metavar="SOURCE", type=Path, help=source_help)
    to_help = "the output folder (default: site/)"
    parser.add_argument("--to", metavar="DIR", type=Path, dest="folder", default=Path("site"), help=to_help)
    parser.add_argument(
        "--name", default="", help="the name of the site's owner, if the source does not give it"
    )


def run_command(call: Call) -> int:
    """Import a source into a folder without changing existing files; returns the exit status."""
    status = import_site(call.options.source, call.options.folder, call.options.name)
    print_next_steps(call.options.folder)
    return status


def import_site(source: Path, folder: Path, name: str = "") -> int:
    """
    Import a file or a folder of another system, or an ORCID record, into a folder; returns the exit status.

    `name` is the owner's, or "" to take it from the source. Raises UsageError if the source does not exist,
    or is of no known system.
    """
    status: int = importlib.import_module(IMPORT_MODULE).import_site(source, folder, name)
    return status
