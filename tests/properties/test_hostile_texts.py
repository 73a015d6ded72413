"""Long, hostile and once fatal inputs: each is read in one pass, never overflows the stack, and becomes no element of a page."""

from functools import cache
from pathlib import Path

import pytest
from bib_values import VALUES, build_library, find_markup_and_errors, make_square
from conftest import ROOT
from fuzz_targets import build_source, read_dates, read_latex, rebuild_source

from tenure.markdown.html import plain_text, render_inline, render_markdown
from tenure.markdown.html_tags import strip_tags
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_text


@pytest.mark.parametrize(
    "value", ["{" * 5000, "\\'" * 5000, "\\emph" * 2000, "\\ensuremath{" * 2000, "\\href{a}" * 2000]
)
def test_nesting_of_latex_is_limited(value: str) -> None:
    assert isinstance(latex_to_markdown(value).text, str)
    assert latex_to_text(f"{value} end").text.endswith("nd")


@pytest.mark.parametrize("unit", ["<b ", '<b "', "<b '", "<b x='\"'", "<!b "])
def test_many_tags_without_an_end_are_read_once(unit: str) -> None:
    """The text is so long that a second loop over it would take minutes."""
    assert strip_tags(unit * 100_000) == unit * 100_000


@pytest.mark.parametrize("opening", ["[", "![", "[^", "[[](", "[a](", "[@a"])
def test_thousands_of_open_brackets_are_text(opening: str) -> None:
    """An earlier version searched the rest of the text for the end of each bracket: seconds for 4 KB."""
    text = (opening * 1000).rstrip()
    assert render_markdown(f"x {text}\n\n[y](/z/)") == f'<p>x {text}</p>\n<p><a href="/z/">y</a></p>'
    assert render_inline(f"x {text}") == f"x {text}"


@pytest.mark.parametrize("opening", ["{% in ", "{{ x "])
def test_thousands_of_open_template_tags_are_text(opening: str) -> None:
    """An earlier version searched the rest of the text for the end of each tag: 7 seconds for 128 KB."""
    text = (opening * 20_000).strip()
    assert plain_text(text) == text


@cache
def list_findings() -> list[str]:
    """Return what is wrong in a site with each value in each field."""
    result = build_library(make_square(), "plain")
    assert result.site is not None
    assert len(result.site.publications) > len(VALUES) - 20
    return [*find_markup_and_errors(result)]


def test_no_value_of_a_bib_file_becomes_an_element_or_an_attribute() -> None:
    assert [finding for finding in list_findings() if finding.startswith("markup")] == []


def test_no_value_of_a_bib_file_is_an_error() -> None:
    assert [finding for finding in list_findings() if not finding.startswith("markup")] == []


INPUTS = sorted((ROOT / "tools/fuzz/inputs").glob("*.txt"))


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_an_input_of_the_fuzzer_builds(path: Path) -> None:
    source = path.read_text("utf-8")
    (rebuild_source if path.name.startswith("preview-") else build_source)(source)


def test_a_text_of_a_megabyte_is_no_date() -> None:
    """An earlier version compared each part of such a text with each notation, which took hours."""
    read_dates("2020 – con{{ x }} - " * 50_000)


def test_a_name_of_many_commas_is_read_in_one_pass() -> None:
    """An earlier version compared each comma with all that follow, which took minutes."""
    read_latex(f"author = {',' * 200_000}")
