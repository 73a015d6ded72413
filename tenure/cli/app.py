"""Entry point of the command line: parse the arguments and run the command."""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tenure.cache.up_to_date import replace_unprintable
from tenure.cli.arguments import EXIT_ERRORS, EXIT_USAGE, UsageError, add_default_command, save_traceback
from tenure.cli.invocation import command_prefix
from tenure.cli.parser import parse_arguments

if TYPE_CHECKING:
    from tenure.build import Exporter

WINDOWS = os.name == "nt"
CLOSED_PIPE_STATUS = 141
"""Exit status if the reader closed the pipe, as for a program ended by SIGPIPE: 128 + 13."""

Command = Callable[[argparse.Namespace, Path, "Sequence[Exporter] | None"], int]
"""
A command takes the parsed options, the default site folder, and the exporters of the site's own `build.py`.
It returns the exit status. Paths in the options are relative to the current folder.
"""


def main(
    arguments: Sequence[str] | None = None,
    *,
    folder: Path | None = None,
    exporters: "Sequence[Exporter] | None" = None,
) -> int:
    """Run a command and return the exit status; `folder` is the site if the arguments name none."""
    replace_unprintable()
    typed_arguments = list(sys.argv[1:] if arguments is None else arguments)
    command_arguments = add_default_command(typed_arguments)
    root = folder or Path.cwd()
    try:
        if command_arguments[0] == "test" and not {"-h", "--help"} & set(command_arguments):
            from tenure.cli.test import run_tests  # noqa: PLC0415 - loaded only when called

            return run_tests(root, command_arguments[1:])
        return _run_command(
            parse_arguments(command_arguments, argparse.Namespace(words=typed_arguments)), root, exporters
        )
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_USAGE
    except UsageError as error:
        print(f"{command_prefix()}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - last resort: report an internal error in one line
        if is_closed_pipe(error):  # as in `tenure check | head`
            discard_output()
            return CLOSED_PIPE_STATUS
        print(save_traceback(error), file=sys.stderr)
        return EXIT_ERRORS


def is_closed_pipe(error: Exception) -> bool:
    """Whether an error means that the reader closed the pipe; Windows reports an invalid argument instead."""
    has_windows_code = isinstance(error, OSError) and error.errno == errno.EINVAL and not error.filename
    return isinstance(error, BrokenPipeError) or (WINDOWS and has_windows_code)


def discard_output() -> None:
    """Redirect stdout and stderr to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def exit_immediately(exit_status: int) -> NoReturn:
    """
    Flush the output and end the process without cleanup by the interpreter.

    Freeing all objects of a build would take a twelfth of the build's time.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_status)


def _run_command(options: argparse.Namespace, root: Path, exporters: "Sequence[Exporter] | None") -> int:
    exit_status = _load_command(options.command)(options, root, exporters)
    sys.stdout.flush()  # here a closed pipe can still be reported
    return exit_status


def _load_command(name: str) -> Command:
    """Import the module of a command and return its function."""
    match name:
        case "check":
            from tenure.cli.check import run_command  # noqa: PLC0415 - loaded only when called
        case "theme":
            from tenure.cli.theme import run_command  # noqa: PLC0415 - loaded only when called
        case "serve":
            from tenure.cli.serve import run_command  # noqa: PLC0415 - loaded only when called
        case "export":
            from tenure.cli.export import run_command  # noqa: PLC0415 - loaded only when called
        case "import":
            from tenure.cli.import_ import run_command  # noqa: PLC0415 - loaded only when called
        case "schema":
            from tenure.cli.schema import run_command  # noqa: PLC0415 - loaded only when called
        case "migrate":
            from tenure.cli.migrate import run_command  # noqa: PLC0415 - loaded only when called
        case "upgrade":
            from tenure.cli.upgrade import run_command  # noqa: PLC0415 - loaded only when called
        case "new":
            from tenure.cli.new import run_command  # noqa: PLC0415 - loaded only when called
        case _:
            from tenure.cli.build import run_command  # noqa: PLC0415 - loaded only when called
    return run_command
