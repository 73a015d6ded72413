"""Golden files of two kinds: the model of each example, and its pages as text; also for all writing systems in one site."""

import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, write_files
from golden import compare_with_file, format_model, outline_page
from matrix import build_sample_site, many_papers

from tenure.build import build_site

HERE = Path(__file__).parent
SITES = [
    *sorted(path.stem for path in (ROOT / "tests/facts").glob("*.txt")),
    "unicode",
]
LISTED, OWNER = '<li class="pub', '<b class="me">'


@pytest.mark.parametrize("name", SITES)
def test_the_model_equals_the_golden_file(name: str, request: pytest.FixtureRequest) -> None:
    built = build_sample_site("", name)
    assert built.problems == ()
    assert built.site is not None
    compare_with_file(
        HERE / name / "model.txt", format_model(built.site), update=request.config.getoption("--update")
    )


@pytest.mark.parametrize("name", SITES)
def test_the_number_of_pages_is_as_expected(name: str, request: pytest.FixtureRequest) -> None:
    built = build_sample_site("", name)
    pages = sorted((a for a in built.artifacts if a.path.endswith(".html")), key=lambda a: a.path)
    actual = "".join(f"==== {a.path}\n{outline_page(a.read().decode())}\n" for a in pages)
    compare_with_file(HERE / name / "pages.txt", actual, update=request.config.getoption("--update"))


@pytest.mark.scheduled
def test_r12_a_site_of_a_thousand_papers_has_the_expected_size(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    write_files(tmp_path, many_papers(1000))
    built = build_site(tmp_path)
    assert built.problems == ()
    assert built.site is not None
    papers = built.site.publications
    years = Counter(paper.date.year for paper in papers if paper.date)
    pages = {a.path: a.read().decode() for a in built.artifacts if a.path.endswith(".html")}
    shapes = Counter(re.sub(r"paper\d+", "…", a.path) for a in built.artifacts if "assets/" not in a.path)
    lines = [
        f"{len(papers)} publications, {sum(paper.selected for paper in papers)} selected",
        f"first {papers[0].id}, last {papers[-1].id}",
        *(f"{number} of {year}" for year, number in years.items()),
        "",
        *(f"{number} × {path}" for path, number in sorted(shapes.items())),
        "",
        f"{pages['publications/index.html'].count(LISTED)} in the list",
        f"{sum(page.count(OWNER) for page in pages.values())} times the owner",
    ]
    compare_with_file(
        HERE / "thousand" / "figures.txt",
        "\n".join(lines) + "\n",
        update=request.config.getoption("--update"),
    )
