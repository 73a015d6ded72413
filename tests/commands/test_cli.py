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
from conftest import ROOT, Sources, run_in, write_files

from tenure import __version__
from tenure.cli.app import CLOSED_PIPE_STATUS, COMMANDS, main

Make = Callable[[str], Sources]
BROKEN = "-- content/talks.yaml --\n- tilte: A talk\n  date: someday\n"
DOUBTFUL = "-- bib/papers.bib --\n@article{x, title={X}, author={Example, Ada}, journal={J}, year={soon}}\n"
WRONG_CALLS = """\
build --site nowhere  =>  there is no folder nowhere
build --site empty  =>  there is no site in empty
build --site empty --site other  =>  one site a call
biuld  =>  there is no command "biuld"; did you mean "build"?
init  =>  there is no command "init"; did you mean "new"?
preview  =>  did you mean "serve"?
zzz  =>  the commands are new, import, serve, check, build,
empty  =>  to build the site in that folder: tenure build --site empty
test  =>  own repository only
build --siet x  =>  there is no option "--siet"; did you mean --site? all options: tenure build --help
build --force  =>  there is no option "--force"; all options: tenure build --help
build a  =>  "a" is one argument too many; all options: tenure build --help
upgrade empty  =>  to name the site: --site empty;
new  =>  the following arguments are required: DIR
new x --orcid 0000-0002-1825-0098  =>  its last character does not fit
check --format xml  =>  invalid choice: 'xml'
check --write  =>  --write needs --fix
check --theme nope  =>  there is no theme called "nope"; known here: base, classic,
serve --theme clasic  =>  there is no theme called "clasic"; did you mean "classic"?
serve --port -1  =>  --port is a number from 0 to 65535, not -1
serve --port 80x  =>  invalid int value: '80x'
export docx  =>  invalid choice: 'docx'
build --base-url example.edu  =>  begins with https://
build --output content  =>  content/, which is read
build --output bib/web  =>  bib/, which is read
build --output .  =>  holds other files than a site
build --output ..  =>  holds other files than a site
build --output home  =>  holds other files than a site
build --output notes  =>  notes/ contains files that Tenure did not write: a, b, c and 1 more; name another
"""
"""Calls, and what is printed about them."""


