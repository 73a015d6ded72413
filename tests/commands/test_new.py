"""`new` asks for what is missing, and writes a working site; beginnings.txt has calls without questions."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Capture, Patch, run_in, write_files
from loopback import Services
from PIL import Image
from word_files import write_word_file

from tenure.build import build_site
from tenure.cli import questions, serve
from tenure.cli.arguments import Call
from tenure.sources.editing.json_schema import MODELINE_PREFIX

BIB = "-- old.bib --\n@misc{a, title={One Title}, author={Lovelace, Ada}, year=2024}\n"
ADA = "0000-0002-1825-0097"


def create_new_site(folder: Path, *arguments: str) -> int:
    return run_in(folder, "new", "site", *arguments)


def read_lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if not line.startswith(MODELINE_PREFIX)]


def test_agents_md_names_existing_files_and_commands(tmp_path: Path) -> None:
    assert create_new_site(tmp_path, "--name", "Ada") == 0
    site = tmp_path / "site"
    text = (site / "AGENTS.md").read_text("utf-8")
    named = re.findall(r"`([\w./*-]+\.(?:yaml|md|py|txt|yml|bib))`", text)
    later = {"content/about.md", "content/education.yaml", "content/people.yaml", "content/publications.yaml"}
    assert {name for name in named if "*" not in name and not (site / name).exists()} == later
    (site / "cv.txt").write_text("Ada", "utf-8")
    for command in re.findall(r"`python3 build\.py ([^`]+)`", text):
        assert run_in(site, *command.replace("CODE", "unknown-key").split()) == 0


NAMES = 'Søren O\'Neill | 王小明 | Ann "Nan" Lee | Lee: Ann | - Ann | Ann #1 | {Ann} | true'


@pytest.mark.parametrize("name", NAMES.split(" | "))
def test_any_name_is_written_unchanged(tmp_path: Path, name: str) -> None:
    assert create_new_site(tmp_path, "--name", name) == 0
    built = build_site(tmp_path / "site")
    assert built.problems == ()
    assert built.site is not None
    assert built.site.profile.name == name


Type = Callable[..., list[str]]


@pytest.fixture
def type_answers(monkeypatch: Patch) -> Type:
    """Return a function that answers the questions at a terminal; Git has no settings, and the shown prompts are returned."""
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr(questions, "query_git", lambda *_, **__: "")

    def type_given_answers(*answers: str) -> list[str]:
        left, prompts = list(answers), list[str]()

        def answer_prompt(prompt: str) -> str:
            prompts.append(prompt)
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", answer_prompt)
        return prompts

    return type_given_answers


def test_questions_are_asked_at_a_terminal(tmp_path: Path, type_answers: Type) -> None:
    write_files(tmp_path, BIB)
    Image.new("RGB", (400, 500), "teal").save(tmp_path / "IMG 1.JPG", "JPEG")
    prompts = type_answers(
        *("", "Ada Lovelace", "Analyst: engines", "", "ada (at) example.edu", "ada.example.org", "plain"),
        *("'old.bib'", "IMG\\ 1.JPG"),
    )
    assert create_new_site(tmp_path) == 0
    assert (len(prompts), prompts[-1]) == (10, "Show it now? [Y]: ")
    site = tmp_path / "site"
    assert read_lines(site / "site.yaml") == ["schema: 1", "url: https://ada.example.org/", "theme: plain"]
    profile = ["name: Ada Lovelace", 'role: "Analyst: engines"', "email: ada@example.edu", "photo: photo.jpg"]
    assert read_lines(site / "content/profile.yaml") == profile
    assert [path.name for path in (site / "bib").iterdir()] == ["old.bib"]
    built = build_site(site)
    assert built.problems == ()
    (home,) = [a.read().decode() for a in built.artifacts if a.path == "index.html"]
    assert 'alt="Portrait of Ada Lovelace"' in home


def test_a_wrong_answer_repeats_the_question(tmp_path: Path, type_answers: Type, capsys: Capture) -> None:
    write_files(tmp_path, "-- papers.txt --\nx\n")
    answers = (
        "old-site|papers.txt||" "|Ada||" "|ada|ada at example.edu" "|nowhere|jana.github.io/x"
        "|folioo|folio" "|papers.txt|papers.bib|" "|papers.txt|"
    )  # fmt: skip
    prompts = type_answers(*answers.split("|"))
    assert create_new_site(tmp_path) == 0
    out = capsys.readouterr().out
    for reason in (
        *("old-site does not exist", "papers.txt has none of the formats", "a site needs the name"),
        *('"ada" is not an e-mail address', '"nowhere" is not the URL', 'did you mean "folio"?'),
        *("papers.txt is not a .bib file", "papers.bib does not exist", "papers.txt is not a picture"),
    ):
        assert reason in out
    assert len(prompts) == 9 + 9 + 1
    assert read_lines(tmp_path / "site/site.yaml")[1:] == ["url: https://jana.github.io/x", "theme: folio"]


def test_after_an_import_other_questions_follow(tmp_path: Path, type_answers: Type, capsys: Capture) -> None:
    write_files(tmp_path, BIB)
    prompts = type_answers("old.bib", "Ada Lovelace", "Analyst", "London", "", "", "plain", "")
    assert create_new_site(tmp_path) == 0
    asked = "Your role|Your university or institute: |Your e-mail address; the site hides it from robots: "
    asked += "|The URL of the site|Its theme: classic|A photo of you: |Show it now? [Y]: "
    assert [prompt.split(",")[0] for prompt in prompts[2:]] == asked.split("|")
    assert {"role: Analyst", "affiliation: London"} < {*read_lines(tmp_path / "site/content/profile.yaml")}
    assert "theme: plain" in read_lines(tmp_path / "site/site.yaml")
    assert (tmp_path / "site/import-report.md").is_file()
    assert build_site(tmp_path / "site").problems == ()
    out = capsys.readouterr().out
    assert out.index("BibTeX: read") < out.index("tenure serve --site site --open")


def test_after_a_cv_in_word_a_bib_file_is_asked_for(tmp_path: Path, type_answers: Type) -> None:
    write_files(tmp_path, BIB)
    write_word_file(tmp_path / "cv.docx", "Title> Ada Lovelace\nHeading 1> Talks\nLamps, 2019")
    prompts = type_answers("cv.docx", "", "", "", "", "plain", "old.bib", "", "no")
    assert create_new_site(tmp_path) == 0
    assert prompts[6] == "A .bib file with your publications: "
    assert (tmp_path / "site/bib/old.bib").read_bytes() == (tmp_path / "old.bib").read_bytes()
    built = build_site(tmp_path / "site")
    assert "publications/index.html" in [artifact.path for artifact in built.artifacts]


@pytest.mark.parametrize("answer", ["", "y", "no"])
def test_the_new_site_is_shown_if_the_user_wants_it(
    answer: str, tmp_path: Path, type_answers: Type, monkeypatch: Patch, capsys: Capture
) -> None:
    served: list[Call] = []

    def serve_site(call: Call) -> int:
        served.append(call)
        return 0

    monkeypatch.setattr(serve, "run_command", serve_site)
    type_answers("", "Ada Lovelace", *[""] * 7, answer)
    assert create_new_site(tmp_path) == 0
    assert [(str(call.options.site[0]), call.options.open) for call in served] == [("site", True)] * (
        answer != "no"
    )
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "The site is in site/.",
        "To see it, and every edit as you save it: tenure serve --site site --open",
        "To publish it: tenure explain going-live",
    ]


def test_the_first_build_at_a_terminal_says_what_to_do_next(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    write_files(tmp_path, "-- site/content/profile.yaml --\nname: Ada\n")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run_in(tmp_path, "build", "--site", "site") == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "To see it, and every edit as you save it: tenure serve --site site --open",
        "To publish it: tenure explain going-live",
    ]
    write_files(tmp_path, "-- site/content/about.md --\nWords.\n")
    assert run_in(tmp_path, "build", "--site", "site") == 0
    assert re.search(r" s$", capsys.readouterr().out), "the summary alone"


MIDDLE_NAME = """
-- papers.bib --
@misc{a, title={One}, author={Hartwell, Claire M.}, year=2024}
@misc{b, title={Two}, author={Hartwell, Claire M. and Lee, Bo}, year=2023}
@misc{c, title={Three}, author={Hartwell, Claire}, year=2022}
"""


@pytest.mark.parametrize(("answer", "aliases"), [("y", ["aliases:", "  - Claire M. Hartwell"]), ("", [])])
def test_a_spelling_in_a_bib_file_is_the_owner_only_with_a_yes(
    answer: str, aliases: list[str], tmp_path: Path, type_answers: Type, capsys: Capture
) -> None:
    write_files(tmp_path, MIDDLE_NAME)
    questions_before = ["", "Claire Hartwell", "", "", "", "", "", "papers.bib", ""]
    prompts = type_answers(*questions_before, "maybe", answer)
    assert create_new_site(tmp_path) == 0
    assert prompts[-2] == "Is Claire M. Hartwell you? (2 entries) [no]: "
    assert '"maybe" is neither yes nor no' in capsys.readouterr().out
    assert read_lines(tmp_path / "site/content/profile.yaml") == ["name: Claire Hartwell", *aliases]
    prompts = type_answers(answer)
    assert run_in(tmp_path, "import", "papers.bib", "--to", "imported", "--name", "Claire Hartwell") == 0
    assert prompts == ["Is Claire M. Hartwell you? (2 entries) [no]: "]
    assert read_lines(tmp_path / "imported/content/profile.yaml") == ["name: Claire Hartwell", *aliases]


def test_orcid_may_not_answer(
    tmp_path: Path, type_answers: Type, services: Services, capsys: Capture
) -> None:
    assert services.replies == {}, "it has no record"
    type_answers("Ada Lovelace", "Analyst", "", "", "", "", "", "")
    assert create_new_site(tmp_path, "--orcid", ADA) == 0
    out = capsys.readouterr().out
    assert f"The site is made without the record. To add it later: tenure import {ADA} --to site\n" in out
    assert read_lines(tmp_path / "site/content/profile.yaml") == ["name: Ada Lovelace", "role: Analyst"]


@pytest.mark.parametrize("interruption", [EOFError, KeyboardInterrupt])
def test_an_interrupted_dialogue_leaves_no_files(
    tmp_path: Path, monkeypatch: Patch, type_answers: Type, interruption: type[BaseException], capsys: Capture
) -> None:
    type_answers()

    def interrupt_question(_: str) -> str:
        raise interruption

    monkeypatch.setattr("builtins.input", interrupt_question)
    assert create_new_site(tmp_path) == (2 if interruption is EOFError else 130)
    assert "Nothing was written" in capsys.readouterr().out
    assert not (tmp_path / "site").exists()


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
