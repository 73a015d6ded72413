"""Packages in the workflows and tests of the repository are pinned by version and hash, actions by commit."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement

LOCKS = {"tests/requirements.txt": ("test",), ".github/requirements.txt": ()}
ALL_LOCKS = {**LOCKS, "tests/requirements-all.txt": ("test-all",)}
"""The files with pinned packages, and the extras that each contains."""

WORKFLOWS = sorted([*(ROOT / ".github/workflows").iterdir(), *(ROOT / "tenure/starter/workflows").iterdir()])
PINNED_ACTION = re.compile(r"uses: ([\w-]+/[\w-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)")
ALLOWED_RIGHTS = {
    ("actions", "read"), ("contents", "read"), ("pages", "read"), ("pages", "write"), ("id-token", "write"),
}  # fmt: skip
MORE_RIGHTS = {
    ("update.yml", "fetch"): frozenset({("contents", "write"), ("pull-requests", "write")}),
    ("release.yml", "release"): frozenset({("contents", "write")}),
}
"""
The job that opens a pull request, only on the default branch and only for a site with `fetch:`, and the one that publishes a
release.
"""


def read_pins(name: str) -> dict[str, tuple[str, int]]:
    """Return the version and the number of hashes of each package in a file, by normalized name."""
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    pins: dict[str, tuple[str, int]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"([\w.-]+)==(\S+)( ; [^#]*?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", line)
            assert match, line[:100]
            pins[match[1]] = match[2], match[4].count("--hash")
    return pins


def read_workflow(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@pytest.mark.parametrize("name", ALL_LOCKS)
def test_every_dependency_is_pinned_with_its_hashes(name: str) -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = pyproject["project"]
    needed = [line for extra in ALL_LOCKS[name] for line in project["optional-dependencies"][extra]]
    if name in LOCKS:
        needed += project["dependencies"] + pyproject["build-system"]["requires"]
    pins = read_pins(name)
    for line in needed:
        requirement = Requirement(line)
        package = re.sub(r"[-_.]+", "-", requirement.name).lower()
        assert package in pins, f"{package} is not in {name}; its first lines say how to write it"
        version, hash_count = pins[package]
        assert requirement.specifier.contains(version), f"{package} {version} is not {requirement}"
        assert hash_count > 0


def test_both_files_have_the_same_versions() -> None:
    tests, site = (read_pins(name) for name in LOCKS)
    assert {package: tests[package] for package in site} == site


def test_packages_are_installed_by_their_hashes_but_for_the_job_with_the_newest() -> None:
    jobs = [
        (name, step["run"])
        for path in (ROOT / ".github/workflows").iterdir()
        for name, job in read_workflow(path)["jobs"].items()
        for step in job["steps"]
        if "pip install" in step.get("run", "")
    ]
    pinned = "--require-hashes --requirement", "--no-deps --no-build-isolation --editable ."
    assert [name for name, run in jobs if not any(text in run for text in pinned)] == ["newest"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.parent.parent.name + "/" + path.name)
def test_a_workflow_has_pinned_actions_and_few_rights(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(PINNED_ACTION.findall(text)) == text.count("uses:")
    workflow = read_workflow(path)
    assert workflow["permissions"] == {}
    assert "pull_request_target" not in text
    for name, job in workflow["jobs"].items():
        more_rights = MORE_RIGHTS.get((path.name, name), frozenset())
        assert set(job["permissions"].items()) <= ALLOWED_RIGHTS | more_rights
        assert job["timeout-minutes"] <= 180
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "a value becomes code here; use env"
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_an_action_has_one_commit_in_all_workflows() -> None:
    commits: dict[str, set[tuple[str, str]]] = {}
    for path in WORKFLOWS:
        for action, commit, version in PINNED_ACTION.findall(path.read_text("utf-8")):
            commits.setdefault(action, set()).add((commit, version))
    assert {action: pins for action, pins in commits.items() if len(pins) > 1} == {}


def test_each_job_of_a_release_waits_for_its_variable() -> None:
    jobs = read_workflow(ROOT / ".github/workflows/release.yml")["jobs"]
    guards = {name: job.get("if", "") for name, job in jobs.items()}
    assert {name for name, guard in guards.items() if not guard.startswith("vars.")} == {
        "tests",
        "package",
        "deploy",
    }
    assert jobs["deploy"]["needs"] == "build", "left out with it"
    page = (ROOT / ".github/PUBLISHING.md").read_text("utf-8")
    variables = {guard.split()[0].removeprefix("vars.") for guard in guards.values() if guard}
    assert [name for name in variables if f"`{name}`" not in page] == []
