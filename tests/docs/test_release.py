"""The steps of a release that are commands: the notes of a version, and the template repository."""

import sys
from pathlib import Path

from conftest import ROOT, run_in, run_process

from tenure import __version__


def test_a_release_has_the_section_of_its_version() -> None:
    result = run_process(sys.executable, ROOT / "tools/release.py", "notes", f"v{__version__}")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"## {__version__}")
    assert "\n## Upgrade notes\n" in result.stdout
    wrong = run_process(sys.executable, ROOT / "tools/release.py", "notes", "v99")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr == "the tag v99 is not the version in tenure/__init__.py\n"


def test_the_template_begins_with_the_two_clicks(tmp_path: Path) -> None:
    assert run_in(tmp_path, "new", "template", "--name", "Your Name") == 0
    result = run_process(sys.executable, ROOT / "tools/release.py", "template", tmp_path / "template")
    assert result.returncode == 0, result.stderr
    readme = (tmp_path / "template/README.md").read_text("utf-8")
    first, rest = readme.split("# Your Name\n")
    assert first.index("Use this template") < first.index("GitHub Actions")
    assert "python3 build.py explain" in rest
    assert run_in(tmp_path, "check", "--site", "template") == 0
