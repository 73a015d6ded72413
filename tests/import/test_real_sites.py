"""Every real site in a folder beside the repository is imported, and builds without an error."""

from pathlib import Path

import pytest
from conftest import ROOT
from import_table import measure_import

from tenure_import.detect import detect_system

OPEN = ROOT.parent / "shared" / "corpus" / "open"
GROUPS = {
    "jsonresume": "json-resume", "rendercv": "rendercv", "alfolio": "jekyll", "academicpages": "jekyll", "hugo": "hugo", "quarto": "quarto",
    "labwebsite": "jekyll", "html": "html", "jekyll": "jekyll",
}  # fmt: skip
SITES = [
    pytest.param(path, system, id=f"{group}/{path.name}")
    for group, system in GROUPS.items()
    if (OPEN / group).is_dir()
    for path in sorted((OPEN / group).iterdir())
]


@pytest.mark.scheduled
@pytest.mark.skipif(not SITES, reason="the collection of real sites is not beside the repository")
@pytest.mark.parametrize(("source", "system"), SITES)
def test_a_real_site_is_imported_and_builds(source: Path, system: str, tmp_path: Path) -> None:
    assert detect_system(source) == system

    row = measure_import(source, tmp_path / "site")
    assert row.messages == []
    assert row.words >= 0.2 * row.source_words
