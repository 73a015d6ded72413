"""Pixel images: upright, of limited size, in sRGB, as WebP in the widths that pages need; broken images are reported."""

import io
import random
import struct
import threading
import zlib
from functools import partial

import pytest
from PIL import Image, ImageCms
from sample_images import create_exif, draw_picture, encode_animation, encode_image

from tenure.images.resizing import (
    MAX_HEIGHT,
    MAX_PIXELS,
    MAX_WIDTH,
    ResizedImage,
    UnreadableImageError,
    pillow_version,
    resize_images,
)


def resize_image(body: bytes) -> ResizedImage:
    (resized,) = resize_images([lambda: body])
    assert isinstance(resized, ResizedImage), resized
    return resized


def read_error(body: bytes) -> UnreadableImageError:
    (resized,) = resize_images([lambda: body])
    assert isinstance(resized, UnreadableImageError)
    return resized


def open_image(body: bytes) -> Image.Image:
    with Image.open(io.BytesIO(body)) as image:
        image.load()
        return image


def read_corner(image: Image.Image) -> tuple[int, ...]:
    result = image.convert("RGB").getpixel((1, 1))
    assert isinstance(result, tuple)
    return result


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_version_is_upright_and_has_no_exif(orientation: int) -> None:
    """The result equals that of Pillow's function for the orientation."""
    from PIL import ImageOps

    body = encode_image(draw_picture(900, 600), "JPEG", quality=95, exif=create_exif(orientation))
    resized = resize_image(body)
    upright = ImageOps.exif_transpose(open_image(body))
    assert (resized.width, resized.height) == upright.size == ((600, 900) if orientation >= 5 else (900, 600))
    assert (resized.original is None) == (orientation == 1)
    for version in (resized.original, *resized.versions):
        if version is not None:
            image = open_image(version.body)
            assert image.size == (version.width, round(resized.height * version.width / resized.width))
            assert not image.getexif()
            near = zip(read_corner(image), read_corner(upright.resize(image.size)), strict=True)
            assert max(abs(a - b) for a, b in near) < 12


def test_widths_in_a_text() -> None:
    resized = resize_image(encode_image(draw_picture(3000, 1500), "JPEG"))
    assert (resized.width, resized.height) == (MAX_WIDTH, 800)
    assert resized.original is not None
    assert (resized.original.width, resized.original.suffix) == (MAX_WIDTH, "jpg")
    assert [(version.width, version.suffix) for version in resized.versions] == [
        (w, "webp") for w in (240, 480, 960, 1600)
    ]
    assert [
        version.width
        for version in resize_image(encode_image(draw_picture(500, 250), "JPEG", quality=95)).versions
    ] == [240, 500]


def test_a_huge_photo_is_reduced() -> None:
    noise = Image.effect_noise((8000, 6000), 60)
    body = encode_image(noise.convert("RGB"), "JPEG", quality=90, exif=create_exif(3))
    assert len(body) > 15_000_000
    resized = resize_image(body)
    assert (resized.width, resized.height) == (1600, 1200)
    assert resized.original is not None
    assert len(resized.original.body) < 1_500_000


def test_a_tall_poster_is_reduced_by_its_height() -> None:
    resized = resize_image(encode_image(draw_picture(1000, 8000), "PNG"))
    assert (resized.width, resized.height) == (400, MAX_HEIGHT)


@pytest.mark.parametrize(
    ("image", "kind", "suffix"),
    [
        (draw_picture(600, 400).convert("CMYK"), "JPEG", "jpg"),
        (draw_picture(600, 400), "AVIF", "jpg"),
        (draw_picture(600, 400), "BMP", "jpg"),
        (draw_picture(600, 400).convert("RGBA"), "AVIF", "jpg"),
        (
            Image.merge(
                "RGBA", (*draw_picture(600, 400).split(), Image.linear_gradient("L").resize((600, 400)))
            ),
            "AVIF",
            "png",
        ),
    ],
)
def test_unsupported_formats_are_converted(image: Image.Image, kind: str, suffix: str) -> None:
    resized = resize_image(encode_image(image, kind))
    assert resized.original is not None
    assert resized.original.suffix == suffix
    near = zip(read_corner(open_image(resized.original.body)), read_corner(image.convert("RGB")), strict=True)
    assert max(abs(a - b) for a, b in near) < 24


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png(mode: str) -> None:
    noise = Image.effect_noise((600, 400), 90)
    image = (
        noise.convert("I").point(lambda v: v * 257).convert("I;16") if mode == "I;16" else noise.convert(mode)
    )
    resized = resize_image(encode_image(image, "PNG"))
    assert resized.original is None
    shown_image = open_image(resized.versions[-1].body).convert("L").resize((60, 40), Image.Resampling.BOX)
    meant = noise.convert("1").convert("L") if mode == "1" else noise
    meant = meant.resize((60, 40), Image.Resampling.BOX)
    assert max(abs(a - b) for a, b in zip(shown_image.tobytes(), meant.tobytes(), strict=True)) < 40


