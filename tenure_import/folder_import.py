"""
The import of a folder into a folder.

`import_folder(Path("old"), Path("site"))` reads the source, names the owner, repairs the new site until it
builds, and writes it with an `ImportReport`. It asks nothing, and starts no process, so that a page in a
browser can call it.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli.arguments import UsageError
from tenure.cli.starter import WriteResult, create_starter_files, write_missing_files
from tenure.cli.targets import display_path
from tenure.model.entries import Profile
from tenure.plan.language_versions import CvDocuments
from tenure.problems import Problem, Problems, format_count
from tenure.progress import ProgressCallback, ignore_progress
from tenure.publish import Artifact
from tenure.record import Record, replace
from tenure.site_folder import BuildOptions
from tenure.sources.editing.json_schema import schema_modeline
from tenure.sources.editing.yaml_writer import format_yaml
from tenure.sources.load import load_site
from tenure.sources.publications.collect import count_possible_owner_spellings
from tenure_import.detect import SYSTEMS, detect_system
from tenure_import.importer import Import, ImportedSite
from tenure_import.owner import guess_name_from_host
from tenure_import.repair import Note, repair_files
from tenure_import.samples import SAMPLE_NOTE

REPORT_FILE = "import-report.md"
MANY_FILES = 3
"""The number of files whose equal notes are one part of the report."""

GROUP_TITLES = {
    SAMPLE_NOTE: "Sample content of the template, left out",
    "not read": "Files that were not read",
}
"""The last parts of the report, which list files."""

REFERENCE_FORMATS = {".ris": "RIS", ".enw": "EndNote", ".nbib": "PubMed"}
"""The formats of references that a reference manager converts, by the suffixes of their files."""


AskAboutSpellings = Callable[[Mapping[str, int]], Sequence[str]]
"""A question which of some names are the owner's; each name with the number of its entries in .bib files."""


class ImportReport(Record):
    """
    What an import did.

    `owner` is the name of the owner, `guessed_from` says where it comes from if the source does not give it;
    `text` is the report in Markdown, of `line_count` lines about what was not imported or was changed;
    `errors` are those that are left.
    """

    system: str
    owner: str
    guessed_from: str
    text: str
    line_count: int
    written: WriteResult
    errors: Sequence[Problem]


def import_folder(source: Path, folder: Path, name: str = "") -> ImportReport:
    """
    Import a file or a folder of another system into a folder, in which files that exist are not changed.

    `name` is the owner's, or "" to take it from the source. Raises UsageError if the source cannot be
    imported; then nothing is written.
    """
    return write_site(name_owner(read_source(source), source, name), folder)


def read_source(source: Path) -> ImportedSite:
    """The new site of a file or a folder; raises UsageError if it is not there, or its system is unknown."""
    if not source.exists():
        raise UsageError(f"{display_path(source)} does not exist")
    system = detect_system(source.resolve())
    if system:
        return Import(SYSTEMS[system], source).run()

    for path in [source] if source.is_file() else sorted(source.iterdir()):
        if reference_format := REFERENCE_FORMATS.get(path.suffix.casefold()):
            raise UsageError(
                f"{display_path(path)} is a file in {reference_format}, which cannot be imported; "
                "convert it to BibTeX, for example in Zotero: “File”, “Import…” reads it, "
                f"and “File”, “Export Library…” with the format BibTeX writes {path.stem}.bib; "
                f"then import {path.stem}.bib"
            )
    names = ", ".join(system.name for system in SYSTEMS.values())
    raise UsageError(
        f"{display_path(source)} has none of the formats that can be imported: sites of {names} "
        "(a CV in Word, PDF or LaTeX cannot be imported: make a site with new, and copy its parts; "
        "a reference manager such as Zotero converts RIS, EndNote and PubMed files to BibTeX)"
    )


def guess_owner(site: ImportedSite, source: Path) -> str:
    """The name in the host or the folder of a site whose source does not give the name of the owner."""
    url = re.search(r"^url: (\S+)", str(site.files.get("site.yaml", "")), re.MULTILINE)
    return guess_name_from_host(url[1] if url else "", source.resolve().name)


def name_owner(site: ImportedSite, source: Path, name: str) -> ImportedSite:
    """
    The site with the name of its owner: the given one, that of the source, or one that is reported.

    The last is a guess, by the authors of the .bib files or the name of the host; else "Your Name".
    """
    known = str(site.profile.get("name", ""))
    guessed_from = site.guessed_from if known else "the name of the host or the folder"
    owner = name or known or guess_owner(site, source) or "Your Name"
    profile = {"name": owner, **{key: value for key, value in site.profile.items() if key != "name"}}
    if name or not guessed_from:
        return replace(site, profile=profile, guessed_from="")
    note = ("content/profile.yaml", f"name: {owner} is {guessed_from}; correct it if it is not the owner")
    return replace(site, profile=profile, notes=(*site.notes, note), guessed_from=guessed_from)


def write_site(
    site: ImportedSite,
    folder: Path,
    progress: ProgressCallback = ignore_progress,
    ask: AskAboutSpellings | None = None,
) -> ImportReport:
    """
    Repair a site until it has no error, and write its files that do not exist yet, with the report.

    Without `ask`, the profile has a comment with the names that may be the owner's.
    """
    files, notes, errors = repair_site(site, folder / ".cache", progress, ask)
    text = format_report(site.system, notes)
    written = write_missing_files(folder, {**files, REPORT_FILE: text})
    owner = str(site.profile["name"])
    return ImportReport(
        site.system, owner, site.guessed_from, text, text.count("\n- "), written, tuple(errors)
    )


