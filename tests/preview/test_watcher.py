"""The watcher, without a server and without a browser."""

import itertools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tenure.server import watcher as watching
from tenure.server.watcher import IDLE_POLL_INTERVAL, POLL_INTERVAL, SETTLE_TIME, SourceWatcher


class Script:
    """A replacement for `sleep`: each call runs the next step."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.steps = list(steps)
        self.sleep_times: list[float] = []

    def run_next_step(self, seconds: float) -> None:
        self.sleep_times.append(seconds)
        assert len(self.sleep_times) < 10_000, "nothing was reported"
        if self.steps:
            self.steps.pop(0)()


def change_nothing() -> None:
    """Change no file."""


def watch_folder(root: Path, *steps: Callable[[], object]) -> tuple[list[str], Script]:
    """Run the steps while the watcher waits; return the reported paths, relative to the folder."""
    script = Script(*steps)
    watch = SourceWatcher([root], sleep=script.run_next_step)
    return [Path(path).relative_to(root).as_posix() for path in watch.wait()], script


@pytest.fixture(autouse=True)
def disable_slow_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "time", SimpleNamespace(perf_counter=lambda: 0.0))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "content").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / f"content/{name}.yaml").write_text(f"{name}: 1\n")
        os.utime(tmp_path / f"content/{name}.yaml", (1e9, 1e9))
    return tmp_path


def test_a_save_is_reported_once(root: Path) -> None:
    actual, script = watch_folder(
        root, change_nothing, lambda: (root / "content/a.yaml").write_text("a: 2\n")
    )
    assert actual == ["content/a.yaml"]
    assert script.sleep_times == [POLL_INTERVAL, POLL_INTERVAL, SETTLE_TIME]


def test_files_saved_in_quick_succession_are_reported_together(root: Path) -> None:
    saves = [lambda name=name: (root / f"content/{name}.yaml").write_text("x: 2\n") for name in "abc"]
    actual, script = watch_folder(root, *saves)
    assert actual == [f"content/{name}.yaml" for name in "abc"]
    assert script.sleep_times == [POLL_INTERVAL, SETTLE_TIME, SETTLE_TIME, SETTLE_TIME]


def test_a_save_during_a_build_is_reported_next(root: Path) -> None:
    file = root / "content/a.yaml"
    script = Script(lambda: file.write_text("a: 22\n"))
    watch = SourceWatcher([root], sleep=script.run_next_step)
    assert watch.wait() == (str(file),)
    file.write_text("a: 333\n")
    assert watch.wait() == (str(file),)


def test_a_save_with_the_same_time_and_size_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some disks store file times in steps of 2 s; then only the content shows the change."""
    monkeypatch.setattr(watching, "make_file_state", lambda seen: (0, 0, seen.st_size, 0))
    file = root / "content/a.yaml"
    times = iter([0, 0, 0, 0, 3_000_000_000, 3_000_000_000])
    script = Script(change_nothing, change_nothing, lambda: file.write_text("a: 2\n"))
    watch = SourceWatcher([root], sleep=script.run_next_step, clock=lambda: next(times, 3_000_000_000))
    assert watch.wait() == (str(file),)


def test_a_save_after_the_clock_went_backwards_is_reported(root: Path) -> None:
    """The file's time is earlier than before, and the times of the clock are before those of all files."""
    file = root / "content/a.yaml"
    times = iter(range(10**18, 0, -(10**14)))

    def save_file() -> None:
        file.write_text("a: 2\n")
        os.utime(file, (1e8, 1e8))

    script = Script(change_nothing, save_file)
    watch = SourceWatcher([root], sleep=script.run_next_step, clock=lambda: next(times))
    assert watch.wait() == (str(file),)


