"""The commands as a user types them: their output, the files they write, their exit status."""

import errno
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Capture, Make, Patch, run_process, write_files

from tenure import __version__
from tenure.cli.app import CLOSED_PIPE_STATUS, COMMANDS, main


def test_check_reports_problems_counts_and_repairs_as_json(site: Make, capsys: Capture) -> None:
    folder = site(
        "-- content/talks.yaml --\n- title: Caches: a view\n- tilte: A talk\n  date: someday\n"
        "-- bib/papers.bib --\n@article{x, title={X}, author={Example, Ada}, journal={J}, year={soon}}\n"
    ).root
    assert main(["check", "--site", str(folder), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    keys = {*"file line column level code message hint edits documentation".split()}
    assert {frozenset(problem) for problem in report["problems"]} == {frozenset(keys)}
    codes = [problem["code"] for problem in report["problems"]]
    assert codes == ["unknown-key", "bad-date", "bib-bad-value", "yaml-repaired"]
    assert report["problems"][3]["edits"] == [
        {"line": 1, "column": 10, "length": 14, "text": '"Caches: a view"'}
    ]
    assert list(report["entries"].values()) == [{"found": 1, "shown": 1, "reported": 0}]
    assert not (folder / "output").exists()


def test_help_has_commands_in_the_order_of_use_and_documentation(monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    monkeypatch.setattr(sys, "argv", ["/home/ada/site/build.py"])
    assert main(["--help"]) == main(["help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "usage: python3 build.py [COMMAND] [OPTION ...]"
    assert lines[-1] == "Documentation: python3 build.py explain"
    text = "\n".join(lines)
    assert text.index("  new ") < text.index("  serve ") < text.index("Also:") < text.index("  fetch ")
    for command in COMMANDS:
        assert main(["help", command]) == main([command, "-h"]) == 0
        assert capsys.readouterr().out.startswith(f"usage: python3 build.py {command}")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tenure {__version__}\n"


def test_paths_are_relative_to_the_current_folder_not_the_program(tmp_path: Path, monkeypatch: Patch) -> None:
    write_files(tmp_path, "-- program/content/profile.yaml --\nname: Ada Example\n-- here/x --\n")
    program, here = tmp_path / "program", tmp_path / "here"
    calls = (
        "new mine --name Ada", "build --site mine --output web", "schema --site mine", "theme --site mine",
        "export coauthors --site mine --output coauthors.csv", "build",
    )  # fmt: skip
    monkeypatch.chdir(here)
    for call in calls:
        assert main(call.split(), folder=program) == 0, call
    assert sorted(path.name for path in here.iterdir()) == ["coauthors.csv", "mine", "web", "x"]
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
    result = run_process("/bin/sh", "-c", script)
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
    error: Exception, says: str, site: Make, monkeypatch: Patch, capsys: Capture
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
