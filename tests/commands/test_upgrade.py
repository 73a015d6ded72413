"""`upgrade` moves a site to the running Tenure: it shows the changes, writes them with --write, and keeps the user's own lines."""

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


def test_changes_are_shown_and_only_written_with_write(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["upgrade", "--site", "my site"], folder=ROOT) == 0
    out = capsys.readouterr().out
    assert "--- my site/requirements.txt\n+++ my site/requirements.txt\n" in out
    assert "-tenure[pdf]==0.0.1\n" in out
    assert "+file:vendor/tenure-0.1.0+" in out
    assert "add my site/vendor/tenure-0.1.0+" in out
    assert "delete my site/vendor/tenure-0.0.1-py3-none-any.whl\n" in out
    assert out.endswith("Nothing was written. To upgrade: tenure upgrade --site 'my site' --write\n")
    assert (site / "requirements.txt").read_text(encoding="utf-8") == OLD
    assert main(["upgrade", "--site", "my site", "--write"], folder=ROOT) == 0
    assert "0 problems" in capsys.readouterr().out
    text = (site / "requirements.txt").read_text(encoding="utf-8")
    assert text.endswith(f"\n{OWN_PACKAGES_MARKER}qrcode==7.4\n")
    assert "jinja2==3.0.0" not in text
    (mine, wheel) = sorted(path.name for path in (site / "vendor").iterdir())
    assert mine == "other.whl"
    assert f"\nfile:vendor/{wheel}#sha256=" in text
    assert (site / ".schemas/site.json").is_file()
    assert main(["upgrade", "--site", "my site"], folder=ROOT) == 0
    assert "uses this Tenure already" in capsys.readouterr().out


def test_a_wheel_ignored_by_git_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that Jekyll built has a .gitignore with vendor/; the host would not get the wheel."""
    monkeypatch.chdir(tmp_path)
    write_files(
        tmp_path / "old", "-- .gitignore --\n_site\nvendor\n-- papers.bib --\n-- requirements.txt --\nx\n"
    )
    subprocess.run(["git", "init", "--quiet", tmp_path / "old"], check=True)
    assert main(["import", "old/papers.bib", "--to", "old", "--name", "Ada"]) == 0
    out = capsys.readouterr().out
    ignored = "Git ignores vendor/ (.gitignore:2:vendor), but the published site needs it. Add it: git add --force vendor\n"
    assert ignored in out
    call = "tenure upgrade --site old --write"
    assert f"kept old/requirements.txt: it does not list this Tenure. To add it: {call}\n" in out
    assert main(call.split()[1:]) == 0
    assert ignored in capsys.readouterr().out
    assert (
        (tmp_path / "old/requirements.txt")
        .read_text(encoding="utf-8")
        .endswith(f"\n{OWN_PACKAGES_MARKER}x\n")
    )


def test_problems_and_wrong_folders_are_reported(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upgrade"], folder=ROOT) == 2
    assert "there is no site in" in capsys.readouterr().err
    assert main(["upgrade", "--site", str(ROOT)], folder=site) == 2
    assert (
        "is a clone of Tenure, not a site; name your site: tenure upgrade --site DIR"
        in capsys.readouterr().err
    )
    write_files(site, "-- content/talks.yaml --\n- evnt: Seminar\n")
    assert main(["upgrade", "--site", "my site"], folder=ROOT) == 1
    assert "my site/content/talks.yaml:1:3: error" in capsys.readouterr().err
    (site / "requirements.txt").unlink()
    (site / "requirements.txt").mkdir()
    assert main(["upgrade", "--site", "my site", "--write"], folder=ROOT) == 2
    assert "cannot read or write my site/requirements.txt: " in capsys.readouterr().err
