"""docs/content/pages/problems.md lists exactly the codes of the program with their levels, and a repair for each."""

import json
import re

import pytest
from conftest import ROOT, Capture, Make, Patch

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.cli import arguments
from tenure.cli.app import main
from tenure.documentation import read_problem_sections
from tenure.problems import PROBLEM_CODES

PAGE = (ROOT / "docs/content/pages/problems.md").read_text("utf-8")


def read_page_entries() -> list[tuple[str, str, str]]:
    """Return the code, the level and the text of every entry of the page."""
    parts = re.split(r"^### `([\w-]+)` \((error|warning|info)\)$", PAGE, flags=re.MULTILINE)
    return list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))


def test_codes_are_those_of_the_program_in_their_order_with_cause_and_repair() -> None:
    codes = [(code, level) for code, (level, _) in PROBLEM_CODES.items()]
    assert [(code, level) for code, level, _ in read_page_entries()] == codes
    assert len(re.findall(r"^### ", PAGE, re.MULTILINE)) == len(codes), "every heading is an entry"
    for code, level, text in read_page_entries():
        cause, _, repair = text.partition("→")
        assert len(cause.split()) >= 6, code
        assert repair or level == "info", code


def test_the_message_shown_is_the_message_reported() -> None:
    example = re.search(r"```\n(content/.*?)```", PAGE, re.DOTALL)
    assert example
    dates = (ROOT / "tests/cases/dates.txt").read_text("utf-8")
    assert f"~~~~\n{example[1]}" in dates


@pytest.mark.parametrize("url", ["", "https://docs.example.org/tenure"])
def test_check_names_the_section_of_each_problem(
    url: str, site: Make, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(arguments, "read_project", lambda: {"urls": {"Documentation": url}})
    sources = site("-- content/talks.yaml --\n- {title: One, date: 04/05/2024}\n- {title: Two, dat: 2024}\n")
    check = ["check", "--site", str(sources.root)]
    assert main(check) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "More: tenure explain bad-date unknown-key"

    page = f"{url}/pages/problems.md#" if url else ""
    links = [f"{page}{anchor}" if url else "" for anchor in ("bad-date-error", "unknown-key-error")]
    assert main([*check, "--format", "json"]) == 1
    listed = json.loads(capsys.readouterr().out)["problems"]
    assert [problem["documentation"] for problem in listed] == links
    assert main([*check, "--format", "github"]) == 1
    annotations = capsys.readouterr().out.splitlines()
    assert [re.findall(r"https://\S+", line) for line in annotations] == [
        [link] * bool(link) for link in links
    ]


def test_explain_prints_the_section_of_each_problem(capsys: Capture) -> None:
    """The page is the only source."""
    sections = read_problem_sections()
    assert [*sections] == [*PROBLEM_CODES]
    assert all(section in PAGE for section in sections.values())
    assert main(["explain", "no-profile", "bad-email"]) == 0
    assert capsys.readouterr().out == f"{sections['no-profile']}\n\n{sections['bad-email']}\n"


def test_every_code_has_its_anchor() -> None:
    """Headings have the same anchors on GitHub: letters, digits and hyphens of the heading in lower case."""
    build = build_site(ROOT / "docs", store=CacheStore())
    (page,) = (file for file in build.artifacts if file.path == "problems/index.html")
    anchors = set(re.findall(r' id="([\w-]+)"', page.read().decode()))
    assert {f"{code}-{level}" for code, (level, _) in PROBLEM_CODES.items()} <= anchors
