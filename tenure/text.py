"""Markdown to HTML, inline HTML and plain text, and slugs; pure functions with cached results."""

import hashlib
import html
import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from tenure.blocks import ENGLISH, Wording
from tenure.frozen import dataclass

LAST_LATIN = "\u024f"
INVISIBLE = "'’‘\u00ad\u200b\u200c\u200d\u2060"
"""Characters that a slug drops without a hyphen: apostrophes and characters of zero width."""

_PLAIN = re.compile(r"(?!.*~~)[^-:!=+#@~|^{}\\`*_\[\]<>&$\n\t\r\x02\x03][^\\`*_\[\]<>&$\n\t\r\x02\x03]*")
_STARTS_BLOCK = re.compile(r"(?:\d+[.)]|[-+>#=:])(?:\s|$)")
_MARKED = re.compile(
    r"(?<![*\w])(\*\*?)(?![\s*])([^*\\`_\[\]<>&${}\n\t\r\x02\x03]+)(?<!\s)\1(?![*\w{])"
    r"|(?<![!\w\])])\[([^*\\`_\[\]<>&${}!|@\n\t\r\x02\x03]+)\]\((https?://[\w./~%+=,;?-]+|/[\w./~%+-]*(?:\#[\w-]+)?)\)(?![\w({\[])"
    r"|\\([*_\[\]#`{}$])"
)
"""Emphasis, strong emphasis and links around plain text without other Markdown; and escaped characters."""
SIGNS: Mapping[str, str] = {"--": "–", "---": "—", "...": "…"}
_UNSPACED = r'(?<=[\u3001-\u9fff\uac00-\ud7a3])"([^"]+)"'
"""Quotes after a letter of a script without spaces; compiled only when needed, as that takes 2 ms."""

_SIGNS = re.compile(r"\w+://\S+|-+|\.{2,}")
_TAG = re.compile(
    r"(<(?:pre|code|math|kbd|script|style|samp|svg)\b.*?</(?:pre|code|math|kbd|script|style|samp|svg)>|<[^>]*>)",
    re.DOTALL,
)
_TYPED = re.compile(r"""(<[a-zA-Z][\w-]*)((?:[^<>"']|"[^"]*"|'[^']*')*>)""")
"""A tag as authors write it."""

_VALUE = re.compile(
    r"""(?<![^\s"'])([^\s"'<>/=]+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'<>=`]+))"""
)
_HEADING = re.compile(r"(</?h)([1-6])\b")
_OWN_HEADING = re.compile(r'<h([1-6])([^>]*\sid="([^"]*)"[^>]*)>(.*?)</h\1>', re.DOTALL)
_LINKS = re.compile(r"<sup id=.*?</sup>|</?a\b[^>]*>")
_CONTENTS = "<p>[TOC]</p>"
_FOOTNOTE = re.compile(r'(\s(?:id="|href="#)fn(?:ref\d*)?:)')


@lru_cache(maxsize=65536)
def to_html(text: str, level: int = 2, wording: Wording = ENGLISH) -> str:
    """
    A Markdown text as blocks of HTML; its topmost heading becomes `<h{level}>`.

    Several texts can be on one page, so their anchors must be unique: footnotes contain a digest of the text, and only
    a text of level 2, which is a page of its own, has anchors of headings and a table of contents.
    """
    trimmed = text.strip("\n").rstrip()
    if not trimmed:
        return ""
    simple = _paragraphs(trimmed)
    if simple is not None:
        return smart(simple)
    made = _at_level(_converted(trimmed, "page" if level <= 2 else "blocks", wording), level)
    if level <= 2:
        made = _OWN_HEADING.sub(_linked, made)
    if _CONTENTS in made:
        made = made.replace(_CONTENTS, _contents(made, wording) if level <= 2 else "")
    return smart(_apart(made, trimmed))


