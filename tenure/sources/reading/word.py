"""
A Word file (.docx) as lines that keep their look, which has a third of what a CV says.

A `WordFile` has `Line`s: a paragraph in Markdown, or a row of a table, whose cells have lines again. Deleted
and hidden text is not read, and moved text once; a text box follows its paragraph; a footnote stands in
brackets. Source: ECMA-376, part 1, 17. The elements are found by their names without namespaces, because the
strict form of the format has others.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tenure.limits import MAX_NESTING
from tenure.model.publications import escape_text
from tenure.record import Record, field

MAX_WORD_SIZE = 20_000_000
"""Bytes of the texts of a file when they are unpacked."""

MAX_BASE_STYLES = 20
"""A style is based on another one, in a damaged file on itself."""

_OLD_FORMAT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of a file of Word 97 to 2003, and of one with a password."""

_PASSWORD_PART = "EncryptedPackage".encode("utf-16-le")
_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    ElementTree.ParseError,
    struct.error,
    EOFError,
    LookupError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What the readers of ZIP and XML raise for a damaged file."""

_LEFT_OUT = frozenset(
    """
    Fallback del delText instrText moveFrom pPr rPr sdtPr sectPr tblGrid tblPr tcPr trPr
    """.split()
)
"""Elements without text of the document: properties, deleted text, and what old programs show instead."""

_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_FORMATS = ("b", "i", "u", "caps", "color", "sz", "vanish")
_OFF = frozenset({"0", "false", "off", "none", "auto", "000000"})
_BODY_STYLES = frozenset(
    """
    normal; body text; text body; no spacing; list paragraph; normal (web); standard; table contents
    """.strip().split("; ")
)
_ALIGNMENT = re.compile(r" {4,}|[.…]{5,}")
"""What people type in place of a tab: "PhD      2019"."""

_BULLET = re.compile(r"^\s*[•●○▪■◦‣⁃➢\uf0b7\uf0a7][ \t]*")
"""A bullet that is typed, not one of Word's lists."""


_PAPERS = {"11906": "a4", "12240": "letter"}
"""The names of papers by their width in twentieths of a point."""


class WordError(ValueError):
    """A file cannot be read; the message says why, and what to do."""


class Line(Record):
    """
    A paragraph with its tabs and line breaks, or a row of a table, which has only `cells`.

    `text` is Markdown, `plain` the same without marks. `look` names the style and the formats that all words
    have: "b+caps 24", "Subtitle+line 28"; "" is that of the text. `level` is that of a heading: 1 for the
    style
    "heading 1", 0 without one. `size` is that of the largest letters in half points, 0 if it is not said.
    `is_bold_first`: the first words are bold. `depth` is the level in a list, from 0, -1 outside.
    """

    text: str = ""
    plain: str = ""
    look: str = ""
    level: int = 0
    size: int = 0
    is_bold_first: bool = False
    depth: int = -1
    links: Sequence[str] = ()
    pictures: Sequence[str] = ()
    cells: "Sequence[Sequence[Line]]" = ()

    def list_paragraphs(self) -> "Iterator[Line]":
        """The line itself, or those of its cells."""
        if not self.cells:
            yield self
        for cell in self.cells:
            for line in cell:
                yield from line.list_paragraphs()


class WordFile(Record):
    """
    What a Word file says: its lines, those of its headers and footers, the number of its pictures, and the
    paper of its first page: "a4", "letter", or "" for another one.
    """

    lines: Sequence[Line]
    margins: Sequence[Line]
    picture_count: int
    paper: str


class _Style(Record):
    """A style with those that it is based on: its formats, the level of a heading, the depth of a list."""

    name: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)
    level: int = 0
    depth: int = -1


class _Span(Record):
    """A text with one look; `formats` has "" for one that is switched off."""

    text: str
    formats: Mapping[str, str]
    url: str = ""


def read_word_file(path: Path) -> WordFile:
    """The lines of a Word file; raises WordError."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _WordReader(archive).read()
    except WordError:
        raise
    except _DAMAGES as error:
        raise WordError(_explain_failure(path)) from error


def read_word_picture(path: Path, name: str) -> bytes:
    """The bytes of a picture that a line names."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def _explain_failure(path: Path) -> str:
    """Why a file is no archive of XML, and what to do."""
    content = path.read_bytes()
    if not content.startswith(_OLD_FORMAT):
        return "it is damaged; open it in Word or LibreOffice, and save it again as .docx"
    if _PASSWORD_PART in content:
        return "it has a password; save it without one"
    return "it is a file of Word 97 to 2003; save it as .docx"


