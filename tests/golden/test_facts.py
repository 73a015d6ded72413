"""Every fact of each example's original document is on a page: the facts are listed one by one."""

import re
from collections.abc import Mapping
from functools import cache

import pytest
from conftest import ROOT, visible_text
from matrix import build_sample_site

FACTS = ROOT / "tests" / "golden" / "facts"
NEAR = 300
"""The largest distance in characters between a printed number such as [5] and the words that follow it."""


@cache
def words_of(name: str) -> Mapping[str, str]:
    """Return the text of every page of an example."""
    built = build_sample_site("", name)
    assert built.problems == ()
    return {a.path: visible_text(a.read().decode()) for a in built.artifacts if a.path.endswith(".html")}


def read_facts(name: str) -> list[str]:
    lines = (FACTS / f"{name}.txt").read_text("utf-8").splitlines()
    return [" ".join(line.split()) for line in lines if line.strip() and not line.startswith("#")]


EXAMPLES = sorted(path.stem for path in FACTS.glob("*.txt"))


def test_every_list_of_facts_has_its_example() -> None:
    assert {p.name for p in (ROOT / "examples").iterdir() if (p / "content").is_dir()} >= {*EXAMPLES}
    assert len(EXAMPLES) == 5
    assert all(len(read_facts(name)) >= 50 for name in EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_fact_is_on_a_page(name: str) -> None:
    missing = [
        fact
        for fact in read_facts(name)
        if not any(_has_fact(text, fact) for text in words_of(name).values())
    ]
    assert missing == []


def _has_fact(text: str, fact: str) -> bool:
    numbered = re.fullmatch(r"(\[\d+\]) (.+)", fact)
    return fact in text if numbered is None else _follows_label(text, numbered[1], numbered[2])


def _follows_label(text: str, label: str, remainder: str) -> bool:
    return any(
        remainder in text[match.end() : match.end() + NEAR] for match in re.finditer(re.escape(label), text)
    )
