r"""
Word files from text: each line is a paragraph, and its look stands before it. LibreOffice opens them.

    Title> Ada Example          a paragraph of a style, by its name; "Heading 1>" has the level of a heading
    b u c 28> EDUCATION         formats of the whole paragraph: bold, italic (i), underlined, small capitals, half points;
                                "line" is a line below it
    - PhD / -- Thesis           items of a list, and of a list in it; "1." is an item of a numbered one
    | 2019 | PhD ¶ Thesis |     a row of a table; ¶ is a paragraph of a cell, and a cell of [[a ¦ b]] a table in it
    page> 12240                 the end of the file, and the width of its paper
    box> text                   a text box in the paragraph before; header>, footer>, footnote> and picture> likewise

In a paragraph: **bold**, *italic*, ~~deleted~~, ++inserted++, <<moved from<<, >>moved to>>, {{hidden}}, [text](url),
⇥ a tab, ↵ a line break, ^ the footnote.
"""

import io
import re
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

OFFICE = "http://schemas.openxmlformats.org"
NAMESPACES = f"""xmlns:w="{OFFICE}/wordprocessingml/2006/main" xmlns:r="{OFFICE}/officeDocument/2006/relationships"
 xmlns:mc="{OFFICE}/markup-compatibility/2006" xmlns:a="{OFFICE}/drawingml/2006/main"
 xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" """
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
PARTS = (("word/document.xml", "document.main"), ("word/styles.xml", "styles"))
DEFAULT_TYPES = "".join(
    f'<Default Extension="{ending}" ContentType="{kind}"/>'
    for ending, kind in (
        ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
        ("xml", "application/xml"),
        ("png", "image/png"),
    )
)
TITLES = ("Title", "Heading 1", "Heading 2", "Heading 3", "Section Name", "List Bullet")
FORMATS = {"b": "<w:b/>", "i": "<w:i/>", "u": '<w:u w:val="single"/>', "c": "<w:smallCaps/>"}
_MARKS = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|~~(?P<deleted>.+?)~~|\+\+(?P<inserted>.+?)\+\+|<<(?P<from>.+?)<<"
    r"|>>(?P<to>.+?)>>|\{\{(?P<hidden>.+?)\}\}|\[(?P<link>[^\]]+)\]\((?P<url>[^)]+)\)|(?P<note>\^)"
)
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


def make_word_file(text: str) -> bytes:
    """Return a Word file; its XML is that of Word in small."""
    buffer = io.BytesIO()
    _WordWriter().write(buffer, text)
    return buffer.getvalue()


def write_word_file(path: Path, text: str) -> None:
    path.write_bytes(make_word_file(text))


def convert_word_files(folder: Path) -> None:
    """Turn the texts of a folder that are named as Word files into Word files."""
    for path in sorted(folder.rglob("*.docx")):
        write_word_file(path, path.read_text("utf-8"))


