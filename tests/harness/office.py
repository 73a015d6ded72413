"""What a reader finds in a Word document and in LaTeX source: their words, without a library that checks them."""

import io
import re
import zipfile
from xml.etree import ElementTree

from pylatexenc.latex2text import LatexNodes2Text

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def read_part(document: bytes, path: str) -> ElementTree.Element:
    """Return a part of a Word document as a tree."""
    with zipfile.ZipFile(io.BytesIO(document)) as package:
        return ElementTree.fromstring(package.read(path))


def words_of_word(document: bytes) -> str:
    """Return the text of a Word document, with spaces between paragraphs, cells and at tabs."""
    written = []
    for element in read_part(document, "word/document.xml").iter():
        if element.tag in (f"{WORD}t", f"{MATH}t"):
            written.append(element.text or "")
        elif element.tag in (f"{WORD}p", f"{WORD}tab", f"{WORD}br"):
            written.append("\n")
    return "".join(written)


def words_of_latex(source: str) -> str:
    """Return the text of a LaTeX source, without the numbers of lists, which LaTeX writes."""
    body = source.partition("\\begin{document}")[2].partition("\\end{document}")[0]
    body = re.sub(r"\\item\[[^\]]*\]|\\hypertarget\{[^{}]*\}\{\}|\\(?:begin|end)\{\w+\}", " ", body)
    body = re.sub(r"\\begin\{tabular\}\{\*\{\d+\}\{p\{[^{}]*\}\}\}", " ", body)
    body = re.sub(r"\\(?:hyperlink|href)\{(?:[^{}\\]|\\.)*\}", "", body)
    body = re.sub(r"\\(?:cv\w+|par|nopagebreak|newline|tabularnewline|hline)\b|\}\{", r" \g<0>", body)
    body = re.sub(
        r"\\(?:cv\w+|mbox|newline|tabularnewline|hline|frac|sqrt|mathop|limits|(?:over|under)set)\b",
        " ",
        body,
    )
    text: str = LatexNodes2Text(math_mode="text", keep_comments=False).latex_to_text(body)
    return text
