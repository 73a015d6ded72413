"""Entry point of the command line: the table of the commands, their help, and every error in one line."""

import argparse
import contextlib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from tenure import __version__
from tenure.cli.arguments import (
    EXIT_ERRORS,
    EXIT_USAGE,
    Call,
    UsageError,
    command_prefix,
    program_name,
)
from tenure.cli.targets import display_path
from tenure.console import find_current_folder, prepare_output

if TYPE_CHECKING:
    from tenure.build import Exporter

WINDOWS = os.name == "nt"
CLOSED_PIPE_STATUS = 141
"""Exit status if the reader closed the pipe, as for a program ended by SIGPIPE: 128 + 13."""

MAIN_COMMANDS: Mapping[str, str] = {
    "new": "write a new site into a folder; asks for your data",
    "import": "make a site from one of another system, a CV in Word, or a list of publications",
    "serve": "show the site with its drafts in a browser, and update it after each save",
    "check": "report every problem in sources, templates and links; write nothing",
    "build": "write the site into output/; without a command, this is done too",
}
"""
The commands in the order in which they are used, with their help. Command NAME is in tenure/cli/NAME.py.
"""

OTHER_COMMANDS: Mapping[str, str] = {
    "explain": "print what a problem means, or a page of the documentation",
    "theme": "list the themes, or copy a file of one into the site to change it",
    "export": "write one document: your CV, a cover letter, co-authors for NSF, or the report of a year",
    "fetch": "show new publications that ORCID and other services know",
    "upgrade": "show what a site needs to be built with this version of Tenure",
    "schema": "write the JSON Schema of each source, which editors use to complete and check keys",
    "try": "pack the page “Try it”, in which a site is made in a browser, and serve it",
}
"""The commands that are rarely used."""

COMMANDS: Mapping[str, str] = {**MAIN_COMMANDS, **OTHER_COMMANDS}

COMMAND_SYNONYMS: Mapping[str, str] = {
    **dict.fromkeys(("preview", "server", "dev", "watch", "start", "run"), "serve"),
    **dict.fromkeys(("generate", "make"), "build"),
    **dict.fromkeys(("validate", "lint", "doctor"), "check"),
    **dict.fromkeys(("init", "create"), "new"),
    **dict.fromkeys(("cv", "pdf"), "export pdf"),
    "convert": "import",
    "pull": "fetch",
    "sync": "fetch",
    "themes": "theme",
}
"""Command names of other programs, with the corresponding command of Tenure."""


def main(
    arguments: Sequence[str] | None = None,
    *,
    folder: Path | None = None,
    exporters: "Sequence[Exporter] | None" = None,
) -> int:
    """Run a command and return the exit status; `folder` is the site if the arguments name none."""
    prepare_output()
    typed = list(sys.argv[1:] if arguments is None else arguments)

    try:
        if folder is None and not find_current_folder():
            raise UsageError("the current folder has been deleted; go to another one (cd)")
        exit_status = _run_command(typed, folder or Path.cwd(), exporters)
        sys.stdout.flush()  # here a closed pipe can still be reported
        return exit_status
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_USAGE
    except UsageError as error:
        return _print_error(str(error), EXIT_USAGE)
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the last resort
        return _report_failure(error)


def _report_failure(error: Exception) -> int:
    """
    Say in one line what the system refused, or where the traceback of a bug is; returns the exit status.
    """
    if is_closed_pipe(error):  # as in `tenure check | head`
        discard_output()
        return CLOSED_PIPE_STATUS
    if not isinstance(error, OSError):
        return _print_error(save_traceback(error), EXIT_ERRORS)

    # a full disk without a file is that of the output of this command: what is printed now may be lost too
    if error.errno == errno.ENOSPC and not error.filename:
        with contextlib.suppress(OSError):
            _print_error(f"cannot print: {error.strerror}", EXIT_ERRORS)
        discard_output()
        return EXIT_ERRORS
    if isinstance(error.filename, str | bytes):
        file = display_path(Path(os.fsdecode(error.filename)))
        return _print_error(f"cannot read or write {file}: {error.strerror}", EXIT_USAGE)
    return _print_error(save_traceback(error), EXIT_ERRORS)


def _run_command(typed: Sequence[str], root: Path, exporters: "Sequence[Exporter] | None") -> int:
    """Find the command among the typed arguments, parse its options and run it."""
    words = list(typed)
    if words[:1] == ["help"]:  # help serve -> serve --help
        words = [*words[1:], "--help"]
    if words[:1] in (["-h"], ["--help"]):
        print(format_help())
        return 0
    if words[:1] == ["--version"]:
        print(f"tenure {__version__}")
        return 0

    # `build.py`, `build.py --strict`
    if not words or words[0].startswith("-"):
        words.insert(0, "build")
    if words[0] == "test":
        return run_tests(root, words[1:])
    call = Call(parse_arguments(words, typed), root, exporters)
    exit_status: int = load_command(words[0]).run_command(call)
    return exit_status


