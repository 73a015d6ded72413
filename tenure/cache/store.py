"""The cache: results of pure functions by the digest of their inputs, in files of one format."""

import contextlib
import hashlib
import marshal
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from tenure.cache.segments import append_segment, read_segments, write_segment
from tenure.cache.up_to_date import program_version
from tenure.problems import Problems

Result = TypeVar("Result")

UNUSED_BUDGET = 200_000
"""
Bytes of unused results in a file that are never deleted: about two themes, for a user who switches between
them.
"""


class CacheFile:
    """
    Bytes by key in a file. Each run appends a segment with the values that the file does not have.

    A damaged file is read up to the damage, and written again. Values that a run does not use are deleted
    when they take more space than UNUSED_BUDGET and half of the used ones.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stored: dict[str, bytes] = {}
        self._used: dict[str, bytes] = {}

        segments, self._size = read_segments(path)
        for values in segments:
            self._stored |= values

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
        """End a run: delete unused values beyond the budget, and write the file if it changed."""
        added = {key: value for key, value in self._used.items() if self._stored.get(key) != value}
        stored = self._stored | self._used
        is_too_large = _total_size(stored) > 1.5 * _total_size(self._used) + UNUSED_BUDGET
        self._stored = self._used if is_too_large else stored
        self._used = {}

        if added and not is_too_large:
            self._size = append_segment(self._path, self._size, added)
        if is_too_large or (added and not self._size):
            self._size = write_segment(self._path, self._stored)


class CacheStore:
    """
    Results of pure functions by the digest of their inputs: in memory, and in a folder with a file for each
    name.

    A result that this process has used in this run or the last one is returned as the same object. Without a
    folder, results last as long as this object.
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
        The result of a function, from an earlier call with the same name, version and inputs if there was
        one.

        `version` changes with the function; None is the version of the whole program. `inputs` are strings,
        numbers, bytes and None in tuples, lists and dicts. A result is not stored if the function reports to
        `problems`, so that the problems are reported in each run.
        """
        stored = self.find(name, version, inputs)
        if stored is not None:
            return cast(Result, stored)

        problem_count = problems.count() if problems else 0
        result = function()
        if not problems or problems.count() == problem_count:
            self.put(name, version, inputs, result)
        return result

    def find(self, name: str, version: str | None, inputs: Any) -> object | None:
        """The stored result of an earlier call; None if there is none."""
        key = _make_key(name, version, inputs)
        if key in self._used:
            return self._used[key]

        file = self._open_file(name)
        body = file.get(key[1]) if file else None
        result = self._previous.get(key)
        if result is None and body is not None:
            # its checksum says that this program wrote it
            result = pickle.loads(body)
        if result is not None:
            self._used[key] = result
        return result

    def put(self, name: str, version: str | None, inputs: Any, result: object) -> None:
        """Store a result that was computed elsewhere."""
        key = _make_key(name, version, inputs)
        self._used[key] = result
        file = self._open_file(name)
        if file:
            file.put(key[1], pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))

    def save(self) -> None:
        """End a run: forget the results that it did not use, and write the changed files."""
        self._previous = self._used
        self._used = {}
        for file in self._files.values():
            file.save()

    def _open_file(self, name: str) -> CacheFile | None:
        """The file of the results with a name, opened once; None for a store without a folder."""
        if self.folder is not None and name not in self._files:
            self._files[name] = CacheFile(self.folder / name)
        return self._files.get(name)


def remove_unfinished_files(folder: Path) -> None:
    """Delete the temporary files of processes that were killed, and the pages of another version."""
    # a build that runs now and loses such a file only computes a value again
    with contextlib.suppress(OSError):
        for path in (*folder.glob("*.new"), *folder.glob("pages-*")):
            if path.name != name_pages_file():
                path.unlink()


def name_pages_file() -> str:
    """The name of the file with the pages that this version of the program keeps."""
    return f"pages-{read_program_version()}"


def _make_key(name: str, version: str | None, inputs: Any) -> tuple[str, str]:
    """
    The name, and a digest of the version and the inputs; version 2 of marshal is the same in every Python.

    None as the version stands for that of the program, which may make something else of the same inputs.
    """
    if version is None:
        version = read_program_version()
    body = marshal.dumps((version, inputs), 2)
    return name, hashlib.blake2b(body, digest_size=16).hexdigest()


@cache
def read_program_version() -> str:
    """The digest of the version of the program; a long preview reads it once, and each key contains it."""
    return hashlib.blake2b(program_version().encode(), digest_size=16).hexdigest()


def _total_size(values: dict[str, bytes]) -> int:
    return sum(map(len, values.values()))
