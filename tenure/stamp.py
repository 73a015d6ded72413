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

    State = Mapping[str, tuple[int, int]]

FORM = 3
PACKAGE = os.path.dirname(os.path.realpath(__file__))


def inputs(root: "str | os.PathLike[str]") -> "State":
    """
    The states of all files that a build reads: the sources, the themes, and Tenure's own code.

    A state is the modification time in nanoseconds and the size in bytes.
    """
    found: dict[str, tuple[int, int]] = {}
    for place in ("site.yaml", "content", "bib", "themes", "build.py"):
        _collect(os.path.join(root, place), found)
    return {**found, **code()}


def code() -> "State":
    """The states of Tenure's own code and themes."""
    found: dict[str, tuple[int, int]] = {}
    above = os.path.dirname(PACKAGE)
    for place in (PACKAGE, os.path.join(above, "themes")):
        if place == PACKAGE or os.path.isfile(os.path.join(above, "pyproject.toml")):
            _collect(place, found)
    return found


def program() -> str:
    """A text that changes with the program: with its code, the version of Python, and the folders of its libraries."""
    libraries: dict[str, tuple[int, int]] = {}
    for folder in sys.path:
        if folder.endswith("-packages") and os.path.isdir(folder):
            libraries[folder] = _state(folder)
    return repr((_version(), sorted(code().items()), sorted(libraries.items())))


def outputs(folder: "str | os.PathLike[str]", paths: "Iterable[str]") -> "State":
    """The states of the files that a build wrote."""
    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        _collect(os.path.join(folder, path), found)
    return found


def _collect(path: str, found: dict[str, tuple[int, int]]) -> None:
    try:
        if not os.path.isdir(path):
            found[path] = _state(path)
            return
        for entry in os.scandir(path):
            if entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            if not (entry.is_symlink() and leads_back(entry.path)):
                _collect(entry.path, found)
    except OSError:
        return  # an unreadable file counts as missing; the build reports it


def leads_back(path: str) -> bool:
    """Whether a path is a symbolic link to a folder that contains it."""
    if not os.path.islink(path):
        return False
    above = os.path.realpath(os.path.dirname(path))
    return f"{above}{os.sep}".startswith(os.path.join(os.path.realpath(path), ""))


def _state(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


class Stamp:
    """The record of the last build of a site to an output folder with the same options."""

    def __init__(
        self, root: "str | os.PathLike[str]", folder: "str | os.PathLike[str]", wishes: tuple[str, ...]
    ) -> None:
        self._root, self._folder, self._wishes = os.fspath(root), os.fspath(folder), wishes

    def unchanged(self) -> str | None:
        """The messages of the last build if its inputs and outputs have not changed since; else None."""
        match self._last():
            case (before, after, told, printed) if printed or not _prints():
                # If Typst was installed since, the CV can be made as PDF.
                try:
                    whole = all(_state(path) == state for path, state in after.items())
                except OSError:
                    return None
                return told if whole and before == inputs(self._root) else None
        return None

    def left(self) -> "State":
        """The states of the output files after the last build, by path; {} if unknown."""
        last = self._last()
        return last[1] if last else {}

    def _last(self) -> "tuple[State, State, str, bool] | None":
        """The record of the last build: states of inputs and outputs, messages, whether Typst was installed."""
        match _kept(self._file):
            case (form, version, dict(before), dict(after), str(told), bool(printed)) if (form, version) == (
                FORM,
                _version(),
            ):
                return before, after, told, printed
        return None

    def keep(self, before: "State", paths: "Iterable[str]", told: str) -> None:
        """Save the record of a build; a folder that is not writable is ignored."""
        after = dict(outputs(self._folder, paths))
        _keep(self._file, (FORM, _version(), dict(before), after, told, _prints()))

    def remember(self, here: "str | os.PathLike[str]", words: "Sequence[str]", line: str) -> None:
        """Save that these arguments in this folder run this build, with the message to print if nothing has changed."""
        if os.path.isdir(os.path.join(here, ".cache")):
            _keep(_call(here, words), (self._root, self._folder, self._wishes, line))

    @property
    def _file(self) -> str:
        wanted = "\0".join((os.path.realpath(self._folder), *self._wishes))
        return os.path.join(self._root, ".cache", f"stamp-{zlib.crc32(wanted.encode()):08x}")


def said_again(here: str, words: "Sequence[str]") -> bool:
    """If nothing changed since a command with these arguments ran, print its messages again and return True."""
    match _kept(_call(here, words)):
        case (str(root), str(folder), tuple(wishes), str(line)):
            told = Stamp(root, folder, wishes).unchanged()
            if told is not None:
                replace_unprintable()
                sys.stderr.write(told)
                sys.stderr.flush()
                print(line)
                return True
    return False


def replace_unprintable() -> None:
    """
    Make stdout write "?" for a character that its encoding lacks, instead of raising UnicodeEncodeError.

    Windows writes to files and pipes in a regional encoding such as cp1252; stderr never raises this error.
    """
    if getattr(sys.stdout, "errors", "") == "strict":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]


def _call(here: "str | os.PathLike[str]", words: "Sequence[str]") -> str:
    """The path of the record of a command with these arguments in the current folder."""
    wanted = "\0".join((os.getcwd(), *words))
    return os.path.join(here, ".cache", f"call-{zlib.crc32(wanted.encode(errors='surrogateescape')):08x}")


def _kept(path: str) -> object:
    """The value in a file written by _write_value(); None if the file is missing or damaged."""
    try:
        with open(path, "rb") as file:
            return marshal.loads(file.read())  # noqa: S302 - our own file; callers check its shape
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _keep(path: str, value: "tuple[Any, ...]") -> None:
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(beside, "wb") as file:
            file.write(marshal.dumps(value))
        os.replace(beside, path)
    except OSError:
        return  # the next build only takes longer


def _prints() -> bool:
    """Whether Typst is installed; looking for its folder is faster than the import system."""
    return any(os.path.isdir(os.path.join(place, "typst")) for place in sys.path)


def _version() -> str:
    return f"{__version__} {sys.version}"
