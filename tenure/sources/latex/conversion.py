r"""
Convert LaTeX in titles and names to text and Markdown, with a fast path for values without commands.

The objects: a _LatexReader reads one value from left to right, in runs of plain text and tokens (a command
with its arguments, a group in braces, a formula, a quotation mark or dash); DecodedLatex is what it found.
\emph{G\"odel} wrote $x^2$ -> *Gödel* wrote $x^2$

HTML and Markdown in a value, as publishers and al-folio write it, are converted first:
<jats:p>Looms <jats:italic>weave</jats:italic> *&amp; spin*.</jats:p> -> Looms <i>weave</i> \emph{\& spin}.
"""

import html
import re
import unicodedata
from collections.abc import Mapping
from html.entities import name2codepoint
from itertools import takewhile

from tenure.limits import cache_texts
from tenure.model.latex_signs import find_sign_of_command
from tenure.model.links import is_safe_url, is_valid_url
from tenure.record import Record
from tenure.sources.latex.braces import compile_pattern, find_closing_sign
from tenure.sources.latex.commands import (
    ACCENT_COMMANDS,
    DROPPED_COMMANDS,
    FONT_DECLARATIONS,
    HTML_WRAPPERS,
    JOURNAL_MACROS,
    MARKDOWN_WRAPPERS,
    SYMBOL_COMMANDS,
    TRANSPARENT_COMMANDS,
)

MAX_NESTING_DEPTH = 60
"""Maximum nesting of groups and arguments; deeper commands and braces are ignored."""

HTML_TAG = r"""(?x)
    <(?P<slash>/?)(?P<name>b|br|code|em|i|span|strong|sub|sup|u)
    (?:\ (?P<known>class="nocase"|style="font-variant:\ ?small-caps;?")|\s[^<>]*)?/?>  # <span class="nocase">
"""
"""
An HTML tag in a title, as publishers and Zotero export it.

Only the two attributes that Zotero writes are copied:
the files have other authors, and a style could cover the page.
"""


class DecodedLatex(Record):
    """A decoded value, the unknown commands in it, and the URLs in it that cannot be linked."""

    text: str
    unknown_commands: tuple[str, ...] = ()
    unsafe_urls: tuple[str, ...] = ()


LIGATURES: Mapping[str, str] = {"``": "“", "`": "‘", "''": "”", "--": "–", "---": "—"}

_SPECIAL_SIGN = r"[\\{}$~`*_<>\[\]]|--|''"
"""What has a meaning in LaTeX or Markdown; a value without it is read as it is."""


@cache_texts
def latex_to_markdown(value: str, is_text: bool = False) -> DecodedLatex:
    """
    A BibTeX value as Markdown: with formatting, with formulas as `$…$`, with Markdown characters escaped.

    `is_text`: the value is a running text, in which URLs become links and HTML elements become paragraphs.
    """
    value = convert_markup(value, is_text=is_text)
    has_urls = is_text and "://" in value
    if not has_urls and not compile_pattern(_SPECIAL_SIGN).search(value):
        return DecodedLatex(_escape_block_starts(_normalize_spaces(value)))
    reader = _LatexReader(value, markdown=True, links_urls=has_urls)
    text = _escape_block_starts(_normalize_spaces(reader.read_all())).replace("![", "\\![")
    return DecodedLatex(text, tuple(reader.unknown_commands), tuple(reader.unsafe_urls))


@cache_texts
def latex_to_text(value: str) -> DecodedLatex:
    """A BibTeX value as plain text: for names, short venue names and keywords."""
    value = remove_markup(value)
    if not compile_pattern(_SPECIAL_SIGN).search(value):
        return DecodedLatex(_normalize_spaces(value).replace("\u00a0", " "))
    reader = _LatexReader(value, markdown=False)
    text = _normalize_spaces(reader.read_all()).replace("\u00a0", " ")
    return DecodedLatex(text, tuple(reader.unknown_commands))


