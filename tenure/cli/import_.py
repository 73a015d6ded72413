"""`import`: create a site from the sources of another system, with a report of what was imported."""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.atomic import write_file
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, Call, MissingNameError, UsageError
from tenure.cli.invocation import format_write_command
from tenure.cli.requirements import REQUIREMENTS_FILE, describe_ignored_wheel
from tenure.cli.starter import create_starter_files, print_next_steps
from tenure.cli.targets import display_path, summarize_problems
from tenure.counts import format_count
from tenure.model.links import is_orcid_like, parse_orcid
from tenure.record import Record, replace

if TYPE_CHECKING:
    from tenure.importers.session import ImportResult
    from tenure.importers.source_folder import ImportNote
    from tenure.problems import Problem

REPORT_FILE = "import-report.md"
REPORT_HEADINGS: Sequence[tuple[str, str]] = (
    ("skipped", "Not imported"),
    ("reclassified", "Imported as something else"),
    ("converted", "Changed"),
    ("moved", "Old addresses"),
    ("imported", "Imported"),
)


class ImportedSite(Record):
    """The files of a new site with its report, and the notes of the report."""

    files: Mapping[str, str | bytes]
    notes: "Sequence[ImportNote]"


class WriteResult(Record):
    """The files of an import by name: created, already present with the same bytes, already present with different bytes."""

    created: tuple[str, ...]
    identical: tuple[str, ...]
    different: tuple[str, ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `import`."""
    source_help = "a folder or a file of another system, or an ORCID iD"
    parser.add_argument("source", metavar="SOURCE", type=Path, help=source_help)
    to_help = "the output folder (default: site/)"
    parser.add_argument("--to", metavar="DIR", type=Path, dest="folder", default=Path("site"), help=to_help)
    parser.add_argument(
        "--name", default="", help="the name of the site's owner, if the source does not give it"
    )


def run_command(call: Call) -> int:
    """Import a source into a folder without changing existing files; returns the exit status."""
    status = import_site(call.options.source, call.options.folder, call.options.name)
    print_next_steps(call.options.folder)
    return status


def import_site(source: Path, folder: Path, name: str = "") -> int:
    """
    Import a file or a folder of another system, or an ORCID record, into a folder; returns the exit status.

    `name` is the owner's, or "" to take it from the source. What was imported is reported. Raises UsageError if the
    source does not exist, or if its system is unknown.
    """
    if not source.exists() and is_orcid_like(str(source)):
        imported = _import_orcid_record(str(source), folder)
    else:
        imported = _import_files(source)
    owner_note = _describe_guessed_owner(imported) if imported.guessed_from and not name else None
    if owner_note is not None:
        imported = replace(imported, notes=(*imported.notes, owner_note))
    site = build_imported_site(imported, folder, name)
    result = write_missing_files(folder, site.files)
    _print_summary(imported.system, site.notes, result, folder)
    if owner_note is not None:
        print(f"{owner_note.location}: {owner_note.description}")
    return _check_imported_site(folder)


def _import_orcid_record(text: str, folder: Path) -> "ImportResult":
    """Request the record of an ORCID iD and convert it; raises UsageError if that is not possible."""
    from tenure.fetch.client import Client, FetchError
    from tenure.fetch.import_orcid import import_orcid
    from tenure.progress import ProgressLine

    orcid = parse_orcid(text)
    if not orcid:
        raise UsageError(f"{text} is not an ORCID iD: its last character does not fit the others")
    print(f"ORCID: reading the public record of {orcid}", flush=True)
    progress_line = ProgressLine(sys.stderr)
    try:
        with Client(folder / ".cache", f"https://orcid.org/{orcid}") as client:
            return import_orcid(orcid, client, progress_line)
    except FetchError as error:
        retry = "; what was read is kept for the next call" if error.is_temporary else ""
        raise UsageError(f"{error}{retry}") from error
    finally:
        progress_line.clear()


_REFERENCE_FORMATS = {".ris": "RIS", ".enw": "EndNote", ".nbib": "PubMed"}
"""The formats of references that a reference manager converts, by the suffixes of their files."""


def _refuse_reference_formats(source: Path) -> None:
    """Raises UsageError with the steps of a conversion if the source is, or contains, a file of such a format."""
    for path in [source] if source.is_file() else sorted(source.iterdir()):
        name = _REFERENCE_FORMATS.get(path.suffix.casefold())
        if name:
            raise UsageError(
                f"{display_path(path)} is a file in {name}, which cannot be imported; convert it to BibTeX, for example in Zotero: "
                f"“File”, “Import…” reads it, and “File”, “Export Library…” with the format BibTeX writes {path.stem}.bib; "
                f"then import {path.stem}.bib"
            )


def _import_files(source: Path) -> "ImportResult":
    """Import a file or a folder; raises UsageError if it does not exist, or if its system is unknown."""
    from tenure.importers.detect import IMPORTERS, detect_system

    if not source.exists():
        raise UsageError(f"{display_path(source)} does not exist")
    system = detect_system(source.resolve())
    if not system:
        _refuse_reference_formats(source)
        raise UsageError(
            f"{display_path(source)} has none of the formats that can be imported: {', '.join(IMPORTERS)} "
            "(a CV in Word, PDF or LaTeX cannot be imported: make a site with new, and copy its parts; "
            "a reference manager such as Zotero converts RIS, EndNote and PubMed files to BibTeX)"
        )
    imported = IMPORTERS[system](source.resolve())
    file_count = format_count(imported.files_read, "file")
    print(
        f"{imported.system}: read {file_count}; checking the new site, which takes a while if it has many pictures",
        flush=True,
    )
    return imported


def _describe_guessed_owner(imported: "ImportResult") -> "ImportNote":
    from tenure.importers.source_folder import ImportNote

    message = f"{imported.guessed_from}, {imported.owner}, is taken as the owner; --name sets another"
    return ImportNote("converted", "content/profile.yaml", message)


def build_imported_site(imported: "ImportResult", folder: Path, name: str = "") -> ImportedSite:
    """
    Return the files of the new site, repaired until it builds, and the notes of the report.

    The site is checked in a temporary folder, so that files that are already in `folder` change nothing; the cache of
    `folder` keeps what the check computes.
    """
    from tenure.importers.repair import repair_files

    files = collect_site_files(imported, name)
    imported_names = (*imported.files, "content/profile.yaml")
    with tempfile.TemporaryDirectory(prefix="tenure-") as work_folder:
        checker = _SiteChecker(Path(work_folder), folder / ".cache")
        repaired = repair_files(files, imported_names, imported.origins, checker.find_errors)
    notes = (*imported.notes, *repaired.notes)
    return ImportedSite({**repaired.files, REPORT_FILE: format_report(imported.system, notes)}, notes)


class _SiteChecker:
    """Checks the files of a site in a folder, of which it writes what has changed since the last check."""

    def __init__(self, folder: Path, cache_folder: Path) -> None:
        self.folder = folder
        self.cache_folder = cache_folder
        self._written: dict[str, str | bytes] = {}

    def find_errors(self, files: Mapping[str, str | bytes]) -> "Sequence[Problem]":
        """Return the errors of a site with these files."""
        from tenure.build import build_site
        from tenure.cache.store import CacheStore
        from tenure.progress import ProgressLine

        changed_files = {
            name: content for name, content in files.items() if self._written.get(name) != content
        }
        for name in self._written.keys() - (files.keys() - changed_files.keys()):
            (self.folder / name).unlink()
        write_missing_files(self.folder, changed_files)
        self._written = dict(files)
        progress_line = ProgressLine(sys.stderr)
        store = CacheStore(self.cache_folder)
        build = build_site(self.folder, store=store, progress=progress_line)
        progress_line.clear()
        return [problem for problem in build.problems if problem.level == "error"]


def collect_site_files(imported: "ImportResult", name: str) -> dict[str, str | bytes]:
    """Every file of the new site: the files of `new`, replaced by the imported ones."""
    from tenure.importers.yaml_writer import format_yaml
    from tenure.sources.json_schema import schema_modeline

    owner_name = name or imported.owner
    if not owner_name:
        reason = "".join(f"{p.place}: {p.message} ({p.hint}); so " for p in imported.read_errors[:1])
        raise MissingNameError(
            f'{reason}the source does not give the name of the owner: import SOURCE --name "Ada Lovelace"'
        )
    names = imported.owner_names if imported.owner_names and not name else owner_name
    profile = f"{format_yaml({'name': names})}{imported.profile}"
    files: dict[str, str | bytes] = {
        **create_starter_files(owner_name),
        **imported.files,
        "content/profile.yaml": profile,
    }
    schema_sources = (*imported.files, "content/profile.yaml")
    files |= {
        name: schema_modeline(name) + text for name in schema_sources if isinstance(text := files[name], str)
    }
    if "bib/papers.bib" not in imported.files:
        del files["bib/papers.bib"]
    return files


def format_report(system: str, notes: "Sequence[ImportNote]") -> str:
    """The report in Markdown: what was imported, changed and skipped, each with its place in the source."""
    lines = [f"# Import from {system}", ""]
    for outcome, heading in REPORT_HEADINGS:
        note_lines = [f"- `{note.location}`: {note.description}" for note in notes if note.outcome == outcome]
        if note_lines:
            lines += [f"## {heading} ({len(note_lines)})", "", *note_lines, ""]
    return "\n".join(lines)


def write_missing_files(folder: Path, files: Mapping[str, str | bytes]) -> WriteResult:
    """
    Write the files that do not exist yet; existing files are not changed.

    Raises UsageError if the folder is not writable, or if a name leads out of it; then nothing is written.
    """
    for name in files:
        if not re.fullmatch(r"(?!\.\.?(?:/|$))[^/\\:\0]+(?:/(?!\.\.?(?:/|$))[^/\\:\0]+)*", name):
            raise UsageError(f"{name} is not a file of a site, and nothing was written")
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
            write_file(path, data)
            created.append(name)
    except OSError as error:
        raise UsageError(f"cannot write {display_path(folder)}: {error.strerror or error}") from error
    return WriteResult(tuple(created), tuple(identical), tuple(different))


def _print_summary(system: str, notes: "Sequence[ImportNote]", result: WriteResult, folder: Path) -> None:
    counts = Counter(note.outcome for note in notes)
    reclassified = f"{counts['reclassified']} imported as something else, " if counts["reclassified"] else ""
    print(
        f"{system}: {counts['imported']} imported, {reclassified}{counts['converted']} changed, {counts['skipped']} left out; "
        f"{display_path(folder / REPORT_FILE)} names each with its place"
    )
    print(
        f"wrote {format_count(len(result.created), 'file')} into {display_path(folder)}/; {len(result.identical)} were already there"
    )
    print(describe_ignored_wheel(folder), end="")
    for name in result.different:
        if name == REQUIREMENTS_FILE:
            print(
                f"kept {display_path(folder / name)}: it does not list this Tenure. To add it: {format_write_command([folder], 'upgrade')}"
            )
            continue
        print(
            f"kept {display_path(folder / name)}: it differs from the imported file; to replace it, delete it and import again"
        )


def _check_imported_site(folder: Path) -> int:
    """Print the errors of the new site; returns the exit status."""
    from tenure.build import build_site
    from tenure.problems import format_problem

    result = build_site(folder)
    errors = [problem for problem in result.problems if problem.level == "error"]
    for problem in errors:
        print(format_problem(problem))
    print(f"check: {summarize_problems(result.problems)}.")
    return EXIT_ERRORS if errors else EXIT_OK
