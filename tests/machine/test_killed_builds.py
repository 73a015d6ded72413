"""A build that is killed at any moment leaves whole files, old or new, and the next build repairs the site."""

import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import IS_FULL_RUN, read_files, read_site, run_in, write_files

from tenure.cache.up_to_date import UNFINISHED_NAME
from tenure.publish import MANIFEST_NAME, Artifact, find_foreign_files, publish_artifacts

KILL_COUNT = int(os.environ.get("TENURE_KILLS", "40" if IS_FULL_RUN else "10"))
"""The number of builds that are killed at random; for a longer run set TENURE_KILLS=200."""

OLD = {"a.html": "old", "style.css": "old", "gone/index.html": "old", "notes": "old", "same.html": "same"}
NEW = dict.fromkeys("a.html style.css notes/index.html x/y/z.html".split(), "new") | {"same.html": "same"}


def as_artifacts(texts: dict[str, str]) -> list[Artifact]:
    return [Artifact(path, text.encode()) for path, text in texts.items()]


@contextlib.contextmanager
def fork_process() -> Iterator[int]:
    """Fork the process, and yield the process id, which is 0 in the fork; the fork ends at the end of the block."""
    process = os.fork()
    if process:
        yield process
        return
    try:
        os.setpgid(0, 0)
        yield 0
    finally:
        os._exit(0)


def publish_until_step(folder: Path, last_step: int) -> bool:
    """Publish NEW in a process that ends before its n-th call of the file system; return whether it ended early."""
    with fork_process() as process:
        if not process:
            step = 0

            def die_at_step(event: str, _: object) -> None:
                nonlocal step
                if event == "open" or event.startswith(("os.", "shutil.")):
                    step += 1
                    if step == last_step:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(die_at_step)
            publish_artifacts(as_artifacts(NEW), folder)
    return os.WIFSIGNALED(os.waitpid(process, 0)[1])


def is_whole(left: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes]) -> bool:
    """Whether every file that a killed process left is that of the old or of the new site."""
    names = (name for name in left if name != MANIFEST_NAME and not name.startswith(UNFINISHED_NAME))
    return all(left[name] in (old.get(name), new.get(name)) for name in names)


def test_a_publication_that_is_killed_at_any_step_is_repaired_by_the_next(tmp_path: Path) -> None:
    publish_artifacts(as_artifacts(OLD), tmp_path / "old")
    publish_artifacts(as_artifacts(NEW), tmp_path / "new")
    old, new = read_files(tmp_path / "old"), read_files(tmp_path / "new")
    for step in range(1, 1000):
        folder = tmp_path / str(step)
        publish_artifacts(as_artifacts(OLD), folder)
        is_killed = publish_until_step(folder, step)
        assert is_whole(read_files(folder), old, new)
        assert find_foreign_files(as_artifacts(NEW), folder) == ()
        publish_artifacts(as_artifacts(NEW), folder)
        assert read_files(folder) == new
        if not is_killed:
            break
    assert step > 30


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path / "site", read_site("engine"))
    return tmp_path / "site"


def change_site(folder: Path, title: str) -> None:
    """Edit a text, and replace the project by one with another id."""
    (folder / "content/about.md").write_text(f"The {title} text.\n")
    for path in (folder / "content/projects").iterdir():
        path.rename(folder / f"content/projects/{title}-engine.md")


def test_a_build_that_is_killed_at_random_leaves_whole_files_and_the_next_one_repairs_the_site(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sites, duration = [], 0.0
    for title in ("new", "old"):
        change_site(folder, title)
        started = time.perf_counter()
        assert run_in(folder, "build") == 0
        duration = time.perf_counter() - started
        sites.append(read_files(folder / "output"))
    random_source = random.Random(28)
    for number in range(KILL_COUNT):
        new, old = sites if number % 2 == 0 else reversed(sites)
        change_site(folder, "new" if number % 2 == 0 else "old")
        with fork_process() as process:
            if not process:
                run_in(folder, "build")
        time.sleep(random_source.uniform(0, duration))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        assert is_whole(read_files(folder / "output"), old, new)
        assert run_in(folder, "build") == 0
        assert read_files(folder / "output") == new
        assert not [*folder.rglob("*.new"), *folder.rglob(UNFINISHED_NAME)]
    capfd.readouterr()


def test_temporary_files_of_a_killed_process_are_removed_by_the_next_build(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Those of `fetch` and `check --fix` are beside the sources; a file of the last minute may still be written."""
    abandoned = [
        folder / name
        for name in (".site.yaml.123.new", "content/projects/.a.md.4567.new", "bib/.fetched.bib.89.new", ".cache/entries.77.new",
                     ".schemas/.news.json.5.new", ".github/workflows/.pages.yml.6.new", "vendor/.a.whl.8.new", "themes/mine/.cv.typ.9.new")
    ]  # fmt: skip
    kept = [folder / name for name in ("content/.b.md.99.new", "content/.notes.new", "content/c.4567.new")]
    for path in (*abandoned, *kept):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("half")
        if path != kept[0]:
            os.utime(path, (1_000_000, 1_000_000))
    assert run_in(folder, "build") == 0
    assert [path for path in (*abandoned, *kept) if path.exists()] == kept
    capfd.readouterr()