@lru_cache(maxsize=65536)
def inline(text: str) -> str:
    """A Markdown text as inline HTML for a heading, cell or list item; block syntax is not interpreted."""
    if not text.strip():
        return ""
    if _PLAIN.fullmatch(text.strip()):
        return smart(text.strip())
    simple = _line(text.strip())
    if simple is not None:
        return smart(simple)
    lines = "\n".join(line.strip() for line in text.strip().split("\n") if line.strip())
    return smart(_converted(lines, "inline", ENGLISH).removeprefix("<p>").removesuffix("</p>"))


def _converted(text: str, kind: str, wording: Wording) -> str:
    from tenure.dialect import converted  # noqa: PLC0415 - Python-Markdown takes 26 ms to import; plain text does not need it

    made = converted(text, kind, wording, slug)
    return _TYPED.sub(_tidy, made) if "<" in text else made


def _tidy(tag: re.Match[str]) -> str:
    """A tag in normal form: names in lower case, values in double quotes."""
    return tag[1].lower() + _VALUE.sub(_attribute, tag[2])


def _attribute(found: re.Match[str]) -> str:
    value = found["double"] or found["single"] or found["bare"] or ""
    return f'{found[1].lower()}="{value.replace(chr(34), "&quot;")}"'


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text: its anchor, its title as HTML, and the headings one level below it."""

    id: str
    words: str
    below: tuple["Heading", ...] = ()


def headings(made: str) -> tuple[Heading, ...]:
    """The headings of the two topmost levels in the HTML of a text, in order."""
    found = _OWN_HEADING.findall(made)
    top = min((level for level, *_ in found), default="")
    second = min((level for level, *_ in found if level != top), default="")
    result: list[Heading] = []
    for level, _, anchor, words in found:
        heading = Heading(anchor, _LINKS.sub("", words))
        if level == top:
            result.append(heading)
        elif level == second and result:
            result[-1] = replace(result[-1], below=(*result[-1].below, heading))
    return tuple(result)


def _linked(found: re.Match[str]) -> str:
    """A heading as a link to itself, so that readers can copy its URL."""
    level, attributes, anchor, words = found.groups()
    if "<a " in words:
        return found[0]
    return f'<h{level}{attributes}><a class="self" href="#{anchor}">{words}</a></h{level}>'


def _contents(made: str, wording: Wording) -> str:
    lines = _contents_lines(headings(made))
    label = html.escape(wording.contents)
    return (
        f'<nav class="toc" aria-label="{label}"><p class="label">{label}</p>\n<ol>\n{lines}</ol></nav>'
        if lines
        else ""
    )


def _contents_lines(found: Sequence[Heading]) -> str:
    """The list items of a table of contents; the headings one level below are a nested list."""
    made = ""
    for heading in found:
        below = f"<ol>\n{_contents_lines(heading.below)}</ol>" if heading.below else ""
        made += f'<li><a href="#{heading.id}"><span>{heading.words}</span></a>{below}</li>\n'
    return made


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """A Markdown text without markup."""
    stripped = text.strip()
    if _PLAIN.fullmatch(stripped):
        return smart(" ".join(stripped.split()))
    made = inline(stripped) if "\n\n" not in stripped else to_html(stripped)
    made = re.sub(r"<[^>]*>", "", made.replace("<br>", " "))
    return html.unescape(" ".join(made.split()))


@lru_cache(maxsize=65536)
def slug(text: str) -> str:
    """
    A name for URLs and anchors: lower case, letters and digits of any script, hyphens.

    Latin letters lose their accents; in other scripts marks are part of the word (が is not か, हिन्दी not हनद).
    """
    kept: list[str] = []
    for character in unicodedata.normalize("NFKD", text).casefold():
        is_mark = unicodedata.category(character)[0] == "M"
        if character.isalnum() or (is_mark and kept and kept[-1] > LAST_LATIN):
            kept.append(character)
        elif not is_mark and character not in INVISIBLE and kept and kept[-1] != "-":
            kept.append("-")
    return unicodedata.normalize("NFC", "".join(kept).strip("-"))


def unique(wanted: str, taken: Container[str]) -> str:
    """A name that is not used yet: "talks", then "talks-2" and so on."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}-{number}", number + 1
    return name


