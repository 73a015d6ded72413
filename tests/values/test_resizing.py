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
    ImageSize,
    ResizedImage,
    UnreadableImageError,
    measure_image,
    pillow_version,
    resize_images,
)


def resize_image(body: bytes) -> ResizedImage:
    (resized,) = resize_images([lambda: body])
    assert isinstance(resized, ResizedImage), resized
    return resized


def read_error(body: bytes) -> UnreadableImageError:
    with pytest.raises(UnreadableImageError) as raised:
        measure_image(body)
    return raised.value


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
    size = measure_image(body)
    upright = ImageOps.exif_transpose(open_image(body))
    assert (size.width, size.height) == upright.size == ((600, 900) if orientation >= 5 else (900, 600))
    for width, version in zip(size.widths, resize_image(body).versions, strict=True):
        image = open_image(version)
        assert image.size == (width, round(size.height * width / size.width))
        assert not image.getexif()
        near = zip(read_corner(image), read_corner(upright.resize(image.size)), strict=True)
        assert max(abs(a - b) for a, b in near) < 12


def test_widths_in_a_text() -> None:
    body = encode_image(draw_picture(3000, 1500), "JPEG")
    assert measure_image(body) == ImageSize(1600, 800, (240, 480, 960, 1600), too_large=True)
    assert open_image(resize_image(body).reduced).size == (1600, 800)
    body = encode_image(draw_picture(500, 250), "JPEG", quality=95)
    assert measure_image(body) == ImageSize(500, 250, (240, 500))
    assert resize_image(body).reduced == b""


def test_a_huge_photo_is_reduced() -> None:
    noise = Image.effect_noise((8000, 6000), 60)
    body = encode_image(noise.convert("RGB"), "JPEG", quality=90, exif=create_exif(3))
    assert len(body) > 15_000_000
    reduced = resize_image(body).reduced
    assert open_image(reduced).size == (1600, 1200)
    assert len(reduced) < 1_500_000


def test_a_tall_poster_is_reduced_by_its_height() -> None:
    size = measure_image(encode_image(draw_picture(1000, 8000), "PNG"))
    assert (size.width, size.height) == (400, MAX_HEIGHT)


@pytest.mark.parametrize(
    ("image", "kind"),
    [
        (draw_picture(600, 400).convert("CMYK"), "JPEG"),
        (draw_picture(600, 400), "AVIF"),
        (draw_picture(600, 400), "BMP"),
        (draw_picture(600, 400).convert("RGBA"), "AVIF"),
    ],
)
def test_versions_of_other_formats(image: Image.Image, kind: str) -> None:
    widest = resize_image(encode_image(image, kind, quality=100) + b"\0" * 4096).versions[-1]
    near = zip(read_corner(open_image(widest)), read_corner(image.convert("RGB")), strict=True)
    assert max(abs(a - b) for a, b in near) < 24


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_kind_of_png(mode: str) -> None:
    noise = Image.effect_noise((600, 400), 90)
    image = (
        noise.convert("I").point(lambda v: v * 257).convert("I;16") if mode == "I;16" else noise.convert(mode)
    )
    widest = resize_image(encode_image(image, "PNG")).versions[-1]
    shown_image = open_image(widest).convert("L").resize((60, 40), Image.Resampling.BOX)
    meant = noise.convert("1").convert("L") if mode == "1" else noise
    meant = meant.resize((60, 40), Image.Resampling.BOX)
    assert max(abs(a - b) for a, b in zip(shown_image.tobytes(), meant.tobytes(), strict=True)) < 40


def test_transparency_is_preserved() -> None:
    alpha = Image.linear_gradient("L").resize((600, 400))
    image = draw_picture(600, 400)
    image.putalpha(alpha)
    for version in resize_image(encode_image(image, "PNG")).versions:
        shown_image = open_image(version)
        assert shown_image.mode == "RGBA"
        assert shown_image.getchannel("A").getextrema() == (0, 255)


def test_a_png_diagram_stays_sharp() -> None:
    image = Image.new("RGB", (600, 400), "white")
    image.paste("black", (100, 100, 300, 101))
    (*_, widest) = resize_image(encode_image(image, "PNG") + b"\0" * 4096).versions
    assert open_image(widest).convert("RGB").tobytes() == image.tobytes()


def test_color_profiles_are_converted_to_srgb() -> None:
    """With a profile that swaps red and blue, the converted image has the colours of the profile."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = profile.replace(b"rXYZ", b"tmpZ").replace(b"bXYZ", b"rXYZ").replace(b"tmpZ", b"bXYZ")
    reduced = resize_image(
        encode_image(Image.new("RGB", (2000, 100), (255, 0, 0)), "PNG", icc_profile=swapped)
    ).reduced
    assert read_corner(open_image(reduced)) == (0, 0, 255)
    assert "icc_profile" not in open_image(reduced).info


def test_damaged_exif_and_profiles_do_not_lose_the_image() -> None:
    body = encode_image(
        draw_picture(700, 400), "JPEG", exif=b"Exif\0\0MM\0*nonsense", icc_profile=b"nonsense"
    )
    size = measure_image(body)
    assert (size.width, size.height) == (700, 400)
    assert len(resize_image(body).versions) == 3


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_an_animation_is_unchanged(kind: str) -> None:
    assert measure_image(encode_animation(kind)) == ImageSize(60, 40)


def test_two_images_in_one_file_are_not_an_animation() -> None:
    body = encode_image(draw_picture(700, 500), "MPO", save_all=True, append_images=[draw_picture(70, 50)])
    assert measure_image(body).widths == (240, 480, 700)


def test_a_small_image_has_no_versions() -> None:
    assert measure_image(encode_image(draw_picture(20, 20), "PNG")) == ImageSize(20, 20)


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
