"""Entry point of the command line: parse the arguments and run the command."""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tenure.commands.calls import FAULTY, MISCALLED, CallError, saved_fault, with_command
from tenure.commands.invocation import program
from tenure.commands.parsing import parse_call
from tenure.stamp import replace_unprintable

if TYPE_CHECKING:
    from tenure.pipeline import Outlet

WINDOWS = os.name == "nt"
UNREAD = 141
"""Exit status if the reader closed the pipe, as for a program ended by SIGPIPE: 128 + 13."""

Command = Callable[[argparse.Namespace, Path, "Sequence[Outlet] | None"], int]
"""
A command takes the parsed options, the default site folder, and the exporters of the site's own `build.py`.
It returns the exit status. Paths in the options are relative to the current folder.
"""


def main(
    arguments: Sequence[str] | None = None,
    *,
    folder: Path | None = None,
    outlets: "Sequence[Outlet] | None" = None,
) -> int:
    """Run a command and return the exit status; `folder` is the site if the arguments name none."""
    replace_unprintable()
    called = list(sys.argv[1:] if arguments is None else arguments)
    words = with_command(called)
    here = folder or Path.cwd()
    try:
        if words[0] == "test" and not {"-h", "--help"} & set(words):
            from tenure.commands.test import test  # noqa: PLC0415 - loaded only when called

            return test(here, words[1:])
        return _carried_out(parse_call(words, argparse.Namespace(words=called)), here, outlets)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else MISCALLED
    except CallError as error:
        print(f"{program()}: {error}", file=sys.stderr)
        return MISCALLED
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - last resort: report an internal error in one line
        if is_closed_pipe(error):  # as in `tenure check | head`
            close_output()
            return UNREAD
        print(saved_fault(error), file=sys.stderr)
        return FAULTY


def is_closed_pipe(error: Exception) -> bool:
    """Whether an error means that the reader closed the pipe; Windows reports an invalid argument instead."""
    has_windows_code = isinstance(error, OSError) and error.errno == errno.EINVAL and not error.filename
    return isinstance(error, BrokenPipeError) or (WINDOWS and has_windows_code)


def close_output() -> None:
    """Redirect stdout and stderr to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def leave(status: int) -> NoReturn:
    """
    Flush the output and end the process without cleanup by the interpreter.

    Freeing all objects of a build would take a twelfth of the build's time.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _carried_out(call: argparse.Namespace, here: Path, outlets: "Sequence[Outlet] | None") -> int:
    status = _command(call.command)(call, here, outlets)
    sys.stdout.flush()  # here a closed pipe can still be reported
    return status


def _command(name: str) -> Command:
    """Import the module of a command and return its function."""
    match name:
        case "check":
            from tenure.commands.check import run  # noqa: PLC0415 - loaded only when called
        case "theme":
            from tenure.commands.theme import run  # noqa: PLC0415 - loaded only when called
        case "serve":
            from tenure.commands.serve import run  # noqa: PLC0415 - loaded only when called
        case "export":
            from tenure.commands.export import run  # noqa: PLC0415 - loaded only when called
        case "import":
            from tenure.commands.import_ import run  # noqa: PLC0415 - loaded only when called
        case "schema":
            from tenure.commands.schema import run  # noqa: PLC0415 - loaded only when called
        case "migrate":
            from tenure.commands.migrate import run  # noqa: PLC0415 - loaded only when called
        case "upgrade":
            from tenure.commands.upgrade import run  # noqa: PLC0415 - loaded only when called
        case "new":
            from tenure.commands.new import run  # noqa: PLC0415 - loaded only when called
        case _:
            from tenure.commands.build import run  # noqa: PLC0415 - loaded only when called
    return run
