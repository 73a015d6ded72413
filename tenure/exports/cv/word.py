"""
Writes a CV as a Word document (Office Open XML, ISO/IEC 29500).

Its paragraphs have named styles, which are in `cv-word/styles.xml` of a theme with the other fixed parts of
the package. The same CV gives the same bytes.

A run is a text with one set of properties, which make its look:
<w:r><w:rPr><w:b/></w:rPr><w:t>wool</w:t></w:r>
"""

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path

from tenure.exports.cv.document import CvData
from tenure.exports.cv.formulas import write_formula
from tenure.exports.cv.layout import Layout, fill_part, read_part
from tenure.exports.cv.spans import LISTS, Span, TextBlock, clean_text, find_gaps, read_phrase
from tenure.exports.cv.walk import CvWalk, LineKind, Weight, count_digits
from tenure.images.resizing import measure_image
from tenure.model.languages import Language
from tenure.presentation.writer import Phrase

PARTS = {
    "[Content_Types].xml": "content-types.xml",
    "_rels/.rels": "package-links.xml",
    "docProps/core.xml": "properties.xml",
    "word/_rels/document.xml.rels": "document-links.xml",
    "word/document.xml": "document.xml",
    "word/numbering.xml": "numbering.xml",
    "word/settings.xml": "settings.xml",
    "word/styles.xml": "styles.xml",
}
"""The files of the theme by their places in the package."""

# A property and its twin for letters of Arabic or Hebrew: b and bCs.
BOLD = "<w:b/><w:bCs/>"
LINKED = '<w:rStyle w:val="Hyperlink"/>'
LOOKS = {
    "code": '<w:rStyle w:val="Monospace"/>',
    "emph": "<w:i/><w:iCs/>",
    "own": BOLD,
    "strike": "<w:strike/>",
    "strong": BOLD,
    "sub": '<w:vertAlign w:val="subscript"/>',
    "sup": '<w:vertAlign w:val="superscript"/>',
    "underline": '<w:u w:val="single"/>',
}
"""The properties of text by the kinds of spans; any other kind is text."""

LINE_STYLES: Mapping[LineKind, str] = {
    "name": "Title",
    "contacts": "Contacts",
    "section": "Heading1",
    "group": "Heading2",
    "line": "Line",
    "entry": "Entry",
    "role": "Role",
    "paper": "Publication",
    "updated": "Updated",
}

BLOCK_STYLES = {
    "part": "LetterPart",
    "subheading": "Heading3",
}
SIGNATURE_HEIGHT = 504_000
"""The height of a signature in units of 1/36,000 mm, as in signature.xml: 14 mm."""

FORMULAS = {
    "between mtable": "",
    "between mtr": "</m:e><m:e>",
    "binomial": '<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>{0}</m:num><m:den>{1}</m:den></m:f>',
    "brackets": ('<m:d><m:dPr><m:begChr m:val="{0}"/><m:endChr m:val="{2}"/></m:dPr><m:e>{1}</m:e></m:d>'),
    "mfrac": "<m:f><m:num>{0}</m:num><m:den>{1}</m:den></m:f>",
    "mover": "<m:limUpp><m:e>{0}</m:e><m:lim>{1}</m:lim></m:limUpp>",
    "mroot": "<m:rad><m:deg>{1}</m:deg><m:e>{0}</m:e></m:rad>",
    "msqrt": '<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{0}</m:e></m:rad>',
    "msub": "<m:sSub><m:e>{0}</m:e><m:sub>{1}</m:sub></m:sSub>",
    "msubsup": "<m:sSubSup><m:e>{0}</m:e><m:sub>{1}</m:sub><m:sup>{2}</m:sup></m:sSubSup>",
    "msup": "<m:sSup><m:e>{0}</m:e><m:sup>{1}</m:sup></m:sSup>",
    "mtable": "<m:m>{0}</m:m>",
    "mtr": "<m:mr><m:e>{0}</m:e></m:mr>",
    "munder": "<m:limLow><m:e>{0}</m:e><m:lim>{1}</m:lim></m:limLow>",
    "munderover": (
        "<m:limUpp><m:e><m:limLow><m:e>{0}</m:e><m:lim>{1}</m:lim></m:limLow></m:e>"
        "<m:lim>{2}</m:lim></m:limUpp>"
    ),
}
"""The markup of formulas (OMML) by the elements of MathML, and by the names of `write_formula`."""

TWIPS = 20
"""Twentieths of a point, the unit of lengths."""

PAPER_SIZES = {"a4": (11906, 16838), "us-letter": (12240, 15840)}
LIST_INDENT = 284
"""The indentation of each level of a list, as in numbering.xml; that of a quotation, too."""

