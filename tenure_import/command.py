"""
`import`: a site of another system, a CV, a list of publications or an ORCID record as a new site.

It asks for what the source does not give, and prints what the report says in short.
"""

import sys
from pathlib import Path

from tenure.build import build_site
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError, format_write_command
from tenure.cli.questions import ask_about_spellings
from tenure.cli.requirements import describe_ignored_wheel
from tenure.cli.site_version import REQUIREMENTS_FILE
from tenure.cli.targets import display_path, summarize_problems
from tenure.fetch.client import Client, FetchError
from tenure.fetch.import_orcid import import_orcid
from tenure.model.links import is_orcid_like, parse_orcid
from tenure.problems import format_count, format_problem
from tenure.progress import ProgressLine
from tenure_import.folder_import import (
    WARNINGS,
    ImportReport,
    explain_refusal,
    guess_owner,
    name_owner,
    read_source,
    write_site,
)
from tenure_import.importer import ImportedSite

__all__ = ["explain_refusal", "import_site"]


def import_site(source: Path, folder: Path, name: str = "") -> int:
    """
    Import a file or a folder of another system, or an ORCID record, into a folder; returns the exit status.

    `name` is the owner's, or "" to take it from the source, or to ask. Raises UsageError if the source cannot
    be imported.
    """
    if not source.exists() and is_orcid_like(str(source)):
        site = _import_orcid_record(str(source), folder)
    else:
        site = read_source(source)
        print(
            f"{site.system}: read {format_count(site.files_read, 'file')}; "
            "checking the new site, which takes a while if it has many pictures",
            flush=True,
        )
    if not name and not site.profile.get("name") and sys.stdin.isatty():
        guessed = guess_owner(site, source)
        name = input(f"Your name, which the source does not give [{guessed}]: ").strip()
    site = name_owner(site, source, name)
    if site.guessed_from:
        owner = site.profile["name"]
        print(
            f"content/profile.yaml: {site.guessed_from}, {owner}, is taken as the owner; --name sets another"
        )

    progress_line = ProgressLine(sys.stderr)
    ask = ask_about_spellings if sys.stdin.isatty() else None
    report = write_site(site, folder, progress_line, ask)
    progress_line.clear()
    _print_summary(report, folder)

    built = build_site(folder)
    errors = [problem for problem in built.problems if problem.level == "error"]
    for problem in errors:
        print(format_problem(problem))
    hint = f"; {report.file} says which come from the source" if WARNINGS in report.text else ""
    print(f"check: {summarize_problems(built.problems)}{hint}.")
    return EXIT_ERRORS if errors else EXIT_OK


def _import_orcid_record(text: str, folder: Path) -> ImportedSite:
    """Request the record of an ORCID iD and convert it; raises UsageError if that is not possible."""
    orcid = parse_orcid(text)
    if not orcid:
        raise UsageError(f"{text} is not an ORCID iD: its last character does not fit the others")
    print(f"ORCID: reading the public record of {orcid}", flush=True)
    progress_line = ProgressLine(sys.stderr)
    try:
        with Client(folder / ".cache", f"https://orcid.org/{orcid}") as client:
            record = import_orcid(orcid, client, progress_line)
    except FetchError as error:
        retry = "; what was read is kept for the next call" if error.is_temporary else ""
        raise UsageError(f"{error}{retry}") from error
    finally:
        progress_line.clear()
    return ImportedSite("ORCID", record.files, record.profile, record.notes)


def _print_summary(report: ImportReport, folder: Path) -> None:
    """Say where the report is, how many files were written, and which were kept."""
    written = report.written
    file = display_path(folder / report.file)
    lines = format_count(report.line_count, "line")
    count = format_count(len(written.created), "file")
    print(f"{report.system}: {file} has {lines} about what was not imported or was changed")
    print(f"wrote {count} into {display_path(folder)}/; {len(written.identical)} were already there")
    for name, values in report.added.items():
        if values:
            print(f"added to {display_path(folder / name)}: {', '.join(values)}")
    print(describe_ignored_wheel(folder), end="")
    for line in report.missing:
        print(f"not on the site: {line}")

    for name in written.different:
        reason = "it differs from the imported file"
        if name == REQUIREMENTS_FILE:
            reason = f"it does not list this Tenure. To add it: {format_write_command([folder], 'upgrade')}"
        print(f"kept {display_path(folder / name)}: {reason}")
