"""Photos and other pictures made of pixels: turned upright, tamed, and made as WebP in the widths that pages need."""

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
"""Pixels of the largest picture that is published: twice the width of a wide column, for dense screens."""

MOST_PIXELS = 128_000_000
"""Pixels beyond which a file is refused: more than today's telephones make, 400 MB once unpacked."""

QUALITY, FALLBACK_QUALITY = 80, 85
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP")
KEPT_FORMATS = {"JPEG": "jpg", "MPO": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp"}
"""Formats that every browser shows; others become JPEG, or PNG where something shines through."""

TEXT_WIDTHS = (480, 960, WIDEST)
"""Widths for a picture in the text, whose size on the page depends on the reader's screen."""

SMALL = 4096
"""Bytes below which a picture is not worth other versions."""

DENSITIES = (1, 2, 3)
Box = tuple[int, int]
"""The room for a picture on a page, in CSS pixels; 0 where the page leaves it to the picture."""

BROKEN = (
    OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, SyntaxError, RuntimeError, EOFError,
    struct.error, zlib.error,
)  # fmt: skip
"""What Pillow raises where a file is damaged."""


@dataclass(frozen=True, slots=True)
class Version:
    """One file of a picture: its width in pixels, the ending of its name, its bytes."""

    width: int
    suffix: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Raster:
    """
    A picture as it is published: its size when upright, the file that every browser shows, and others in WebP.

    `original` is empty where the cleaned file itself is that file; `versions` go from narrow to wide.
    """

    width: int
    height: int
    original: Version | None
    versions: tuple[Version, ...]


class UnreadablePictureError(Exception):
    """The file is no picture that can be read, or too large a one; the message says which, `hint` what to do."""

    def __init__(self, message: str, hint: str, *, too_large: bool = False) -> None:
        super().__init__(message)
        self.hint, self.too_large = hint, too_large


@cache
def maker() -> str:
    """Which Pillow is installed, and where, found out without loading it: another one makes other bytes."""
    found = importlib.util.find_spec("PIL")
    if found is None or found.origin is None:
        return ""
    version = Path(found.origin).with_name("_version.py")
    return f"{found.origin}\n{version.read_text(encoding='utf-8') if version.is_file() else ''}"


def wide(size: Box, box: Box) -> int:
    """How wide a picture of a size stands in a box that it fills; 0 where the box leaves it open."""
    width, height = box
    return max(width, -(-height * size[0] // size[1])) if width or height else 0


Job = tuple[Callable[[], bytes], frozenset[Box]]
"""What reads a file, and the boxes that its picture stands in on the pages of a site."""


def read_rasters(jobs: Sequence[Job]) -> Iterator[Raster | UnreadablePictureError]:
    """Pictures made side by side, in the order of the jobs; one that cannot be made is its reason."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - as below

    from PIL import Image  # noqa: PLC0415 - costs 30 ms, and most builds find every picture in the cache

    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    Image.init()  # a name in `formats` is not enough for Pillow to load what reads the format
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
        return Raster(*image.size, None, ())  # a film stays as it is
    turn = _turn(image)
    full = (image.size[1], image.size[0]) if turn >= 5 else image.size
    scale = min(1, WIDEST / full[0], TALLEST / full[1])
    size = max(1, round(full[0] * scale)), max(1, round(full[1] * scale))
    is_sound = bool(suffix) and turn == 1 and scale == 1 and image.mode != "CMYK"
    image.draft(
        None, (WIDEST, WIDEST)
    )  # a huge JPEG is unpacked at a half, a quarter or an eighth of its size
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
    How the camera was held: 1 upright, 2 to 8 turned or mirrored; 5 and more lie on their side.

    Source: Exif 2.32, 4.6.4.A, Orientation.
    """
    try:
        found = image.getexif().get(0x0112, 1)
    except BROKEN:
        return 1  # damaged Exif data are no reason to lose the picture
    return found if isinstance(found, int) and 2 <= found <= 8 else 1


def _upright(image: "Image", turn: int) -> "Image":
    """The pixels upright, in 8 bits of grey, RGB or RGBA, in the colours of sRGB, and without any other data."""
    from PIL.Image import Transpose  # noqa: PLC0415 - as above

    turns = (
        Transpose.FLIP_LEFT_RIGHT, Transpose.ROTATE_180, Transpose.FLIP_TOP_BOTTOM, Transpose.TRANSPOSE,
        Transpose.ROTATE_270, Transpose.TRANSVERSE, Transpose.ROTATE_90,
    )  # fmt: skip
    profile = image.info.get("icc_profile")
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value * (1 / 257)).convert("L")  # greys of 16 bits
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
    """Colours as all screens understand them, so that no version needs a profile."""
    from PIL import ImageCms  # noqa: PLC0415 - as above

    mode = "RGB" if image.mode == "CMYK" else image.mode
    try:
        source, target = ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB")
        if mode == "L":
            return image  # a profile of greys is a matter of print
        made = ImageCms.profileToProfile(image, source, target, outputMode=mode)
    except (ImageCms.PyCMSError, *BROKEN):
        return image  # a profile that cannot be read, or is for other colours, is passed over as browsers do
    return made or image


def _resized(image: "Image", size: tuple[int, int]) -> "Image":
    from PIL.Image import Resampling  # noqa: PLC0415 - as above

    return image if image.size == size else image.resize(size, Resampling.LANCZOS, reducing_gap=3.0)


def _widths(size: Box, boxes: Iterable[Box]) -> list[int]:
    """The widths to make, narrow to wide; one nearly as wide as the next is not worth a file."""
    wanted: set[int] = set()
    for box in boxes:
        stands = wide(size, box)
        wanted |= {stands * density for density in DENSITIES} if stands else set(TEXT_WIDTHS)
    widths = sorted({min(width, size[0]) for width in wanted})
    return [w for w, after in zip(widths, [*widths[1:], 0], strict=True) if not after or w <= 0.8 * after]


def _fallback(image: "Image", suffix: str) -> Version:
    """The file for programs that know no WebP."""
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
    """A picture as WebP; one from a format of drawings and screens without loss where that is no larger."""
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
    A text on a card: the first of its `words` that can be drawn, in a size in pixels, in a colour, at most so many rows.

    `gap` is what stands above it.
    """

    words: tuple[str, ...]
    size: int
    colour: str
    gap: int
    rows: int


def lettered(  # noqa: PLR0913, PLR0917 - a card is no more than these
    size: Box, background: str, tint: str, margins: Box, lines: Sequence[Lettering], fonts: Sequence[Path]
) -> bytes:
    """
    A card as PNG: a bar in `tint` at its left, and lines of text below each other in the middle.

    Of the fonts, the first that has all letters of a line is taken, after them Pillow's own; a line whose letters none
    has is left out, as boxes say nothing.
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
    """Whether a font has a shape of its own for every letter."""
    none = bytes(font.getmask("\uffff"))
    return all(bytes(font.getmask(letter)) != none for letter in set(text) if not letter.isspace())


def _rows(text: str, width: int, length: Callable[[str], float]) -> list[str]:
    """A text in rows no wider than so many pixels, broken between words; a word that is wider stands alone."""
    rows: list[str] = []
    for word in text.split():
        if rows and length(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows
