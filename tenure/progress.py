"""Progress of long tasks, on one line of the terminal that is updated."""

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

PATIENCE = 1.0
"""Seconds before progress is shown."""

RENEWAL = 0.1
"""Minimum seconds between two updates of the line."""

Progress = Callable[[str, int, int], None]
"""Takes the activity, the number of started items, and their total number (0 if not counted)."""


def unseen(what: str, begun: int, of: int) -> None:
    """Default callback: show nothing."""


def counted(progress: Progress, what: str, of: int, before: int = 0) -> Callable[[int], None]:
    """A callback for the started items of a part, which adds the items of earlier parts (`already_started`)."""
    return lambda begun: progress(what, before + begun, of)


class Line:
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
        self._next = clock() + PATIENCE if stream.isatty() else float("inf")
        self._width = 0

    def __call__(self, what: str, begun: int, of: int) -> None:
        """Update the line, at most every REFRESH_INTERVAL seconds."""
        now = self._clock()
        if now < self._next or os.getpid() != self._process:
            return
        self._next = now + RENEWAL
        self._put(f"{self._prefix}{what}: {begun:,} of {of:,}" if of else f"{self._prefix}{what}")

    def say(self, words: str) -> None:
        """Print a permanent line."""
        self.clear()
        sys.stdout.write(f"{self._prefix}{words}\n")

    def clear(self) -> None:
        """Remove the progress line."""
        if self._width:
            self._put("")
            self._stream.write("\r")
            self._stream.flush()

    def _put(self, words: str) -> None:
        self._stream.write(f"\r{words:<{self._width}}")
        self._stream.flush()
        self._width = len(words)
