"""The files of a source, none outside it; and addresses of the old site compared."""

import os
import re
from pathlib import Path

PASSED_OVER = re.compile(r"(?:^|/)(?:\.|__pycache__|node_modules/|_site/|vendor/bundle/|venv/)")
"""Paths of what is no part of a source: hidden files, and what programs made or fetched."""


def files_of(folder: Path) -> list[Path]:
    """Every file below a folder by its name, or the file itself; without what programs made, and links that lead out."""
    return [path for path in every_file(folder) if is_within(path, folder)]


def every_file(source: Path) -> list[Path]:
    """Every file below a folder by its name, or the file itself, also links that lead out."""
    if source.is_file():
        return [source]
    found = []
    for base, folders, names in os.walk(source):
        folders[:] = [
            name
            for name in folders
            if not PASSED_OVER.search(f"{name}/") and not Path(base, name).is_symlink()
        ]
        found += [Path(base, name) for name in names if not name.startswith(".")]
    return sorted(path for path in found if path.is_file() and not PASSED_OVER.search(path.name))


def is_within(path: Path, root: Path) -> bool:
    """Whether a file stands in a folder, and is no link that leads out of it."""
    try:
        return path.resolve().is_relative_to((root if root.is_dir() else root.parent).resolve())
    except (OSError, RuntimeError):  # a link that leads to itself
        return False


def real_file(root: Path, name: str) -> str:
    """The path of a file of the source, its links followed; "" where it is none or stands elsewhere."""
    try:
        path = (root / name.lstrip("/")).resolve()
        return path.as_posix() if path.is_file() and path.is_relative_to(root.resolve()) else ""
    except (OSError, RuntimeError, ValueError):  # too long for a name, a circle of links, a NUL
        return ""


def bare_address(address: str) -> str:
    """An address of the old site for comparison: without slashes around it, its ending and its fragment."""
    bare = re.split(r"[?#]", address, maxsplit=1)[0].strip("/")
    return re.sub(r"(?:^|/)index$", "", re.sub(r"\.(?:html?|md)$", "", bare)).strip("/")
