"""Files of values that this program wrote: segments, each a value with its checksum and its length."""

import marshal
import os
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    FilePath = str | os.PathLike[str]


def read_segments(path: "FilePath") -> "tuple[list[Any], int]":
    """
    The values of a file up to the first damaged segment, and the size of their segments; a missing file has
    none.

    The checksum is compared first, because marshal trusts its input: damaged bytes can ask for any memory.
    """
    values: list[Any] = []
    size = 0
    try:
        if not os.path.isfile(path):
            return values, size
        with open(path, "rb") as file:
            content = memoryview(file.read())

        while size < len(content):
            checksum = content[size : size + 4]
            length = int.from_bytes(content[size + 4 : size + 12])
            body = content[size + 12 : size + 12 + length]
            if zlib.crc32(body).to_bytes(4) != checksum:
                break
            values.append(marshal.loads(body))
            size += 12 + length
    except (OSError, ValueError, EOFError, TypeError):
        return values, size
    return values, size


def append_segment(path: "FilePath", size: int, value: "Any") -> int:
    """
    Append a value to a file of `size` bytes; returns its new size.

    0 if that is not possible: the file is damaged, another process has changed it, or the folder is missing.
    """
    try:
        with open(path, "ab") as file:
            if file.tell() != size:
                return 0
            return size + file.write(_make_segment(value))
    except OSError:
        return 0


def write_segment(path: "FilePath", value: "Any") -> int:
    """
    Write a file with one value; returns its size.

    0 if the folder is not writable: then the next run computes the value again.
    """
    segment = _make_segment(value)
    temporary = f"{os.fspath(path)}.{os.getpid()}.new"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(segment)
        os.replace(temporary, path)
        return len(segment)
    except OSError:
        if os.path.isfile(temporary):
            os.unlink(temporary)
        return 0


def _make_segment(value: "Any") -> bytes:
    """A value -> 4 bytes of its checksum, 8 bytes of its length, its bytes."""
    body = marshal.dumps(value)
    return zlib.crc32(body).to_bytes(4) + len(body).to_bytes(8) + body
