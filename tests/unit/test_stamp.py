"""Whether anything has changed since the last build, found out by names, times and sizes."""

import marshal
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tenure.cache import up_to_date as stamping
from tenure.cache.up_to_date import UpToDateCheck, input_states, replay_if_unchanged

SOURCES = (
    "site.yaml",
    "content/profile.yaml",
    "content/projects/a.md",
    "bib/papers.bib",
    "themes/mine/style.css",
)
WRITTEN = ("index.html", "talks/index.html")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site's folder as it is after a build, its files of some age."""
    for name in (*SOURCES, *(f"output/{name}" for name in WRITTEN)):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, ns=(10**18, 10**18))
    return tmp_path


def stamp(root: Path, output: str = "output", wishes: tuple[str, ...] = ("", "")) -> UpToDateCheck:
    return UpToDateCheck(root, root / output, wishes)


def keep(root: Path, told: str = "told\n") -> None:
    stamp(root).save_build(input_states(root), WRITTEN, told)


def kept_file(root: Path) -> Path:
    (file,) = (root / ".cache").iterdir()
    return file


def test_before_the_first_build_nothing_is_known(root: Path) -> None:
    assert stamp(root).messages_if_unchanged() is None
    assert not (root / ".cache").exists()


@pytest.mark.parametrize("told", ["", "site.yaml:1:1: warning: ü\n"])
def test_without_a_change_it_says_what_was_told(root: Path, told: str) -> None:
    keep(root, told)
    assert stamp(root).messages_if_unchanged() == told
    assert stamp(root).messages_if_unchanged() == told


def test_keeping_again_replaces(root: Path) -> None:
    keep(root, "first")
    keep(root, "second")
    assert stamp(root).messages_if_unchanged() == "second"
    assert kept_file(root).is_file()


def edit(path: Path) -> None:
    path.write_text("edited, and longer than before")


def touch(path: Path) -> None:
    """Other words of the same length."""
    path.write_text(path.read_text()[::-1])


@pytest.mark.parametrize("name", [*SOURCES, *(f"output/{name}" for name in WRITTEN)])
@pytest.mark.parametrize("change", [edit, touch, Path.unlink])
def test_notices_a_file_edited_or_deleted(root: Path, name: str, change: Callable[[Path], None]) -> None:
    keep(root)
    change(root / name)
    assert stamp(root).messages_if_unchanged() is None


@pytest.mark.parametrize(
    "name", ["content/talks.yaml", "content/new/a.md", "bib/b.bib", "themes/mine/x.html"]
)
def test_notices_a_new_source(root: Path, name: str) -> None:
    keep(root)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("new")
    assert stamp(root).messages_if_unchanged() is None


def test_notices_a_source_under_another_name(root: Path) -> None:
    keep(root)
    (root / "bib/papers.bib").rename(root / "bib/Papers.bib")
    assert stamp(root).messages_if_unchanged() is None


def test_notices_a_lost_output(root: Path) -> None:
    keep(root)
    shutil.rmtree(root / "output")
    assert stamp(root).messages_if_unchanged() is None


