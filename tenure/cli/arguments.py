"""The argument parser: every command with its options; exit statuses and usage errors."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tenure import __version__
from tenure.cli.invocation import command_prefix
from tenure.model.export_formats import EXPORT_FORMATS

EXIT_OK, EXIT_ERRORS, EXIT_USAGE = 0, 1, 2
"""Exit statuses: success, errors in the sources, wrong usage."""


DEFAULT_PORT = 8000
"""The default port of `serve`."""


class UsageError(Exception):
    """The command line is wrong; the message says how."""


def save_traceback(error: BaseException) -> str:
    """Save the traceback of an internal error in a temporary file; returns a message with its path."""
    import tempfile  # noqa: PLC0415 - loaded only when needed
    import traceback  # noqa: PLC0415 - loaded only when needed

    with tempfile.NamedTemporaryFile(
        "w", prefix="tenure-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return f"{command_prefix()}: internal error ({type(error).__name__}: {error}); the traceback is in {file.name}"


def add_default_command(argv: Sequence[str]) -> list[str]:
    """The arguments with `build` as the default command, and with `help COMMAND` written as `COMMAND --help`."""
    command_line = list(argv)
    if command_line[:1] == ["help"]:
        command_line = [*command_line[1:], "--help"]
    if not command_line or (
        command_line[0].startswith("-") and command_line[0] not in ("-h", "--help", "--version")
    ):
        command_line.insert(0, "build")
    return command_line


EXPORT_FORMAT_NAMES = ", ".join((*EXPORT_FORMATS, "pdf", "coauthors", "service", "year"))
"""The formats of `export`; cli/export.py has the function for each."""


def _add_export_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    export_parser = commands.add_parser(
        "export", help=f"write one document of the site: {EXPORT_FORMAT_NAMES}"
    )
    export_parser.add_argument("format", metavar="FORMAT", help=EXPORT_FORMAT_NAMES)
    export_parser.add_argument(
        "year", metavar="YEAR", type=int, nargs="?", help="the year that `export year` is about"
    )
    export_parser.add_argument(
        "--output", metavar="FILE", type=Path, dest="to", help="the file to write (default: standard output)"
    )
    export_parser.add_argument(
        "--cv", metavar="NAME", default="", help="for pdf: which of cvs: (default: the first)"
    )
    export_parser.add_argument(
        "--since", metavar="TIME", default="", help="for coauthors and service: 48mo, 4y or 2022-01"
    )
    export_parser.add_argument(
        "--base-url", metavar="URL", default="", help="the URL of the site, instead of the one in site.yaml"
    )
    export_parser.add_argument("--site", metavar="DIR", type=Path, action="append", help="the site's folder")


def _add_check_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
) -> argparse.ArgumentParser:
    check_parser = commands.add_parser(
        "check", help="report every problem in sources, templates and links; write nothing"
    )
    check_parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="the format of the report (default: text)",
    )
    check_parser.add_argument(
        "--links",
        choices=("site", "external"),
        default="site",
        help="external also checks links to other sites, one request at a time for each host (default: site)",
    )
    check_parser.add_argument(
        "--info",
        action="store_true",
        help="also list what is not wrong but could be written better, such as aliases of keys",
    )
    check_parser.add_argument(
        "--untranslated",
        action="store_true",
        help="also list the texts without a translation, and the translations older than their originals",
    )
    check_parser.add_argument(
        "--fix", action="store_true", help="show the repairs that are certain, as a diff; write nothing"
    )
    check_parser.add_argument(
        "--write", action="store_true", help="with --fix: write these repairs into the sources"
    )
    return check_parser


class _CommandParser(argparse.ArgumentParser):
    """A parser that suggests the closest choice for an unknown one."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        from tenure.problems import format_suggestion  # noqa: PLC0415 - loaded only for wrong usage

        choices = [str(choice) for choice in action.choices]
        hint = format_suggestion(str(value), choices) or f"the values are {', '.join(choices)}"
        if action.option_strings:
            raise UsageError(f'"{value}" is not a value of {action.option_strings[0]}; {hint}')
        command = f"{self.prog.removeprefix(command_prefix())} {value}".strip()
        raise UsageError(f'there is no command "{command}"; {hint}')


