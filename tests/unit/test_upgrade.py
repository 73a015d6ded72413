"""`upgrade` moves a site to the running Tenure: it shows the changes, writes them with --write, and keeps the user's own lines."""

import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, write_files

from tenure.cli.app import main
from tenure.cli.requirements import OWN_PACKAGES_MARKER

OLD = "tenure[pdf]==0.0.1\njinja2==3.0.0\nqrcode==7.4\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a site of an older Tenure; the command is called in another folder."""
    root = tmp_path / "my site"
    write_files(root, f"-- content/profile.yaml --\nname: Ada Example\n-- requirements.txt --\n{OLD}")
    (root / "vendor").mkdir()
    (root / "vendor/tenure-0.0.1-py3-none-any.whl").write_bytes(b"old")
    (root / "vendor/other.whl").write_bytes(b"mine")
    monkeypatch.chdir(tmp_path)
    return root


def files_of(site: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes() for path in site.rglob("*") if path.is_file() and ".cache" not in path.parts
    }


def test_without_write_changes_are_shown_and_nothing_is_written(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(site)
    assert main(["upgrade", "my site"], folder=ROOT) == 0
    out = capsys.readouterr().out
    assert "--- my site/requirements.txt\n+++ my site/requirements.txt\n" in out
    assert "-tenure[pdf]==0.0.1\n" in out
    assert "+file:vendor/tenure-0.1.0+" in out
    assert "add my site/vendor/tenure-0.1.0+" in out
    assert "delete my site/vendor/tenure-0.0.1-py3-none-any.whl\n" in out
    assert out.endswith("Nothing was written. To upgrade: tenure upgrade 'my site' --write\n")
    assert files_of(site) == before


def test_write_updates_wheel_versions_and_sources(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    assert main(["upgrade", "--write"], folder=ROOT) == 0
    text = (site / "requirements.txt").read_text(encoding="utf-8")
    assert text.endswith(f"\n{OWN_PACKAGES_MARKER}qrcode==7.4\n")
    assert "jinja2==3.0.0" not in text
    (mine, wheel) = sorted(path.name for path in (site / "vendor").iterdir())
    assert mine == "other.whl"
    assert f"\nfile:vendor/{wheel}#sha256=" in text
    assert (site / ".schemas/site.json").is_file()
    assert "0 problems" in capsys.readouterr().out
    assert main(["upgrade", "--write"], folder=ROOT) == 0
    assert "uses this Tenure already" in capsys.readouterr().out
    assert (site / "requirements.txt").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("folder", ["old", "another folder"])
def test_a_wheel_ignored_by_git_is_reported(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that Jekyll built has a .gitignore with vendor/; the host would not get the wheel."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / folder, "-- .gitignore --\n_site\nvendor\n-- papers.bib --\n")
    subprocess.run(["git", "init", "--quiet", tmp_path / folder], check=True)
    (tmp_path / folder / "requirements.txt").write_text("nbconvert\n", encoding="utf-8")
    assert main(["import", f"{folder}/papers.bib", "--to", folder, "--name", "Ada"]) == 0
    out = capsys.readouterr().out
    ignored = "Git ignores vendor/ (.gitignore:2:vendor), but the published site needs it. Add it: git add --force vendor\n"
    assert ignored in out
    call = f"tenure upgrade {shlex.quote(folder)} --write"
    assert f"kept {folder}/requirements.txt: it does not list this Tenure. To add it: {call}\n" in out
    assert main(shlex.split(call)[1:]) == 0
    assert ignored in capsys.readouterr().out
    text = (tmp_path / folder / "requirements.txt").read_text(encoding="utf-8")
    assert "\nfile:vendor/tenure-" in text
    assert text.endswith(f"\n{OWN_PACKAGES_MARKER}nbconvert\n")
    subprocess.run(["git", "add", "--force", "vendor"], cwd=tmp_path / folder, check=True)
    assert main(["upgrade", folder, "--write"]) == 0
    assert "Git ignores" not in capsys.readouterr().out


def test_mistakes_in_the_sources_are_reported_with_status_1(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(site, "-- content/talks.yaml --\n- evnt: Seminar\n")
    assert main(["upgrade", "my site"], folder=ROOT) == 1
    assert "my site/content/talks.yaml:1:3: error" in capsys.readouterr().err


def test_a_folder_without_a_site_and_the_clone_itself_are_wrong_calls(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["upgrade"], folder=ROOT) == 2
    assert "there is no site in" in capsys.readouterr().err
    assert main(["upgrade", str(ROOT)], folder=site) == 2
    assert "is a clone of Tenure, not a site; name your site: tenure upgrade DIR" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_reported(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "requirements.txt").unlink()
    (site / "requirements.txt").mkdir()
    assert main(["upgrade", "my site", "--write"], folder=ROOT) == 2
    assert "cannot write my site: " in capsys.readouterr().err
