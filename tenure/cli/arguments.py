"""
What the commands share: exit statuses, a call and the error of a wrong one, common options, and the command
line as the user typed it, so that messages show commands in the same form.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


SCRIPT_NAME = "build.py"
WINDOWS = os.name == "nt"
PROGRAM_FOLDER = Path(__file__).resolve().parents[2]
"""The clone, if this Tenure runs from one; otherwise the folder of installed packages."""


def is_checkout() -> bool:
    """Whether this Tenure runs from a clone: by `python3 build.py`, or by an editable installation."""
    return (PROGRAM_FOLDER / "pyproject.toml").is_file() and (PROGRAM_FOLDER / "themes" / "base").is_dir()


def read_project() -> Mapping[str, Any]:
    """The metadata of the clone: the table `project` of its pyproject.toml."""
    import tomllib

    text = (PROGRAM_FOLDER / "pyproject.toml").read_text(encoding="utf-8")
    project: Mapping[str, Any] = tomllib.loads(text)["project"]
    return project


def command_prefix() -> str:
    """The program as it was typed: `python3 build.py`, `py ../build.py`, `python3 -m tenure` or `tenure`."""
    script_path = Path(sys.argv[0])
    if script_path.name == SCRIPT_NAME:
        return f"{_python_command()} {quote_argument(sys.argv[0])}"
    if script_path.parts[-2:] == ("tenure", "__main__.py"):
        return f"{_python_command()} -m tenure"
    return "tenure"


def program_name() -> str:
    """The program as the documentation writes it; help begins with it."""
    if Path(sys.argv[0]).name != SCRIPT_NAME:
        return "tenure"
    return f"py {SCRIPT_NAME}" if WINDOWS else f"python3 {SCRIPT_NAME}"


def format_command(*arguments: str | Path) -> str:
    """A command line of this program that can be typed unchanged in the current folder."""
    return " ".join([command_prefix(), *(quote_argument(str(argument)) for argument in arguments)])


def format_write_command(site_paths: "list[Path] | None", command: str) -> str:
    """The command line that writes what a command has shown; `site_paths` are the values of --site."""
    # find_site() has refused several
    site_options = ("--site", site_paths[0]) if site_paths else ()
    return format_command(command, *site_options, "--write")


def find_published_page(page: str) -> str:
    """The address of a page of the published documentation; "" if the project has none."""
    if is_checkout():
        url = read_project().get("urls", {}).get("Documentation", "")
    else:
        from importlib import metadata

        try:
            urls = metadata.metadata("tenure").get_all("Project-URL", [])
        except metadata.PackageNotFoundError:
            urls = []
        url = next((url.partition(", ")[2] for url in urls if url.startswith("Documentation,")), "")
    return f"{url}/{page}" if url else ""


def quote_argument(argument: str) -> str:
    """An argument quoted for the shell of the system."""
    if WINDOWS:
        from subprocess import list2cmdline

        return list2cmdline([argument])
    from shlex import quote as quote_for_shell

    return quote_for_shell(argument)


def _python_command() -> str:
    """
    The interpreter as it was typed; a path becomes absolute, so that it works in every folder, or its name if
    that finds it.
    """
    if WINDOWS:
        return "py"
    interpreter = sys.orig_argv[0] if sys.orig_argv else "python3"
    if os.sep not in interpreter:
        return quote_argument(interpreter)

    from shutil import which

    path = os.path.abspath(interpreter)
    name = os.path.basename(path)
    return name if which(name) == path else quote_argument(path)
