"""Values kept by the digest of their inputs, between runs."""

import contextlib
import hashlib
import marshal
import os
from pathlib import Path

MOST = 4_000_000
"""Bytes of values beyond which a memo drops what its last run did not need."""


class Memo:
    """
    Bytes by key in one file; a file that is missing or damaged is an empty memo.

    Keys are digests of all that goes into a value, so that a stale value is never asked for. What was not asked for
    in this run is kept as well until the memo passes MOST bytes.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept = _read(file)
        self._used: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """The value of a key, or None."""
        value = self._kept.get(key)
        if value is not None:
            self._used[key] = value
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep a value."""
        self._used[key] = value

    def save(self) -> None:
        """Write the memo where it has changed; a folder that cannot be written costs only the next run's time."""
        wanted = self._kept | self._used
        if wanted == self._kept:
            return
        body = marshal.dumps(wanted if sum(map(len, wanted.values())) <= MOST else self._used)
        beside = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(_digest(body) + body)
            beside.replace(self._file)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).digest()


def _read(file: Path) -> dict[str, bytes]:
    try:
        whole = file.read_bytes()
    except OSError:
        return {}
    if _digest(whole[16:]) != whole[:16]:
        return {}
    kept = marshal.loads(whole[16:])  # noqa: S302 - its digest says that these are the bytes we wrote
    return kept if isinstance(kept, dict) else {}
