"""The check whether anything has changed since the last build, by names, times and sizes of files."""

import marshal
import os
import shutil
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import write_files

from tenure.cache import up_to_date as stamping
from tenure.cache.up_to_date import (
    UNFINISHED_NAME,
    UpToDateCheck,
    input_states,
    racy_checksums,
    replay_if_unchanged,
)

if TYPE_CHECKING:
    from tenure.cache.up_to_date import FileStates

SOURCES = tuple(
    """site.yaml content/profile.yaml content/projects/a.md bib/papers.bib themes/mine/style.css""".split()
)
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


def up_to_date_check(
    root: Path, output: str = "output", options: tuple[str, ...] = ("", "")
) -> UpToDateCheck:
    return UpToDateCheck(root, root / output, options)


def read_states(root: Path) -> "tuple[FileStates, Mapping[str, int]]":
    states = input_states(root)
    return states, racy_checksums(states)


def save_build(root: Path, reported: str = "a warning\n") -> None:
    up_to_date_check(root).save_build(*read_states(root), WRITTEN, reported)


def saved_file(root: Path) -> Path:
    (file,) = (root / ".cache").iterdir()
    return file


def test_before_the_first_build_the_check_fails(root: Path) -> None:
    assert up_to_date_check(root).messages_if_unchanged() is None
    assert not (root / ".cache").exists()


@pytest.mark.parametrize("reported", ["", "site.yaml:1:1: warning: ü\n"])
def test_an_unchanged_site_returns_its_messages(root: Path, reported: str) -> None:
    save_build(root, reported)
    assert up_to_date_check(root).messages_if_unchanged() == reported
    assert up_to_date_check(root).messages_if_unchanged() == reported


def test_saving_again_replaces_the_messages(root: Path) -> None:
    save_build(root, "first")
    save_build(root, "second")
    assert up_to_date_check(root).messages_if_unchanged() == "second"
    assert saved_file(root).is_file()


def edit_file(path: Path) -> None:
    path.write_text("edited, and longer than before")


def change_same_length(path: Path) -> None:
    """Write another text of the same length."""
    path.write_text(path.read_text()[::-1])


@pytest.mark.parametrize("name", [*SOURCES, *(f"output/{name}" for name in WRITTEN)])
@pytest.mark.parametrize("change", [edit_file, change_same_length, Path.unlink])
def test_notices_a_file_edited_or_deleted(root: Path, name: str, change: Callable[[Path], None]) -> None:
    save_build(root)
    change(root / name)
    assert up_to_date_check(root).messages_if_unchanged() is None