_TEXT_SIGN = (
    r"\\(?P<sign>[_&%#~${}])(?:\{\})?|\\text(?P<name>underscore|asciitilde)(?:\{\}|\s+)?|\$\\(?P<tilde>sim)\$"
)
r"""A sign that LaTeX escapes: \&, \_{}, \textasciitilde, $\sim$."""

_ESCAPED_SIGN = rf"{_TEXT_SIGN}|\\string"
_BRACED_SIGN = rf"\{{(?:{_TEXT_SIGN})\}}"
"""A sign in braces, as Mendeley writes it: "{\\&}", "{\\~{}}"."""

_TEXT_COMMANDS: Mapping[str, str] = {"underscore": "_", "asciitilde": "~", "sim": "~"}


def latex_to_url(value: str) -> str:
    r"""A URL without TeX escapes and braces around it: "{https://a.org/b\_c}" -> "https://a.org/b_c"."""
    # most URLs have none of these signs
    if not compile_pattern(r"[\s\\{}$<\"]").search(value):
        return value
    url = re.sub(_BRACED_SIGN, _unescape_match, " ".join(find_link_target(value).split()))
    # {{https://a.org}}, but not {a}{b}
    for _ in range(MAX_NESTING_DEPTH):
        if not (url.startswith("{") and url.endswith("}")) or "}" in url.rstrip("} "):
            break
        url = url[1:-1].strip()
    # "https://a.org" in quotes, \url{https://a.org}
    if len(url) > 1 and url[0] == url[-1] == '"':
        url = url[1:-1].strip()
    wrapped = re.fullmatch(r"\\url\s*\{(.*)\}", url)
    return re.sub(_ESCAPED_SIGN, _unescape_match, wrapped[1] if wrapped else url)


def _unescape_match(match: re.Match[str]) -> str:
    return match["sign"] or _TEXT_COMMANDS.get(match["name"] or match["tilde"] or "", "")


_EMPTY_LINE = r"\n[ \t]*\n"
_INVISIBLE_SIGN = r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]"
"""Control characters and byte order marks, which are no part of a text."""


def _normalize_spaces(text: str) -> str:
    """White space as single spaces; blank lines separate paragraphs; no invisible signs; NFC."""
    # most texts are short and in ASCII: the whole work below would change nothing else in them
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    text = compile_pattern(_INVISIBLE_SIGN).sub("", text)
    if text.isascii() and not compile_pattern(_EMPTY_LINE).search(text):
        return " ".join(text.split())

    paragraphs = [part for part in compile_pattern(_EMPTY_LINE).split(text) if part.strip(" \t\n")]
    joined = "\n\n".join(re.sub(r"[ \t\n]+", " ", paragraph).strip(" ") for paragraph in paragraphs)
    return unicodedata.normalize("NFC", joined)


_BLOCK_START = r"""(?xm)
    ^(?:\d+(?=[.)](?:\s|$))                 # 1. an item of a list
    |(?=[#>]|[+-](?:\s|$)|--|!!!)           # > a quotation
    |:(?=\s))                               # : a definition
"""


def _escape_block_starts(markdown: str) -> str:
    """Escape the beginnings of paragraphs that Markdown would read as a list, a heading or a quotation."""
    if markdown[:1].isalpha() and "\n" not in markdown:
        return markdown
    return compile_pattern(_BLOCK_START).sub(lambda m: "&#58;" if m[0] == ":" else f"{m[0]}\\", markdown)


_SINGLE_DOLLAR = r"(?<!\\)\$"
_DOUBLE_DOLLAR = r"(?<!\\)\$\$"
# between two signs: $5 and $6; but $2^n $ and $1 = x $ are formulas
_MONEY_AMOUNT = r"\d[^\\^_={}]*\s"
_MATH_COMMAND = r"[\^_]|\\(?:math[a-z]+|text|operatorname|bm|boldsymbol|ast)(?![a-zA-Z])"
r"""What a formula has that is only text: ^ of $^{nd}$, \mathrm of $\mathrm{CO}$."""

