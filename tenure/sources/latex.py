"""LaTeX in a title or a name to text and Markdown, fast path first."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

ACCENTS: Mapping[str, str] = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "r": "\u030a",
    "k": "\u0328",
    "t": "\u0361",
}
"""Accent commands and the combining characters they set. Source: LaTeX2e manual (latexref), "Accents"."""

SYMBOLS: Mapping[str, str] = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "th": "þ", "TH": "Þ", "ldots": "…", "dots": "…", "textellipsis": "…", "S": "§", "P": "¶", "dag": "†",
    "ddag": "‡", "textdagger": "†", "textdaggerdbl": "‡", "copyright": "©", "textcopyright": "©",
    "textregistered": "®", "texttrademark": "™", "textdegree": "°", "pounds": "£", "textsterling": "£",
    "euro": "€", "texteuro": "€", "textendash": "–", "textemdash": "—", "textquoteleft": "‘",
    "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "guillemotleft": "«",
    "guillemotright": "»", "textasciitilde": "~", "textasciicircum": "^", "textbackslash": "\\",
    "textunderscore": "_", "textbar": "|", "textless": "<", "textgreater": ">", "textasteriskcentered": "*",
    "textbullet": "•", "textperiodcentered": "·", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX",
    "slash": "/", "quad": " ", "qquad": " ", "space": " ", "newline": " ", "par": "\n\n", "textquotedbl": '"',
    "textquotesingle": "'", "textordfeminine": "ª", "textordmasculine": "º", "times": "×", "textmu": "µ",
}  # fmt: skip
"""Commands that stand for a character."""

WRAPS: Mapping[str, tuple[str, str]] = {
    "emph": ("*", "*"),
    "textit": ("*", "*"),
    "textsl": ("*", "*"),
    "textbf": ("**", "**"),
    "texttt": ("<code>", "</code>"),
    "textsc": ('<span class="sc">', "</span>"),
    "textsuperscript": ("<sup>", "</sup>"),
    "textsubscript": ("<sub>", "</sub>"),
    "underline": ("<u>", "</u>"),
    "enquote": ("“", "”"),
}
"""Commands that format their argument, and what stands around it in Markdown."""

DECLARATIONS: Mapping[str, str] = {
    "em": "emph", "it": "textit", "itshape": "textit", "sl": "textsl", "bf": "textbf", "bfseries": "textbf",
    "tt": "texttt", "ttfamily": "texttt", "sc": "textsc", "scshape": "textsc",
}  # fmt: skip
"""Old commands that format the rest of their group."""

TRANSPARENT = frozenset(
    [
        "text",
        "textrm",
        "textup",
        "textmd",
        "textnormal",
        "textsf",
        "mbox",
        "hbox",
        "makebox",
        "protect",
        "relax",
        "natexlab",
        "uppercase",
        "lowercase",
        "MakeUppercase",
        "MakeLowercase",
        "bibinfo",
        "rm",
        "sf",
        "up",
        "normalfont",
        "small",
        "footnotesize",
        "large",
        "boldmath",
        "unboldmath",
        "nobreak",
        "allowbreak",
        "hspace",
        "selectlanguage",
        "url",
    ]
)
SWALLOWING = frozenset({"noopsort", "hskip", "kern", "label", "vspace", "SortNoop", "cite", "footnote"})
IN_HTML = re.compile(r"</?(?:i|b|em|strong|sub|sup|u|code|br|span)(?: [^<>]*)?/?>")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded value, and the commands in it that are not known."""

    text: str
    unknown: tuple[str, ...] = ()


_BARE = re.compile(r"[^\\{}$~`*_<>\[\]]*")


@lru_cache(maxsize=65536)
def to_markdown(value: str) -> Decoded:
    """A BibTeX value as Markdown: formatting kept, mathematics kept as `$…$`, Markdown's own signs escaped."""
    if _BARE.fullmatch(value) and "--" not in value and "''" not in value:
        return Decoded(_spaced(value))
    reader = _Reader(value, markdown=True)
    return Decoded(_spaced(reader.run()), tuple(dict.fromkeys(reader.unknown)))


@lru_cache(maxsize=65536)
def to_text(value: str) -> Decoded:
    """A BibTeX value as plain words: names, venues' short forms, keywords."""
    if _BARE.fullmatch(value) and "--" not in value and "''" not in value:
        return Decoded(_spaced(value))
    reader = _Reader(value, markdown=False)
    return Decoded(_spaced(reader.run()).replace("\u00a0", " "), tuple(dict.fromkeys(reader.unknown)))


