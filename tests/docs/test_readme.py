"""README.md is correct: its sources build, its commands exist, and its message is the reported one."""

import re
from pathlib import Path

import pytest
from code_blocks import run_line
from conftest import ROOT, Patch

from tenure.cli.app import COMMANDS, create_parser, main

TABLE = (ROOT / "docs/content/pages/commands.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


COMMANDS_SHOWN = re.findall(r"`python3 build\.py ([^`]+)`", README)


def test_readme_is_read_in_a_minute() -> None:
    assert len(re.sub(r"<!--.*?-->", "", README).split()) <= 450


def test_readme_names_only_commands_that_exist() -> None:
    assert {line.split()[0] for line in COMMANDS_SHOWN} <= {*COMMANDS, "test"}


def test_the_two_commands_create_a_site_and_serve_it(tmp_path: Path, monkeypatch: Patch) -> None:
    answers = iter(["", "Ada Example", "", "", "", "", "folio", "", "", "n"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    (tmp_path / "tenure").mkdir()
    new, serve = (line for line in COMMANDS_SHOWN if line.startswith(("new", "serve")))
    for line in (new, serve):
        run_line(f"python3 build.py {line}", tmp_path / "tenure")
    assert "theme: folio" in (tmp_path / "me/site.yaml").read_text("utf-8")
    assert main(["check", "--site", str(tmp_path / "me"), "--strict"]) == 0


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
