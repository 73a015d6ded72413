"""Each source file in a table of the page about importing goes to the documented place."""

import re
from pathlib import Path

import pytest
from conftest import ROOT, read_folder, run_in, write_files

PAGE = (ROOT / "docs/content/pages/importing.md").read_text("utf-8")
SITES = Path(__file__).parent / "sites"
PARTS = {
    "al-folio": "al-folio",
    "academicpages": "academicpages",
    "Hugo Academic, Wowchemy and Hugo Blox": "hugo-academic",
    "Quarto": "quarto",
}
"""The site of each heading."""


def read_page_rows(heading: str) -> list[tuple[str, str]]:
    """Return the rows of one section: a file of the old site, and its place on the new site."""
    part = PAGE.partition(f"## From {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", part, re.MULTILINE)


@pytest.mark.parametrize("heading", PARTS)
def test_everything_is_imported_to_the_documented_place(heading: str, tmp_path: Path) -> None:
    source = (SITES / f"{PARTS[heading]}.txt").read_text("utf-8")
    write_files(tmp_path, source)
    assert run_in(tmp_path, "import", "old") == 0
    reported = read_page_rows(heading)
    assert len(reported) > 8
    for old, new in reported:
        assert (tmp_path / "old" / old).is_file(), old
        assert (tmp_path / "site" / new).is_file(), new
        without = _import_without_file(tmp_path, source, old)
        changed = (tmp_path / "site" / new).read_bytes() != without.get(new, b"")
        assert changed, f"{new} is the same without {old}"


def _import_without_file(folder: Path, files: str, old: str) -> dict[str, bytes]:
    """Return the files of the new site after one file of the old site is removed."""
    other_folder = folder / re.sub(r"\W+", "-", old)
    write_files(other_folder, files)
    (other_folder / "old" / old).unlink()
    run_in(other_folder, "import", "old", "--name", "Ada Example")
    site = other_folder / "site"
    return read_folder(site)
