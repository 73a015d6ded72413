"""Parallel work has the same result as work in one process."""

import os
import threading
import time

import pytest

from tenure import parallel as spreading
from tenure.parallel import parallel_map, run_in_fork, run_in_thread

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="one process alone without fork")


@pytest.fixture
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "_count_processors", lambda: 3)


@pytest.mark.usefixtures("three_processors")
@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000])
def test_results_are_in_order(count: int) -> None:
    assert parallel_map(lambda item: item * 2, range(count), min_items=1) == [
        item * 2 for item in range(count)
    ]


@pytest.mark.usefixtures("three_processors")
def test_more_than_one_process_works() -> None:
    def return_process(_: int) -> int:
        time.sleep(0.002)
        return os.getpid()

    assert len(set(parallel_map(return_process, range(200), min_items=1))) > 1


@pytest.mark.usefixtures("three_processors")
def test_few_items_are_processed_in_this_process() -> None:
    assert set(parallel_map(lambda _: os.getpid(), range(9), min_items=10)) == {os.getpid()}


@pytest.mark.usefixtures("three_processors")
def test_failed_work_is_repeated_in_this_process() -> None:
    here = os.getpid()

    def end_child(item: int) -> int:
        if os.getpid() != here:
            os._exit(3)
        return item

    assert parallel_map(end_child, range(100), min_items=1) == list(range(100))


@pytest.mark.usefixtures("three_processors")
def test_an_exception_is_raised_in_the_parent(capfd: pytest.CaptureFixture[str]) -> None:
    def fail_on_item(item: int) -> int:
        if item == 40:
            raise ValueError("no 40")
        return item

    with pytest.raises(ValueError, match="no 40"):
        parallel_map(fail_on_item, range(100), min_items=1)
    assert "Traceback" not in capfd.readouterr().err


def test_with_other_threads_one_process_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert spreading._count_processors() == 1


@pytest.mark.usefixtures("three_processors")
def test_work_in_a_fork_returns_its_result() -> None:
    result = run_in_fork(os.getpid)
    assert result() != os.getpid()


@pytest.mark.usefixtures("three_processors")
def test_work_that_fails_in_a_fork_is_repeated_here() -> None:
    here = os.getpid()

    def end_child_process() -> str:
        if os.getpid() != here:
            os._exit(3)
        return "done"

    assert run_in_fork(end_child_process)() == "done"


@pytest.mark.usefixtures("three_processors")
def test_an_exception_in_a_fork_is_raised_here() -> None:
    def raise_value_error() -> str:
        raise ValueError("no")

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
    def raise_work_error() -> None:
        raise ValueError("of the work")

    with pytest.raises(ValueError, match="of the work"):
        run_in_thread(raise_work_error, lambda: None)
