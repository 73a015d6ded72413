"""A formula in a line keeps its word."""

import pytest

from tenure.html.formulas import keep_formulas_with_words

X = '<math display="inline"><mrow><mi>x</mi></mrow></math>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<p>the {X}-axis</p>", f'<p>the <span class="nowrap">{X}-axis</span></p>'),
        (f"<p>({X}), so</p>", f'<p><span class="nowrap">({X}),</span> so</p>'),
        (f"<p>an {X} there</p>", f"<p>an {X} there</p>"),
        (f"<p>漢字{X}漢字</p>", f"<p>漢字{X}漢字</p>"),
        (f"<p>{X}-{'long' * 9}</p>", f"<p>{X}-{'long' * 9}</p>"),
    ],
)
def test_a_formula_in_a_line_keeps_its_word(html: str, expected: str) -> None:
    assert keep_formulas_with_words(html) == expected
