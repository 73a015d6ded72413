"""SVG images: their size, and content that is unsafe or missing when a page shows them in an <img>."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tenure.record import Record

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml"
MAX_SVG_LENGTH = 1_000_000.0
"""CSS pixels; a greater width or height of an SVG file is ignored."""

PIXELS_PER_UNIT: Mapping[str, float] = {
    "": 1, "px": 1, "pt": 4 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16,
}  # fmt: skip
"""CSS pixels per unit of length (CSS Values and Units 4, 6.2); em at the initial font size."""

_CSS_LENGTH = re.compile(r"\s*(\d*\.?\d+(?:e[-+]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_EXTERNAL_REFERENCE = re.compile(r"""@import|url\(\s*["']?\s*(?!#|data:|["'\s)])""", re.IGNORECASE)
_SCRIPT_URL = re.compile(r"(?:^|;)(?:java|vb)script:", re.IGNORECASE)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
"""An escaped character of CSS: `@\\69mport` is `@import`."""

_DOCUMENT_DATA_URL = re.compile(r"data:(?!image/(?:png|jpe?g|gif|webp|avif)\b|font/)", re.IGNORECASE)


class SvgIssue(Record, order=True):
    """Content that an SVG image must not have: line and column from 1, a message and a repair."""

    line: int
    column: int
    message: str
    hint: str


class SvgImage(Record):
    """Width and height of an SVG image in CSS pixels, and its issues."""

    width: int
    height: int
    issues: tuple[SvgIssue, ...]


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
    from xml.parsers import expat

    handler = _SvgHandler()
    parser = expat.ParserCreate(namespace_separator=" ")
    handler.parser = parser
    parser.buffer_text = True
    parser.StartElementHandler = handler.start_element
    parser.EndElementHandler = handler.end_element
    parser.CharacterDataHandler = handler.character_data
    parser.ProcessingInstructionHandler = handler.processing_instruction
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        raise UnreadableSvgError(str(error).partition(": line")[0], line, column) from None
    if handler.root_attributes is None:
        raise UnreadableSvgError("its outermost element is not svg", 1, 1)
    width, height = _intrinsic_size(handler.root_attributes)
    return SvgImage(width, height, tuple(sorted(set(handler.issues))))


class _SvgHandler:
    """The expat handlers that collect the issues, and the state of the parser."""

    def __init__(self) -> None:
        self.parser: XMLParserType | None = None
        self.root_attributes: Mapping[str, str] | None = None
        self.open_elements: list[str] = []
        self.style_parts: list[str] = []
        self.issues: list[SvgIssue] = []

    def add_issue(self, message: str, hint: str) -> None:
        if self.parser is not None:
            line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
            self.issues.append(SvgIssue(line, column, message, hint))

    def start_element(self, tag: str, attributes: Mapping[str, str]) -> None:
        namespace, _, name = tag.rpartition(" ")
        if not self.open_elements and name == "svg":
            self.root_attributes = attributes
        if name == "script":
            self.add_issue("it contains a script", "remove the <script>, or use a PNG")
        elif namespace == XHTML_NAMESPACE:
            is_label = "foreignObject" in self.open_elements
            self.add_issue(
                f"it contains a piece of HTML ({'foreignObject' if is_label else f'<{name}>'})",
                "export it with its labels as plain SVG text, or as PNG",
            )
        elif name in ("iframe", "embed", "object"):
            self.add_issue(f"it contains another document (<{name}>)", f"remove the <{name}>")
        self.open_elements.append(name)
        for attribute, value in attributes.items():
            self.check_attribute(name, attribute.rpartition(" ")[2], value)

    def check_attribute(self, element: str, name: str, value: str) -> None:
        compact_value = re.sub(r"[\x00-\x20]", "", value)
        is_embedded = not compact_value or compact_value.startswith(("#", "data:"))
        if name.startswith("on") and len(name) > 2:
            self.add_issue(f'it runs a script ({name}="…")', f"remove the attribute {name}")
        elif name in ("href", "src", "to", "from", "by", "values") and _SCRIPT_URL.search(compact_value):
            message = f'it runs a script ({name}="{_shorten_text(compact_value)}")'
            self.add_issue(message, f"remove the attribute {name}")
        elif name in ("href", "src") and _DOCUMENT_DATA_URL.match(compact_value):
            message = f'it contains another document ({name}="{_shorten_text(compact_value)}")'
            self.add_issue(message, "embed it in the SVG file")
        elif name == "href" and element != "a" and not is_embedded:
            message = f"it needs another file (“{_shorten_text(compact_value)}”)"
            self.add_issue(message, "embed it in the SVG file")
        elif _EXTERNAL_REFERENCE.search(_decode_css(value)):
            message = f'it needs another file ({name}="{_shorten_text(value)}")'
            self.add_issue(message, "embed it in the SVG file")

    def end_element(self, _: str) -> None:
        if self.open_elements.pop() != "style":
            return
        text = _decode_css("".join(self.style_parts))
        self.style_parts.clear()
        match = _EXTERNAL_REFERENCE.search(text)
        if match:
            reference = _shorten_text(text[match.start() :].partition(";")[0].strip())
            self.add_issue(
                f"its style needs another file ({reference})",
                "export it with its fonts embedded or as outlines",
            )

    def character_data(self, text: str) -> None:
        if self.open_elements[-1:] == ["style"]:
            self.style_parts.append(text)  # a comment of XML within the style divides the text

    def processing_instruction(self, target: str, _: str) -> None:
        if target.startswith("xml-stylesheet"):
            self.add_issue("it needs a style sheet beside it", "put the styles into the SVG file")


def _decode_css(text: str) -> str:
    """A text of CSS without escapes."""
    if "\\" not in text:
        return text
    return _CSS_ESCAPE.sub(lambda m: chr(min(int(m[1], 16), 0x10FFFF)) if m[1] else m[2], text)


def _shorten_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _intrinsic_size(root_attributes: Mapping[str, str]) -> tuple[int, int]:
    view_box = [
        float(n)
        for n in re.findall(r"-?\d*\.?\d+(?:e[-+]?\d+)?", root_attributes.get("viewBox", ""), re.IGNORECASE)
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
