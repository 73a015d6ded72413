"""SVG images: their size, and content that is unsafe or missing when a page shows them in an <img>."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

from tenure.record import Record

XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
MAX_SVG_LENGTH = 1_000_000.0
"""CSS pixels; a greater width or height of an SVG file is ignored."""

PIXELS_PER_UNIT: Mapping[str, float] = {
    "": 1, "px": 1, "pt": 4 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16,
}  # fmt: skip
"""CSS pixels per unit of length (CSS Values and Units 4, 6.2); em at the initial font size."""

_NUMBER = r"\d*\.?\d+(?:e[-+]?\d+)?"
_CSS_LENGTH = re.compile(rf"\s*({_NUMBER})\s*([a-z]*)\s*", re.IGNORECASE)
_EXTERNAL_REFERENCE = re.compile(r"""@import|url\(\s*["']?\s*(?!#|data:|["'\s)])""", re.IGNORECASE)
_SCRIPT_URL = re.compile(r"(?:^|;)(?:java|vb)script:", re.IGNORECASE)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
"""An escaped character of CSS: `@\\69mport` is `@import`."""

_DOCUMENT_DATA_URL = re.compile(r"data:(?!image/(?:png|jpe?g|gif|webp|avif)\b|font/)", re.IGNORECASE)

Issue = tuple[str, str]
"""Content that an SVG image must not have, and a repair."""


class SvgImage(Record):
    """Width and height of an SVG image in CSS pixels, and its issues."""

    width: int
    height: int
    issues: tuple[Issue, ...]


class UnreadableSvgError(Exception):
    """The file is not an SVG image; the message has the reason, `line` and `column` the position."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def inspect_svg(body: bytes) -> SvgImage:
    """
    Return the size and the issues of an SVG image; raises UnreadableSvgError.

    An image without a size has the size of its viewBox, or 300 by 150 (SVG 2, 8.2 and CSS Images).
    """
    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise UnreadableSvgError(str(error).partition(": line")[0], line, column + 1) from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise UnreadableSvgError(str(error), 1, 1) from None
    if root.tag.rpartition("}")[2] != "svg":
        raise UnreadableSvgError("its outermost element is not svg", 1, 1)
    issues: dict[Issue, None] = {}
    if b"<?xml-stylesheet" in body.replace(b"\0", b""):  # also in UTF-16
        issues["it needs a style sheet beside it", "put the styles into the SVG file"] = None
    for element in root.iter():
        issues |= dict.fromkeys(_inspect_element(element))
    return SvgImage(*_intrinsic_size(root.attrib), tuple(sorted(issues)))


def _inspect_element(element: ElementTree.Element) -> list[Issue]:
    """The issues of an element itself."""
    namespace, _, name = element.tag.removeprefix("{").rpartition("}")
    issues: list[Issue] = []
    if name == "script":
        issues.append(("it contains a script", "remove the <script>, or use a PNG"))
    elif namespace == XHTML_NAMESPACE:
        message = f"it contains a piece of HTML (<{name}>)"
        issues.append((message, "export it with its labels as plain SVG text, or as PNG"))
    elif name in ("iframe", "embed", "object"):
        issues.append((f"it contains another document (<{name}>)", f"remove the <{name}>"))
    elif name == "style":
        text = _decode_css("".join(element.itertext()))
        if match := _EXTERNAL_REFERENCE.search(text):
            reference = _shorten_text(text[match.start() :].partition(";")[0].strip())
            message = f"its style needs another file ({reference})"
            issues.append((message, "export it with its fonts embedded or as outlines"))
    for qualified_name, value in element.attrib.items():
        attribute = qualified_name.rpartition("}")[2]
        url = re.sub(r"[\x00-\x20]", "", value)
        is_link = attribute in ("href", "src")
        if attribute.startswith("on") and len(attribute) > 2:
            issues.append((f'it runs a script ({attribute}="…")', f"remove the attribute {attribute}"))
        elif (is_link or attribute in ("to", "from", "by", "values")) and _SCRIPT_URL.search(url):
            message = f'it runs a script ({attribute}="{_shorten_text(url)}")'
            issues.append((message, f"remove the attribute {attribute}"))
        elif is_link and _DOCUMENT_DATA_URL.match(url):
            message = f'it contains another document ({attribute}="{_shorten_text(url)}")'
            issues.append((message, "embed it in the SVG file"))
        elif attribute == "href" and name != "a" and url and not url.startswith(("#", "data:")):
            issues.append((f"it needs another file (“{_shorten_text(url)}”)", "embed it in the SVG file"))
        elif _EXTERNAL_REFERENCE.search(_decode_css(value)):
            message = f'it needs another file ({attribute}="{_shorten_text(value)}")'
            issues.append((message, "embed it in the SVG file"))
    return issues


def _decode_css(text: str) -> str:
    """A text of CSS without escapes."""
    if "\\" not in text:
        return text
    return _CSS_ESCAPE.sub(lambda m: chr(min(int(m[1], 16), 0x10FFFF)) if m[1] else m[2], text)


def _shorten_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _intrinsic_size(root_attributes: Mapping[str, str]) -> tuple[int, int]:
    view_box = [
        float(number)
        for number in re.findall(rf"-?{_NUMBER}", root_attributes.get("viewBox", ""), re.IGNORECASE)
    ]
    has_size = len(view_box) == 4 and all(0 < length <= MAX_SVG_LENGTH for length in view_box[2:])
    ratio = view_box[3] / view_box[2] if has_size else 0.0
    width, height = (_length_in_pixels(root_attributes.get(name, "")) for name in ("width", "height"))
    if not width and not height:
        width, height = (view_box[2], view_box[3]) if ratio else (300.0, 150.0)
    width = width or (height / ratio if ratio else 300.0)
    height = height or (width * ratio if ratio else 150.0)
    return max(1, round(min(width, MAX_SVG_LENGTH))), max(1, round(min(height, MAX_SVG_LENGTH)))


def _length_in_pixels(length: str) -> float:
    """A length in CSS pixels; 0 if it is invalid, too large or relative to the page (100%)."""
    match = _CSS_LENGTH.fullmatch(length)
    pixels = float(match[1]) * PIXELS_PER_UNIT.get(match[2].lower(), 0) if match else 0.0
    return pixels if pixels <= MAX_SVG_LENGTH else 0.0
