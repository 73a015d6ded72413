"""Formulas as MathML: the fast path and the library."""

import pytest

from tenure.markdown.html import render_inline
from tenure.markdown.math import convert_to_mathml
from tenure.sources.latex_text import convert_latex


@pytest.mark.parametrize(
    ("latex", "row"),
    [
        ("x", "<mi>x</mi>"),
        ("34.4\\times", '<mn>34.4</mn><mo lspace="0" rspace="0">×</mo>'),
        ("n \\to m", "<mi>n</mi><mo>→</mo><mi>m</mi>"),
        ("2+2 = 4", "<mn>2</mn><mo>+</mo><mn>2</mn><mo>=</mo><mn>4</mn>"),
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("\\alpha", "<mi>α</mi>"),
        ("\\frac{1}{n}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"),
        ("\\mathbb{P}", "<mi>ℙ</mi>"),
        ("\\mathbb R", "<mi>ℝ</mi>"),
        ("\\mathfrak a", "<mi>𝔞</mi>"),
        ("\\mathfrak C", "<mi>ℭ</mi>"),
        ("\\mathscr Hx", "<mi>ℋ</mi><mi>x</mi>"),
        ("\\bm{x}", "<mrow><mi>𝒙</mi></mrow>"),
        ("\\boldsymbol\\alpha", "<mi>𝜶</mi>"),
        ("\\mathrm dt", '<mi mathvariant="normal">d</mi><mi>t</mi>'),
    ],
)
def test_simple_formulas_give_a_row(latex: str, row: str) -> None:
    assert convert_to_mathml(latex) == f'<math display="inline"><mrow>{row}</mrow></math>'


def test_a_formula_on_its_own_line_is_a_block() -> None:
    assert convert_to_mathml("x", display=True) == '<math display="block"><mrow><mi>x</mi></mrow></math>'


@pytest.mark.parametrize(
    ("latex", "row"),
    [
        ("a<b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        ("a\\lt b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        ("a\\&b", "<mi>a</mi><mi>&amp;</mi><mi>b</mi>"),
        ("\\text{<script>}", "<mtext>&lt;script&gt;</mtext>"),
    ],
)
def test_html_characters_are_escaped(latex: str, row: str) -> None:
    assert convert_to_mathml(latex) == f'<math display="inline"><mrow>{row}</mrow></math>'


@pytest.mark.parametrize("latex", ["\\foo{", "", "\\left(", "x\\foo", "\\slashed{E}"])
def test_an_unreadable_formula_gives_none(latex: str) -> None:
    assert convert_to_mathml(latex) is None


def test_a_formula_and_a_following_hyphen_stay_on_one_line() -> None:
    """UAX #14, LB20: a line may be broken before and after a formula, except at U+2060."""
    assert "</math>\u2060-calculus" in render_inline("The $\\lambda$-calculus")
    assert "</math> - and" in render_inline("$\\lambda$ - and")
    assert "</math>." in render_inline("$\\lambda$.")


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        (
            "\\begin{equation}\n\\label{eq:r}\nR \\ge 2^{k/2}\n\\end{equation}\nB",
            "$$\nR \\ge 2^{k/2}\n$$\n\nB",
        ),
        (
            "\\begin{align}\na&=b\\\\\n\nc&=d\n\\end{align}",
            "$$\\begin{aligned}\na&=b\\\\\nc&=d\n\\end{aligned}$$\n",
        ),
    ],
)
def test_an_environment_with_an_empty_line_is_one_formula(text: str, converted: str) -> None:
    assert convert_latex(text) == converted
    assert converted.count("\n") == text.count("\n")
