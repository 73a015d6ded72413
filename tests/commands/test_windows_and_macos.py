"""Behaviour on Windows and macOS, simulated: the tests run the code for these systems."""

import builtins
import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest
import yaml
from conftest import ROOT, Sources, select_daily

from tenure import atomic, parallel, publish
from tenure.atomic import write_file
from tenure.cli import targets
from tenure.cli.app import CLOSED_PIPE_STATUS, main
from tenure.problems import Place, Problem, format_annotation
from tenure.publish import Artifact, publish_artifacts

Make = Callable[[str], Sources]


@pytest.mark.parametrize(
    ("windows", "refusals", "attempts"), [(True, 2, 3), (True, 999, None), (False, 999, 1)]
)
def test_a_file_that_another_program_has_open_is_replaced_once_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: bool, refusals: int, attempts: int | None
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
    assert len(tried) == (attempts or len(tried)) > 0


def test_on_windows_nothing_is_locked_and_the_site_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no module fcntl."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    publish_artifacts([Artifact("index.html", b"new")], tmp_path / "output")
    with atomic.lock_folder(tmp_path / "output"), atomic.lock_folder(tmp_path / "output"):
        assert (tmp_path / "output/index.html").read_bytes() == b"new"


def test_a_page_that_windows_cannot_store_is_reported_and_nothing_is_written(
    site: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = site("-- content/projects/con.md --\n---\ntitle: Con\n---\nA text.\n").root
    monkeypatch.setattr(publish, "WINDOWS", True)
    assert main(["build", "--site", str(root)]) == 2
    stderr = capsys.readouterr().err
    assert "projects/con/index.html" in stderr
    assert "Windows" in stderr
    assert not (root / "output/index.html").exists()
    monkeypatch.setattr(publish, "WINDOWS", False)
    assert main(["build", "--site", str(root)]) == 0


def test_without_fork_and_on_macos_one_process_is_used(site: Make, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_path_on_another_drive_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_access(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", refuse_access)
    assert targets.display_path(Path("../elsewhere/site.yaml")) == "../elsewhere/site.yaml"


def test_places_with_a_drive_letter_are_annotated() -> None:
    file = str(PureWindowsPath("C:/sites/me/content/talks.yaml"))
    line = format_annotation(Problem(Place(file, 3, 7), "error", "bad-date", "no date"))
    assert line.startswith("::error file=C%3A\\sites\\me\\content\\talks.yaml,line=3,col=7")


def test_sources_with_the_line_ends_of_windows_give_the_same_site(site: Make, tmp_path: Path) -> None:
    sources = site(
        "-- site.yaml --\nschema: 1\n-- content/about.md --\n# About\n\n```python\nx = 1\n```\n\n- a\n- b\n"
        "-- content/talks.yaml --\n- title: |\n    One\n    two\n  date: 2024\n"
        "-- content/posts/p.md --\n---\ntitle: A post\ndate: 2024-01-02\n---\nText  \nmore.\n"
        "-- bib/p.bib --\n@article{x,\n  title = {A\n title},\n  author = {Example, Ada}, journal = {J},\n  year = 2024,\n}\n"
    )
    plain = {artifact.path: artifact.read() for artifact in sources.build().build.artifacts}
    for path in [path for path in tmp_path.rglob("*") if path.is_file()]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert {artifact.path: artifact.read() for artifact in sources.build().build.artifacts} == plain


@pytest.mark.parametrize(
    "encoding", select_daily(["cp1252", "cp437", "ascii"], lambda name: name == "cp1252")
)
def test_every_command_prints_on_a_console_of_another_encoding(site: Make, encoding: str) -> None:
    root = site(
        "-- content/talks.yaml --\n- tilte: 北京 “quoted” – dash…\n  date: someday\n- title: 你好: a view\n"
    ).root
    for arguments in (
        ["check"],
        ["check", "--fix"],
        ["check", "--format", "json"],
        ["check", "--format", "github"],
        ["build"],
    ):
        result = subprocess.run(
            [sys.executable, "-m", "tenure", *arguments, "--site", str(root)],
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
            check=False,
        )
        assert b"Traceback" not in result.stderr
        assert b"UnicodeEncodeError" not in result.stderr
        assert result.returncode in (0, 1)
        if "--format" in arguments:
            assert "你好" in result.stdout.decode("utf-8")


def test_a_pipe_that_windows_reports_as_closed_ends_quietly(
    site: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = site("").root

    def refuse_access(*_: object, **__: object) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("tenure.cli.app.WINDOWS", True)
    monkeypatch.setattr("tenure.cli.app.discard_output", lambda: None)
    monkeypatch.setattr(builtins, "print", refuse_access)
    assert main(["check", "--site", str(root)]) == CLOSED_PIPE_STATUS


def test_files_that_commands_write_have_plain_line_ends(
    site: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
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
    flow = yaml.safe_load((ROOT / ".github/workflows/systems.yml").read_text(encoding="utf-8"))
    job = flow["jobs"]["tests"]
    assert job["strategy"]["matrix"] == {
        "os": ["ubuntu-latest", "windows-latest", "macos-latest"],
        "python": ["3.11", "3.12", "3.13", "3.14"],
    }
    assert job["permissions"] == {"contents": "read"}
    (command,) = [step["run"] for step in job["steps"] if "pytest" in step.get("run", "")]
    named = [word for word in command.split() if word.startswith("tests/")]
    assert all((ROOT / name).exists() for name in named)
    assert "tests/browser" not in named
