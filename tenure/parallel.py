"""Work in a process or a thread beside; the result does not depend on it."""

import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Result = TypeVar("Result")
Value = TypeVar("Value")
POLL_INTERVAL = 0.02
"""Seconds between two calls of `on_poll`."""


def has_threads() -> bool:
    """Whether there are threads and processes: in the tab of a browser (Pyodide) there are none."""
    return sys.platform != "emscripten"


def run_in_fork(function: Callable[[], Result]) -> Callable[[], Result]:
    """
    Call a function in a forked process; the returned function waits for the result.

    If the process fails, the function is called here.
    """
    if _count_processors() < 2:
        return function

    sys.stdout.flush()
    sys.stderr.flush()
    result_pipe, result_input = os.pipe()
    process = os.fork()
    if not process:
        status = 1
        try:
            os.close(result_pipe)
            body = pickle.dumps(function(), protocol=pickle.HIGHEST_PROTOCOL)
            with os.fdopen(result_input, "wb") as pipe:
                pipe.write(body)
            status = 0
        finally:
            os._exit(status)  # the fork must never continue with the code of the first process
    os.close(result_input)

    def wait_for_result() -> Result:
        # if the other process has failed, this one computes the result
        with os.fdopen(result_pipe, "rb") as pipe:
            body = pipe.read()
        _, status = os.waitpid(process, 0)
        if status != 0:
            return function()
        value: Result = pickle.loads(body)  # a fork of this process has written it
        return value

    return wait_for_result


def run_in_thread(function: Callable[[], Result], on_poll: Callable[[], None]) -> Result:
    """Call a function in a thread and `on_poll` meanwhile; if that raises, the thread is not waited for."""
    if not has_threads():
        on_poll()
        return function()

    from concurrent.futures import ThreadPoolExecutor, wait

    executor = ThreadPoolExecutor(1)
    future = executor.submit(function)
    executor.shutdown(wait=False)
    while not future.done():
        wait([future], POLL_INTERVAL)
        on_poll()
    return future.result()


def map_in_threads(function: Callable[[Value], Result], values: Iterable[Value]) -> Iterator[Result]:
    """The results of a function for some values in order; up to four are computed at once."""
    if not has_threads():
        yield from map(function, values)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as workers:
        yield from workers.map(function, values)


def _count_processors() -> int:
    """
    The number of usable processors; 1 if this process cannot be forked safely, as with several threads.

    Windows has no fork; on macOS, system libraries may crash in a fork (Python documentation,
    "multiprocessing").
    """
    has_fork = has_threads() and hasattr(os, "fork") and sys.platform != "darwin"
    if not has_fork or threading.active_count() > 1:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