_PLAIN_RUN = r"[^\\{}$~`'\-*_\[\]<]+"
"""A run of characters without a meaning in LaTeX, in Markdown or in HTML."""

_COMMAND_NAME = r"(?s)[a-zA-Z]+\*?|.?"
"""The name behind a backslash: emph, section*, or one sign: &."""

_WHITE_SPACE = r"[ \t\n]*"
_DECLARATION = r"\\([a-zA-Z]+)\s*"
r"""\bf, with the space behind it."""

_QUOTE_OR_DASH = r"``?|''?|-+"
_OPTIONAL_ARGUMENT = r"\[[^\[\]{}]*\](?=[\[{])"
r"""[x] of \foo[x]{A}; brackets with no argument behind them are text."""

_RUN_BEFORE_URL = r"(?i)(?:(?!https?://)[^\\{}$~`'\-*_\[\]<])+"
"""The same as _PLAIN_RUN up to a URL, which becomes a link."""

_MARKUP_START = r"\}*[\\{*]"
"""
The start of more markup, perhaps after the ends of groups: Markdown's asterisks could not be next to it.
"""

_TEXT_URL = r"""(?xi)
    https?://(?:\\[_%&#~$](?:\{\})?         # https://a.org/b\_c, or \_{}
    |\{\\[_%&#~$](?:\{\})?\}                # {\_}
    |[^\s\\{}<>\"$])+
"""
_WEB_URL = r"(?i)(?:https?|ftp)://[^<>\s]+"


