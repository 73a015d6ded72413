"""Sites written without reading the documentation: nearly all of their content is read."""

from pathlib import Path

import pytest
from cases import Case, read_cases

MOST = {"a doctoral student who knows RenderCV and al-folio": 8}
"""The limit of errors for a site that may have more than four."""

GUESSES = [case for path in sorted(Path(__file__).parent.glob("guesses*.txt")) for case in read_cases(path)]


@pytest.mark.parametrize("case", GUESSES, ids=lambda case: case.title)
def test_few_errors_remain(case: Case) -> None:
    errors = [line for line in case.expected.splitlines() if ": error: " in line]
    assert len(errors) <= MOST.get(case.title, 4), errors


@pytest.mark.parametrize("case", GUESSES, ids=lambda case: case.title)
def test_each_error_has_a_repair(case: Case) -> None:
    lines = case.expected.splitlines()
    repairs = [line for line in lines if line.lstrip().startswith("|") and "^ " in line]
    levels = (": error: ", ": warning: ", ": info: ")
    assert len(repairs) == sum(any(level in line for level in levels) for line in lines)
