"""A fast path gives the same result as the general code."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenure.exports.cv.runs import text_to_blocks, text_to_runs
from tenure.markdown import html, math
from tenure.markdown.tree import parse_blocks, parse_inline
from tenure.sources.bibtex import latex

quick = settings(max_examples=600)
NEVER = re.compile(r"(?!)")

SIGNS = st.sampled_from(
    [
        *(
            "a",
            "Z",
            "é",
            "中",
            "1",
            "23",
            "1.",
            "2)",
            " ",
            " ",
            " ",
            "  ",
            "\t",
            "\n",
            "\r",
            "\xa0",
            "\u2028",
            "\x02",
        ),
        *(
            ".",
            ",",
            ";",
            ":",
            "!",
            "?",
            "(",
            ")",
            "-",
            "--",
            "---",
            "–",
            "'",
            '"',
            "’",
            "“",
            "/",
            "%",
            "@",
            "=",
        ),
        *(
            "`",
            "*",
            "_",
            "[",
            "]",
            "<",
            ">",
            "&",
            "{",
            "}",
            "$",
            "|",
            "#",
            "~",
            "^",
            "+",
            "\\",
            "://",
            "    ",
        ),
    ]
)
PLAIN = st.lists(SIGNS, max_size=8).map("".join)


MARKED = st.lists(
    st.one_of(
        SIGNS,
        st.sampled_from(
            [
                *(
                    "*word*",
                    "**two words**",
                    "*a",
                    "b*",
                    "**",
                    "***",
                    "word",
                    "[a link](https://example.edu/a_b)",
                ),
                *(
                    "[here](/talks/)",
                    "[x](/a/#b-c)",
                    "(",
                    ")",
                    "!",
                    "[",
                    "](",
                    " and ",
                    "\n",
                    "\n\n",
                    "*a **b** c*",
                ),
            ]
        ),
    ),
    max_size=8,
).map("".join)


def is_simple(text: str) -> bool:
    return (
        html.render_simple_paragraphs(text.strip()) is not None
        or html.render_simple_line(text.strip()) is not None
    )


def tree_texts(text: str) -> tuple[object, object]:
    """Return the runs and blocks of a text, without white space at the ends of blocks."""
    return (
        text_to_runs(parse_inline.__wrapped__(text), str),
        text_to_blocks(parse_blocks.__wrapped__(text), str),
    )


def both_ways(text: str) -> tuple[object, object]:
    """Return the result of the fast path, and that of Markdown."""
    short = (
        html.render_markdown.__wrapped__(text),
        html.render_inline.__wrapped__(text),
        html.plain_text.__wrapped__(text),
        *tree_texts(text),
    )
    html.render_inline.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html, "PLAIN_TEXT", NEVER)
        long = (
            html.render_markdown.__wrapped__(text),
            html.render_inline.__wrapped__(text),
            html.plain_text.__wrapped__(text),
            *tree_texts(text),
        )
    html.render_inline.cache_clear()
    return short, long


@quick
@given(PLAIN.filter(lambda text: html.PLAIN_TEXT.fullmatch(text.strip())))
def test_plain_text_is_the_same_without_markdown(text: str) -> None:
    short, long = both_ways(text)
    assert short == long


@settings(quick, suppress_health_check=[HealthCheck.filter_too_much])
@given(MARKED.filter(lambda text: text.strip() and is_simple(text)))
def test_simple_markup_is_the_same_without_markdown(text: str) -> None:
    short, long = both_ways(text)
    assert short == long


def test_the_fast_path_is_used() -> None:
    assert html.PLAIN_TEXT.fullmatch("A title: with 3 signs, a hyphen-minus (and more)!")
    assert not html.PLAIN_TEXT.fullmatch("*a*")
    assert is_simple(
        "One *two* and **three four**, see [here](https://example.edu).\nA line.\n\nA *paragraph*."
    )
    assert is_simple(r"An \*asterisk\* and \$5")
    assert not is_simple("a `code`")
    assert not is_simple("*a **b** c*")


TOKENS = st.sampled_from(
    [
        "1",
        "34.4",
        "3.",
        ".5",
        "x",
        "N",
        "ab",
        "\\times",
        "\\cdot ",
        "\\to",
        "+",
        "=",
        " ",
        "-",
        ",",
        "\\alpha",
        "é",
    ]
)
FORMULAS = st.lists(TOKENS, min_size=1, max_size=5).map("".join)


@settings(quick, max_examples=300)
@given(FORMULAS)
def test_simple_formulas_are_the_same_without_the_library(written: str) -> None:
    short = math.convert_to_mathml.__wrapped__(written)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(math, "_convert_simple_formula", lambda _: None)
        long = math.convert_to_mathml.__wrapped__(written)
    assert short == long


@pytest.mark.parametrize("written", ["34.4\\times", "x", "n = 2", "A \\to B"])
def test_the_fast_path_for_formulas_is_used(written: str) -> None:
    assert math._convert_simple_formula(written)


@quick
@given(PLAIN)
def test_bare_values_are_the_same_without_the_parser(value: str) -> None:
    short = latex.latex_to_markdown.__wrapped__(value), latex.latex_to_text.__wrapped__(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(latex, "_PLAIN_TEXT", NEVER)
        long = latex.latex_to_markdown.__wrapped__(value), latex.latex_to_text.__wrapped__(value)
    assert short == long
