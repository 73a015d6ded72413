"""The places where a formula may be broken into lines."""

import re

import pytest

from tenure.html.formulas import break_formulas
from tenure.markdown.math import convert_to_mathml


def mark_formula_breaks(latex: str) -> str:
    """Return the parts of a displayed formula: "·" is a possible break, "|" is a preferred one."""
    mathml = convert_to_mathml(latex, display=True)
    assert mathml is not None
    html = break_formulas(mathml).replace('<span class="quad"> </span>', "|").replace("<br>", "|")
    html = re.sub(r"</math>(<wbr>| )<math[^>]*>", "·", html)
    return re.sub(r"<[^>]*>|\s", "", html)


@pytest.mark.parametrize(
    ("latex", "parts"),
    [
        ("x = -1", "x=−1"),
        (r"f(a, b) + g(c, d, e) + h(i, j, k) = 0", "f(a,b)·+g(c,d,e)·+h(i,j,k)·=0"),
        (r"a = b + c + d + e + f,\quad g = h + i + j + k + l", "a·=b·+c·+d·+e·+f,|g·=h·+i·+j·+k·+l"),
        (r"x_1 \in A, x_2 \in B, x_3 \in C, x_4 \in D, x_5 \in E", "x1·∈A,·x2·∈B,·x3·∈C,·x4·∈D,·x5·∈E"),
        (r"a = -b + c(-d + e) \times (-f + g)! = -h \pm -i + k", "a·=−b·+c(−d+e)×(−f+g)!·=−h·±−i·+k"),
        (r"|a + b + c + d| \le |a + b| + |c + d| + |e + f|", "|a+b+c+d|·≤|a+b|+|c+d|+|e+f|"),
        (r"\left(a + b + c + d + e + f + g + h + i + j + k\right)", "(a+b+c+d+e+f+g+h+i+j+k)"),
    ],
)
def test_a_displayed_formula_is_broken_between_its_parts(latex: str, parts: str) -> None:
    assert mark_formula_breaks(latex) == parts


def test_the_sign_that_begins_a_line_has_the_space_of_a_sign_between_two_terms() -> None:
    mathml = convert_to_mathml("a + b + c + d + e + f + g + h + i + j + k + l + m + n", display=True)
    assert mathml is not None
    assert break_formulas(mathml).count('<mo form="infix">+</mo>') == 13


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
    assert break_formulas(html) == expected
