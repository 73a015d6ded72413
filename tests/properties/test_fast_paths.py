"""A short way gives what the long way gives."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure import formulas, text
from tenure.sources import latex

quick = settings(max_examples=600, deadline=None, derandomize=True)
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


def is_plain(words: str) -> bool:
    return bool(text._PLAIN.fullmatch(words.strip()))


@quick
@given(PLAIN.filter(is_plain))
def test_plain_words_need_no_markdown(words: str) -> None:
    short = text.to_html.__wrapped__(words), text.inline.__wrapped__(words), text.plain.__wrapped__(words)
    text.inline.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "_PLAIN", NEVER)
        long = text.to_html.__wrapped__(words), text.inline.__wrapped__(words), text.plain.__wrapped__(words)
    text.inline.cache_clear()
    assert short == long


def test_the_short_way_is_taken() -> None:
    assert is_plain("A title: with 3 signs, a hyphen-minus (and more)!")
    assert not is_plain("*a*")


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
def test_simple_formulas_need_no_library(written: str) -> None:
    short = formulas.to_mathml.__wrapped__(written)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formulas, "_simple", lambda _: None)
        long = formulas.to_mathml.__wrapped__(written)
    assert short == long


@pytest.mark.parametrize("written", ["34.4\\times", "x", "n = 2", "A \\to B"])
def test_the_short_way_of_formulas_is_taken(written: str) -> None:
    assert formulas._simple(written)


@quick
@given(PLAIN)
def test_bare_values_need_no_reader(value: str) -> None:
    short = latex.to_markdown.__wrapped__(value), latex.to_text.__wrapped__(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(latex, "_BARE", NEVER)
        long = latex.to_markdown.__wrapped__(value), latex.to_text.__wrapped__(value)
    assert short == long
