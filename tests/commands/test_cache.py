"""The cache: results by the digest of their inputs."""

import itertools
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import Make, Patch

from tenure import parallel
from tenure.cache.store import CacheFile, CacheStore
from tenure.exports.cv.typst import TypstCompiler
from tenure.problems import Place, Problems


def make_counter() -> Callable[[], int]:
    """Return a function that returns the number of its calls."""
    return partial(next, itertools.count(1))


def test_a_result_is_computed_once_for_each_name_version_and_input(tmp_path: Path) -> None:
    count = make_counter()
    store = CacheStore(tmp_path / "cache")
    text = "a text".upper()
    store.put("a", "1", [text, text], "stored")
    assert store.find("a", "1", ["a text".upper()] * 2) == "stored", "equal inputs are one input"
    calls = [("a", "1", "x"), ("a", "1", "x"), ("b", "1", "x"), ("a", "2", "x"), ("a", "1", ("x",))]
    assert [store.call(*call, count) for call in calls] == [1, 1, 2, 3, 4]
    store.save()
    assert [store.call(*call, count) for call in calls] == [1, 1, 2, 3, 4]
    assert [CacheStore(tmp_path / "cache").call(*call, count) for call in calls] == [1, 1, 2, 3, 4]
    assert CacheStore().call("a", "1", "x", count) == 5


def test_a_result_with_a_problem_is_computed_again() -> None:
    problems, store = Problems(), CacheStore()

    def report_problem() -> str:
        problems.report("bad-date", Place("site.yaml"), "a message", "a hint")
        return "a result"

    for number in (1, 2):
        assert store.call("a", "1", "x", report_problem, problems) == "a result"
        assert problems.count() == number


def test_without_a_folder_a_result_lasts_as_long_as_runs_use_it() -> None:
    count = make_counter()
    store = CacheStore()
    for _ in range(3):
        assert store.call("a", "1", "x", count) == 1
        store.save()
    store.save()
    assert store.call("a", "1", "x", count) == 2


def test_low_a_pipe_in_place_of_a_file_is_empty(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    assert CacheStore(tmp_path).call("a", "1", "x", make_counter()) == 1


def test_r08_a_file_that_cannot_be_written_leaves_no_temporary_file(tmp_path: Path) -> None:
    """As on a full disk: the temporary file is written, and does not get its name."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    store = CacheStore(tmp_path)
    assert store.call("a", "1", "x", make_counter()) == 1
    store.save()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("body", [b"", b"short", b"x" * 100])
def test_a_damaged_file_is_empty(tmp_path: Path, body: bytes) -> None:
    count = make_counter()
    for expected in (1, 2):
        store = CacheStore(tmp_path)
        assert store.call("a", "1", "x", count) == expected
        store.save()
        (tmp_path / "a").write_bytes(body)


def test_a_run_appends_only_its_new_values(tmp_path: Path) -> None:
    written = b""
    for number in range(3):
        file = CacheFile(tmp_path / "a")
        assert [file.get(str(each)) for each in range(number)] == [b"x" * 1000] * number
        file.put(str(number), b"x" * 1000)
        file.save()
        assert (tmp_path / "a").read_bytes().startswith(written)
        written = (tmp_path / "a").read_bytes()


def test_a_damaged_end_is_ignored_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for number in range(2):
        file = CacheFile(path)
        file.put(str(number), b"x" * 1000)
        file.save()
    path.write_bytes(path.read_bytes()[:-10])
    file = CacheFile(path)
    assert (file.get("0"), file.get("1")) == (b"x" * 1000, None)
    file.put("1", b"new")
    file.save()
    assert [CacheFile(path).get(key) for key in ("0", "1")] == [b"x" * 1000, b"new"]


def test_two_processes_can_write_the_same_file(tmp_path: Path) -> None:
    CacheFile(tmp_path / "a").save()
    files = [CacheFile(tmp_path / "a") for _ in range(2)]
    for number, file in enumerate(files):
        for turn in range(2):
            file.put(f"{number} {turn}", b"value")
            file.save()
    last = CacheFile(tmp_path / "a")
    assert [last.get(f"1 {turn}") for turn in range(2)] == [b"value"] * 2


def test_unused_values_are_deleted_when_they_take_more_space(tmp_path: Path) -> None:
    for number in range(30):
        file = CacheFile(tmp_path / "a")
        file.put(str(number), b"x" * 50_000)
        file.save()
    assert (tmp_path / "a").stat().st_size < 400_000
    assert CacheFile(tmp_path / "a").get("29") is not None


def test_a_pdf_is_typeset_again_only_when_its_own_inputs_change(site: Make, monkeypatch: Patch) -> None:
    typeset: list[str] = []
    compile_pdf = TypstCompiler.compile_to_fit

    def record_call(self: TypstCompiler, template: str, *arguments: object) -> object:
        typeset.append(template)
        return compile_pdf(self, template, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(TypstCompiler, "compile_to_fit", record_call)
    monkeypatch.setattr(parallel, "_count_processors", lambda: 1)
    sources = site("-- content/talks.yaml --\n- event: Seminar\n")
    first = sources.build_cached(pdf=True).files
    assert typeset == ["cv.typ"]
    sources.edit_files("-- themes/classic/assets/own.css --\np { color: red }\n")
    sources.build_cached(pdf=True)
    assert typeset == ["cv.typ"]
    sources.edit_files("-- content/talks.yaml --\n- event: Another seminar\n")
    second = sources.build_cached(pdf=True).files
    assert typeset == ["cv.typ"] * 2
    assert first["cv.pdf"] != second["cv.pdf"]
