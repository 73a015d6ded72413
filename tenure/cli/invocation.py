"""The command line as the user typed it, so that help, messages and next steps show commands in the same form."""

import os
import sys
from pathlib import Path

SCRIPT_NAME = "build.py"
WINDOWS = os.name == "nt"


def command_prefix() -> str:
    """The program as it was typed, valid in the current folder: `python3 build.py`, `py build.py` or `tenure`."""
    script_path = sys.argv[0]
    if Path(script_path).name == SCRIPT_NAME:
        return f"{_python_command()} {quote_argument(script_path)}"
    return (
        f"{_python_command()} -m tenure"
        if Path(script_path).parts[-2:] == ("tenure", "__main__.py")
        else "tenure"
    )


def format_write_command(command: str, folder: Path | None) -> str:
    """The command line that writes what a command has shown: `tenure upgrade FOLDER --write`."""
    arguments = [quote_argument(str(folder))] if folder else []
    return " ".join([command_prefix(), command, *arguments, "--write"])


def format_next_steps(folder: str, *commands: str) -> str:
    """
    The lines to type next in a site's folder, indented, each with its line end.

    `folder` is relative to the current folder or absolute. Each line has one command, because Windows PowerShell 5 has no `&&`.
    """
    is_script = Path(sys.argv[0]).name == SCRIPT_NAME
    prefix = f"{_python_command()} {SCRIPT_NAME}" if is_script else command_prefix()  # a site has a build.py
    change_folder = [] if folder == "." else [f"cd {quote_argument(folder)}"]
    return "".join(f"  {line}\n" for line in [*change_folder, *(f"{prefix} {c}" for c in commands)])


def quote_argument(argument: str) -> str:
    """An argument quoted for the shell of the system."""
    if WINDOWS:
        from subprocess import list2cmdline  # noqa: PLC0415 - slow to load

        return list2cmdline([argument])
    from shlex import quote as quote_for_shell  # noqa: PLC0415 - as above

    return quote_for_shell(argument)


def _python_command() -> str:
    """The interpreter as it was typed; a path becomes absolute, so that it works in every folder."""
    if WINDOWS:
        return "py"
    interpreter = sys.orig_argv[0] if sys.orig_argv else "python3"
    return quote_argument(os.path.abspath(interpreter) if os.sep in interpreter else interpreter)  # noqa: PTH100 - resolve() follows links out of a virtual environment
