"""Photos and other pixel images: rotated upright, limited in size, and converted to WebP in the widths that pages need."""

import importlib.util
import os
import struct
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tenure.frozen import dataclass
from tenure.web.traces import cleaned

if TYPE_CHECKING:
    from PIL import ImageFont
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

WIDEST, TALLEST = 1600, 3200
"""Pixels of the largest image published: twice the width of a wide column, for dense screens."""

MOST_PIXELS = 128_000_000
"""Pixels above which a file is rejected: more than current phones produce, 400 MB when decoded."""

QUALITY, FALLBACK_QUALITY = 80, 85
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP")
KEPT_FORMATS = {"JPEG": "jpg", "MPO": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp"}
"""Formats that every browser shows; others become JPEG, or PNG if they have transparency."""

TEXT_WIDTHS = (480, 960, WIDEST)
"""Widths for an image in a text, whose size depends on the reader's screen."""

SMALL = 4096
"""Bytes below which an image gets no other versions."""

DENSITIES = (1, 2, 3)
Box = tuple[int, int]
"""Width and height available to an image on a page, in CSS pixels; 0 if the page leaves it open."""

BROKEN = (
    OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, SyntaxError, RuntimeError, EOFError,
    struct.error, zlib.error,
)  # fmt: skip
"""The exceptions that Pillow raises for a damaged file."""


@dataclass(frozen=True, slots=True)
class Version:
    """One file of an image: its width in pixels, its suffix, its bytes."""

    width: int
    suffix: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Raster:
    """
    An image as it is published: its size when upright, the file that every browser shows, and the versions.

    `original` is None if the source without metadata is that file; `versions` go from narrow to wide.
    """

    width: int
    height: int
    original: Version | None
    versions: tuple[Version, ...]


class UnreadablePictureError(Exception):
    """The file is not a readable image, or too large; the message has the reason, `hint` the repair."""

    def __init__(self, message: str, hint: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.hint, self.too_large = hint, too_large


@cache
def maker() -> str:
    """Version and location of Pillow, read without importing it; part of cache keys, because another Pillow writes other bytes."""
    found = importlib.util.find_spec("PIL")
    if found is None or found.origin is None:
        return ""
    version = Path(found.origin).with_name("_version.py")
    return f"{found.origin}\n{version.read_text(encoding='utf-8') if version.is_file() else ''}"


def wide(size: Box, box: Box) -> int:
    """The width of an image that fills a box; 0 if the box leaves it open."""
    width, height = box
    return max(width, -(-height * size[0] // size[1])) if width or height else 0


Job = tuple[Callable[[], bytes], frozenset[Box]]
"""A function that reads an image file, and the boxes of the image on the pages of a site."""


def read_rasters(jobs: Sequence[Job]) -> Iterator[Raster | UnreadablePictureError]:
    """Make the versions of images in parallel, in the order of the jobs; an unreadable image yields its error."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - as below

    from PIL import Image  # noqa: PLC0415 - costs 30 ms, and most builds find every image in the cache

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    Image.init()  # for a name in `formats` alone Pillow does not load the plugin
    with warnings.catch_warnings(), ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as workers:
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        yield from workers.map(_read, jobs)


def _read(job: Job) -> Raster | UnreadablePictureError:
    from PIL import Image  # noqa: PLC0415 - as above

    read, boxes = job
    try:
        body = read()
        with Image.open(BytesIO(body), formats=FORMATS) as image:
            return _made(image, body, boxes)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError, MemoryError):
        message = f"has more than {MOST_PIXELS // 1_000_000} million pixels"
        return UnreadablePictureError(message, "make it smaller", too_large=True)
    except BROKEN:
        return UnreadablePictureError("cannot be read", "export it again, as JPEG, PNG or WebP")


def _made(image: "ImageFile", body: bytes, boxes: Iterable[Box]) -> Raster:
    suffix = KEPT_FORMATS.get(image.format or "", "")
    if image.format != "MPO" and getattr(image, "is_animated", False) and suffix:
        return Raster(*image.size, None, ())  # an animation is published unchanged
    turn = _turn(image)
    full = (image.size[1], image.size[0]) if turn >= 5 else image.size
    scale = min(1, WIDEST / full[0], TALLEST / full[1])
    size = max(1, round(full[0] * scale)), max(1, round(full[1] * scale))
    is_sound = bool(suffix) and turn == 1 and scale == 1 and image.mode != "CMYK"
    image.draft(None, (WIDEST, WIDEST))  # a huge JPEG is decoded at 1/2, 1/4 or 1/8 of its size
    image.load()
    upright = _resized(_upright(image, turn), size)
    original = None if is_sound else _fallback(upright, suffix)
    if is_sound and len(body) < SMALL:
        return Raster(*size, None, ())
    rest = original or Version(size[0], suffix, cleaned(body))
    found: list[Version] = []
    is_drawn = suffix in ("png", "gif")
    for width in reversed(_widths(size, boxes)):
        made = _webp(_resized(upright, (width, max(1, round(size[1] * width / size[0])))), is_drawn=is_drawn)
        best = rest if width == size[0] and len(rest.body) <= len(made) else Version(width, "webp", made)
        if not found or len(best.body) < len(found[-1].body):
            found.append(best)
    return Raster(*size, original, tuple(reversed(found)) if found != [rest] else ())


def _turn(image: "Image") -> int:
    """
    The Exif orientation: 1 upright, 2 to 8 rotated or mirrored; from 5 on, width and height are swapped.

    Source: Exif 2.32, 4.6.4.A, Orientation.
    """
    try:
        found = image.getexif().get(0x0112, 1)
    except BROKEN:
        return 1  # damaged Exif data must not prevent publishing the image
    return found if isinstance(found, int) and 2 <= found <= 8 else 1


def _upright(image: "Image", turn: int) -> "Image":
    """The pixels upright, in 8 bits of gray, RGB or RGBA, in sRGB, and without metadata."""
    from PIL.Image import Transpose  # noqa: PLC0415 - as above

    turns = (
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
    if turn > 1:
        image = image.transpose(turns[turn - 2])
    image = _in_srgb(image, profile) if profile else image
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    image = image.convert("RGB") if image.mode not in ("L", "RGB", "RGBA") else image
    image.info = {}
    return image


def _in_srgb(image: "Image", profile: bytes) -> "Image":
    """Convert the colors to sRGB, so that no version needs a color profile."""
    from PIL import ImageCms  # noqa: PLC0415 - as above

    mode = "RGB" if image.mode == "CMYK" else image.mode
    try:
        source, target = ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB")
        if mode == "L":
            return image  # gray profiles matter only in print
        made = ImageCms.profileToProfile(image, source, target, outputMode=mode)
    except (ImageCms.PyCMSError, *BROKEN):
        return image  # browsers too ignore an invalid profile
    return made or image


def _resized(image: "Image", size: tuple[int, int]) -> "Image":
    from PIL.Image import Resampling  # noqa: PLC0415 - as above

    return image if image.size == size else image.resize(size, Resampling.LANCZOS, reducing_gap=3.0)


def _widths(size: Box, boxes: Iterable[Box]) -> list[int]:
    """The widths to make, narrow to wide; a width above 80 % of the next one is omitted."""
    wanted: set[int] = set()
    for box in boxes:
        stands = wide(size, box)
        wanted |= {stands * density for density in DENSITIES} if stands else set(TEXT_WIDTHS)
    widths = sorted({min(width, size[0]) for width in wanted})
    return [w for w, after in zip(widths, [*widths[1:], 0], strict=True) if not after or w <= 0.8 * after]


def _fallback(image: "Image", suffix: str) -> Version:
    """The file for programs without WebP support."""
    out = BytesIO()
    kind = (
        "png" if suffix in ("png", "gif") or (image.mode == "RGBA" and suffix != "webp") else suffix or "jpg"
    )
    if kind == "png":
        image.save(out, "PNG", compress_level=9)
    elif kind == "webp":
        image.save(out, "WEBP", quality=FALLBACK_QUALITY)
    else:
        image.save(out, "JPEG", quality=FALLBACK_QUALITY, optimize=True, progressive=True)
    return Version(image.size[0], kind, out.getvalue())


def _webp(image: "Image", *, is_drawn: bool) -> bytes:
    """Encode an image as WebP; a drawing or screenshot without loss, if that is not larger."""
    lossy, exact = BytesIO(), BytesIO()
    image.save(lossy, "WEBP", quality=QUALITY)
    if is_drawn:
        image.save(exact, "WEBP", lossless=True)
    return min((body for body in (exact.getvalue(), lossy.getvalue()) if body), key=len)


PROBE = 16
"""Pixels in which a letter is drawn to see whether a font has it."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """
    A text on a card: the first of its `alternatives` that can be drawn, in a size in pixels, in at most `max_rows` rows.

    `space_above` is in pixels.
    """

    words: tuple[str, ...]
    size: int
    colour: str
    gap: int
    rows: int


def lettered(  # noqa: PLR0913, PLR0917 - all properties of a card
    size: Box, background: str, tint: str, margins: Box, lines: Sequence[Lettering], fonts: Sequence[Path]
) -> bytes:
    """
    Draw a card as PNG: a bar in `accent_color` on the left, and lines of text, vertically centered.

    The first font with all letters of a line is used, Pillow's own font last. A line is omitted if no font has all its
    letters, because empty boxes mean nothing.
    """
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - as above

    image = Image.new("RGB", size, background)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 28, size[1]), fill=tint)
    makers = [partial(ImageFont.truetype, str(font)) for font in fonts] + [ImageFont.load_default]
    known = [(make, make(PROBE)) for make in makers]
    placed: list[tuple[int, str, ImageFont.FreeTypeFont | ImageFont.ImageFont, str]] = []
    top = 0
    for line in lines:
        found = ((make, text) for text in line.words for make, probe in known if text and _has(probe, text))
        make, text = next(found, (None, ""))
        if make is not None:
            font = make(line.size)
            top += line.gap if placed else 0
            for row in _rows(text, size[0] - sum(margins), font.getlength)[: line.rows]:
                placed.append((top, row, font, line.colour))
                top += round(line.size * 1.2)
    for down, row, font, colour in placed:
        draw.text((margins[0], (size[1] - top) // 2 + down), row, font=font, fill=colour, anchor="la")
    out = BytesIO()
    image.quantize(64, method=Image.Quantize.FASTOCTREE).save(out, "PNG", compress_level=3)
    return out.getvalue()


def _has(font: "ImageFont.FreeTypeFont | ImageFont.ImageFont", text: str) -> bool:
    """Whether a font has a glyph for every letter."""
    none = bytes(font.getmask("\uffff"))
    return all(bytes(font.getmask(letter)) != none for letter in set(text) if not letter.isspace())


def _rows(text: str, width: int, length: Callable[[str], float]) -> list[str]:
    """Break a text between words into rows of at most `width` pixels; a wider word gets its own row."""
    rows: list[str] = []
    for word in text.split():
        if rows and length(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows
