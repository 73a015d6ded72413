"""Each example of docs/content/pages/text.md builds without a problem and gives the HTML that its section describes."""

import re
from collections.abc import Callable

import pytest
from code_blocks import find_fences
from conftest import ROOT, Sources

from tenure.markdown.blocks import ADMONITION_TITLES

Make = Callable[[str], Sources]
PAGE = (ROOT / "docs/content/pages/text.md").read_text(encoding="utf-8")
EXPECTED_PATTERNS = {
    "Inline formatting": [
        "<del>struck out</del>",
        "“It’s done” – the years 1990–1999 — and so on…",
    ],
    "Paragraphs, headings, table of contents": [
        '<h2 id="mine"><a class="self"',
    ],
    "Lists": [
        "<li>a nested item</li>",
        '<span role="img" aria-label="done">☑</span>',
        "<dd>It happens in the end.</dd>",
    ],
    "Code": [
        '<span class="k">def</span>',
        '<p>In a list, indent code[^<]*</p>\n<pre class="code"><code class="language-bash">',
    ],
    "Mathematics": ['<math display="block">', r"It costs \$5 or \$6\."],
    "Tables": ['<div [^>]*class="scroll"[^>]*>\n<table>\n<thead>', '<td class="right">34.4</td>'],
    "Images and figures": [
        "<p><img ",
        "<figure><img [^>]*><figcaption>The machine in <em>state c</em>.</figcaption>",
    ],
    "Quotations and boxes {#boxes}": ['"admonition warning"', "Theorem \\(Cantor\\)", "Your own title"],
    "Footnotes": ['role="doc-endnotes"', "Back to the text \\(2\\)"],
    "Citations": [
        '<a href="../../publications/dai2024apparate/">Dai et al. \\(2024\\)</a>',
        'class="references"',
    ],
    "Links and e-mail addresses": [
        '<a href="../../talk.pdf">',
        '<a href="http://www.example.org">',
        ">&#x6e;&#97;",
    ],
    "HTML": ["<details>", "<p><em>Markdown</em> within HTML.</p>"],
    "CommonMark": [],
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
    paper = (ROOT / "examples/systems-phd-2026/bib/papers.bib").read_text(encoding="utf-8")
    svg = (ROOT / "content/projects/tape.svg").read_text(encoding="utf-8")
    files = [f"-- content/tape.svg --\n{svg}", "-- content/talk.pdf --\n%PDF\n"]
    files.append(f"-- bib/papers.bib --\n{paper}-- site.yaml --\nchecks: {{ignore: [bib-owner]}}\n")
    examples = read_page_sections()[section]
    files += [
        f"-- content/posts/example-{n}.md --\n---\ntitle: E{n}\n---\n{text}"
        for n, text in enumerate(examples)
    ]
    built = site("".join(files)).build()
    assert built.problems == []
    html = "".join(built.read_page(f"/posts/example-{n}/") for n in range(len(examples)))
    for pattern in EXPECTED_PATTERNS[section]:
        assert re.search(pattern, html), f"{pattern} in\n{html}"


def test_every_kind_of_admonition_is_listed() -> None:
    boxes = PAGE.partition("{#boxes}")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", boxes.rpartition("Kinds:")[2])) == set(ADMONITION_TITLES)
