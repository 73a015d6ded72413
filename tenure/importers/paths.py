"""Files of an import source, and a normal form of the old site's URLs."""

import os
import re
from pathlib import Path

IGNORED_PATHS = re.compile(r"(?:^|/)(?:\.|__pycache__|node_modules/|_site/|vendor/bundle/|venv/)")
"""Paths that are not imported: hidden files, generated files and installed packages."""


def list_source_files(folder: Path) -> list[Path]:
    """Return the files below a folder sorted by path, or the file itself; without ignored paths and links out of the folder."""
    return [path for path in list_all_files(folder) if is_inside_folder(path, folder)]


def list_all_files(source: Path) -> list[Path]:
    """Return the files below a folder sorted by path, or the file itself; links out of the folder are included."""
    if source.is_file():
        return [source]
    paths = []
    for base, folders, names in os.walk(source):
        folders[:] = [
            name
            for name in folders
            if not IGNORED_PATHS.search(f"{name}/") and not Path(base, name).is_symlink()
        ]
        paths += [Path(base, name) for name in names if not name.startswith(".")]
    return sorted(path for path in paths if path.is_file() and not IGNORED_PATHS.search(path.name))


def is_inside_folder(path: Path, root: Path) -> bool:
    """Whether a file is in a folder after symbolic links are resolved."""
    try:
        return path.resolve().is_relative_to((root if root.is_dir() else root.parent).resolve())
    except (OSError, RuntimeError):  # a link to itself
        return False


def resolve_source_file(root: Path, name: str) -> str:
    """Return the resolved path of a source file; "" if it does not exist or is outside the source."""
    try:
        path = (root / name.lstrip("/")).resolve()
        return path.as_posix() if path.is_file() and path.is_relative_to(root.resolve()) else ""
    except (OSError, RuntimeError, ValueError):  # name too long, circular links, NUL character
        return ""


def normalize_old_url(url: str) -> str:
    """Return an old URL in a form for comparison: no outer slashes, file suffix, `index`, query or fragment."""
    url_path = re.split(r"[?#]", url, maxsplit=1)[0].strip("/")
    return re.sub(r"(?:^|/)index$", "", re.sub(r"\.(?:html?|md)$", "", url_path)).strip("/")
