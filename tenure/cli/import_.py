"""`import`: create a site from the sources of another system, with a report of what was not imported."""

import argparse
import importlib
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.atomic import write_file
from tenure.cli.arguments import IMPORT_MODULE, Call, UsageError
from tenure.cli.starter import print_next_steps
from tenure.record import Record


class WriteResult(Record):
    """The files of an import by name: created, already present with the same bytes, already present with different bytes."""

    created: tuple[str, ...]
    identical: tuple[str, ...]
    different: tuple[str, ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `import`."""
    source_help = "a folder or a file of another system, or an ORCID iD"
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

    `name` is the owner's, or "" to take it from the source. Raises UsageError if the source does not exist, or if its
    system is unknown.
    """
    status: int = importlib.import_module(IMPORT_MODULE).import_site(source, folder, name)
    return status


def write_missing_files(folder: Path, files: Mapping[str, str | bytes]) -> WriteResult:
    """
    Write the files that do not exist yet; existing files are not changed.

    Raises UsageError if a name leads out of the folder; then nothing is written.
    """
    for name in files:
        if not re.fullmatch(r"(?!\.\.?(?:/|$))[^/\\:\0]+(?:/(?!\.\.?(?:/|$))[^/\\:\0]+)*", name):
            raise UsageError(f"{name} is not a file of a site, and nothing was written")
    created: list[str] = []
    identical: list[str] = []
    different: list[str] = []
    for name, content in files.items():
        path, data = folder / name, content if isinstance(content, bytes) else content.encode("utf-8")
        if path.exists():
            (identical if path.is_file() and path.read_bytes() == data else different).append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)
        created.append(name)
    return WriteResult(tuple(created), tuple(identical), tuple(different))
