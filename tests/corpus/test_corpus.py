"""Bibliographies of other people, thousands of entries: each is shown or told, and what is shown is what was written."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import shelf
from shelf import OPEN

pytestmark = pytest.mark.skipif(not OPEN.is_dir(), reason="the corpus does not lie beside the repository")

FOLDERS = shelf.folders()
TABLE = "CORPUS_TABLE"
"""Names the environment variable that names the file for the summary; with -s it is printed too."""

COUNTED_OTHERWISE = {
    "alfolio/georgemilosh+georgemilosh.github.io/_bibliography/papers.bib": (
        1,
        "an entry begins in mid-line",
    ),
    "bamoscv/bamos+cv/publications/all.bib": (1, "an entry begins with two signs: @@"),
    "testsuite/FlamingTempura+bibtex-tidy/test/bibliographies/others/example2.bib": (
        1,
        "an entry begins in mid-line",
    ),
    "testsuite/inukshuk+bibtex-ruby/test/fixtures/entry.bib": (-1, "@commentary"),
}
"""Files in which an entry begins where no line does, or what begins a line is no entry: entries more, and why."""


@pytest.fixture(scope="module", autouse=True)
def _summary() -> Iterator[None]:
    yield
    table = shelf.table({folder: shelf.read(folder) for folder in FOLDERS})
    sys.stdout.write(f"\n{table}")
    if os.environ.get(TABLE):
        Path(os.environ[TABLE]).write_text(table, encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_entry_is_shown_or_told(folder: str) -> None:
    assert shelf.read(folder).wrong.get("counts", []) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_entry_is_overlooked(folder: str) -> None:
    """As many entries are found as lines begin like one."""
    expected = {
        file: number for file, (number, _) in COUNTED_OTHERWISE.items() if file.startswith(f"{folder}/")
    }
    assert shelf.read(folder).counted == expected


@pytest.mark.parametrize("folder", FOLDERS)
def test_fields_are_read_as_they_are_written(folder: str) -> None:
    assert shelf.read(folder).wrong.get("fields", []) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_addresses_arrive_whole(folder: str) -> None:
    assert shelf.read(folder).wrong.get("addresses", []) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_words_of_titles_arrive(folder: str) -> None:
    assert shelf.read(folder).wrong.get("titles", []) == []


def test_the_second_reader_reads_nearly_all() -> None:
    """The comparison is of nearly everything: entries that hold no field, or break BibTeX's rules, are few."""
    sheets = [shelf.read(folder) for folder in FOLDERS]
    assert sum(sheet.compared for sheet in sheets) > 0.95 * sum(sheet.shown for sheet in sheets) > 15_000