class _LatexReader:
    """Decodes one value from left to right."""

    def __init__(self, value: str, *, markdown: bool, links_urls: bool = False, depth: int = 0) -> None:
        self._text = value
        self._position = self._token_start = 0
        self._depth = depth
        self._markdown = markdown
        self._links_urls = links_urls
        self._open_tags: list[str] = []
        self._has_ligatures = True
        self._has_unclosed_math = False
        self.unknown_commands: dict[str, None] = {}
        self.unsafe_urls: dict[str, None] = {}

    def read_all(self) -> str:
        """Decode the rest of the value; HTML tags that are never closed are closed at its end."""
        chunks: list[str] = []
        while self._position < len(self._text):
            chunks.append(self._read_run())
        chunks += [f"</{name}>" for name in reversed(self._open_tags)]
        return "".join(chunks)

    def _read_run(self) -> str:
        """The text up to the next special character, or the decoded special character."""
        pattern = compile_pattern(_RUN_BEFORE_URL if self._links_urls else _PLAIN_RUN)
        match = pattern.match(self._text, self._position)
        if match is None:
            is_url = self._links_urls and self._peek_character() in "hH"
            return self._read_url() if is_url else self._read_token()
        self._position = match.end()
        return match[0]

    def _read_token(self) -> str:
        """
        The decoded text that begins with a special character: a command, a group, a formula, a ligature.
        """
        character = self._text[self._position]
        self._token_start = self._position
        self._position += 1
        if character not in "\\{}$~`'-":
            return self._escape_character(character)
        # too deep: braces and backslashes go, the words in them stay
        if self._depth >= MAX_NESTING_DEPTH:
            return "" if character in "\\{}" else self._escape_character(character)

        self._depth += 1
        match character:
            case "\\":
                decoded = self._read_command()
            case "{":
                decoded = self._read_group()
            case "$":
                decoded = self._read_formula()
            case "~":
                decoded = "\u00a0"
            # one without an opening brace
            case "}":
                decoded = ""
            case _:
                decoded = self._read_ligature()
        self._depth -= 1
        return decoded

    def _escape_character(self, character: str) -> str:
        """A character, escaped if it has a meaning in Markdown; an allowed HTML tag as a whole."""
        if not self._markdown:
            return character
        if character == "<":
            tag = compile_pattern(HTML_TAG).match(self._text, self._position - 1)
            if tag:
                self._position = tag.end()
                return self._write_tag(tag)
            return "&lt;"
        return f"\\{character}" if character in "*_[]{}`$\\" else character

    def _write_tag(self, tag: re.Match[str]) -> str:
        """A tag; an end tag also closes the elements inside, <b><i>a</b>, and is dropped if none is open."""
        name = tag["name"]
        if name == "br":
            return "<br>"
        if not tag["slash"]:
            self._open_tags.append(name)
            if tag["known"]:
                return f"<{name} {tag['known']}>"
            return f"<{name}>"
        if name not in self._open_tags:
            return ""
        closed: list[str] = []
        while not closed or closed[-1] != name:
            closed.append(self._open_tags.pop())
        return "".join(f"</{name}>" for name in closed)

    def _read_url(self) -> str:
        """A URL in a running text as a link; punctuation after it is text."""
        match = compile_pattern(_TEXT_URL).match(self._text, self._position)
        if match is None:
            return self._read_token()
        source = match[0].rstrip(".,;:!?'")
        # (see https://a.org/Loom_(weaving)) ends before its last parenthesis
        unopened_count = max(source.count(")") - source.count("("), 0)
        last_count = len(source) - len(source.rstrip(")"))
        source = source[: len(source) - min(unopened_count, last_count)].rstrip(".,;:!?'")
        self._position += len(source)
        return self._format_url(latex_to_url(source))

    def _format_url(self, url: str) -> str:
        """A web address as a link; one without a valid host is text, and noted."""
        is_web_url = re.fullmatch(_WEB_URL, url) is not None
        if self._markdown and is_web_url and is_valid_url(url):
            return f"<{url}>"
        if is_web_url:
            self.unsafe_urls[url] = None
        return "".join(map(self._escape_character, url))

    def _peek_character(self) -> str:
        return self._text[self._position : self._position + 1]

    def _read_group(self) -> str:
        """The decoded content of a group; a font declaration in it formats the rest of the group."""
        chunks: list[str] = []
        commands: list[str] = []
        while self._position < len(self._text) and self._peek_character() != "}":
            declaration = compile_pattern(_DECLARATION).match(self._text, self._position)
            if declaration and declaration[1] in FONT_DECLARATIONS:
                self._position = declaration.end()
                commands.append(FONT_DECLARATIONS[declaration[1]])
                # a mark of the place from which the declaration formats
                chunks.append("\0")
            else:
                chunks.append(self._read_run())
        self._position += 1

        content = "".join(chunks)
        for command in reversed(commands):
            prefix, _, suffix = content.rpartition("\0")
            content = prefix + self._wrap_markup(command, suffix)
        return content

    def _wrap_markup(self, command: str, content: str) -> str:
        """
        The argument of a command with its Markdown around it: emph, "weave " -> "*weave* ".

        As plain text: emph, "weave" -> weave; enquote, "weave" -> “weave”; mkbibbrackets, "weave" -> [weave].
        """
        opening, closing = MARKDOWN_WRAPPERS[command]
        if not self._markdown or not content.strip():
            # plain text has quotation marks and brackets, but no asterisks; the last sign of \[ is the
            # bracket
            if opening[-1] in "“([":
                return f"{opening[-1]}{content}{closing[-1]}"
            return content

        stripped = content.strip()
        if opening in HTML_WRAPPERS and self._needs_html(stripped):
            opening, closing = HTML_WRAPPERS[opening]
        leading = content[: len(content) - len(content.lstrip())]
        trailing = content[len(content.rstrip()) :]
        return f"{leading}{opening}{stripped}{closing}{trailing}"

    def _needs_html(self, emphasized: str) -> bool:
        """
        Whether asterisks around a text would not be read as emphasis: it has some, or is next to markup.
        """
        if "*" in emphasized or compile_pattern(_MARKUP_START).match(self._text, self._position):
            return True
        # CommonMark 0.31, section 6.2: an asterisk between a letter and a sign may not begin or end emphasis
        ends_in_sign = not emphasized[-1].isalnum() and self._peek_character().isalnum()
        return ends_in_sign or not emphasized[0].isalnum()

    def _read_formula(self) -> str:
        """
        A formula between dollar signs: $x^2$, $$x^2$$.

        An unpaired dollar, or one before an amount of money, is a character: "$5 and $6".
        """
        is_display = self._peek_character() == "$"
        start = self._position + is_display
        end = compile_pattern(_DOUBLE_DOLLAR if is_display else _SINGLE_DOLLAR).search(self._text, start)
        if end is None:
            return self._escape_character("$")
        formula = self._text[start : end.start()]
        if not is_display and re.fullmatch(_MONEY_AMOUNT, formula):
            return self._escape_character("$")

        self._position = end.end()
        return self._format_math(" ".join(formula.split()))

    def _format_math(self, latex: str) -> str:
        r"""
        A formula as Markdown; in braces if a letter or digit next to it would make its dollar sign one of
        money.

        x$n$ -> x${n}$. CO$_2$ -> CO$_2$: after a dollar sign, Markdown reads \, ^, _ and { as a formula's.
        """
        if not self._markdown:
            plain_text = re.sub(_MATH_COMMAND, lambda m: "*" if m[0] == "\\ast" else "", latex)
            return _LatexReader(plain_text, markdown=False, depth=self._depth).read_all()

        # a formula has no links, and no image; \ensuremath{x} is x
        link = r"\\href(?![A-Za-z])\s*(?:\{([^{}]*)\})?"
        self.unsafe_urls |= dict.fromkeys(filter(None, re.findall(link, latex)))
        latex = re.sub(link, "", latex).replace("\\ensuremath", "").replace("![", "!{}[")

        begins_with_sign = latex[:1] in ("\\", "^", "_", "{")
        if not latex or begins_with_sign or self._is_formula_separate():
            return f"${latex}$"
        return f"${{{latex}}}$"

    def _is_formula_separate(self) -> bool:
        """
        Whether neither a letter before the formula just read nor a digit after it touches its dollar signs.
        """
        before = self._text[self._token_start - 1 : self._token_start]
        after = self._peek_character()
        is_free_before = not before.strip(" \t\n~([-–—/,;:")
        # $x$2, $x$$y$
        is_free_after = not after.isdecimal() and after != "$"
        return is_free_before and is_free_after

    def _read_ligature(self) -> str:
        """A quotation mark or a dash; typewriter text has no dashes of several hyphens."""
        self._position = self._token_start
        match = self._skip_pattern(_QUOTE_OR_DASH)
        signs = match[0] if match else ""
        if signs.startswith("-") and not self._has_ligatures:
            return signs
        return LIGATURES.get(signs, signs)

    def _read_command(self) -> str:
        r"""Decode a command with its arguments: \"u -> ü, \emph{a} -> *a*, \label{b} -> "", \foo{c} -> c."""
        name = self._read_command_name()
        if not name.isalpha():
            return self._read_control_symbol(name)
        if name in ACCENT_COMMANDS and self._is_before_argument():
            return self._read_accented(ACCENT_COMMANDS[name])
        if name in SYMBOL_COMMANDS:
            return self._read_symbol(SYMBOL_COMMANDS[name])
        if name in MARKDOWN_WRAPPERS:
            return self._read_formatted(name)
        if name in ("url", "href"):
            return self._read_link(name)

        if name == "ensuremath":
            return self._format_math(self._read_raw_argument())
        if name in DROPPED_COMMANDS:
            self._read_raw_argument()
            return ""
        if name in TRANSPARENT_COMMANDS or name in FONT_DECLARATIONS:
            return ""
        return self._read_other_command(name)

    def _is_before_argument(self) -> bool:
        r"""Whether an argument follows a command: \c{c}, \c c, \c\i, not \c-."""
        is_after_space = self._text[self._position - 1].isspace()
        return is_after_space or self._peek_character() in ("{", "\\", "")

    def _read_formatted(self, command: str) -> str:
        """The formatted argument of a command; typewriter text has no ligatures."""
        had_ligatures = self._has_ligatures
        self._has_ligatures = had_ligatures and command != "texttt"
        content = self._read_argument()
        self._has_ligatures = had_ligatures
        return self._wrap_markup(command, content)

    def _read_link(self, command: str) -> str:
        r"""
        A link, or its label if it has no safe URL: \href{https://a.org}{Looms} -> [Looms](<https://a.org>).
        """
        url = latex_to_url(self._read_raw_argument())
        # the label of a link has no links
        links_urls = self._links_urls
        self._links_urls = False
        link_text = self._read_argument() if command == "href" else self._format_url(url)
        self._links_urls = links_urls

        if command == "url" or not self._markdown or not url or not link_text.strip():
            return link_text
        if re.search(r"[<>\n]", url) or url.startswith(("#", "?")) or not is_safe_url(url):
            self.unsafe_urls[url] = None
            return link_text
        return f"[{link_text}](<{url}>)"

    def _read_command_name(self) -> str:
        """
        The name of a command after its backslash, without a star and the spaces after it: "emph* {" -> emph.
        """
        match = self._skip_pattern(_COMMAND_NAME)
        name = match[0] if match else ""
        if name[:1].isalpha():
            self._skip_pattern(_WHITE_SPACE)
            return name.rstrip("*")
        return name

    def _read_control_symbol(self, symbol: str) -> str:
        r"""
        A command that is one sign: an accent (\'e), a formula (\(x\)), a space (\,), or an escaped sign (\&).
        """
        if symbol in ACCENT_COMMANDS:
            return self._read_accented(ACCENT_COMMANDS[symbol])
        if symbol in ("(", "[") and not self._has_unclosed_math:
            closing = "\\)" if symbol == "(" else "\\]"
            end = self._text.find(closing, self._position)
            if end >= 0:
                latex = self._text[self._position : end]
                self._position = end + 2
                return self._format_math(latex.strip())
            # so that a value with many \( is not searched again for each
            self._has_unclosed_math = True

        # a place to break a word, and spaces that only correct the type
        if symbol in ("-", "/", "!", "@"):
            return ""
        if symbol == ",":
            return "\u2009"
        # wider spaces, and a break of a line
        if symbol in (";", ":", " ", "\n", "\\", ">"):
            return " "
        # a backslash at the end of the text has no symbol
        return self._escape_character(symbol or "\\")

    def _read_symbol(self, characters: str) -> str:
        r"""The characters of a command; the braces after it, which only end its name, are skipped: \o{}."""
        if self._text[self._position : self._position + 2] == "{}":
            self._position += 2
        return self._escape_character(characters) if len(characters) == 1 else characters

    def _read_argument(self) -> str:
        """Decode the next group or character."""
        if self._peek_character() == "{":
            self._position += 1
            return self._read_group()
        return self._read_token() if self._peek_character() else ""

    def _read_raw_argument(self) -> str:
        """The source text of the next group without its braces."""
        if self._peek_character() != "{":
            return ""
        start = self._position + 1
        end = find_closing_sign(self._text, self._position)
        self._position = min(end + 1, len(self._text))
        return self._text[start:end]

    def _read_accented(self, accent: str) -> str:
        """The argument with an accent on its first letter."""
        while self._peek_character().isspace():
            self._position += 1
        letters = self._read_argument()
        # \~{} and \^{} are signs
        if not letters:
            return {"\u0303": "~", "\u0302": "^"}.get(accent, "")

        first_letter = letters[0]
        other_letters = letters[1:]
        # an accent above replaces the dot of an i; a dot or a bar below does not
        if accent not in "\u0323\u0331":
            first_letter = {"ı": "i", "ȷ": "j"}.get(first_letter, first_letter)
        marks = "".join(takewhile(unicodedata.combining, other_letters))
        letter = unicodedata.normalize("NFC", first_letter + marks + accent)
        return letter + other_letters[len(marks) :]

    def _skip_pattern(self, pattern: str) -> re.Match[str] | None:
        """The match of a pattern at the position, which is moved behind it; None if it does not match."""
        match = compile_pattern(pattern).match(self._text, self._position)
        self._position = match.end() if match else self._position
        return match

    def _read_other_command(self, name: str) -> str:
        """
        A journal macro, a character, or the text of an unknown command: its arguments, or else its name.

        \apj -> The Astrophysical Journal, \foo[x]{A}{B} -> "A B", \foo -> "foo"; `unknown_commands` has the
        names of the last two.
        """
        if characters := JOURNAL_MACROS.get(name) or find_sign_of_command(name):
            return "".join(map(self._escape_character, characters))

        # the space behind a name ends it, and is shown behind a word: \foo bar -> foo bar
        has_space = self._text[self._position - 1].isspace()
        entity = name2codepoint.get(name)
        if entity and self._peek_character() != "{":
            character = self._escape_character(chr(entity))
            return f"{character} " if has_space else character

        # citations are resolved elsewhere; the command that ends an unknown one has no text
        if "cite" not in name.casefold():
            if name.startswith("end") and f"\\{name[3:]}" in self.unknown_commands:
                return ""
            self.unknown_commands[f"\\{name}"] = None
        while self._skip_pattern(_OPTIONAL_ARGUMENT):
            has_space = False
        arguments: list[str] = []
        while self._peek_character() == "{":
            arguments.append(self._read_argument())
        text = " ".join(filter(str.strip, arguments)) or name
        return f"{text} " if has_space and not arguments else text


