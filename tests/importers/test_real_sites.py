"""Every real site beside the repository comes over, and builds without an error."""

import os
from pathlib import Path

import pytest
from conftest import ROOT

from tenure.commands.import_ import files_of, write_beside
from tenure.importers.gathering import Imported
from tenure.importers.systems import SYSTEMS, system_of
from tenure.pipeline import build
from tenure.problems import written

OPEN = ROOT.parent / "shared" / "corpus" / "open"
LARGEST = 150_000
"""Bibliographies above so many bytes are left to tests/corpus, which reads them without building their pages."""

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
    if system in SYSTEMS and (OPEN / folder).is_dir()
    for path in sorted((OPEN / folder).iterdir())
    if path.is_dir() and sum(file.stat().st_size for file in path.rglob("*.bib")) < LARGEST
]


@pytest.mark.skipif(not SITES, reason="the collection of real sites is not beside the repository")
@pytest.mark.parametrize(("source", "system"), SITES)
def test_a_real_site_comes_over_and_builds(source: Path, system: str, tmp_path: Path) -> None:
    assert system_of(source) == system
    imported = SYSTEMS[system](source)
    write_beside(tmp_path, files_of(imported, imported.owner or "Ada Example"))
    made = build(tmp_path)
    errors = [written(problem) for problem in made.problems if problem.level == "error"]
    _note(source, imported, len(made.problems))
    assert not errors, "\n".join(errors)
    assert (
        write_beside(tmp_path, files_of(SYSTEMS[system](source), imported.owner or "Ada Example")).new == ()
    )


def _note(source: Path, imported: Imported, problems: int) -> None:
    """A row of the table that IMPORT_TABLE names: files read, entries that came, and what is told."""
    table = os.environ.get("IMPORT_TABLE")
    if table:
        files = sum(1 for path in source.rglob("*") if path.is_file())
        counts = [len(imported.noted(fate)) for fate in ("came", "changed", "left", "moved")]
        row = [f"{source.parent.name}/{source.name}", files, len(imported.files), *counts, problems]
        with Path(table).open("a", encoding="utf-8") as lines:
            lines.write("\t".join(map(str, row)) + "\n")
