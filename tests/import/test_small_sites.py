"""Small sites of other systems: each becomes exactly the files in its golden file, or has what findings.txt says, and builds."""

import re
from pathlib import Path

import pytest
from conftest import Built, run_in, write_files
from word_files import convert_word_files

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
def test_a_site_becomes_its_golden_file(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    write_files(tmp_path, (SITES / f"{name}.txt").read_text("utf-8"))
    convert_word_files(tmp_path)
    assert run_in(tmp_path, "import", "old") == 0
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.problems if "error" in problem] == []
    golden = SITES / f"{name}.golden.txt"
    actual = format_site(tmp_path / "site")
    if request.config.getoption("--update"):
        golden.write_text(actual, "utf-8")
    assert actual == golden.read_text("utf-8")


FINDINGS = re.split(r"(?m)^=== ", (SITES.parent / "findings.txt").read_text("utf-8"))[1:]


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.partition("\n")[0])
def test_a_source_is_imported_as_its_author_intends(finding: str, tmp_path: Path) -> None:
    source, _, expected = finding.partition("\n")[2].partition("~~~~\n")
    write_files(tmp_path, source)
    convert_word_files(tmp_path)
    assert run_in(tmp_path, "import", "old") == 0
    built = Built(build_site(tmp_path / "site"))
    assert [problem for problem in built.build.problems if problem.level == "error"] == []
    for line in expected.strip("\n").split("\n"):
        match = re.fullmatch(r"(has|lacks) ([^:]+)(?:: (.*))?", line)
        assert match, line
        verb, name, text = match.groups()
        path = tmp_path / "site" / name
        content = path.read_text("utf-8") if path.is_file() else ""
        is_there = text.replace("⏎", "\n") in content if text else path.is_file()
        assert is_there == (verb == "has"), f"{line}\n    in {content}"
