"""Each small site of another system in `sites/` becomes exactly the files in its golden file, and builds."""

import re
from pathlib import Path

import pytest
from conftest import Built, run_in, write_files

from tenure.build import build_site

SITES = Path(__file__).parent / "sites"
NAMES = sorted(path.stem for path in SITES.glob("*.txt") if not path.stem.endswith(".golden"))


def format_site(folder: Path) -> str:
    """The sources of a new site and the report, in one text; of other files the names."""
    parts: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not re.match(r"(?:content|bib)/|site\.yaml$|import-report\.md$", name) or path.is_dir():
            continue
        is_text = path.suffix in (".md", ".yaml", ".bib") and not name.startswith("content/files/")
        text = re.sub(r"\A# yaml-language-server.*\n", "", path.read_text("utf-8")) if is_text else ""
        parts.append(f"-- {name} --\n{text}")
    return "".join(parts)


@pytest.mark.parametrize("name", NAMES)
def test_a_site_becomes_the_files_of_its_golden_file(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    write_files(tmp_path, (SITES / f"{name}.txt").read_text("utf-8"))
    assert run_in(tmp_path, "import", "old") == 0
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.problems if "error" in problem] == []
    golden = SITES / f"{name}.golden.txt"
    actual = format_site(tmp_path / "site")
    if request.config.getoption("--update"):
        golden.write_text(actual, "utf-8")
    assert actual == golden.read_text("utf-8")