def repair_site(
    site: ImportedSite,
    cache_folder: Path,
    progress: ProgressCallback = ignore_progress,
    ask: AskAboutSpellings | None = None,
) -> tuple[dict[str, str | bytes], Sequence[Note], Sequence[Problem]]:
    """
    The files of the new site, repaired until it has no error, with all notes, and the errors that are left.

    The site is checked in a temporary folder, so that the files of the folder where it is written change
    nothing.
    """
    spellings = _count_spellings(site)
    aliases = ask(spellings) if ask and spellings else ()
    profile = dict(site.profile)
    if aliases:
        profile["aliases"] = [*_read_aliases(site), *aliases]

    files: dict[str, str | bytes] = {
        **create_starter_files(str(site.profile["name"])),
        **site.files,
        "content/profile.yaml": format_yaml(profile),
    }
    own = [*site.files, "content/profile.yaml"]
    if "bib/papers.bib" not in site.files:
        files.pop("bib/papers.bib", None)
    with tempfile.TemporaryDirectory(prefix="tenure-") as work_folder:
        checker = _SiteChecker(Path(work_folder), CacheStore(cache_folder), progress)
        files, notes, errors = repair_files(files, own, checker.find_errors)
    for name in own:
        if isinstance(text := files.get(name), str):
            files[name] = schema_modeline(name) + text

    if spellings and not ask:
        names = ", ".join(f"{name} ({format_count(n, 'entry', 'entries')})" for name, n in spellings.items())
        line = f"aliases: {json.dumps([*_read_aliases(site), *spellings], ensure_ascii=False)}"
        text = f"{files['content/profile.yaml']!s}# This may be you: {names}. If so, write {line}\n"
        files["content/profile.yaml"] = text
        note = f"{names} may be the owner, and is not marked; if so, write {line}"
        notes = [*notes, ("content/profile.yaml", note)]
    return files, (*site.notes, *notes), errors


def _count_spellings(site: ImportedSite) -> Mapping[str, int]:
    """The names in the .bib files that may be the owner's, with the numbers of entries; none for a group."""
    if site.profile.get("kind"):
        return {}
    texts = {
        name: text for name, text in site.files.items() if name.endswith(".bib") and isinstance(text, str)
    }
    profile = Profile(name=str(site.profile["name"]), aliases=tuple(_read_aliases(site)))
    return count_possible_owner_spellings(texts, profile)


def _read_aliases(site: ImportedSite) -> list[str]:
    """The other spellings of the owner's name."""
    aliases = site.profile.get("aliases", [])
    if isinstance(aliases, str):
        return [aliases]
    return [str(alias) for alias in aliases]


def make_empty_cvs(documents: CvDocuments, *_: object) -> Iterator[Artifact]:
    """Files in place of the CVs, which take longest to make, so that the links to them are checked."""
    return (Artifact(f"{config.name}.pdf", b"") for config in documents.cvs)


class _SiteChecker:
    """Checks the files of a site in a folder, of which it writes what has changed since the last check."""

    def __init__(self, folder: Path, store: CacheStore, progress: ProgressCallback) -> None:
        self._folder = folder
        self._store = store
        self._progress = progress
        self._written: dict[str, str | bytes] = {}

    def find_errors(self, files: Mapping[str, str | bytes]) -> Sequence[Problem]:
        """The errors of the sources; if there are none, those of the whole site."""
        changed = {name: content for name, content in files.items() if self._written.get(name) != content}
        for name in self._written.keys() - (files.keys() - changed.keys()):
            (self._folder / name).unlink()
        write_missing_files(self._folder, changed)
        self._written = dict(files)

        problems = Problems()
        load_site(self._folder, problems, self._store, BuildOptions())
        errors = [problem for problem in problems.sorted_problems() if problem.level == "error"]
        if errors:
            return errors
        built = build_site(self._folder, store=self._store, progress=self._progress, make_cvs=make_empty_cvs)
        return [problem for problem in built.problems if problem.level == "error"]


def format_report(system: str, notes: Sequence[Note]) -> str:
    """The report in Markdown: what was not imported or changed, by the file and the key of the source."""
    # what many files have is one heading with its files; other notes stand below their file
    by_text: dict[str, list[str]] = {}
    for place, text in dict.fromkeys(notes):
        by_text.setdefault(text, []).append(place)
    common = [text for text, places in by_text.items() if len(places) >= MANY_FILES]
    grouped = [text for text in common if text not in GROUP_TITLES]
    grouped += [text for text in GROUP_TITLES if text in by_text]

    parts: dict[str, list[str]] = {}
    for place, text in dict.fromkeys(notes):
        if text not in grouped:
            parts.setdefault(place, []).append(text)
    for text in grouped:
        parts[GROUP_TITLES.get(text, text)] = _group_by_folder(by_text[text])

    lines = [
        f"# Import from {system}",
        "",
        "This file lists what was not imported, or was changed. You can delete it.",
        "",
    ]
    for title, texts in parts.items():
        lines += [f"## {title}", "", *(f"- {text}" for text in texts), ""]
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
