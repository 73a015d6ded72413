"""
Whether anything has changed since the last build, found out before any library is loaded.

Nothing is imported here but what the interpreter has loaded anyway: asking takes little longer than Python's own start.
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
    The state of everything that a build reads: the sources, the themes, and Tenure's own code.

    A state is path to (modification time in nanoseconds, size in bytes).
    """
    found: dict[str, tuple[int, int]] = {}
    for place in ("site.yaml", "content", "bib", "themes", "build.py"):
        _collect(os.path.join(root, place), found)
    return {**found, **code()}


def code() -> "State":
    """The state of Tenure's own code and themes."""
    found: dict[str, tuple[int, int]] = {}
    above = os.path.dirname(PACKAGE)
    for place in (PACKAGE, os.path.join(above, "themes")):
        if place == PACKAGE or os.path.isfile(os.path.join(above, "pyproject.toml")):
            _collect(place, found)
    return found


def program() -> str:
    """What tells one state of the program from another: its code, the Python, and the folders of its libraries."""
    libraries: dict[str, tuple[int, int]] = {}
    for folder in sys.path:
        if folder.endswith("-packages") and os.path.isdir(folder):
            libraries[folder] = _state(folder)
    return repr((_version(), sorted(code().items()), sorted(libraries.items())))


def outputs(folder: "str | os.PathLike[str]", paths: "Iterable[str]") -> "State":
    """The state of the files that a build wrote."""
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
        return  # what cannot be looked at is as good as not there; the build says what is wrong with it


def leads_back(path: str) -> bool:
    """Whether a path is a link to a folder that it stands in itself, so that to follow it has no end."""
    if not os.path.islink(path):
        return False
    above = os.path.realpath(os.path.dirname(path))
    return f"{above}{os.sep}".startswith(os.path.join(os.path.realpath(path), ""))


def _state(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


class Stamp:
    """The memory of one kind of build: of which site, into which folder, with which wishes of the call."""

    def __init__(
        self, root: "str | os.PathLike[str]", folder: "str | os.PathLike[str]", wishes: tuple[str, ...]
    ) -> None:
        self._root, self._folder, self._wishes = os.fspath(root), os.fspath(folder), wishes

    def unchanged(self) -> str | None:
        """What the last build told where nothing it read or wrote has changed since; else None."""
        match self._last():
            case (before, after, told, printed) if printed or not _prints():
                # Where Typst has come since, the CV can be made as PDF.
                try:
                    whole = all(_state(path) == state for path, state in after.items())
                except OSError:
                    return None
                return told if whole and before == inputs(self._root) else None
        return None

    def left(self) -> "State":
        """The state in which the last build left its files, by path; {} where nothing tells."""
        last = self._last()
        return last[1] if last else {}

    def _last(self) -> "tuple[State, State, str, bool] | None":
        """What is known of the last build: the states of what it read and wrote, what it told, whether it could print."""
        match _kept(self._file):
            case (form, version, dict(before), dict(after), str(told), bool(printed)) if (form, version) == (
                FORM,
                _version(),
            ):
                return before, after, told, printed
        return None

    def keep(self, before: "State", paths: "Iterable[str]", told: str) -> None:
        """Keep the state after a build; a folder that cannot be written costs only the next build's time."""
        after = dict(outputs(self._folder, paths))
        _keep(self._file, (FORM, _version(), dict(before), after, told, _prints()))

    def remember(self, here: "str | os.PathLike[str]", words: "Sequence[str]", line: str) -> None:
        """Remember that a call made in a folder with a cache led here, and what to say where it would change nothing."""
        if os.path.isdir(os.path.join(here, ".cache")):
            _keep(_call(here, words), (self._root, self._folder, self._wishes, line))

    @property
    def _file(self) -> str:
        wanted = "\0".join((os.path.realpath(self._folder), *self._wishes))
        return os.path.join(self._root, ".cache", f"stamp-{zlib.crc32(wanted.encode()):08x}")


def said_again(here: str, words: "Sequence[str]") -> bool:
    """Whether a call as it was made before would change nothing; then what it told is said again."""
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
    Have the standard output write "?" for a character that its encoding lacks, instead of raising UnicodeEncodeError.

    Windows writes to files and pipes in an encoding of the region, such as cp1252; the error output replaces anyway.
    """
    if getattr(sys.stdout, "errors", "") == "strict":
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]


def _call(here: "str | os.PathLike[str]", words: "Sequence[str]") -> str:
    """The file about a call with these words, made where this one is made."""
    wanted = "\0".join((os.getcwd(), *words))
    return os.path.join(here, ".cache", f"call-{zlib.crc32(wanted.encode(errors='surrogateescape')):08x}")


def _kept(path: str) -> object:
    """What _keep() kept, or None; a file of ours that is damaged is as good as none."""
    try:
        with open(path, "rb") as file:
            return marshal.loads(file.read())  # noqa: S302 - our own file, and its shape is looked at
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
        return  # a folder that cannot be written costs only the next build's time


def _prints() -> bool:
    """Whether Typst is there; a folder of that name says so without the import system's help."""
    return any(os.path.isdir(os.path.join(place, "typst")) for place in sys.path)


def _version() -> str:
    return f"{__version__} {sys.version}"
