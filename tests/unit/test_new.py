"""`new` writes a site that works, and nothing over anything."""

import re
from pathlib import Path

import pytest
import yaml
from conftest import ROOT, run_in

from tenure import __version__
from tenure.cli import main
from tenure.pipeline import build

NAMED = [
    "--name",
    "Ada Lovelace",
    "--affiliation",
    "Analytical Engine Laboratory",
    "--url",
    "https://ada.example.org/",
]


def new(folder: Path, *words: str) -> int:
    return run_in(folder, "new", "site", *words)


@pytest.mark.parametrize("theme", ["classic", "folio", "plain"])
def test_a_new_site_builds_without_a_problem(tmp_path: Path, theme: str) -> None:
    assert new(tmp_path, *NAMED, "--theme", theme) == 0
    made = build(tmp_path / "site", thorough=True)
    assert made.problems == ()
    (home,) = [a.read().decode() for a in made.artifacts if a.path == "index.html"]
    assert "Ada Lovelace" in home
    assert "Analytical Engine Laboratory" in home


def test_a_new_site_holds_these_files_and_no_word_to_replace(tmp_path: Path) -> None:
    assert new(tmp_path, *NAMED) == 0
    files = {
        p.relative_to(tmp_path / "site").as_posix(): p.read_text()
        for p in (tmp_path / "site").rglob("*")
        if p.is_file() and p.parent.name != ".schemas"
    }
    assert sorted(files) == [
        ".github/workflows/pages.yml",
        ".gitignore",
        "README.md",
        "bib/papers.bib",
        "build.py",
        "content/profile.yaml",
        "requirements.txt",
        "site.yaml",
    ]
    assert files["requirements.txt"] == f"tenure[pdf]=={__version__}\n"
    assert not [
        name
        for name, text in files.items()
        if re.search(r"(?i)lorem|your name|todo|\{name\}|replace me", text)
    ]
    compile(files["build.py"], "build.py", "exec")


def test_the_workflow_builds_for_its_address_and_keeps_hidden_files(tmp_path: Path) -> None:
    assert new(tmp_path, *NAMED) == 0
    flow = yaml.safe_load((tmp_path / "site/.github/workflows/pages.yml").read_text())
    assert flow["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    steps = flow["jobs"]["build"]["steps"]
    (upload,) = [step for step in steps if "upload-pages-artifact" in step.get("uses", "")]
    assert upload["with"] == {"path": "output", "include-hidden-files": True}
    runs = " ".join(step.get("run", "") for step in steps)
    assert 'build.py --base-url "$BASE_URL"' in runs
    (made,) = [step["env"] for step in steps if "env" in step]
    assert made == {"BASE_URL": "${{ steps.pages.outputs.base_url }}"}
    assert "check --format github" in runs
    assert flow["jobs"]["deploy"]["needs"] == "build"


@pytest.mark.parametrize(
    "name",
    [
        "Søren O'Neill",
        "王小明",
        'Ann "Nan" Lee',
        "Lee: Ann",
        "- Ann",
        "Ann #1",
        "{Ann}",
        "true",
        "Dr. Ann, Jr.",
    ],
)
def test_any_name_comes_back_as_it_was_given(tmp_path: Path, name: str) -> None:
    assert new(tmp_path, "--name", name) == 0
    made = build(tmp_path / "site")
    assert made.problems == ()
    assert made.site is not None
    assert made.site.profile.name == name


def test_what_is_there_is_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/notes.txt").write_text("mine")
    assert new(tmp_path, *NAMED) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("folder", "told"), [("../me", "../me/"), ("./a/../me", "me/"), ("{}/far/me", "{}/far/me/"), ("a", "a/")]
)
def test_the_folder_is_told_as_it_was_written(
    folder: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert main(["new", folder.format(tmp_path), "--name", "Ada"]) == 0
    assert f" files into {told.format(tmp_path)}. Next:\n" in capsys.readouterr().out


def test_a_folder_with_only_git_in_it_will_do(tmp_path: Path) -> None:
    (tmp_path / "site/.git").mkdir(parents=True)
    assert new(tmp_path, *NAMED) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--name", ""], "needs a name"),
        (["--name", "A", "--url", "ada"], "no address"),
        (["--name", "A", "--theme", "x"], 'no theme called "x"; known here: '),
    ],
)
def test_a_wrong_answer_is_told_and_nothing_written(
    tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new(tmp_path, *words) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_at_a_terminal_it_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    answers = iter(["Ada Lovelace", "", "https://ada.example.org", "plain"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert new(tmp_path) == 0
    written = (tmp_path / "site/site.yaml").read_text()
    assert written.partition("\n")[2] == "schema: 1\nurl: https://ada.example.org\ntheme: plain\n"


def test_the_starter_is_part_of_the_package() -> None:
    assert '"tenure" = ["starter/**"' in (ROOT / "pyproject.toml").read_text()
