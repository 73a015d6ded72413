"""Thousands of real entries: each is shown or reported, and each is shown as it is written."""

import comparison
import pytest
from comparison import OPEN

pytestmark = [
    pytest.mark.scheduled,
    pytest.mark.skipif(not OPEN.is_dir(), reason="the corpus does not lie beside the repository"),
]

FOLDERS = comparison.list_folders()
BEHIND_PERCENT = "BibTeX knows no remarks behind a percent sign: entries begin there"
COUNTED_OTHERWISE = {
    "alfolio/georgemilosh+georgemilosh.github.io/_bibliography/papers.bib": (
        1,
        "an entry begins in mid-line",
    ),
    "bamoscv/bamos+cv/publications/all.bib": (1, "an entry begins with two signs: @@"),
    "testsuite/FlamingTempura+bibtex-tidy/test/bibliographies/others/example2.bib": (1, "the same: }@"),
    "testsuite/plk+biber/t/tdata/names.bib": (2, BEHIND_PERCENT),
    "testsuite/typst+biblatex/tests/fixtures/valid/comments.bib": (1, BEHIND_PERCENT),
}
"""Files in which an entry begins in the middle of a line: how many such entries, and why."""


SUITES = "testsuite/{}".format
ACCEPTED_ERRORS = {
    SUITES(
        "FlamingTempura+bibtex-tidy/test/bibliographies/better-bibtex/Better_BibTeX.014.bib:1:1"
    ): "a brace behind two backslashes counts, and the entry ends one brace early",
    SUITES(
        "retorquere+bibtex-parser/test/better-bibtex/import/"
        "Some bibtex entries quietly discarded on import from bib file #873-techreport_thiebaux_93.bib:1:1"
    ): "a brace behind a backslash is never closed",
    SUITES("retorquere+bibtex-parser/test/other/citation-js.bib:65:1"): "the same",
    SUITES("hushidong+biblatex-gb7714-2015/example.bib:468:1"): "remarks behind percent signs",
    SUITES("plk+biber/t/tdata/names.bib:118:2"): BEHIND_PERCENT,
    SUITES("plk+biber/t/tdata/names.bib:123:2"): BEHIND_PERCENT,
    SUITES("typst+biblatex/tests/fixtures/valid/comments.bib:27:1"): "remarks behind percent signs",
    SUITES("typst+biblatex/tests/fixtures/valid/comments.bib:37:3"): BEHIND_PERCENT,
    SUITES("typst+biblatex/tests/fixtures/valid/comments.bib:46:1"): "remarks behind percent signs",
}
"""Entries that break BibTeX's rules, but are read completely without a message; and the broken rule."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_entry_is_read_as_it_is_written_and_shown_or_reported(folder: str) -> None:
    """The number of entries that are found is the number of lines that begin an entry; fields, URLs and titles are complete."""
    sheet = comparison.compare_folder(folder)
    expected = {
        file: number for file, (number, _) in COUNTED_OTHERWISE.items() if file.startswith(f"{folder}/")
    }
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
