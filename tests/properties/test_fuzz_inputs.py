"""Inputs that tools/fuzz/run.py found: each builds without an exception, and its messages name existing files; a build after an edit is right."""

from pathlib import Path

import pytest
from conftest import ROOT
from fuzz_targets import build_source, read_dates, read_latex, rebuild_source

INPUTS = sorted((ROOT / "tools/fuzz/inputs").glob("*.txt"))


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_an_input_of_the_fuzzer_builds(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    (rebuild_source if path.name.startswith("preview-") else build_source)(source)


def test_a_text_of_a_megabyte_is_no_date() -> None:
    """An earlier version compared each part of such a text with each notation, which took hours."""
    read_dates("2020 – con{{ x }} - " * 50_000)


def test_a_name_of_many_commas_is_read_in_one_pass() -> None:
    """An earlier version compared each comma with all that follow, which took minutes."""
    read_latex(f"author = {',' * 200_000}")
