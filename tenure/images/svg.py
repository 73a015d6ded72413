"""SVG images: their size, and content that is unsafe or missing when a page shows them in an <img>."""

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from tenure.images.resizing import UnreadableImageError
from tenure.record import Record

XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
MAX_SVG_LENGTH = 1_000_000.0
"""CSS pixels; a greater width or height of an SVG file is ignored."""

PIXELS_PER_UNIT: Mapping[str, float] = {
    "": 1, "px": 1, "pt": 4 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16,
}  # fmt: skip
"""CSS pixels per unit of length (CSS Values and Units 4, 6.2); em at the initial font size."""

FOREIGN_ELEMENTS = frozenset({"script", "iframe", "embed", "object"})
URL_ATTRIBUTES = frozenset({"href", "src", "to", "from", "by", "values"})

_NUMBER = r"\d*\.?\d+(?:e[-+]?\d+)?"
_CSS_LENGTH = re.compile(rf"\s*({_NUMBER})\s*([a-z]*)\s*", re.IGNORECASE)
_EXTERNAL_REFERENCE = re.compile(r"""@import|url\(["']?(?!#|data:|["')])""", re.IGNORECASE)
_SCRIPT_URL = re.compile(r"(?:^|;)(?:javascript|vbscript):", re.IGNORECASE)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
"""An escaped character of CSS: `@\\69mport` is `@import`."""

_EMBEDDED_IMAGE = re.compile(r"#|data:(?:image/(?:png|jpe?g|gif|webp|avif)\b|font/)|$", re.IGNORECASE)
"""The start of a reference that needs no other file and is no document of its own."""

Issue = tuple[str, str]
"""Content that an SVG image must not have, and a repair."""


class SvgImage(Record):
    """Width and height of an SVG image in CSS pixels, and its issues."""

    width: int
    height: int
    issues: tuple[Issue, ...]


def inspect_svg(body: bytes) -> SvgImage:
    """
    Return the size and the issues of an SVG image; raises UnreadableImageError.

    An image without a size has the size of its viewBox, or 300 by 150 (SVG 2, 8.2 and CSS Images).
    """
    reason = "its outermost element is not svg"
    position = (1, 0)
    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        root = None
        reason = str(error).partition(": line")[0]
        position = error.position
    except (ValueError, LookupError) as error:
        # an encoding that Python does not know
        root = None
        reason = str(error)
    if root is None or root.tag.rpartition("}")[2] != "svg":
        line, column = position
        message = f"is not an SVG file: {reason}"
        raise UnreadableImageError(message, "export it again", position=(line, column + 1))
    issues = {issue for element in root.iter() for issue in _find_issues(element)}
    # also in UTF-16
    if b"<?xml-stylesheet" in body.replace(b"\0", b""):
        issues.add(("it needs a style sheet beside it", "put the styles into the SVG file"))
    return SvgImage(*_intrinsic_size(root.attrib), tuple(sorted(issues)))


def _find_issues(element: ElementTree.Element) -> Iterator[Issue]:
    """The issues of an element itself."""
    namespace, _, name = element.tag.removeprefix("{").rpartition("}")
    if name in FOREIGN_ELEMENTS or namespace == XHTML_NAMESPACE:
        yield f"it contains <{name}>", "remove it, or export the drawing with plain SVG text, or as PNG"
    values = [(key.rpartition("}")[2], value) for key, value in element.attrib.items()]
    values += [("style", "".join(element.itertext()))] if name == "style" else []
    for attribute, value in values:
        text = re.sub(r"[\x00-\x20]", "", _CSS_ESCAPE.sub(_decode_escape, value))
        shown = re.sub(r"[\x00-\x1f]", "", value)
        shown = shown if len(shown) <= 40 else f"{shown[:39]}…"
        is_event = attribute.startswith("on") and len(attribute) > 2
        if is_event or (attribute in URL_ATTRIBUTES and _SCRIPT_URL.search(text)):
            yield f'it runs a script ({attribute}="{shown}")', f"remove the attribute {attribute}"
            continue
        is_shown = attribute in ("href", "src") and (name != "a" or text.casefold().startswith("data:"))
        if (is_shown and not _EMBEDDED_IMAGE.match(text)) or _EXTERNAL_REFERENCE.search(text):
            yield f'it needs another file ({attribute}="{shown}")', "embed it in the SVG file"


def _decode_escape(escape: re.Match[str]) -> str:
    return chr(min(int(escape[1], 16), 0x10FFFF)) if escape[1] else escape[2]


def _intrinsic_size(root_attributes: Mapping[str, str]) -> tuple[int, int]:
    view_box = re.findall(rf"-?{_NUMBER}", root_attributes.get("viewBox", ""), re.IGNORECASE)
    box = [float(number) for number in view_box[2:]] if len(view_box) == 4 else [0.0, 0.0]
    has_box = all(0 < length <= MAX_SVG_LENGTH for length in box)
    box_width, box_height = box if has_box else (300.0, 150.0)
    width, height = (_length_in_pixels(root_attributes.get(name, "")) for name in ("width", "height"))
    if not width and not height:
        width = box_width
        height = box_height
    elif not (width and height):
        default_ratio = box_height / box_width
        width = width or (height / default_ratio if has_box else 300.0)
        height = height or (width * default_ratio if has_box else 150.0)
    return max(1, round(min(width, MAX_SVG_LENGTH))), max(1, round(min(height, MAX_SVG_LENGTH)))


def _length_in_pixels(length: str) -> float:
    """A length in CSS pixels; 0 if it is invalid, too large or relative to the page (100%)."""
    match = _CSS_LENGTH.fullmatch(length)
    pixels = float(match[1]) * PIXELS_PER_UNIT.get(match[2].lower(), 0) if match else 0.0
    return pixels if pixels <= MAX_SVG_LENGTH else 0.0
