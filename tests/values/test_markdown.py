"""Pairs of Markdown and the expected HTML: tests/values/markdown/*.txt."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tenure.markdown.html import render_markdown

HERE = Path(__file__).parent / "markdown"
RULE = "~~~~"


@dataclass(frozen=True)
class Pair:
    """Markdown and its HTML; "[3]" before the title is the heading level of the text."""

    path: Path
    title: str
    level: int
    written: str
    made: str


def read_pairs(path: Path) -> Iterator[Pair]:
    for part in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, remainder = part.partition("\n")
        written, rule, result = remainder.partition(f"\n{RULE}\n")
        assert rule, f"{path.name}: “{title}” has no line {RULE}"
        level = re.match(r"\[(\d)\] ", title)
        yield Pair(path, title, int(level[1]) if level else 2, written, result.strip("\n"))


PAIRS = [pair for path in sorted(HERE.glob("*.txt")) for pair in read_pairs(path)]


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{pair.path.stem}-{pair.title}" for pair in PAIRS])
def test_markdown_gives_the_expected_html(pair: Pair, request: pytest.FixtureRequest) -> None:
    html = render_markdown(pair.written, pair.level).strip("\n")
    if request.config.getoption("--update"):
        text = pair.path.read_text(encoding="utf-8")
        start = text.index(f"\n{RULE}\n", text.index(f"=== {pair.title}\n")) + len(RULE) + 2
        end = text.find("\n=== ", start)
        pair.path.write_text(f"{text[:start]}{html}\n{text[end:] if end >= 0 else ''}", encoding="utf-8")
        return
    assert html == pair.made
