"""`import`: a site of another system, a CV, a list of publications or an ORCID record as a new site, with a report."""

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli.arguments import EXIT_ERRORS, EXIT_OK, UsageError
from tenure.cli.import_ import WriteResult, write_missing_files
from tenure.cli.invocation import format_write_command
from tenure.cli.requirements import REQUIREMENTS_FILE, describe_ignored_wheel
from tenure.cli.starter import create_starter_files
from tenure.cli.targets import display_path, summarize_problems
from tenure.counts import format_count
from tenure.fetch.client import Client, FetchError
from tenure.fetch.import_orcid import import_orcid
from tenure.model.links import is_orcid_like, parse_orcid
from tenure.plan.languages import CvDocuments
from tenure.problems import Problem, Problems, format_problem
from tenure.progress import ProgressLine
from tenure.publish import Artifact
from tenure.site_folder import BuildOptions
from tenure.sources.json_schema import schema_modeline
from tenure.sources.load import load_site
from tenure.sources.yaml_writer import format_yaml
from tenure_import.detect import SYSTEMS, detect_system
from tenure_import.engine import Import, ImportedSite
from tenure_import.owner import guess_name_from_host
from tenure_import.repair import repair_files

REPORT_FILE = "import-report.md"
SAMPLE_NOTE = "sample content of the template"
MANY_FILES = 3
"""The number of files whose equal notes are one part of the report."""

REFERENCE_FORMATS = {".ris": "RIS", ".enw": "EndNote", ".nbib": "PubMed"}
"""The formats of references that a reference manager converts, by the suffixes of their files."""


def import_site(source: Path, folder: Path, name: str = "") -> int:
    """
    Import a file or a folder of another system, or an ORCID record, into a folder; returns the exit status.

    `name` is the owner's, or "" to take it from the source. Raises UsageError if the source cannot be imported.
    """
    if not source.exists() and is_orcid_like(str(source)):
        site = _import_orcid_record(str(source), folder)
    else:
        site = _import_files(source)
    site = name_owner(site, source, name)
    files = repair_site(site, folder)
    result = write_missing_files(folder, files)
    _print_summary(site, files, result, folder)
    built = build_site(folder)
    errors = [problem for problem in built.problems if problem.level == "error"]
    for problem in errors:
        print(format_problem(problem))
    print(f"check: {summarize_problems(built.problems)}.")
    return EXIT_ERRORS if errors else EXIT_OK


def find_system(source: Path) -> str:
    """The name of the system of a file or a folder, "" if it is unknown."""
    return detect_system(source)


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


def _import_files(source: Path) -> ImportedSite:
    """Import a file or a folder; raises UsageError if it does not exist, or if its system is unknown."""
    if not source.exists():
        raise UsageError(f"{display_path(source)} does not exist")
    system = detect_system(source.resolve())
    if not system:
        for path in [source] if source.is_file() else sorted(source.iterdir()):
            if path.suffix.casefold() in REFERENCE_FORMATS:
                raise UsageError(
                    f"{display_path(path)} is a file in {REFERENCE_FORMATS[path.suffix.casefold()]}, which cannot be imported; convert it to BibTeX, "
                    f"for example in Zotero: “File”, “Import…” reads it, and “File”, “Export Library…” with the format BibTeX writes {path.stem}.bib; "
                    f"then import {path.stem}.bib"
                )
        raise UsageError(
            f"{display_path(source)} has none of the formats that can be imported: sites of {', '.join(s.name for s in SYSTEMS.values())} "
            "(a CV in Word, PDF or LaTeX cannot be imported: make a site with new, and copy its parts; a reference manager such as Zotero "
            "converts RIS, EndNote and PubMed files to BibTeX)"
        )
    site = Import(SYSTEMS[system], source).run()
    print(
        f"{site.system}: read {format_count(site.files_read, 'file')}; checking the new site, which takes a while if it has many pictures",
        flush=True,
    )
    return site


def name_owner(site: ImportedSite, source: Path, name: str) -> ImportedSite:
    """The site with the name of its owner: that of the option, of the source, of a question, or of its host."""
    profile = dict(site.profile)
    guessed_from = site.guessed_from
    known = profile.get("name", "")
    if name:
        profile["name"], guessed_from = name, ""
    elif not known:
        url = re.search(r"^url: (\S+)", str(site.files.get("site.yaml", "")), re.MULTILINE)
        guessed = guess_name_from_host(url[1] if url else "", source.resolve().name)
        answer = (
            input(f"Your name, which the source does not give [{guessed}]: ").strip()
            if sys.stdin.isatty()
            else ""
        )
        profile["name"] = answer or guessed or "Your Name"
        guessed_from = "" if answer else "the name of the host or the folder"
    if guessed_from:
        print(
            f"content/profile.yaml: {guessed_from}, {profile['name']}, is taken as the owner; --name sets another"
        )
    ordered = {"name": profile["name"], **{key: value for key, value in profile.items() if key != "name"}}
    note = (
        "content/profile.yaml",
        f"name: {profile['name']} is {guessed_from}; correct it if it is not the owner",
    )
    return ImportedSite(
        site.system,
        site.files,
        ordered,
        (*site.notes, *([note] if guessed_from else [])),
        site.files_read,
        guessed_from,
    )