FORMAT_TAGS = frozenset({"i", "b", "em", "strong", "sub", "sup", "u", "code", "br", "span"})
"""HTML tags that are shown."""

_PARAGRAPH_TAGS = frozenset(
    """
    p div sec section abstract title li ul ol dl dd dt tr table blockquote center h1 h2 h3 h4 h5 h6
    jats:p jats:sec jats:title jats:list jats:list-item
    """.split()
)
_OTHER_TAGS = frozenset(
    """
    a big del font img inline-formula ins math mn mo mrow mi msub msup
    mml:math mml:mi mml:mn mml:mo mml:mrow mml:msub mml:msup
    q s sc scp small strike td th tt underline monospace
    jats:inline-formula jats:alternatives jats:tex-math jats:xref jats:styled-content jats:ext-link
    jats:underline
    """.split()
)
_TAG_NAMES = {
    "bold": "b",
    "inf": "sub",
    "italic": "i",
    "jats:bold": "b",
    "jats:italic": "i",
    "jats:monospace": "code",
    "jats:sc": "span",
    "jats:sub": "sub",
    "jats:sup": "sup",
}
"""
Tags of publishers that mean a tag of HTML. Source: ANSI/NISO Z39.96 (JATS), which Crossref uses in abstracts.
"""

_TAG = r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)(?P<rest>(?:\s[^<>]*)?/?)>"
"""<i>, </jats:p>, <br/>."""