def format_help() -> str:
    """The help of the program: the commands in the order of use, and how to read the documentation."""
    program = program_name()

    lines = (
        f"usage: {program} [COMMAND] [OPTION ...]",
        "",
        "Tenure builds an academic homepage from YAML, Markdown and BibTeX files.",
        "",
        f"  {program}: builds the site in this folder into output/",
        "",
        *(f"  {name:8} {help_text}" for name, help_text in MAIN_COMMANDS.items()),
        "",
        "Also:",
        *(f"  {name:8} {help_text}" for name, help_text in OTHER_COMMANDS.items()),
        "",
        f"Options of a command: {program} serve --help",
        f"Documentation: {program} explain",
    )
    return "\n".join(lines)


def load_command(name: str) -> ModuleType:
    """
    The module of a command: "import" -> tenure.cli.import_

    `add_options` adds its options to a parser; `run_command` runs a Call and returns the exit status.
    """
    # a word of Python cannot be the name of a module
    suffix = "_" if iskeyword(name) else ""
    return import_module(f"tenure.cli.{name}{suffix}")


class _Parser(argparse.ArgumentParser):
    """A parser that raises its errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; all options: {self.prog} --help")


def create_parser(command: str) -> argparse.ArgumentParser:
    """The parser of a command."""
    parser = _Parser(prog=f"{program_name()} {command}", description=f"{command}: {COMMANDS[command]}")
    load_command(command).add_options(parser)
    return parser


def parse_arguments(words: Sequence[str], typed: Sequence[str]) -> argparse.Namespace:
    """
    The parsed options of a command. Raises UsageError for a wrong word.

    `words` begins with the command, also where `typed`, which the options keep as `words`, has none:
    "--site a" -> ["build", "--site", "a"].
    """
    command = words[0]
    if command not in COMMANDS:
        raise UsageError(f'there is no command "{command}"; {_suggest_command(command)}')

    parser = create_parser(command)
    options, unknown = parser.parse_known_args(words[1:], argparse.Namespace(words=typed))
    if unknown:
        # --sit=a -> --sit
        raise UsageError(_explain_unknown_word(parser, unknown[0].partition("=")[0]))
    return options


def _suggest_command(word: str) -> str:
    """The hint for a word that is no command: preview -> serve, biuld -> build, a folder -> build --site."""
    from tenure.problems import find_similar_word

    closest = COMMAND_SYNONYMS.get(word.casefold()) or find_similar_word(word, COMMANDS)
    if closest:
        return f'did you mean "{closest}"?'
    if Path(word).is_dir():
        return f"to build the site in that folder: {command_prefix()} build --site {word}"
    return f"the commands are {', '.join(COMMANDS)}"


def _explain_unknown_word(parser: argparse.ArgumentParser, word: str) -> str:
    """Why a word is wrong after a command, with the option that was probably meant: --sit -> --site."""
    from tenure.problems import find_similar_word

    hint = f"all options: {parser.prog} --help"
    options = [name for action in parser._actions for name in action.option_strings if name.startswith("--")]
    if word.startswith("-"):
        closest = find_similar_word(word, options)
        if closest:
            hint = f"did you mean {closest}? {hint}"
        return f'there is no option "{word}"; {hint}'

    if "--site" in options and Path(word).is_dir():
        hint = f"to name the site: --site {word}; {hint}"
    return f'"{word}" is one argument too many; {hint}'


def run_tests(repository: Path, pytest_arguments: Sequence[str]) -> int:
    """
    Run the project's own tests with these arguments of pytest; returns the exit status.

    All tests run in one process per processor; named tests run in a single process, which is faster for a
    few.
    """
    import subprocess

    if not (repository / "tests").is_dir() or not (repository / "tenure").is_dir():
        raise UsageError("the tests are in Tenure's own repository only")
    names_tests = any((repository / argument.partition("::")[0]).exists() for argument in pytest_arguments)
    parallel_options = () if names_tests else ("--numprocesses", "auto")
    command = [sys.executable, "-m", "pytest", *parallel_options, *pytest_arguments]
    return subprocess.run(command, cwd=repository, check=False).returncode


def save_traceback(error: BaseException) -> str:
    """Save the traceback of an internal error in a temporary file; returns a message with its path."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="tenure-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return f"internal error ({type(error).__name__}: {error}); the traceback is in {file.name}"


def _print_error(message: str, exit_status: int) -> int:
    print(f"{command_prefix()}: {message}", file=sys.stderr)
    return exit_status


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
