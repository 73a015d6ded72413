"""Progress of long tasks, on one line of the terminal that is updated."""

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

INITIAL_DELAY = 1.0
"""Seconds before progress is shown."""

REFRESH_INTERVAL = 0.1
"""Minimum seconds between two updates of the line."""

ProgressCallback = Callable[[str, int, int], None]
"""Takes the activity, the number of started items, and their total number (0 if not counted)."""


def ignore_progress(activity: str, started: int, total: int) -> None:
    """Default callback: show nothing."""


class ProgressLine:
    """
    A progress line between permanent lines, shown from INITIAL_DELAY seconds after its creation.

    It is only shown on a terminal, and not by forked processes. `prefix` begins every line.
    """

    def __init__(
        self, stream: TextIO, prefix: str = "", clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._stream = stream
        self._prefix = prefix
        self._clock = clock
        self._process = os.getpid()
        self._next_refresh = clock() + INITIAL_DELAY if stream.isatty() else float("inf")
        self._width = 0

    def __call__(self, activity: str, started: int, total: int) -> None:
        """Update the line, at most every REFRESH_INTERVAL seconds."""
        now = self._clock()
        if now < self._next_refresh or os.getpid() != self._process:
            return
        self._next_refresh = now + REFRESH_INTERVAL
        text = f"{self._prefix}{activity}"
        if total:
            text += f": {started:,} of {total:,}"
        self._write_line(text)

    def print_line(self, text: str) -> None:
        """Print a permanent line."""
        self.clear()
        sys.stdout.write(f"{self._prefix}{text}\n")

    def clear(self) -> None:
        """Remove the progress line."""
        if self._width:
            self._write_line("")
            self._stream.write("\r")
            self._stream.flush()

    def _write_line(self, text: str) -> None:
        self._stream.write(f"\r{text:<{self._width}}")
        self._stream.flush()
        self._width = len(text)