MAX_LIST_LEVEL = 8
"""Levels of lists, from 0, that numbering.xml has."""

BULLETS = 1
"""The number of the list with bullets in numbering.xml; each list with numbers has a further one."""

MAX_BOOKMARK_LETTERS = 38
"""Word allows 40 letters; two of them are "b_", as a name begins with a letter."""

_RTL_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
"""A letter of Hebrew or Arabic."""


def make_word_cv(cv: CvData, layout: Layout, folders: Sequence[Path], pictures: Mapping[str, bytes]) -> bytes:
    """The bytes of the document; `pictures` are "photo.jpg" or "signature.jpg", folders are of the theme."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for path, body in _WordWriter(cv, layout, folders, pictures).list_parts():
            # no time of its own, so that the bytes are the same
            package.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), body)
    return buffer.getvalue()


class _WordWriter(CvWalk):
    """Writes one document; collects the links by URL, and the first number of each list with numbers."""

    def __init__(
        self, cv: CvData, layout: Layout, folders: Sequence[Path], pictures: Mapping[str, bytes]
    ) -> None:
        self._cv = cv
        self._layout = layout
        self._folders = folders
        self._pictures = pictures
        self._links = dict[str, str]()
        self._starts = list[int]()
        self._bookmark_count = 0

        width, height = PAPER_SIZES[cv.paper]
        top, side = (round(margin * TWIPS) for margin in layout.margins)
        self._page = {"width": width, "height": height, "top": top, "side": side}
        self._line_width = width - 2 * side
        self._is_rtl = Language(cv.language).direction == "rtl"
        # the indent of a publication, in twips at 10 points: "[", "]" and a gap, and each digit of its number
        self._hang = round((270 + 110 * count_digits(cv)) * layout.size / 10)

    def list_parts(self) -> Iterator[tuple[str, str | bytes]]:
        """The path and the content of each part of the package."""
        cv = self._cv
        values = {
            "accent": self._layout.accent.removeprefix("#"),
            # before "links" and "lists", which it collects
            "body": self.write_body(cv),
            "description": escape(clean_text(cv.description)),
            "direction": "<w:bidi/>" if self._is_rtl else "",
            "edge": "left" if self._is_rtl else "right",
            "font": self._layout.font,
            "language": cv.language,
            "links": self._write_links(),
            "lists": self._write_lists(),
            "name": escape(clean_text(cv.person.name)),
            "title": escape(clean_text(f"{cv.person.name} – {cv.title}")),
            **{name: str(length) for name, length in self._page.items()},
        }
        scale = self._layout.scale
        units = {
            # "@gap 6@" -> "120": the space before a paragraph, in twips
            "gap": lambda points: str(round(points * TWIPS * scale)),
            # "@letters 18@" -> "36": the size of letters, in half points
            "letters": lambda points: str(round(points * 2 * self._layout.size / 10)),
        }
        for path, name in PARTS.items():
            yield path, fill_part(read_part(self._folders, f"cv-word/{name}"), values, units)
        for name, body in self._pictures.items():
            yield f"word/media/{name}", body

    def _write_links(self) -> str:
        """The relations of the links, and of the pictures."""
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        written = [
            f'<Relationship Id="{key}" Type="{kind}/hyperlink" Target="{escape(url)}" TargetMode="External"/>'
            for url, key in self._links.items()
        ]
        written += [
            f'<Relationship Id="{name[:-4]}" Type="{kind}/image" Target="media/{name}"/>'
            for name in self._pictures
        ]
        return "\n".join([*written, ""])

    def _write_lists(self) -> str:
        """The lists with numbers, of which each begins anew."""
        # a list in a list has a number of its own, so that each is at one level, with one start
        lists = []
        for number, start in enumerate(self._starts, BULLETS + 1):
            restarts = [
                f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
                for level in range(MAX_LIST_LEVEL + 1)
            ]
            kind = '<w:abstractNumId w:val="1"/>'
            lists.append(f'<w:num w:numId="{number}">{kind}{"".join(restarts)}</w:num>\n')
        return "".join(lists)

    def write_line(self, kind: LineKind, text: str, end: str = "", *, keep: bool = False) -> str:
        """A line as a paragraph of its style: the runs of `text`, a tab, the runs of `end`."""
        properties = "<w:keepNext/>" if keep else ""
        tab = "<w:r><w:tab/></w:r>"
        if kind == "paper":
            # the number, a tab, and the text, whose further lines begin at the tab
            hang = self._hang
            if text:
                properties += f'<w:tabs><w:tab w:val="left" w:pos="{hang}"/></w:tabs>'
                text += tab
            properties += f'<w:ind w:left="{hang}" w:hanging="{hang}"/>'
        elif end:
            # what stands at the end is behind a tab at the right edge
            properties += f'<w:tabs><w:tab w:val="right" w:pos="{self._line_width}"/></w:tabs>'
            text += tab
        if kind == "name":
            edge = "left" if self._is_rtl else "right"
            text = self._write_picture("photo", {"edge": edge}) + text
        return self._write_paragraph(text + end, LINE_STYLES[kind], properties)

    def _write_picture(self, kind: str, values: Mapping[str, str]) -> str:
        """The run with the photo, which stands beside the name, or with the signature; "" without it."""
        if f"{kind}.jpg" not in self._pictures:
            return ""
        name = {"name": escape(self._cv.person.name)}
        return fill_part(read_part(self._folders, f"cv-word/{kind}.xml"), {**name, **values}, {})

    def write_plain(self, text: str, weight: Weight = "") -> str:
        return self._write_runs([clean_text(text)], LOOKS.get(weight, ""))

    def write_phrase(self, phrase: Phrase, weight: Weight = "", *, colored: bool = False) -> str:
        if not phrase:
            return ""
        return self._write_runs(read_phrase(phrase), LOOKS.get(weight, ""), LINKED if colored else "")

    def write_legend(self, legend: str) -> str:
        # Publications  (* equal contribution)
        return self._write_runs([f"  ({legend})"], '<w:rStyle w:val="Legend"/>')

    def write_target(self, anchor: str) -> str:
        self._bookmark_count += 1
        name = _name_bookmark(anchor)
        number = self._bookmark_count
        return f'<w:bookmarkStart w:id="{number}" w:name="{name}"/><w:bookmarkEnd w:id="{number}"/>'

    def write_reference(self, anchor: str, text: str) -> str:
        return f'<w:hyperlink w:anchor="{_name_bookmark(anchor)}">{text}</w:hyperlink>'

    def write_blocks(self, blocks: Sequence[TextBlock], *, is_paper: bool = False) -> str:
        return self._write_blocks(blocks, base=self._hang if is_paper else 0)

    def _write_paragraph(self, runs: str, style: str, properties: str = "") -> str:
        if not runs:
            return ""
        return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{properties}</w:pPr>{runs}</w:p>\n'

    def _write_blocks(
        self, blocks: Sequence[TextBlock], level: int = 0, mark: str = "", base: int = 0
    ) -> str:
        """
        Blocks below each other, indented by their level in lists and by `base`.

        `mark` is the number of the list of which the first block is an item; the blocks below the first
        belong to this item, and have no bullet.
        """
        written = []
        indent = base + level * LIST_INDENT
        for block, has_gap in find_gaps(blocks):
            properties = ""
            style = "Text"
            hanging = ""
            # a list in an item is not the item itself, which has its bullet before it
            if mark and block.kind not in LISTS:
                list_level = min(level - 1, MAX_LIST_LEVEL)
                properties = f'<w:numPr><w:ilvl w:val="{list_level}"/><w:numId w:val="{mark}"/></w:numPr>'
                style = "ListBullet" if mark == str(BULLETS) else "ListNumber"
                hanging = f' w:hanging="{LIST_INDENT}"'
                mark = ""
            if has_gap:
                properties += f'<w:spacing w:before="{round(6 * TWIPS * self._layout.scale)}"/>'
            if indent:
                properties += f'<w:ind w:left="{indent}"{hanging}/>'
            written.append(self._write_block(block, style, properties, level, base))
        return "".join(written)

    def _write_block(self, block: TextBlock, style: str, properties: str, level: int, base: int) -> str:
        """
        A block; style and properties are for one that is a paragraph, level and base for one with others.
        """
        # each list with numbers has a number of its own, so that it begins with 1 again
        if block.kind in LISTS:
            mark = str(BULLETS)
            if block.kind == "numbers":
                self._starts.append(block.start)
                mark = str(BULLETS + len(self._starts))
            return "".join(self._write_blocks(item, level + 1, mark, base) for item in block.items)
        if block.kind in ("quote", "description"):
            return "".join(self._write_blocks(item, level + 1, base=base) for item in block.items)
        if block.kind == "table":
            return self._write_table(block)
        if block.kind == "code":
            lines = block.text.split("\n")
            runs = (self._write_runs([line or " "], LOOKS["code"]) for line in lines)
            return "".join(self._write_paragraph(run, "Code", properties) for run in runs)
        if block.kind == "rule":
            border = '<w:pBdr><w:bottom w:val="single" w:sz="4" w:space="1" w:color="auto"/></w:pBdr>'
            return self._write_paragraph(self._write_runs([" "]), "Text", border)
        if block.kind == "signature":
            size = measure_image(self._pictures["signature.jpg"])
            breadth = str(round(SIGNATURE_HEIGHT * size.width / size.height))
            return self._write_paragraph(self._write_picture("signature", {"breadth": breadth}), "LetterPart")
        style = BLOCK_STYLES.get(block.kind, style)
        return self._write_paragraph(self.write_phrase(block.text, colored=True), style, properties)

    def _write_table(self, table: TextBlock) -> str:
        """The rows of a table; the first may be repeated on each page."""
        columns = max(map(len, table.rows))
        width = self._line_width // columns
        cell_width = f'<w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
        empty = '<w:p><w:pPr><w:pStyle w:val="Text"/></w:pPr></w:p>'
        rows = []
        for number, row in enumerate(table.rows):
            header = "<w:trPr><w:tblHeader/></w:trPr>" if table.has_head and number == 0 else ""
            texts = [self._write_paragraph(self.write_phrase(cell), "Text") or empty for cell in row]
            texts += [empty] * (columns - len(row))
            cells = "".join(f"<w:tc>{cell_width}{text}</w:tc>" for text in texts)
            rows.append(f"<w:tr>{header}{cells}</w:tr>")
        column = f'<w:gridCol w:w="{width}"/>'
        grid = f"<w:tblGrid>{column * columns}</w:tblGrid>"
        look = '<w:tblPr><w:tblStyle w:val="Table"/><w:tblW w:w="0" w:type="auto"/></w:tblPr>'
        # two tables without a paragraph between them would be one
        return f"<w:tbl>{look}{grid}{''.join(rows)}</w:tbl>{empty}\n"

    def _write_runs(self, parts: Iterable[Span | str], look: str = "", link: str = "") -> str:
        """
        Texts and spans in a line; `look` are the properties of their text, `link` those that links have
        besides.
        """
        return "".join(
            self._write_text(part, look) if isinstance(part, str) else self._write_span(part, look, link)
            for part in parts
        )

    def _write_text(self, text: str, look: str) -> str:
        """A text as a run: "wool", BOLD -> <w:r><w:rPr><w:b/>…</w:rPr><w:t …>wool</w:t></w:r>."""
        if self._is_rtl and _RTL_LETTER.search(text):
            look += "<w:rtl/>"
        properties = f"<w:rPr>{look}</w:rPr>" if look else ""
        return f'<w:r>{properties}<w:t xml:space="preserve">{escape(text, quote=False)}</w:t></w:r>'

    def _write_span(self, span: Span, look: str, link: str) -> str:
        """
        A span: an "emph" in a strong text is italic and bold.

        A run has at most one style ("rStyle"), as its first property, so that a link in code looks like code.
        """
        kind, value, parts = span
        if kind == "break":
            return "<w:r><w:br/></w:r>"
        if kind in ("formula", "display"):
            formula = f"<m:oMath>{write_formula(value, FORMULAS, _write_sign)}</m:oMath>"
            return formula if kind == "formula" else f"<m:oMathPara>{formula}</m:oMathPara>"
        if kind == "reference":
            return self.write_reference(value, self._write_runs(parts, look))
        if kind == "link":
            key = self._links.setdefault(value, f"link{len(self._links) + 1}")
            if "rStyle" not in look:
                look = link + look
            runs = self._write_runs(parts, look)
            return f'<w:hyperlink r:id="{key}">{runs}</w:hyperlink>'
        # the department beside a bold name
        if kind == "unit":
            return self._write_runs(parts, look.replace(BOLD, ""), link)
        # a property stands only once
        added = LOOKS.get(kind, "")
        if added in look or ("rStyle" in added and "rStyle" in look):
            added = ""
        return self._write_runs(parts, added + look, link)


def _name_bookmark(anchor: str) -> str:
    """The name of a bookmark, of at most 40 letters, digits and "_": "a-b" -> "b_a_b"."""
    return "b_" + re.sub(r"\W", "_", anchor)[-MAX_BOOKMARK_LETTERS:]


def _write_sign(tag: str, attributes: Mapping[str, str], text: str) -> str:
    """
    A sign of a formula: one letter is slanted by Word, "mi" x; "sin" and signs are upright; digits always
    are.
    """
    is_letter = tag == "mi" and len(text) == 1 and attributes.get("mathvariant") != "normal"
    upright = "" if is_letter or tag == "mn" else '<m:rPr><m:sty m:val="p"/></m:rPr>'
    return f'<m:r>{upright}<m:t xml:space="preserve">{escape(clean_text(text), quote=False)}</m:t></m:r>'
