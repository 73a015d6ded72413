"""Parallel work has the same result as work in one process."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import Make, Patch
from sample_images import draw_picture, encode_image

from tenure import parallel as spreading
from tenure.images.resizing import pillow_version
from tenure.parallel import run_in_fork, run_in_thread
from tenure.publish import publish_artifacts

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="one process alone without fork")


def raise_value_error() -> str:
    raise ValueError("no")


def test_work_in_a_fork_returns_its_result_or_exception(monkeypatch: Patch) -> None:
    """Work whose process ends early is repeated here."""
    here = os.getpid()

    def end_child_process() -> str:
        if os.getpid() != here:
            os._exit(3)
        return "done"

    monkeypatch.setattr(spreading, "_count_processors", lambda: 3)
    assert run_in_fork(os.getpid)() != here
    assert run_in_fork(end_child_process)() == "done"
    with pytest.raises(ValueError, match="no"):
        run_in_fork(raise_value_error)()


def test_other_work_is_done_while_waiting() -> None:
    calls: list[int] = []

    def wait_for_calls() -> int:
        while len(calls) < 2:
            time.sleep(0.001)
        return 7

    assert run_in_thread(wait_for_calls, lambda: calls.append(1)) == 7


def test_unneeded_work_is_not_waited_for() -> None:
    finished = threading.Event()
    go = threading.Event()

    def wait_for_signal() -> None:
        go.wait(30)
        finished.set()

    def raise_enough() -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        run_in_thread(wait_for_signal, raise_enough)
    assert not finished.is_set()
    go.set()
    assert finished.wait(30)


def test_an_exception_in_a_thread_is_raised_here() -> None:
    with pytest.raises(ValueError, match="no"):
        run_in_thread(raise_value_error, lambda: None)


def test_without_threads_or_pillow_pictures_are_kept(site: Make, monkeypatch: Patch, tmp_path: Path) -> None:
    def refuse_access(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    sources = site(
        "-- site.yaml --\nurl: https://ada.example.edu\n-- content/talks.yaml --\n- A talk\n"
        "-- content/profile.yaml --\nname: Ada Example\nphoto: ada.jpg\n"
        "-- content/about.md --\n![A gray square](square.png)\n"
    )
    picture = encode_image(draw_picture(900, 600), "PNG")
    (sources.root / "content/square.png").write_bytes(picture)
    (sources.root / "content/ada.jpg").write_bytes(encode_image(draw_picture(600, 600), "JPEG"))
    monkeypatch.setattr(sys, "platform", "emscripten")
    pillow_version.cache_clear()
    monkeypatch.setattr(threading.Thread, "start", refuse_access)
    monkeypatch.setattr(os, "fork", refuse_access)
    for name in [name for name in sys.modules if name.partition(".")[0] == "PIL"]:
        monkeypatch.setitem(sys.modules, name, None)
    built = sources.build(pdf=True)
    pillow_version.cache_clear()
    assert 'src="square.png"' in built.read_page("/")
    files = {file.path: file for file in built.build.artifacts}
    assert files["square.png"].read() == picture
    assert files["cv.pdf"].read().startswith(b"%PDF")
    assert files["preview.png"].read().startswith(b"\x89PNG")
    assert built.problems == []
    publish_artifacts(files.values(), tmp_path / "output")
    assert (tmp_path / "output/square.png").read_bytes() == picture
