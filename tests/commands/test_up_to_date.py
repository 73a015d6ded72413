"""The check whether anything has changed since the last build, by names, times and sizes of files."""

import io
import marshal
import os
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from conftest import Capture, Patch, write_files

from tenure.cache import up_to_date as stamping
from tenure.cache.up_to_date import (
    UNFINISHED_NAME,
    has_racy_file,
    input_states,
    replay_if_unchanged,
    save_call,
)

SOURCES = "site.yaml content/profile.yaml content/projects/a.md bib/papers.bib themes/mine/style.css".split()
WRITTEN = ("index.html", "talks/index.html")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Write a site's folder as it is after a build; all files have the same old time."""
    for name in (*SOURCES, *(f"output/{name}" for name in WRITTEN)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, ns=(10**18, 10**18))
    return tmp_path


def save_build(root: Path, reported: str = "a warning\n", output: str = "output", *words: str) -> None:
    """Save what a build prints."""
    written = WRITTEN if output == "output" else ()
    printed = reported, "Nothing has changed."
    save_call(str(root), words, (str(root), str(root / output)), input_states(root), written, printed)


def find_messages(root: Path, *words: str) -> str | None:
    """Return the messages of the last build if nothing has changed since, else None."""
    with redirect_stderr(io.StringIO()) as errors, redirect_stdout(io.StringIO()):
        return errors.getvalue() if replay_if_unchanged(str(root), words) else None


def saved_file(root: Path) -> Path:
    (file,) = (root / ".cache").iterdir()
    return file


def test_before_the_first_build_the_check_fails(root: Path) -> None:
    assert find_messages(root) is None
    assert not (root / ".cache").exists()


def test_an_unchanged_site_returns_its_last_messages(root: Path) -> None:
    for reported in ("", "site.yaml:1:1: warning: ü\n"):
        save_build(root, reported)
        assert find_messages(root) == find_messages(root) == reported
        assert saved_file(root).is_file()


def edit_file(path: Path) -> None:
    path.write_text("edited, and longer than before")


def change_same_length(path: Path) -> None:
    """Write another text of the same length."""
    path.write_text(path.read_text()[::-1])


