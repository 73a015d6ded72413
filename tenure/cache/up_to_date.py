"""
The up-to-date check: whether anything has changed since the last build, without loading any library.

This module only imports modules that the interpreter has already loaded, so the check is little slower than Python's start.
"""

import marshal
import os
import stat
import sys
import time
import zlib

from tenure import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    FileState = tuple[int, int, int, int]
    FileStates = Mapping[str, FileState]

RECORD_FORMAT = 4
MAX_RECORD_SIZE = 100_000_000
"""The largest size in bytes of a record that is read; a record of 10,000 files has 2 MB."""

FINE_RESOLUTION, COARSE_RESOLUTION = 50_000_000, 2_000_000_000
"""
Nanoseconds in which a file can change twice with the same times. Linux takes the times of a file from a clock that ticks 100 to 1,000
times a second; FAT has the coarsest times, whole pairs of seconds.
"""

MAX_CHECKED_SIZE = 4_000_000
"""Size in bytes from which a file is compared by its state only."""

UNFINISHED_NAME = ".tenure-new"
"""The folder in an output folder with the files of a publication that has not ended."""

PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

SOURCE_NAMES = ("site.yaml", "content", "bib", "themes")
"""The files and folders of a site that a build reads."""


def list_source_paths(root: "str | os.PathLike[str]") -> list[str]:
    """The files and folders of a site that a build reads."""
    return [os.path.join(root, name) for name in SOURCE_NAMES]


def input_states(root: "str | os.PathLike[str]") -> "FileStates":
    """
    The states of all files that a build reads: the sources, the themes, and Tenure's own code.

    A state is the time of modification and the time of the last change of state in nanoseconds, the size in bytes, and
    the inode. A program can set the first time back; no program can set the second.
    """
    return _collect_states(
        (*list_source_paths(root), os.path.join(root, "build.py"), *_list_program_folders())
    )


def program_version() -> str:
    """A text that changes with the program: with its code, the version of Python, and the folders of its libraries."""
    states = _collect_states(_list_program_folders())
    for folder in sys.path:
        if folder.endswith("-packages") and os.path.isdir(folder):
            states[folder] = make_file_state(os.stat(folder))
    # A restored cache is used by a program that was installed anew: only times of modification and sizes are compared.
    compared = [(path, state[0], state[2]) for path, state in sorted(states.items())]
    return repr((_record_version(), compared))


def _list_program_folders() -> list[str]:
    """The folders with Tenure's own code and themes."""
    parent = os.path.dirname(PACKAGE_FOLDER)
    is_clone = os.path.isfile(os.path.join(parent, "pyproject.toml"))
    return [PACKAGE_FOLDER, os.path.join(parent, "themes")] if is_clone else [PACKAGE_FOLDER]


