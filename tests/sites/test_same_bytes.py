"""The same sources give the same bytes: twice, in another zone, language and order of hashing, in another folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from tenure.build import build_site
from tenure.publish import publish_artifacts

EXAMPLE = ROOT / "examples" / "systems-phd-2026"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def run(folder: Path, output: Path, **variables: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tenure", "build", "--site", str(folder), "--output", str(output)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "variables",
    [
        {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1"},
        {"TZ": "America/Anchorage", "PYTHONHASHSEED": "2", "LC_ALL": "C"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "PYTHONHASHSEED": "3"},
        {"PYTHONUTF8": "0", "LC_ALL": "POSIX"},
    ],
    ids=lambda variables: " ".join(f"{k}={v}" for k, v in variables.items()),
)
def test_bytes_do_not_depend_on_the_machine(tmp_path: Path, variables: dict[str, str]) -> None:
    copy = tmp_path / "elsewhere" / "site"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("output", ".cache"))
    run(copy, tmp_path / "out", **variables)
    publish_artifacts(build_site(EXAMPLE).artifacts, tmp_path / "here")
    assert tree(tmp_path / "out") == tree(tmp_path / "here")


def test_second_publication_writes_nothing(tmp_path: Path) -> None:
    first = publish_artifacts(build_site(EXAMPLE).artifacts, tmp_path)
    second = publish_artifacts(build_site(EXAMPLE).artifacts, tmp_path)
    assert first.written
    assert second.written == ()
    assert second.removed == ()
    assert sorted(second.unchanged) == sorted(first.written)


def test_cached_build_is_the_clean_build(tmp_path: Path) -> None:
    copy = tmp_path / "site"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("output", ".cache"))
    clean = {a.path: a.read() for a in build_site(copy).artifacts}
    for file in (copy / ".cache").glob("*"):
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert {a.path: a.read() for a in build_site(copy).artifacts} == clean