def change_with_old_time(path: Path) -> None:
    """Write another text of the same length, with the old time."""
    status = path.stat()
    path.write_text("x" * status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def replace_with_old_time(path: Path) -> None:
    """Replace the file by one of the same time and size."""
    other = path.with_name(".other")
    other.write_text("x" * path.stat().st_size)
    os.utime(other, ns=(10**18, 10**18))
    other.replace(path)


EDITS = (edit_file, change_same_length, change_with_old_time, replace_with_old_time, Path.unlink)


@pytest.mark.parametrize("name", [*SOURCES, *(f"output/{name}" for name in WRITTEN)])
@pytest.mark.parametrize("change", EDITS)
def test_notices_a_file_edited_or_deleted(root: Path, name: str, change: Callable[[Path], None]) -> None:
    save_build(root)
    change(root / name)
    assert find_messages(root) is None


CHANGES: dict[str, Callable[[Path], object]] = {
    "a new list": lambda root: write_files(root, "-- content/talks.yaml --\nnew\n"),
    "a new text in a new folder": lambda root: write_files(root, "-- content/new/a.md --\nnew\n"),
    "a new bibliography": lambda root: write_files(root, "-- bib/b.bib --\nnew\n"),
    "a new template": lambda root: write_files(root, "-- themes/mine/x.html --\nnew\n"),
    "a source under another name": lambda root: (root / "bib/papers.bib").rename(root / "bib/Papers.bib"),
    "a lost output": lambda root: shutil.rmtree(root / "output"),
    "a publication that was killed": lambda root: (root / "output" / UNFINISHED_NAME).mkdir(),
}


@pytest.mark.parametrize("name", CHANGES)
def test_notices_other_changes(root: Path, name: str) -> None:
    save_build(root)
    CHANGES[name](root)
    assert find_messages(root) is None


def test_notices_a_change_of_tenure_itself(root: Path, monkeypatch: Patch) -> None:
    code = root / "code"
    write_files(root, "-- code/cli.py --\n1\n")
    monkeypatch.setattr("tenure.cache.up_to_date.PACKAGE_FOLDER", code)
    save_build(root)
    assert find_messages(root) == "a warning\n"
    edit_file(code / "cli.py")
    assert find_messages(root) is None
    save_build(root)
    monkeypatch.setattr("tenure.cache.up_to_date.__version__", "0.0.0")
    assert find_messages(root) is None


def test_notices_that_a_cv_can_now_be_made_as_pdf(root: Path, monkeypatch: Patch) -> None:
    """The extra may be installed after a build; the check runs before the packages of .venv can be imported, so Typst seems to be missing."""
    monkeypatch.setattr(stamping, "_has_typst", lambda: False)
    save_build(root)
    assert find_messages(root) == "a warning\n"
    monkeypatch.setattr(stamping, "_has_typst", lambda: True)
    assert find_messages(root) is None
    save_build(root)
    monkeypatch.setattr(stamping, "_has_typst", lambda: False)
    assert find_messages(root) == "a warning\n"


def test_notices_a_change_during_the_build(root: Path) -> None:
    before = input_states(root)
    edit_file(root / "site.yaml")
    place = str(root), str(root / "output")
    save_call(str(root), (), place, before, WRITTEN, ("a warning", "Nothing has changed."))
    assert find_messages(root) is None


def test_other_calls_are_other_builds(root: Path) -> None:
    save_build(root)
    save_build(root, "other", "elsewhere", "--output", "elsewhere")
    found = [find_messages(root, *words) for words in ((), ("--output", "elsewhere"), ("--strict",))]
    assert found == ["a warning\n", "other", None]


def test_files_that_no_build_reads_are_ignored(root: Path) -> None:
    save_build(root)
    for name in ("content/.DS_Store", "content/__pycache__/a.pyc", ".git/index", "notes.txt"):
        write_files(root, f"-- {name} --\nx\n")
        assert find_messages(root) == "a warning\n", name


DAMAGES = [
    *(b"", b"x", b"words of another program", b"\x00" * 64, marshal.dumps(None), marshal.dumps("abcde")),
    *(marshal.dumps((1, "", {}, {})), marshal.dumps((0, "", {}, {}, ""))),
]


def test_a_damaged_check_file_is_ignored(root: Path) -> None:
    save_build(root)
    whole = saved_file(root).read_bytes()
    for damage in (*DAMAGES, *(whole[:-length] for length in (1, 20, 100))):
        saved_file(root).write_bytes(damage)
        assert find_messages(root) is None, damage
        save_build(root)
        assert find_messages(root) == "a warning\n"


def test_a_read_only_cache_folder_costs_only_time(root: Path) -> None:
    (root / ".cache").write_text("a file in the way")
    save_build(root)
    assert find_messages(root) is None
    assert (root / ".cache").read_text() == "a file in the way"


def test_r08_a_record_that_cannot_be_written_leaves_no_temporary_file(root: Path) -> None:
    save_build(root)
    file = saved_file(root)
    file.unlink()
    (file / "in the way").mkdir(parents=True)
    save_build(root)
    assert [*(root / ".cache").iterdir()] == [file]


def test_a_repeated_call_prints_its_messages_again(root: Path, capsys: Capture) -> None:
    save_build(root, "a warning\n", "output", "build", "--strict")
    assert replay_if_unchanged(str(root), ["build", "--strict"])
    output = capsys.readouterr()
    assert (output.out, output.err) == ("Nothing has changed.\n", "a warning\n")


def test_a_call_in_another_folder_is_not_repeated(root: Path, tmp_path: Path, monkeypatch: Patch) -> None:
    save_build(root)
    monkeypatch.chdir(tmp_path)
    assert find_messages(root) is None


def test_a_call_after_a_change_of_build_py_builds_again(root: Path) -> None:
    """An edited build.py may pass other exporters."""
    save_build(root)
    edit_file(root / "build.py")
    assert find_messages(root) is None


def test_a_symlink_to_its_own_parent_is_not_followed(root: Path) -> None:
    before = input_states(root)
    link = root / "content" / "again"
    link.symlink_to(root)
    assert {*input_states(root)} - {*before} == {os.fspath(link)}


@pytest.mark.parametrize("target", ["/proc", "missing", "link"])
def test_r11_a_link_that_a_build_does_not_follow_is_noticed(root: Path, target: str) -> None:
    """Each is an error of the build; what is in /proc is not read."""
    save_build(root)
    (root / "content/link").symlink_to(target)
    assert find_messages(root) is None
    assert not [path for path in input_states(root) if path.startswith(f"{root}/content/link/")]


def test_r11_folders_that_link_to_each_other_are_read_once_by_each_path(root: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (root / "content" / name).mkdir()
        (root / "content" / name / "x.txt").write_text("x")
        (root / "content" / name / other).symlink_to(root / "content" / other)
    states = input_states(root)
    read = {path.removeprefix(f"{root}/content/") for path in states if path.endswith("x.txt")}
    assert read == {"a/x.txt", "a/b/x.txt", "b/x.txt", "b/a/x.txt"}


def test_linked_folders_and_themes_are_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    theme = tmp_path_factory.mktemp("theme")
    write_files(theme, "-- theme.yaml --\nextends: classic\n")
    write_files(root, "-- slides/talk.pdf --\nPDF\n")
    (root / "content/slides").symlink_to(root / "slides")
    (root / "themes/linked").symlink_to(theme)
    expected = {os.fspath(root / name) for name in ("content/slides/talk.pdf", "themes/linked/theme.yaml")}
    assert expected <= {*input_states(root)}


@pytest.mark.parametrize(
    ("age", "step", "is_racy"),
    [
        (10**6, 1, True),
        (10**9, 1, False),
        (10**9, 10**9, True),
        (3 * 10**9, 10**9, False),
        (-(10**15), 1, True),
    ],
    ids=["just now", "a second ago", "whole seconds", "whole seconds, old", "the clock went backwards"],
)
def test_a_file_within_the_resolution_of_its_times_is_racy(
    root: Path, monkeypatch: Patch, age: int, step: int, is_racy: bool
) -> None:
    """Some disks store times in steps of one or two seconds; the build after an edit in this time is not saved."""
    time = 1_700_000_000_123_456_789 // step * step
    monkeypatch.setattr(stamping, "make_file_state", lambda status: (time, time, status.st_size, 0))
    monkeypatch.setattr("time.time_ns", lambda: time + age)
    assert has_racy_file(input_states(root)) is is_racy
