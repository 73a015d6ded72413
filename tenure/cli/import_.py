"""`import`: create a site from the sources of another system, with a report of what was imported."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError
from tenure.cli.invocation import format_command, format_next_steps
from tenure.cli.requirements import REQUIREMENTS_FILE, describe_ignored_wheel
from tenure.cli.starter import create_starter_files
from tenure.cli.targets import display_path, summarize_problems
from tenure.counts import format_count
from tenure.record import Record

if TYPE_CHECKING:
    from tenure.build import Exporter
    from tenure.importers.session import ImportResult

REPORT_FILE = "import-report.md"
REPORT_HEADINGS: Sequence[tuple[str, str]] = (
    ("skipped", "Not imported"),
    ("converted", "Changed"),
    ("moved", "Old addresses"),
    ("imported", "Imported"),
)


class WriteResult(Record):
    """The files of an import by name: created, already present with the same bytes, already present with different bytes."""

    created: tuple[str, ...]
    identical: tuple[str, ...]
    different: tuple[str, ...]


def run_command(
    arguments: argparse.Namespace, default_folder: Path, exporters: "Sequence[Exporter] | None"
) -> int:
    """Import a source into a folder without changing existing files; returns the exit status."""
    del default_folder, exporters
    return import_site(arguments.source, arguments.folder, arguments.system or "", arguments.name or "")


def import_site(source: Path, folder: Path, system: str = "", name: str = "") -> int:
    """
    Import a file or a folder of another system into a folder, and report what was imported; returns the exit status.

    `system` is a key of IMPORTERS, or "" to detect it from the files; `name` is the owner's, or "" to take it from the
    source. Raises UsageError if the source does not exist or if its system is unknown.
    """
    from tenure.importers.detect import IMPORTERS, detect_system  # noqa: PLC0415 - loaded only if a source exists

    if not source.exists():
        raise UsageError(f"{display_path(source)} does not exist")
    system = system or detect_system(source.resolve())
    if not system:
        raise UsageError(
            f"{display_path(source)} has none of the formats that can be imported: {', '.join(IMPORTERS)} "
            "(a CV in PDF or LaTeX cannot be imported); if it has one of them, name it: --from NAME"
        )
    imported = IMPORTERS[system](source.resolve())
    files = collect_site_files(imported, name)
    result = write_missing_files(folder, files)
    _print_summary(imported, result, folder)
    return _check_imported_site(folder)


def collect_site_files(imported: "ImportResult", name: str) -> dict[str, str | bytes]:
    """Every file of the new site: the files of `new`, replaced by the imported ones, and the report."""
    from tenure.importers.yaml_writer import format_scalar  # noqa: PLC0415 - loaded only if a site is written
    from tenure.sources.json_schema import schema_modeline  # noqa: PLC0415 - as above

    owner_name = name or imported.owner
    if not owner_name:
        reason = "".join(f"{p.place}: {p.message} ({p.hint}); so " for p in imported.read_errors[:1])
        raise UsageError(
            f'{reason}the source does not give the name of the owner: import SOURCE --name "Ada Lovelace"'
        )
    profile = f"name: {format_scalar(owner_name)}\n{imported.profile}"
    answers = {"name": owner_name, "affiliation": "", "url": "", "theme": "classic"}
    files: dict[str, str | bytes] = {
        **create_starter_files(answers),
        **imported.files,
        "content/profile.yaml": profile,
    }
    schema_sources = (*imported.files, "content/profile.yaml")
    files |= {
        name: schema_modeline(name) + text for name in schema_sources if isinstance(text := files[name], str)
    }
    if "bib/papers.bib" not in imported.files:
        del files["bib/papers.bib"]
    files[REPORT_FILE] = format_report(imported)
    return files


def format_report(imported: "ImportResult") -> str:
    """The report in Markdown: what was imported, changed and skipped, each with its place in the source."""
    lines = [f"# Import from {imported.system}", ""]
    for fate, heading in REPORT_HEADINGS:
        notes = [note for note in imported.notes if note.outcome == fate]
        if notes:
            lines += [
                f"## {heading} ({len(notes)})",
                "",
                *(f"- `{n.location}`: {n.description}" for n in notes),
                "",
            ]
    return "\n".join(lines)


def write_missing_files(folder: Path, files: Mapping[str, str | bytes]) -> WriteResult:
    """Write the files that do not exist yet; existing files are not changed. Raises UsageError if the folder is not writable."""
    created: list[str] = []
    identical: list[str] = []
    different: list[str] = []
    try:
        for name, content in files.items():
            path, data = folder / name, content if isinstance(content, bytes) else content.encode("utf-8")
            if path.exists():
                (identical if path.is_file() and path.read_bytes() == data else different).append(name)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            created.append(name)
    except OSError as error:
        raise UsageError(f"cannot write {display_path(folder)}: {error.strerror or error}") from error
    return WriteResult(tuple(created), tuple(identical), tuple(different))


def _print_summary(imported: "ImportResult", result: WriteResult, folder: Path) -> None:
    counts = {fate: sum(note.outcome == fate for note in imported.notes) for fate, _ in REPORT_HEADINGS}
    print(
        f"{imported.system}: {counts['imported']} imported, {counts['converted']} changed, {counts['skipped']} left out; "
        f"{display_path(folder / REPORT_FILE)} names each with its place"
    )
    print(
        f"wrote {format_count(len(result.created), 'file')} into {display_path(folder)}/; {len(result.identical)} were already there"
    )
    print(describe_ignored_wheel(folder), end="")
    for name in result.different:
        if name == REQUIREMENTS_FILE:
            print(
                f"kept {display_path(folder / name)}: it does not list this Tenure. To add it: {format_command('upgrade', folder, '--write')}"
            )
            continue
        print(
            f"kept {display_path(folder / name)}: it differs from the imported file; to replace it, delete it and import again"
        )


def _check_imported_site(folder: Path) -> int:
    """Print the errors of the new site and the next commands; returns the exit status."""
    from tenure.build import build_site  # noqa: PLC0415 - loaded only if a site was written
    from tenure.problems import format_problem  # noqa: PLC0415 - loaded only if a site was written

    result = build_site(folder)
    errors = [problem for problem in result.problems if problem.level == "error"]
    for problem in errors:
        print(format_problem(problem))
    print(f"check: {summarize_problems(result)}. Next:")
    print(format_next_steps(display_path(folder), "check", "serve --open"), end="")
    return EXIT_ERRORS if errors else EXIT_OK
