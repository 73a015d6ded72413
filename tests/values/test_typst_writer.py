"""Markdown in the markup of Typst, in which each text is a string."""

import re

import pytest

from tenure.exports.cv.typst_writer import convert_blocks, convert_inline, read_text, write_blocks
from tenure.markdown.html import render_inline, render_markdown


def write_inline(markdown: str) -> str:
    return convert_inline(render_inline(markdown), lambda url: url if ":" in url else "")


def write_text(markdown: str) -> str:
    return write_blocks(convert_blocks(render_markdown(markdown, 3), str))


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("plain", '#"plain"'),
        ("a<br>b &amp; c", '#"a"#linebreak()#"b & c"'),
        ("*a* **b** `c`", '#emph[#"a"] #strong[#"b"] #code[#"c"]'),
        ("***both***", '#emph[#strong[#"both"]]'),
        ("[w](https://x.org/)", '#link("https://x.org/")[#"w"]'),
        ("[w](/talks/)", '#"w"'),
        ("1<sup>st</sup> H<sub>2</sub>O", '#"1"#sup[#"st"] #"H"#sub[#"2"]#"O"'),
        ('<span class="x">*a*</span><script>no()</script>', '#emph[#"a"]'),
        ("![what it shows](x.png)", '#"what it shows"'),
        (r"\*a\* #let $5 and $6", '#"*a* #let $5 and $6"'),
        ("<me@example.org>", '#link("mailto:me@example.org")[#"me@example.org"]'),
        ('"a" -- `"b"`s', r'#"“a” –" #code[#"\"b\""]#"s"'),
        ("`<script>` and after", '#code[#"<script>"] #"and after"'),
        ("AT&T &copy; 1 < 2", '#"AT&T © 1 < 2"'),
        ("<u>never closed", '#underline[#"never closed"]'),
        ("", ""),
    ],
)
def test_inline_html_becomes_markup(markdown: str, expected: str) -> None:
    assert write_inline(markdown) == expected


def test_no_text_leaves_its_string() -> None:
    """What looks like the end of a string, or a call, is in a string, and is read again as it was."""
    hostile = r'"] #panic() \" #"x" \\"#eval("1") `"\\" [#link("u")['
    markup = write_inline(re.sub(r"([\\`\[\]\"#])", r"\\\1", hostile))
    assert read_text(markup).translate(str.maketrans("“”", '""')) == hostile
    assert "#panic" not in re.sub(r'"(?:[^"\\]|\\.)*"', "", markup)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"5\times", '#"5"#"×"'),
        ("x^2", '#emph[#"x"]#sup[#"2"]'),
        (r"\mathrm{CO}_2", '#"C"#"O"#sub[#"2"]'),
        ("a < b", '#emph[#"a"]#"\u00a0"#"<"#"\u00a0"#emph[#"b"]'),
        ("-1 + x", '#"−"#"1"#"\u00a0"#"+"#"\u00a0"#emph[#"x"]'),
        (r"O(n \log n)", '#emph[#"O"]#"("#emph[#"n"]#"\u00a0"#"log"#"\u00a0"#emph[#"n"]#")"'),
        ("f'", '#emph[#"f"]#"′"'),
        (r"90^\circ", '#"90"#"°"'),
    ],
)
def test_a_line_of_symbols_is_text(formula: str, expected: str) -> None:
    assert write_inline(f"${formula}$") == expected


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
    markup = write_inline(f"${formula}$")
    assert markup.startswith(r'#formula("[\"math\", {')
    assert markup.endswith(f', block: false)[#"{alt_text}"]')


def test_unsupported_formulas_are_text() -> None:
    assert write_inline("<math><maction><mi>x</mi></maction></math>") == '#source[#"x"]'


def test_html_becomes_blocks() -> None:
    text = "# Head\n\nOne\ntwo.\n\n- a\n- b\n    1. c\n\n> q\n\n```\nx  <y>\n```\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\nt\n:   d\n"
    assert write_text(text) == "".join(
        [
            '#subheading[#"Head"]',
            '#paragraph[#"One two."]',
            '#bullets[#paragraph[#"a"]][#paragraph[#"b"]#numbers(start: 1)[#paragraph[#"c"]]]',
            '#quote[#paragraph[#"q"]]',
            '#code-block[#"x  <y>"]',
            '#cells(([#strong[#"h"]],[#strong[#"i"]],),([#"1"],[#"2"],), head: true)',
            '#subheading[#"t"]#description[#paragraph[#"d"]]',
        ]
    )


def test_text_between_blocks_is_not_lost() -> None:
    markup = write_text("<div>loose <b>words</b><p>in</p>tail<div>deep<section>deeper</section></div></div>")
    paragraphs = [read_text(part) for part in markup.split("#paragraph")[1:]]
    assert [words.removeprefix("(space: true)") for words in paragraphs] == [
        "loose words",
        "in",
        "tail",
        "deep",
        "deeper",
    ]


def test_a_formula_on_its_own_line_is_a_paragraph_of_its_own() -> None:
    first, formula, last = write_text("See $$\\frac{a}{b}$$ here.").split("#paragraph")[1:]
    assert (read_text(first), read_text(last)) == ("See", "(space: true)here.")
    assert "block: true" in formula


def test_a_footnote_has_no_link_back() -> None:
    text, notes = write_text("Text[^1].\n\n[^1]: The note.").split("#numbers(start: 1)")
    assert (read_text(text), read_text(notes)) == ("Text1.", "The note.")
