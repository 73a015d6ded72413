"""Entry point of the command line: parse the arguments and run the command; report unknown ones with a suggestion."""

import argparse
import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from tenure.cache.up_to_date import find_current_folder, prepare_output
from tenure.cli.arguments import (
    EXIT_ERRORS,
    EXIT_USAGE,
    UsageError,
    add_default_command,
    create_parser,
    save_traceback,
)
from tenure.cli.invocation import command_prefix

if TYPE_CHECKING:
    from tenure.build import Exporter

WINDOWS = os.name == "nt"
CLOSED_PIPE_STATUS = 141
"""Exit status if the reader closed the pipe, as for a program ended by SIGPIPE: 128 + 13."""

COMMAND_SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(("preview", "server", "dev", "watch", "start", "run"), "serve"),
    **dict.fromkeys(("generate", "make", "deploy", "publish"), "build"),
    **dict.fromkeys(("validate", "lint", "doctor"), "check"),
    **dict.fromkeys(("init", "create"), "new"),
    **dict.fromkeys(("cv", "pdf"), "export pdf"),
    "convert": "import",
    **dict.fromkeys(("pull", "sync"), "fetch"),
    "themes": "theme",
}
"""Command names of other programs, with the corresponding command of Tenure."""

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
    prepare_output()
    typed_arguments = list(sys.argv[1:] if arguments is None else arguments)
    command_arguments = add_default_command(typed_arguments)
    try:
        root = folder or _require_current_folder()
        if command_arguments[0] == "test" and not {"-h", "--help"} & set(command_arguments):
            return run_tests(root, command_arguments[1:])
        options = parse_arguments(command_arguments, argparse.Namespace(words=typed_arguments))
        return _run_command(options, root, exporters)
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
        if isinstance(error, OSError) and error.errno == errno.ENOSPC and not error.filename:
            with contextlib.suppress(OSError):
                print(f"{command_prefix()}: cannot print: {error.strerror}", file=sys.stderr)
            discard_output()
            return EXIT_ERRORS
        if isinstance(error, PermissionError) and error.filename:
            message = (
                f"cannot read or write {os.fsdecode(error.filename)}: {error.strerror}; check its permissions"
            )
            print(f"{command_prefix()}: {message}", file=sys.stderr)
            return EXIT_USAGE
        print(save_traceback(error), file=sys.stderr)
        return EXIT_ERRORS


def _require_current_folder() -> Path:
    if not find_current_folder():
        raise UsageError("the current folder has been deleted; go to another one (cd)")
    return Path.cwd()


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
    """Import the module of the command, tenure/cli/NAME.py, and call its function `run_command`."""
    name = "import_" if options.command == "import" else options.command
    command = cast(Command, import_module(f"tenure.cli.{name}").run_command)
    exit_status = command(options, root, exporters)
    sys.stdout.flush()  # here a closed pipe can still be reported
    return exit_status


def parse_arguments(argv: Sequence[str], namespace: argparse.Namespace) -> argparse.Namespace:
    """
    The parsed arguments; `argv` begins with the command.

    Raises UsageError for a command or an option that does not exist; argparse raises SystemExit for other mistakes.
    """
    root_parser = create_parser()
    commands = _find_subcommands(root_parser)
    if not argv[0].startswith("-") and argv[0] not in commands:
        raise UsageError(_describe_unknown_command(argv[0], commands))
    arguments, unknown = root_parser.parse_known_args(argv, namespace)
    if unknown:
        raise UsageError(_describe_unknown_argument(unknown[0], argv, root_parser))
    return arguments


def _find_subcommands(parent: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The commands of a parser by name."""
    for action in parent._actions:  # noqa: SLF001 - argparse has no other way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            return action.choices
    return {}


def _find_parsers(
    current_parser: argparse.ArgumentParser, argv: Sequence[str]
) -> Iterator[argparse.ArgumentParser]:
    """The parsers of a command line: that of the program, of its command, and of the subcommand."""
    yield current_parser
    for argument in argv:
        commands = _find_subcommands(current_parser)
        if argument in commands:
            current_parser = commands[argument]
            yield current_parser


def _describe_unknown_command(command: str, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    from tenure.problems import find_similar_word  # noqa: PLC0415 - loaded only for wrong usage

    closest = COMMAND_SYNONYMS.get(command.casefold()) or find_similar_word(command, commands)
    if closest:
        hint = f'did you mean "{closest}"?'
    elif Path(command).is_dir():
        hint = f"to build the site in that folder: {command_prefix()} build --site {command}"
    else:
        hint = f"the commands are {', '.join(commands)}"
    return f'there is no command "{command}"; {hint}'


def _describe_unknown_argument(
    argument: str, argv: Sequence[str], root_parser: argparse.ArgumentParser
) -> str:
    from tenure.problems import find_similar_word  # noqa: PLC0415 - loaded only for wrong usage

    *_, last_parser = _find_parsers(root_parser, argv)
    actions = last_parser._actions  # noqa: SLF001 - argparse has no public list
    options = [name for action in actions for name in action.option_strings if name.startswith("--")]
    help_hint = f"all options: {last_parser.prog} --help"
    if not argument.startswith("-"):
        is_site = "--site" in options and Path(argument).is_dir()
        site_hint = f"to name the site: --site {argument}; " if is_site else ""
        return f'"{argument}" is one argument too many; {site_hint}{help_hint}'
    name = argument.partition("=")[0]
    closest = find_similar_word(name, options)
    return f'there is no option "{name}"; {f"did you mean {closest}? " if closest else ""}{help_hint}'


def run_tests(repository: Path, pytest_arguments: Sequence[str]) -> int:
    """
    Run the project's own tests with these arguments of pytest; returns the exit status.

    All tests run in one process per processor; named tests run in a single process, which is faster for a few.
    """
    import subprocess  # noqa: PLC0415 - slow to load

    if not (repository / "tests").is_dir() or not (repository / "tenure").is_dir():
        raise UsageError("the tests are in Tenure's own repository only")
    names_tests = any((repository / argument.partition("::")[0]).exists() for argument in pytest_arguments)
    parallel_options = () if names_tests else ("--numprocesses", "auto")
    command = [sys.executable, "-m", "pytest", *parallel_options, *pytest_arguments]
    return subprocess.run(command, cwd=repository, check=False).returncode
