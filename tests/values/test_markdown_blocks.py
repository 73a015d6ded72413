"""Fenced code in a text, and encoded e-mail addresses."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.markdown.blocks import obfuscate_email
from tenure.markdown.fences import find_fences
from tenure.markdown.html import render_markdown

LINES = st.sampled_from(["a", "", "```", "````", "~~~", "```py", "    ```", "  ```", "> ```", ">", "> a", "- a", "    b",
                         "[^1]: a", "\t```", "> > ```", "1. ```", "> [!NOTE]", "| a |", "|---|"])  # fmt: skip


@settings(max_examples=400)
@given(st.lists(LINES, max_size=9))
def test_adjacent_fences_are_separate(lines: list[str]) -> None:
    fences = [*find_fences(lines)]
    ends = [number for fence in fences for number in (fence.first, fence.last)]
    assert ends == sorted(ends)
    assert all(0 <= number < len(lines) for number in ends)


@settings(max_examples=300)
@given(st.lists(LINES, max_size=9))
def test_any_order_of_lines_makes_html_without_leftovers(lines: list[str]) -> None:
    rendered = render_markdown("\n".join(lines))
    assert "\x02" not in rendered
    assert "wzxhzdk" not in rendered
    assert len(re.findall(r"<pre\b", rendered)) == rendered.count("</pre>")


@pytest.mark.parametrize("address", ["name@example.edu", "mailto:名前@example.edu", ""])
def test_masked_text_is_restored(address: str) -> None:
    assert html.unescape(obfuscate_email(address)) == address
    assert not re.search(r"@|[a-z]{2}", obfuscate_email(address))
