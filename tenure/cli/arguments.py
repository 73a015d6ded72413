"""What the commands share: exit statuses, a call and the error of a wrong one, and common options."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.record import Record

if TYPE_CHECKING:
    from tenure.build import Exporter

EXIT_OK = 0
EXIT_ERRORS = 1
"""The sources have errors."""
EXIT_USAGE = 2
"""The call is wrong."""


IMPORT_MODULE = "tenure_import.command"
"""The importers are a package of their own, which only `import` and `new` load, by this name."""


class UsageError(Exception):
    """The command line is wrong; the message says how."""


class Call(Record):
    """
    A call of a command: its options, and the default folder of the site.

    `exporters` are those of the site's own `build.py`; None are those of Tenure.
    """

    options: argparse.Namespace
    folder: Path
    exporters: "Sequence[Exporter] | None" = None


def add_site_option(parser: argparse.ArgumentParser) -> None:
    """Add `--site`, which names an existing site; find_site() reads it."""
    parser.add_argument("--site", metavar="DIR", type=Path, action="append", help="the site's folder")


def add_build_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the commands that build a site: `--site` and `--theme`."""
    add_site_option(parser)
    parser.add_argument("--theme", metavar="NAME", default="", help="a theme instead of the one in site.yaml")


def add_strict_option(parser: argparse.ArgumentParser) -> None:
    """Add `--strict`."""
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")


def is_site_folder(folder: Path) -> bool:
    """Whether a folder contains the sources of a site."""
    return (folder / "content").is_dir() or (folder / "site.yaml").is_file()


def find_site(call: Call) -> Path:
    """The folder of the site: that of --site, or the default. Raises UsageError if there is no site in it."""
    folders = call.options.site or [call.folder]
    if len(folders) > 1:
        raise UsageError("one site a call: call the command once for each --site")
    folder: Path = folders[0]
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    if not is_site_folder(folder):
        raise UsageError(f"there is no site in {folder}: it has neither site.yaml nor content/")
    return folder