_HREF = r"""(?i)\shref\s*=\s*["']?(https?://[^\s"'<>{}\\]+)"""
"""href="https://a.org" of a start tag."""

_LINK_ELEMENT = r"(?i)<a(?P<attributes>\s[^<>]*)>(?P<label>[^<>]*)</a>"
"""<a href="https://a.org">Looms</a>."""

_MARKDOWN_EMPHASIS = r"""(?x)
    (?<![\w*\\$])(?P<stars>\*\*?)(?=[^\s*])
    (?P<text>[^*\n{}$\\]{1,400}?)
    (?<=\S)(?P=stars)(?![\w*])                      # *weave*, **weave**
"""
_MARKDOWN_LINK = r"""(?x)
    (?<![!\\\w])\[(?P<label>[^\[\]{}\n]{1,400})\]
    \((?P<url>https?://[^\s(){}\\]{1,2000})\)       # [Looms](https://a.org)
"""
_ENTITY = r"(?<!\\)&(?:[A-Za-z]{2,31}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});"
r"""&amp;, &#38;, &#x26;; \& is a sign of LaTeX."""


def convert_markup(value: str, *, is_text: bool) -> str:
    """
    A value with LaTeX instead of Markdown, HTML entities and links, and without HTML that is not shown.

    "*Looms* &amp; <i>wool</i>" -> "\\emph{Looms} \\& <i>wool</i>". Only tags that are known are changed, so
    that
    "n <k" stays.
    `is_text`: the value may have links and paragraphs.
    """
    if "*" in value:
        value = re.sub(_MARKDOWN_EMPHASIS, _convert_emphasis, value)
    if "](" in value:
        value = re.sub(_MARKDOWN_LINK, r"\\href{\g<url>}{\g<label>}" if is_text else r"\g<label>", value)
    value = _unescape_entities(value)
    if "<" not in value or ">" not in value:
        return value

    value = re.sub(_LINK_ELEMENT, _convert_link if is_text else r"\g<label>", value)
    elements = _list_elements(value)
    separator = "\n\n" if is_text else " "
    return re.sub(_TAG, lambda tag: _convert_tag(tag, elements, separator), value)


