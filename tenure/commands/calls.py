"""The argument parser: every command with its options; exit statuses and usage errors."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tenure import __version__
from tenure.commands.invocation import program

DONE, FAULTY, MISCALLED = 0, 1, 2
"""Exit statuses: success, errors in the sources, wrong usage."""


PORT = 8000
"""The default port of `serve`."""


class CallError(Exception):
    """The command line is wrong; the message says how."""


def saved_fault(error: BaseException) -> str:
    """Save the traceback of an internal error in a temporary file; returns a message with its path."""
    import tempfile  # noqa: PLC0415 - loaded only when needed
    import traceback  # noqa: PLC0415 - loaded only when needed

    with tempfile.NamedTemporaryFile(
        "w", prefix="tenure-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("".join(traceback.format_exception(error)))
    return f"{program()}: internal error ({type(error).__name__}: {error}); the traceback is in {file.name}"


def with_command(arguments: Sequence[str]) -> list[str]:
    """The arguments with `build` as the default command, and with `help COMMAND` written as `COMMAND --help`."""
    words = list(arguments)
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "build")
    return words


EXPORTS = "bibtex, ris, csl-json, markdown, text, json-resume, vcard, pdf, calendar, atom, llms, coauthors, service, year"
"""The formats of `export`; cli/export.py has the function for each."""


def _add_export(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `export` with its options."""
    export = commands.add_parser("export", help=f"write one document of the site: {EXPORTS}")
    export.add_argument("format", metavar="FORMAT", help=EXPORTS)
    export.add_argument(
        "year", metavar="YEAR", type=int, nargs="?", help="the year that `export year` is about"
    )
    export.add_argument(
        "--output", metavar="FILE", type=Path, dest="to", help="the file to write (default: standard output)"
    )
    export.add_argument(
        "--cv", metavar="NAME", default="", help="for pdf: which of cvs: (default: the first)"
    )
    export.add_argument(
        "--since", metavar="TIME", default="", help="for coauthors and service: 48mo, 4y or 2022-01"
    )
    export.add_argument(
        "--base-url", metavar="URL", default="", help="the URL of the site, instead of the one in site.yaml"
    )
    export.add_argument("--site", metavar="DIR", type=Path, action="append", help="the site's folder")