def _collect_states(paths: "Iterable[str]") -> "dict[str, FileState]":
    """The states of files, and of all files in folders; an unreadable file counts as missing, and the build reports it."""
    states: dict[str, FileState] = {}

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
    """The state of a file: its two times in nanoseconds, its size in bytes, and its inode; input_states() says why."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def racy_checksums(states: "FileStates") -> "Mapping[str, int]":
    """
    The checksums of the files that were modified so recently that they can change again without another state.

    Git calls such files racy (Git, Documentation/technical/racy-git).
    """
    now = time.time_ns()
    checksums: dict[str, int] = {}
    for path, (modified, changed, size, _) in states.items():
        is_coarse = modified % 1_000_000_000 == changed % 1_000_000_000 == 0
        resolution = COARSE_RESOLUTION if is_coarse else FINE_RESOLUTION
        if size <= MAX_CHECKED_SIZE and now - max(modified, changed) < resolution:
            checksums[path] = _read_checksum(path)
    return checksums


def _read_checksum(path: str) -> int:
    """The CRC-32 of a file; -1 if it cannot be read."""
    try:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return zlib.crc32(file.read(MAX_CHECKED_SIZE + 1))
    except OSError:
        return -1
    return -1


IGNORED_PREFIXES = (".", "#", "~$")
IGNORED_SUFFIXES = (
    *("~", ".swp", ".swo", ".tmp", ".bak", ".old", ".orig", ".rej", ".save", ".part", ".crdownload", ":zone.identifier"),
    *(".env", ".pem", ".ppk", ".p12", ".pfx"),
    *(".aux", ".bbl", ".bcf", ".blg", ".fdb_latexmk", ".fls", ".log", ".nav", ".out", ".snm", ".synctex", ".synctex.gz", ".toc", ".vrb"),
)  # fmt: skip
IGNORED_PARTS = ("conflicted copy", ".sync-conflict-", ".goutputstream-")
IGNORED_NAMES = frozenset(
    [*("__pycache__", "__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "4913", "icon\r"),
     *("id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk")]
)  # fmt: skip
PUBLISHED_HIDDEN_FOLDER = ".well-known"


def is_ignored_name(name: str) -> bool:
    """
    Whether a file or folder is never a source: hidden, a private key, or left by an editor, LaTeX, an office program, a browser or a system.

    Vim tests with a file 4913 whether it can write a folder. `.well-known` is published (RFC 8615).
    """
    folded_name = name.casefold()
    return name != PUBLISHED_HIDDEN_FOLDER and (
        folded_name.startswith(IGNORED_PREFIXES)
        or folded_name.endswith(IGNORED_SUFFIXES)
        or folded_name in IGNORED_NAMES
        or any(part in folded_name for part in IGNORED_PARTS)
    )


def list_used_files(folder: "Path", pattern: str) -> "list[Path]":
    """The files in a folder that match a glob pattern, sorted, without those that are never a source, and without pipes."""
    depth = len(folder.parts)
    return sorted(
        path
        for path in folder.glob(pattern)
        if not any(map(is_ignored_name, path.parts[depth:])) and path.is_file()
    )


def resolve_path(path: "Path") -> "Path":
    """The absolute path without symbolic links; a link to itself stays. `Path.resolve` raises RuntimeError for it before Python 3.13."""
    return type(path)(os.path.realpath(path))


def is_symlink_loop(path: str) -> bool:
    """Whether a path is a symbolic link to a folder that contains it, or that contains one of the folders by which it is reached."""
    if not os.path.islink(path):
        return False
    target = os.path.join(os.path.realpath(path), "")
    parent = os.path.dirname(os.path.abspath(path))
    while not f"{os.path.realpath(parent)}{os.sep}".startswith(target):
        if parent == os.path.dirname(parent):
            return False
        parent = os.path.dirname(parent)
    return True


def is_followed_link(path: str, top: str) -> bool:
    """
    Whether a symbolic link below the folder `top` of a site is followed: not in a circle, to nothing, or out of the site.

    A theme may be anywhere, as it is not published.
    """
    target = os.path.realpath(path)
    site_folders = (os.path.realpath(top), os.path.realpath(os.path.dirname(top)))
    is_in_site = os.path.basename(top) == "themes" or any(
        target == folder or target.startswith(os.path.join(folder, "")) for folder in site_folders
    )
    return os.path.exists(target) and (is_in_site or os.path.isfile(target)) and not is_symlink_loop(path)


class UpToDateCheck:
    """The record of the last build of a site to an output folder with the same options."""

    def __init__(
        self, root: "str | os.PathLike[str]", folder: "str | os.PathLike[str]", options: tuple[str, ...]
    ) -> None:
        self._root, self._folder, self._options = os.fspath(root), os.fspath(folder), options
        key = "\0".join((os.path.realpath(folder), *options))
        self._record_path = os.path.join(root, ".cache", f"last-build-{zlib.crc32(key.encode()):08x}")

    def messages_if_unchanged(self) -> str | None:
        """The messages of the last build if its inputs and outputs have not changed since; else None."""
        match _read_value(self._record_path):
            case (version, dict(inputs), dict(checksums), dict(outputs), str(messages), bool(had_typst)):
                is_unchanged = (
                    version == _record_version()
                    # If Typst was installed since, the CV can be made as PDF.
                    and (had_typst or not _has_typst())
                    and not os.path.exists(os.path.join(self._folder, UNFINISHED_NAME))
                    and _collect_states(outputs) == outputs
                    and input_states(self._root) == inputs
                    and all(_read_checksum(path) == checksum for path, checksum in checksums.items())
                )
                return messages if is_unchanged else None
        return None

    def save_build(
        self,
        inputs_before: "FileStates",
        checksums_before: "Mapping[str, int]",
        paths: "Iterable[str]",
        messages: str,
    ) -> None:
        """
        Save the record of a build; a folder that is not writable is ignored.

        `inputs_before` and `checksums_before` are input_states() and racy_checksums() before the build.
        """
        outputs = _collect_states(os.path.join(self._folder, path) for path in paths)
        states = dict(inputs_before), dict(checksums_before), outputs
        _write_value(self._record_path, (_record_version(), *states, messages, _has_typst()))

    def save_call(self, folder: "str | os.PathLike[str]", arguments: "Sequence[str]", message: str) -> None:
        """Save that these arguments in this folder run this build, with the message to print if nothing has changed."""
        if os.path.isdir(os.path.join(folder, ".cache")):
            record = self._root, self._folder, self._options, message
            _write_value(_call_record_path(folder, arguments), record)


def replay_if_unchanged(working_folder: str, arguments: "Sequence[str]") -> bool:
    """If nothing changed since a command with these arguments ran, print its messages again and return True."""
    match _read_value(_call_record_path(working_folder, arguments)):
        case (str(root), str(folder), tuple(options), str(summary)):
            messages = UpToDateCheck(root, folder, options).messages_if_unchanged()
            if messages is not None:
                prepare_output()
                sys.stderr.write(messages)
                sys.stderr.flush()
                print(summary)
                return True
    return False


def prepare_output() -> None:
    """
    Make stdout write "?" for a character that its encoding lacks, instead of raising UnicodeEncodeError.

    A closed stream, as in `tenure build 2>&-`, is replaced by the null device.

    Windows writes to files and pipes in a regional encoding such as cp1252; stderr never raises this error.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # open until the process ends
    if getattr(sys.stdout, "errors", "") == "strict":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]


