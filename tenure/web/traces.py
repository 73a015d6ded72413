"""Removes metadata (Exif, XMP, IPTC, comments) from images without re-encoding them."""

import re
import zlib
from collections.abc import Iterator

_SCAN_END = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(
    [b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT",
     b"cICP", b"mDCV", b"cLLI"]
)  # fmt: skip
_WEBP_KEPT = frozenset([b"VP8 ", b"VP8L", b"VP8X", b"ICCP", b"ANIM", b"ANMF", b"ALPH"])
_GIF_KEPT = (b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012")
_EXIF_MARK = b"Exif\0\0"
_ORIENTATION = 0x0112
_GPS = (b"\x88\x25\x00\x04", b"\x25\x88\x04\x00")
"""The GPS tag and its type, in both byte orders (Exif 2.32, 4.6.3)."""


def cleaned(body: bytes) -> bytes:
    """
    A JPEG, PNG, WebP or GIF without camera, location and editing data (Exif, XMP, IPTC, comments, previews, trailers).

    Pixels, color profile, animation and orientation are unchanged. A file of another format, or a damaged one, is returned
    unchanged.
    """
    try:
        if body.startswith(b"\xff\xd8\xff"):
            return b"".join(_jpeg(body))
        if body.startswith(_PNG):
            return b"".join(_png(body))
        if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
            return _webp(body)
        if body.startswith((b"GIF87a", b"GIF89a")):
            return b"".join(_gif(body))
    except (IndexError, ValueError):
        pass
    return body


def tells_place(body: bytes) -> bool:
    """Whether a file of a format that cannot be cleaned seems to contain Exif data or a GPS position."""
    return b"Exif\0" in body or any(tag in body for tag in _GPS)


def _jpeg(body: bytes) -> Iterator[bytes]:
    """The segments to keep; data after the end of the image (previews, videos) are dropped."""
    upright = 1
    kept: list[bytes] = []
    for marker, segment in _segments(body):
        if marker == 0xE1 and segment[4:10] == _EXIF_MARK:
            upright = _orientation(segment[10:])
        elif (
            not (0xE0 <= marker <= 0xEF or marker == 0xFE)
            or segment[4:9] in (b"JFIF\0", b"Adobe")
            or segment[4:16] == b"ICC_PROFILE\0"
        ):
            kept.append(segment)
    if upright != 1:
        exif = _EXIF_MARK + _only_orientation(upright)
        first = kept[0][4:9] == b"JFIF\0"
        kept.insert(int(first), b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif)
    yield body[:2]
    yield from kept
    yield b"\xff\xd9"


def _segments(body: bytes) -> Iterator[tuple[int, bytes]]:
    """
    The markers of a JPEG and their segments; a scan includes the data after it.

    Source: ITU-T T.81, annex B; application segments as in Exif 2.32, 4.5, and ICC.1:2022, B.4.
    """
    at = 2
    while body[at + 1] != 0xD9:
        if body[at] != 0xFF:
            raise ValueError(at)
        marker = body[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        end = at + 2 + int.from_bytes(body[at + 2 : at + 4], "big")
        if marker == 0xDA:
            found = _SCAN_END.search(body, end)
            if found is None:
                raise ValueError(end)
            end = found.start()
        yield marker, body[at:end]
        at = end


def _png(body: bytes) -> Iterator[bytes]:
    """
    The chunks to keep.

    Source: Portable Network Graphics (Third Edition), W3C, sections 5.3 and 11.
    """
    yield _PNG
    at, kind = 8, b""
    while kind != b"IEND":
        size = int.from_bytes(body[at : at + 4], "big")
        kind = body[at + 4 : at + 8]
        chunk = body[at : at + 12 + size]
        if len(chunk) != 12 + size:
            raise ValueError
        if kind == b"eXIf" and (upright := _orientation(chunk[8:-4])) != 1:
            yield _png_chunk(kind, _only_orientation(upright))
        elif not kind[0] & 0x20 or kind in _PNG_KEPT:  # an upper-case first letter marks a critical chunk
            yield chunk
        at += len(chunk)


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def _webp(body: bytes) -> bytes:
    """
    The file with only the allowed chunks.

    Source: RFC 9649, section 2.
    """
    parts: list[bytes] = []
    at, upright = 12, 1
    end = 8 + int.from_bytes(body[4:8], "little")
    while at + 8 <= min(end, len(body)):
        kind, size = body[at : at + 4], int.from_bytes(body[at + 4 : at + 8], "little")
        chunk = body[at : at + 8 + size + size % 2]
        if len(chunk) < 8 + size:
            raise ValueError
        if kind == b"EXIF":
            upright = _orientation(chunk[8:].removeprefix(_EXIF_MARK))
        elif kind in _WEBP_KEPT:
            parts.append(chunk)
        at += len(chunk)
    if parts and parts[0][:4] == b"VP8X":
        exif = _only_orientation(upright) if upright != 1 else b""
        flags = parts[0][8] & ~0x0C | (0x08 if exif else 0)
        parts[0] = parts[0][:8] + bytes([flags]) + parts[0][9:]
        parts += [b"EXIF" + len(exif).to_bytes(4, "little") + exif] if exif else []
    inside = b"WEBP" + b"".join(parts)
    return b"RIFF" + len(inside).to_bytes(4, "little") + inside


def _gif(body: bytes) -> Iterator[bytes]:
    """
    The blocks to keep.

    Source: Graphics Interchange Format, version 89a, sections 17 to 27.
    """
    at = 13 + _colours(body[10])
    yield body[:at]
    while body[at] != 0x3B:
        start = at
        if body[at] == 0x21:
            label = body[at + 1]
            at = _after_blocks(body, at + 2)
            keep = label != 0xFE and (label != 0xFF or body[start + 3 : start + 14] in _GIF_KEPT)
        elif body[at] == 0x2C:
            at = _after_blocks(body, at + 11 + _colours(body[at + 9]))
            keep = True
        else:
            raise ValueError
        if keep:
            yield body[start:at]
    yield b"\x3b"


def _colours(flags: int) -> int:
    """The size of a color table in bytes, from the flags before it."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_blocks(body: bytes, at: int) -> int:
    while body[at]:
        at += body[at] + 1
    return at + 1


def _orientation(exif: bytes) -> int:
    """
    The Exif orientation: 1 if upright or unknown, else 2 to 8.

    Source: TIFF 6.0, section 2; Exif 2.32, 4.6.4.A.
    """
    order = "little" if exif[:2] == b"II" else "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(exif[at : at + size], "little" if order == "little" else "big")

    start = number(4, 4)
    for at in range(start + 2, min(start + 2 + 12 * number(start, 2), len(exif) - 11), 12):
        if number(at, 2) == _ORIENTATION:
            found = number(at + 8, 2)
            return found if 2 <= found <= 8 else 1
    return 1


def _only_orientation(upright: int) -> bytes:
    """Exif data with nothing but the orientation."""
    entry = _ORIENTATION.to_bytes(2, "big") + b"\0\3\0\0\0\1" + upright.to_bytes(2, "big") + b"\0\0"
    return b"MM\0*\0\0\0\x08\0\1" + entry + b"\0\0\0\0"
