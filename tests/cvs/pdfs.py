"""What a machine reads out of a PDF: its words in the order of the file, its pages, links and tags."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2

from tenure.build import BuildResult


def pdf_of(built: BuildResult, path: str = "cv.pdf") -> bytes:
    """A PDF among the files of a site."""
    return next(artifact.read() for artifact in built.artifacts if artifact.path == path)


def words_of(body: bytes) -> str:
    """
    All words, white space folded.

    PDFium takes a hyphen at the end of a line for one that divides a word, and says U+FFFE; no word is divided here.
    """
    document = pypdfium2.PdfDocument(body)
    read = " ".join(page.get_textpage().get_text_range() for page in document)
    return " ".join(read.replace("\ufffe", "- ").split())


def bare(text: str) -> str:
    """A text without its white space: lines break where they must."""
    return "".join(text.split())


def pages_of(body: bytes) -> int:
    return len(pypdfium2.PdfDocument(body))


def links_of(body: bytes) -> list[str]:
    """The addresses that places of the PDF lead to, and "#" for places within it."""
    notes = [
        note.get_object()
        for page in pypdf.PdfReader(io.BytesIO(body)).pages
        for note in page.get("/Annots", [])
    ]
    return [str(note["/A"]["/URI"]) if "/A" in note and "/URI" in note["/A"] else "#" for note in notes]


def tags_of(body: bytes) -> list[str]:
    """The structure of the PDF as those meet it who hear it: the tags in the order of reading."""
    root: Any = pypdf.PdfReader(io.BytesIO(body)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    return list(_tags(root["/StructTreeRoot"]))


def _tags(element: Any) -> Iterator[str]:
    result = element.get_object() if hasattr(element, "get_object") else element
    if isinstance(result, list):
        for part in result:
            yield from _tags(part)
    elif isinstance(result, dict):
        if "/S" in result and result.get("/Type", "/StructElem") == "/StructElem":
            yield str(result["/S"])[1:]
        yield from _tags(result.get("/K", []))


def font(path: Path, letters: str) -> None:
    """A font that has these letters, each a square."""
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