def read_files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_without_a_command_the_site_is_built_and_a_summary_printed(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site("-- content/talks.yaml --\n- event: Seminar\n-- content/awards.yaml --\n- title: Prize\n")
    assert run_in(sources.root) == 0
    out = capsys.readouterr()
    assert out.err == ""
    assert re.search(r"^Wrote \d+ files\.$", out.out, re.M)
    assert "Read 0 publications and 2 other entries.\n" in out.out
    assert re.search(r"4 pages in output/, 0 problems, ", out.out)
    (sources.root / "content/talks.yaml").unlink()
    assert run_in(sources.root) == 0
    assert re.search(
        r"^Wrote \d+ files; \d+ were up to date; deleted \d+ old files?\.$", capsys.readouterr().out, re.M
    )


def test_errors_write_nothing_and_keep_the_last_good_site(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site("-- content/talks.yaml --\n- title: A talk\n")
    assert main(["build", "--site", str(sources.root)]) == 0
    before = read_files(sources.root / "output")
    sources.edit_files(BROKEN)
    assert main(["build", "--site", str(sources.root)]) == 1
    assert read_files(sources.root / "output") == before
    output = capsys.readouterr()
    assert 'did you mean "title"?' in output.err
    assert "2 errors; nothing was written" in output.out


def test_strict_fails_on_warnings_and_an_unchanged_site_repeats_them(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = site(DOUBTFUL).root
    assert main(["build", "--site", str(folder), "--strict"]) == 1
    assert not (folder / "output").exists()
    capsys.readouterr()
    assert main(["build", "--site", str(folder)]) == 0
    first = capsys.readouterr()
    assert "1 warning" in first.out
    assert main(["build", "--site", str(folder)]) == 0
    second = capsys.readouterr()
    assert "Nothing has changed" in second.out
    assert second.err == first.err != ""


def test_check_reports_in_three_formats_and_writes_nothing(
    site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(site(BROKEN + DOUBTFUL).root)
    assert main(["check", "--site", folder]) == 1
    assert "content/talks.yaml:1:3: error:" in capsys.readouterr().err
    assert main(["check", "--site", folder, "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    keys = {"file", "line", "column", "level", "code", "message", "hint", "edits", "documentation"}
    assert {frozenset(problem) for problem in report["problems"]} == {frozenset(keys)}
    assert [problem["code"] for problem in report["problems"]] == ["bib-bad-value", "unknown-key", "bad-date"]
    assert list(report["entries"].values()) == [{"found": 1, "shown": 1, "reported": 0}]
    assert main(["check", "--site", folder, "--format", "github"]) == 1
    assert [line[:8] for line in capsys.readouterr().out.splitlines()] == ["::warnin", "::error ", "::error "]
    assert not (Path(folder) / "output").exists()


@pytest.mark.parametrize("case", WRONG_CALLS.splitlines())
def test_a_wrong_call_is_reported(
    case: str, site: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call, says = case.split("  =>  ")
    root = site("-- notes/a --\n-- notes/b --\n-- notes/c --\n-- notes/d --\n-- empty/x --\n").root
    monkeypatch.setenv("HOME", str(root / "home"))
    (root / "home").mkdir()
    before = read_files(root)
    assert run_in(root, *call.split()) == 2
    assert says in capsys.readouterr().err
    assert read_files(root) == before


def test_an_empty_folder_and_one_with_only_git_are_fine_as_output(site: Make, tmp_path: Path) -> None:
    for name in ("empty", "clone/.git"):
        (tmp_path / name).mkdir(parents=True)
        folder = str(tmp_path / name.split("/")[0])
        for _ in range(2):
            assert main(["build", "--site", str(site("").root), "--output", folder]) == 0


def test_theme_and_base_url_can_be_set_on_the_command_line(site: Make) -> None:
    folder = site("").root
    call = ["build", "--site", str(folder), "--theme", "base", "--base-url", "https://example.org/me/"]
    assert main(call) == 0
    page = (folder / "output/index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://example.org/me/">' in page
    assert 'href="/me/' in (folder / "output/404.html").read_text(encoding="utf-8")


def test_help_has_the_commands_in_the_order_of_use_and_the_documentation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    monkeypatch.setattr(sys, "argv", ["/home/ada/site/build.py"])
    assert main(["--help"]) == main(["help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "usage: python3 build.py [COMMAND] [OPTION ...]"
    documentation = lines[-1].removeprefix("Documentation: ")
    assert (ROOT / "docs/content/about.md").samefile(documentation)
    text = "\n".join(lines)
    assert text.index("  new ") < text.index("  serve ") < text.index("Also:") < text.index("  fetch ")
    for command in COMMANDS:
        assert main(["help", command]) == main([command, "-h"]) == 0
        assert capsys.readouterr().out.startswith(f"usage: python3 build.py {command}")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tenure {__version__}\n"


def test_paths_are_relative_to_the_current_folder_and_not_to_that_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, "-- program/content/profile.yaml --\nname: Ada Example\n-- here/x --\n")
    program, here = tmp_path / "program", tmp_path / "here"
    calls = (
        "new mine --name Ada", "build --site mine --output web", "schema --site mine", "theme --site mine",
        "export service --site mine --output service.md", "build",
    )  # fmt: skip
    monkeypatch.chdir(here)
    for call in calls:
        assert main(call.split(), folder=program) == 0, call
    assert sorted(path.name for path in here.iterdir()) == ["mine", "service.md", "web", "x"]
    assert sorted(path.name for path in program.iterdir()) == [".cache", "content", "output"]


def test_a_closed_pipe_ends_the_program_quietly(site: Make) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    call = [sys.executable, "-m", "tenure", "check", "--format", "json", "--site", str(site("").root)]
    result = subprocess.run(call, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    os.close(writing)
    assert (result.returncode, result.stderr) == (CLOSED_PIPE_STATUS, b"")


def test_a_closed_stream_and_a_deleted_folder_end_in_a_line(site: Make, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    command = f"{shlex.quote(sys.executable)} -m tenure check --site {shlex.quote(str(site('').root))}"
    script = (
        f"{command} 2>&- ; echo $?; {command} >&- ; echo $?; "
        f"mkdir {gone}; cd {gone}; rmdir {gone}; {command}; echo $?"
    )
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        ["/bin/sh", "-c", script], capture_output=True, text=True, check=True, env=variables
    )
    assert [line for line in result.stdout.splitlines() if line.isdecimal()] == ["0", "0", "2"]
    assert "the current folder has been deleted" in result.stderr
    assert "internal error" not in result.stderr


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (RuntimeError("a wheel came off"), "tenure: internal error (RuntimeError: a wheel came off); the traceback is in "),
        (OSError(errno.ENOSPC, "No space left on device"), "tenure: cannot print: No space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", "x.yaml"), "tenure: cannot read or write x.yaml: Permission"),
    ],
)  # fmt: skip
def test_any_error_is_one_line(
    error: Exception,
    says: str,
    site: Make,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def raise_error(*_: object) -> None:
        raise error

    monkeypatch.setattr("tenure.build.load_site", raise_error)
    monkeypatch.setattr("tenure.cli.app.discard_output", lambda: None)
    assert main(["check", "--site", str(site("").root)]) in (1, 2)
    stderr = capsys.readouterr().err
    assert stderr.startswith(says)
    assert stderr.count("\n") == 1
    if "traceback" in says:
        Path(stderr.rpartition(" ")[2].strip()).unlink()
