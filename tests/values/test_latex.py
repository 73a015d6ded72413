"""LaTeX in a .bib file, converted to Markdown, plain text and URLs."""

import pytest

from tenure.sources.bibtex.latex import latex_to_markdown, latex_to_text


@pytest.mark.parametrize(
    "value", ["{" * 5000, "\\'" * 5000, "\\emph" * 2000, "\\ensuremath{" * 2000, "\\href{a}" * 2000]
)
def test_nesting_depth_is_limited(value: str) -> None:
    assert isinstance(latex_to_markdown(value).text, str)
    assert latex_to_text(f"{value} end").text.endswith("nd")
