"""The examples of docs/content/pages/statistics.md build, and show the figures that the page describes."""

import re
from collections.abc import Callable

from conftest import ROOT, Sources

PAGE = (ROOT / "docs/content/pages/statistics.md").read_text(encoding="utf-8")
CONTENT = """-- content/about.md --
Hello.
-- content/talks.yaml --
- {title: One, place: Paris, date: 2025}
-- bib/p.bib --
@article{a, title={A}, author={Example, Ada and Li, Kai and Berg, Jo}, journal={J}, year={2025}}
"""


def test_examples_build(site: Callable[[str], Sources]) -> None:
    blocks = re.findall(r"^```yaml\n# (\S+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    for (name, block), path in zip(blocks, ("/statistics/", "/"), strict=True):
        built = site(f"{CONTENT}-- {name} --\n{block}").build()
        assert [p for p in built.problems if "no page shows the list" not in p] == []
        assert built.read_page(path).count('class="group statistic"') == 3
    assert "The last years" in built.read_words("/")
