"""The steps of converting a text grow with its size: twice as much of any syntax is twice the work."""

import sys
from types import FrameType
from typing import Any

import pytest

from tenure.limits import MAX_NESTING
from tenure.markdown.blocks import ENGLISH_LABELS
from tenure.markdown.converter import convert_markdown
from tenure.markdown.html import make_slug, plain_text, render_markdown
from tenure.markdown.tree import TextElement, parse_blocks

REPEATED = [
    *("[a][b]", "[](<", "<a ", "# a\n\n", "a\n===\n\n", "*a_ ", "![[[", "[", "![", "<!--", "| | |\n", "> ", "&", "`a``b ", "[^a"),
    *("{a=", "*x*{.a}", "$a ", "$$a\n", "![a](b)", "a\n: b\n\n", "!!! note\n    a\n", '<div markdown="1">\n', "[a]: b\n", "- a\n"),
    *("- [ ] a\n", "1. a\n\n", "> [!note]\n", "~~a ", "<http://a ", "\\", "a  \n", "[a](((", '![a](b "', "```\n", "> - ", "> a\nb\n"),
    *("*[a]: b\n\n", "*[a]: b\n", "<a@b.c>", "*", "_", "~", "<?", "<b c='", "| a |\n|---|\n| 1 |\n\nTable: x\n\n", "a[^1]\n\n[^1]: b\n\n"),
]  # fmt: skip


def count_steps(text: str) -> int:
    """The lines of Python that are executed by converting a text."""
    steps = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        del frame, argument
        steps += event == "line"
        return trace

    convert_markdown(text, "page", ENGLISH_LABELS, make_slug)
    sys.settrace(trace)
    try:
        convert_markdown(text, "page", ENGLISH_LABELS, make_slug)
    finally:
        sys.settrace(None)
    return steps


@pytest.mark.parametrize("repeated", REPEATED)
def test_twice_the_text_is_twice_the_work(repeated: str) -> None:
    count = 300 // len(repeated)
    assert count_steps(repeated * 2 * count) < 2.3 * count_steps(repeated * count) + 1000


@pytest.mark.parametrize("count", [40, 80])
def test_many_abbreviations_and_footnotes_take_the_same_work_each(count: int) -> None:
    def text(number: int) -> str:
        return "".join(
            f"*[A{index}x]: b\n\nA{index}x[^{index}]\n\n[^{index}]: c\n\n" for index in range(number)
        )

    assert count_steps(text(2 * count)) < 2.3 * count_steps(text(count))


def depth(element: TextElement) -> int:
    return 1 + max((depth(child) for child in element.children if isinstance(child, TextElement)), default=0)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("  " * level + "- a" for level in range(400)),
        "> " * 4000 + "a",
        "- " * 4000 + "a",
        "> - " * 2000 + "a",
        "!!! note\n" + "\n".join("    " * level + "!!! note" for level in range(1, 300)),
        "\n".join("    " * level + ": a" for level in range(300)),
        "[^1]: " * 2000 + "a",
        "[" * 500 + "a" + "](b)" * 500,
        "![" * 500 + "a" + "](b)" * 500,
        "<b>" * 3000 + "a",
    ],
    ids=[
        "lists",
        "quotations",
        "items",
        "both",
        "boxes",
        "definitions",
        "footnotes",
        "links",
        "images",
        "HTML",
    ],
)
def test_a_text_of_any_depth_is_shown(text: str) -> None:
    assert plain_text(f"{text}\n\nlast words").endswith("last words")
    assert "a" in render_markdown(text)
    if "<b>" not in text:
        assert depth(parse_blocks(text)) <= 2 * MAX_NESTING
