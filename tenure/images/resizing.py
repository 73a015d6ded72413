"""
Photos and other pixel images: measured, drawn again as WebP in fixed widths, and reduced if too large.

A file has an `ImageSize`; its versions are a `ResizedImage`, or there is an `UnreadableImageError`.
"""

import importlib.util
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenure.parallel import map_in_threads
from tenure.record import Record

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

MAX_WIDTH = 1600
MAX_HEIGHT = 3200
"""Pixels of the largest image published: twice the width of a wide column, for dense screens."""


MIN_BYTES_FOR_VERSIONS = 4096
"""The size in bytes below which an image gets no other versions."""

REDUCED_QUALITY = 85
"""The quality of JPEG and WebP, of 100, in which a too large image is saved again."""

ORIENTATION_TAG = 0x0112
"""
The Exif orientation: 1 upright, 2 to 8 rotated or mirrored (Exif 2.32, 4.6.4.A).

From 5 on, width and height are swapped.
"""

DAMAGED_FILE_ERRORS = (
    *(OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError),
    *(SyntaxError, RuntimeError, EOFError, struct.error, zlib.error),
)
"""The exceptions that Pillow raises for a damaged file."""


class ImageSize(Record):
    """
    The size in pixels of an image as pages show it: upright, at most MAX_WIDTH by MAX_HEIGHT.

    `widths` are those of its versions, narrow to wide; none for an animation or a small file. `too_large` is
    whether the file itself has more pixels.
    """

    width: int
    height: int
    widths: tuple[int, ...] = ()
    too_large: bool = False


class ResizedImage(Record):
    """The versions of an image as WebP, narrow to wide; `reduced` is b"" unless the image was too large."""

    versions: tuple[bytes, ...]
    reduced: bytes