@pytest.mark.parametrize(
    "name", ["content/talks.yaml", "content/new/a.md", "bib/b.bib", "themes/mine/x.html"]
)
def test_notices_a_new_source(root: Path, name: str) -> None:
    save_build(root)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("new")
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_a_source_under_another_name(root: Path) -> None:
    save_build(root)
    (root / "bib/papers.bib").rename(root / "bib/Papers.bib")
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_a_lost_output(root: Path) -> None:
    save_build(root)
    shutil.rmtree(root / "output")
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_a_change_of_tenure_itself(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = root / "code"
    code.mkdir()
    (code / "cli.py").write_text("1")
    monkeypatch.setattr("tenure.cache.up_to_date.PACKAGE_FOLDER", code)
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"
    edit_file(code / "cli.py")
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_another_version(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_build(root)
    monkeypatch.setattr("tenure.cache.up_to_date.__version__", "0.0.0")
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_that_a_cv_can_now_be_made_as_pdf(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra may be installed after a build; the check runs before the packages of .venv can be imported, so Typst seems to be missing."""
    monkeypatch.setattr(stamping, "_has_typst", lambda: False)
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"
    monkeypatch.setattr(stamping, "_has_typst", lambda: True)
    assert up_to_date_check(root).messages_if_unchanged() is None
    save_build(root)
    monkeypatch.setattr(stamping, "_has_typst", lambda: False)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"


def test_notices_a_change_during_the_build(root: Path) -> None:
    before = read_states(root)
    edit_file(root / "site.yaml")
    up_to_date_check(root).save_build(*before, WRITTEN, "a warning")
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_other_options_and_output_folders_are_other_builds(root: Path) -> None:
    save_build(root)
    assert up_to_date_check(root, options=("https://x.org", "")).messages_if_unchanged() is None
    assert up_to_date_check(root, options=("", "https://x.org")).messages_if_unchanged() is None
    assert up_to_date_check(root, output="elsewhere").messages_if_unchanged() is None
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"


def test_each_output_folder_has_its_own_check(root: Path) -> None:
    save_build(root)
    up_to_date_check(root, "other").save_build(*read_states(root), (), "other")
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"
    assert up_to_date_check(root, "other").messages_if_unchanged() == "other"


@pytest.mark.parametrize(
    "name", ["content/.DS_Store", "content/__pycache__/a.pyc", ".git/index", "notes.txt"]
)
def test_files_that_no_build_reads_are_ignored(root: Path, name: str) -> None:
    save_build(root)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("x")
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"x",
        b"words of another program",
        b"\x00" * 64,
        marshal.dumps(None),
        marshal.dumps("abcde"),
        marshal.dumps((1, "", {}, {})),
        marshal.dumps((0, "", {}, {}, "")),
    ],
)
def test_a_damaged_check_file_is_ignored(root: Path, damage: bytes) -> None:
    save_build(root)
    saved_file(root).write_bytes(damage)
    assert up_to_date_check(root).messages_if_unchanged() is None
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"


@pytest.mark.parametrize(
    ("place", "value"), [(3, ["a"]), (3, {"site.yaml": "x"}), (3, 7), (4, 7), (5, 7), (2, None)]
)
def test_a_check_file_of_the_wrong_type_is_ignored(root: Path, place: int, value: object) -> None:
    save_build(root)
    parts = list(marshal.loads(saved_file(root).read_bytes()[4:]))
    parts[place] = value
    body = marshal.dumps(tuple(parts))
    saved_file(root).write_bytes(zlib.crc32(body).to_bytes(4) + body)
    assert up_to_date_check(root).messages_if_unchanged() is None


@pytest.mark.parametrize("length", [1, 20, 100])
def test_a_truncated_check_file_is_ignored(root: Path, length: int) -> None:
    save_build(root)
    saved_file(root).write_bytes(saved_file(root).read_bytes()[:-length])
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_a_read_only_cache_folder_costs_only_time(root: Path) -> None:
    (root / ".cache").write_text("a file in the way")
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() is None
    assert (root / ".cache").read_text() == "a file in the way"


def test_r08_a_record_that_cannot_be_written_leaves_no_temporary_file(root: Path) -> None:
    save_build(root)
    file = saved_file(root)
    file.unlink()
    (file / "in the way").mkdir(parents=True)
    save_build(root)
    assert [*(root / ".cache").iterdir()] == [file]


def save_build_and_call(root: Path, *arguments: str) -> None:
    save_build(root)
    up_to_date_check(root).save_call(root, arguments, "Nothing has changed.")


def test_a_repeated_call_prints_its_messages_again(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_build_and_call(root, "build", "--strict")
    assert replay_if_unchanged(str(root), ["build", "--strict"])
    output = capsys.readouterr()
    assert (output.out, output.err) == ("Nothing has changed.\n", "a warning\n")


def test_another_call_is_not_repeated(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_build_and_call(root, "build")
    assert not replay_if_unchanged(str(root), ["build", "--strict"])
    assert not replay_if_unchanged(str(root), [])
    assert replay_if_unchanged(str(root), ["build"])
    monkeypatch.chdir(tmp_path)
    assert not replay_if_unchanged(str(root), ["build"])


@pytest.mark.parametrize("name", ["content/profile.yaml", "output/index.html", "build.py"])
def test_a_call_after_a_change_builds_again(root: Path, name: str) -> None:
    """An edited build.py may pass other exporters."""
    save_build_and_call(root)
    edit_file(root / name)
    assert not replay_if_unchanged(str(root), [])


@pytest.mark.parametrize("damage", [b"", b"x", marshal.dumps(None), marshal.dumps(("a", "b", "c", "d"))])
def test_a_damaged_saved_call_is_ignored(root: Path, damage: bytes) -> None:
    save_build_and_call(root)
    (file,) = (root / ".cache").glob("call-*")
    file.write_bytes(damage)
    assert not replay_if_unchanged(str(root), [])


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
    assert up_to_date_check(root).messages_if_unchanged() is None
    assert not [path for path in input_states(root) if path.startswith(f"{root}/content/link/")]


def test_r11_folders_that_link_to_each_other_are_read_once_by_each_path(root: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (root / "content" / name).mkdir()
        (root / "content" / name / "x.txt").write_text("x")
        (root / "content" / name / other).symlink_to(root / "content" / other)
    states = input_states(root)
    assert {path.removeprefix(f"{root}/content/") for path in states if path.endswith("x.txt")} == {
        "a/x.txt", "a/b/x.txt", "b/x.txt", "b/a/x.txt",
    }  # fmt: skip


def test_a_symlink_to_another_folder_of_the_site_is_followed(root: Path) -> None:
    write_files(root, "-- slides/talk.pdf --\nPDF\n")
    (root / "content" / "slides").symlink_to(root / "slides")
    assert os.fspath(root / "content" / "slides" / "talk.pdf") in input_states(root)


def test_a_theme_may_be_a_link_out_of_the_site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    theme = tmp_path_factory.mktemp("theme")
    write_files(theme, "-- theme.yaml --\nextends: classic\n")
    (root / "themes").mkdir(exist_ok=True)
    (root / "themes/linked").symlink_to(theme)
    assert os.fspath(root / "themes/linked/theme.yaml") in input_states(root)


def test_notices_an_edit_of_the_same_size_with_the_old_time(root: Path) -> None:
    save_build(root)
    path = root / "content/profile.yaml"
    status = path.stat()
    path.write_text("x" * status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert up_to_date_check(root).messages_if_unchanged() is None


@pytest.mark.parametrize("name", ["content/profile.yaml", "output/index.html"])
def test_notices_a_file_replaced_by_one_of_the_same_time_and_size(root: Path, name: str) -> None:
    save_build(root)
    path = root / name
    other = path.with_name(".other")
    other.write_text("x" * path.stat().st_size)
    os.utime(other, ns=(10**18, 10**18))
    other.replace(path)
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_an_edit_within_the_resolution_of_the_times(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some disks store times in steps of one or two seconds."""
    monkeypatch.setattr(stamping, "make_file_state", lambda status: (0, 0, status.st_size, 0))
    monkeypatch.setattr("time.time_ns", lambda: 1_000_000_000)
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"
    path = root / "content/profile.yaml"
    path.write_text("x" * path.stat().st_size)
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_a_publication_that_was_killed(root: Path) -> None:
    save_build(root)
    (root / "output" / UNFINISHED_NAME).mkdir()
    assert up_to_date_check(root).messages_if_unchanged() is None


def test_notices_an_edit_after_the_clock_went_backwards(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's time is in the year 2100, and the edit has an earlier time; then a build is before the times of its files."""
    path = root / "content/profile.yaml"
    os.utime(path, (4_102_444_800, 4_102_444_800))
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert up_to_date_check(root).messages_if_unchanged() is None
    monkeypatch.setattr(stamping, "make_file_state", lambda status: (10**18, 10**18, status.st_size, 0))
    monkeypatch.setattr("time.time_ns", lambda: 10**17)
    save_build(root)
    assert up_to_date_check(root).messages_if_unchanged() == "a warning\n"
    path.write_text("x" * path.stat().st_size)
    assert up_to_date_check(root).messages_if_unchanged() is None
