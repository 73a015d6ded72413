"""The scripts of the themes, of the preview and of the page “Try it” have no undeclared, unused or shadowed name. Oxlint needs no Node."""

import subprocess
import sysconfig
from pathlib import Path

import pytest
from conftest import ROOT

OXLINT = Path(sysconfig.get_path("scripts")) / "oxlint"
THIRD_PARTY = {"minisearch.js", "idiomorph.js"}
SCRIPTS = sorted(
    path
    for folder in ("themes", "tenure", "browser/engine", "browser/page", "tests/machine")
    for path in (ROOT / folder).rglob("*.*js")
    if path.name not in THIRD_PARTY
)


def lint_scripts(*paths: Path) -> subprocess.CompletedProcess[str]:
    configuration = Path(__file__).with_name("oxlint.json")
    command = [str(OXLINT), "--config", str(configuration), "--format", "unix", *map(str, paths)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_scripts_are_clean() -> None:
    assert {path.name for path in SCRIPTS} >= {"preview.js", "search.js", "services.js", "site.js"}
    result = lint_scripts(*SCRIPTS, ROOT / "browser" / "pack.mjs")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("script", "rule"),
    [
        ("(() => { leak = 1; })();", "no-undef"),
        ("(() => { const unused = () => 1; })();", "no-unused-vars"),
        ("var shared = 1; addEventListener('load', () => shared);", "no-var"),
        ("(() => { if (document.title == 1) alert(document.title); })();", "eqeqeq"),
        ("(() => { const a = 1; addEventListener('load', () => { const a = 2; alert(a); }); alert(a); })();", "no-shadow"),
        ("(() => {", "Expected"),
    ],
)  # fmt: skip
def test_a_script_with_a_mistake_is_refused(script: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.js"
    path.write_text(script, "utf-8")
    result = lint_scripts(path)
    assert result.returncode == 1
    assert rule in result.stdout
