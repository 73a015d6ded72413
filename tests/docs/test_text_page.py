"""Each example of docs/content/pages/text.md builds without a problem and gives the HTML that its section describes."""

import re
from pathlib import Path

import pytest
from code_blocks import find_fences
from conftest import ROOT, Make

from tenure.markdown.blocks import ADMONITION_TITLES

PAGE = (ROOT / "docs/content/pages/text.md").read_text("utf-8")
PATTERNS = re.split(r"(?m)^=== ", Path(__file__).with_name("text_patterns.txt").read_text("utf-8"))[1:]
EXPECTED_PATTERNS = {
    title: patterns.split("\n")[:-1] for title, _, patterns in (part.partition("\n") for part in PATTERNS)
}
"""Patterns in the HTML of the examples, by section."""


def read_page_sections() -> dict[str, list[str]]:
    """Return the examples of each section."""
    lines = PAGE.splitlines()
    fences = {fence.map[0]: fence for fence in find_fences(PAGE) if fence.map}
    inside = {number for fence in fences.values() for number in range(*(fence.map or (0, 0)))}
    titles = {n: line[3:] for n, line in enumerate(lines) if line.startswith("## ") and n not in inside}
    results: dict[str, list[str]] = {title: [] for title in titles.values()}
    for first, fence in fences.items():
        results[titles[max(n for n in titles if n < first)]].append(fence.content)
    return results


def test_every_section_has_its_patterns() -> None:
    assert list(read_page_sections()) == list(EXPECTED_PATTERNS)


@pytest.mark.parametrize("section", EXPECTED_PATTERNS)
def test_examples_produce_the_described_html(section: str, site: Make) -> None:
    paper = (ROOT / "examples/systems-phd-2026/bib/papers.bib").read_text("utf-8")
    svg = (ROOT / "content/projects/tape.svg").read_text("utf-8")
    files = [f"-- content/tape.svg --\n{svg}", "-- content/talk.pdf --\n%PDF\n"]
    files.append(f"-- bib/papers.bib --\n{paper}-- site.yaml --\nchecks: {{ignore: [bib-owner]}}\n")
    examples = read_page_sections()[section]
    post = "-- content/posts/example-{0}.md --\n---\ntitle: E{0}\n---\n{1}"
    files += map(post.format, range(len(examples)), examples)
    built = site("".join(files)).build()
    assert built.problems == []
    html = "".join(built.read_page(f"/posts/example-{n}/") for n in range(len(examples)))
    for pattern in EXPECTED_PATTERNS[section]:
        assert re.search(pattern.replace("⏎", "\n"), html), f"{pattern} in\n{html}"


def test_every_kind_of_admonition_is_listed() -> None:
    boxes = PAGE.partition("{#boxes}")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", boxes.rpartition("Kinds:")[2])) == set(ADMONITION_TITLES)
