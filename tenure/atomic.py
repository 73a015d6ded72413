"""Atomic file writing: a reader gets either the old bytes or the new ones, never a part."""

import contextlib
import os
import time
from pathlib import Path

WINDOWS = os.name == "nt"
ATTEMPTS = 20
PAUSE = 0.05
"""Seconds between two attempts; all attempts together take one second."""


def write_file(path: Path, body: bytes, mode: int = 0o644) -> None:
    """
    Write bytes to a temporary file in the same folder and rename it; `mode` is the mode of a new file.

    Raises OSError if the folder is not writable; then the old file is unchanged and the temporary file is deleted.
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
    Rename a file, replacing another.

    Windows raises PermissionError while another program, such as a virus scanner or a browser, has the file open.
    This is usually short, so on Windows the rename is tried again for one second. Raises OSError.
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
