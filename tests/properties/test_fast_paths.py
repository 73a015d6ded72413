"""A fast path gives the same result as the general code."""

import re

from conftest import Patch, scale_examples
from hypothesis import given, settings
from hypothesis import strategies as st
from pieces import read_pieces

from tenure.markdown import html
from tenure.sources.latex import conversion as latex

quick = settings(max_examples=scale_examples(600))
NEVER = re.compile(r"(?!)")

SPACES = [*(" " * 3), "  ", *"\t\n\r\xa0\u2028\x02"]
LETTERS = "a Z é 中 1 23 1. 2)".split()
PIECES = [*read_pieces("fast paths: signs"), *read_pieces("fast paths: signs 2")]
SIGNS = st.sampled_from([*LETTERS, *SPACES, *PIECES])
PLAIN = st.lists(SIGNS, max_size=8).map("".join)


def both_ways(text: str) -> tuple[object, object]:
    """Return the result of the fast path, and that of Markdown."""
    convert = (html.render_markdown, html.render_inline, html.plain_text)
    short = tuple(function.__wrapped__(text) for function in convert)
    html.render_inline.cache_clear()
    with Patch.context() as patch:
        patch.setattr(html, "PLAIN_TEXT", NEVER)
        long = tuple(function.__wrapped__(text) for function in convert)
    html.render_inline.cache_clear()
    return short, long


@quick
@given(PLAIN.filter(lambda text: html.PLAIN_TEXT.fullmatch(text.strip())))
def test_plain_text_is_the_same_without_markdown(text: str) -> None:
    short, long = both_ways(text)
    assert short == long


def test_the_fast_path_is_used() -> None:
    assert html.PLAIN_TEXT.fullmatch("A title: with 3 signs, a hyphen-minus (and more)!")
    assert not html.PLAIN_TEXT.fullmatch("*a*")
    assert not html.PLAIN_TEXT.fullmatch("see https://a.example")
    assert html.is_plain_paragraphs("One line,\nand two.\n\nA paragraph.")


@quick
@given(PLAIN)
def test_bare_values_are_the_same_without_the_parser(value: str) -> None:
    short = latex.latex_to_markdown.__wrapped__(value), latex.latex_to_text.__wrapped__(value)
    with Patch.context() as patch:
        patch.setattr(latex, "_SPECIAL_SIGN", "")
        long = latex.latex_to_markdown.__wrapped__(value), latex.latex_to_text.__wrapped__(value)
    assert short == long
