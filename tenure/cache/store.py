"""Persistent store of computed values, by the digest of their inputs."""

import contextlib
import hashlib
import marshal
import os
from pathlib import Path

from tenure.cache.object_cache import Recall

UNUSED_BUDGET = 200_000
"""Bytes of unused values that are never deleted: about two themes, for a user who switches between them."""


class CacheStore:
    """
    Bytes by key, stored in a file between runs; a missing or damaged file, or one with another `salt`, is empty.

    A key is the digest of all inputs of a value except the program, which is the salt; so a stale value is never
    read. Unused values are deleted when they take more space than the used ones and UNUSED_BUDGET. Without a file,
    values last as long as this object.
    """

    def __init__(self, file: Path | None = None, salt: str = "") -> None:
        self._file = file
        self._salt = salt.encode()
        self._stored = self._read_file()
        self._used: dict[str, bytes] = {}
        self.recall = Recall(keeping=file is None)

    @property
    def has_values(self) -> bool:
        """Whether the store has any value."""
        return bool(self._stored or self._used)

    def get(self, key: str) -> bytes | None:
        """The value of a key, or None."""
        value = self._used.get(key, self._stored.get(key))
        if value is not None:
            self._used[key] = value
        return value

    def put(self, key: str, value: bytes) -> None:
        """Store a value."""
        self._used[key] = value

    def save(self) -> None:
        """
        End a run: delete unused values beyond the budget, and write the file if it changed.

        A folder that is not writable is ignored; the next run computes the values again.
        """
        stored, used = self._stored, self._used
        values = stored | used
        if _total_size(values) > 2 * _total_size(used) + UNUSED_BUDGET:
            values = used
        self._stored, self._used = values, {}
        self.recall.forget()
        if self._file is None or values == stored:
            return
        body = marshal.dumps(values)
        temporary = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            temporary.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(self._compute_digest(body) + body)
            temporary.replace(self._file)

    def _compute_digest(self, body: bytes) -> bytes:
        return hashlib.blake2b(body, digest_size=16, key=hashlib.blake2b(self._salt).digest()).digest()

    def _read_file(self) -> dict[str, bytes]:
        try:
            content = self._file.read_bytes() if self._file is not None else b""
        except OSError:
            return {}
        if self._compute_digest(content[16:]) != content[:16]:
            return {}
        values = marshal.loads(content[16:])  # noqa: S302 - the digest proves that we wrote these bytes
        return values if isinstance(values, dict) else {}


def _total_size(values: dict[str, bytes]) -> int:
    return sum(map(len, values.values()))
