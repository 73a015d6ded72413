"""Work spread over processes, with the same results in the same order."""

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
"""Seconds between two looks at a work that is waited for."""

CHUNKS = 64
"""Parts into which the items are cut: enough to be shared out evenly, and each named by one byte."""


def unheard(begun: int) -> None:
    """Say nothing of how far a work is."""


def spread(
    work: Callable[[Item], Result], items: Sequence[Item], least: int, heard: Callable[[int], None] = unheard
) -> list[Result]:
    """
    `work(item)` for each item, in order; over as many processes as there are processors where there are `least` items.

    `heard` is told now and then how many are begun; what it raises ends the work.

    The processes are copies of this one (fork, POSIX), so that they know all that it knows, and only results travel.
    Each takes the next part from a pipe that holds the parts' numbers. What a process fails to give is made here,
    so that an error appears where the caller expects it.
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
            made |= pickle.loads(body)  # noqa: S301 - a copy of this very process wrote it
    return [
        result
        for number, part in enumerate(parts)
        for result in (made[number] if number in made else [work(item) for item in part])
    ]


def apart(work: Callable[[], Result]) -> Callable[[], Result]:
    """Begin a work in another process; what is returned waits for its result, or does the work here if that failed."""
    if _processors() < 2:
        return work
    process, results = _fork(work)

    def result() -> Result:
        body = _received(process, results)
        made: Result = pickle.loads(body) if body else work()  # noqa: S301 - a copy of this very process wrote it
        return made

    return result


def awaited(work: Callable[[], Result], meanwhile: Callable[[], None]) -> Result:
    """A work done by another thread, while `meanwhile` is called; where that raises, the thread is left to itself."""
    from concurrent.futures import ThreadPoolExecutor, wait  # noqa: PLC0415 - a single build needs none

    workers = ThreadPoolExecutor(1)
    made = workers.submit(work)
    workers.shutdown(wait=False)
    while not made.done():
        wait([made], PAUSE)
        meanwhile()
    return made.result()


def _processors() -> int:
    """
    How many processors may be used; one where a copy of this process would not be sound.

    Windows has no fork; on macOS, system libraries may crash in a copy (Python documentation, "multiprocessing", "fork").
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
    """Another process that does a work; its number, and the pipe on which it sends the result."""
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
        # Nothing of what the first process has yet to do may be done here as well, whatever happened.
        os._exit(status)


def _received(process: int, results: int) -> bytes:
    """What another process sent; nothing where it failed."""
    with os.fdopen(results, "rb") as pipe:
        body = pipe.read()
    _, status = os.waitpid(process, 0)
    return body if status == 0 else b""
