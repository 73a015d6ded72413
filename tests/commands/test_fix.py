"""`check --fix` shows certain repairs, writes them with --write, and reports the other problems."""

import json
from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.cli import targets
from tenure.cli.app import main

Make = Callable[[str], Sources]
TALKS = "# mine\n- title: Caches: a view   \n  date: 2024\n- title: B\n  date: someday\n"
MISTAKES = f"-- content/talks.yaml --\n{TALKS}"


def test_without_write_a_diff_is_shown_and_nothing_is_written(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site(MISTAKES).root
    assert main(["check", "--fix"], folder=root) == 0
    out = capsys.readouterr().out
    assert '-- title: Caches: a view   \n+- title: "Caches: a view"   \n' in out
    assert "Nothing was written. To write 1 repair in 1 file: check --fix --write" in out
    assert (root / "content/talks.yaml").read_text(encoding="utf-8") == TALKS


def test_write_repairs_the_files_and_reports_the_remaining_problems(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site(MISTAKES).root
    (root / "content/talks.yaml").chmod(0o600)
    assert main(["check", "--fix", "--write"], folder=root) == 1
    output = capsys.readouterr()
    assert "wrote 1 repair into 1 file." in output.out
    assert "“someday” is not a valid date" in output.err
    path = root / "content/talks.yaml"
    assert path.read_text(encoding="utf-8") == TALKS.replace("Caches: a view", '"Caches: a view"')
    assert sorted(path.name for path in path.parent.iterdir()) == ["profile.yaml", "talks.yaml"]
    assert path.stat().st_mode & 0o777 == 0o600
    main(["check", "--fix", "--write"], folder=root)
    assert "nothing to change" in capsys.readouterr().out


def test_repairs_hidden_by_another_mistake_are_written_as_well(site: Make) -> None:
    hidden = "-- content/talks.yaml --\n-title: One: two\n-title: B: c\n  link:https\n"
    root = site(hidden).root
    main(["check", "--fix", "--write"], folder=root)
    text = (root / "content/talks.yaml").read_text(encoding="utf-8")
    assert text.startswith('- title: "One: two"\n- title: "B: c"\n')


def test_a_bib_file_a_text_and_front_matter_are_repaired_in_one_call(site: Make) -> None:
    root = site(
        "-- bib/papers.bib --\n@article{x,\n  title = {A}\n  author = {Example, Ada},\n  journal = {B},\n"
        "  year = 2024,\n}\n"
        "-- content/posts/one.md --\n---\ntitle: One: two\ndate: 2024-01-01\n---\n```\ncode\n"
    ).root
    assert main(["check", "--fix", "--write", "--strict"], folder=root) == 0
    bib = (root / "bib/papers.bib").read_text(encoding="utf-8")
    assert "title = {A},\n" in bib
    post = (root / "content/posts/one.md").read_text(encoding="utf-8")
    assert post == '---\ntitle: "One: two"\ndate: 2024-01-01\n---\n```\ncode\n```\n'


def test_a_file_saved_during_the_check_is_unchanged(
    site: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site(MISTAKES).root
    build = targets.build_site

    def build_then_save(*arguments: object) -> object:
        built = build(*arguments)  # type: ignore[arg-type]
        (root / "content/talks.yaml").write_text(TALKS.replace("mine", "yours!"), encoding="utf-8")
        return built

    monkeypatch.setattr("tenure.cli.source_changes.build_site", build_then_save)
    assert main(["check", "--fix"], folder=root) == 2
    assert "has changed since it was read" in capsys.readouterr().err


def test_a_file_behind_a_symlink_out_of_the_site_is_unchanged(
    site: Make, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site("").root
    shared = tmp_path_factory.mktemp("shared") / "talks.yaml"
    shared.write_text(TALKS, encoding="utf-8")
    (root / "content/talks.yaml").symlink_to(shared)
    assert main(["check", "--fix", "--write"], folder=root) == 1
    assert "leaves the folder of the site" in capsys.readouterr().err
    assert shared.read_text(encoding="utf-8") == TALKS


def test_check_says_how_many_repairs_there_are_and_json_has_them(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site(MISTAKES).root
    main(["check"], folder=root)
    assert "1 repair can be written for you: check --fix shows the changes." in capsys.readouterr().out
    main(["check", "--format", "json"], folder=root)
    problems = json.loads(capsys.readouterr().out)["problems"]
    (problem,) = (problem for problem in problems if problem["edits"])
    assert problem["edits"] == [{"line": 2, "column": 10, "length": 14, "text": '"Caches: a view"'}]