def repair_site(site: ImportedSite, folder: Path) -> dict[str, str | bytes]:
    """
    The files of the new site, repaired until it has no error, with the report.

    The site is checked in a temporary folder, so that files that are already in `folder` change nothing.
    """
    files: dict[str, str | bytes] = {
        **create_starter_files(str(site.profile["name"])),
        **site.files,
        "content/profile.yaml": format_yaml(site.profile),
    }
    own = [*site.files, "content/profile.yaml"]
    if "bib/papers.bib" not in site.files:
        files.pop("bib/papers.bib", None)
    with tempfile.TemporaryDirectory(prefix="tenure-") as work_folder:
        checker = _SiteChecker(Path(work_folder), folder / ".cache")
        files, notes = repair_files(files, own, checker.find_errors)
    report = format_report(site.system, [*site.notes, *notes])
    modelines = {
        name: schema_modeline(name) + text for name in own if isinstance(text := files.get(name), str)
    }
    return {**files, **modelines, REPORT_FILE: report}


def make_empty_cvs(documents: CvDocuments, *_: object) -> Iterator[Artifact]:
    """Files in place of the CVs, which take longest to make, so that the links to them are checked."""
    return (Artifact(f"{config.name}.pdf", b"") for config in documents.cvs)


class _SiteChecker:
    """Checks the files of a site in a folder, of which it writes what has changed since the last check."""

    def __init__(self, folder: Path, cache_folder: Path) -> None:
        self.folder = folder
        self.store = CacheStore(cache_folder)
        self._written: dict[str, str | bytes] = {}

    def find_errors(self, files: Mapping[str, str | bytes]) -> Sequence[Problem]:
        """The errors of the sources; if there are none, those of the whole site."""
        changed = {name: content for name, content in files.items() if self._written.get(name) != content}
        for name in self._written.keys() - (files.keys() - changed.keys()):
            (self.folder / name).unlink()
        write_missing_files(self.folder, changed)
        self._written = dict(files)
        problems = Problems()
        load_site(self.folder, problems, self.store, BuildOptions())
        errors = [problem for problem in problems.sorted_problems() if problem.level == "error"]
        if errors:
            return errors
        progress_line = ProgressLine(sys.stderr)
        built = build_site(self.folder, store=self.store, progress=progress_line, make_cvs=make_empty_cvs)
        progress_line.clear()
        return [problem for problem in built.problems if problem.level == "error"]


def format_report(system: str, notes: Sequence[tuple[str, str]]) -> str:
    """The report in Markdown: what was not imported or changed, by the file and the key of the source."""
    by_text: dict[str, list[str]] = {}
    for place, text in dict.fromkeys(notes):
        by_text.setdefault(text, []).append(place)
    by_place: dict[str, list[str]] = {}
    for place, text in dict.fromkeys(notes):
        if len(by_text[text]) < MANY_FILES and text not in ("not read", SAMPLE_NOTE):
            by_place.setdefault(place, []).append(text)
    lines = [
        f"# Import from {system}",
        "",
        "This file lists what was not imported, or was changed. You can delete it.",
        "",
    ]
    for place, texts in by_place.items():
        lines += [f"## {place}", "", *(f"- {text}" for text in texts), ""]
    groups = {
        text: places
        for text, places in by_text.items()
        if len(places) >= MANY_FILES and text not in ("not read", SAMPLE_NOTE)
    }
    groups |= {
        "Sample content of the template, left out": by_text.get(SAMPLE_NOTE, []),
        "Files that were not read": by_text.get("not read", []),
    }
    for heading, names in groups.items():
        if names:
            lines += [f"## {heading}", "", *(f"- {line}" for line in _group_by_folder(names)), ""]
    return "\n".join(lines)


def _group_by_folder(names: Sequence[str]) -> list[str]:
    """Names by folder: "img/: a.png, b.png"; of more than eight, the number."""
    folders: dict[str, list[str]] = {}
    for name in sorted(names):
        folder, slash, file = name.rpartition("/")
        folders.setdefault(folder + slash, []).append(file)
    shown = {
        folder: ", ".join(files) if len(files) < 9 else f"{len(files)} files, such as {files[0]}"
        for folder, files in folders.items()
    }
    return [f"`{folder}`: {text}" if folder else text for folder, text in shown.items()]


def _print_summary(
    site: ImportedSite, files: Mapping[str, str | bytes], result: WriteResult, folder: Path
) -> None:
    report = str(files[REPORT_FILE])
    print(
        f"{site.system}: {display_path(folder / REPORT_FILE)} has {format_count(report.count(chr(10) + '- '), 'line')} about what was not imported or was changed"
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
        else:
            print(
                f"kept {display_path(folder / name)}: it differs from the imported file; to replace it, delete it and import again"
            )
