"""Thousands of equal signs, and nesting without an end, are read in one pass and never overflow the stack."""

import pytest

from tenure.markdown.html import plain_text, render_inline, render_markdown
from tenure.markdown.html_tags import strip_tags
from tenure.sources.bibtex.latex import latex_to_markdown, latex_to_text


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
