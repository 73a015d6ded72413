"""Photos and other pixel images: rotated upright, limited in size, and converted to WebP in the widths that pages need."""

import importlib.util
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.images.metadata import strip_metadata
from tenure.parallel import map_in_threads
from tenure.record import Record

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

MAX_WIDTH, MAX_HEIGHT = 1600, 3200
"""Pixels of the largest image published: twice the width of a wide column, for dense screens."""

MAX_PIXELS = 128_000_000
"""Pixels above which a file is rejected: more than current phones produce, 400 MB when decoded."""

WEBP_QUALITY, FALLBACK_QUALITY = 80, 85
ACCEPTED_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP")
BROWSER_FORMATS = {"JPEG": "jpg", "MPO": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp"}
"""Formats that every browser shows; others become JPEG, or PNG if they have transparency."""

VERSION_WIDTHS = (240, 480, 960, MAX_WIDTH)
"""The widths of the versions of an image in pixels: from a portrait of a list to a wide column on a dense screen."""

MIN_BYTES_FOR_VERSIONS = 4096
"""The size in bytes below which an image gets no other versions."""

Size = tuple[int, int]
"""Width and height in pixels."""

DAMAGED_FILE_ERRORS = (
    OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, SyntaxError, RuntimeError, EOFError,
    struct.error, zlib.error,
)  # fmt: skip
"""The exceptions that Pillow raises for a damaged file."""


class ImageVersion(Record):
    """One file of an image: its width in pixels, its suffix, its bytes."""

    width: int
    suffix: str
    body: bytes


class ResizedImage(Record):
    """
    An image as it is published: its size when upright, the file that every browser shows, and the versions.

    `original` is None if the source without metadata is that file; `versions` go from narrow to wide.
    """

    width: int
    height: int
    original: ImageVersion | None
    versions: tuple[ImageVersion, ...]


class UnreadableImageError(Exception):
    """The file is not a readable image, or too large; the message has the reason, `hint` the repair."""

    def __init__(self, message: str, hint: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.hint, self.too_large = hint, too_large


@cache
def pillow_version() -> str:
    """Version and location of Pillow, read without importing it; "" without Pillow, as in a browser. Another Pillow writes other bytes."""
    spec = importlib.util.find_spec("PIL")
    if spec is None or spec.origin is None:
        return ""
    version = Path(spec.origin).with_name("_version.py")
    return f"{spec.origin}\n{version.read_text(encoding='utf-8') if version.is_file() else ''}"


def resize_images(
    readers: Sequence[Callable[[], bytes]],
) -> Iterator[ResizedImage | UnreadableImageError]:
    """Make the versions of images in parallel; `readers` read their files. An unreadable image yields its error."""
    from PIL import Image

    _prepare_pillow()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        yield from map_in_threads(_resize_file, readers)


def make_jpeg(body: bytes, size: Size, vertical_center: float = 0.5) -> bytes:
    """
    A photo as a JPEG that fills a box of this size in pixels: upright, on white, cut at its edges, never enlarged.

    `vertical_center` is the share of what is cut off that is cut off at the top. Without Pillow, a JPEG is unchanged.

    Raises UnreadableImageError.
    """
    if not pillow_version():
        if body.startswith(b"\xff\xd8\xff"):
            return body
        raise UnreadableImageError("cannot be converted here", "export it as JPEG")
    from PIL import Image

    photo = _cut_photo(body, size, vertical_center)
    if photo.mode == "RGBA":
        photo = Image.alpha_composite(Image.new("RGBA", photo.size, "white"), photo).convert("RGB")
    buffer = BytesIO()
    photo.save(buffer, "JPEG", quality=FALLBACK_QUALITY, optimize=True)
    return buffer.getvalue()


def _cut_photo(body: bytes, size: Size, vertical_center: float) -> "Image":
    """
    A photo upright, cut to the proportions of a box, never enlarged; `vertical_center` is the share of a cut at the top.

    Raises UnreadableImageError.
    """
    from PIL import Image, ImageOps

    _prepare_pillow()
    with _translate_errors(), warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(BytesIO(body), formats=ACCEPTED_FORMATS) as source:
            source.draft(None, (2 * size[0], 2 * size[1]))
            source.load()
            upright = _normalize_pixels(source, _exif_orientation(source))
    scale = min(1, upright.size[0] / size[0], upright.size[1] / size[1])
    box = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
    return ImageOps.fit(upright, box, centering=(0.5, vertical_center))


def _prepare_pillow() -> None:
    """Set the limit of pixels, and load all plugins, because the names in `formats` do not make Pillow load theirs."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    Image.init()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise UnreadableImageError for any error of Pillow or of the disk."""
    from PIL import Image

    try:
        yield
    except (Image.DecompressionBombWarning, Image.DecompressionBombError, MemoryError) as error:
        message = f"has more than {MAX_PIXELS // 1_000_000} million pixels"
        raise UnreadableImageError(message, "make it smaller", too_large=True) from error
    except DAMAGED_FILE_ERRORS as error:
        raise UnreadableImageError("cannot be read", "export it again, as JPEG, PNG or WebP") from error


def _resize_file(read: Callable[[], bytes]) -> ResizedImage | UnreadableImageError:
    from PIL import Image

    try:
        with _translate_errors():
            body = read()
            with Image.open(BytesIO(body), formats=ACCEPTED_FORMATS) as image:
                return _make_versions(image, body)
    except UnreadableImageError as error:
        return error


def _make_versions(image: "ImageFile", body: bytes) -> ResizedImage:
    suffix = BROWSER_FORMATS.get(image.format or "", "")
    if image.format != "MPO" and getattr(image, "is_animated", False) and suffix:
        return ResizedImage(*image.size, None, ())  # an animation is published unchanged
    orientation = _exif_orientation(image)
    upright_size = (image.size[1], image.size[0]) if orientation >= 5 else image.size
    scale = min(1, MAX_WIDTH / upright_size[0], MAX_HEIGHT / upright_size[1])
    size = max(1, round(upright_size[0] * scale)), max(1, round(upright_size[1] * scale))
    is_unchanged = bool(suffix) and orientation == 1 and scale == 1 and image.mode != "CMYK"
    image.draft(None, (MAX_WIDTH, MAX_WIDTH))  # a huge JPEG is decoded at 1/2, 1/4 or 1/8 of its size
    image.load()
    normalized = _resize_image(_normalize_pixels(image, orientation), size)
    original = None if is_unchanged else _encode_fallback(normalized, suffix)
    if is_unchanged and len(body) < MIN_BYTES_FOR_VERSIONS:
        return ResizedImage(*size, None, ())
    fallback = original or ImageVersion(size[0], suffix, strip_metadata(body))
    versions: list[ImageVersion] = []
    is_graphic = suffix in ("png", "gif")
    for width in reversed(_version_widths(size[0])):
        resized = _resize_image(normalized, (width, max(1, round(size[1] * width / size[0]))))
        smallest = ImageVersion(width, "webp", _encode_webp(resized, is_graphic=is_graphic))
        if width == size[0] and len(fallback.body) <= len(smallest.body):
            smallest = fallback
        if not versions or len(smallest.body) < len(versions[-1].body):
            versions.append(smallest)
    return ResizedImage(*size, original, tuple(reversed(versions)) if versions != [fallback] else ())


def _exif_orientation(image: "Image") -> int:
    """
    The Exif orientation: 1 upright, 2 to 8 rotated or mirrored; from 5 on, width and height are swapped.

    Source: Exif 2.32, 4.6.4.A, Orientation.
    """
    try:
        orientation = image.getexif().get(0x0112, 1)
    except DAMAGED_FILE_ERRORS:
        return 1  # damaged Exif data must not prevent publishing the image
    return orientation if isinstance(orientation, int) and 2 <= orientation <= 8 else 1


def _normalize_pixels(image: "Image", orientation: int) -> "Image":
    """The pixels upright, in 8 bits of gray, RGB or RGBA, in sRGB, and without metadata."""
    from PIL.Image import Transpose

    transpositions = (
        Transpose.FLIP_LEFT_RIGHT, Transpose.ROTATE_180, Transpose.FLIP_TOP_BOTTOM, Transpose.TRANSPOSE,
        Transpose.ROTATE_270, Transpose.TRANSVERSE, Transpose.ROTATE_90,
    )  # fmt: skip
    profile = image.info.get("icc_profile")
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * (1 / 257)).convert("L")  # 16-bit gray
    elif image.has_transparency_data:
        image = image.convert("RGBA")
    elif image.mode not in ("L", "RGB", "CMYK"):
        image = image.convert("L" if image.mode == "1" else "RGB")
    if orientation > 1:
        image = image.transpose(transpositions[orientation - 2])
    image = _convert_to_srgb(image, profile) if profile else image
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    image = image.convert("RGB") if image.mode not in ("L", "RGB", "RGBA") else image
    image.info = {}
    return image


def _convert_to_srgb(image: "Image", profile: bytes) -> "Image":
    """Convert the colors to sRGB, so that no version needs a color profile."""
    from PIL import ImageCms

    mode = "RGB" if image.mode == "CMYK" else image.mode
    try:
        source, target = ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB")
        if mode == "L":
            return image  # gray profiles matter only in print
        converted = ImageCms.profileToProfile(image, source, target, outputMode=mode)
    except (ImageCms.PyCMSError, *DAMAGED_FILE_ERRORS):
        return image  # browsers too ignore an invalid profile
    return converted or image


def _resize_image(image: "Image", size: tuple[int, int]) -> "Image":
    from PIL.Image import Resampling

    return image if image.size == size else image.resize(size, Resampling.LANCZOS, reducing_gap=3.0)


def _version_widths(width: int) -> list[int]:
    """The widths to make, narrow to wide; a width above 80 % of that of the image is omitted."""
    full_width = min(width, MAX_WIDTH)
    return [*(narrow for narrow in VERSION_WIDTHS if narrow <= 0.8 * full_width), full_width]


def _encode_fallback(image: "Image", suffix: str) -> ImageVersion:
    """The file for programs without WebP support."""
    buffer = BytesIO()
    output_format = (
        "png" if suffix in ("png", "gif") or (image.mode == "RGBA" and suffix != "webp") else suffix or "jpg"
    )
    if output_format == "png":
        image.save(buffer, "PNG", compress_level=9)
    elif output_format == "webp":
        image.save(buffer, "WEBP", quality=FALLBACK_QUALITY)
    else:
        image.save(buffer, "JPEG", quality=FALLBACK_QUALITY, optimize=True, progressive=True)
    return ImageVersion(image.size[0], output_format, buffer.getvalue())


def _encode_webp(image: "Image", *, is_graphic: bool) -> bytes:
    """Encode an image as WebP; a drawing or screenshot without loss, if that is not larger."""
    lossy, lossless = BytesIO(), BytesIO()
    image.save(lossy, "WEBP", quality=WEBP_QUALITY)
    if is_graphic:
        image.save(lossless, "WEBP", lossless=True)
    return min((body for body in (lossless.getvalue(), lossy.getvalue()) if body), key=len)


def reduce_colors(body: bytes) -> bytes:
    """A PNG with at most 256 colors; unchanged without Pillow."""
    if not pillow_version():
        return body
    from PIL import Image

    buffer = BytesIO()
    with Image.open(BytesIO(body)) as image:
        image.convert("RGB").quantize(256).save(buffer, "PNG", compress_level=9)
    return buffer.getvalue()