def test_transparency_is_preserved() -> None:
    alpha = Image.linear_gradient("L").resize((600, 400))
    image = draw_picture(600, 400)
    image.putalpha(alpha)
    for version in resize_image(encode_image(image, "PNG")).versions:
        shown_image = open_image(version.body)
        assert shown_image.mode == "RGBA"
        assert shown_image.getchannel("A").getextrema() == (0, 255)


def test_a_png_diagram_stays_sharp() -> None:
    image = Image.new("RGB", (600, 400), "white")
    image.paste("black", (100, 100, 300, 101))
    (*_, widest) = resize_image(encode_image(image, "PNG") + b"\0" * 4096).versions
    assert open_image(widest.body).convert("RGB").tobytes() == image.tobytes()


def test_color_profiles_are_converted_to_srgb() -> None:
    """With a profile that swaps red and blue, the converted image has the colours of the profile."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = profile.replace(b"rXYZ", b"tmpZ").replace(b"bXYZ", b"rXYZ").replace(b"tmpZ", b"bXYZ")
    resized = resize_image(
        encode_image(Image.new("RGB", (2000, 100), (255, 0, 0)), "PNG", icc_profile=swapped)
    )
    assert resized.original is not None
    assert read_corner(open_image(resized.original.body)) == (0, 0, 255)
    assert "icc_profile" not in open_image(resized.original.body).info


def test_damaged_exif_and_profiles_do_not_lose_the_image() -> None:
    resized = resize_image(
        encode_image(draw_picture(700, 400), "JPEG", exif=b"Exif\0\0MM\0*nonsense", icc_profile=b"nonsense")
    )
    assert (resized.width, resized.height) == (700, 400)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_an_animation_is_unchanged(kind: str) -> None:
    assert resize_image(encode_animation(kind)) == ResizedImage(60, 40, None, ())


def test_two_images_in_one_file_are_not_an_animation() -> None:
    body = encode_image(draw_picture(700, 500), "MPO", save_all=True, append_images=[draw_picture(70, 50)])
    assert [version.width for version in resize_image(body).versions] == [240, 480, 700]


def test_a_small_image_has_no_versions() -> None:
    assert resize_image(encode_image(draw_picture(20, 20), "PNG")) == ResizedImage(20, 20, None, ())


def test_no_version_is_larger_than_a_wider_one() -> None:
    noise = Image.effect_noise((1000, 600), 90).quantize(2)
    resized = resize_image(encode_image(noise, "PNG", optimize=True))
    sizes = [len(version.body) for version in resized.versions]
    assert sizes == sorted(sizes)


def test_a_decompression_bomb_is_refused() -> None:
    def encode_chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    header = struct.pack(">IIBBBBB", 20_000, MAX_PIXELS // 20_000 + 1, 8, 2, 0, 0, 0)
    bomb = (
        b"\x89PNG\r\n\x1a\n"
        + encode_chunk(b"IHDR", header)
        + encode_chunk(b"IDAT", zlib.compress(bytes(99)))
        + encode_chunk(b"IEND", b"")
    )
    problem = read_error(bomb)
    assert problem.too_large
    assert str(problem) == "has more than 128 million pixels"


@pytest.mark.parametrize(
    "body", [b"", b"(a file)", b"%PDF-1.7", b"%!PS-Adobe-3.0 EPSF-3.0", encode_image(draw_picture(), "TIFF")]
)
def test_other_files_are_not_images(body: bytes) -> None:
    assert not read_error(body).too_large
    assert str(read_error(body)) == "cannot be read"


def test_damaged_images_are_reported() -> None:
    chance = random.Random(11)
    bodies = [
        encode_image(draw_picture(), kind, exif=create_exif(6)) for kind in ("JPEG", "PNG", "WEBP", "AVIF")
    ] + [encode_animation("GIF")]
    jobs = []
    for _ in range(600):
        torn = bytearray(chance.choice(bodies))
        for _ in range(chance.choice([1, 3, 30])):
            torn[chance.randrange(min(len(torn), chance.choice([60, 9999])))] = chance.randrange(256)
        body = bytes(torn[: chance.choice([len(torn), chance.randrange(len(torn))])])
        jobs.append(lambda body=body: body)
    kinds = {type(resized) for resized in resize_images(jobs)}
    assert kinds == {ResizedImage, UnreadableImageError}


def test_i22_images_are_converted_at_once_and_a_damaged_one_harms_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of two images waits until the other is being read, which only happens if both are converted at once."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    meeting = threading.Barrier(2, timeout=30)

    def read_together(body: bytes) -> bytes:
        meeting.wait()
        if not body:
            raise FileNotFoundError("the file has been deleted")
        return body

    good = encode_image(draw_picture(300, 200), "PNG")
    jobs = [partial(read_together, body) for body in (good, b"no image", b"", good)]
    kinds = [type(result) for result in resize_images(jobs)]
    assert kinds == [ResizedImage, UnreadableImageError, UnreadableImageError, ResizedImage]


def test_the_same_image_gives_the_same_bytes() -> None:
    body = encode_image(draw_picture(1200, 900), "JPEG", exif=create_exif(6))
    assert resize_image(body) == resize_image(body)


def test_the_version_of_pillow_is_read_without_importing_it() -> None:
    import PIL

    assert PIL.__version__ in pillow_version()
