"""The console that a command runs in: its output streams and its current folder."""

import os
import sys


def prepare_output() -> None:
    """
    Make stdout write "?" for a character that its encoding lacks, instead of raising UnicodeEncodeError.

    A closed stream, as in `tenure build 2>&-`, is replaced by the null device.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # open until the process ends

    # Windows writes to files and pipes in a regional encoding such as cp1252; stderr never raises this error
    if getattr(sys.stdout, "errors", "") == "strict":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]


def find_current_folder() -> str:
    """The current folder; "" if it has been deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""
