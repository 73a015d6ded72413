"""Watch the sources of a site for changes, with watchfiles."""

import contextlib
import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

from watchfiles import Change, watch

from tenure.cache.up_to_date import make_file_state
from tenure.source_paths import is_followed_link, is_ignored_name, list_source_paths
from tenure.sources.theme.theme_settings import PACKAGE_FOLDER, PACKAGED_THEMES

SETTLE_TIME = 12
MAX_SETTLE_TIME = 500
"""
Milliseconds without a change before changes are reported, and after which they are reported even if more
follow.
"""

TIMEOUT = 50
"""Milliseconds after which a wait for a change ends, and begins again."""


class SourceWatcher:
    """
    Watches the sources of a site and the packaged themes, also those that do not exist yet.

    Each folder is watched without its subfolders, so that `.venv`, `output` and `.cache` are not. Temporary
    files of editors (`.x.swp`, `x~`, `#x#`, `4913`) are ignored.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._sources = [*map(Path, list_source_paths(root)), PACKAGED_THEMES]
        self._watched: AbstractSet[str] = frozenset()
        self._changes: Iterator[set[tuple[Change, str]]] = iter(())
        self._states: dict[str, tuple[int, ...]] = {}
        self._force_polling: bool | None = None
        self._watch_folders()

    def watch_anew(self, force_polling: bool) -> None:
        """
        Watch again after an exception; with `force_polling`, compare the files again and again instead of
        asking the system.
        """
        self._force_polling = force_polling or self._force_polling
        self._changes = iter(())
        self._watch_folders()

    def wait(self) -> tuple[str, ...]:
        """
        Wait for changes; returns the sorted paths, when all files are completely written.

        After an exception, such as that of watchfiles for a file name that is not UTF-8, `watch_anew` must be
        called.
        """
        changed: set[str] = set()
        deadline = 0.0
        while not changed or (time.monotonic() < deadline and any(map(_is_empty_file, changed))):
            # The end of a save that was reported already is no change.
            paths = {path for _, path in next(self._changes) if self._states.get(path) != _read_state(path)}
            if any(path in self._watched or Path(path).is_dir() or Path(path).is_symlink() for path in paths):
                # The new watch is made before the change is reported, so that no later change in a new folder
                # is missed.
                paths |= self._watch_folders()
            if paths and not changed:
                deadline = time.monotonic() + MAX_SETTLE_TIME / 1000
            changed |= paths
        self._states |= {path: _read_state(path) for path in changed}
        return tuple(sorted(changed))

    def _watch_folders(self) -> set[str]:
        """Watch all folders that exist now; returns what has changed meanwhile."""
        changed: set[str] = set()
        self._watched = frozenset()
        while (found := {str(self._root)}.union(*map(_find_watched, self._sources))) != self._watched:
            changes = watch(
                *found,
                watch_filter=self._is_source,
                debounce=MAX_SETTLE_TIME,
                step=SETTLE_TIME,
                rust_timeout=TIMEOUT,
                yield_on_timeout=True,
                force_polling=self._force_polling,
                recursive=False,
                ignore_permission_denied=True,
            )

            try:
                changed |= {path for _, path in next(changes)}
                # A change between the last wait and the new watch is known to the old one alone.
                changed |= {path for _, path in next(self._changes, set())}
                self._changes = changes
                self._watched = found
            except FileNotFoundError:
                continue  # a folder was removed meanwhile
            except OSError:  # the system watches no more folders
                if self._force_polling:
                    raise
                self._force_polling = True
        return changed

    def _is_source(self, change: Change, path: str) -> bool:
        """Whether a build reads a file that has changed."""
        del change
        parts = [Path(path).relative_to(top).parts for top in self._sources if Path(path).is_relative_to(top)]
        return bool(parts) and not any(map(is_ignored_name, parts[0]))


def is_installed_file(path: str) -> bool:
    """Whether a changed file belongs to an installed Tenure, which is only replaced as a whole."""
    return Path(path).is_relative_to(PACKAGED_THEMES) and PACKAGED_THEMES.is_relative_to(PACKAGE_FOLDER)


def _find_watched(top: Path) -> Iterator[str]:
    """A source folder with its subfolders, and the links to files: a watch of a link watches its target."""
    folders = [top] if top.is_dir() else []
    for folder in folders:
        yield str(folder)
        with contextlib.suppress(OSError):  # it was removed meanwhile, or is not readable
            for path in folder.iterdir():
                is_link = path.is_symlink()
                if is_ignored_name(path.name) or (is_link and not is_followed_link(str(path), str(top))):
                    continue
                if path.is_dir():
                    folders.append(path)
                elif is_link:
                    yield str(path)


def _read_state(path: str) -> tuple[int, ...]:
    """The state of a file; () if it does not exist."""
    try:
        return make_file_state(Path(path).stat())
    except OSError:
        return ()


def _is_empty_file(path: str) -> bool:
    return Path(path).is_file() and 0 in _read_state(path)[2:3]
