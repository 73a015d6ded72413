"""The commands as a user types them: their output, the files they write, their exit status."""

import errno
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Sources, write_files

from tenure import __version__
from tenure.cli import serve
from tenure.cli.app import CLOSED_PIPE_STATUS, main

Make = Callable[[str], Sources]
BROKEN = "-- content/talks.yaml --\n- tilte: A talk\n  date: someday\n"
DOUBTFUL = "-- bib/papers.bib --\n@article{x, title={X}, author={Example, Ada}, journal={J}, year={soon}}\n"


def test_build_writes_the_site_and_prints_a_summary(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site("-- content/talks.yaml --\n- event: Seminar\n").root
    assert main(["build", "--site", str(folder)]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    stages = [line.partition(" ")[0] for line in out.out.splitlines()]
    assert stages == ["Read", "The", "Rendered", "Wrote", "4"]
    assert "Read 0 publications and 1 other entry.\n" in out.out
    assert "4 pages in " in out.out
    assert "0 problems" in out.out
    assert (folder / "output" / "talks" / "index.html").is_file()


def test_without_a_command_the_current_folder_is_built(
    site: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site("").root)
    assert main([]) == 0
    assert Path("output/index.html").is_file()
    assert "output/" in capsys.readouterr().out


def test_errors_write_nothing_and_keep_the_last_good_site(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site("-- content/talks.yaml --\n- title: A talk\n")
    assert main(["build", "--site", str(sources.root)]) == 0
    before = {p: p.read_bytes() for p in (sources.root / "output").rglob("*") if p.is_file()}
    sources.edit_files(BROKEN)
    assert main(["build", "--site", str(sources.root)]) == 1
    assert {p: p.read_bytes() for p in (sources.root / "output").rglob("*") if p.is_file()} == before
    output = capsys.readouterr()
    assert 'did you mean "title"?' in output.err
    assert "2 errors" in output.out
    assert "nothing was written" in output.out


def test_strict_fails_on_warnings(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site(DOUBTFUL).root
    assert main(["build", "--site", str(folder), "--strict"]) == 1
    assert not (folder / "output").exists()
    assert main(["build", "--site", str(folder)]) == 0
    assert "1 warning" in capsys.readouterr().out


def test_an_unchanged_site_prints_its_warnings_again(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site(DOUBTFUL).root
    main(["build", "--site", str(folder)])
    first = capsys.readouterr()
    assert main(["build", "--site", str(folder)]) == 0
    second = capsys.readouterr()
    assert "Nothing has changed" in second.out
    assert second.err == first.err != ""


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "output/index.html").unlink(),
        lambda root: (root / "output/index.html").write_text("mine now"),
        lambda root: write_files(root, "-- content/talks.yaml --\n- event: New\n"),
        lambda root: (root / "content/awards.yaml").unlink(),
    ],
    ids=["output deleted", "output edited", "source added", "source deleted"],
)
def test_any_change_is_noticed(
    site: Make, change: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = site("-- content/awards.yaml --\n- title: Prize\n").root
    main(["build", "--site", str(folder)])
    change(folder)
    capsys.readouterr()
    assert main(["build", "--site", str(folder)]) == 0
    assert "Nothing has changed" not in capsys.readouterr().out
    assert "Ada Example" in (folder / "output/index.html").read_text(encoding="utf-8")


def test_check_writes_nothing(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site(BROKEN).root
    assert main(["check", "--site", str(folder)]) == 1
    assert "content/talks.yaml:1:3: error:" in capsys.readouterr().err
    assert not (folder / "output").exists()


def test_check_as_json(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site(BROKEN + DOUBTFUL).root
    assert main(["check", "--site", str(folder), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert set(report) == {"problems", "entries"}
    assert {frozenset(problem) for problem in report["problems"]} == {
        frozenset({"file", "line", "column", "level", "code", "message", "hint", "edits"})
    }
    assert [problem["code"] for problem in report["problems"]] == ["bib-bad-date", "unknown-key", "bad-date"]
    assert list(report["entries"].values()) == [{"found": 1, "shown": 1, "reported": 0}]


def test_check_as_annotations(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--site", str(site(BROKEN).root), "--format", "github"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("::error file=")
    assert "line=1,col=3,title=unknown-key::" in first
    assert "title=bad-date" in second


def write_department(root: Path) -> Path:
    for name in ("ada", "bob"):
        write_files(root, f"-- {name}/content/profile.yaml --\nname: {name.title()} Example\n")
    write_files(root, "-- eve/content/profile.yaml --\nnam: Eve\n")
    return root


def test_a_folder_of_sites_is_built_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_department(tmp_path / "people")
    monkeypatch.chdir(tmp_path)
    assert main(["build", "--site", "people"]) == 1
    output = capsys.readouterr()
    assert output.err.startswith("people/eve/content/profile.yaml:1:1: error:")
    assert output.out.splitlines()[-1] == "2 of 3 sites built; with errors: eve."
    assert Path("output/ada/index.html").is_file()
    assert Path("output/bob/index.html").is_file()
    assert not Path("output/eve").exists()


def test_several_sites_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_department(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert (
        main(
            [
                "build",
                "--site",
                "ada",
                "--site",
                "bob",
                "--output",
                "web",
                "--base-url",
                "https://example.edu/",
            ]
        )
        == 0
    )
    assert "https://example.edu/bob/" in Path("web/bob/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["build", "--site", "nowhere"], "there is no folder nowhere"),
        (["biuld"], "biuld"),
        (["build", "--colour"], "--colour"),
        (["check", "--format", "xml"], "xml"),
        (["test"], "own repository only"),
        (
            ["build", "--siet", "x"],
            'there is no option "--siet"; did you mean --site? all options: tenure build --help',
        ),
        (["theme", "list", "--siet=x"], "did you mean --site?"),
        (["serve", "--port", "-1"], "--port is a number from 0 to 65535, not -1"),
        (["serve", "--port", "99999"], "--port is a number from 0 to 65535, not 99999"),
        (["serve", "--port", "9" * 5000], "--port"),
        (["export", "pfd"], 'there is no format "pfd"; did you mean "pdf"?'),
        (["export", "docx"], "the formats are bibtex, ris, "),
        (["init"], 'there is no command "init"; did you mean "new"?'),
        (["preview"], 'did you mean "serve"?'),
        (["zzz"], "the commands are build, check, "),
        (["build", "a"], '"a" is one argument too many; all options: tenure build --help'),
        (["build", "--base-url", "example.edu"], "begins with https://"),
        (["build", "--theme", "clasic"], 'there is no theme called "clasic"; did you mean "classic"?'),
        (["check", "--theme", "nope"], 'there is no theme called "nope"; known here: base, classic, '),
        (["serve", "--theme", "nope"], 'there is no theme called "nope"; known here: base, classic, '),
        (["build", "--output", "content"], "content/, which is read"),
        (["build", "--output", "bib/web"], "bib/, which is read"),
    ],
)
def test_a_wrong_call_is_reported(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "is_parallel"),
    [
        ([], True),
        (["-x", "-k", "dates"], True),
        (["tests/unit", "-k", "dates"], False),
        (["tests/unit/test_dates.py::test_day"], False),
    ],
)
def test_only_the_whole_test_suite_runs_in_parallel(
    arguments: list[str], is_parallel: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []

    def record_command(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        called.append(command)
        return subprocess.CompletedProcess(command, 3)

    monkeypatch.setattr(subprocess, "run", record_command)
    assert main(["test", *arguments], folder=ROOT) == 3
    (command,) = called
    assert command[1:3] == ["-m", "pytest"]
    assert command[3:] == [*(("--numprocesses", "auto") if is_parallel else ()), *arguments]


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out
    for arguments in (["--help"], ["build", "--help"], ["check", "--help"]):
        assert main(arguments) == 0
        assert "show this help" in capsys.readouterr().out


def test_a_foreign_file_is_never_replaced(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    folder = site("").root
    write_files(folder, "-- output/index.html --\nmy own page\n")
    assert main(["build", "--site", str(folder)]) == 1
    assert "was not written by Tenure" in capsys.readouterr().err
    assert (folder / "output/index.html").read_text(encoding="utf-8") == "my own page\n"


def test_theme_and_base_url_can_be_set_on_the_command_line(site: Make) -> None:
    folder = site("").root
    call = ["build", "--site", str(folder), "--theme", "base", "--base-url", "https://example.org/me/"]
    assert main(call) == 0
    page = (folder / "output/index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://example.org/me/">' in page
    assert 'href="/me/' in (folder / "output/404.html").read_text(encoding="utf-8")


def test_a_closed_pipe_ends_the_program_quietly(site: Make) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    call = [sys.executable, "-m", "tenure", "check", "--format", "json", "--site", str(site("").root)]
    result = subprocess.run(call, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    os.close(writing)
    assert (result.returncode, result.stderr) == (CLOSED_PIPE_STATUS, b"")


def test_an_internal_error_prints_one_line_and_saves_a_traceback(
    site: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def raise_error(*_: object) -> None:
        raise RuntimeError("a wheel came off")

    monkeypatch.setattr("tenure.build.load_site", raise_error)
    monkeypatch.setattr(sys, "argv", ["build.py"])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "build.py"])
    assert main(["check", "--site", str(site("").root)]) == 1
    stderr = capsys.readouterr().err
    assert stderr.startswith(
        "python3 build.py: internal error (RuntimeError: a wheel came off); the traceback is in "
    )
    assert stderr.count("\n") == 1
    trace = Path(stderr.rpartition(" ")[2].strip())
    assert "a wheel came off" in trace.read_text(encoding="utf-8")
    trace.unlink()


@pytest.mark.parametrize("arguments", [["help"], ["help", "serve"], ["test", "--help"], ["test", "-h"]])
def test_help_runs_nothing(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    assert main(arguments, folder=ROOT) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        f"usage: tenure {'' if arguments == ['help'] else arguments[arguments[0] == 'help']}".rstrip()
    )


def test_messages_name_the_program_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["/home/ada/site/build.py", "init"])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "/home/ada/site/build.py", "init"])
    assert main() == 2
    assert capsys.readouterr().err.startswith("python3 /home/ada/site/build.py: there is no command")
    assert main(["serve", "--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: python3 /home/ada/site/build.py serve")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["theme", "lits"], 'there is no command "theme lits"; did you mean "list"?'),
        (["theme", "remove"], 'there is no command "theme remove"; known here: list, override, show'),
        (["check", "--format", "jason"], '"jason" is not a value of --format; did you mean "json"?'),
        (["check", "--format=xml"], '"xml" is not a value of --format; known here: github, json, text'),
        (["check", "--links", "outside"], '"outside" is not a value of --links; known here: external, site'),
        (["import", "x", "--from", "jekyl"], '"jekyl" is not a value of --from; known here: '),
        (
            ["import", "x", "--from", "al-folo"],
            '"al-folo" is not a value of --from; did you mean "al-folio"?',
        ),
    ],
)
def test_a_wrong_choice_is_reported_with_a_suggestion(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith(f"tenure: {message}")


def test_paths_are_relative_to_the_current_folder_and_not_to_that_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, current = tmp_path / "program", tmp_path / "current"
    write_files(program, "-- content/profile.yaml --\nname: Ada Example\n")
    write_files(current, "-- papers.bib --\n@misc{a, title={A}, author={Example, Ada}, year=2024}\n")
    monkeypatch.chdir(current)
    assert main(["new", "mine", "--name", "Ada Example"], folder=program) == 0
    assert (current / "mine/site.yaml").is_file()
    assert main(["import", "papers.bib", "--to", "other", "--name", "Ada Example"], folder=program) == 0
    assert (current / "other/bib/papers.bib").is_file()
    (current / "mine/.schemas/talks.json").unlink()
    capsys.readouterr()
    assert main(["schema", "mine"], folder=program) == 0
    assert capsys.readouterr().out.startswith("wrote ")
    assert (current / "mine/.schemas/talks.json").is_file()
    assert main(["build", "--site", "mine", "--output", "web"], folder=program) == 0
    assert (current / "web/index.html").is_file()
    assert main(["export", "markdown", "--site", "mine", "--output", "cv.md"], folder=program) == 0
    assert (current / "cv.md").is_file()
    assert main(["theme", "list", "--site", "mine"], folder=program) == 0
    assert main(["build"], folder=program) == 0
    assert (program / "output/index.html").is_file(), "without a path, the site beside the program"
    assert sorted(path.name for path in program.iterdir()) == [".cache", "content", "output"]


def test_a_second_build_prints_what_it_wrote_and_deleted(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site("-- content/talks.yaml --\n- event: Seminar\n-- content/awards.yaml --\n- title: Prize\n")
    assert main(["build", "--site", str(sources.root)]) == 0
    (first,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("Wrote "))
    assert first.endswith(" files.")
    (sources.root / "content/talks.yaml").unlink()
    assert main(["build", "--site", str(sources.root)]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("Wrote "))
    assert re.fullmatch(r"Wrote \d+ files; \d+ were up to date; deleted \d+ old files?\.", line), line


def test_an_output_among_other_files_needs_force(
    site: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = str(site("").root)
    target = tmp_path / "elsewhere"
    write_files(target, "".join(f"-- {name}.txt --\nmine\n" for name in "abcd"))
    call = ["build", "--site", sources, "--output", str(target)]
    assert main(call) == 2
    assert (
        "contains files that Tenure did not write: a.txt, b.txt, c.txt and 1 more" in capsys.readouterr().err
    )
    assert sorted(path.name for path in target.iterdir()) == ["a.txt", "b.txt", "c.txt", "d.txt"]
    assert main([*call, "--force"]) == 0
    assert (target / "index.html").is_file()
    assert (target / "a.txt").read_text() == "mine\n"
    assert main(call) == 0, "a folder with an earlier build needs no --force"


def test_an_empty_folder_and_one_with_only_git_are_fine_as_output(site: Make, tmp_path: Path) -> None:
    sources = str(site("").root)
    for name in ("empty", "clone/.git"):
        (tmp_path / name).mkdir(parents=True)
        assert main(["build", "--site", sources, "--output", str(tmp_path / name.split("/")[0])]) == 0


@pytest.mark.parametrize("output", [".", "..", "/", "~", "content/x", "themes"])
def test_an_output_folder_with_other_files_is_refused(
    site: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    root = site("").root / "site"
    write_files(root, "-- content/profile.yaml --\nname: Ada\n")
    monkeypatch.setenv("HOME", str(root.parent / "home"))
    files_before = sorted(root.parent.rglob("*"))
    monkeypatch.chdir(root)
    assert main(["build", "--force", "--output", os.path.expanduser(output)]) == 2  # noqa: PTH111 - as a shell does
    message = capsys.readouterr().err
    assert "holds other files than a site" in message or "which is read" in message
    assert sorted(root.parent.rglob("*")) == files_before


def test_m2_a_closed_stream_and_a_deleted_folder_end_in_a_line(site: Make, tmp_path: Path) -> None:
    root = site("").root
    gone = tmp_path / "gone"
    command = f"{shlex.quote(sys.executable)} -m tenure check --site {shlex.quote(str(root))}"
    script = (
        f"{command} 2>&- ; echo $?; {command} >&- ; echo $?; "
        f"mkdir {gone}; cd {gone}; rmdir {gone}; {command}; echo $?"
    )
    result = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert [line for line in result.stdout.splitlines() if line.isdecimal()] == ["0", "0", "2"]
    assert "the current folder has been deleted" in result.stderr
    assert "internal error" not in result.stderr
    assert "Traceback" not in result.stderr


def test_m2_a_full_disk_behind_the_output_is_one_line(
    site: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site("").root

    def refuse_writing(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tenure.cli.app.discard_output", lambda: None)
    monkeypatch.setattr("tenure.cli.app._run_command", refuse_writing)
    assert main(["check", "--site", str(root)]) == 1
    assert capsys.readouterr().err.endswith("cannot print: No space left on device\n")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_the_preview_does_not_need_its_terminal(monkeypatch: pytest.MonkeyPatch, stream: str) -> None:
    with open(os.devnull, "w") as closed:  # noqa: PTH123 - a stream is needed
        pass
    monkeypatch.setattr(sys, stream, closed)
    serve._print_line("a line")
    serve._write_to_terminal(getattr(sys, stream), "a problem")
