"""Parse the command line; unknown commands and options are reported with a suggestion."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.cli.arguments import UsageError, create_parser
from tenure.cli.invocation import command_prefix

COMMAND_SYNONYMS: Mapping[str, str] = {
    "init": "new",
    "create": "new",
    "preview": "serve",
    "server": "serve",
    "dev": "serve",
    "watch": "serve",
    "start": "serve",
    "run": "serve",
    "generate": "build",
    "make": "build",
    "validate": "check",
    "lint": "check",
    "doctor": "check",
    "convert": "import",
    "themes": "theme",
    "cv": "export pdf",
    "pdf": "export pdf",
    "deploy": "build",
    "publish": "build",
}
"""Command names of other programs, with the corresponding command of Tenure."""


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
    options = [
        name
        for action in last_parser._actions  # noqa: SLF001 - argparse has no public list
        for name in action.option_strings
        if name.startswith("--")
    ]
    help_hint = f"all options: {last_parser.prog} --help"
    if not argument.startswith("-"):
        site_hint = (
            f"to name the site: --site {argument}; "
            if "--site" in options and Path(argument).is_dir()
            else ""
        )
        return f'"{argument}" is one argument too many; {site_hint}{help_hint}'
    name = argument.partition("=")[0]
    closest = find_similar_word(name, options)
    return f'there is no option "{name}"; {f"did you mean {closest}? " if closest else ""}{help_hint}'
