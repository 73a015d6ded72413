"""Behaviour on Windows and macOS, simulated: the tests run the code for these systems."""

import builtins
import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import pytest
import yaml
from conftest import ROOT, Capture, Make, Patch, read_site, select_daily

from tenure import atomic, parallel, publish
from tenure.atomic import write_file
from tenure.cli import targets
from tenure.cli.app import CLOSED_PIPE_STATUS, main
from tenure.problems import Place, Problem, format_annotation
from tenure.publish import Artifact, publish_artifacts


@pytest.mark.parametrize(("windows", "refusals", "count"), [(True, 2, 3), (True, 999, 0), (False, 999, 1)])
def test_an_open_file_is_replaced_later(
    tmp_path: Path, monkeypatch: Patch, windows: bool, refusals: int, count: int
) -> None:
    """A file that stays open is an error that leaves nothing; on other systems a missing permission is final at once."""
    tried: list[Path] = []
    rename = Path.replace

    def refuse_access(self: Path, target: Path) -> Path:
        tried.append(self)
        if len(tried) <= refusals:
            raise PermissionError(13, "Access is denied")
        return rename(self, target)

    (tmp_path / "index.html").write_bytes(b"old")
    monkeypatch.setattr(atomic, "WINDOWS", windows)
    monkeypatch.setattr(atomic, "RETRY_DELAY", 0)
    monkeypatch.setattr(Path, "replace", refuse_access)
    with pytest.raises(PermissionError) if refusals == 999 else contextlib.nullcontext():
        write_file(tmp_path / "index.html", b"new")
    expected = b"old" if refusals == 999 else b"new"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"index.html": expected}
    assert len(tried) == (count or len(tried)) > 0


def test_on_windows_nothing_is_locked_and_the_site_is_published(tmp_path: Path, monkeypatch: Patch) -> None:
    """Windows has no module fcntl."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    publish_artifacts([Artifact("index.html", b"new")], tmp_path / "output")
    with atomic.lock_folder(tmp_path / "output"), atomic.lock_folder(tmp_path / "output"):
        assert (tmp_path / "output/index.html").read_bytes() == b"new"


def test_a_page_that_windows_cannot_store_is_refused(site: Make, monkeypatch: Patch, capsys: Capture) -> None:
    root = site("-- content/projects/con.md --\n---\ntitle: Con\n---\nA text.\n").root
    monkeypatch.setattr(publish, "WINDOWS", True)
    assert main(["build", "--site", str(root)]) == 2
    stderr = capsys.readouterr().err
    assert "projects/con/index.html" in stderr
    assert "Windows" in stderr
    assert not (root / "output/index.html").exists()
    monkeypatch.setattr(publish, "WINDOWS", False)
    assert main(["build", "--site", str(root)]) == 0


def test_without_fork_and_on_macos_one_process_is_used(site: Make, monkeypatch: Patch) -> None:
    def refuse_access() -> int:
        raise AssertionError("no process is copied")

    sources = site("-- content/talks.yaml --\n" + "- A talk\n" * 600)
    expected = sources.build().build.artifacts
    monkeypatch.setattr(os, "fork", refuse_access)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert sources.build().build.artifacts == expected
    monkeypatch.undo()
    monkeypatch.delattr(os, "fork")
    assert parallel.run_in_fork(lambda: 7)() == 7
    assert sources.build().build.artifacts == expected


def test_a_path_on_another_drive_is_shown_as_it_is(monkeypatch: Patch) -> None:
    def refuse_access(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", refuse_access)
    assert targets.display_path(Path("../elsewhere/site.yaml")) == "../elsewhere/site.yaml"


def test_places_with_a_drive_letter_are_annotated() -> None:
    file = str(PureWindowsPath("C:/sites/me/content/talks.yaml"))
    line = format_annotation(Problem(Place(file, 3, 7), "error", "bad-date", "no date"))
    assert line.startswith("::error file=C%3A\\sites\\me\\content\\talks.yaml,line=3,col=7")


def test_sources_with_the_line_ends_of_windows_give_the_same_site(site: Make, tmp_path: Path) -> None:
    sources = site(read_site("line_ends"))
    plain = sources.build().files
    for path in [path for path in tmp_path.rglob("*") if path.is_file()]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert sources.build().files == plain


ENCODINGS = select_daily(["cp1252", "cp437", "ascii"], lambda name: name == "cp1252")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_prints_on_a_console_of_another_encoding(site: Make, encoding: str) -> None:
    talks = "- tilte: 北京 “quoted” – dash…\n  date: someday\n- title: 你好: a view\n"
    root = site(f"-- content/talks.yaml --\n{talks}").root
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    for arguments in map(
        str.split, "check|check --fix|check --format json|check --format github|build".split("|")
    ):
        command = [sys.executable, "-m", "tenure", *arguments, "--site", str(root)]
        result = subprocess.run(command, capture_output=True, env=variables, check=False)
        assert b"Traceback" not in result.stderr
        assert b"UnicodeEncodeError" not in result.stderr
        assert result.returncode in (0, 1)
        if "--format" in arguments:
            assert "你好" in result.stdout.decode("utf-8")


def test_a_pipe_that_windows_reports_as_closed_ends_quietly(site: Make, monkeypatch: Patch) -> None:
    root = site("").root

    def refuse_access(*_: object, **__: object) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("tenure.cli.app.WINDOWS", True)
    monkeypatch.setattr("tenure.cli.app.discard_output", lambda: None)
    monkeypatch.setattr(builtins, "print", refuse_access)
    assert main(["check", "--site", str(root)]) == CLOSED_PIPE_STATUS


def test_files_of_commands_have_plain_line_ends(site: Make, monkeypatch: Patch, tmp_path: Path) -> None:
    """Text mode would write CR LF on Windows; so no command may use it for a file of the site."""
    opened: list[tuple[object, object]] = []
    io_open = io.open

    def record_opened_file(file: object, mode: str = "r", *arguments: object, **options: object) -> object:
        if str(file).startswith(str(tmp_path)) and "b" not in mode and set(mode) & set("wxa"):
            opened.append((file, mode))
        return io_open(file, mode, *arguments, **options)  # type: ignore[call-overload]

    root = site("").root
    monkeypatch.setattr(io, "open", record_opened_file)
    assert main(["schema", "--site", str(root)]) == 0
    assert main(["build", "--site", str(root)]) == 0
    assert opened == []


def test_the_workflow_runs_each_system_with_each_python() -> None:
    flow = yaml.safe_load((ROOT / ".github/workflows/systems.yml").read_text("utf-8"))
    job = flow["jobs"]["tests"]
    systems = [f"{name}-latest" for name in ("ubuntu", "windows", "macos")]
    assert job["strategy"]["matrix"] == {"os": systems, "python": [f"3.{n}" for n in range(11, 15)]}
    assert job["permissions"] == {"contents": "read"}
    (command,) = [step["run"] for step in job["steps"] if "pytest" in step.get("run", "")]
    named = [word for word in command.split() if word.startswith("tests/")]
    assert all((ROOT / name).exists() for name in named)
    assert "tests/browser" not in named
