"""`new` writes a working site, and overwrites nothing."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from conftest import ROOT, run_in, write_files
from PIL import Image

from tenure import __version__
from tenure.build import build_site
from tenure.cli import questions
from tenure.cli.app import main

NAMED = [
    "--name",
    "Ada Lovelace",
    "--affiliation",
    "Analytical Engine Laboratory",
    "--url",
    "https://ada.example.org/",
]


def create_new_site(folder: Path, *arguments: str) -> int:
    return run_in(folder, "new", "site", *arguments)


@pytest.mark.parametrize("theme", ["classic", "folio", "plain", "plate", "margin", "stage"])
def test_a_new_site_builds_without_a_problem(tmp_path: Path, theme: str) -> None:
    assert create_new_site(tmp_path, *NAMED, "--theme", theme) == 0
    built = build_site(tmp_path / "site")
    assert built.problems == ()
    (home,) = [a.read().decode() for a in built.artifacts if a.path == "index.html"]
    assert "Ada Lovelace" in home
    assert "Analytical Engine Laboratory" in home


def test_a_new_site_has_these_files_and_no_placeholders(tmp_path: Path) -> None:
    assert create_new_site(tmp_path, *NAMED) == 0
    files = {
        p.relative_to(tmp_path / "site").as_posix(): p.read_text()
        for p in (tmp_path / "site").rglob("*")
        if p.is_file() and p.parent.name not in (".schemas", "vendor")
    }
    assert sorted(files) == [
        ".github/workflows/check.yml",
        ".github/workflows/pages.yml",
        ".github/workflows/update.yml",
        ".gitignore",
        "AGENTS.md",
        "README.md",
        "bib/papers.bib",
        "build.py",
        "content/profile.yaml",
        "requirements.txt",
        "site.yaml",
    ]
    assert not [
        name
        for name, text in files.items()
        if re.search(r"(?i)lorem|your name|todo|\{name\}|replace me", text)
    ]
    compile(files["build.py"], "build.py", "exec")


def test_m14_a_new_site_asks_no_index_for_tenure(tmp_path: Path) -> None:
    """Anybody can register the name of a package without a release; tests/setup/test_getting_started.py installs from an index."""
    assert create_new_site(tmp_path, *NAMED) == 0
    (wheel,) = (tmp_path / "site/vendor").iterdir()
    assert wheel.name.startswith(f"tenure-{__version__}+")
    lines = (tmp_path / "site/requirements.txt").read_text().splitlines()
    (requirement,) = [line for line in lines if "tenure" in line.casefold() and not line.startswith("#")]
    assert requirement.startswith(f"file:vendor/{wheel.name}#sha256=")


def test_the_workflow_builds_for_its_url_and_keeps_hidden_files(tmp_path: Path) -> None:
    assert create_new_site(tmp_path, *NAMED) == 0
    flow = yaml.safe_load((tmp_path / "site/.github/workflows/pages.yml").read_text())
    assert flow["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    steps = flow["jobs"]["build"]["steps"]
    (upload,) = [step for step in steps if "upload-pages-artifact" in step.get("uses", "")]
    assert upload["with"] == {"path": "output", "include-hidden-files": True}
    runs = " ".join(step.get("run", "") for step in steps)
    assert 'build.py --base-url "$BASE_URL"' in runs
    (result,) = [step["env"] for step in steps if "env" in step]
    assert result == {"BASE_URL": "${{ steps.pages.outputs.base_url }}"}
    assert "check --format github" in runs
    assert flow["jobs"]["deploy"]["needs"] == "build"


def test_the_workflow_of_pull_requests_can_only_read_and_uploads_the_site(tmp_path: Path) -> None:
    assert create_new_site(tmp_path, *NAMED) == 0
    text = (tmp_path / "site/.github/workflows/check.yml").read_text()
    flow = yaml.safe_load(text)
    assert flow[True] == {"pull_request": {}}  # YAML 1.1 reads the key "on" as true
    assert flow["permissions"] == {}
    (job,) = flow["jobs"].values()
    assert job["permissions"] == {"contents": "read"}
    assert "secrets." not in text
    steps = job["steps"]
    assert steps[0]["with"] == {"persist-credentials": False}
    assert [step["run"] for step in steps if "run" in step] == [
        "pip install --requirement requirements.txt",
        "python build.py check --format github",
        "python build.py",
    ]
    assert steps[-1]["uses"].startswith("actions/upload-artifact@")
    assert steps[-1]["with"]["path"] == "output"


def test_both_workflows_use_the_same_versions(tmp_path: Path) -> None:
    assert create_new_site(tmp_path, *NAMED) == 0
    used: dict[str, set[str]] = {}
    for path in (tmp_path / "site/.github/workflows").iterdir():
        for action, version in re.findall(r"uses: ([\w/-]+)@(\S+)", path.read_text()):
            used.setdefault(action, set()).add(version)
    assert {action: versions for action, versions in used.items() if len(versions) > 1} == {}


def test_agents_md_names_existing_files_and_commands(tmp_path: Path) -> None:
    assert create_new_site(tmp_path, *NAMED) == 0
    site = tmp_path / "site"
    text = (site / "AGENTS.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./*-]+\.(?:yaml|md|py|txt|yml|bib))`", text)
    later = {"content/about.md", "content/education.yaml", "content/people.yaml", "content/publications.yaml"}
    assert {name for name in named if "*" not in name and not (site / name).exists()} == later
    for command in re.findall(r"`python3 build\.py ([^`]+)`", text):
        assert run_in(site, *command.split()) == 0
    assert "DOI" in text


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
def test_any_name_is_written_unchanged(tmp_path: Path, name: str) -> None:
    assert create_new_site(tmp_path, "--name", name) == 0
    built = build_site(tmp_path / "site")
    assert built.problems == ()
    assert built.site is not None
    assert built.site.profile.name == name


def test_existing_files_are_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/notes.txt").write_text("mine")
    assert create_new_site(tmp_path, *NAMED) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("folder", "reported"),
    [("../me", "../me/"), ("./a/../me", "me/"), ("{}/far/me", "{}/far/me/"), ("a", "a/")],
)
def test_the_folder_is_printed_as_typed(
    folder: str,
    reported: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert main(["new", folder.format(tmp_path), "--name", "Ada"]) == 0
    assert f" files into {reported.format(tmp_path)}. To see" in capsys.readouterr().out


def test_a_folder_with_only_git_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "site/.git").mkdir(parents=True)
    assert create_new_site(tmp_path, *NAMED) == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--name", ""], "--name: a site needs the name of its owner"),
        (
            ["--name", "A", "--url", "ada"],
            '--url: "ada" is not the URL of a site; write one such as https://',
        ),
        (["--name", "A", "--theme", "x"], '--theme: there is no theme "x"; known here: '),
        (["--name", "A", "--theme", "folioo"], 'did you mean "folio"?'),
        (["--name", "A", "--email", "ada at example"], "--email: "),
        (["--name", "A", "--bib", "papers.bib"], "--bib: papers.bib does not exist"),
        (["--name", "A", "--photo", "notes.txt"], "notes.txt is not a picture that browsers show"),
        (["--name", "A", "--import", "notes.txt"], "notes.txt has none of the formats"),
        (["--import", "old.bib", "--role", "Postdoc"], "--role cannot be combined with --import"),
    ],
)
def test_a_wrong_option_is_reported_and_nothing_is_written(
    tmp_path: Path, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, "-- notes.txt --\nx\n-- old.bib --\n@misc{a, title={A}, year=2024}\n")
    assert create_new_site(tmp_path, *arguments) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


Type = Callable[..., list[str]]


@pytest.fixture
def typed_answers(monkeypatch: pytest.MonkeyPatch) -> Type:
    """Return a function that answers the questions at a terminal; Git has no settings, and the shown prompts are returned."""
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(questions, "query_git", lambda *_, **__: "")

    def type_answers(*answers: str) -> list[str]:
        left, prompts = list(answers), list[str]()

        def answer_prompt(prompt: str) -> str:
            prompts.append(prompt)
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", answer_prompt)
        return prompts

    return type_answers


def test_questions_are_asked_at_a_terminal(tmp_path: Path, typed_answers: Type) -> None:
    prompts = typed_answers(
        "", "Ada Lovelace", "Analyst", "", "ada (at) example.edu", "ada.example.org", "plain", "", ""
    )
    assert create_new_site(tmp_path) == 0
    assert len(prompts) == 9
    site = (tmp_path / "site/site.yaml").read_text()
    assert site.partition("\n")[2] == "schema: 1\nurl: https://ada.example.org/\ntheme: plain\n"
    profile = (tmp_path / "site/content/profile.yaml").read_text()
    assert profile.partition("\n")[2] == "name: Ada Lovelace\nrole: Analyst\nemail: ada@example.edu\n"
    assert build_site(tmp_path / "site").problems == ()


def test_after_a_wrong_answer_the_question_is_asked_again(
    tmp_path: Path, typed_answers: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, "-- papers.txt --\nx\n")
    prompts = typed_answers(
        *("old-site", "", "", "Ada", "", "", "ada", "", "nowhere", "jana.github.io/x", "folioo", "folio"),
        *("papers.txt", "papers.bib", "", ""),
    )
    assert create_new_site(tmp_path) == 0
    out = capsys.readouterr().out
    for reason in (
        "old-site does not exist",
        "a site needs the name",
        '"ada" is not an e-mail address',
        '"nowhere" is not the URL',
        'did you mean "folio"?',
        "papers.txt is not a .bib file",
        "papers.bib does not exist",
    ):
        assert f"  {reason}" in out or reason in out
    assert len(prompts) == 9 + 7
    assert "url: https://jana.github.io/x\ntheme: folio\n" in (tmp_path / "site/site.yaml").read_text()


def test_only_missing_or_wrong_options_are_asked(
    tmp_path: Path, typed_answers: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = typed_answers("Postdoc", "plain", "", "")
    assert create_new_site(tmp_path, *NAMED, "--email", "", "--theme", "plian") == 0
    assert [prompt.partition(" ")[0] for prompt in prompts] == ["Your", "Its", "A", "A"][: len(prompts)]
    assert "there is no theme" in capsys.readouterr().out


@pytest.mark.parametrize("interruption", [EOFError, KeyboardInterrupt])
def test_an_interrupted_dialogue_leaves_no_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed_answers: Type,
    interruption: type[BaseException],
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed_answers("", "Ada")

    def interrupt_question(_: str) -> str:
        raise interruption

    monkeypatch.setattr("builtins.input", interrupt_question)
    assert create_new_site(tmp_path) == (2 if interruption is EOFError else 130)
    output = capsys.readouterr()
    assert "othing was written" in output.out + output.err
    assert not (tmp_path / "site").exists()


def test_a_folder_that_cannot_be_written_completely_gets_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, "-- site/.gitignore --\nmine\n")
    real = Path.write_bytes

    def fail_on_full_disk(path: Path, data: bytes) -> int:
        if path.name == "build.py":
            raise OSError(28, "No space left on device")
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", fail_on_full_disk)
    assert create_new_site(tmp_path, *NAMED) == 2
    assert [path.name for path in (tmp_path / "site").iterdir()] == [".gitignore"]
    assert (tmp_path / "site/.gitignore").read_text() == "mine\n"


def test_a_bib_file_and_a_photo_are_copied_and_shown(tmp_path: Path) -> None:
    write_files(tmp_path, "-- mine.bib --\n@misc{a, title={One Title}, author={Lovelace, Ada}, year=2024}\n")
    Image.new("RGB", (400, 500), "teal").save(tmp_path / "IMG 1.JPG", "JPEG")
    assert create_new_site(tmp_path, *NAMED, "--bib", "mine.bib", "--photo", "IMG 1.JPG") == 0
    assert sorted(path.name for path in (tmp_path / "site/bib").iterdir()) == ["mine.bib"]
    assert "photo: photo.jpg\n" in (tmp_path / "site/content/profile.yaml").read_text()
    built = build_site(tmp_path / "site")
    assert built.problems == ()
    (home,) = [a.read().decode() for a in built.artifacts if a.path == "index.html"]
    assert "One Title" in home or "publications" in home
    assert 'alt="Portrait of Ada Lovelace"' in home


def test_a_path_dropped_into_a_terminal_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, "-- papers.bib --\n")
    (tmp_path / "papers.bib").rename(tmp_path / "my papers.bib")
    for answer_prompt in ("my papers.bib", "'my papers.bib'", "my\\ papers.bib", '"my papers.bib"'):
        assert questions.parse_bib_path(answer_prompt) == str((tmp_path / "my papers.bib").resolve())


def test_an_existing_site_is_passed_to_import(tmp_path: Path, typed_answers: Type) -> None:
    write_files(tmp_path, "-- old.bib --\n@misc{a, title={One}, author={Lovelace, Ada}, year=2024}\n")
    typed_answers("old.bib", "Ada Lovelace")
    assert create_new_site(tmp_path) == 0
    assert (tmp_path / "site/import-report.md").is_file()
    assert run_in(tmp_path, "new", "again", "--import", "old.bib", "--name", "Ada Lovelace") == 0
    assert (tmp_path / "again/import-report.md").is_file()


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("git@github.com:Jana/jana.github.io.git", "https://jana.github.io/"),
        ("https://github.com/jana/homepage", "https://jana.github.io/homepage/"),
        ("https://gitlab.com/jana/homepage.git", ""),
    ],
)
def test_the_url_is_suggested_from_the_repository(tmp_path: Path, remote: str, url: str) -> None:
    assert questions.suggest_url(tmp_path) == ""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "remote", "add", "origin", remote], check=True)
    assert questions.suggest_url(tmp_path) == url


def test_the_email_url_of_git_is_not_published_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "query_git", lambda *arguments, **_: f"{arguments[-1]}@example.edu")
    assert create_new_site(tmp_path, "--name", "Ada") == 0
    assert "example.edu" not in (tmp_path / "site/content/profile.yaml").read_text()
    assert questions.suggest_email(tmp_path) == "user.email@example.edu"


def test_files_of_a_git_host_are_preserved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "readme.rst": "Mine\n",
        "LICENSE": "MIT\n",
        "CNAME": "ada.example.org\n",
        ".gitattributes": "* text\n",
    }
    write_files(tmp_path, "".join(f"-- site/{name} --\n{text}" for name, text in files.items()))
    write_files(tmp_path, "-- site/.gitignore --\n*.log\n.venv/\n")
    (tmp_path / "site/.git").mkdir()
    assert run_in(tmp_path / "site", "new", ".", *NAMED) == 0
    assert {name: (tmp_path / "site" / name).read_text() for name in files} == files
    assert not (tmp_path / "site/README.md").exists()
    assert (tmp_path / "site/.gitignore").read_text() == "*.log\n.venv/\n.cache/\noutput/\n__pycache__/\n"
    out = capsys.readouterr().out
    assert "kept README.md" in out
    assert "follow the README.md" not in out


def test_the_starter_is_part_of_the_package() -> None:
    assert '"tenure" = ["starter/**"' in (ROOT / "pyproject.toml").read_text()