def test_a_new_file_with_an_old_time_is_reported(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    old = tmp_path_factory.mktemp("elsewhere") / "old.yaml"
    old.write_text("old: 1\n")
    os.utime(old, (1e9, 1e9))
    actual, _ = watch_folder(root, lambda: shutil.copy2(old, root / "content/old.yaml"))
    assert actual == ["content/old.yaml"]


def test_a_file_replaced_by_one_of_the_same_time_and_size_is_reported(root: Path) -> None:
    def replace_file() -> None:
        beside = root / "content/.a.yaml.new"
        beside.write_text("a: 9\n")
        os.utime(beside, (1e9, 1e9))
        beside.replace(root / "content/a.yaml")

    assert watch_folder(root, replace_file)[0] == ["content/a.yaml"]


def test_removal_and_renaming_are_reported(root: Path) -> None:
    assert watch_folder(root, (root / "content/a.yaml").unlink)[0] == ["content/a.yaml"]
    actual, _ = watch_folder(root, lambda: (root / "content/b.yaml").rename(root / "content/d.yaml"))
    assert actual == ["content/b.yaml", "content/d.yaml"]


def test_a_new_folder_is_watched(root: Path) -> None:
    def fill_folder() -> None:
        (root / "bib/more").mkdir(parents=True)
        (root / "bib/more/a.bib").write_text("@misc{a}")

    assert watch_folder(root, fill_folder)[0] == ["bib/more/a.bib"]


def test_a_missing_file_is_watched(root: Path) -> None:
    script = Script(lambda: (root / "site.yaml").write_text("title: A\n"))
    watch = SourceWatcher([root / "site.yaml"], sleep=script.run_next_step)
    assert watch.wait() == (str(root / "site.yaml"),)


@pytest.mark.parametrize(
    "name", [".a.yaml.swp", "a.yaml~", "#a.yaml#", ".#a.yaml", "4913", ".goutputstream-X1"]
)
def test_temporary_files_of_editors_are_ignored(root: Path, name: str) -> None:
    actual, _ = watch_folder(
        root,
        lambda: (root / "content" / name).write_text("x"),
        change_nothing,
        (root / "content" / name).unlink,
        lambda: (root / "content/b.yaml").write_text("b: 2\n"),
    )
    assert actual == ["content/b.yaml"]


def test_an_emptied_file_is_not_reported_immediately(root: Path) -> None:
    file = root / "content/a.yaml"
    actual, script = watch_folder(
        root, lambda: file.write_text(""), change_nothing, change_nothing, lambda: file.write_text("a: 2\n")
    )
    assert actual == ["content/a.yaml"]
    assert script.sleep_times == [POLL_INTERVAL, *[SETTLE_TIME] * 4]


def test_a_file_that_remains_empty_is_reported_later(root: Path) -> None:
    assert watch_folder(root, lambda: (root / "content/a.yaml").write_text(""))[0] == ["content/a.yaml"]


def test_a_file_created_and_deleted_at_once_is_not_reported(root: Path) -> None:
    new = root / "content/new.yaml"
    actual, _ = watch_folder(
        root, lambda: new.write_text("x"), new.unlink, lambda: (root / "content/b.yaml").write_text("b: 2\n")
    )
    assert actual == ["content/b.yaml"]


def test_polling_is_slower_after_a_minute(root: Path) -> None:
    quiet = [change_nothing] * int(60 / POLL_INTERVAL + 2)
    _, script = watch_folder(root, *quiet, lambda: (root / "content/a.yaml").write_text("a: 2\n"))
    assert script.sleep_times[-2] == IDLE_POLL_INTERVAL


def test_ten_thousand_files_use_little_processor_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in range(100):
        (tmp_path / str(folder)).mkdir()
        for number in range(100):
            (tmp_path / f"{folder}/{number}.md").touch()
    ticks = itertools.count(0, 0.03)
    monkeypatch.setattr(watching, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    script = Script(change_nothing, lambda: (tmp_path / "99/new.md").write_text("x"))
    watch = SourceWatcher([tmp_path], sleep=script.run_next_step)
    assert watch.wait() == (str(tmp_path / "99/new.md"),)
    assert script.sleep_times[:2] == [pytest.approx(0.12)] * 2


def test_a_circular_symlink_is_not_followed(root: Path) -> None:
    (root / "content/again").symlink_to(root)
    actual, _ = watch_folder(root, change_nothing, lambda: (root / "content/a.yaml").write_text("a: 2\n"))
    assert actual == ["content/a.yaml"]


def test_a_symlink_to_another_folder_is_followed(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    slides = tmp_path_factory.mktemp("slides")
    (root / "content/slides").symlink_to(slides)
    actual, _ = watch_folder(root, change_nothing, lambda: (slides / "talk.pdf").write_text("PDF"))
    assert actual == ["content/slides/talk.pdf"]


@pytest.mark.parametrize("target", ["missing", "link", "/proc"])
def test_r11_a_link_that_a_build_does_not_follow_is_reported(root: Path, target: str) -> None:
    link = root / "content/link"
    actual, _ = watch_folder(root / "content", change_nothing, lambda: link.symlink_to(target))
    assert actual == ["link"]


def test_a_pipe_is_not_read(root: Path) -> None:
    actual, _ = watch_folder(root, change_nothing, lambda: os.mkfifo(root / "content/pipe"))
    assert actual == ["content/pipe"]
