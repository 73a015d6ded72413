"""Parallel processes and threads; results do not depend on their number."""

import os
import pickle
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
PAUSE = 0.02
"""Seconds between two calls of `on_poll`."""

CHUNKS = 64
"""Maximum number of chunks: enough to balance the load; the index of a chunk fits in one byte."""


def unheard(begun: int) -> None:
    """Default callback: ignore the number of started items."""


def spread(
    work: Callable[[Item], Result], items: Sequence[Item], least: int, heard: Callable[[int], None] = unheard
) -> list[Result]:
    """
    Call a function for each item and return the results in order; in several processes from `min_items` items.

    `on_progress` gets the number of started items from time to time; an exception in it ends the call.

    The processes are forks of this one (POSIX), so arguments need not be pickled, only results. Each takes the next
    chunk from a pipe with the indexes of the chunks. Chunks that a process did not return are computed here, so that
    an exception is raised in this process.
    """
    others = min(_processors(), 8) - 1
    if len(items) < least or others < 1:
        return [_one(work, item, number, heard) for number, item in enumerate(items)]
    size = -(-len(items) // CHUNKS)
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    queue, filling = os.pipe()
    os.write(filling, bytes(range(len(parts))))
    os.close(filling)
    children = [_fork(partial(_take, work, parts, queue)) for _ in range(others)]
    made = _take(work, parts, queue, lambda part: heard(part * size))
    os.close(queue)
    for process, results in children:
        if body := _received(process, results):
            made |= pickle.loads(body)  # noqa: S301 - written by a fork of this process
    return [
        result
        for number, part in enumerate(parts)
        for result in (made[number] if number in made else [work(item) for item in part])
    ]


def apart(work: Callable[[], Result]) -> Callable[[], Result]:
    """Call a function in a forked process; the returned function waits for the result, or calls it here on failure."""
    if _processors() < 2:
        return work
    process, results = _fork(work)

    def result() -> Result:
        body = _received(process, results)
        made: Result = pickle.loads(body) if body else work()  # noqa: S301 - written by a fork of this process
        return made

    return result


def awaited(work: Callable[[], Result], meanwhile: Callable[[], None]) -> Result:
    """Call a function in a thread and `on_poll` meanwhile; if `on_poll` raises, the thread is not waited for."""
    from concurrent.futures import ThreadPoolExecutor, wait  # noqa: PLC0415 - not needed by a single build

    workers = ThreadPoolExecutor(1)
    made = workers.submit(work)
    workers.shutdown(wait=False)
    while not made.done():
        wait([made], PAUSE)
        meanwhile()
    return made.result()


def _processors() -> int:
    """
    The number of usable processors; 1 if this process cannot be forked safely, as with several threads.

    Windows has no fork; on macOS, system libraries may crash in a fork (Python documentation, "multiprocessing", "fork").
    """
    if not hasattr(os, "fork") or sys.platform == "darwin" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _one(work: Callable[[Item], Result], item: Item, number: int, heard: Callable[[int], None]) -> Result:
    heard(number)
    return work(item)


def _take(
    work: Callable[[Item], Result],
    parts: Sequence[Sequence[Item]],
    queue: int,
    heard: Callable[[int], None] = unheard,
) -> dict[int, list[Result]]:
    made: dict[int, list[Result]] = {}
    while number := os.read(queue, 1):
        heard(number[0])
        made[number[0]] = [work(item) for item in parts[number[0]]]
    return made


def _fork(work: Callable[[], object]) -> tuple[int, int]:
    """Call a function in a forked process; returns the process id, and the pipe with the pickled result."""
    sys.stdout.flush()
    sys.stderr.flush()
    results, sending = os.pipe()
    process = os.fork()
    if process:
        os.close(sending)
        return process, results
    status = 1
    try:
        os.close(results)
        body = pickle.dumps(work(), protocol=pickle.HIGHEST_PROTOCOL)
        with os.fdopen(sending, "wb") as pipe:
            pipe.write(body)
        status = 0
    finally:
        # The fork must never continue with the code of the first process.
        os._exit(status)


def _received(process: int, results: int) -> bytes:
    """The bytes that another process sent; b"" if it failed."""
    with os.fdopen(results, "rb") as pipe:
        body = pipe.read()
    _, status = os.waitpid(process, 0)
    return body if status == 0 else b""
