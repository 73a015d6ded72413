"""How far a long work is, on one line of a terminal that is renewed."""

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

PATIENCE = 1.0
"""Seconds of work before anything is shown of it."""

RENEWAL = 0.1
"""Seconds for which a line stands at least."""

Progress = Callable[[str, int, int], None]
"""Hears what is being done, how many of it are begun, and of how many (0 where that is not counted)."""


def unseen(what: str, begun: int, of: int) -> None:
    """Show nothing of a work."""


def counted(progress: Progress, what: str, of: int, before: int = 0) -> Callable[[int], None]:
    """Hears how many are begun of a part of a work, where so many of all are done before it."""
    return lambda begun: progress(what, before + begun, of)


class Line:
    """
    A line that tells how far a work is, from a second after this was made, between lines that stay.

    It is shown on a terminal alone, and not by copies of this process. `prefix` begins every line.
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
        """Tell what is being done, where the line has stood long enough."""
        now = self._clock()
        if now < self._next or os.getpid() != self._process:
            return
        self._next = now + RENEWAL
        self._put(f"{self._prefix}{what}: {begun:,} of {of:,}" if of else f"{self._prefix}{what}")

    def say(self, words: str) -> None:
        """Print a line that stays."""
        self.clear()
        sys.stdout.write(f"{self._prefix}{words}\n")

    def clear(self) -> None:
        """Take the line away, so that another can be written there."""
        if self._width:
            self._put("")
            self._stream.write("\r")
            self._stream.flush()

    def _put(self, words: str) -> None:
        self._stream.write(f"\r{words:<{self._width}}")
        self._stream.flush()
        self._width = len(words)
