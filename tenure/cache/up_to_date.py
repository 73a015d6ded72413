"""
The up-to-date check: whether anything has changed since the last call, without loading any library.

This module imports only modules that the interpreter has already loaded, so the check is little slower than Python's start.
"""

import os
import stat
import sys
import time
import zlib

from tenure import __version__
from tenure.cache.segments import read_segments, write_segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    FileState = tuple[int, int, int, int]
    FileStates = Mapping[str, FileState]

FINE_RESOLUTION = 50_000_000
COARSE_RESOLUTION = 2_000_000_000
"""
Nanoseconds in which a file can change twice with the same times. Linux takes the times of a file from a clock that ticks
100 to 1,000 times a second; FAT has the coarsest times, whole pairs of seconds.
"""

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


def has_racy_file(states: "FileStates") -> bool:
    """
    Whether a file changed so recently that it can change again without another state.

    Git calls such files racy (Git, Documentation/technical/racy-git).
    """
    now = time.time_ns()
    for modified, changed, *_ in states.values():
        is_coarse = modified % 1_000_000_000 == changed % 1_000_000_000 == 0
        if now - max(modified, changed) < (COARSE_RESOLUTION if is_coarse else FINE_RESOLUTION):
            return True
    return False


IGNORED_PREFIXES = (".", "#", "~$")
IGNORED_SUFFIXES = (
    *("~", ".swp", ".swo", ".tmp", ".bak", ".old", ".orig", ".rej", ".save", ".part", ".crdownload", ":zone.identifier"),
    *(".env", ".pem", ".ppk", ".p12", ".pfx"),
    *(".aux", ".bbl", ".bcf", ".blg", ".fdb_latexmk", ".fls", ".log", ".nav", ".out", ".snm", ".synctex", ".synctex.gz", ".toc", ".vrb"),
)  # fmt: skip
IGNORED_PARTS = ("conflicted copy", ".sync-conflict-", ".goutputstream-")
MADE_FOLDERS = frozenset({"output", "vendor"})
"""Folders at the top of a site that are made again."""

FOREIGN_FOLDERS = frozenset({"__macosx", "__pycache__", "node_modules", "venv"})
"""Folders of programs and systems, which are no sources anywhere."""

IGNORED_NAMES = FOREIGN_FOLDERS | frozenset(
    [*("thumbs.db", "ehthumbs.db", "desktop.ini", "4913", "icon\r"),
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


def is_unread_folder(path: str) -> bool:
    """
    Whether a folder of a site is no source: output, docs/node_modules, .git

    Of the hidden ones only `.github` is a source, with the workflows, and `.well-known`.
    """
    names = path.casefold().split("/")
    is_hidden = any(
        name.startswith(".") and name not in (".github", PUBLISHED_HIDDEN_FOLDER) for name in names
    )
    return is_hidden or names[0] in MADE_FOLDERS or not FOREIGN_FOLDERS.isdisjoint(names)


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


def save_call(
    record_folder: str,
    arguments: "Sequence[str]",
    target: "tuple[str, str]",
    inputs: "FileStates",
    paths: "Iterable[str]",
    printed: "tuple[str, str]",
) -> None:
    """
    Save what a build with these arguments does: its site and its output folder, the states of its inputs before it, the
    paths that it wrote, and what the same call prints if nothing has changed: the problems, and one line.
    """
    outputs = _collect_states(os.path.join(target[1], path) for path in paths)
    record = _record_version(), *target, dict(inputs), outputs, *printed, _has_typst()
    write_segment(_call_record_path(record_folder, arguments), record)


def replay_if_unchanged(record_folder: str, arguments: "Sequence[str]") -> bool:
    """If nothing changed since a command with these arguments ran, print its messages again and return True."""
    records, _ = read_segments(_call_record_path(record_folder, arguments))
    match records:
        case [(version, root, output, inputs, outputs, problems, summary, had_typst)]:
            is_unchanged = (
                version == _record_version()
                # If Typst was installed since, the CV can be made as PDF.
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


def _call_record_path(folder: str, arguments: "Sequence[str]") -> str:
    """The path of the record of a command with these arguments in the current folder."""
    key = "\0".join((find_current_folder(), *arguments))
    return os.path.join(folder, ".cache", f"call-{zlib.crc32(key.encode(errors='surrogateescape')):08x}")


def _has_typst() -> bool:
    """Whether Typst is installed; looking for its folder is faster than the import system."""
    return any(os.path.isdir(os.path.join(folder, "typst")) for folder in sys.path)


def _record_version() -> str:
    return f"{__version__} {sys.version}"