def create_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser: argparse.ArgumentParser = _CommandParser(
        prog=command_prefix(),
        description="Build an academic homepage from YAML and BibTeX. Without a command: build.",
    )
    parser.add_argument("--version", action="version", version=f"tenure {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    build_parser = commands.add_parser("build", help="build the site in this folder into output/")
    build_parser.add_argument(
        "--output", metavar="DIR", type=Path, help="the output folder (default: output/ in its folder)"
    )
    build_parser.add_argument(
        "--force", action="store_true", help="write into --output also where other files are"
    )
    build_parser.add_argument(
        "--base-url", metavar="URL", default="", help="the URL of the published site, for this build"
    )
    build_parser.add_argument(
        "--for-disk", action="store_true", help="write links that work on a disk also without JavaScript"
    )
    check_parser = _add_check_command(commands)
    _add_export_command(commands)
    for command_parser in (build_parser, check_parser):
        command_parser.add_argument(
            "--site",
            metavar="DIR",
            type=Path,
            action="append",
            help="a site's folder, or a folder of sites; repeatable",
        )
        command_parser.add_argument(
            "--theme", metavar="NAME", default="", help="a theme instead of the one in site.yaml"
        )
        command_parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    _add_serve_command(commands)
    _add_theme_command(commands)
    _add_new_command(commands)
    _add_import_command(commands)
    _add_folder_commands(commands)
    commands.add_parser(
        "test",
        help="run the project's own tests (in its repository only)",
        description="Run the project's own tests. All arguments are passed to pytest; its options: python -m pytest --help",
        usage=f"{command_prefix()} test [ARGUMENT ...]",
    )
    return parser


def _add_new_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    new_parser = commands.add_parser("new", help="write a new site into a folder")
    new_parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        help="an empty folder, or one that does not exist yet; Git and a README may be in it",
    )
    new_parser.add_argument("--name", help="the owner of the site (default: the name that Git knows)")
    new_parser.add_argument("--role", help='such as "PhD student"')
    new_parser.add_argument("--affiliation", help="university or institute")
    new_parser.add_argument("--email", metavar="ADDRESS", help="the e-mail address that the site shows")
    new_parser.add_argument("--url", help="the URL that the site will have")
    new_parser.add_argument(
        "--theme", help="classic, folio, plain, plate, margin or stage (default: classic)"
    )
    new_parser.add_argument("--bib", metavar="FILE", help="a .bib file to copy into bib/")
    new_parser.add_argument("--photo", metavar="FILE", help="a photo to copy into content/")
    new_parser.add_argument(
        "--import",
        metavar="SOURCE",
        help="a file or folder of another system to import, as the command import does",
    )
    new_parser.add_argument(
        "--orcid",
        metavar="ID",
        dest="import",
        help="your ORCID iD; your public record and the publications in it are imported",
    )


def _add_folder_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands that take the folder of one site."""
    for name, command_help in (
        ("schema", "write the JSON Schema of each source, which editors use to complete and check keys"),
        ("fetch", "show new publications, and changes of old ones, that ORCID and other services know"),
        ("upgrade", "show what a site needs to be built with this version of Tenure"),
    ):
        command_parser = commands.add_parser(name, help=command_help)
        command_parser.add_argument(
            "folder", metavar="DIR", type=Path, nargs="?", help="the site's folder (default: this one)"
        )
        if name != "schema":
            command_parser.add_argument("--write", action="store_true", help="write what is shown")


IMPORT_SYSTEMS = (
    "bibtex",
    "csl-json",
    "json-resume",
    "rendercv",
    "al-folio",
    "academicpages",
    "hugo",
    "quarto",
)
"""The systems that `import` can read; importers/detect.py has the importer for each."""


def _add_import_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    import_parser = commands.add_parser("import", help="make a site from the sources of another system")
    import_parser.add_argument(
        "source", metavar="SOURCE", type=Path, help="a folder or a file of that system, or an ORCID iD"
    )
    import_parser.add_argument(
        "--to",
        metavar="DIR",
        type=Path,
        dest="folder",
        default=Path("site"),
        help="the output folder (default: site/)",
    )
    import_parser.add_argument(
        "--from", dest="system", choices=IMPORT_SYSTEMS, help="the system (default: detected from the files)"
    )
    import_parser.add_argument("--name", help="the name of the site's owner, if the source does not give it")


def _add_serve_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    serve_parser = commands.add_parser(
        "serve", help="show the site in a browser, with drafts, and update it at each change"
    )
    serve_parser.add_argument(
        "--port",
        metavar="N",
        type=int,
        default=DEFAULT_PORT,
        help=f"the port, or the next that is free (default: {DEFAULT_PORT})",
    )
    serve_parser.add_argument(
        "--host",
        action="store_true",
        help="also listen for other devices in the local network, which need the token in the URL that is shown",
    )
    serve_parser.add_argument("--open", action="store_true", help="open it in the browser")
    serve_parser.add_argument("--site", metavar="DIR", type=Path, action="append", help="the site's folder")
    serve_parser.add_argument(
        "--theme", metavar="NAME", default="", help="a theme instead of the one in site.yaml"
    )


def _add_theme_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `theme` with its actions list, show and override."""
    theme_parser = commands.add_parser(
        "theme", help="list the themes, show one, or copy a file of one to change it"
    )
    actions = theme_parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    list_parser = actions.add_parser("list", help="list every theme with its origin and a line about it")
    show_parser = actions.add_parser("show", help="show a theme's options, pages, parts and assets")
    show_parser.add_argument(
        "name", metavar="NAME", nargs="?", default="", help="the theme (default: the site's)"
    )
    override_parser = actions.add_parser(
        "override", help="copy a file of the site's theme into the site, to change it"
    )
    override_parser.add_argument(
        "part", metavar="PART", help="a part by its name, or any file: talks, pages/home.html, style.css"
    )
    for action_parser in (list_parser, show_parser, override_parser):
        action_parser.add_argument(
            "--site", metavar="DIR", type=Path, help="the site's folder (default: this one)"
        )
