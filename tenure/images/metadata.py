"""Removes camera and location data from published images."""

import re
from collections.abc import Iterator

from tenure.images.resizing import (
    ORIENTATION_TAG,
    UnreadableImageError,
    pillow_version,
    save_without_metadata,
)

_SCAN_END = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""The next marker behind the data of a picture: FF00 and FFD0 to FFD7 are parts of the data."""

# Markers of a JPEG: what a segment is, in its second byte (ITU-T T.81, table B.1).
_APP0 = 0xE0
_APP1 = 0xE1
_APP15 = 0xEF
"""Segments of programs: APP0 is JFIF, APP1 Exif or XMP, APP2 a color profile, APP13 IPTC, APP14 Adobe."""

_COMMENT = 0xFE
_START_OF_SCAN = 0xDA
_END_OF_IMAGE = 0xD9
"""A comment of a program, the lines of the picture, and the end of the file."""

_EXIF_HEADER = b"Exif\0\0"
_TIFF_HEADER = b"MM\0*\0\0\0\x08"
"""The begin of Exif data: the order of bytes, the number 42, and the offset of the fields, which follow."""

_ORIENTATION = re.compile(rb"\x01\x12\0\x03\0\0\0\x01\0([\x01-\x08])|\x12\x01\x03\0\x01\0\0\0([\x01-\x08])\0")
"""The entry of the orientation in Exif data, in both orders of bytes (Exif 2.32, 4.6.4.A; TIFF 6.0, 2)."""

_PNG_METADATA = (b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"tIME", b"caBX")
"""The chunks of a PNG with data of cameras and programs (PNG, 11.3; C2PA, A.3)."""

_PNG_END = b"IEND\xaeB`\x82"
_WEBP_METADATA = (b"EXIF", b"XMP ")


def strip_metadata(body: bytes) -> bytes:
    """
    A JPEG, PNG or WebP without data of cameras and editors: Exif, XMP, IPTC, comments, previews, trailers.

    Color profile, animation and orientation are unchanged. A damaged file or one of another format is
    returned unchanged, and so is a PNG or WebP without Pillow.
    """
    try:
        if body.startswith(b"\xff\xd8\xff"):
            return _strip_jpeg(body)
        if must_be_saved_again(body) and pillow_version():
            return save_without_metadata(body)
    except (IndexError, ValueError, UnreadableImageError):
        return body
    return body


def must_be_saved_again(body: bytes) -> bool:
    """Whether a file is a PNG or WebP that seems to have metadata."""
    if body.startswith(b"\x89PNG"):
        return any(kind in body for kind in _PNG_METADATA) or not body.endswith(_PNG_END)
    return body[:4] == b"RIFF" and body[8:12] == b"WEBP" and any(kind in body for kind in _WEBP_METADATA)


def may_contain_location(body: bytes) -> bool:
    """Whether a file that cannot be cleaned seems to have Exif data; a TIFF has the same form."""
    return any(mark in body for mark in (b"Exif\0", b"II*\0", b"MM\0*"))


def _strip_jpeg(body: bytes) -> bytes:
    """
    The file with the segments to keep; data after the end of the image (previews, videos) are dropped.

    Raises IndexError or ValueError for a damaged file. Source: ITU-T T.81, annex B; application segments as
    in Exif 2.32, 4.5, and ICC.1:2022, B.4.
    """
    segments: list[bytes] = []
    orientation = b"\1"
    for marker, segment in _split_jpeg(body):
        is_of_program = _APP0 <= marker <= _APP15 or marker == _COMMENT
        # the colors depend on these segments of programs; the name is behind marker and length (4 bytes)
        is_needed = segment[4:9] in (b"JFIF\0", b"Adobe") or segment[4:16] == b"ICC_PROFILE\0"
        if marker == _APP1 and segment[4:10] == _EXIF_HEADER:
            entry = _ORIENTATION.search(segment)
            orientation = b"\1"
            if entry:
                orientation = entry[1] or entry[2]
        elif is_needed or not is_of_program:
            segments.append(segment)

    # a new Exif segment with this field alone; 1 is upright, as without the field
    if orientation != b"\1":
        # type 3 (a number of two bytes), one value
        field = ORIENTATION_TAG.to_bytes(2) + b"\0\3\0\0\0\1\0" + orientation + b"\0\0"
        # one field, and no further list of fields behind it
        exif = _EXIF_HEADER + _TIFF_HEADER + b"\0\1" + field + b"\0\0\0\0"
        segment = bytes((0xFF, _APP1)) + (len(exif) + 2).to_bytes(2) + exif
        has_jfif = segments[0][4:9] == b"JFIF\0"
        segments.insert(int(has_jfif), segment)
    return b"".join([body[:2], *segments, bytes((0xFF, _END_OF_IMAGE))])


def _split_jpeg(body: bytes) -> Iterator[tuple[int, bytes]]:
    """The marker and the bytes of each segment up to the end of the image; a scan includes its data."""
    offset = 2
    while body[offset + 1] != _END_OF_IMAGE:
        if body[offset] != 0xFF:
            raise ValueError(offset)
        marker = body[offset + 1]
        # a marker may begin with several 0xFF
        if marker == 0xFF:
            offset += 1
            continue

        end = offset + 2 + int.from_bytes(body[offset + 2 : offset + 4])
        if marker == _START_OF_SCAN:
            match = _SCAN_END.search(body, end)
            if match is None:
                raise ValueError(end)
            end = match.start()
        yield marker, body[offset:end]
        offset = end
