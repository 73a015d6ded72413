"""Golden files: the pages of each example as text, and those of a site in all scripts and of one with every field."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, read_artifacts, write_files
from golden import compare_with_file, outline_page
from matrix import build_sample_site, many_papers

from tenure.build import build_site
from tenure.model import entries, overlays
from tenure.model.places import SourceRecord
from tenure.record import field_names
from tenure.sources.bibtex.bib_fields import BIB_FIELDS

HERE = Path(__file__).parent
SITES = [*sorted(path.stem for path in (ROOT / "tests/golden/facts").glob("*.txt")), "unicode", "every-field"]
LINKED_DATA = ("index.html", "publications/paper/index.html", "posts/post-1/index.html")
NOT_WRITTEN = {"source", "places", "body", "groups", "head", "preprint_of", "work"}
"""Fields of records that are computed or named by their keys; `head` is only that of a group, and a preprint has tests of its own."""
SHOWN_ROLES = {"names", "venue", "link", "people", "fact"}
OTHER_NAMES = "university institution authority originalyear editor author"
"""Fields that mean the same as another one."""
RECORDS = (".bib", ".ris", ".json", ".md", ".txt", ".ics", ".xml")
LISTED, OWNER = '<li class="pub', '<b class="me">'


@pytest.mark.parametrize("name", SITES)
def test_the_pages_equal_the_golden_file(name: str, request: pytest.FixtureRequest) -> None:
    built = build_sample_site("", name)
    assert built.problems == ()
    pages = sorted((a for a in built.artifacts if a.path.endswith(".html")), key=lambda a: a.path)
    actual = "".join(f"==== {a.path}\n{outline_page(a.path, a.read().decode())}\n" for a in pages)
    compare_with_file(HERE / name / "pages.txt", actual, update=request.config.getoption("--update"))


def test_the_records_equal_the_golden_file(request: pytest.FixtureRequest) -> None:
    """The files for other programs, and the JSON-LD of some pages, of the site with every field."""
    parts = []
    for path, body in sorted(read_artifacts(build_sample_site("", "every-field")).items()):
        if path in LINKED_DATA:
            for script in re.findall(r'<script type="application/ld\+json">(.*?)</script>', body.decode()):
                data = json.dumps(json.loads(script), indent=1, ensure_ascii=False)
                parts.append(f"==== JSON-LD of {path}\n{data}\n")
        elif path.endswith(RECORDS) and not path.startswith("assets/"):
            parts.append(f"==== {path}\n{body.decode().replace(chr(13), '')}\n")
    update = request.config.getoption("--update")
    compare_with_file(HERE / "every-field/records.txt", "\n".join(parts), update=update)


def test_the_site_with_every_field_has_every_field() -> None:
    """A new field is added to its sources, so that the golden files show what becomes of it."""
    sources = (HERE / "every-field/sources.txt").read_text("utf-8")
    records = [
        record
        for module in (entries, overlays)
        for record in vars(module).values()
        if isinstance(record, type) and issubclass(record, SourceRecord) and record is not entries.Publication
    ]
    assert len(records) > 18
    fields = {name for record in records for name in field_names(record)} - NOT_WRITTEN
    rows = {name for name, row in BIB_FIELDS.items() if row.role in SHOWN_ROLES} - {*OTHER_NAMES.split()}
    missing = [name for name in sorted(fields) if not re.search(rf"\b{name}:", sources)]
    missing += [name for name in sorted(rows) if not re.search(rf"\b{name} = ", sources)]
    assert missing == []


@pytest.mark.scheduled
def test_r12_a_site_of_a_thousand_papers_has_its_size(tmp_path: Path, request: pytest.FixtureRequest) -> None:
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
    update = request.config.getoption("--update")
    compare_with_file(HERE / "thousand" / "figures.txt", "\n".join(lines) + "\n", update=update)
