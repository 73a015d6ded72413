"""Parse the command line; unknown commands and options are reported with a suggestion."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.commands.calls import CallError, parser
from tenure.commands.invocation import program

COMMANDS_ELSEWHERE: Mapping[str, str] = {
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


def parse_call(words: Sequence[str], namespace: argparse.Namespace) -> argparse.Namespace:
    """
    The parsed arguments; `argv` begins with the command.

    Raises UsageError for a command or an option that does not exist; argparse raises SystemExit for other mistakes.
    """
    root = parser()
    commands = _find_commands(root)
    if not words[0].startswith("-") and words[0] not in commands:
        raise CallError(_describe_unknown_command(words[0], commands))
    call, unknown = root.parse_known_args(words, namespace)
    if unknown:
        raise CallError(_describe_unknown_argument(unknown[0], words, root))
    return call


def _find_commands(parent: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The commands of a parser by name."""
    for action in parent._actions:  # noqa: SLF001 - argparse has no other way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            return action.choices
    return {}


def _find_parsers(root: argparse.ArgumentParser, words: Sequence[str]) -> Iterator[argparse.ArgumentParser]:
    """The parsers of a command line: that of the program, of its command, and of the subcommand."""
    yield root
    for word in words:
        commands = _find_commands(root)
        if word in commands:
            root = commands[word]
            yield root


def _describe_unknown_command(word: str, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    from tenure.problems import did_you_mean  # noqa: PLC0415 - loaded only for wrong usage

    near = COMMANDS_ELSEWHERE.get(word.casefold()) or did_you_mean(word, commands)
    if near:
        hint = f'did you mean "{near}"?'
    elif Path(word).is_dir():
        hint = f"to build the site in that folder: {program()} build --site {word}"
    else:
        hint = f"the commands are {', '.join(commands)}"
    return f'there is no command "{word}"; {hint}'


def _describe_unknown_argument(word: str, words: Sequence[str], root: argparse.ArgumentParser) -> str:
    from tenure.problems import did_you_mean  # noqa: PLC0415 - loaded only for wrong usage

    *_, last = _find_parsers(root, words)
    options = [name for action in last._actions for name in action.option_strings if name.startswith("--")]  # noqa: SLF001 - as above
    more = f"all options: {last.prog} --help"
    if not word.startswith("-"):
        site = f"to name the site: --site {word}; " if "--site" in options and Path(word).is_dir() else ""
        return f'"{word}" is one argument too many; {site}{more}'
    name = word.partition("=")[0]
    near = did_you_mean(name, options)
    return f'there is no option "{name}"; {f"did you mean {near}? " if near else ""}{more}'
