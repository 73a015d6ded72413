"""Sites whose texts and data are made to be slow or deep: each is imported, or refused with one line."""

import time
from pathlib import Path

import pytest
from conftest import run_in, write

from tenure.importers.bibliography.csl_json import is_csl_json
from tenure.importers.front_matter import parse_toml
from tenure.problems import Problems

ALFOLIO = (
    "-- old/_config.yml --\ntitle: X\nfirst_name: Ada\nlast_name: Example\nplugins: [jekyll-scholar]\n"
    "-- old/_pages/about.md --\n---\nlayout: about\ntitle: about\npermalink: /\n---\n"
)


@pytest.mark.parametrize("opening", ["{% ", "{{< a ", "{% include figure.html "])
def test_low_tags_that_never_end_are_imported_in_good_time(opening: str, tmp_path: Path) -> None:
    """30,000 of them took half a minute."""
    write(tmp_path, f"{ALFOLIO}{opening * 15_000}\n")
    start = time.process_time()
    assert run_in(tmp_path, "import", "old") == 0
    assert time.process_time() - start < 5


def test_low_data_of_any_depth_is_no_internal_error(tmp_path: Path) -> None:
    problems = Problems()
    assert parse_toml(f"[{'a.' * 5000}a]\n", "config.toml", problems) is None
    assert [problem.code for problem in problems.sorted_problems()] == ["yaml-syntax"]
    path = tmp_path / "x.json"
    path.write_text("[" * 300_000, encoding="utf-8")
    assert not is_csl_json(path)
