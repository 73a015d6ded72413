"""Values kept by the digest of their inputs, between runs."""

import contextlib
import hashlib
import marshal
import os
from pathlib import Path

from tenure.recall import Recall

SPARE = 200_000
"""Bytes of values not asked for that are kept in any case: a theme's or two, for whoever goes back and forth."""


class Memo:
    """
    Bytes by key, in a file between runs; a file that is missing, damaged or of another `salt` is an empty memo.

    Keys are digests of all that goes into a value but the program itself, which is the salt, so that a stale value is
    never asked for. What was not asked for is kept as well until it outweighs what was. Without a file nothing is
    kept beyond the memo's own life. `recall` has what need not even be read from its bytes.
    """

    def __init__(self, file: Path | None = None, salt: str = "") -> None:
        self._file = file
        self._salt = salt.encode()
        self._kept = self._read()
        self._used: dict[str, bytes] = {}
        self.recall = Recall(keeping=file is None)

    @property
    def known(self) -> bool:
        """Whether anything is kept."""
        return bool(self._kept or self._used)

    def get(self, key: str) -> bytes | None:
        """The value of a key, or None."""
        value = self._used.get(key, self._kept.get(key))
        if value is not None:
            self._used[key] = value
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep a value."""
        self._used[key] = value

    def save(self) -> None:
        """
        End a run: forget what has long not been asked for, and write the file where it has changed.

        A folder that cannot be written costs only the next run's time.
        """
        before, used = self._kept, self._used
        wanted = before | used
        if _weight(wanted) > 2 * _weight(used) + SPARE:
            wanted = used
        self._kept, self._used = wanted, {}
        self.recall.forget()
        if self._file is None or wanted == before:
            return
        body = marshal.dumps(wanted)
        beside = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(self._digest(body) + body)
            beside.replace(self._file)

    def _digest(self, body: bytes) -> bytes:
        return hashlib.blake2b(body, digest_size=16, key=hashlib.blake2b(self._salt).digest()).digest()

    def _read(self) -> dict[str, bytes]:
        try:
            whole = self._file.read_bytes() if self._file is not None else b""
        except OSError:
            return {}
        if self._digest(whole[16:]) != whole[:16]:
            return {}
        kept = marshal.loads(whole[16:])  # noqa: S302 - its digest says that these are the bytes we wrote
        return kept if isinstance(kept, dict) else {}


def _weight(values: dict[str, bytes]) -> int:
    return sum(map(len, values.values()))
