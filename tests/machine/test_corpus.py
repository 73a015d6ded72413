"""Thousands of real entries: each is shown or reported, and each is shown as it is written."""

from pathlib import Path

import comparison
import pytest
from comparison import OPEN

pytestmark = [
    pytest.mark.scheduled,
    pytest.mark.skipif(not OPEN.is_dir(), reason="the corpus does not lie beside the repository"),
]

FOLDERS = comparison.list_folders()
KNOWN = Path(__file__).with_name("corpus.txt").read_text(encoding="utf-8").split("\n\n")[1:]
COUNTED_OTHERWISE = {
    file: int(number)
    for number, _, file in (line.split(" => ")[0].partition(" ") for line in KNOWN[0].splitlines())
}
ACCEPTED_ERRORS = {line.split(" => ")[0] for line in KNOWN[1].splitlines()}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_entry_is_read_as_it_is_written_and_shown_or_reported(folder: str) -> None:
    """The number of entries that are found is the number of lines that begin an entry; fields, URLs and titles are complete."""
    sheet = comparison.compare_folder(folder)
    expected = {file: number for file, number in COUNTED_OTHERWISE.items() if file.startswith(f"{folder}/")}
    assert sheet.counted == expected
    wrong = {
        kind: left
        for kind, places in sheet.wrong.items()
        if (left := [place for place in places if kind != "silent" or place not in ACCEPTED_ERRORS])
    }
    assert wrong == {}


def test_the_second_parser_reads_nearly_every_entry() -> None:
    """Nearly every entry is compared: few entries have no field or break BibTeX's rules."""
    sheets = [comparison.compare_folder(folder) for folder in FOLDERS]
    assert sum(sheet.compared for sheet in sheets) > 0.95 * sum(sheet.shown for sheet in sheets) > 15_000
