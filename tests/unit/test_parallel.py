"""Parallel work has the same result as work in one process."""

import os
import threading
import time

import pytest

from tenure import parallel as spreading
from tenure.parallel import run_in_fork, run_in_thread

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="one process alone without fork")


@pytest.fixture
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "_count_processors", lambda: 3)


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
