"""The templates, which users copy: a block tag has two spaces for each block around it, and no line is long."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

THEMES = ROOT / "themes"
TEMPLATES = sorted(path.relative_to(THEMES) for path in THEMES.rglob("*.html"))

MAX_COLUMNS = 120

COMMENT = re.compile(r"(?s)\{#.*?#\}")

TAG = re.compile(
    r"""(?msx)
    (?P<indent> ^[ ]* )?           # the spaces before a tag that begins a line, as in `  {%- if item.id -%}`
    \{%-? \s*
    (?P<word> \w+ )                # if
    (?P<rest> .*? )                # item.id
    -?%\}
    """
)

OPENING = {"block", "call", "filter", "for", "if", "macro", "with"}


def list_faults(template: str) -> Iterator[str]:
    """Yield each line that is too long, and each block tag that begins a line at another column than twice its depth."""
    for line in template.splitlines():
        if len(line) > MAX_COLUMNS:
            yield f"{len(line)} columns: {line}"

    depth = 0
    for tag in TAG.finditer(COMMENT.sub("", template)):
        word = tag["word"]
        is_end = word.startswith("end")
        depth -= is_end

        column = 2 * (depth - (word in ("else", "elif")))
        if tag["indent"] not in (None, " " * column):
            yield f"not in column {column + 1}: {tag[0]}"

        is_set_block = word == "set" and "=" not in tag["rest"]
        depth += word in OPENING or is_set_block


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_templates_are_indented_and_have_short_lines(template: Path) -> None:
    text = (THEMES / template).read_text("utf-8")
    assert [*list_faults(text)] == []
