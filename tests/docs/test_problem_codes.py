"""docs/content/pages/problems.md lists exactly the codes of the program with their levels, and a repair for each."""

import re

from conftest import ROOT

from tenure.problems import PROBLEM_CODES

PAGE = (ROOT / "docs/content/pages/problems.md").read_text(encoding="utf-8")


def read_page_entries() -> list[tuple[str, str, str]]:
    """Return the code, the level and the text of every entry of the page."""
    parts = re.split(r"^### `([\w-]+)` \((error|warning|info)\)$", PAGE, flags=re.MULTILINE)
    return list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))


def test_codes_are_those_of_the_program_in_their_order() -> None:
    assert [(code, level) for code, level, _ in read_page_entries()] == [
        (code, level) for code, (level, _) in PROBLEM_CODES.items()
    ]


def test_every_heading_is_an_entry() -> None:
    assert len(re.findall(r"^### ", PAGE, re.MULTILINE)) == len(read_page_entries())


def test_every_code_has_a_cause_and_a_repair() -> None:
    for code, level, text in read_page_entries():
        cause, _, repair = text.partition("→")
        assert len(cause.split()) >= 6, code
        assert repair or level == "info", code


def test_the_message_shown_is_the_message_reported() -> None:
    example = re.search(r"```\n(content/.*?)```", PAGE, re.DOTALL)
    assert example
    dates = (ROOT / "tests/problems/dates.txt").read_text(encoding="utf-8")
    assert f"~~~~\n{example[1]}" in dates
