"""Markdown as text runs and blocks for a PDF."""

import pytest

from tenure.exports.cv.runs import TextBlock, TextRun, runs_to_text, text_to_blocks, text_to_runs
from tenure.exports.cv.tree import parse_html
from tenure.markdown.html import render_inline, render_markdown


def convert_to_runs(markdown: str) -> list[TextRun]:
    return text_to_runs(parse_html(render_inline(markdown)), lambda url: url if ":" in url else "")


def convert_to_blocks(markdown: str) -> list[TextBlock]:
    return text_to_blocks(parse_html(render_markdown(markdown, 3)), str)


def create_emphasis(*inner: object) -> dict[str, object]:
    return {"is": "emph", "runs": list(inner)}


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("plain", ["plain"]),
        ("a<br>b &amp; c", ["a", {"is": "break"}, "b & c"]),
        (
            "*a* **b** `c`",
            [create_emphasis("a"), " ", {"is": "strong", "runs": ["b"]}, " ", {"is": "code", "text": "c"}],
        ),
        ("***both***", [{"is": "emph", "runs": [{"is": "strong", "runs": ["both"]}]}]),
        ("[w](https://x.org/)", [{"is": "link", "url": "https://x.org/", "runs": ["w"]}]),
        ("[w](/talks/)", ["w"]),
        (
            "1<sup>st</sup> H<sub>2</sub>O",
            ["1", {"is": "sup", "runs": ["st"]}, " H", {"is": "sub", "runs": ["2"]}, "O"],
        ),
        ('<span class="x">*a*</span><script>no()</script>', [create_emphasis("a")]),
        ("![what it shows](x.png)", ["what it shows"]),
        (r"\*a\* #let $5 and $6", ["*a* #let $5 and $6"]),
        ("<me@example.org>", [{"is": "link", "url": "mailto:me@example.org", "runs": ["me@example.org"]}]),
        ('"a" -- `"b"`s', ["“a” – ", {"is": "code", "text": '"b"'}, "s"]),
        ("`<script>` and after", [{"is": "code", "text": "<script>"}, " and after"]),
        ("AT&T &copy; 1 < 2", ["AT&T © 1 < 2"]),
        ("<u>never closed", [{"is": "underline", "runs": ["never closed"]}]),
        ("", []),
    ],
)
def test_html_becomes_text_runs(markdown: str, expected: list[object]) -> None:
    assert convert_to_runs(markdown) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"5\times", ["5×"]),
        ("x^2", [create_emphasis("x"), {"is": "sup", "runs": ["2"]}]),
        (r"\mathrm{CO}_2", ["CO", {"is": "sub", "runs": ["2"]}]),
        ("a < b", [create_emphasis("a"), "\u00a0<\u00a0", create_emphasis("b")]),
        ("-1 + x", ["−1\u00a0+\u00a0", create_emphasis("x")]),
        (
            r"O(n \log n)",
            [create_emphasis("O"), "(", create_emphasis("n"), "\u00a0log\u00a0", create_emphasis("n"), ")"],
        ),
        ("f'", [create_emphasis("f"), "′"]),
        (r"90^\circ", ["90°"]),
    ],
)
def test_a_line_of_symbols_is_text(formula: str, expected: list[object]) -> None:
    assert convert_to_runs(f"${formula}$") == expected


@pytest.mark.parametrize(
    ("formula", "alt_text"),
    [
        (r"\frac{a+1}{b}", "(a+1)/b"),
        (r"\sum_{i=0}^n x_i", "∑_(i=0)^nx_i"),
        (r"\sqrt{x}", "√x"),
        (r"\hat{x}", "x^^"),
        (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", "(a, b; c, d)"),
    ],
)
def test_complex_formulas_are_a_tree_with_alt_text(formula: str, alt_text: str) -> None:
    (run,) = convert_to_runs(f"${formula}$")
    assert isinstance(run, dict)
    assert (run["is"], run["text"], run["block"]) == ("math", alt_text, False)
    assert run["tree"][0] == "math"


def test_unsupported_formulas_are_text() -> None:
    (run,) = convert_to_runs("<math><maction><mi>x</mi></maction></math>")
    assert run == {"is": "source", "block": False, "text": "x", "tree": None}


def test_html_becomes_blocks() -> None:
    text = "# Head\n\nOne\ntwo.\n\n- a\n- b\n    1. c\n\n> q\n\n```\nx  <y>\n```\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\nt\n:   d\n"
    result = convert_to_blocks(text)
    assert [block["is"] for block in result] == [
        "heading",
        "paragraph",
        "list",
        "quote",
        "code",
        "table",
        "terms",
    ]
    _, paragraph, bullets, quote, code, table, terms = result
    assert paragraph["runs"] == ["One two."]
    assert [runs_to_text(item[0]["runs"]) for item in bullets["items"]] == ["a", "b"]
    assert bullets["items"][1][1]["ordered"]
    assert quote["blocks"][0]["runs"] == ["q"]
    assert code["text"] == "x  <y>"
    assert (table["columns"], [cell["head"] for cell in table["rows"][0]]) == (2, [True, True])
    assert (terms["items"][0]["runs"], terms["items"][0]["blocks"][0]["runs"]) == (["t"], ["d"])


def test_text_between_blocks_is_not_lost() -> None:
    result = convert_to_blocks(
        "<div>loose <b>words</b><p>in</p>tail<div>deep<section>deeper</section></div></div>"
    )
    assert [runs_to_text(block["runs"]) for block in result] == [
        "loose words",
        "in",
        "tail",
        "deep",
        "deeper",
    ]


def test_a_footnote_has_no_link_back() -> None:
    text, notes = convert_to_blocks("Text[^1].\n\n[^1]: The note.")
    assert runs_to_text(text["runs"]) == "Text1."
    assert runs_to_text(notes["items"][0][0]["runs"]) == "The note."