def _paragraphs(text: str) -> str | None:
    """The HTML of paragraphs with only plain text, emphasis and links; None if Python-Markdown is needed."""
    made: list[str] = []
    for part in text.split("\n\n"):
        lines = [_line(line) for line in part.split("\n")]
        whole = [line for line in lines if line is not None and line == line.strip()]
        if len(whole) < len(lines) or any(map(_STARTS_BLOCK.match, whole)):
            return None
        made.append("<p>" + "\n".join(whole) + "</p>")
    return "\n".join(made)


def _line(text: str) -> str | None:
    """The HTML of a line with only plain text, emphasis and links; None if Python-Markdown is needed."""
    if "~~" in text:
        return None
    if "*" not in text and "[" not in text and "\\" not in text:
        return text if _PLAIN.fullmatch(text) else None
    if not _PLAIN.fullmatch(_MARKED.sub("x", text)):
        return None
    return _MARKED.sub(_element, text)


def _element(found: re.Match[str]) -> str:
    if found[5]:
        return found[5]
    if found[4]:
        return f'<a href="{found[4]}">{found[3]}</a>'
    name = "strong" if len(found[1]) == 2 else "em"
    return f"<{name}>{found[2]}</{name}>"


def smart(made: str) -> str:
    """Replace quotes, dashes and dots in HTML by typographic ones, outside code and formulas."""
    if not ("'" in made or '"' in made or "--" in made or "..." in made):
        return made
    parts = _TAG.split(made)
    before = ""
    for i in range(0, len(parts), 2):
        parts[i] = _curled(parts[i], before)
        before = parts[i][-1:] or before
        if i + 1 < len(parts) and parts[i + 1].count("<") > 1:
            before = "x"  # an element such as code counts as a word: `vLLM`'s
    return "".join(parts)


def quoted(made: str, opening: str, closing: str) -> str:
    """Replace the typographic quotes in HTML by those of a language, outside code and formulas."""
    parts = _TAG.split(made)
    parts[::2] = [part.replace("“", opening).replace("”", closing) for part in parts[::2]]
    return "".join(parts)


_FOREIGN_TAG = re.compile(r"(\{%.*?%\}|\{\{.*?\}\})", re.DOTALL)


def _curled(words: str, before: str) -> str:
    """Make the quotes of a text after the character `previous` typographic, outside template tags of other generators."""
    if "{%" in words or "{{" in words:
        pieces = _FOREIGN_TAG.split(words)
        pieces[::2] = [_curled_words(piece, before if i == 0 else "x") for i, piece in enumerate(pieces[::2])]
        return "".join(pieces)
    return _curled_words(words, before)


def _curled_words(words: str, before: str) -> str:
    words = _SIGNS.sub(lambda m: SIGNS.get(m[0], m[0]), words)
    words = re.sub(r"'(?=\d\d(?:\D|$))", "’", words)
    if not words.isascii():
        words = re.sub(_UNSPACED, r"“\1”", words)
    joined = before + words
    joined = re.sub(r"(?<=[^\s(\[{—–/\"“])'", "’", joined)
    joined = re.sub(r'(?<=[^\s(\[{—–/\'‘])"', "”", joined)
    return joined[len(before) :].replace("'", "‘").replace('"', "“")


def _at_level(made: str, level: int) -> str:
    """Shift headings so that the topmost has the given level, and no level is skipped."""
    levels = sorted({int(n) for _, n in _HEADING.findall(made)})
    if not levels:
        return made
    new = {old: min(6, level + rank) for rank, old in enumerate(levels)}
    return _HEADING.sub(lambda m: f"{m[1]}{new[int(m[2])]}", made)


def _apart(made: str, text: str) -> str:
    """Add a digest of the text to the anchors of its footnotes."""
    if 'id="fn' not in made:
        return made
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=3).hexdigest()
    return _FOOTNOTE.sub(rf"\g<1>{digest}-", made)
