"""Whether anything has changed since the last build, found out before any library is loaded."""

import contextlib
import hashlib
import marshal
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tenure import __version__

FORM = 1
PACKAGE = Path(__file__).resolve().parent
State = Mapping[str, tuple[int, int]]
"""Path to (modification time in nanoseconds, size in bytes)."""


def inputs(root: Path) -> State:
    """The state of everything that a build reads: the sources, the themes, and Tenure's own code."""
    found: dict[str, tuple[int, int]] = {}
    for place in (root / "site.yaml", root / "content", root / "bib", root / "themes"):
        _collect(str(place), found)
    for place in (PACKAGE, PACKAGE.parent / "themes"):
        if place == PACKAGE or (PACKAGE.parent / "pyproject.toml").is_file():
            _collect(str(place), found)
    return found


def outputs(folder: Path, paths: Iterable[str]) -> State:
    """The state of the files that a build wrote."""
    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        _collect(f"{folder}{os.sep}{path}", found)
    return found


def _collect(path: str, found: dict[str, tuple[int, int]]) -> None:
    with contextlib.suppress(OSError):
        status = os.stat(path)  # noqa: PTH116 - this runs before every build and is kept lean
        if not os.path.isdir(path):  # noqa: PTH112
            found[path] = (status.st_mtime_ns, status.st_size)
            return
        for entry in os.scandir(path):
            if not entry.name.startswith(".") and entry.name != "__pycache__":
                _collect(entry.path, found)


def _file(root: Path, folder: Path, wishes: Iterable[str]) -> Path:
    wanted = "\0".join((str(folder.resolve()), *wishes))
    return root / ".cache" / f"stamp-{hashlib.blake2b(wanted.encode(), digest_size=6).hexdigest()}"


def unchanged(root: Path, folder: Path, wishes: Iterable[str]) -> str | None:
    """What the last build said in its end where nothing it read or wrote has changed since; else None."""
    try:
        kept = marshal.loads(_file(root, folder, wishes).read_bytes())  # noqa: S302 - our own file; damage is met below
        form, version, before, after, said = kept
    except (OSError, ValueError, EOFError, TypeError):
        return None
    if (form, version) != (FORM, _version()) or before != inputs(root):
        return None
    if not isinstance(after, dict) or not isinstance(said, str):
        return None
    try:
        whole = all((lambda s: (s.st_mtime_ns, s.st_size))(os.stat(path)) == state for path, state in after.items())  # noqa: PTH116
    except OSError:
        return None
    return said if whole else None


def keep(root: Path, folder: Path, wishes: Iterable[str], before: State, paths: Iterable[str], said: str) -> None:
    """Keep the state after a build; a folder that cannot be written costs only the next build's time."""
    file = _file(root, folder, wishes)
    body = marshal.dumps((FORM, _version(), dict(before), dict(outputs(folder, paths)), said))
    with contextlib.suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        beside = file.with_suffix(f".{os.getpid()}")
        beside.write_bytes(body)
        beside.replace(file)


def _version() -> str:
    return f"{__version__} {sys.version}"
