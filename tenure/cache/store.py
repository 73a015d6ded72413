"""The cache: results of pure functions by the digest of their inputs, in files of one format."""

import contextlib
import hashlib
import marshal
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from tenure.atomic import write_file
from tenure.cache.up_to_date import program_version
from tenure.problems import Problems

Result = TypeVar("Result")

UNUSED_BUDGET = 200_000
"""Bytes of unused results in a file that are never deleted: about two themes, for a user who switches between them."""


class CacheFile:
    """
    Bytes by key in a file. Each run appends a segment with the values that the file does not have.

    A missing file is empty; a damaged file is read up to the damage, and written again. Values that a run does not use
    are deleted when they take more space than the used ones and UNUSED_BUDGET.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stored, self._size = _read_values(path) if path else ({}, 0)
        self._used: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """The value of a key, or None."""
        value = self._used.get(key, self._stored.get(key))
        if value is not None:
            self._used[key] = value
        return value

    def put(self, key: str, value: bytes) -> None:
        """Set the value of a key."""
        self._used[key] = value

    def save(self) -> None:
        """
        End a run: delete unused values beyond the budget, and write the file if it changed.

        A folder that is not writable is ignored; the next run computes the values again.
        """
        added = {key: value for key, value in self._used.items() if self._stored.get(key) != value}
        values = self._stored | self._used
        is_too_large = _total_size(values) > 2 * _total_size(self._used) + UNUSED_BUDGET
        self._stored, self._used = self._used if is_too_large else values, {}
        if self._path is not None and (added or is_too_large):
            with contextlib.suppress(OSError):
                if is_too_large or not self._append_segment(self._path, _make_segment(added)):
                    segment = _make_segment(self._stored)
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                    write_file(self._path, segment, mode=0o666)
                    self._size = len(segment)

    def _append_segment(self, path: Path, segment: bytes) -> bool:
        """Append a segment; returns False if the file is missing or damaged, or if another process has changed it."""
        if not self._size:
            return False
        with path.open("ab") as file:
            if file.tell() != self._size:
                return False
            file.write(segment)
        self._size += len(segment)
        return True


class CacheStore:
    """
    Results of pure functions by the digest of their inputs: in memory, and in a folder with a file for each name.

    A result that this process has used in this run or the last one is returned as the same object. Without a folder,
    results last as long as this object.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._files: dict[str, CacheFile] = {}
        self._previous: dict[tuple[str, str], object] = {}
        self._used: dict[tuple[str, str], object] = {}

    def call(
        self,
        name: str,
        version: str | None,
        inputs: Any,
        function: Callable[[], Result],
        problems: Problems | None = None,
    ) -> Result:
        """
        The result of a function, from an earlier call with the same name, version and inputs if there was one.

        `version` changes with the function; None is the version of the whole program. `inputs` are strings, numbers,
        bytes and None in tuples, lists and dicts. A result is not stored if the function reports to `problems`, so that
        the problems are reported in each run.
        """
        key = _make_key(name, version, inputs)
        stored = self._find(key)
        if stored is not None:
            return cast(Result, stored)
        problem_count = problems.count() if problems else 0
        result = function()
        if not problems or problems.count() == problem_count:
            self._put(key, result)
        return result

    def find(self, name: str, version: str | None, inputs: Any) -> object | None:
        """The stored result of an earlier call; None if there is none."""
        return self._find(_make_key(name, version, inputs))

    def put(self, name: str, version: str | None, inputs: Any, result: object) -> None:
        """Store a result that was computed elsewhere."""
        self._put(_make_key(name, version, inputs), result)

    def save(self) -> None:
        """End a run: forget the results that it did not use, and write the changed files."""
        self._previous, self._used = self._used, {}
        for file in self._files.values():
            file.save()

    def _find(self, key: tuple[str, str]) -> object | None:
        if key in self._used:
            return self._used[key]
        file = self._open_file(key[0])
        body = file.get(key[1]) if file else None
        result = self._previous.get(key)
        if result is None and body is not None:
            result = pickle.loads(body)  # the file has verified the digest of what this program wrote
        if result is not None:
            self._used[key] = result
        return result

    def _put(self, key: tuple[str, str], result: object) -> None:
        self._used[key] = result
        file = self._open_file(key[0])
        if file:
            file.put(key[1], pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))

    def _open_file(self, name: str) -> CacheFile | None:
        if self.folder is not None and name not in self._files:
            self._files[name] = CacheFile(self.folder / name)
        return self._files.get(name)


def remove_unfinished_files(folder: Path) -> None:
    """Delete the temporary files of processes that were killed; another build that runs now only computes a value again."""
    with contextlib.suppress(OSError):
        for path in folder.glob("*.new"):
            path.unlink()


def _make_key(name: str, version: str | None, inputs: Any) -> tuple[str, str]:
    body = marshal.dumps((read_program_version() if version is None else version, inputs), 2)
    return name, _compute_digest(body).hex()


@cache
def read_program_version() -> str:
    """The digest of the version of the program that this process runs; a long preview reads it once, and each key contains it."""
    return _compute_digest(program_version().encode()).hex()


def _compute_digest(body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=16).digest()


def _make_segment(values: dict[str, bytes]) -> bytes:
    """The digest of the values, their length in 8 bytes, and the values."""
    body = marshal.dumps(values)
    return _compute_digest(body) + len(body).to_bytes(8) + body


def _read_values(path: Path) -> tuple[dict[str, bytes], int]:
    """The values of all segments up to the first damaged one, and the size of these segments."""
    try:
        content = memoryview(path.read_bytes() if path.is_file() else b"")
    except OSError:
        return {}, 0
    values: dict[str, bytes] = {}
    size = 0
    while size < len(content):
        digest, body_size = content[size : size + 16], content[size + 16 : size + 24]
        body = content[size + 24 : size + 24 + int.from_bytes(body_size)]
        if _compute_digest(body) != digest:
            break
        values |= marshal.loads(body)  # the digest proves that this program wrote these bytes
        size += 24 + len(body)
    return values, size


def _total_size(values: dict[str, bytes]) -> int:
    return sum(map(len, values.values()))