def find_current_folder() -> str:
    """The current folder; "" if it has been deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def _call_record_path(folder: "str | os.PathLike[str]", arguments: "Sequence[str]") -> str:
    """The path of the record of a command with these arguments in the current folder."""
    key = "\0".join((find_current_folder(), *arguments))
    return os.path.join(folder, ".cache", f"call-{zlib.crc32(key.encode(errors='surrogateescape')):08x}")


def _read_value(path: str) -> object:
    """The value in a file written by _write_value(); None if the file is missing or damaged."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_RECORD_SIZE:
            return None
        with open(path, "rb") as file:
            checksum, body = file.read(4), file.read()
        # marshal trusts its input: damaged bytes can ask for any amount of memory.
        # Our own file; callers check its shape.
        return marshal.loads(body) if zlib.crc32(body).to_bytes(4) == checksum else None
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _write_value(path: str, value: "tuple[Any, ...]") -> None:
    temporary = f"{path}.{os.getpid()}.new"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            body = marshal.dumps(value)
            file.write(zlib.crc32(body).to_bytes(4) + body)
        os.replace(temporary, path)
    except OSError:  # a full disk: the next build only takes longer
        if os.path.isfile(temporary):
            os.unlink(temporary)


def _has_typst() -> bool:
    """Whether Typst is installed; looking for its folder is faster than the import system."""
    return any(os.path.isdir(os.path.join(folder, "typst")) for folder in sys.path)


def _record_version() -> str:
    return f"{RECORD_FORMAT} {__version__} {sys.version}"
