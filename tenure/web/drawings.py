"""SVG images: their size, and content that is unsafe or missing when a page shows them in an <img>."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from tenure.frozen import dataclass

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

XHTML = "http://www.w3.org/1999/xhtml"
PIXELS: Mapping[str, float] = {
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

_LENGTH = re.compile(r"\s*(\d*\.?\d+(?:e[-+]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_OUTSIDE = re.compile(r"""@import\b|url\(\s*["']?\s*(?!#|data:|["'\s)])""", re.IGNORECASE)
_SCRIPT = re.compile(r"(?:java|vb)script:", re.IGNORECASE)
_DOCUMENT = re.compile(r"data:(?!image/(?:png|jpe?g|gif|webp|avif)\b|font/)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """Content that an SVG image must not have: line and column from 1, a message and a repair."""

    line: int
    column: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Width and height of an SVG image in CSS pixels, and its issues."""

    width: int
    height: int
    faults: tuple[Fault, ...]


class UnreadableDrawingError(Exception):
    """The file is not an SVG image; the message has the reason, `line` and `column` the position."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def read_drawing(body: bytes) -> Drawing:
    """
    Return the size and the issues of an SVG image; raises UnreadableSvgError.

    An image without a size has the size of its viewBox, or 300 by 150 (SVG 2, 8.2 and CSS Images).
    """
    from xml.parsers import expat  # noqa: PLC0415 - needed only for an SVG image that is not in the cache

    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    reader.parser = parser
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.words
    parser.ProcessingInstructionHandler = reader.instruction
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        raise UnreadableDrawingError(str(error).partition(": line")[0], line, column) from None
    if reader.root is None:
        raise UnreadableDrawingError("its outermost element is not svg", 1, 1)
    width, height = _size(reader.root)
    return Drawing(width, height, tuple(sorted(set(reader.faults))))


@dataclasses.dataclass(slots=True)
class _Reader:
    """The expat handlers that collect the issues, and the state of the parser."""

    parser: "XMLParserType | None" = None
    root: Mapping[str, str] | None = None
    path: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, message: str, hint: str) -> None:
        if self.parser is not None:
            line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
            self.faults.append(Fault(line, column, message, hint))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        space, _, name = tag.rpartition(" ")
        if not self.path and name == "svg":
            self.root = attributes
        if name == "script":
            self.fault("it contains a script", "remove the <script>, or use a PNG")
        elif space == XHTML and "foreignObject" in self.path:
            self.fault(
                "it contains a piece of HTML (foreignObject)",
                "export it with its labels as plain SVG text, or as PNG",
            )
        elif name in ("iframe", "embed", "object"):
            self.fault(f"it contains another document (<{name}>)", f"remove the <{name}>")
        self.path.append(name)
        for attribute, value in attributes.items():
            self.attribute(name, attribute.rpartition(" ")[2], value)

    def attribute(self, element: str, name: str, value: str) -> None:
        bare = re.sub(r"[\x00-\x20]", "", value)
        if name.startswith("on") and len(name) > 2:
            self.fault(f'it runs a script ({name}="…")', f"remove the attribute {name}")
        elif name in ("href", "src", "to", "from", "values") and _SCRIPT.match(bare):
            self.fault(f'it runs a script ({name}="{_short(bare)}")', f"remove the attribute {name}")
        elif name in ("href", "src") and _DOCUMENT.match(bare):
            self.fault(
                f'it contains another document ({name}="{_short(bare)}")',
                "embed it in the SVG file",
            )
        elif name == "href" and element != "a" and bare and not bare.startswith(("#", "data:")):
            self.fault(f"it needs another file (“{_short(bare)}”)", "embed it in the SVG file")
        elif _OUTSIDE.search(value):
            self.fault(
                f'it needs another file ({name}="{_short(value)}")',
                "embed it in the SVG file",
            )

    def end(self, _: str) -> None:
        self.path.pop()

    def words(self, text: str) -> None:
        if self.path and self.path[-1] == "style" and (found := _OUTSIDE.search(text)):
            needed = _short(text[found.start() :].partition(";")[0].strip())
            self.fault(
                f"its style needs another file ({needed})", "export it with its fonts embedded or as outlines"
            )

    def instruction(self, target: str, _: str) -> None:
        if target.startswith("xml-stylesheet"):
            self.fault("it needs a style sheet beside it", "put the styles into the SVG file")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _size(root: Mapping[str, str]) -> tuple[int, int]:
    box = [float(n) for n in re.findall(r"-?\d*\.?\d+(?:e[-+]?\d+)?", root.get("viewBox", ""), re.IGNORECASE)]
    ratio = box[3] / box[2] if len(box) == 4 and box[2] > 0 and box[3] > 0 else 0.0
    width, height = _pixels(root.get("width", "")), _pixels(root.get("height", ""))
    if not width and not height:
        width, height = (box[2], box[3]) if ratio else (300.0, 150.0)
    width = width or (height / ratio if ratio else 300.0)
    height = height or (width * ratio if ratio else 150.0)
    return max(1, round(width)), max(1, round(height))


def _pixels(length: str) -> float:
    """A length in CSS pixels; 0 if it is invalid or relative to the page (100%)."""
    found = _LENGTH.fullmatch(length)
    return float(found[1]) * PIXELS.get(found[2].lower(), 0) if found else 0.0