def _add_check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """Add `check` with the options that no other command has."""
    check = commands.add_parser(
        "check", help="report every problem in sources, templates and links; write nothing"
    )
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="the format of the report (default: text)",
    )
    check.add_argument(
        "--links",
        choices=("site", "external"),
        default="site",
        help="external also checks links to other sites, one request at a time for each host (default: site)",
    )
    check.add_argument(
        "--info",
        action="store_true",
        help="also list what is not wrong but could be written better, such as aliases of keys",
    )
    check.add_argument(
        "--fix", action="store_true", help="show the repairs that are certain, as a diff; write nothing"
    )
    check.add_argument(
        "--write", action="store_true", help="with --fix: write these repairs into the sources"
    )
    return check


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the closest choice for an unknown one."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        from tenure.problems import suggestion  # noqa: PLC0415 - loaded only for wrong usage

        choices = [str(choice) for choice in action.choices]
        hint = suggestion(str(value), choices) or f"the values are {', '.join(choices)}"
        if action.option_strings:
            raise CallError(f'"{value}" is not a value of {action.option_strings[0]}; {hint}')
        command = f"{self.prog.removeprefix(program())} {value}".strip()
        raise CallError(f'there is no command "{command}"; {hint}')


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser: argparse.ArgumentParser = _Parser(
        prog=program(),
        description="Build an academic homepage from YAML and BibTeX. Without a command: build.",
    )
    parser.add_argument("--version", action="version", version=f"tenure {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    build = commands.add_parser("build", help="build the site in this folder into output/")
    build.add_argument(
        "--output", metavar="DIR", type=Path, help="the output folder (default: output/ in its folder)"
    )
    build.add_argument("--force", action="store_true", help="write into --output also where other files are")
    build.add_argument(
        "--base-url", metavar="URL", default="", help="the URL of the published site, for this build"
    )
    check = _add_check(commands)
    _add_export(commands)
    for command in (build, check):
        command.add_argument(
            "--site",
            metavar="DIR",
            type=Path,
            action="append",
            help="a site's folder, or a folder of sites; repeatable",
        )
        command.add_argument(
            "--theme", metavar="NAME", default="", help="a theme instead of the one in site.yaml"
        )
        command.add_argument("--strict", action="store_true", help="warnings count as errors")
    _add_serve(commands)
    _add_theme(commands)
    _add_new(commands)
    _add_import(commands)
    _add_schema(commands)
    _add_migrate(commands)
    _add_upgrade(commands)
    commands.add_parser(
        "test",
        help="run the project's own tests (in its repository only)",
        description="Run the project's own tests. All arguments are passed to pytest; its options: python -m pytest --help",
        usage=f"{program()} test [ARGUMENT ...]",
    )
    return parser


def _add_new(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `new` with its options."""
    new = commands.add_parser("new", help="write a new site into a folder")
    new.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        help="an empty folder, or one that does not exist yet; Git and a README may be in it",
    )
    new.add_argument("--name", help="the owner of the site (default: the name that Git knows)")
    new.add_argument("--role", help='such as "PhD student"')
    new.add_argument("--affiliation", help="university or institute")
    new.add_argument("--email", metavar="ADDRESS", help="the e-mail address that the site shows")
    new.add_argument("--url", help="the URL that the site will have")
    new.add_argument("--theme", help="classic, folio or plain (default: classic)")
    new.add_argument("--bib", metavar="FILE", help="a .bib file to copy into bib/")
    new.add_argument("--photo", metavar="FILE", help="a photo to copy into content/")
    new.add_argument(
        "--import",
        metavar="SOURCE",
        help="a file or folder of another system to import, as the command import does",
    )


def _add_folder(command: argparse.ArgumentParser) -> None:
    """Add the argument for the site's folder."""
    command.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="the site's folder (default: this one)",
    )


def _add_schema(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `schema` with its options."""
    schema = commands.add_parser(
        "schema", help="write the JSON Schema of each source, which editors use to complete and check keys"
    )
    _add_folder(schema)


def _add_migrate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `migrate` with its options."""
    migrate = commands.add_parser("migrate", help="show the changes that sources of an older version need")
    _add_folder(migrate)
    migrate.add_argument("--write", action="store_true", help="write what is shown")


def _add_upgrade(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `upgrade` with its options."""
    upgrade = commands.add_parser(
        "upgrade", help="show what a site needs to be built with this version of Tenure"
    )
    _add_folder(upgrade)
    upgrade.add_argument("--write", action="store_true", help="write what is shown")


SYSTEMS = ("bibtex", "csl-json", "json-resume", "rendercv", "al-folio", "academicpages", "hugo")
"""The systems that `import` can read; importers/detect.py has the importer for each."""


def _add_import(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `import` with its options."""
    bring = commands.add_parser("import", help="make a site from the sources of another system")
    bring.add_argument("source", metavar="SOURCE", type=Path, help="a folder or a file of that system")
    bring.add_argument(
        "--to",
        metavar="DIR",
        type=Path,
        dest="folder",
        default=Path("site"),
        help="the output folder (default: site/)",
    )
    bring.add_argument(
        "--from", dest="system", choices=SYSTEMS, help="the system (default: detected from the files)"
    )
    bring.add_argument("--name", help="the name of the site's owner, if the source does not give it")


def _add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `serve` with its options."""
    serve = commands.add_parser(
        "serve", help="show the site in a browser, with drafts, and update it at each change"
    )
    serve.add_argument(
        "--port",
        metavar="N",
        type=int,
        default=PORT,
        help=f"the port, or the next that is free (default: {PORT})",
    )
    serve.add_argument(
        "--host",
        metavar="ADDRESS",
        nargs="?",
        const="0.0.0.0",  # noqa: S104 - the purpose of the option
        default="127.0.0.1",
        help="also listen for other devices in the local network, which need the token in the URL that is shown "
        "(ADDRESS: at this IP address only)",
    )
    serve.add_argument("--open", action="store_true", help="open it in the browser")
    serve.add_argument(
        "--editor",
        metavar="EDITOR",
        default="",
        help="where a click on a problem opens the file: vscode (default), vscodium, cursor, zed, pycharm, idea, webstorm, "
        "textmate, none, or a link such as myeditor://open?file={path}&line={line}",
    )
    serve.add_argument(
        "--follow", action="store_true", help="let the browser open the page whose source changes"
    )
    serve.add_argument("--site", metavar="DIR", type=Path, action="append", help="the site's folder")
    serve.add_argument("--theme", metavar="NAME", default="", help="a theme instead of the one in site.yaml")


def _add_theme(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `theme` with its actions list, show and override."""
    theme = commands.add_parser("theme", help="list the themes, show one, or copy a file of one to change it")
    actions = theme.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list every theme with its origin and a line about it")
    show = actions.add_parser("show", help="show a theme's options, pages, parts and assets")
    show.add_argument("name", metavar="NAME", nargs="?", default="", help="the theme (default: the site's)")
    override = actions.add_parser(
        "override", help="copy a file of the site's theme into the site, to change it"
    )
    override.add_argument(
        "part", metavar="PART", help="a part by its name, or any file: talks, pages/home.html, style.css"
    )
    for action in (listing, show, override):
        action.add_argument("--site", metavar="DIR", type=Path, help="the site's folder (default: this one)")
