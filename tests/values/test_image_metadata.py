"""The metadata of a camera is removed; pixels, colours, orientation and animations are unchanged."""

import io
import random
import zlib
from collections.abc import Iterator

import pytest
from PIL import Image, ImageCms, ImageSequence
from sample_images import create_exif, draw_picture, encode_animation, encode_image

from tenure.images.metadata import may_contain_location, strip_metadata

SECRETS = (b"Tenure Camera", b"SECRET WORDS", b"2024:05:06", b"Exif\0\0MM", b"http://ns.adobe.com")
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- SECRET WORDS http://ns.adobe.com/xap/1.0/ --></x:xmpmeta>'
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def decode_frames(body: bytes) -> Iterator[bytes]:
    with Image.open(io.BytesIO(body)) as image:
        for frame in ImageSequence.Iterator(image):
            yield frame.convert("RGBA").tobytes()


JPEG = {"exif": create_exif(6), "comment": b"SECRET WORDS", "xmp": XMP, "icc_profile": PROFILE}
STILLS = [
    encode_image(draw_picture(), "JPEG", **JPEG),
    encode_image(draw_picture(), "JPEG", progressive=True, **JPEG),
    encode_image(draw_picture(), "MPO", save_all=True, append_images=[draw_picture(30, 20)], **JPEG),
    encode_image(draw_picture(), "PNG", exif=create_exif(6), icc_profile=PROFILE),
    encode_image(draw_picture(), "WEBP", exif=create_exif(6), xmp=XMP, icc_profile=PROFILE),
    encode_image(draw_picture(), "WEBP", lossless=True, exif=create_exif(6), xmp=XMP, icc_profile=PROFILE),
]
ANIMATIONS = [encode_animation("WEBP"), encode_animation("PNG")]


@pytest.mark.parametrize("body", STILLS)
def test_an_image_keeps_pixels_profile_and_orientation(body: bytes) -> None:
    clean = strip_metadata(body)
    assert len(clean) < len(body)
    for secret in SECRETS:
        assert secret not in clean.replace(b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12", b"")
    with Image.open(io.BytesIO(body)) as before, Image.open(io.BytesIO(clean)) as after:
        assert after.info.get("icc_profile") == PROFILE
        assert dict(after.getexif()) == {0x0112: 6}
        if before.format != "WEBP" or b"VP8L" in body:  # a lossy WebP is encoded again
            assert after.tobytes() == before.tobytes()
            assert strip_metadata(clean) == clean


@pytest.mark.parametrize("body", ANIMATIONS)
def test_an_animation_keeps_its_frames(body: bytes) -> None:
    clean = strip_metadata(body)
    assert b"SECRET WORDS" not in clean
    assert list(decode_frames(clean)) == list(decode_frames(body))
    assert len(list(decode_frames(clean))) == 3
    with Image.open(io.BytesIO(clean)) as image:
        assert image.info["loop"] == 0


def test_an_upright_photo_needs_no_exif_at_all() -> None:
    for kind in ("JPEG", "PNG", "WEBP"):
        clean = strip_metadata(encode_image(draw_picture(), kind, exif=create_exif(1)))
        assert b"Exif" not in clean
        assert b"eXIf" not in clean
        assert b"EXIF" not in clean


def test_text_and_unknown_chunks_of_png_are_removed() -> None:
    def encode_chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    plain = encode_image(draw_picture().quantize(4), "PNG", transparency=0)
    extra = (
        encode_chunk(b"tEXt", b"Author\0SECRET WORDS")
        + encode_chunk(b"iTXt", b"XML\0\0\0\0\0" + XMP)
        + encode_chunk(b"caBX", b"made by")
    )
    assert strip_metadata(plain[:33] + extra + plain[33:] + b"SECRET WORDS") == plain


def test_data_after_a_jpeg_is_removed() -> None:
    plain = encode_image(draw_picture(), "JPEG")
    assert strip_metadata(plain + b"....ftypmp42 SECRET WORDS") == plain


def test_broken_and_other_files_are_unchanged() -> None:
    for body in (
        b"",
        b"\xff\xd8\xff",
        b"(a file)",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"RIFF\0\0\0\0WEBP",
        STILLS[0][:200],
    ):
        assert strip_metadata(body) == body


def test_damage_anywhere_never_raises() -> None:
    chance = random.Random(7)
    for body in (*STILLS, *ANIMATIONS):
        for _ in range(200):
            torn = bytearray(body[: chance.randrange(len(body)) + 1])
            for _ in range(chance.choice([0, 1, 5])):
                torn[chance.randrange(len(torn))] = chance.randrange(256)
            assert isinstance(strip_metadata(bytes(torn)), bytes)


def test_formats_without_metadata_removal_are_detected() -> None:
    assert may_contain_location(encode_image(draw_picture(), "AVIF", exif=create_exif()))
    assert may_contain_location(b"II*\0\x08\0\0\0\1\0\x25\x88\4\0\1\0\0\0\x1a\0\0\0\0\0\0\0")
    assert may_contain_location(b"MM\0*\0\0\0\x08\0\1\x88\x25\0\4\0\0\0\1\0\0\0\x1a\0\0\0\0")
    assert not may_contain_location(encode_image(draw_picture(), "AVIF"))