class _WordWriter:
    def __init__(self) -> None:
        self.body: list[str] = []
        self.parts: dict[str, str] = {}
        self.urls: list[str] = []
        self.rows: list[str] = []

    def write(self, file: io.BytesIO, text: str) -> None:
        for line in text.strip("\n").split("\n"):
            self.add_line(line)
        self._end_table()
        relations = "".join(
            f'<Relationship Id="rId{index}" TargetMode="External" Target="{escape(url)}" Type="{OFFICE}/officeDocument/2006/relationships/hyperlink"/>'
            for index, url in enumerate(self.urls)
        )
        styles = f'<Relationship Id="rIdStyles" Target="styles.xml" Type="{OFFICE}/officeDocument/2006/relationships/styles"/>'
        image = '<Relationship Id="rIdPicture" Target="media/image1.png" Type="x/image"/>'
        types = "".join(
            f'<Override PartName="/{name}" ContentType="{TYPE}.{kind}+xml"/>' for name, kind in PARTS
        )
        document = f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        parts = {
            "[Content_Types].xml": f'<Types xmlns="{OFFICE}/package/2006/content-types">{DEFAULT_TYPES}{types}</Types>',
            "_rels/.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{document}</Relationships>',
            "word/document.xml": f"<w:document {NAMESPACES}><w:body>{''.join(self.body)}</w:body></w:document>",
            "word/styles.xml": f"<w:styles {NAMESPACES}>{_write_styles()}</w:styles>",
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{OFFICE}/package/2006/relationships">{relations}{styles}{image}</Relationships>',
            **self.parts,
        }
        with zipfile.ZipFile(file, "w") as archive:
            for name, part in parts.items():
                archive.writestr(name, part)
            if "rIdPicture" in parts["word/document.xml"]:
                archive.writestr("word/media/image1.png", PIXEL)

    def add_line(self, line: str) -> None:
        if line.startswith("|"):
            cells = [part.strip() for part in line.strip("|").split("|")]
            row = "".join(f"<w:tc>{self._write_cell(cell)}</w:tc>" for cell in cells)
            self.rows.append(f"<w:tr>{row}</w:tr>")
            return
        self._end_table()
        kind, arrow, rest = line.partition("> ")
        if kind == "box":
            shape = "".join(self._write_paragraph(part.strip()) for part in rest.split("¶"))
            choice = f"<wps:txbx><w:txbxContent>{shape}</w:txbxContent></wps:txbx>"
            box = (
                f'<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{choice}</w:drawing></mc:Choice>'
                f"<mc:Fallback><w:pict><w:txbxContent>{shape}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
            )
            self.body[-1] = self.body[-1].removesuffix("</w:p>") + box + "</w:p>"
        elif kind in ("header", "footer"):
            tag = "hdr" if kind == "header" else "ftr"
            self.parts[f"word/{kind}1.xml"] = f"<w:{tag} {NAMESPACES}>{self._write_paragraph(rest)}</w:{tag}>"
        elif kind == "footnote":
            note = f'<w:footnote w:id="1">{self._write_paragraph(rest)}</w:footnote>'
            self.parts["word/footnotes.xml"] = f"<w:footnotes {NAMESPACES}>{note}</w:footnotes>"
        elif kind == "page":
            self.body.append(f'<w:sectPr><w:pgSz w:w="{rest}"/></w:sectPr>')
        elif kind == "picture":
            drawing = '<w:drawing><a:blip r:embed="rIdPicture"/></w:drawing>'
            self.body.append(f"<w:p><w:r>{drawing}</w:r></w:p>")
        else:
            self.body.append(self._write_paragraph(line))

    def _end_table(self) -> None:
        if self.rows:
            self.body.append(f"<w:tbl><w:tblPr/>{''.join(self.rows)}</w:tbl>")
            self.rows = []

    def _write_cell(self, cell: str) -> str:
        if cell.startswith("[["):
            inner = "".join(
                f"<w:tc>{self._write_paragraph(part.strip())}</w:tc>" for part in cell[2:-2].split("¦")
            )
            return f"<w:tbl><w:tr>{inner}</w:tr></w:tbl><w:p/>"
        return "".join(self._write_paragraph(part.strip()) for part in cell.split("¶"))

    def _write_paragraph(self, line: str) -> str:
        look, arrow, rest = line.partition("> ")
        formats = properties = ""
        item = re.match(r"(-+|1\.) (.*)", line)
        if arrow and look in TITLES:
            properties = f'<w:pStyle w:val="{look.replace(" ", "")}"/>'
            line = rest
        elif arrow and re.fullmatch(r"(?:(?:[biuc]|line|\d+) ?)+", look):
            line = rest
            for word in look.split():
                formats += f'<w:sz w:val="{word}"/>' if word.isdigit() else FORMATS.get(word, "")
            properties = "<w:pBdr><w:bottom/></w:pBdr>" if "line" in look.split() else ""
        elif item:
            line = item[2]
            level = max(0, len(item[1]) - 1) if item[1][0] == "-" else 0
            properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
        return f"<w:p><w:pPr>{properties}</w:pPr>{self._write_runs(line, formats)}</w:p>"

    def _write_runs(self, line: str, formats: str) -> str:
        runs, end = "", 0
        for match in _MARKS.finditer(line):
            runs += _write_run(line[end : match.start()], formats) + self._write_mark(match, formats)
            end = match.end()
        return runs + _write_run(line[end:], formats)

    def _write_mark(self, match: re.Match[str], formats: str) -> str:
        if match["url"]:
            self.urls.append(match["url"])
            return f'<w:hyperlink r:id="rId{len(self.urls) - 1}">{_write_run(match["link"], formats)}</w:hyperlink>'
        if match["note"]:
            return '<w:r><w:footnoteReference w:id="1"/></w:r>'
        if match["deleted"]:
            return f"<w:del>{_write_run(match['deleted'], formats).replace('w:t', 'w:delText')}</w:del>"
        for name, tag in (("inserted", "ins"), ("from", "moveFrom"), ("to", "moveTo")):
            if match[name]:
                return f"<w:{tag}>{_write_run(match[name], formats)}</w:{tag}>"
        own = {"bold": "<w:b/>", "italic": "<w:i/>", "hidden": "<w:vanish/>"}
        name = next(name for name in own if match[name])
        return _write_run(match[name], formats + own[name])


def _write_run(text: str, formats: str) -> str:
    """Return runs of a text; Word often splits a word into several."""
    runs = []
    for part in re.findall(r"[⇥\t]|↵|[^⇥\t↵]{1,7}", text):
        signs = {"⇥": "<w:tab/>", "\t": "<w:tab/>", "↵": "<w:br/>"}
        content = signs.get(part) or f'<w:t xml:space="preserve">{escape(part)}</w:t>'
        runs.append(f"<w:r><w:rPr>{formats}</w:rPr>{content}</w:r>")
    return "".join(runs)


def _write_styles() -> str:
    styles = [
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    ]
    for title in TITLES:
        level = re.search(r"\d", title)
        outline = f'<w:outlineLvl w:val="{int(level[0]) - 1}"/>' if level else ""
        number = '<w:numPr><w:numId w:val="2"/></w:numPr>' if "List" in title else ""
        styles.append(
            f'<w:style w:type="paragraph" w:styleId="{title.replace(" ", "")}"><w:name w:val="{title}"/>'
            f'<w:basedOn w:val="Normal"/><w:pPr>{outline}{number}</w:pPr><w:rPr><w:sz w:val="28"/></w:rPr></w:style>'
        )
    return "".join(styles)
