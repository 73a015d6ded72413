"""README.md is correct: its sources build, its commands exist, and its message is the reported one."""

import re
from pathlib import Path

import pytest
from code_blocks import run_line
from conftest import ROOT, Make, Patch

from tenure.cli.app import COMMANDS, create_parser, main

TABLE = (ROOT / "docs/content/pages/commands.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
BIB = (ROOT / "examples/systems-phd-2026/bib/papers.bib").read_text("utf-8")


def find_readme_blocks(language: str) -> list[str]:
    """Return the fenced blocks of a language without the indentation of their list."""
    matches = re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", README, re.DOTALL | re.MULTILINE)
    return [re.sub(rf"(?m)^{indent}", "", text) for indent, name, text in matches if name == language]


def test_every_source_shown_builds(site: Make) -> None:
    files = ["-- content/profile.yaml --\nname: Rui Pan\n", f"-- bib/papers.bib --\n{BIB}"]
    files += ["-- content/projects/one.md --\n---\ntitle: One\n---\nText.\n"]
    files += ["-- content/awards.yaml --\n- Prize\n-- content/about.md --\nHello.\n"]
    yaml_blocks = find_readme_blocks("yaml")
    assert len(yaml_blocks) >= 3
    for block in yaml_blocks:
        name = re.match(r"# (\S+)\n", block)
        assert name, f"a block of YAML does not name its file: {block[:40]}"
        files.append(f"-- {name[1]} --\n{block}")
    built = site("".join(files)).build()
    assert built.problems == []
    assert "ML Systems Group" in built.read_words("/cv/")
    assert "[5]" in built.read_words("/")
    assert {"cv.pdf", "resume.pdf"} <= set(built.paths)


def test_the_two_commands_create_a_site_and_serve_it(tmp_path: Path, monkeypatch: Patch) -> None:
    answers = iter(["", "Ada Example", "", "", "", "", "folio", "", ""])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    folder = tmp_path
    (tmp_path / "tenure").mkdir()
    for line in find_readme_blocks("sh")[0].splitlines():
        folder = run_line(line, folder)
    assert "theme: folio" in (tmp_path / "me/site.yaml").read_text("utf-8")
    assert main(["check", "--site", str(tmp_path / "me"), "--strict"]) == 0


def test_the_message_in_the_readme_is_the_message_reported(site: Make) -> None:
    (message,) = (block for block in find_readme_blocks("") if "did you mean" in block)
    entry = "- institution: Princeton University\n  start_dat: 2022-08\n"
    built = site(f"-- content/education.yaml --\n{entry}").build()
    assert built.problems == [message.rstrip()]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_table(name: str) -> None:
    (row,) = (line for line in TABLE.splitlines() if line.startswith(f"| `{name}"))
    actions = [action for action in create_parser(name)._actions if action.dest != "help"]
    for action in actions:
        assert action.help, f"{name} {action.dest} has no help line"
        assert not action.option_strings or action.option_strings[0] in row
    for option in re.findall(r"--[a-z-]+", row):
        assert any(option in action.option_strings for action in actions), f"{name} has no {option}"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    line = next(line for line in README.splitlines() if line.startswith("python3 build.py test"))
    command = line.partition("#")[0].strip()
    script = (ROOT / ".ci/run").read_text("utf-8").splitlines()
    assert f"exec {command}" in script


LINKING = ("README.md", "CHANGELOG.md", "ARCHITECTURE.md", "docs/decisions.md", "tests/benchmarks/README.md")


@pytest.mark.parametrize("page", [*LINKING, ".github/CONTRIBUTING.md", ".github/SECURITY.md"])
def test_links_point_to_existing_files(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:|#", link)]
    folder = (ROOT / page).parent
    assert [link for link in links if not (folder / link.partition("#")[0]).exists()] == []
