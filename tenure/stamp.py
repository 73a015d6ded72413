"""Whether anything has changed since the last build, found out before any library is loaded."""

import contextlib
import importlib.util
import marshal
import os
import sys
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tenure import __version__

FORM = 2
PACKAGE = Path(__file__).resolve().parent
State = Mapping[str, tuple[int, int]]
"""Path to (modification time in nanoseconds, size in bytes)."""


def inputs(root: Path) -> State:
    """The state of everything that a build reads: the sources, the themes, and Tenure's own code."""
    found: dict[str, tuple[int, int]] = {}
    for place in (root / "site.yaml", root / "content", root / "bib", root / "themes"):
        _collect(str(place), found)
    return {**found, **code()}


def code() -> State:
    """The state of Tenure's own code and themes."""
    found: dict[str, tuple[int, int]] = {}
    for place in (PACKAGE, PACKAGE.parent / "themes"):
        if place == PACKAGE or (PACKAGE.parent / "pyproject.toml").is_file():
            _collect(str(place), found)
    return found


def program() -> str:
    """What tells one state of the program from another: its code, the Python, and the folders of its libraries."""
    folders = [path for path in sys.path if path.endswith("-packages")]
    libraries: dict[str, tuple[int, int]] = {}
    for folder in folders:
        with contextlib.suppress(OSError):
            libraries[folder] = _state(folder)
    return repr((_version(), sorted(code().items()), sorted(libraries.items())))


def outputs(folder: Path, paths: Iterable[str]) -> State:
    """The state of the files that a build wrote."""
    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        _collect(f"{folder}{os.sep}{path}", found)
    return found


def _collect(path: str, found: dict[str, tuple[int, int]]) -> None:
    with contextlib.suppress(OSError):
        if not os.path.isdir(path):  # noqa: PTH112 - this runs before every build and is kept lean
            found[path] = _state(path)
            return
        for entry in os.scandir(path):
            if not entry.name.startswith(".") and entry.name != "__pycache__":
                _collect(entry.path, found)


def _state(path: str) -> tuple[int, int]:
    status = os.stat(path)  # noqa: PTH116 - as above
    return status.st_mtime_ns, status.st_size


@dataclass(frozen=True, slots=True)
class Stamp:
    """The memory of one kind of build: of which site, into which folder, with which wishes of the call."""

    root: Path
    folder: Path
    wishes: tuple[str, ...]

    def unchanged(self) -> str | None:
        """What the last build told where nothing it read or wrote has changed since; else None."""
        try:
            # Our own file; damage to it is met below.
            kept = marshal.loads(self._file.read_bytes())  # noqa: S302
            form, version, before, after, told, printed = kept
        except (OSError, ValueError, EOFError, TypeError):
            return None
        if (form, version) != (FORM, _version()) or not isinstance(after, dict) or not isinstance(told, str):
            return None
        if not printed and _prints():
            return None  # Typst has come since: the CV can be made as PDF
        try:
            whole = all(_state(path) == state for path, state in after.items())
        except OSError:
            return None
        return told if whole and before == inputs(self.root) else None

    def keep(self, before: State, paths: Iterable[str], told: str) -> None:
        """Keep the state after a build; a folder that cannot be written costs only the next build's time."""
        after = dict(outputs(self.folder, paths))
        body = marshal.dumps((FORM, _version(), dict(before), after, told, _prints()))
        beside = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            beside.parent.mkdir(exist_ok=True)
            beside.write_bytes(body)
            beside.replace(self._file)

    @property
    def _file(self) -> Path:
        wanted = "\0".join((str(self.folder.resolve()), *self.wishes))
        return self.root / ".cache" / f"stamp-{zlib.crc32(wanted.encode()):08x}"


def _prints() -> bool:
    return importlib.util.find_spec("typst") is not None


def _version() -> str:
    return f"{__version__} {sys.version}"