def _convert_tag(tag: re.Match[str], elements: frozenset[str], separator: str) -> str:
    """A tag as it is shown: <jats:italic> -> <i>; a paragraph -> the separator; <font> -> ""."""
    name = tag["name"].casefold()
    if name not in elements:
        return tag[0]
    if name in FORMAT_TAGS:
        is_empty = tag["rest"].endswith("/") and name != "br"
        if is_empty:
            return ""
        return f"<{tag['end']}{name}{tag['rest']}>"
    if name in _TAG_NAMES:
        return f"<{tag['end']}{_TAG_NAMES[name]}>"
    if name in _PARAGRAPH_TAGS:
        return separator
    return "" if name in _OTHER_TAGS else tag[0]


def remove_markup(value: str) -> str:
    """A value without HTML tags that are known, for names and other plain texts."""
    value = _unescape_entities(value)
    if "<" not in value or ">" not in value:
        return value
    elements = _list_elements(value)
    return re.sub(_TAG, lambda tag: _remove_tag(tag, elements), value)


def _remove_tag(tag: re.Match[str], elements: frozenset[str]) -> str:
    """What stays of a tag in a plain text: <br> -> a space, <i> -> "", an unknown <k> -> <k>."""
    name = tag["name"].casefold()
    if name not in elements:
        return tag[0]
    if name in _PARAGRAPH_TAGS or name == "br":
        return " "
    is_known = name in FORMAT_TAGS or name in _OTHER_TAGS or name in _TAG_NAMES
    return "" if is_known else tag[0]


