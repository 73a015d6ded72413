"""
The up-to-date check: whether anything has changed since the last call, without loading any library.

This module imports only what the interpreter has already loaded, so that the check takes little more than
Python's start.
"""

import os
import stat
import sys
import time
import zlib

from tenure import __version__
from tenure.cache.segments import read_segments, write_segment
from tenure.console import find_current_folder, prepare_output
from tenure.source_paths import is_followed_link, is_ignored_name, list_source_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    FileState = tuple[int, int, int, int]
    FileStates = Mapping[str, FileState]

FINE_RESOLUTION = 50_000_000
COARSE_RESOLUTION = 2_000_000_000
"""
Nanoseconds in which a file can change twice with the same times. Linux takes the times of a file from a clock
that ticks 100 to 1,000 times a second; FAT has the coarsest times, whole pairs of seconds.
"""

UNFINISHED_NAME = ".tenure-new"
"""The folder in an output folder with the files of a publication that has not ended."""

PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def input_states(root: "str | os.PathLike[str]") -> "FileStates":
    """
    The states of all files that a build reads: the sources, the themes, and Tenure's own code.

    A state is the time of modification and the time of the last change of state in nanoseconds, the size in
    bytes, and the inode. A program can set the first time back; no program can set the second.
    """
    own_files = [os.path.join(root, name) for name in ("build.py", "requirements.txt")]
    return _collect_states((*list_source_paths(root), *own_files, *_list_program_folders()))


def program_version() -> str:
    """A text that changes with the program: its code, the version of Python, the folders of its libraries."""
    states = _collect_states(_list_program_folders())
    for folder in sys.path:
        if folder.endswith("-packages") and os.path.isdir(folder):
            states[folder] = make_file_state(os.stat(folder))

    # a restored cache is used by a program that was installed anew: only modification times and sizes are
    # compared
    compared = [(path, state[0], state[2]) for path, state in sorted(states.items())]
    return repr((_record_version(), compared))


def _list_program_folders() -> list[str]:
    """The folders with Tenure's own code and themes."""
    parent = os.path.dirname(PACKAGE_FOLDER)
    is_clone = os.path.isfile(os.path.join(parent, "pyproject.toml"))
    return [PACKAGE_FOLDER, os.path.join(parent, "themes")] if is_clone else [PACKAGE_FOLDER]


def _collect_states(paths: "Iterable[str]") -> "dict[str, FileState]":
    """
    The states of files, and of all files in folders.

    An unreadable file counts as missing; the build reports it.
    """
    states: dict[str, FileState] = {}

    # `top` is the path given, which a symbolic link below it may not leave
    def add_states(path: str, top: str) -> None:
        try:
            status = os.stat(path)
            if not stat.S_ISDIR(status.st_mode):
                states[path] = make_file_state(status)
                return
            for entry in os.scandir(path):
                if is_ignored_name(entry.name):
                    continue
                if entry.is_symlink() and not is_followed_link(entry.path, top):
                    states[entry.path] = make_file_state(entry.stat(follow_symlinks=False))
                else:
                    add_states(entry.path, top)
        except OSError:
            return

    for path in paths:
        add_states(path, path)
    return states


def make_file_state(status: os.stat_result) -> "FileState":
    """
    The state of a file: its two times in nanoseconds, its size in bytes, and its inode; input_states() says
    why.
    """
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def has_racy_file(states: "FileStates") -> bool:
    """
    Whether a file changed so recently that it can change again without another state.

    Git calls such files racy (Git, Documentation/technical/racy-git).
    """
    now = time.time_ns()
    for modified, changed, *_ in states.values():
        is_coarse = modified % 1_000_000_000 == changed % 1_000_000_000 == 0
        resolution = COARSE_RESOLUTION if is_coarse else FINE_RESOLUTION
        if now - max(modified, changed) < resolution:
            return True
    return False


def save_call(
    record_folder: str,
    arguments: "Sequence[str]",
    target: "tuple[str, str]",
    inputs: "FileStates",
    paths: "Iterable[str]",
    printed: "tuple[str, str]",
) -> None:
    """
    Save what a build with these arguments does: its site and its output folder, the states of its inputs
    before it, the paths that it wrote, and what the same call prints if nothing has changed: the problems,
    and one line.
    """
    outputs = _collect_states(os.path.join(target[1], path) for path in paths)
    record = _record_version(), *target, dict(inputs), outputs, *printed, _has_typst()
    write_segment(_call_record_path(record_folder, arguments), record)


def replay_if_unchanged(record_folder: str, arguments: "Sequence[str]") -> bool:
    """
    If nothing changed since a command with these arguments ran, print its messages again and return True.
    """
    records, _ = read_segments(_call_record_path(record_folder, arguments))

    match records:
        case [(version, root, output, inputs, outputs, problems, summary, had_typst)]:
            is_unchanged = (
                version == _record_version()
                # if Typst was installed since, the CV can be made as PDF
                and (had_typst or not _has_typst())
                and not os.path.exists(os.path.join(output, UNFINISHED_NAME))
                and _collect_states(outputs) == outputs
                and input_states(root) == inputs
            )
            if is_unchanged:
                prepare_output()
                sys.stderr.write(problems)
                sys.stderr.flush()
                print(summary)
            return is_unchanged
    return False


def _call_record_path(folder: str, arguments: "Sequence[str]") -> str:
    """The path of the record of a command with these arguments in the current folder."""
    key = "\0".join((find_current_folder(), *arguments))
    return os.path.join(folder, ".cache", f"call-{zlib.crc32(key.encode(errors='surrogateescape')):08x}")


def _has_typst() -> bool:
    """Whether Typst is installed; looking for its folder is faster than the import system."""
    return any(os.path.isdir(os.path.join(folder, "typst")) for folder in sys.path)


def _record_version() -> str:
    """The versions of Tenure and of Python; another one has other records."""
    return f"{__version__} {sys.version}"
