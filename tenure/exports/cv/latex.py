"""
Writes a CV as LaTeX source.

Its commands are at its beginning, for the owner to change: they are in `cv.tex` of a theme.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from unicodedata import normalize

from tenure.exports.cv.document import CvData
from tenure.exports.cv.formulas import write_formula
from tenure.exports.cv.layout import Layout, fill_part, read_part
from tenure.exports.cv.spans import LISTS, Span, TextBlock, clean_text, find_gaps, read_phrase
from tenure.exports.cv.walk import CvWalk, LineKind, Weight, count_digits
from tenure.model.latex_signs import find_command_of_sign
from tenure.presentation.writer import Phrase

COMMANDS = {
    "code": r"\texttt",
    "emph": r"\emph",
    "nowrap": r"\mbox",
    "own": r"\textbf",
    "strike": r"\cvstrike",
    "strong": r"\textbf",
    "sub": r"\textsubscript",
    "sup": r"\textsuperscript",
    "underline": r"\underline",
}
"""The commands of the kinds of spans; any other kind is text."""

TWO_COLUMNS = frozenset({"line", "entry", "role", "paper"})
"""Lines whose commands have two arguments."""

FORMULAS = {
    "between mtable": r" \\ ",
    "between mtr": " & ",
    "binomial": r"\genfrac{{}}{{}}{{0pt}}{{}}{{{0}}}{{{1}}}",
    "brackets": r"\left{0}{1}\right{2}",
    "mfrac": r"\frac{{{0}}}{{{1}}}",
    "mover": r"\overset{{{1}}}{{{0}}}",
    "mroot": r"\sqrt[{1}]{{{0}}}",
    "msqrt": r"\sqrt{{{0}}}",
    "msub": r"{{{0}}}_{{{1}}}",
    "msubsup": r"{{{0}}}_{{{1}}}^{{{2}}}",
    "msup": r"{{{0}}}^{{{1}}}",
    "mtable": r"\begin{{matrix}}{0}\end{{matrix}}",
    "mtr": "{0}",
    "munder": r"\underset{{{1}}}{{{0}}}",
    "munderover": r"\mathop{{{0}}}\limits_{{{1}}}^{{{2}}}",
}
"""The commands of formulas by the elements of MathML, and by the names of `write_formula`."""

PAPERS = {"a4": "a4paper", "us-letter": "letterpaper"}

SIGNS = {
    " ": " ",
    '"': r"\textquotedbl{}",
    "#": r"\#",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "'": r"\textquotesingle{}",
    ",": "{,}",
    "-": "-{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",
    "\\": r"\textbackslash{}",
    "]": "{]}",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "`": r"\textasciigrave{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "\u00a0": "~",
    "\u00ad": r"\-",
    "\u200b": r"\hspace{0pt}",
    "\u200c": "",
    "\u200d": "",
    "\u202f": r"\,",
    "♭": r"\ensuremath{\flat}",
    "♮": r"\ensuremath{\natural}",
    "♯": r"\ensuremath{\sharp}",
}
"""Characters that mean something in LaTeX; the comma and the hyphen only before another one."""

CJK_FONTS = {
    "zh": "FandolSong-Regular.otf",
    "ja": "HaranoAjiMincho-Regular.otf",
    "ko": "UnBatang.ttf",
}
"""Fonts of TeX Live by language."""

MAX_LIST_LEVELS = 4
"""Levels of lists and quotations within each other; LaTeX has six."""

_WRITTEN_SIGN = re.compile(r"[^\w\s,.;:!?()/*+=@|-]|[^\x00-\x7f]|_|-(?=-)|,(?=,)")
"""What is not written as it is: "%", "é", "王", "_", the first hyphen of "--", the first comma of ",,"."""

_KNOWN_LETTER = re.compile(
    "[\u00a1-\u00ac\u00ae-\u0125\u0128-\u0137\u0139-\u013e"
    "\u0141-\u0148\u014a-\u0165\u0168-\u017e\u0218-\u021b]"
)
"""A letter that each LaTeX reads."""

_CJK_LETTER = re.compile(
    "[\u2e80-\u2fdf\u3000-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f"
    "\uff00-\uffef\U00020000-\U0003ffff]"
)
"""A letter or a sign of Chinese, Japanese or Korean."""

_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
"""Letters of Japanese, and of Korean; Chinese ones are in texts of all three."""

FOREIGN_COMMANDS = frozenset(
    (
        "DownArrowUpArrow VDash Upsilon acute allequal approxnotequal arrowwaveleft arrowwaveright clockoint "
        "clwintegral dblarrowupdown estimates flat forcesextra hermitconjmatrix homothetic image "
        "lazysinv natural "
        "notgreaterless notlessgreater nument original precedesnotsimilar quarternote recorder rightangle "
        "rightanglearc sharp sqrint starequal surfintegral textfrac textglotstop texthvlig textnrleg textphi "
        "textschwa textturnk tildetrpl truestate udots varepsilon varperspcorrespond verymuchgreater "
        "verymuchless volintegral"
    ).split()
)
"""Commands of packages that the preamble does not load, or of formulas alone; besides those of Cyrillic."""


def make_latex_cv(cv: CvData, layout: Layout, folders: Sequence[Path]) -> tuple[str, str]:
    """
    The source, and the letters in it that pdfLaTeX does not have; folders are those of the theme.

    With Chinese, Japanese or Korean letters it is for XeLaTeX; any other missing letter is a box in pdfLaTeX.
    """
    writer = _LatexWriter()
    body = writer.write_body(cv)
    title = writer.escape(f"{cv.person.name} – {cv.title}")
    letters = "".join(writer.cjk_letters)
    declared = (rf"  \DeclareUnicodeCharacter{{{ord(c):04X}}}{{\fbox{{?}}}}" for c in writer.missing)
    vertical, horizontal = layout.margins
    values = {
        "accent": layout.accent.removeprefix("#").upper(),
        "body": body,
        "family": r"\rmdefault" if layout.is_serif else r"\sfdefault",
        "fonts": _write_cjk_font(cv.language, letters) if letters else "",
        "hang": str(round(1 + 0.5 * count_digits(cv), 1)),
        "hmargin": f"{horizontal:.0f}",
        "language": cv.language,
        "missing": "\n".join([r"\ifPDFTeX", *declared, r"\fi"]) if writer.missing else "",
        "name": writer.escape(cv.person.name),
        "paper": PAPERS[cv.paper],
        "program": "% !TeX program = xelatex\n" if letters else "",
        "title": title,
        "vmargin": f"{vertical:.0f}",
    }
    units = {
        "gap": lambda points: f"{points * layout.scale:.1f}pt",
        "letters": lambda points: f"{points * layout.size / 10:.2f}pt",
    }
    return fill_part(read_part(folders, "cv.tex"), values, units), "".join(writer.missing)


def _write_cjk_font(language: str, letters: str) -> str:
    """The font of Chinese, Japanese or Korean letters, whose lines xeCJK breaks."""
    name = language.partition("-")[0]
    # a CV in English with a name in such letters
    if name not in CJK_FONTS:
        name = "zh"
        if _HANGUL.search(letters):
            name = "ko"
        elif _KANA.search(letters):
            name = "ja"
    options = "[AutoFakeBold=2,AutoFakeSlant=.2]"
    fonts = (rf"\setCJK{family}font{options}{{\cvfont}}" for family in ("main", "sans", "mono"))
    lines = [
        r"\usepackage{xeCJK}",
        "% Another font that your computer has can be named here:",
        rf"\newcommand{{\cvfont}}{{{CJK_FONTS[name]}}}",
        *fonts,
    ]
    return "\n".join([*lines, ""])


class _LatexWriter(CvWalk):
    """Writes the texts of one document; collects the letters that need another font."""

    def __init__(self) -> None:
        self.missing = dict[str, None]()
        self.cjk_letters = dict[str, None]()

    def escape(self, text: str) -> str:
        """A text in which nothing is a command or a ligature."""
        return _WRITTEN_SIGN.sub(lambda match: self._encode(match[0]), normalize("NFC", clean_text(text)))

    def _encode(self, character: str) -> str:
        r"""
        A character for LaTeX: "%" -> \%, "é" -> é, "→" -> its command.

        One of another font is written as it is, and kept: "王" in `cjk_letters`, and one that no command has
        in `missing`.
        """
        if _CJK_LETTER.match(character):
            self.cjk_letters[character] = None
            return character
        command = _find_command(character)
        if not command and character not in SIGNS:
            self.missing[character] = None
            return character
        return command

    def write_line(self, kind: LineKind, text: str, end: str = "", *, keep: bool = False) -> str:
        r"""A line as a command of cv.tex: "entry", "Loom Lab", "Rome" -> \cventry{Loom Lab}{Rome}."""
        if not text and not end:
            return ""
        columns = f"{{{text}}}{{{end}}}" if kind in TWO_COLUMNS else f"{{{text}}}"
        stay = "\\nopagebreak" if keep else ""
        return f"\\cv{kind}{columns}{stay}\n"

    def write_plain(self, text: str, weight: Weight = "") -> str:
        # the sign between contacts, in all fonts
        words = self.escape(text).replace("·", r"\textperiodcentered{}")
        return f"{COMMANDS[weight]}{{{words}}}" if weight else words

    def write_phrase(self, phrase: Phrase, weight: Weight = "", *, colored: bool = False) -> str:
        del colored
        words = self._write_parts(read_phrase(phrase)) if phrase else ""
        return f"{COMMANDS[weight]}{{{words}}}" if weight and words else words

    def write_legend(self, legend: str) -> str:
        return rf"\cvlegend{{{self.escape(legend)}}}"

    def write_target(self, anchor: str) -> str:
        return rf"\hypertarget{{{anchor}}}{{}}"

    def write_reference(self, anchor: str, text: str) -> str:
        return rf"\hyperlink{{{anchor}}}{{{text}}}"

    def write_blocks(self, blocks: Sequence[TextBlock], *, is_paper: bool = False) -> str:
        del is_paper
        return f"{self._write_blocks(blocks)}\n" if blocks else ""

    def _write_blocks(self, blocks: Sequence[TextBlock], level: int = 0) -> str:
        """Blocks below each other."""
        lines = []
        for block, has_gap in find_gaps(blocks):
            if has_gap:
                lines.append(r"\cvgap")
            lines.append(self._write_block(block, level))
        return "\n".join(lines)

    def _write_block(self, block: TextBlock, level: int) -> str:
        """A block; `level` is the number of lists and quotations around it."""
        kind = block.kind
        if kind in LISTS or block.items:
            return self._write_items(block, level)
        if kind == "table":
            return self._write_table(block)
        if kind == "code":
            lines = (self.escape(line).replace(" ", "~") or "~" for line in block.text.split("\n"))
            return "\n".join(rf"\cvcode{{{line}}}" for line in lines)
        if kind == "rule":
            return r"\par\hrulefill\par"
        if kind == "signature":
            return rf"\cvsignature{{{block.text}}}"
        words = self.write_phrase(block.text)
        return rf"\cv{kind}{{{words}}}" if kind in ("subheading", "part") else rf"{words}\par"

    def _write_items(self, block: TextBlock, level: int) -> str:
        """The items of a list with their bullets or numbers, or the blocks of a quotation."""
        is_list = block.kind in LISTS
        # a deeper list has its bullets, but no indent
        is_indented = level < MAX_LIST_LEVELS
        lines = []
        for number, item in enumerate(block.items, block.start):
            mark = f"{number}." if block.kind == "numbers" else r"\textbullet"
            if is_indented:
                mark = rf"\item[{mark}]"
            text = self._write_blocks(item, level + 1)
            lines.append(f"{mark} {text}" if is_list else text)
        if is_indented:
            name = "cvitems" if is_list else "quote"
            lines = [rf"\begin{{{name}}}", *lines, rf"\end{{{name}}}"]
        return "\n".join(lines)

    def _write_table(self, table: TextBlock) -> str:
        """The rows of a table in columns of the same width."""
        columns = max(map(len, table.rows))
        width = rf"p{{{0.94 / columns:.3f}\linewidth}}"
        lines = [rf"\begin{{tabular}}{{*{{{columns}}}{{{width}}}}}"]
        for number, row in enumerate(table.rows):
            # below the head
            line = r"\hline" if number == 1 and table.has_head else ""
            lines.append(line + " & ".join(map(self.write_phrase, row)) + r"\tabularnewline")
        return "\n".join([*lines, r"\end{tabular}\par"])

    def _write_parts(self, parts: Iterable[Span | str]) -> str:
        return "".join(
            self.escape(part) if isinstance(part, str) else self._write_span(part) for part in parts
        )

    def _write_span(self, span: Span) -> str:
        r"""
        A span: a "link" of "wool" -> \href{https://x.org}{wool}; one of a kind without a command is its text.
        """
        kind, value, parts = span
        if kind == "break":
            return r"\newline "
        if kind in ("formula", "display"):
            formula = write_formula(value, FORMULAS, self._write_sign)
            return f"${formula}$" if kind == "formula" else rf"\[{formula}\]"
        words = self._write_parts(parts)
        if kind == "link":
            return rf"\href{{{escape_url(value)}}}{{{words}}}"
        if kind == "reference":
            return self.write_reference(value, words)
        return f"{COMMANDS[kind]}{{{words}}}" if kind in COMMANDS else words

    def _write_sign(self, tag: str, attributes: Mapping[str, str], text: str) -> str:
        """A sign of a formula; a name of several letters is upright."""
        del attributes
        if tag in ("mtext", "ms"):
            return rf"\text{{{self.escape(text)}}}"
        # a minus, and no hyphen; \textless{} of a text -> \text{\textless{}}
        signs = self.escape(text).replace("-{}", "-")
        signs = re.sub(r"\\text[a-z]+(?:\{\})?", lambda match: rf"\text{{{match[0]}}}", signs)
        if tag == "mi" and len(text) > 1:
            return rf"\mathrm{{{signs}}}"
        return f"{{{signs}}}" if tag == "mi" else signs


def _find_command(character: str) -> str:
    """The command for a character, or itself if each LaTeX has it; "" if there is none."""
    if character in SIGNS:
        return SIGNS[character]
    if _KNOWN_LETTER.match(character):
        return character
    # \cyrchar\CYRA of Cyrillic needs a font that the preamble does not load
    command = find_command_of_sign(character)
    names = re.findall(r"\\([A-Za-z]+)", command)
    is_foreign = any(name in FOREIGN_COMMANDS or name[:3].upper() == "CYR" for name in names)
    return "" if is_foreign else command


def escape_url(url: str) -> str:
    r"""A URL in \href: "a%20b#c" -> "a\%20b\#c"."""
    escaped = {"%": r"\%", "#": r"\#"}
    return re.sub(r"[%#\\{}^ ]", lambda match: escaped.get(match[0]) or rf"\%{ord(match[0]):02X}", url)
