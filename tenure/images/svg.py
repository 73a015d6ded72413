"""SVG images: their size, and content that is unsafe or missing when a page shows them in an <img>."""

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from tenure.images.resizing import UnreadableImageError
from tenure.record import Record

XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
MAX_SVG_LENGTH = 1_000_000.0
"""CSS pixels; a greater width or height of an SVG file is ignored."""


FOREIGN_ELEMENTS = frozenset({"script", "iframe", "embed", "object"})
URL_ATTRIBUTES = frozenset({"href", "src", "to", "from", "by", "values"})

_NUMBER = r"\d*\.?\d+(?:e[-+]?\d+)?"
"""12, .5, 1.5e3."""


_EXTERNAL_REFERENCE = re.compile(r"""@import|url\(["']?(?!#|data:|["')])""", re.IGNORECASE)
"""@import, and url(a.png); url(#shadow) and url(data:…) are in the file."""

_SCRIPT_URL = re.compile(r"(?:^|;)(?:javascript|vbscript):", re.IGNORECASE)
"""A URL that is a program: javascript:alert(1)."""

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
    root = _parse_svg(body)
    issues = {issue for element in root.iter() for issue in _find_issues(element)}
    # also in UTF-16
    if b"<?xml-stylesheet" in body.replace(b"\0", b""):
        issues.add(("it needs a style sheet beside it", "put the styles into the SVG file"))
    return SvgImage(*_intrinsic_size(root.attrib), tuple(sorted(issues)))


def _parse_svg(body: bytes) -> ElementTree.Element:
    """The outermost element of an SVG file; raises UnreadableImageError with the place of a mistake."""
    reason = "its outermost element is not svg"
    position = (1, 0)
    try:
        root = ElementTree.fromstring(body)
        if root.tag.rpartition("}")[2] == "svg":
            return root
    except ElementTree.ParseError as error:
        reason = str(error).partition(": line")[0]
        position = error.position
    except (ValueError, LookupError) as error:
        # an encoding that Python does not know
        reason = str(error)

    line, column = position
    message = f"is not an SVG file: {reason}"
    raise UnreadableImageError(message, "export it again", position=(line, column + 1))


def _find_issues(element: ElementTree.Element) -> Iterator[Issue]:
    """The issues of an element itself: ("it runs a script (onload=…)", "remove the attribute onload")."""
    namespace, _, name = element.tag.removeprefix("{").rpartition("}")
    if name in FOREIGN_ELEMENTS or namespace == XHTML_NAMESPACE:
        yield f"it contains <{name}>", "remove it, or export the drawing with plain SVG text, or as PNG"
    values = [(key.rpartition("}")[2], value) for key, value in element.attrib.items()]
    if name == "style":
        values.append(("style", "".join(element.itertext())))

    for attribute, value in values:
        # no space or escape hides what a browser reads
        text = re.sub(r"[\x00-\x20]", "", _CSS_ESCAPE.sub(_decode_escape, value))
        shown = re.sub(r"[\x00-\x1f]", "", value)
        if len(shown) > 40:
            shown = f"{shown[:39]}…"
        if _runs_script(attribute, text):
            yield f'it runs a script ({attribute}="{shown}")', f"remove the attribute {attribute}"
        elif _needs_file(name, attribute, text):
            yield f'it needs another file ({attribute}="{shown}")', "embed it in the SVG file"


def _runs_script(attribute: str, text: str) -> bool:
    """Whether an attribute is that of an event, such as onload, or has the URL of a script."""
    is_event = attribute.startswith("on") and len(attribute) > 2
    return is_event or (attribute in URL_ATTRIBUTES and _SCRIPT_URL.search(text) is not None)


def _needs_file(name: str, attribute: str, text: str) -> bool:
    """Whether an attribute loads another file, as the target of a link does not, unless it is in the link."""
    is_loaded = name != "a" or text.casefold().startswith("data:")
    if attribute in ("href", "src") and is_loaded and not _EMBEDDED_IMAGE.match(text):
        return True
    return _EXTERNAL_REFERENCE.search(text) is not None


def _decode_escape(escape: re.Match[str]) -> str:
    r"""The character of an escape in CSS: "\69" -> "i"."""
    code = escape[1]
    return chr(min(int(code, 16), 0x10FFFF)) if code else escape[2]


def _intrinsic_size(root_attributes: Mapping[str, str]) -> tuple[int, int]:
    """
    The width and the height in pixels; one that is missing follows from the other by the viewBox.

    width="200" viewBox="0 0 100 50" -> 200, 100; without both, 300 and 150 as in browsers.
    """
    width, height = (_length_in_pixels(root_attributes.get(name, "")) for name in ("width", "height"))
    view_box = re.findall(rf"-?{_NUMBER}", root_attributes.get("viewBox", ""), re.IGNORECASE)
    box = [float(number) for number in view_box[2:]]
    has_box = len(view_box) == 4 and all(0 < length <= MAX_SVG_LENGTH for length in box)
    if not has_box:
        width = width or 300.0
        height = height or 150.0
    elif not width and not height:
        width, height = box
    else:
        ratio = box[1] / box[0]
        width = width or height / ratio
        height = height or width * ratio
    return max(1, round(min(width, MAX_SVG_LENGTH))), max(1, round(min(height, MAX_SVG_LENGTH)))


PIXELS_PER_UNIT: Mapping[str, float] = {
    "": 1,
    "px": 1,
    "pt": 4 / 3,
    "pc": 16,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96,
    "em": 16,
}
"""CSS pixels per unit of length (CSS Values and Units 4, 6.2); em at the initial font size."""

_CSS_LENGTH = re.compile(rf"\s*({_NUMBER})\s*([a-z]*)\s*", re.IGNORECASE)
"""12mm -> "12" and "mm"."""


def _length_in_pixels(length: str) -> float:
    """A length in CSS pixels; 0 if it is invalid, too large or relative to the page (100%)."""
    match = _CSS_LENGTH.fullmatch(length)
    if not match:
        return 0.0
    pixels = float(match[1]) * PIXELS_PER_UNIT.get(match[2].lower(), 0)
    return pixels if pixels <= MAX_SVG_LENGTH else 0.0
