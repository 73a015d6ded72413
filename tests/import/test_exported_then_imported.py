"""The import of an export gives the same entries, as far as both formats can represent them."""

import json
import re
from pathlib import Path

import pytest
from conftest import ROOT, Built, read_artifacts, read_site, run_in, write_files

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.sources.bibtex.csl import NAME_VARIABLES
from tenure_import.detect import detect_system

EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if (path / "site.yaml").is_file())
WITH_WORKS = [name for name in EXAMPLES if any((ROOT / "examples" / name).glob("bib/*.bib"))]


def run_export(site: Path, record: str, to: Path) -> str:
    text = read_artifacts(build_site(site, store=CacheStore()))[EXPORT_FORMATS[record].file.path].decode()
    to.write_text(text, "utf-8", newline="")
    return text


def export_twice(site: Path, record: str, folder: Path, suffix: str) -> tuple[str, str]:
    """Return an export of a site, and the export of the site that is imported from it."""
    first = run_export(site, record, folder / f"first.{suffix}")
    assert run_in(folder, "import", f"first.{suffix}") == 0
    return first, run_export(folder / "site", record, folder / f"second.{suffix}")


@pytest.mark.parametrize("name", WITH_WORKS)
def test_csl_json_survives_export_and_import(name: str, tmp_path: Path) -> None:
    first, second = export_twice(ROOT / "examples" / name, "csl-json", tmp_path, "json")
    assert first == second
    assert len(json.loads(first)) > 0
    assert detect_system(tmp_path / "first.json") == "csl-json"


LOST_WORDS = frozenset(
    ["address", "image", "lastModified", "logo", "description", "summary", "expected", "note", "true", "network", "github", "com", "www", "https"]
)  # fmt: skip
"""The images of a person are not downloaded, and a home page has no address; an entry has one key for its text."""


WITH_RESUMES = ["cajal", "hua", "noether", "systems-phd-2024", "systems-phd-2026", "undergraduate"]
"""The sites of single persons whose lists all have a name in JSON Resume."""


@pytest.mark.parametrize("name", WITH_RESUMES)
def test_json_resume_survives_export_and_import(name: str, tmp_path: Path) -> None:
    first, second = export_twice(ROOT / "examples" / name, "json-resume", tmp_path, "json")
    words = [set(re.findall(r"[^\W\d_]{3,}", text)) for text in (first, second)]
    own = json.loads(first)
    texts = [own["basics"].get(key) for key in ("image", "location", "summary")]
    images = set(re.findall(r"\w+", str(texts)))
    assert words[0] - words[1] - LOST_WORDS - images == set()
    lists = [
        {key: len(rows) for key, rows in json.loads(text).items() if isinstance(rows, list)}
        for text in (first, second)
    ]
    assert lists[0] == lists[1]


@pytest.mark.parametrize("name", WITH_WORKS)
def test_bibtex_survives_export_and_import(name: str, tmp_path: Path) -> None:
    first, second = export_twice(ROOT / "examples" / name, "bibtex", tmp_path, "bib")
    assert first == second
    assert "@" in first


ZOTERO = read_site("exported")


def test_an_export_of_zotero_is_imported(tmp_path: Path) -> None:
    write_files(tmp_path, ZOTERO)
    assert run_in(tmp_path, "import", "zotero.json") == 0
    built = Built(build_site(tmp_path / "site"))
    by_kind = {paper.kind: paper for paper in built.site.publications}
    article = by_kind["article"]
    assert [author.name.full_name for author in article.authors.people] == [
        "Ada Example", "L. van Beethoven", "The Loom Group", "M. L. King, Jr.",
    ]  # fmt: skip
    assert article.title == r"Weaving H<sub>2</sub>O: 5% of \*x\_1\* costs \$3"
    assert article.venue.name == "Journal of *Looms* & Cards"
    assert (article.doi, article.url, article.date and article.date.iso) == ("10.1234/abc", "", "1843-08")
    assert "Weaving H2O: 5% of *x_1* costs $3" in built.read_words("/publications/")
    thesis = by_kind["phdthesis"]
    assert (thesis.key, thesis.venue.institution) == ("example1842", "University of London")
    assert by_kind["misc"].eprint == "2101.00001"
    assert built.site.profile.name == "Ada Example"
    report = (tmp_path / "site/import-report.md").read_text("utf-8")
    assert "## zotero.json\n\n- an item without a title" in report


def test_people_of_csl_json_are_fields_of_biblatex_and_shown(tmp_path: Path) -> None:
    people = {name: [{"family": f"Family-{name}", "given": "G."}] for name in NAME_VARIABLES}
    item = {"id": "one", "type": "chapter", "title": "A chapter", "issued": {"date-parts": [[2020]]}}
    item |= {"container-title": "A book"}
    owner = {"author": [{"family": "Example", "given": "Ada"}]}
    write_files(tmp_path, f"-- people.json --\n{json.dumps([{**item, **owner, **people}])}\n")
    assert run_in(tmp_path, "import", "people.json") == 0
    bibtex = (tmp_path / "site/bib/papers.bib").read_text("utf-8")
    for variable, field in NAME_VARIABLES.items():
        assert f"{field} = {{Family-{variable}, G.}}" in re.sub(r" +", " ", bibtex)
    for variable in ("compiler", "organizer", "director"):
        assert f"{NAME_VARIABLES[variable]}type = {{{variable}}}" in re.sub(r" +", " ", bibtex)
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.problems if "error" in problem] == []
    words = built.read_words("/publications/one/")
    assert [name for name in NAME_VARIABLES if f"Family-{name}" not in words] == []
