"""Removes metadata (Exif, XMP, IPTC, comments) from images without re-encoding them."""

import re
import zlib
from collections.abc import Iterator
from typing import Literal

_SCAN_END = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ALLOWED_PNG_CHUNKS = frozenset(
    [b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT",
     b"cICP", b"mDCV", b"cLLI"]
)  # fmt: skip
_ALLOWED_WEBP_CHUNKS = frozenset([b"VP8 ", b"VP8L", b"VP8X", b"ICCP", b"ANIM", b"ANMF", b"ALPH"])
_EXIF_HEADER = b"Exif\0\0"
_ORIENTATION_TAG = 0x0112
_TIFF_CAMERA_TAGS = frozenset([0x010F, 0x0110, 0x02BC, 0x8769, 0x8825])
"""Make, Model, XMP, and the directories of Exif and GPS (TIFF 6.0, section 8; Exif 2.32, 4.6.3)."""
_GPS_TAGS = (b"\x88\x25\x00\x04", b"\x25\x88\x04\x00")
"""The GPS tag and its type, in both byte orders (Exif 2.32, 4.6.3)."""


def strip_metadata(body: bytes) -> bytes:
    """
    A JPEG, PNG or WebP without camera, location and editing data (Exif, XMP, IPTC, comments, previews, trailers).

    Pixels, color profile, animation and orientation are unchanged. A file of another format, such as a GIF, which
    no camera writes, or a damaged one, is returned unchanged.
    """
    try:
        if body.startswith(b"\xff\xd8\xff"):
            return b"".join(_strip_jpeg(body))
        if body.startswith(_PNG_SIGNATURE):
            return b"".join(_strip_png(body))
        if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
            return _strip_webp(body)
    except (IndexError, ValueError):
        pass
    return body


def may_contain_location(body: bytes) -> bool:
    """Whether a file of a format that cannot be cleaned seems to contain Exif data, a camera or a GPS position."""
    if body.startswith((b"II*\0", b"MM\0*")) and not _TIFF_CAMERA_TAGS.isdisjoint(
        dict(_read_directory(body))
    ):
        return True
    return b"Exif\0" in body or any(tag in body for tag in _GPS_TAGS)


def _strip_jpeg(body: bytes) -> Iterator[bytes]:
    """The segments to keep; data after the end of the image (previews, videos) are dropped."""
    orientation = 1
    segments: list[bytes] = []
    for marker, segment in _jpeg_segments(body):
        if marker == 0xE1 and segment[4:10] == _EXIF_HEADER:
            orientation = _read_orientation(segment[10:])
        elif (
            not (0xE0 <= marker <= 0xEF or marker == 0xFE)
            or segment[4:9] in (b"JFIF\0", b"Adobe")
            or segment[4:16] == b"ICC_PROFILE\0"
        ):
            segments.append(segment)
    if orientation != 1:
        exif = _EXIF_HEADER + _make_orientation_exif(orientation)
        has_jfif = segments[0][4:9] == b"JFIF\0"
        segments.insert(int(has_jfif), b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif)
    yield body[:2]
    yield from segments
    yield b"\xff\xd9"


def _jpeg_segments(body: bytes) -> Iterator[tuple[int, bytes]]:
    """
    The markers of a JPEG and their segments; a scan includes the data after it.

    Source: ITU-T T.81, annex B; application segments as in Exif 2.32, 4.5, and ICC.1:2022, B.4.
    """
    offset = 2
    while body[offset + 1] != 0xD9:
        if body[offset] != 0xFF:
            raise ValueError(offset)
        marker = body[offset + 1]
        if marker == 0xFF:
            offset += 1
            continue
        end = offset + 2 + int.from_bytes(body[offset + 2 : offset + 4], "big")
        if marker == 0xDA:
            match = _SCAN_END.search(body, end)
            if match is None:
                raise ValueError(end)
            end = match.start()
        yield marker, body[offset:end]
        offset = end


def _strip_png(body: bytes) -> Iterator[bytes]:
    """
    The chunks to keep.

    Source: Portable Network Graphics (Third Edition), W3C, sections 5.3 and 11.
    """
    yield _PNG_SIGNATURE
    offset, kind = 8, b""
    while kind != b"IEND":
        size = int.from_bytes(body[offset : offset + 4], "big")
        kind = body[offset + 4 : offset + 8]
        chunk = body[offset : offset + 12 + size]
        if len(chunk) != 12 + size:
            raise ValueError
        if kind == b"eXIf" and (orientation := _read_orientation(chunk[8:-4])) != 1:
            yield _make_png_chunk(kind, _make_orientation_exif(orientation))
        elif (
            not kind[0] & 0x20 or kind in _ALLOWED_PNG_CHUNKS
        ):  # an upper-case first letter marks a critical chunk
            yield chunk
        offset += len(chunk)


def _make_png_chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def _strip_webp(body: bytes) -> bytes:
    """
    The file with only the allowed chunks.

    Source: RFC 9649, section 2.
    """
    chunks: list[bytes] = []
    offset, orientation = 12, 1
    end = 8 + int.from_bytes(body[4:8], "little")
    while offset + 8 <= min(end, len(body)):
        kind, size = body[offset : offset + 4], int.from_bytes(body[offset + 4 : offset + 8], "little")
        chunk = body[offset : offset + 8 + size + size % 2]
        if len(chunk) < 8 + size:
            raise ValueError
        if kind == b"EXIF":
            orientation = _read_orientation(chunk[8:].removeprefix(_EXIF_HEADER))
        elif kind in _ALLOWED_WEBP_CHUNKS:
            chunks.append(chunk)
        offset += len(chunk)
    if chunks and chunks[0][:4] == b"VP8X":
        exif = _make_orientation_exif(orientation) if orientation != 1 else b""
        flags = chunks[0][8] & ~0x0C | (0x08 if exif else 0)
        chunks[0] = chunks[0][:8] + bytes([flags]) + chunks[0][9:]
        chunks += [b"EXIF" + len(exif).to_bytes(4, "little") + exif] if exif else []
    content = b"WEBP" + b"".join(chunks)
    return b"RIFF" + len(content).to_bytes(4, "little") + content


def _read_orientation(exif: bytes) -> int:
    """The Exif orientation: 1 if upright or unknown, else 2 to 8 (Exif 2.32, 4.6.4.A)."""
    orientation = next((value for tag, value in _read_directory(exif) if tag == _ORIENTATION_TAG), 1)
    return orientation if 2 <= orientation <= 8 else 1


def _read_directory(tiff: bytes) -> Iterator[tuple[int, int]]:
    """
    The tags of the first directory, each with its value as a 16-bit number.

    Source: TIFF 6.0, section 2.
    """
    byte_order: Literal["little", "big"] = "little" if tiff[:2] == b"II" else "big"

    def read_integer(offset: int, size: int) -> int:
        return int.from_bytes(tiff[offset : offset + size], byte_order)

    start = read_integer(4, 4)
    for offset in range(start + 2, min(start + 2 + 12 * read_integer(start, 2), len(tiff) - 11), 12):
        yield read_integer(offset, 2), read_integer(offset + 8, 2)


def _make_orientation_exif(orientation: int) -> bytes:
    """Exif data with nothing but the orientation."""
    entry = _ORIENTATION_TAG.to_bytes(2, "big") + b"\0\3\0\0\0\1" + orientation.to_bytes(2, "big") + b"\0\0"
    return b"MM\0*\0\0\0\x08\0\1" + entry + b"\0\0\0\0"
