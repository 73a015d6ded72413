"""Markdown to HTML, inline HTML, plain words; slugs; pure and memoised."""

import html
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from tenure.formulas import to_mathml

if TYPE_CHECKING:
    from markdown import Markdown

BLOCK_EXTENSIONS = ("extra", "sane_lists", "admonition", "toc")
BROKEN_FORMULA = "formula-unread"

_PLAIN = re.compile(
    r"[^\\`*_\[\]<>&{}$|#~^@!:=+\n-]+(?:[-:!=+#@~|^}{](?=[^\s\[-])[^\\`*_\[\]<>&{}$|#~^@!:=+\n-]+)*"
)
_STARTS_BLOCK = re.compile(r"(?:\d+[.)]|[-+>#=:])(?:\s|$)")
_TAG = re.compile(
    r"(<(?:pre|code|math|kbd|script|style|samp|svg)\b.*?</(?:pre|code|math|kbd|script|style|samp|svg)>|<[^>]*>)",
    re.DOTALL,
)
_HEADING = re.compile(r"(</?h)([1-6])\b")


@lru_cache(maxsize=65536)
def to_html(text: str, level: int = 2) -> str:
    """Blocks of HTML; the topmost heading of the text becomes `<h{level}>`."""
    if not text.strip():
        return ""
    if _is_plain(text):
        return f"<p>{smart(text.strip())}</p>"
    converter = _converter(inline=False)
    converter.reset()
    made = converter.convert(text)
    return smart(_at_level(made, level))


@lru_cache(maxsize=65536)
def inline(text: str) -> str:
    """One run of HTML for a heading, a cell or a line of a list: no blocks, whatever the text begins with."""
    if not text.strip():
        return ""
    if _PLAIN.fullmatch(text.strip()):
        return smart(text.strip())
    converter = _converter(inline=True)
    converter.reset()
    made = converter.convert("\n".join(line.strip() for line in text.strip().split("\n") if line.strip()))
    return smart(made.removeprefix("<p>").removesuffix("</p>"))


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """The words alone, without markup."""
    stripped = text.strip()
    if _PLAIN.fullmatch(stripped):
        return smart(stripped)
    made = inline(stripped) if "\n\n" not in stripped else to_html(stripped)
    return html.unescape(" ".join(re.sub(r"<[^>]*>", "", made).split()))


@lru_cache(maxsize=65536)
def slug(text: str) -> str:
    """A name fit for an address and an anchor: lower case, letters and digits of any script, hyphens."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    bare = re.sub(r"['’‘]", "", bare)
    return unicodedata.normalize("NFC", re.sub(r"[\W_]+", "-", bare).strip("-"))


def _is_plain(text: str) -> bool:
    """Whether Markdown would leave this one line as it is."""
    stripped = text.strip()
    return "\n" not in stripped and bool(_PLAIN.fullmatch(stripped)) and not _STARTS_BLOCK.match(stripped)


def smart(made: str) -> str:
    """Typographic apostrophes, quotes and dashes in the words of HTML, outside code and mathematics."""
    if not ("'" in made or '"' in made or "--" in made):
        return made
    parts = _TAG.split(made)
    before = ""
    for i in range(0, len(parts), 2):
        parts[i] = _curled(parts[i], before)
        before = parts[i][-1:] or before
    return "".join(parts)


def _curled(words: str, before: str) -> str:
    """Curl the quotes of a run of words that follows the character `before`."""
    words = re.sub(r"(?<!-)---(?!-)", "—", words)
    words = re.sub(r"(?<!-)--(?!-)", "–", words)
    words = re.sub(r"'(?=\d\d(?:\D|$))", "’", words)
    joined = before + words
    joined = re.sub(r"(?<=[^\s(\[{—–/\"“])'", "’", joined)
    joined = re.sub(r'(?<=[^\s(\[{—–/\'‘])"', "”", joined)
    return joined[len(before) :].replace("'", "‘").replace('"', "“")


def _at_level(made: str, level: int) -> str:
    """Shift headings so that the topmost one has the wished level, and none skips a level down."""
    levels = sorted({int(n) for _, n in _HEADING.findall(made)})
    if not levels:
        return made
    new = {old: min(6, level + rank) for rank, old in enumerate(levels)}
    return _HEADING.sub(lambda m: f"{m[1]}{new[int(m[2])]}", made)


@cache
def _converter(inline: bool) -> "Markdown":
    from markdown import Markdown  # noqa: PLC0415 - costs 26 ms, and plain text needs none
    from markdown.inlinepatterns import InlineProcessor  # noqa: PLC0415

    class Formula(InlineProcessor):
        """`$x^2$` and `$$x^2$$`; as in pandoc, "$5 and $6" is no formula."""

        def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name
            self, m: re.Match[str], data: str
        ) -> tuple[str, int, int]:
            del data
            latex = m["block"] or m["line"]
            made = to_mathml(latex, bool(m["block"]))
            if made is None:
                made = f'<code class="{BROKEN_FORMULA}">{html.escape(latex, quote=False)}</code>'
            return self.md.htmlStash.store(made), m.start(0), m.end(0)

    converter = Markdown(extensions=[] if inline else list(BLOCK_EXTENSIONS), output_format="html")
    if inline:
        for name in (
            "indent",
            "code",
            "hashheader",
            "setextheader",
            "hr",
            "olist",
            "ulist",
            "quote",
            "reference",
        ):
            converter.parser.blockprocessors.deregister(name)
        converter.preprocessors.deregister("html_block")
    formula = r"(?<!\\)\$\$(?P<block>[^$]+?)\$\$|(?<![\\$\w])\$(?=\S)(?P<line>[^$\n]*?[^\s$\\])\$(?![\d$])"
    converter.inlinePatterns.register(Formula(formula, converter), "formula", 185)
    converter.ESCAPED_CHARS.append("$")
    return converter