class _WordReader:
    """Reads the parts of an open file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())
        self._size = 0
        self._targets: Mapping[str, str] = {}
        self._paper = ""
        self._styles: Mapping[str, _Style] = {}
        self._default_style = _Style()
        self._notes: dict[tuple[str, str], Element] = {}

    def read(self) -> WordFile:
        """The lines of all parts."""
        styles = [style for style in self._parse("word/styles.xml") if style.tag == "style"]
        self._read_styles({style.get("styleId", ""): style for style in styles})
        for kind in ("footnote", "endnote"):
            for note in self._parse(f"word/{kind}s.xml"):
                self._notes[kind, note.get("id", "")] = note

        margins = [
            name for name in sorted(self._names) if re.fullmatch(r"word/(header|footer)\d*\.xml", name)
        ]
        if "word/document.xml" not in self._names:
            raise zipfile.BadZipFile("it has no document")
        return WordFile(
            tuple(self._read_part("document")),
            tuple(line for name in margins for line in self._read_part(PurePosixPath(name).stem)),
            sum(name.startswith("word/media/") for name in self._names),
            self._paper,
        )

    def _read_part(self, stem: str) -> Iterator[Line]:
        """The lines of a part: "document", "header1"."""
        relations = self._parse(f"word/_rels/{stem}.xml.rels")
        self._targets = {item.get("Id", ""): item.get("Target", "") for item in relations}
        part = self._parse(f"word/{stem}.xml")
        for size in part.iter("pgSz"):
            self._paper = self._paper or _PAPERS.get(size.get("w", ""), "")
        yield from self._read_blocks(part)

    def _parse(self, name: str) -> Element:
        """A part as a tree of names without namespaces; an empty one if the file has no such part."""
        if name not in self._names:
            return Element("none")
        self._size += self._archive.getinfo(name).file_size
        if self._size > MAX_WORD_SIZE:
            raise WordError(f"it has more than {MAX_WORD_SIZE // 1_000_000} MB of text; divide it")

        depth = 0
        item = Element("none")
        with self._archive.open(name) as part:
            for event, item in ElementTree.iterparse(part, ("start", "end")):
                if event == "end":
                    depth -= 1
                    continue
                depth += 1
                item.tag = _cut_namespace(item.tag)
                item.attrib = {_cut_namespace(key): value for key, value in item.attrib.items()}
                if depth > MAX_NESTING:
                    raise WordError("its tables or boxes stand too deep in one another; move them out")
        return item

    def _read_styles(self, elements: Mapping[str, Element]) -> None:
        """Set the styles with what they have of others, and that of paragraphs that name none."""

        def resolve(key: str, depth: int) -> _Style:
            item = elements.get(key)
            if item is None or depth > MAX_BASE_STYLES:
                return _Style()
            base = resolve(_find_value(item, "basedOn"), depth + 1)
            return _build_style(item, base)

        self._styles = {key: resolve(key, 0) for key in elements}
        for key, item in elements.items():
            if item.get("type") == "paragraph" and item.get("default") in ("1", "true"):
                self._default_style = self._styles[key]

    def _read_blocks(self, parent: Element) -> Iterator[Line]:
        """The paragraphs and rows of a document, a cell, or a box."""
        for item in parent:
            if item.tag == "p":
                yield from self._read_paragraph(item)
            elif item.tag == "tbl":
                yield from self._read_rows(item)
            elif item.tag not in _LEFT_OUT:
                yield from self._read_blocks(item)

    def _read_rows(self, table: Element) -> Iterator[Line]:
        """The rows of a table that have text."""
        for row in _find_children(table, "tr"):
            cells = []
            for cell in _find_children(row, "tc"):
                lines = self._read_blocks(cell)
                cells.append(
                    tuple(line for line in lines if line.plain.strip() or line.cells or line.pictures)
                )
            if any(cells):
                yield Line(cells=tuple(cells))

    def _read_paragraph(self, paragraph: Element) -> Iterator[Line]:
        """A paragraph, and the lines of its text boxes."""
        style = self._styles.get(_find_value(paragraph, "pPr/pStyle"), self._default_style)
        content = _Content(self)
        content.collect(paragraph, style.formats, "")
        yield _build_line(paragraph, style, content)
        for box in content.boxes:
            yield from self._read_blocks(box)

    def find_target(self, item: Element, key: str) -> str:
        """The target of a link or a picture."""
        return self._targets.get(item.get(key, ""), "")

    def find_formats(self, run: Element, formats: Mapping[str, str]) -> Mapping[str, str]:
        """The formats of a run: those of its paragraph, of its style, and its own."""
        properties = run.find("rPr")
        if properties is None:
            return formats
        style = self._styles.get(_find_value(properties, "rStyle"), _Style())
        return {**formats, **style.formats, **_read_formats(properties)}

    def read_note(self, reference: Element) -> str:
        """The text of a footnote or an endnote in brackets."""
        note = self._notes.get((reference.tag.removesuffix("Reference"), reference.get("id", "")))
        lines = self._read_blocks(note) if note is not None else ()
        return f" ({' '.join(line.plain.strip() for line in lines)})"


class _Content:
    """What stands in a paragraph: its texts, its text boxes, and the names of its pictures."""

    def __init__(self, reader: _WordReader) -> None:
        self._reader = reader
        self.spans: list[_Span] = []
        self.boxes: list[Element] = []
        self.pictures: list[str] = []

    def collect(self, parent: Element, formats: Mapping[str, str], url: str) -> None:
        """Add what stands in an element."""
        for item in parent:
            if item.tag in _LEFT_OUT:
                continue
            if item.tag == "txbxContent":
                self.boxes.append(item)
            elif item.tag == "r":
                own_formats = self._reader.find_formats(item, formats)
                if not own_formats.get("vanish"):
                    self.collect(item, own_formats, url)
            elif item.tag == "hyperlink":
                self.collect(item, formats, self._reader.find_target(item, "id"))
            elif text := self._read_text(item):
                self.spans.append(_Span(text, formats, url))
            else:
                self._collect_picture(item)
                self.collect(item, formats, url)

    def _read_text(self, item: Element) -> str:
        """The text of an element that has no others."""
        if item.tag == "t":
            return re.sub(r"[\xa0\u2007\u202f\t\n]", " ", item.text or "")
        if item.tag in ("footnoteReference", "endnoteReference"):
            return self._reader.read_note(item)
        return _SIGNS.get(item.tag, "")

    def _collect_picture(self, item: Element) -> None:
        """Add the name of a picture in the file: <a:blip r:embed="rId5"/> -> word/media/image1.png."""
        # a picture of DrawingML, or of VML in older files
        for tag, key in (("blip", "embed"), ("imagedata", "id")):
            target = self._reader.find_target(item, key) if item.tag == tag else ""
            if target.startswith("media/"):
                self.pictures.append(f"word/{target}")


def _cut_namespace(name: str) -> str:
    return name.rpartition("}")[2]


def _find_children(parent: Element, tag: str) -> Iterator[Element]:
    """The rows of a table or the cells of a row, also those in a control for forms."""
    for item in parent:
        if item.tag == tag:
            yield item
        elif item.tag not in _LEFT_OUT:
            yield from _find_children(item, tag)


def _find_value(item: Element, path: str) -> str:
    """The value of an element below another one: <pPr><pStyle val="Title"/></pPr> -> Title; "" without it."""
    found = item.find(path)
    return found.get("val", "") if found is not None else ""


def _read_formats(properties: Element | None) -> dict[str, str]:
    """The formats of a run or a style; "" is one that is switched off."""
    formats: dict[str, str] = {}
    if properties is None:
        return formats
    for item in properties:
        name = "caps" if item.tag == "smallCaps" else item.tag
        value = item.get("val", "1")
        if name in _FORMATS:
            formats[name] = "" if value.casefold() in _OFF else value
    return formats


def _build_style(item: Element, base: _Style) -> _Style:
    """
    A style with what it has of the one that it is based on.

    "heading 2", or outline level 1 -> the level 2; "List Bullet 2" -> the depth 1.
    """
    name = _find_value(item, "name")
    heading = re.fullmatch(r"heading (\d)", name, re.IGNORECASE)
    outline = _find_value(item, "pPr/outlineLvl")
    level = base.level
    if heading:
        level = int(heading[1])
    elif re.fullmatch(r"[0-8]", outline):
        level = int(outline) + 1

    depth = base.depth
    # "List Bullet 2"
    number = re.search(r"(?:Bullet|Number) (\d)$", name)
    if number:
        depth = int(number[1]) - 1
    elif item.find("pPr/numPr") is not None:
        depth = max(depth, 0)
    return _Style(name, {**base.formats, **_read_formats(item.find("rPr"))}, level, depth)


def _build_line(paragraph: Element, style: _Style, content: _Content) -> Line:
    """A paragraph as a line."""
    spans = content.spans
    words = [span for span in spans if span.text.strip()]
    plain = _ALIGNMENT.sub("\t", "".join(span.text for span in spans))
    names = _name_formats(words)
    text = _ALIGNMENT.sub("\t", _write_markdown(spans, is_italic="i" in names))

    level = style.level
    outline = _find_value(paragraph, "pPr/outlineLvl")
    if re.fullmatch(r"[0-8]", outline):
        level = int(outline) + 1
    depth = -1 if level else _find_depth(paragraph, style)
    if bullet := _BULLET.match(plain):
        plain = plain[bullet.end() :]
        text = text[bullet.end() :]
        depth = max(depth, 0)

    # "24" half points; the strict form of the format has "12pt", so that one file has one of the two
    sizes = (re.match(r"\d{1,4}", span.formats.get("sz", "")) for span in words)
    size = max((int(match[0]) for match in sizes if match), default=0)
    return Line(
        text,
        plain,
        _name_look(paragraph, style, names, size),
        level,
        size,
        bool(words) and bool(words[0].formats.get("b")),
        depth,
        tuple(span.url for span in spans if re.match(r"(?:https?|mailto):", span.url)),
        tuple(content.pictures),
    )


def _find_depth(paragraph: Element, style: _Style) -> int:
    """The level of a paragraph in a list; -1 if it is in none."""
    number = paragraph.find("pPr/numPr")
    if number is None:
        return style.depth
    if _find_value(number, "numId") == "0":
        return -1
    level = _find_value(number, "ilvl")
    return max(style.depth, int(level) if level.isdecimal() else 0)


def _name_formats(words: Sequence[_Span]) -> Sequence[str]:
    """
    The formats that all words of a paragraph have; not those in brackets at its end, which are often plain:
    "**SUPERVISION** (of doctoral students)" -> b, caps
    """
    # up to the first bracket; one at the start leaves nothing
    main = [*takewhile(lambda span: not span.text.lstrip().startswith("("), words)]
    names: list[str] = []
    if main:
        all_names = ("b", "i", "u", "caps", "color")
        names = [name for name in all_names if all(span.formats.get(name) for span in main)]
    # "EDUCATION" is typed in capitals, but "B 2" is no word
    text = "".join(span.text for span in main)
    if text.isupper() and re.search(r"[^\W\d_]{2}", text):
        names = sorted({*names, "caps"})
    return names


def _name_look(paragraph: Element, style: _Style, names: Sequence[str], size: int) -> str:
    """
    The look of a paragraph: its style, its formats, a line below it, and its size: "Subtitle+b+line 28".
    """
    own_style = "" if style.name.casefold() in _BODY_STYLES else style.name
    has_line = paragraph.find("pPr/pBdr/bottom") is not None
    parts = [own_style, *names, "line" if has_line else ""]
    marks = "+".join(filter(None, parts))
    return f"{marks} {size}" if marks else ""


def _write_markdown(spans: Sequence[_Span], *, is_italic: bool) -> str:
    """The texts with their links, and with italics unless all words are italic."""
    merged: list[tuple[str, bool, str]] = []
    for span in spans:
        has_italics = bool(span.formats.get("i")) and not is_italic
        url = span.url if re.fullmatch(r"(?:https?|mailto):[^\s()<>]+", span.url) else ""
        text = span.text
        if merged and merged[-1][1:] == (has_italics, url):
            text = merged.pop()[0] + text
        merged.append((text, has_italics, url))
    return "".join(_mark_text(*part) for part in merged)


def _mark_text(text: str, has_italics: bool, url: str) -> str:
    """A text as Markdown; the spaces around it are outside of its marks: "a ", italic -> "*a* "."""
    core = text.strip()
    if not core:
        return text
    marked: str = escape_text(core)
    if has_italics and not re.search(r"[\t\n]", core):
        marked = f"*{marked}*"
    if url:
        marked = f"[{marked}]({url})"
    start = text.index(core)
    return text[:start] + marked + text[start + len(core) :]
