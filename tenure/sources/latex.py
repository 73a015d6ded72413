"""Convert LaTeX in titles and names to text and Markdown, with a fast path for values without commands."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from tenure.frozen import dataclass
from tenure.sources.commands import (
    ACCENTS,
    DECLARATIONS,
    IN_TAGS,
    JOURNALS,
    SWALLOWING,
    SYMBOLS,
    TRANSPARENT,
    WRAPS,
)

DEEPEST = 60
"""Maximum nesting of groups and arguments; deeper commands and braces are ignored."""

IN_HTML = re.compile(
    r"(?P<tag></?(?:i|b|em|strong|sub|sup|u|code|br|span))"
    r"(?: (?P<known>class=\"nocase\"|style=\"font-variant: ?small-caps;?\")| [^<>]*)?(?P<end>/?>)"
)
"""
An HTML tag in a title, as publishers and Zotero export it.

Only the two attributes that Zotero writes are copied: the files have other authors, and a style could cover the page.
"""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded value, and the unknown commands in it."""

    text: str
    unknown: tuple[str, ...] = ()


_BARE = re.compile(r"[^\\{}$~`*_<>\[\]]*")


@lru_cache(maxsize=65536)
def to_markdown(value: str) -> Decoded:
    """A BibTeX value as Markdown: with formatting, with formulas as `$…$`, with Markdown characters escaped."""
    if _BARE.fullmatch(value) and "--" not in value and "''" not in value:
        return Decoded(_unblocked(_spaced(value)))
    reader = _Reader(value, markdown=True)
    return Decoded(_unblocked(_spaced(reader.run())), tuple(dict.fromkeys(reader.unknown)))


@lru_cache(maxsize=65536)
def to_text(value: str) -> Decoded:
    """A BibTeX value as plain text: for names, short venue names and keywords."""
    if _BARE.fullmatch(value) and "--" not in value and "''" not in value:
        return Decoded(_spaced(value).replace("\u00a0", " "))
    reader = _Reader(value, markdown=False)
    return Decoded(_spaced(reader.run()).replace("\u00a0", " "), tuple(dict.fromkeys(reader.unknown)))


_ESCAPED = re.compile(r"\\([_&%#~${}])(?:\{\})?|\\text(underscore|asciitilde)(?:\{\}|\s+)?|\\string")
_IN_BRACES = re.compile(r"\{\\(?:([_%])|text(underscore|asciitilde))\}")
_BEHIND: Mapping[str, str] = {"underscore": "_", "asciitilde": "~"}


def to_address(value: str) -> str:
    """A URL without TeX escapes and surrounding braces; nothing else is changed."""
    bare = _IN_BRACES.sub(_unescaped, " ".join(value.split()))
    for _ in range(DEEPEST):
        if not (bare.startswith("{") and bare.endswith("}")) or "}" in bare.rstrip("} "):
            break
        bare = bare[1:-1].strip()
    bare = bare[1:-1].strip() if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare
    wrapped = re.fullmatch(r"\\url\s*\{(.*)\}", bare)
    return _ESCAPED.sub(_unescaped, wrapped[1] if wrapped else bare)


def _unescaped(found: re.Match[str]) -> str:
    return found[1] or _BEHIND.get(found[2] or "", "")


_EMPTY_LINE = re.compile(r"\n[ \t]*\n")


def _spaced(text: str) -> str:
    """White space as single spaces; blank lines separate paragraphs; NFC."""
    if text.isascii() and not _EMPTY_LINE.search(text):
        return " ".join(text.split())
    paragraphs = _EMPTY_LINE.split(text.strip(" \t\n"))
    return unicodedata.normalize(
        "NFC", "\n\n".join(re.sub(r"[ \t\n]+", " ", p).strip(" ") for p in paragraphs)
    )


_BLOCK = re.compile(r"^(?:(\d+)(?=\.\s)|(?=[#>]|[+-]\s|--|!!!)|:(?=\s))", re.MULTILINE)


