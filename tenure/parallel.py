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
POLL_INTERVAL = 0.02
"""Seconds between two calls of `on_poll`."""

MAX_CHUNKS = 64
"""Maximum number of chunks: enough to balance the load; the index of a chunk fits in one byte."""


def ignore_item_count(started: int) -> None:
    """Default callback: ignore the number of started items."""


def parallel_map(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    min_items: int,
    on_progress: Callable[[int], None] = ignore_item_count,
) -> list[Result]:
    """
    Call a function for each item and return the results in order; in several processes from `min_items` items.

    `on_progress` gets the number of started items from time to time; an exception in it ends the call.

    The processes are forks of this one (POSIX), so arguments need not be pickled, only results. Each takes the next
    chunk from a pipe with the indexes of the chunks. Chunks that a process did not return are computed here, so that
    an exception is raised in this process.
    """
    child_count = min(_count_processors(), 8) - 1
    if len(items) < min_items or child_count < 1:
        return [_process_item(function, item, index, on_progress) for index, item in enumerate(items)]
    chunk_size = -(-len(items) // MAX_CHUNKS)
    chunks = [items[start : start + chunk_size] for start in range(0, len(items), chunk_size)]
    queue, queue_input = os.pipe()
    os.write(queue_input, bytes(range(len(chunks))))
    os.close(queue_input)
    children = [_start_fork(partial(_process_chunks, function, chunks, queue)) for _ in range(child_count)]
    chunk_results = _process_chunks(function, chunks, queue, lambda chunk: on_progress(chunk * chunk_size))
    os.close(queue)
    for process, result_pipe in children:
        if body := _receive_result(process, result_pipe):
            chunk_results |= pickle.loads(body)  # noqa: S301 - written by a fork of this process
    return [
        result
        for index, chunk in enumerate(chunks)
        for result in (chunk_results[index] if index in chunk_results else [function(item) for item in chunk])
    ]


def run_in_fork(function: Callable[[], Result]) -> Callable[[], Result]:
    """Call a function in a forked process; the returned function waits for the result, or calls it here on failure."""
    if _count_processors() < 2:
        return function
    process, result_pipe = _start_fork(function)

    def wait_for_result() -> Result:
        body = _receive_result(process, result_pipe)
        value: Result = pickle.loads(body) if body else function()  # noqa: S301 - written by a fork of this process
        return value

    return wait_for_result


def run_in_thread(function: Callable[[], Result], on_poll: Callable[[], None]) -> Result:
    """Call a function in a thread and `on_poll` meanwhile; if `on_poll` raises, the thread is not waited for."""
    from concurrent.futures import ThreadPoolExecutor, wait  # noqa: PLC0415 - not needed by a single build

    executor = ThreadPoolExecutor(1)
    future = executor.submit(function)
    executor.shutdown(wait=False)
    while not future.done():
        wait([future], POLL_INTERVAL)
        on_poll()
    return future.result()


def _count_processors() -> int:
    """
    The number of usable processors; 1 if this process cannot be forked safely, as with several threads.

    Windows has no fork; on macOS, system libraries may crash in a fork (Python documentation, "multiprocessing", "fork").
    """
    if not hasattr(os, "fork") or sys.platform == "darwin" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _process_item(
    function: Callable[[Item], Result], item: Item, index: int, on_progress: Callable[[int], None]
) -> Result:
    on_progress(index)
    return function(item)


def _process_chunks(
    function: Callable[[Item], Result],
    chunks: Sequence[Sequence[Item]],
    queue: int,
    on_progress: Callable[[int], None] = ignore_item_count,
) -> dict[int, list[Result]]:
    chunk_results: dict[int, list[Result]] = {}
    while chunk_byte := os.read(queue, 1):
        on_progress(chunk_byte[0])
        chunk_results[chunk_byte[0]] = [function(item) for item in chunks[chunk_byte[0]]]
    return chunk_results


def _start_fork(function: Callable[[], object]) -> tuple[int, int]:
    """Call a function in a forked process; returns the process id, and the pipe with the pickled result."""
    sys.stdout.flush()
    sys.stderr.flush()
    result_pipe, result_input = os.pipe()
    process = os.fork()
    if process:
        os.close(result_input)
        return process, result_pipe
    status = 1
    try:
        os.close(result_pipe)
        body = pickle.dumps(function(), protocol=pickle.HIGHEST_PROTOCOL)
        with os.fdopen(result_input, "wb") as pipe:
            pipe.write(body)
        status = 0
    finally:
        # The fork must never continue with the code of the first process.
        os._exit(status)


def _receive_result(process: int, result_pipe: int) -> bytes:
    """The bytes that another process sent; b"" if it failed."""
    with os.fdopen(result_pipe, "rb") as pipe:
        body = pipe.read()
    _, status = os.waitpid(process, 0)
    return body if status == 0 else b""