class UnreadableImageError(Exception):
    """The file is no readable image, or too large; `hint` is the repair, `position` the line and column."""

    def __init__(
        self, message: str, hint: str, *, too_large: bool = False, position: tuple[int, int] = (0, 0)
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.too_large = too_large
        self.position = position


@cache
def pillow_version() -> str:
    """Version and location of Pillow, not imported; "" without it. Another Pillow writes other bytes."""
    spec = importlib.util.find_spec("PIL")
    if spec is None or spec.origin is None:
        return ""
    file = Path(spec.origin).with_name("_version.py")
    version = file.read_text(encoding="utf-8") if file.is_file() else ""
    return f"{spec.origin}\n{version}"


def measure_image(body: bytes) -> ImageSize:
    """Measure an image without decoding it; raises UnreadableImageError."""
    with warnings.catch_warnings(), _open_image(body) as image:
        if len(body) < MIN_BYTES_FOR_VERSIONS:
            image.load()
        return _measure(image, len(body))


def resize_images(
    readers: Sequence[Callable[[], bytes]],
) -> Iterator[ResizedImage | UnreadableImageError]:
    """
    Make the versions of images in parallel; `readers` read their files. An unreadable one yields its error.
    """
    with warnings.catch_warnings():
        yield from map_in_threads(_resize_file, readers)


def save_without_metadata(body: bytes) -> bytes:
    """
    A PNG or WebP with its pixels, color profile, orientation and animation; raises UnreadableImageError.
    """
    from PIL import Image, ImageSequence

    buffer = BytesIO()
    exif = Image.Exif()
    with warnings.catch_warnings(), _open_image(body) as image:
        orientation = image.getexif().get(ORIENTATION_TAG, 1)
        if orientation != 1:
            exif[ORIENTATION_TAG] = orientation
        options: dict[str, Any] = {"exif": exif.tobytes() if exif else b""}
        options["icc_profile"] = image.info.get("icc_profile")

        if image.format == "WEBP":
            options |= {"xmp": b"", "lossless": b"VP8L" in body, "exact": True, "quality": 90}
        if getattr(image, "is_animated", False):
            durations = [frame.info.get("duration", 0) for frame in ImageSequence.Iterator(image)]
            options |= {"save_all": True, "duration": durations, "loop": image.info.get("loop", 0)}
            image.seek(0)
        image.save(buffer, image.format, **options)
    return buffer.getvalue()


def make_jpeg(
    body: bytes, size: tuple[int, int], vertical_center: float = 0.5, *, whole: bool = False
) -> bytes:
    """
    A photo as a JPEG that fills a box of this size: upright, on white, cut at its edges, never enlarged.

    `vertical_center` is the share of what is cut off that is cut off at the top; a `whole` picture is within
    the box, and not cut. Without Pillow, a JPEG is unchanged.

    Raises UnreadableImageError.
    """
    if not pillow_version():
        if body.startswith(b"\xff\xd8\xff"):
            return body
        raise UnreadableImageError("cannot be converted here", "export it as JPEG")
    with warnings.catch_warnings(), _open_image(body) as source:
        from PIL import Image, ImageOps

        # a huge JPEG is decoded at a part of its size
        source.draft(None, (2 * size[0], 2 * size[1]))
        upright = _normalize_pixels(source)

    if whole:
        photo = upright.copy()
        photo.thumbnail(size)
    else:
        scale = min(1, upright.size[0] / size[0], upright.size[1] / size[1])
        box = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
        photo = ImageOps.fit(upright, box, centering=(0.5, vertical_center))
    if photo.mode == "RGBA":
        white = Image.new("RGBA", photo.size, "white")
        photo = Image.alpha_composite(white, photo).convert("RGB")
    buffer = BytesIO()
    photo.save(buffer, "JPEG", quality=REDUCED_QUALITY, optimize=True)
    return buffer.getvalue()


def reduce_colors(body: bytes) -> bytes:
    """A PNG with at most 256 colors; unchanged without Pillow."""
    if not pillow_version():
        return body
    from PIL import Image

    buffer = BytesIO()
    with Image.open(BytesIO(body)) as image:
        image.convert("RGB").quantize(256).save(buffer, "PNG", compress_level=9)
    return buffer.getvalue()


MAX_PIXELS = 128_000_000
"""Pixels above which a file is rejected: more than current phones produce, 400 MB when decoded."""

ACCEPTED_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP")


@contextmanager
def _open_image(body: bytes) -> "Iterator[ImageFile]":
    """Open an image; any error of Pillow meanwhile raises UnreadableImageError."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    # the names in `formats` do not make Pillow load its plugins
    Image.init()
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    try:
        with Image.open(BytesIO(body), formats=ACCEPTED_FORMATS) as image:
            yield image
    except (Image.DecompressionBombWarning, Image.DecompressionBombError, MemoryError) as error:
        message = f"has more than {MAX_PIXELS // 1_000_000} million pixels"
        raise UnreadableImageError(message, "make it smaller", too_large=True) from error
    except DAMAGED_FILE_ERRORS as error:
        raise UnreadableImageError("cannot be read", "export it again, as JPEG, PNG or WebP") from error


VERSION_WIDTHS = (240, 480, 960, MAX_WIDTH)
"""The widths of the versions of an image in pixels: from a portrait to a wide column on a dense screen."""


def _measure(image: "ImageFile", byte_count: int) -> ImageSize:
    """
    The size of an image as pages show it, and the widths of its versions: 1600 x 900 -> widths up to 1600.

    A small file and an animation have no versions.
    """
    if image.format != "MPO" and getattr(image, "is_animated", False):
        # an animation is published unchanged
        return ImageSize(*image.size)
    try:
        is_sideways = int(image.getexif().get(ORIENTATION_TAG, 1)) in range(5, 9)
    except DAMAGED_FILE_ERRORS:
        # browsers too ignore damaged Exif data
        is_sideways = False

    width, height = reversed(image.size) if is_sideways else image.size
    scale = min(1, MAX_WIDTH / width, MAX_HEIGHT / height)
    width = max(1, round(width * scale))
    height = max(1, round(height * scale))
    if byte_count < MIN_BYTES_FOR_VERSIONS and scale == 1:
        return ImageSize(width, height)
    # a version that is hardly narrower saves nothing
    narrow = [narrow for narrow in VERSION_WIDTHS if narrow <= 0.8 * width]
    return ImageSize(width, height, (*narrow, width), scale < 1)


WEBP_QUALITY = 80
"""The quality of the WebP beside an image."""

REDUCED_FORMATS = {"JPEG": "JPEG", "MPO": "JPEG", "PNG": "PNG", "WEBP": "WEBP"}
"""The formats in which a too large image is saved again."""


def _resize_file(read: Callable[[], bytes]) -> ResizedImage | UnreadableImageError:
    """The versions of an image, from its file; the error if it cannot be read."""
    from PIL.Image import Resampling

    try:
        body = read()
        with _open_image(body) as image:
            size = _measure(image, len(body))
            image_format = image.format or ""
            # a huge JPEG is decoded at 1/2, 1/4 or 1/8 of its size
            image.draft(None, (MAX_WIDTH, MAX_WIDTH))
            upright = _normalize_pixels(image)
    except OSError:
        return UnreadableImageError("cannot be read", "")
    except UnreadableImageError as error:
        return error

    versions: list[bytes] = []
    resized = upright
    for width in size.widths:
        box = width, max(1, round(size.height * width / size.width))
        resized = upright
        if upright.size != box:
            resized = upright.resize(box, Resampling.LANCZOS, reducing_gap=3.0)
        body = _encode(resized, "WEBP", WEBP_QUALITY)
        # a drawing or a screenshot stays sharp, if that is not larger
        if image_format in ("PNG", "GIF"):
            body = min(_encode(resized, "WEBP", WEBP_QUALITY, lossless=True), body, key=len)
        versions.append(body)

    # the widest version has the size of the reduced image
    reduced = b""
    if size.too_large and image_format in REDUCED_FORMATS:
        reduced = _encode(resized, REDUCED_FORMATS[image_format], REDUCED_QUALITY)
    return ResizedImage(tuple(versions), reduced)


def _encode(image: "Image", image_format: str, quality: int, *, lossless: bool = False) -> bytes:
    """The pixels in a format; JPEG has no transparency."""
    buffer = BytesIO()
    if image_format == "JPEG":
        if image.mode == "RGBA":
            image = image.convert("RGB")
        image.save(buffer, "JPEG", quality=quality, optimize=True, progressive=True)
    else:
        image.save(buffer, image_format, quality=quality, lossless=lossless)
    return buffer.getvalue()


def _normalize_pixels(image: "Image") -> "Image":
    """The pixels upright, in 8 bits of gray, RGB or RGBA, in sRGB, and without metadata."""
    from PIL import ImageOps

    image.load()
    profile = image.info.get("icc_profile")
    # damaged Exif data must not prevent publishing the image
    with suppress(*DAMAGED_FILE_ERRORS):
        image = ImageOps.exif_transpose(image)

    if image.mode.startswith("I"):
        # 16-bit gray
        image = image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    elif image.has_transparency_data:
        image = image.convert("RGBA")
    elif image.mode not in ("L", "RGB", "CMYK"):
        image = image.convert("L" if image.mode == "1" else "RGB")
    if profile:
        image = _convert_to_srgb(image, profile)

    is_opaque = image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255)
    if is_opaque or image.mode not in ("L", "RGB", "RGBA"):
        image = image.convert("RGB")
    image.info = {}
    return image


def _convert_to_srgb(image: "Image", profile: bytes) -> "Image":
    """Convert the colors to sRGB, so that no version needs a color profile."""
    from PIL import ImageCms

    # gray profiles matter only in print
    if image.mode == "L":
        return image
    mode = "RGB" if image.mode == "CMYK" else image.mode
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        target = ImageCms.createProfile("sRGB")
        converted = ImageCms.profileToProfile(image, source, target, outputMode=mode)
    except (ImageCms.PyCMSError, *DAMAGED_FILE_ERRORS):
        # browsers too ignore an invalid profile
        return image
    return converted or image
