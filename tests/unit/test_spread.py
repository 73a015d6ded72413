"""Work spread over processes gives what one process gives."""

import os
import threading
import time

import pytest

from tenure import spread as spreading
from tenure.spread import apart, awaited, spread

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="one process alone without fork")


@pytest.fixture
def processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "_processors", lambda: 3)


@pytest.mark.usefixtures("processors")
@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000])
def test_results_are_in_order(count: int) -> None:
    assert spread(lambda item: item * 2, range(count), least=1) == [item * 2 for item in range(count)]


@pytest.mark.usefixtures("processors")
def test_more_than_one_process_works() -> None:
    def work(_: int) -> int:
        time.sleep(0.002)
        return os.getpid()

    assert len(set(spread(work, range(200), least=1))) > 1


@pytest.mark.usefixtures("processors")
def test_few_items_stay_here() -> None:
    assert set(spread(lambda _: os.getpid(), range(9), least=10)) == {os.getpid()}


@pytest.mark.usefixtures("processors")
def test_what_another_process_fails_to_give_is_made_here() -> None:
    here = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != here:
            os._exit(3)
        return item

    assert spread(work, range(100), least=1) == list(range(100))


@pytest.mark.usefixtures("processors")
def test_an_error_appears_here(capfd: pytest.CaptureFixture[str]) -> None:
    def work(item: int) -> int:
        if item == 40:
            raise ValueError("no 40")
        return item

    with pytest.raises(ValueError, match="no 40"):
        spread(work, range(100), least=1)
    assert "Traceback" not in capfd.readouterr().err


def test_beside_other_threads_one_process_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert spreading._processors() == 1


@pytest.mark.usefixtures("processors")
def test_a_work_apart_gives_its_result_when_asked() -> None:
    result = apart(os.getpid)
    assert result() != os.getpid()


@pytest.mark.usefixtures("processors")
def test_a_work_that_fails_apart_is_done_here() -> None:
    here = os.getpid()

    def work() -> str:
        if os.getpid() != here:
            os._exit(3)
        return "done"

    assert apart(work)() == "done"


@pytest.mark.usefixtures("processors")
def test_an_error_apart_appears_here() -> None:
    def work() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        apart(work)()


def test_while_a_work_is_awaited_something_is_done() -> None:
    calls: list[int] = []

    def work() -> int:
        while len(calls) < 2:
            time.sleep(0.001)
        return 7

    assert awaited(work, lambda: calls.append(1)) == 7


def test_what_is_not_worth_waiting_for_is_left_to_itself() -> None:
    done = threading.Event()
    go = threading.Event()

    def work() -> None:
        go.wait(30)
        done.set()

    def stop() -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        awaited(work, stop)
    assert not done.is_set()
    go.set()
    assert done.wait(30)


def test_an_error_of_what_is_awaited_appears_here() -> None:
    def work() -> None:
        raise ValueError("of the work")

    with pytest.raises(ValueError, match="of the work"):
        awaited(work, lambda: None)
