"""`tools/style.py` counts what it says; ARCHITECTURE.md names every package, and no package is heavier than its row allows."""

import ast
import re
from pathlib import Path

import style
from conftest import ROOT

TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
ROW = re.compile(r"^\| (`.+?|all) \|.* \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
"""A row of the table: | `cli/` | the commands | 10,631 | 11,000 |"""

SAMPLE = '''
"""A docstring does not count."""

import os


def describe(value: int) -> str:
    # a comment on a line of its own
    first, second = 1, 2
    names = [x for x in [y for y in "ab"]]
    return "a" if value and (1 if first else 0) else "b"
'''


def test_a_file_is_counted_as_the_tool_says(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(SAMPLE, "utf-8")
    figures = style.list_figures(style.count_file(path))
    shown = {name: value for name, value in figures.items() if value and name != "nodes"}
    assert shown == {
        "conditional expressions inside another, or over 12 nodes": 1,
        "parallel assignments of unrelated values": 1,
        "nested comprehensions": 1,
        "comment lines": 1,
    }


def test_words_beyond_six_and_logic_count_but_types_and_docstrings_do_not() -> None:
    sources = {
        "x = 1": 4,
        "x: int = 1": 4,
        '"A docstring."\nx = 1': 4,
        "import os\nx = 1": 4,
        'x = "one two three four five six seven eight"': 6,
    }
    assert {text: style.count_nodes(ast.parse(text)) for text in sources} == sources


def test_no_package_is_heavier_than_its_row_allows() -> None:
    actual = {
        name: int(style.list_figures(counts)["nodes"]) for name, counts in style.count_packages(ROOT).items()
    }
    rows = {
        re.sub(r"`(.+?)/?`.*", r"\1", name): int(most.replace(",", "")) for name, _, most in ROW.findall(TEXT)
    }
    assert set(rows) == set(actual)

    too_heavy = [
        f"{name}: {actual[name]}, at most {rows[name]}" for name in rows if actual[name] > 1.05 * rows[name]
    ]
    assert too_heavy == []


def test_every_path_in_the_text_exists() -> None:
    places = (ROOT, ROOT / "tenure")
    paths = set(re.findall(r"`((?:\w+/)[\w/.]*|\w+\.py)`", TEXT)) - {"output/", "assets/", "translations/"}
    assert {path for path in paths if not any((place / path).exists() for place in places)} == set()
