"""Atomic file writing: a reader gets either the old bytes or the new ones, never a part. Locks of folders."""

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tenure.parallel import has_threads

WINDOWS = os.name == "nt"
MAX_RENAME_ATTEMPTS = 20
RETRY_DELAY = 0.05
"""Seconds between two attempts; all attempts together take one second."""

MIN_ABANDONED_AGE = 60
"""Seconds after which the temporary file of a process is certainly complete or abandoned."""

_TEMPORARY_NAME = re.compile(r"\..+\.\d+\.new")
"""A file that is being written: .index.html.4711.new."""


def write_file(path: Path, body: bytes, mode: int = 0o644) -> None:
    """
    Write bytes to a temporary file in the same folder and rename it; `mode` is the mode of a new file.

    Raises OSError if the folder is not writable; then the old file is unchanged, and the temporary one
    deleted.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        descriptor = os.open(temporary, flags, mode)
        with os.fdopen(descriptor, "wb") as file, name_file_in_errors(path):
            file.write(body)
        replace_file(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


@contextlib.contextmanager
def name_file_in_errors(path: Path) -> Iterator[None]:
    """Add a path to an OSError that names no file, such as that of a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(path)
        raise


WRITTEN_FOLDERS = ("content", "bib", "themes", "vendor", ".schemas", ".github")
"""The folders of a site in which a command of Tenure writes files."""


def remove_abandoned_files(site_folder: Path) -> None:
    """
    Delete the temporary files that `write_file` of a killed process left in a site and in its
    WRITTEN_FOLDERS.

    A file of the last minute may belong to a process that runs now, and stays. Errors are ignored: the files
    have no effect.
    """
    source_folders = (Path(walked[0]) for name in WRITTEN_FOLDERS for walked in os.walk(site_folder / name))
    for folder in (site_folder, *source_folders):
        with contextlib.suppress(OSError), os.scandir(folder) as files:
            for file in files:
                if _TEMPORARY_NAME.fullmatch(file.name) and _is_abandoned(file):
                    Path(file.path).unlink()


def _is_abandoned(file: "os.DirEntry[str]") -> bool:
    return time.time() - file.stat(follow_symlinks=False).st_mtime > MIN_ABANDONED_AGE


def replace_file(new: Path, path: Path) -> None:
    """
    Rename a file, replacing another.

    Raises OSError. Windows does so while another program, such as a virus scanner or a browser, has the file
    open. This is usually short, so on Windows the rename is tried again for one second.
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


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """
    Wait until no other process has locked a folder, and lock it; the end of a process releases its lock.

    Windows cannot lock a folder, and some network disks have no locks; then nothing is locked.
    """
    if sys.platform == "win32" or not has_threads():
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