def test_notices_a_change_of_tenure_itself(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = root / "code"
    code.mkdir()
    (code / "cli.py").write_text("1")
    monkeypatch.setattr("tenure.cache.up_to_date.PACKAGE_FOLDER", code)
    keep(root)
    assert stamp(root).messages_if_unchanged() == "told\n"
    edit(code / "cli.py")
    assert stamp(root).messages_if_unchanged() is None


def test_notices_another_version(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(root)
    monkeypatch.setattr("tenure.cache.up_to_date.__version__", "0.0.0")
    assert stamp(root).messages_if_unchanged() is None


def test_notices_that_a_cv_can_now_be_made_as_pdf(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra may be installed after a build; before the packages of .venv are in reach none seems to be there."""
    monkeypatch.setattr(stamping, "_has_typst", lambda: False)
    keep(root)
    assert stamp(root).messages_if_unchanged() == "told\n"
    monkeypatch.setattr(stamping, "_has_typst", lambda: True)
    assert stamp(root).messages_if_unchanged() is None
    keep(root)
    monkeypatch.setattr(stamping, "_has_typst", lambda: False)
    assert stamp(root).messages_if_unchanged() == "told\n"


def test_a_change_during_the_build_is_noticed(root: Path) -> None:
    before = input_states(root)
    edit(root / "site.yaml")
    stamp(root).save_build(before, WRITTEN, "told")
    assert stamp(root).messages_if_unchanged() is None


def test_other_wishes_and_other_folders_are_other_builds(root: Path) -> None:
    keep(root)
    assert stamp(root, wishes=("https://x.org", "")).messages_if_unchanged() is None
    assert stamp(root, wishes=("", "https://x.org")).messages_if_unchanged() is None
    assert stamp(root, output="elsewhere").messages_if_unchanged() is None
    assert stamp(root).messages_if_unchanged() == "told\n"


def test_each_build_of_a_site_has_its_own_stamp(root: Path) -> None:
    keep(root)
    stamp(root, "other").save_build(input_states(root), (), "other")
    assert stamp(root).messages_if_unchanged() == "told\n"
    assert stamp(root, "other").messages_if_unchanged() == "other"


@pytest.mark.parametrize(
    "name", ["content/.DS_Store", "content/__pycache__/a.pyc", ".git/index", "notes.txt"]
)
def test_what_no_build_reads_is_passed_over(root: Path, name: str) -> None:
    keep(root)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("x")
    assert stamp(root).messages_if_unchanged() == "told\n"


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
def test_a_damaged_stamp_is_harmless(root: Path, damage: bytes) -> None:
    keep(root)
    kept_file(root).write_bytes(damage)
    assert stamp(root).messages_if_unchanged() is None
    keep(root)
    assert stamp(root).messages_if_unchanged() == "told\n"


@pytest.mark.parametrize(("place", "value"), [(3, ["a"]), (3, {"site.yaml": "x"}), (4, 7), (2, None)])
def test_a_stamp_of_the_wrong_shape_is_harmless(root: Path, place: int, value: object) -> None:
    keep(root)
    parts = list(marshal.loads(kept_file(root).read_bytes()))
    parts[place] = value
    kept_file(root).write_bytes(marshal.dumps(tuple(parts)))
    assert stamp(root).messages_if_unchanged() is None


@pytest.mark.parametrize("length", [1, 20, 100])
def test_a_stamp_cut_short_is_harmless(root: Path, length: int) -> None:
    keep(root)
    kept_file(root).write_bytes(kept_file(root).read_bytes()[:-length])
    assert stamp(root).messages_if_unchanged() is None


def test_a_folder_that_cannot_hold_a_stamp_costs_only_time(root: Path) -> None:
    (root / ".cache").write_text("a file in the way")
    keep(root)
    assert stamp(root).messages_if_unchanged() is None
    assert (root / ".cache").read_text() == "a file in the way"


def remember(root: Path, *words: str) -> None:
    keep(root)
    stamp(root).save_call(root, words, "Nothing has changed.")


def test_a_call_made_before_says_again_what_it_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    remember(root, "build", "--strict")
    assert replay_if_unchanged(str(root), ["build", "--strict"])
    said = capsys.readouterr()
    assert (said.out, said.err) == ("Nothing has changed.\n", "told\n")


def test_another_call_is_not_known(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(root, "build")
    assert not replay_if_unchanged(str(root), ["build", "--strict"])
    assert not replay_if_unchanged(str(root), [])
    assert replay_if_unchanged(str(root), ["build"])
    monkeypatch.chdir(tmp_path)
    assert not replay_if_unchanged(str(root), ["build"])


@pytest.mark.parametrize("name", ["content/profile.yaml", "output/index.html", "build.py"])
def test_a_call_after_a_change_is_made_anew(root: Path, name: str) -> None:
    """The door may pass outlets of the site's own since."""
    remember(root)
    edit(root / name)
    assert not replay_if_unchanged(str(root), [])


@pytest.mark.parametrize("damage", [b"", b"x", marshal.dumps(None), marshal.dumps(("a", "b", "c", "d"))])
def test_a_damaged_memory_of_a_call_is_harmless(root: Path, damage: bytes) -> None:
    remember(root)
    (file,) = (root / ".cache").glob("call-*")
    file.write_bytes(damage)
    assert not replay_if_unchanged(str(root), [])


def test_a_link_to_a_folder_that_it_stands_in_is_not_followed(root: Path) -> None:
    before = input_states(root)
    (root / "content" / "again").symlink_to(root)
    assert input_states(root) == before


def test_a_link_to_a_folder_elsewhere_is_followed(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    slides = tmp_path_factory.mktemp("slides")
    (slides / "talk.pdf").write_text("PDF")
    (root / "content" / "slides").symlink_to(slides)
    assert os.fspath(root / "content" / "slides" / "talk.pdf") in input_states(root)