def find_link_target(value: str) -> str:
    """
    The URL of an HTML link, which some people write into a field for a URL; any other value is unchanged.
    """
    url = re.search(_HREF, value) if "<a" in value.casefold() else None
    return url[1] if url else value


def _list_elements(value: str) -> frozenset[str]:
    """
    The elements in a value: those that are shown, images, paragraphs, and any other that begins and ends.
    """
    tags = [(tag["name"].casefold(), bool(tag["end"])) for tag in re.finditer(_TAG, value)]
    opened_names = {name for name, is_end in tags if not is_end}
    ended_names = {name for name, is_end in tags if is_end}
    return FORMAT_TAGS | {"p", "img"} | (opened_names & ended_names)


def _convert_emphasis(match: re.Match[str]) -> str:
    command = "emph" if len(match["stars"]) == 1 else "textbf"
    return rf"\{command}{{{match['text']}}}"


def _unescape_entities(value: str) -> str:
    r"""A value with the characters of its entities: "R&amp;D" -> r"R\&D"."""
    if "&" not in value:
        return value
    return compile_pattern(_ENTITY).sub(_unescape_entity, value)


def _unescape_entity(entity: re.Match[str]) -> str:
    character = html.unescape(entity[0])
    return rf"\{character}" if character in "&%#$_{}" else character


def _convert_link(element: re.Match[str]) -> str:
    r"""<a href="https://a.org">Looms</a> -> \href{https://a.org}{Looms}; without a web address its label."""
    label = element["label"]
    url = re.search(_HREF, element["attributes"])
    if url:
        return rf"\href{{{url[1]}}}{{{label}}}"
    return label
