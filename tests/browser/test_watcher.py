"""The watcher reports each change of a source, without a server and without a browser."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from tenure.server.watcher import SourceWatcher


class WatchedSite:
    """A folder with a site and a watcher of it; `change` makes a change and returns the paths that are reported."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._count = 0
        self._reports: Queue[tuple[str, ...]] = Queue()
        watcher = SourceWatcher(root)

        def report_changes() -> None:
            while True:
                self._reports.put(watcher.wait())

        Thread(target=report_changes, daemon=True).start()

    def change(self, action: Callable[[Path], object]) -> list[str]:
        action(self.root)
        self._count += 1
        last = self.root / f"content/last{self._count}.yaml"
        last.touch()
        found: set[str] = set()
        while str(last) not in found:
            found |= {*self._reports.get(timeout=30)}
        paths = (Path(path).relative_to(self.root).as_posix() for path in found)
        return sorted(path for path in paths if not path.startswith("content/last"))


@pytest.fixture
def site(tmp_path: Path) -> WatchedSite:
    (tmp_path / "content/posts").mkdir(parents=True)
    (tmp_path / "bib").mkdir()
    for name in ("content/a.yaml", "content/b.yaml", "bib/a.bib"):
        (tmp_path / name).write_text("1")
        os.utime(tmp_path / name, (1e9, 1e9))
    (tmp_path / "library").mkdir()
    (tmp_path / "library/all.bib").write_text("1")
    (tmp_path / "bib/link.bib").symlink_to("../library/all.bib")
    return WatchedSite(tmp_path)


def copy_old_file(root: Path) -> None:
    shutil.copy2(root / "content/b.yaml", root / "content/old.yaml")


def save_beside(root: Path) -> None:
    """Save as editors do that write a new file and rename it."""
    (root / "content/.goutputstream-X1").write_text("2")
    (root / "content/.goutputstream-X1").replace(root / "content/a.yaml")


def write_ignored_files(root: Path) -> None:
    for name in (".a.yaml.swp", "a.yaml~", "#a.yaml#", ".#a.yaml", "4913", ".goutputstream-X1"):
        (root / "content" / name).write_text("x")
    for name in (".venv/lib", "output/cv", ".cache"):
        (root / name).mkdir(parents=True)
        (root / name / "a.yaml").write_text("x")
    (root / "README.md").write_text("x")


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "a save": (lambda root: (root / "content/a.yaml").write_text("2"), ["content/a.yaml"]),
    "two saves": (
        lambda root: [(root / f"content/{name}.yaml").write_text("2") for name in "ab"],
        ["content/a.yaml", "content/b.yaml"],
    ),
    "a save by renaming": (save_beside, ["content/a.yaml"]),
    "a new file with an old time": (copy_old_file, ["content/old.yaml"]),
    "a removed file": (lambda root: (root / "content/a.yaml").unlink(), ["content/a.yaml"]),
    "a renamed file": (
        lambda root: (root / "content/a.yaml").rename(root / "content/c.yaml"),
        ["content/a.yaml", "content/c.yaml"],
    ),
    "site.yaml, which did not exist": (lambda root: (root / "site.yaml").write_text("2"), ["site.yaml"]),
    "a link in a circle": (lambda root: (root / "content/again").symlink_to(root), ["content/again"]),
    "the target of a link": (lambda root: (root / "library/all.bib").write_text("2"), ["bib/link.bib"]),
    "a pipe": (lambda root: os.mkfifo(root / "content/pipe"), ["content/pipe"]),
    "files that are no sources": (write_ignored_files, []),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_a_source_is_reported(site: WatchedSite, name: str) -> None:
    action, expected = CHANGES[name]
    assert site.change(action) == expected


def test_files_in_new_and_replaced_folders_are_reported(site: WatchedSite) -> None:
    file = site.root / "themes/own/style.css"
    for _ in range(2):
        assert site.change(lambda _: file.parent.mkdir(parents=True))
        assert site.change(lambda _: file.write_text("1")) == ["themes/own/style.css"]
        assert site.change(lambda _: file.write_text("22")) == ["themes/own/style.css"]
        assert "themes" in site.change(lambda root: shutil.rmtree(root / "themes"))


def test_an_emptied_file_is_reported_when_it_has_content(tmp_path: Path) -> None:
    file = tmp_path / "content/a.yaml"
    file.parent.mkdir()
    file.write_text("1")
    watcher = SourceWatcher(tmp_path)
    file.write_text("")
    writer = Thread(target=lambda: file.write_text("2"))
    writer.start()
    assert watcher.wait() == (str(file),)
    assert file.read_text() == "2"
    file.write_text("")
    assert watcher.wait() == (str(file),), "a file that stays empty"
    writer.join()
