"""Watch files for changes by polling, which works on every disk and network."""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tenure.frozen import dataclass
from tenure.stamp import leads_back

BREATH = 0.01
"""Seconds between two scans; up to 0.5 if a scan takes long, so that scans use at most a fifth of the time."""

REST = 0.1
"""Seconds between two scans after a minute without changes."""

SETTLED = 0.012
"""Seconds without a change before changes are reported, so that files saved together are reported together."""

LONGEST = 0.5
"""Seconds after which changes are reported even if more follow, or a file is still empty."""

RACY = 2_000_000_000
"""Nanoseconds in which a file can change twice with the same modification time; FAT has the coarsest times."""

MOST_READ = 4_000_000
"""Size in bytes from which files are compared by their times only."""


@dataclass(frozen=True, slots=True)
class State:
    """The times, size and inode of a file, and the digest of its content if it had just been modified (`racy`)."""

    status: tuple[int, int, int, int]
    digest: bytes = b""
    racy: bool = False

    def is_as(self, other: "State | None") -> bool:
        """Whether the file is unchanged since another fingerprint."""
        return other is not None and self.status == other.status and self.digest == other.digest


class Watch:
    """
    Watches files and folders, also those that do not exist yet.

    Temporary files of editors (`.x.swp`, `x~`, `#x#`, `4913`) are ignored. Fingerprints are compared with each other,
    not with a clock: a new file with an old time is a change, and so is a second save within the same clock tick.
    """

    def __init__(
        self,
        places: Iterable[Path],
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._places = tuple(map(str, places))
        self._sleep = sleep
        self._clock = clock
        self._took = 0.0
        self._quiet = 0.0
        self._seen = self._look({})

    def wait(self) -> tuple[str, ...]:
        """Wait for changes; returns the sorted paths changed since the last call, when all files are completely written."""
        while True:
            self._rest()
            found = self._look(self._seen)
            if not _changed(self._seen, found):
                continue
            found = self._calm(found)
            changed = _changed(self._seen, found)
            self._seen = found
            if changed:
                self._quiet = 0.0
                return changed

    def _rest(self) -> None:
        breath = max(REST if self._quiet > 60 else BREATH, min(4 * self._took, 0.5))
        self._quiet += breath
        self._sleep(breath)

    def _calm(self, found: Mapping[str, State]) -> Mapping[str, State]:
        """The fingerprints after a series of changes has ended; a file that was just emptied is about to be written."""
        waited = 0.0
        while waited < LONGEST:
            self._sleep(SETTLED)
            waited += SETTLED
            again = self._look(found)
            if not _changed(found, again) and not self._emptied(again):
                return again
            found = again
        return found

    def _emptied(self, found: Mapping[str, State]) -> bool:
        """Whether a file that had content is empty now."""
        return any(
            state.status[2] == 0 and path in self._seen and self._seen[path].status[2]
            for path, state in found.items()
        )

    def _look(self, before: Mapping[str, State]) -> Mapping[str, State]:
        """The fingerprints of all files; only files that were modified just now are read."""
        started, now = time.perf_counter(), self._clock()
        found: dict[str, State] = {}
        for place in self._places:
            _collect(place, before, now, found)
        self._took = time.perf_counter() - started
        return found


def _changed(before: Mapping[str, State], after: Mapping[str, State]) -> tuple[str, ...]:
    changed = [path for path, state in after.items() if not state.is_as(before.get(path))]
    return tuple(sorted([*changed, *(path for path in before if path not in after)]))


def _collect(place: str, before: Mapping[str, State], now: int, found: dict[str, State]) -> None:
    """Add the fingerprint of a file, or of all files in a folder; files deleted meanwhile are skipped."""
    with contextlib.suppress(OSError):
        if not os.path.isdir(place):  # noqa: PTH112 - runs fifty times a second and must be fast
            found[place] = _state(place, os.stat(place), before.get(place), now)  # noqa: PTH116 - as above
            return
        for entry in os.scandir(place):
            if _is_left_by_an_editor(entry.name):
                continue
            if entry.is_dir():
                if entry.is_symlink() and leads_back(entry.path):
                    continue
                _collect(entry.path, before, now, found)
            else:
                with contextlib.suppress(OSError):
                    found[entry.path] = _state(entry.path, entry.stat(), before.get(entry.path), now)


def _is_left_by_an_editor(name: str) -> bool:
    return name[0] in ".#" or name.endswith(("~", ".swp", ".tmp", ".bak")) or name in ("4913", "__pycache__")


def _state(path: str, seen: os.stat_result, before: State | None, now: int) -> State:
    status = _status(seen)
    if before is not None and before.status == status and not before.racy:
        return before
    racy = now - max(status[0], status[1]) < RACY
    if not racy and (before is None or before.status != status):
        return State(status)
    return State(status, _digest(path, seen.st_size), racy)


def _status(seen: os.stat_result) -> tuple[int, int, int, int]:
    return seen.st_mtime_ns, seen.st_ctime_ns, seen.st_size, seen.st_ino


def _digest(path: str, size: int) -> bytes:
    if size > MOST_READ:
        return b""
    try:
        return hashlib.blake2b(Path(path).read_bytes(), digest_size=16).digest()
    except OSError:
        return b""