def _unblocked(markdown: str) -> str:
    """Escape the beginnings of paragraphs that Markdown would read as a list, a heading or a quotation."""
    return _BLOCK.sub(lambda m: "&#58;" if m[0] == ":" else f"{m[0]}\\", markdown)


_SINGLE = re.compile(r"(?<!\\)\$")
_DOUBLE = re.compile(r"(?<!\\)\$\$")
_MONEY = re.compile(r"\d[^\\^_={}]*\s")
_IN_MATH = re.compile(r"[\^_]|\\(?:math[a-z]+|text|operatorname|bm|boldsymbol|ast)(?![a-zA-Z])")
_RUN = re.compile(r"[^\\{}$~`'\-*_\[\]<]+")
_NAME = re.compile(r"[a-zA-Z]+\*?|.?", re.DOTALL)
_SPACES = re.compile(r"[ \t\n]*")
_DECLARED = re.compile(r"\\([a-zA-Z]+)\s*")
_UNFIT = re.compile(r"[<>\n]")
_WEB = re.compile(r"(?:https?|ftp)://[^<>\s]+", re.IGNORECASE)


class _Reader:
    """Decodes one value from left to right."""

    def __init__(self, value: str, *, markdown: bool, depth: int = 0) -> None:
        self._text = value
        self._at = self._began = 0
        self._depth = depth
        self._markdown = markdown
        self._ligatures = True
        self._unclosed = False
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
        """Decode the rest of the value."""
        parts: list[str] = []
        while self._at < len(self._text):
            parts.append(self._stretch())
        return "".join(parts)

    def _stretch(self) -> str:
        """The text up to the next special character, or the decoded special character."""
        run = _RUN.match(self._text, self._at)
        if run is None:
            return self._next()
        self._at = run.end()
        return run[0]

    def _next(self) -> str:
        character = self._text[self._at]
        self._began = self._at
        self._at += 1
        reader = self._readers.get(character)
        if reader is None:
            return self._plain(character)
        if self._depth >= DEEPEST:
            return "" if character in "\\{}" else self._plain(character)
        self._depth += 1
        read = reader()
        self._depth -= 1
        return read

    def _plain(self, character: str) -> str:
        """A character, escaped if it has a meaning in Markdown; an allowed HTML tag as a whole."""
        if not self._markdown:
            return character
        if character == "<":
            tag = IN_HTML.match(self._text, self._at - 1)
            if tag:
                self._at = tag.end()
                return f"{tag['tag']} {tag['known']}{tag['end']}" if tag["known"] else tag["tag"] + tag["end"]
            return "&lt;"
        return f"\\{character}" if character in "*_[]{}`$\\" else character

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _group(self) -> str:
        """The decoded content of a group; a font declaration in it formats the rest of the group."""
        parts: list[str] = []
        marks: list[str] = []
        while self._at < len(self._text) and self._peek() != "}":
            declared = _DECLARED.match(self._text, self._at)
            if declared and declared[1] in DECLARATIONS:
                self._at = declared.end()
                marks.append(DECLARATIONS[declared[1]])
                parts.append("\0")
            else:
                parts.append(self._stretch())
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
        if before in IN_TAGS and ("*" in core or self._peek() in ("\\", "{", "*")):
            before, after = IN_TAGS[before]
        left, right = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        return f"{left}{before}{core}{after}{right}"

    def _formula(self) -> str:
        """A formula between dollar signs; an unpaired dollar, or one before an amount of money, is a character."""
        double = self._peek() == "$"
        start = self._at + double
        end = (_DOUBLE if double else _SINGLE).search(self._text, start)
        if end is None or (not double and _MONEY.fullmatch(self._text, start, end.start())):
            return self._plain("$")
        self._at = end.end()
        return self._math(" ".join(self._text[start : end.start()].split()))

    def _math(self, latex: str) -> str:
        """A formula; in braces if a letter or digit next to it would make its dollar sign one of money."""
        if not self._markdown:
            bare = _IN_MATH.sub(lambda m: "*" if m[0] == "\\ast" else "", latex)
            return _Reader(bare, markdown=False, depth=self._depth).run()
        before, after = self._text[self._began - 1 : self._began], self._peek()
        apart = not before.strip(" \t\n~([-–—/,;:") and not after.isdecimal() and after != "$"
        return f"${latex}$" if apart or latex[:1] in ("\\", "^", "_", "{", "") else f"${{{latex}}}$"

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
        start = self._at - 1
        while self._peek() == "-":
            self._at += 1
        run = self._text[start : self._at]
        return {"--": "–", "---": "—"}.get(run, run) if self._ligatures else run

    def _command(self) -> str:
        """Decode a control sequence with its arguments."""
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
            return self._formatted(name)
        if name in ("url", "href"):
            return self._link(name)
        if name == "ensuremath":
            return self._math(self._raw_argument())
        if name in SWALLOWING:
            self._raw_argument()
            return ""
        if name in TRANSPARENT or name in DECLARATIONS:
            return ""
        return self._other(name)

    def _formatted(self, command: str) -> str:
        """The formatted argument of a command; typewriter text has no ligatures."""
        outside, self._ligatures = self._ligatures, self._ligatures and command != "texttt"
        inside = self._argument()
        self._ligatures = outside
        return self._wrapped(command, inside)

    def _link(self, command: str) -> str:
        address = to_address(self._raw_argument())
        words = self._argument() if command == "href" else "".join(map(self._plain, address))
        if not self._markdown or not address:
            return words
        if command == "url" and _WEB.fullmatch(address):
            return f"<{address}>"
        return words if command == "url" or _UNFIT.search(address) else f"[{words}](<{address}>)"

    def _name(self) -> str:
        found = _NAME.match(self._text, self._at)
        word = found[0] if found else ""
        self._at += len(word)
        if word[:1].isalpha():
            spaces = _SPACES.match(self._text, self._at)
            self._at += len(spaces[0]) if spaces else 0
        return word.rstrip("*") if word[:1].isalpha() else word

    def _sign(self, sign: str) -> str:
        if sign in ACCENTS:
            return self._accented(ACCENTS[sign])
        if sign in ("(", "[") and not self._unclosed:
            close = "\\)" if sign == "(" else "\\]"
            end = self._text.find(close, self._at)
            if end >= 0:
                latex = self._text[self._at : end]
                self._at = end + 2
                return self._math(latex.strip())
            self._unclosed = True
        if sign in ("-", "/", "!", "@"):
            return ""
        if sign in (",", ";", ":", " ", "\n", "\\", ">"):
            return "\u2009" if sign == "," else " "
        return self._plain(sign or "\\")

    def _symbol(self, character: str) -> str:
        if self._text[self._at : self._at + 2] == "{}":
            self._at += 2
        return "".join(self._plain(c) for c in character) if len(character) == 1 else character

    def _argument(self) -> str:
        """Decode the next group or character."""
        if self._peek() == "{":
            self._at += 1
            return self._group()
        return self._next() if self._peek() else ""

    def _raw_argument(self) -> str:
        """The source text of the next group without its braces."""
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
        marks = next((i for i, c in enumerate(rest) if not unicodedata.combining(c)), len(rest))
        return unicodedata.normalize("NFC", base + rest[:marks] + accent) + rest[marks:]

    def _other(self, name: str) -> str:
        """A journal macro or a math command outside formulas as text; any other command as written, added to the unknown ones."""
        if known := JOURNALS.get(name) or _sign_of(name):
            return "".join(map(self._plain, known))
        self.unknown.append(f"\\{name}")
        words = self._plain("\\") + name
        if self._peek() != "{":
            return f"{words} " if self._text[self._at - 1].isspace() else words
        while self._peek() == "{":
            words += f"{self._plain('{')}{self._argument()}{self._plain('}')}"
        return words


@cache
def _sign_of(name: str) -> str:
    """The character or word ("lim") of a math command, or ""."""
    from pylatexenc.latex2text import get_default_latex_context_db  # noqa: PLC0415 - few values need it

    shown = getattr(get_default_latex_context_db().get_macro_spec(name), "simplify_repl", None)
    return shown if isinstance(shown, str) and (len(shown) == 1 or shown.isalpha()) else ""
