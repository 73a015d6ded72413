"""Write a file as a whole: whoever reads it meanwhile gets the old bytes or the new ones, never a part."""

import contextlib
import os
import time
from pathlib import Path

WINDOWS = os.name == "nt"
ATTEMPTS = 20
PAUSE = 0.05
"""Seconds between two attempts; all of them together take one second."""


def write_file(path: Path, body: bytes, mode: int = 0o644) -> None:
    """
    Put these bytes into a file by a temporary file beside it and a rename; `mode` is that of a new file.

    Raises OSError where the folder cannot be written; then the file is as it was, and the temporary file is gone.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        replace_file(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def replace_file(new: Path, path: Path) -> None:
    """
    Move a file into the place of another.

    Windows refuses this with PermissionError while another program has the file open, such as a virus scanner or a
    browser, which lasts a moment; so it is tried again there for a second. Raises OSError.
    """
    for attempt in range(ATTEMPTS):
        try:
            new.replace(path)
        except PermissionError:
            if not WINDOWS or attempt == ATTEMPTS - 1:
                raise
            time.sleep(PAUSE)
        else:
            return
