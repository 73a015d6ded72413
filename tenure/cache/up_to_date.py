"""
The up-to-date check: whether anything has changed since the last build, without loading any library.

This module only imports modules that the interpreter has already loaded, so the check is little slower than Python's start.
"""

import marshal
import os
import sys
import zlib

from tenure import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    FileStates = Mapping[str, tuple[int, int]]

RECORD_FORMAT = 3
PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def input_states(root: "str | os.PathLike[str]") -> "FileStates":
    """
    The states of all files that a build reads: the sources, the themes, and Tenure's own code.

    A state is the modification time in nanoseconds and the size in bytes.
    """
    states: dict[str, tuple[int, int]] = {}
    for name in ("site.yaml", "content", "bib", "themes", "build.py"):
        _collect_states(os.path.join(root, name), states)
    return {**states, **program_states()}


def program_states() -> "FileStates":
    """The states of Tenure's own code and themes."""
    states: dict[str, tuple[int, int]] = {}
    parent = os.path.dirname(PACKAGE_FOLDER)
    for folder in (PACKAGE_FOLDER, os.path.join(parent, "themes")):
        if folder == PACKAGE_FOLDER or os.path.isfile(os.path.join(parent, "pyproject.toml")):
            _collect_states(folder, states)
    return states


def program_version() -> str:
    """A text that changes with the program: with its code, the version of Python, and the folders of its libraries."""
    libraries: dict[str, tuple[int, int]] = {}
    for folder in sys.path:
        if folder.endswith("-packages") and os.path.isdir(folder):
            libraries[folder] = _file_state(folder)
    return repr((_tenure_and_python_version(), sorted(program_states().items()), sorted(libraries.items())))


def output_states(folder: "str | os.PathLike[str]", paths: "Iterable[str]") -> "FileStates":
    """The states of the files that a build wrote."""
    states: dict[str, tuple[int, int]] = {}
    for path in paths:
        _collect_states(os.path.join(folder, path), states)
    return states


def _collect_states(path: str, states: dict[str, tuple[int, int]]) -> None:
    try:
        if not os.path.isdir(path):
            states[path] = _file_state(path)
            return
        for entry in os.scandir(path):
            if is_ignored_name(entry.name):
                continue
            if not (entry.is_symlink() and is_symlink_loop(entry.path)):
                _collect_states(entry.path, states)
    except OSError:
        return  # an unreadable file counts as missing; the build reports it


