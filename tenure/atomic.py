"""Atomic file writing: a reader gets either the old bytes or the new ones, never a part."""

import contextlib
import os
import time
from pathlib import Path

WINDOWS = os.name == "nt"
MAX_RENAME_ATTEMPTS = 20
RETRY_DELAY = 0.05
"""Seconds between two attempts; all attempts together take one second."""


def write_file(path: Path, body: bytes, mode: int = 0o644) -> None:
    """
    Write bytes to a temporary file in the same folder and rename it; `mode` is the mode of a new file.

    Raises OSError if the folder is not writable; then the old file is unchanged and the temporary file is deleted.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), mode
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        replace_file(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def replace_file(new: Path, path: Path) -> None:
    """
    Rename a file, replacing another.

    Windows raises PermissionError while another program, such as a virus scanner or a browser, has the file open.
    This is usually short, so on Windows the rename is tried again for one second. Raises OSError.
    """
    for attempt in range(MAX_RENAME_ATTEMPTS):
        try:
            new.replace(path)
        except PermissionError:
            if not WINDOWS or attempt == MAX_RENAME_ATTEMPTS - 1:
                raise
            time.sleep(RETRY_DELAY)
        else:
            return