_ESCAPED = re.compile(r"\\([_&%#~${}])|\\textunderscore(?:\{\})?|\\textasciitilde(?:\{\})?|\\string")


def to_address(value: str) -> str:
    """An address relieved of TeX's escapes and of braces around it, and of nothing else."""
    bare = " ".join(value.split())
    while bare.startswith("{") and bare.endswith("}"):
        bare = bare[1:-1].strip()
    wrapped = re.fullmatch(r"\\url\s*\{(.*)\}", bare)
    bare = wrapped[1] if wrapped else bare
    return _ESCAPED.sub(
        _unescaped, bare.replace("{\\_}", "_").replace("{\\%}", "%").replace("{\\textasciitilde}", "~")
    )


def _unescaped(found: re.Match[str]) -> str:
    return found[1] or {"\\textu": "_", "\\texta": "~"}.get(found[0][:6], "")


def _spaced(text: str) -> str:
    """Runs of white space as one space, blank lines as paragraphs."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip(" \t\n"))
    return unicodedata.normalize(
        "NFC", "\n\n".join(re.sub(r"[ \t\n]+", " ", p).strip(" ") for p in paragraphs)
    )


class _Reader:
    """One value being read from left to right."""

    def __init__(self, value: str, *, markdown: bool) -> None:
        self._text = value
        self._at = 0
        self._markdown = markdown
        self.unknown: list[str] = []
        self._readers: Mapping[str, Callable[[], str]] = {
            "\\": self._command,
            "{": self._group,
            "}": lambda: "",
            "$": self._formula,
            "~": lambda: "\u00a0",
            "`": self._backtick,
            "'": self._apostrophe,
            "-": self._dash,
        }

    def run(self) -> str:
        """The rest of the value, decoded."""
        parts: list[str] = []
        while self._at < len(self._text):
            parts.append(self._next())
        return "".join(parts)

    def _next(self) -> str:
        character = self._text[self._at]
        self._at += 1
        reader = self._readers.get(character)
        return reader() if reader else self._plain(character)

    def _plain(self, character: str) -> str:
        """A character as itself, escaped where Markdown would read it as a sign."""
        if not self._markdown:
            return character
        if character == "<":
            tag = IN_HTML.match(self._text, self._at - 1)
            if tag:
                self._at = tag.end()
                return tag[0]
            return "&lt;"
        return f"\\{character}" if character in "*_[]`$\\" else character

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _group(self) -> str:
        """The inside of a group; an old declaration in it formats the rest of the group."""
        parts: list[str] = []
        marks: list[str] = []
        while self._at < len(self._text) and self._peek() != "}":
            declared = re.compile(r"\\([a-zA-Z]+)(?![a-zA-Z])\s*").match(self._text, self._at)
            if declared and declared[1] in DECLARATIONS:
                self._at = declared.end()
                marks.append(DECLARATIONS[declared[1]])
                parts.append("\0")
            else:
                parts.append(self._next())
        self._at += 1
        inside = "".join(parts)
        for mark in reversed(marks):
            before, _, after = inside.rpartition("\0")
            inside = before + self._wrapped(mark, after)
        return inside

    def _wrapped(self, command: str, inside: str) -> str:
        if not self._markdown or not inside.strip():
            return f"“{inside}”" if command == "enquote" else inside
        before, after = WRAPS[command]
        core = inside.strip()
        left, right = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        return f"{left}{before}{core}{after}{right}"

    def _formula(self) -> str:
        """Mathematics as written; a dollar without a partner is a dollar."""
        double = self._peek() == "$"
        start = self._at + double
        end = re.compile(r"(?<!\\)\$\$" if double else r"(?<!\\)\$").search(self._text, start)
        if end is None:
            return self._plain("$")
        self._at = end.end()
        latex = " ".join(self._text[start : end.start()].split())
        return self._math(latex)

    def _math(self, latex: str) -> str:
        if self._markdown:
            return f"${latex}$" if latex else ""
        bare = re.sub(
            r"[\^_]|\\(?:mathrm|mathbf|mathit|text|ast)\b", lambda m: "*" if m[0] == "\\ast" else "", latex
        )
        inner = _Reader(bare, markdown=False)
        return inner.run()

    def _backtick(self) -> str:
        if self._peek() == "`":
            self._at += 1
            return "“"
        return "‘"

    def _apostrophe(self) -> str:
        if self._peek() == "'":
            self._at += 1
            return "”"
        return "'"

    def _dash(self) -> str:
        run = re.compile(r"-*").match(self._text, self._at)
        count = 1 + (len(run[0]) if run else 0)
        if count in (2, 3):
            self._at += count - 1
            return "–" if count == 2 else "—"
        return "-"

    def _command(self) -> str:
        """A control sequence, and what it takes with it."""
        name = self._name()
        if not name.isalpha():
            return self._sign(name)
        if name in ACCENTS and (
            self._peek() in ("{", "\\") or self._text[self._at - 1].isspace() or not self._peek()
        ):
            return self._accented(ACCENTS[name])
        if name in SYMBOLS:
            return self._symbol(SYMBOLS[name])
        if name in WRAPS:
            return self._wrapped(name, self._argument())
        if name == "url":
            address = to_address(self._raw_argument())
            return f"<{address}>" if self._markdown else address
        if name == "href":
            address, words = to_address(self._raw_argument()), self._argument()
            return f"[{words}](<{address}>)" if self._markdown else words
        if name == "ensuremath":
            return self._math(self._raw_argument())
        if name in SWALLOWING:
            self._raw_argument()
            return ""
        if name in TRANSPARENT or name in DECLARATIONS:
            return ""
        return self._other(name)

    def _name(self) -> str:
        found = re.compile(r"[a-zA-Z]+\*?|.?", re.DOTALL).match(self._text, self._at)
        word = found[0] if found else ""
        self._at += len(word)
        if word[:1].isalpha():
            spaces = re.compile(r"[ \t\n]*").match(self._text, self._at)
            self._at += len(spaces[0]) if spaces else 0
        return word.rstrip("*") if word[:1].isalpha() else word

    def _sign(self, sign: str) -> str:
        if sign in ACCENTS:
            return self._accented(ACCENTS[sign])
        if sign in ("(", "["):
            close = "\\)" if sign == "(" else "\\]"
            end = self._text.find(close, self._at)
            if end >= 0:
                latex = self._text[self._at : end]
                self._at = end + 2
                return self._math(latex.strip())
        if sign in ("-", "/", "!", "@", ""):
            return ""
        if sign in (",", ";", ":", " ", "\n", "\\", ">"):
            return "\u2009" if sign == "," else " "
        return self._plain(sign) if sign in "&%$#_{}*" else sign

    def _symbol(self, character: str) -> str:
        if self._text[self._at : self._at + 2] == "{}":
            self._at += 2
        return "".join(self._plain(c) for c in character) if len(character) == 1 else character

    def _argument(self) -> str:
        """The next group or character, decoded."""
        if self._peek() == "{":
            self._at += 1
            return self._group()
        return self._next() if self._peek() else ""

    def _raw_argument(self) -> str:
        """The next group as written, without its braces."""
        if self._peek() != "{":
            return ""
        start, depth = self._at + 1, 0
        for i in range(self._at, len(self._text)):
            if self._text[i] in "{}" and self._text[i - 1] != "\\":
                depth += 1 if self._text[i] == "{" else -1
                if depth == 0:
                    self._at = i + 1
                    return self._text[start:i]
        self._at = len(self._text)
        return self._text[start:]

    def _accented(self, accent: str) -> str:
        """The argument with an accent on its first letter."""
        while self._peek().isspace():
            self._at += 1
        letters = self._argument()
        if not letters:
            return {"\u0303": "~", "\u0302": "^"}.get(accent, "")
        first, rest = letters[0], letters[1:]
        base = {"ı": "i", "ȷ": "j"}.get(first, first) if accent not in "\u0323\u0331" else first
        marks = ""
        while rest and unicodedata.combining(rest[0]):
            marks, rest = marks + rest[0], rest[1:]
        return unicodedata.normalize("NFC", base + marks + accent) + rest

    def _other(self, name: str) -> str:
        """A command of mathematics outside mathematics as its character; any other as written, and told."""
        from pylatexenc.latex2text import get_default_latex_context_db  # noqa: PLC0415 - few values need it

        spec = get_default_latex_context_db().get_macro_spec(name)
        shown = getattr(spec, "simplify_repl", None)
        if isinstance(shown, str) and shown and "%" not in shown:
            return shown
        self.unknown.append(f"\\{name}")
        return self._plain("\\") + name + ("" if self._peek() in ("{", "") else " ")
