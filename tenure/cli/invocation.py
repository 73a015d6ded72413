"""The command line as the user typed it, so that messages show commands in the same form."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SCRIPT_NAME = "build.py"
WINDOWS = os.name == "nt"
PROGRAM_FOLDER = Path(__file__).resolve().parents[2]
"""The clone, if this Tenure runs from one; otherwise the folder of installed packages."""


DOCUMENTATION_PLACE = "docs/content"
"""The folder of the documentation in the repository."""


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


def find_documentation(page: str = "about.md") -> str:
    """The address of a page of the documentation: by the URL of the project, or else its place."""
    if is_checkout():
        url = read_project().get("urls", {}).get("Documentation", str(PROGRAM_FOLDER / DOCUMENTATION_PLACE))
        return f"{url}/{page}"

    from importlib import metadata

    try:
        urls = metadata.metadata("tenure").get_all("Project-URL", [])
    except metadata.PackageNotFoundError:
        urls = []
    url = next((url.partition(", ")[2] for url in urls if url.startswith("Documentation")), "")
    if not url:
        return f"{DOCUMENTATION_PLACE}/{page} in the repository of Tenure"
    return f"{url}/{page}"


def quote_argument(argument: str) -> str:
    """An argument quoted for the shell of the system."""
    if WINDOWS:
        from subprocess import list2cmdline

        return list2cmdline([argument])
    from shlex import quote as quote_for_shell

    return quote_for_shell(argument)


def _python_command() -> str:
    """The interpreter as it was typed; a path becomes absolute, so that it works in every folder."""
    if WINDOWS:
        return "py"
    interpreter = sys.orig_argv[0] if sys.orig_argv else "python3"
    return quote_argument(os.path.abspath(interpreter) if os.sep in interpreter else interpreter)
