"""Watch files for changes by polling, which works on every disk and network."""

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tenure.cache.up_to_date import (
    COARSE_RESOLUTION,
    MAX_CHECKED_SIZE,
    is_followed_link,
    is_ignored_name,
    make_file_state,
)
from tenure.record import Record

POLL_INTERVAL = 0.01
"""Seconds between two scans; up to 0.5 if a scan takes long, so that scans use at most a fifth of the time."""

IDLE_POLL_INTERVAL = 0.1
"""Seconds between two scans after a minute without changes."""

SETTLE_TIME = 0.012
"""Seconds without a change before changes are reported, so that files saved together are reported together."""

MAX_SETTLE_TIME = 0.5
"""Seconds after which changes are reported even if more follow, or a file is still empty."""


class FileFingerprint(Record):
    """The times, size and inode of a file, and the digest of its content if it had just been modified (`racy`)."""

    status: tuple[int, int, int, int]
    digest: bytes = b""
    racy: bool = False

    def is_same_as(self, other: "FileFingerprint | None") -> bool:
        """Whether the file is unchanged since another fingerprint."""
        return other is not None and self.status == other.status and self.digest == other.digest


class SourceWatcher:
    """
    Watches files and folders, also those that do not exist yet.

    Temporary files of editors (`.x.swp`, `x~`, `#x#`, `4913`) are ignored. Fingerprints are compared with each other,
    not with a clock: a new file with an old time is a change, and so is a second save within the same clock tick.
    """

    def __init__(
        self,
        paths: Iterable[Path],
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._paths = tuple(map(str, paths))
        self._sleep = sleep
        self._clock = clock
        self._scan_seconds = 0.0
        self._quiet_seconds = 0.0
        self._fingerprints = self._scan_files({})

    def wait(self) -> tuple[str, ...]:
        """Wait for changes; returns the sorted paths changed since the last call, when all files are completely written."""
        while True:
            self._sleep_between_polls()
            fingerprints = self._scan_files(self._fingerprints)
            if not _find_changed_paths(self._fingerprints, fingerprints):
                continue
            fingerprints = self._wait_until_settled(fingerprints)
            changed_paths = _find_changed_paths(self._fingerprints, fingerprints)
            self._fingerprints = fingerprints
            if changed_paths:
                self._quiet_seconds = 0.0
                return changed_paths

    def _sleep_between_polls(self) -> None:
        interval = IDLE_POLL_INTERVAL if self._quiet_seconds > 60 else POLL_INTERVAL
        delay = max(interval, min(4 * self._scan_seconds, 0.5))
        self._quiet_seconds += delay
        self._sleep(delay)

    def _wait_until_settled(
        self, fingerprints: Mapping[str, FileFingerprint]
    ) -> Mapping[str, FileFingerprint]:
        """The fingerprints after a series of changes has ended; a file that was just emptied is about to be written."""
        waited = 0.0
        while waited < MAX_SETTLE_TIME:
            self._sleep(SETTLE_TIME)
            waited += SETTLE_TIME
            new_fingerprints = self._scan_files(fingerprints)
            is_changing = _find_changed_paths(fingerprints, new_fingerprints)
            if not is_changing and not self._has_emptied_file(new_fingerprints):
                return new_fingerprints
            fingerprints = new_fingerprints
        return fingerprints

    def _has_emptied_file(self, fingerprints: Mapping[str, FileFingerprint]) -> bool:
        """Whether a file that had content is empty now."""
        return any(
            fingerprint.status[2] == 0 and path in self._fingerprints and self._fingerprints[path].status[2]
            for path, fingerprint in fingerprints.items()
        )

    def _scan_files(self, previous: Mapping[str, FileFingerprint]) -> Mapping[str, FileFingerprint]:
        """The fingerprints of all files; only files that were modified just now are read."""
        started, now = time.perf_counter(), self._clock()
        fingerprints: dict[str, FileFingerprint] = {}
        for path in self._paths:
            _collect_fingerprints(path, previous, now, fingerprints)
        self._scan_seconds = time.perf_counter() - started
        return fingerprints


def _find_changed_paths(
    previous: Mapping[str, FileFingerprint], current: Mapping[str, FileFingerprint]
) -> tuple[str, ...]:
    changed_paths = [
        path for path, fingerprint in current.items() if not fingerprint.is_same_as(previous.get(path))
    ]
    return tuple(sorted([*changed_paths, *(path for path in previous if path not in current)]))


def _collect_fingerprints(
    path: str,
    previous: Mapping[str, FileFingerprint],
    now: int,
    fingerprints: dict[str, FileFingerprint],
    top: str = "",
) -> None:
    """Add the fingerprint of a file, or of all files in a folder, which is in the folder `top` or is it; files deleted meanwhile are skipped."""
    with contextlib.suppress(OSError):
        if not os.path.isdir(path):
            fingerprints[path] = _read_fingerprint(path, os.stat(path), previous.get(path), now)
            return
        for directory_entry in os.scandir(path):
            if is_ignored_name(directory_entry.name):
                continue
            is_followed = not directory_entry.is_symlink() or is_followed_link(
                directory_entry.path, top or path
            )
            if is_followed and directory_entry.is_dir():
                _collect_fingerprints(directory_entry.path, previous, now, fingerprints, top or path)
                continue
            with contextlib.suppress(OSError):
                fingerprints[directory_entry.path] = _read_fingerprint(
                    directory_entry.path,
                    directory_entry.stat(follow_symlinks=is_followed),
                    previous.get(directory_entry.path),
                    now,
                )


def _read_fingerprint(
    path: str, stat_result: os.stat_result, previous: FileFingerprint | None, now: int
) -> FileFingerprint:
    status = make_file_state(stat_result)
    if previous is not None and previous.status == status and not previous.racy:
        return previous
    is_file = stat.S_ISREG(stat_result.st_mode)
    is_racy = is_file and now - max(status[0], status[1]) < COARSE_RESOLUTION
    is_new = previous is None or previous.status != status
    if not is_file or (is_new and not is_racy):
        return FileFingerprint(status)
    return FileFingerprint(status, _digest_file(path, stat_result.st_size), is_racy)


def _digest_file(path: str, size: int) -> bytes:
    if size > MAX_CHECKED_SIZE:
        return b""
    try:
        return hashlib.blake2b(Path(path).read_bytes(), digest_size=16).digest()
    except OSError:
        return b""
