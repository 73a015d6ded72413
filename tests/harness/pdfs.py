"""What a program reads from a PDF: its words in the order of the file, its pages, links and tags."""

import ctypes
import io
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pypdf
import pypdfium2
import pypdfium2.raw as pdfium

from tenure.build import BuildResult

PAGE_FOOT = re.compile(r"^.+ · \d+/\d+\s*$", re.MULTILINE)


def pdf_of(built: BuildResult, path: str = "cv.pdf") -> bytes:
    """Return a PDF of a built site."""
    return next(artifact.read() for artifact in built.artifacts if artifact.path == path)


def fonts_of(body: bytes) -> set[str]:
    """Return the names of the embedded fonts, without the letters that mark a subset: Inter-Regular."""
    pages: Any = pypdf.PdfReader(io.BytesIO(body)).pages
    fonts = [font.get_object() for page in pages for font in page["/Resources"]["/Font"].values()]
    return {font["/BaseFont"].removeprefix("/").partition("+")[2] for font in fonts}


def colours_of(body: bytes) -> set[str]:
    """Return the colours of the pixels of the first page, each as #a03c14."""
    image = pypdfium2.PdfDocument(body)[0].render(scale=4).to_pil().convert("RGB")
    return {
        "#{:02x}{:02x}{:02x}".format(*colour) for _, colour in image.getcolors(image.width * image.height)
    }


def words_of(body: bytes) -> str:
    """
    Return the text without the foot of each page, with white space collapsed.

    PDFium takes a hyphen at the end of a line for a hyphenated word and returns U+FFFE; a CV has no
    hyphenated word.
    """
    document = pypdfium2.PdfDocument(body)
    read = " ".join(PAGE_FOOT.sub("", page.get_textpage().get_text_range()) for page in document)
    return " ".join(read.replace("\ufffe", "- ").split())


def feet_of(body: bytes) -> list[str]:
    """Return the foot of each page that has one: the name and the page number."""
    texts = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(body)]
    return [match[0] for text in texts for match in PAGE_FOOT.finditer(text)]


def lines_of(body: bytes) -> list[str]:
    """Return the lines of all pages as they are printed."""
    pages = pypdfium2.PdfDocument(body)
    return [line for page in pages for line in page.get_textpage().get_text_range().split("\r\n")]


def heights_of(body: bytes, phrases: Iterable[str]) -> list[float]:
    """Return the heights above the foot of the first page, in points, at which these words begin for the first time."""
    letters = [*_list_letters(pypdfium2.PdfDocument(body)[0].get_textpage())]
    text = "".join(letter.text for letter in letters)
    return [letters[text.index(phrase)].y for phrase in phrases]


def step_before(body: bytes, phrase: str) -> float:
    """Return the distance on the first page, in points, from the origin of the last letter before these words to theirs."""
    letters = [*_list_letters(pypdfium2.PdfDocument(body)[0].get_textpage())]
    index = "".join(letter.text for letter in letters).index(phrase)
    before = [letter for letter in letters[:index] if not letter.is_generated and not letter.text.isspace()]
    return letters[index].x - before[-1].x


def word_spaces_of(body: bytes) -> list[tuple[float, str]]:
    """
    Return the mean width of the spaces in each line, in multiples of its font size, and the line.

    The narrowest width is first. The width of a space is the distance from its origin to that of the next letter.
    Lines with fewer than three spaces are not measured.
    """
    lines: list[tuple[float, str]] = []
    for page in pypdfium2.PdfDocument(body):
        letters = [*_list_letters(page.get_textpage())]
        widths: list[float] = []
        text = ""
        for letter, following in pairwise(letters):
            text += letter.text
            size = letter.size
            if abs(following.y - letter.y) > size / 2:
                if len(widths) > 2:
                    lines.append((sum(widths) / len(widths), text))
                widths, text = [], ""
            elif (
                letter.text in " \xa0"
                and following.size == size
                and not letter.is_generated
                and not following.is_generated
            ):
                widths.append((following.x - letter.x) / size)
    return sorted(lines)


def looseness_of(body: bytes) -> float:
    """Return the widest mean space of a line divided by the narrowest."""
    lines = word_spaces_of(body)
    assert len(lines) > 3
    return lines[-1][0] / lines[0][0]


class Letter(NamedTuple):
    """A letter of a PDF with its origin and size in points; `is_generated` is true if PDFium added it."""

    text: str
    x: float
    y: float
    size: float
    is_generated: bool


def _list_letters(page: pypdfium2.PdfTextPage) -> Iterator[Letter]:
    x, y = ctypes.c_double(), ctypes.c_double()
    for index in range(page.count_chars()):
        pdfium.FPDFText_GetCharOrigin(page, index, x, y)
        text = chr(pdfium.FPDFText_GetUnicode(page, index))
        size = pdfium.FPDFText_GetFontSize(page, index)
        yield Letter(text, x.value, y.value, size, pdfium.FPDFText_IsGenerated(page, index) == 1)


def remove_spaces(text: str) -> str:
    """Return a text without white space, because line breaks in a PDF depend on its layout."""
    return "".join(text.split())


def pages_of(body: bytes) -> int:
    return len(pypdfium2.PdfDocument(body))


def links_of(body: bytes) -> list[str]:
    """Return the URLs of the links in a PDF; a link within the PDF is "#"."""
    notes = [
        note.get_object()
        for page in pypdf.PdfReader(io.BytesIO(body)).pages
        for note in page.get("/Annots", [])
    ]
    return [str(note["/A"]["/URI"]) if "/A" in note and "/URI" in note["/A"] else "#" for note in notes]


def tags_of(body: bytes) -> list[str]:
    """Return the tags of the PDF in reading order, as a screen reader finds them."""
    root: Any = pypdf.PdfReader(io.BytesIO(body)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    return list(_list_tags(root["/StructTreeRoot"]))


def _list_tags(element: Any) -> Iterator[str]:
    result = element.get_object() if hasattr(element, "get_object") else element
    if isinstance(result, list):
        for part in result:
            yield from _list_tags(part)
    elif isinstance(result, dict):
        if "/S" in result and result.get("/Type", "/StructElem") == "/StructElem":
            yield str(result["/S"])[1:]
        yield from _list_tags(result.get("/K", []))


def write_font(path: Path, letters: str) -> None:
    """Write a font that has these letters, each a square."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 800), (900, 800), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    square = pen.glyph()
    names = {ord(letter): f"g{ord(letter):x}" for letter in dict.fromkeys(letters)}
    glyphs = [".notdef", *names.values()]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(glyphs, square))
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 100)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2(sTypoAscender=880)
    builder.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)
