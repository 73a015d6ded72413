"""Every real site in a folder beside the repository is imported, and builds without an error."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT

from tenure.build import BuildResult, build_site
from tenure.cli.import_ import build_imported_site, write_missing_files
from tenure.importers.detect import IMPORTERS, detect_system
from tenure.importers.session import ImportResult
from tenure.problems import format_problem

OPEN = ROOT.parent / "shared" / "corpus" / "open"
LARGEST = 150_000
"""The size limit for bibliographies here; tests/corpus reads the larger ones without building their pages."""

FOLDERS = {
    "personalbib": "bibtex",
    "jsonresume": "json-resume",
    "rendercv": "rendercv",
    "alfolio": "al-folio",
    "academicpages": "academicpages",
    "hugo": "hugo",
}
SITES = [
    pytest.param(path, system, id=f"{folder}/{path.name}")
    for folder, system in FOLDERS.items()
    if system in IMPORTERS and (OPEN / folder).is_dir()
    for path in sorted((OPEN / folder).iterdir())
    if path.is_dir() and sum(file.stat().st_size for file in path.rglob("*.bib")) < LARGEST
]


@pytest.mark.skipif(not SITES, reason="the collection of real sites is not beside the repository")
@pytest.mark.parametrize(("source", "system"), SITES)
def test_a_real_site_is_imported_and_builds(source: Path, system: str, tmp_path: Path) -> None:
    assert detect_system(source) == system
    imported = IMPORTERS[system](source)
    owner = imported.owner or "Ada Example"
    write_missing_files(tmp_path, build_imported_site(imported, tmp_path, owner).files)
    built = build_site(tmp_path)
    errors = [format_problem(problem) for problem in built.problems if problem.level == "error"]
    _write_row(source, imported, built)
    assert not errors, "\n".join(errors)
    again = write_missing_files(
        tmp_path, build_imported_site(IMPORTERS[system](source), tmp_path, owner).files
    )
    assert (again.created, again.different) == ((), ())


def _write_row(source: Path, imported: ImportResult, built: BuildResult) -> None:
    """
    Add a row to the table in the file that IMPORT_TABLE names.

    The columns: the site, its files, those read or copied, imported entries, entries on the new site, changed
    values, values that were not imported, old URLs, warnings.
    """
    table = os.environ.get("IMPORT_TABLE")
    if table and built.site is not None:
        files = sum(1 for path in source.rglob("*") if path.is_file())
        outcomes = Counter(note.outcome for note in imported.notes)
        imported_count = sum(_count_entries(n.description) for n in imported.notes if n.outcome == "imported")
        entries = sum(len(collection.entries) for collection in built.site.collections.values())
        row = [
            f"{source.parent.name}/{source.name}",
            files,
            imported.files_read,
            imported_count,
            entries,
            *(outcomes[outcome] for outcome in ("converted", "skipped", "moved")),
            len(built.problems),
        ]
        with Path(table).open("a", encoding="utf-8") as lines:
            lines.write("\t".join(map(str, row)) + "\n")


def _count_entries(description: str) -> int:
    """Return the number of entries in a note: one, those of a bibliography, or none for a file or the profile."""
    several = re.match(r"(\d+) entr", description)
    none = re.match(r"file: |profile|name, address|the address|\d+ (?:links|co-)|interests", description)
    return int(several[1]) if several else 0 if none else 1