IGNORED_PREFIXES = (".", "#", "~$")
IGNORED_SUFFIXES = ("~", ".swp", ".swo", ".tmp", ".bak", ".orig", ".rej", ".save", ".part", ".crdownload")
IGNORED_NAMES = frozenset(
    ["__pycache__", "__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "4913", "icon\r"]
)
PUBLISHED_HIDDEN_FOLDER = ".well-known"


def is_ignored_name(name: str) -> bool:
    """
    Whether a file or folder is never a source: hidden, or left by an editor, an office program, a browser or a system.

    Vim tests with a file 4913 whether it can write a folder. `.well-known` is published (RFC 8615).
    """
    folded_name = name.casefold()
    return name != PUBLISHED_HIDDEN_FOLDER and (
        folded_name.startswith(IGNORED_PREFIXES)
        or folded_name.endswith(IGNORED_SUFFIXES)
        or folded_name in IGNORED_NAMES
    )


def is_symlink_loop(path: str) -> bool:
    """Whether a path is a symbolic link to a folder that contains it."""
    if not os.path.islink(path):
        return False
    parent = os.path.realpath(os.path.dirname(path))
    return f"{parent}{os.sep}".startswith(os.path.join(os.path.realpath(path), ""))


def _file_state(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


class UpToDateCheck:
    """The record of the last build of a site to an output folder with the same options."""

    def __init__(
        self, root: "str | os.PathLike[str]", folder: "str | os.PathLike[str]", options: tuple[str, ...]
    ) -> None:
        self._root, self._folder, self._options = os.fspath(root), os.fspath(folder), options

    def messages_if_unchanged(self) -> str | None:
        """The messages of the last build if its inputs and outputs have not changed since; else None."""
        match self._read_last_build():
            case (inputs, outputs, messages, had_typst) if had_typst or not _has_typst():
                # If Typst was installed since, the CV can be made as PDF.
                try:
                    is_unchanged = all(_file_state(path) == state for path, state in outputs.items())
                except OSError:
                    return None
                return messages if is_unchanged and inputs == input_states(self._root) else None
        return None

    def last_outputs(self) -> "FileStates":
        """The states of the output files after the last build, by path; {} if unknown."""
        last = self._read_last_build()
        return last[1] if last else {}

    def _read_last_build(self) -> "tuple[FileStates, FileStates, str, bool] | None":
        """The record of the last build: states of inputs and outputs, messages, whether Typst was installed."""
        match _read_value(self._record_path):
            case (record_format, version, dict(inputs), dict(outputs), str(messages), bool(had_typst)) if (
                record_format,
                version,
            ) == (
                RECORD_FORMAT,
                _tenure_and_python_version(),
            ):
                return inputs, outputs, messages, had_typst
        return None

    def save_build(self, inputs_before: "FileStates", paths: "Iterable[str]", messages: str) -> None:
        """Save the record of a build; a folder that is not writable is ignored."""
        outputs_after = dict(output_states(self._folder, paths))
        _write_value(
            self._record_path,
            (
                RECORD_FORMAT,
                _tenure_and_python_version(),
                dict(inputs_before),
                outputs_after,
                messages,
                _has_typst(),
            ),
        )

    def save_call(self, folder: "str | os.PathLike[str]", arguments: "Sequence[str]", message: str) -> None:
        """Save that these arguments in this folder run this build, with the message to print if nothing has changed."""
        if os.path.isdir(os.path.join(folder, ".cache")):
            _write_value(
                _call_record_path(folder, arguments), (self._root, self._folder, self._options, message)
            )

    @property
    def _record_path(self) -> str:
        key = "\0".join((os.path.realpath(self._folder), *self._options))
        return os.path.join(self._root, ".cache", f"last-build-{zlib.crc32(key.encode()):08x}")


def replay_if_unchanged(working_folder: str, arguments: "Sequence[str]") -> bool:
    """If nothing changed since a command with these arguments ran, print its messages again and return True."""
    match _read_value(_call_record_path(working_folder, arguments)):
        case (str(root), str(folder), tuple(options), str(summary)):
            messages = UpToDateCheck(root, folder, options).messages_if_unchanged()
            if messages is not None:
                replace_unprintable()
                sys.stderr.write(messages)
                sys.stderr.flush()
                print(summary)
                return True
    return False


def replace_unprintable() -> None:
    """
    Make stdout write "?" for a character that its encoding lacks, instead of raising UnicodeEncodeError.

    Windows writes to files and pipes in a regional encoding such as cp1252; stderr never raises this error.
    """
    if getattr(sys.stdout, "errors", "") == "strict":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]


def _call_record_path(folder: "str | os.PathLike[str]", arguments: "Sequence[str]") -> str:
    """The path of the record of a command with these arguments in the current folder."""
    key = "\0".join((os.getcwd(), *arguments))
    return os.path.join(folder, ".cache", f"call-{zlib.crc32(key.encode(errors='surrogateescape')):08x}")


def _read_value(path: str) -> object:
    """The value in a file written by _write_value(); None if the file is missing or damaged."""
    try:
        with open(path, "rb") as file:
            return marshal.loads(file.read())  # noqa: S302 - our own file; callers check its shape
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _write_value(path: str, value: "tuple[Any, ...]") -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(marshal.dumps(value))
        os.replace(temporary, path)
    except OSError:
        return  # the next build only takes longer


def _has_typst() -> bool:
    """Whether Typst is installed; looking for its folder is faster than the import system."""
    return any(os.path.isdir(os.path.join(folder, "typst")) for folder in sys.path)


def _tenure_and_python_version() -> str:
    return f"{__version__} {sys.version}"
