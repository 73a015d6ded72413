"""The command line as the user typed it, so that help, messages and next steps show commands in the same form."""

import os
import sys
from pathlib import Path

SCRIPT = "build.py"
WINDOWS = os.name == "nt"


def program() -> str:
    """The program as it was typed, valid in the current folder: `python3 build.py`, `py build.py` or `tenure`."""
    called = sys.argv[0]
    if Path(called).name == SCRIPT:
        return f"{_python()} {quote(called)}"
    return f"{_python()} -m tenure" if Path(called).parts[-2:] == ("tenure", "__main__.py") else "tenure"


def program_in_site() -> str:
    """The program as typed in a site's own folder, which has a build.py."""
    return f"{_python()} {SCRIPT}" if Path(sys.argv[0]).name == SCRIPT else program()


def again(command: str, folder: Path | None, option: str) -> str:
    """A command line of the program: the command, its folder and an option."""
    return " ".join([program(), command, *([quote(str(folder))] if folder else []), option])


def steps_in(folder: str, *calls: str) -> str:
    """
    The lines to type next in a site's folder, indented, each with its line end.

    `folder` is relative to the current folder or absolute. Each line has one command, because Windows PowerShell 5 has no `&&`.
    """
    enter = [] if folder == "." else [f"cd {quote(folder)}"]
    return "".join(f"  {line}\n" for line in [*enter, *(f"{program_in_site()} {call}" for call in calls)])


def quote(word: str) -> str:
    """An argument quoted for the shell of the system."""
    if WINDOWS:
        from subprocess import list2cmdline  # noqa: PLC0415 - slow to load

        return list2cmdline([word])
    from shlex import quote as quote_for_shell  # noqa: PLC0415 - as above

    return quote_for_shell(word)


def _python() -> str:
    """The interpreter as it was typed; a path becomes absolute, so that it works in every folder."""
    if WINDOWS:
        return "py"
    typed = sys.orig_argv[0] if sys.orig_argv else "python3"
    return quote(os.path.abspath(typed) if os.sep in typed else typed)  # noqa: PTH100 - resolve() follows links out of a virtual environment
