"""Markdown to HTML, inline HTML and plain text, and slugs; pure functions with cached results."""

import hashlib
import html
import re
import unicodedata
from collections.abc import Container, Mapping

from tenure.cache.store import CacheStore
from tenure.limits import MAX_SEGMENT_SIZE, cache_texts
from tenure.markdown.blocks import ENGLISH_LABELS, MarkdownLabels
from tenure.markdown.html_tags import (
    Tag,
    iterate_elements,
    normalize_tags,
    rewrite_elements,
    split_text,
    strip_tags,
)
from tenure.record import Record, replace

PLAIN_TEXT = re.compile(
    r"""
    (?!.*(?:~~|://|www\.|@))                      # no strikethrough, URL or e-mail address
    [^-:!=+\#@~|^{}\\`*_\[\]<>&$\n\t\r\x02\x03]   # no start of a block
    [^\\`*_\[\]<>&$\n\t\r\x02\x03]*             # no markup
    """,
    re.VERBOSE,
)
"""
A line without Markdown, such as most titles: "A title: with 3 signs (and more)!". The parser takes 20 times
longer.
"""

_EMPHASIS = re.compile(
    r"""
    (?<=[\ (])
    (?P<sign>\*\*?)
    (?P<words>[A-Za-z0-9](?:[\w\ ,;-]*[A-Za-z0-9])?)
    (?P=sign)
    (?=[\ ,.;:)]|$)
    """,
    re.VERBOSE,
)
"""Words that are certainly emphasized: "a *small* step"."""


CODE_ELEMENTS = ("pre", "code", "math", "kbd", "script", "style", "samp", "svg")
"""Elements whose text is left as it is written."""


HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@cache_texts
def render_markdown(text: str, level: int = 2, labels: MarkdownLabels = ENGLISH_LABELS) -> str:
    """
    A Markdown text as blocks of HTML; its topmost heading becomes `<h{level}>`.

    Several texts can be on one page, so their anchors must be unique: footnotes contain a digest of the text,
    and only a text of level 2, which is a page of its own, has anchors of headings.
    """
    trimmed = text.strip("\n").rstrip()
    if not trimmed:
        return ""
    if emphasized := _convert_emphasis(trimmed):
        return apply_smart_typography(f"<p>{emphasized}</p>")
    if is_plain_paragraphs(trimmed):
        return apply_smart_typography("<p>" + trimmed.replace("\n\n", "</p>\n<p>") + "</p>")
    markup = _shift_headings(_convert_markdown(trimmed, "page" if level <= 2 else "blocks", labels), level)
    if level <= 2:
        markup = rewrite_elements(markup, _link_heading, *HEADINGS)
    return apply_smart_typography(_make_footnotes_unique(markup, trimmed))


@cache_texts
def render_inline(text: str) -> str:
    """A Markdown text as inline HTML for a heading, cell or list item; block syntax is not interpreted."""
    if not text.strip():
        return ""
    if PLAIN_TEXT.fullmatch(text.strip()):
        return apply_smart_typography(text.strip())
    if emphasized := _convert_emphasis(text.strip()):
        return apply_smart_typography(emphasized)
    lines = "\n".join(line.strip() for line in text.strip().split("\n") if line.strip())
    return apply_smart_typography(
        _convert_markdown(lines, "inline", ENGLISH_LABELS).removeprefix("<p>").removesuffix("</p>")
    )


def _convert_emphasis(text: str) -> str:
    """
    The HTML of one line in which words are emphasized and nothing else is Markdown, else "".

    "An *old* and **wise** man" -> "An <em>old</em> and <strong>wise</strong> man"; the parser takes longer.
    """
    # most texts have none
    if "*" not in text:
        return ""
    rest = _EMPHASIS.sub("", text)
    is_plain = PLAIN_TEXT.fullmatch(rest) and text == text.strip() and not re.match(_BLOCK_START, text)
    return _EMPHASIS.sub(_tag_emphasis, text) if is_plain and rest != text else ""


def _tag_emphasis(match: re.Match[str]) -> str:
    """*small* -> <em>small</em>"""
    tag = "em" if match["sign"] == "*" else "strong"
    return f"<{tag}>{match['words']}</{tag}>"


def use_store(store: CacheStore) -> None:
    """Keep the results of the converter in a store from now on. They do not depend on it."""
    global _store  # templates convert texts by functions without a place for a store
    _store = store


_store = CacheStore()


def _convert_markdown(text: str, kind: str, labels: MarkdownLabels) -> str:
    """The HTML of a text, from the store if it is there; `kind` as in `convert_markdown`."""
    return _store.call(
        "markdown", None, (text, kind, repr(labels)), lambda: _call_converter(text, kind, labels)
    )


def _call_converter(text: str, kind: str, labels: MarkdownLabels) -> str:
    from tenure.markdown.converter import convert_markdown

    markup = convert_markdown(text, kind, labels, make_slug)
    return normalize_tags(markup) if "<" in text else markup


class MarkdownHeading(Record):
    """A heading of a text: its anchor, its title as HTML, and the headings one level below it."""

    id: str
    title: str
    children: tuple["MarkdownHeading", ...] = ()


def find_headings(markup: str) -> tuple[MarkdownHeading, ...]:
    """
    The headings of the two topmost levels in the HTML of a text, in order; the lower ones are in the upper.

    Lower levels are dropped, and so is one above the first upper heading.
    """
    elements = [tag for tag in iterate_elements(markup, *HEADINGS) if tag.attributes.get("id") is not None]
    levels = sorted({tag.name for tag in elements})
    headings: list[MarkdownHeading] = []
    for tag in elements:
        heading = MarkdownHeading(
            tag.attributes["id"] or "", re.sub(r"<sup id=.*?</sup>|</?a\b[^>]*>", "", tag.content)
        )
        if tag.name == levels[0]:
            headings.append(heading)
        elif tag.name == levels[1] and headings:
            headings[-1] = replace(headings[-1], children=(*headings[-1].children, heading))
    return tuple(headings)


def _link_heading(heading: Tag) -> str:
    """A heading as a link to itself, so that readers can copy its URL."""
    anchor = heading.attributes.get("id")
    if anchor is None or "<a " in heading.content:
        return heading.text
    link = f'<a class="self" href="#{anchor}">{heading.content}</a>'
    return f"<{heading.name}{heading.attributes_text}>{link}</{heading.name}>"


@cache_texts
def plain_text(text: str) -> str:
    """A Markdown text without markup."""
    stripped = text.strip()
    if PLAIN_TEXT.fullmatch(stripped):
        return apply_smart_typography(" ".join(stripped.split()))
    markup = render_inline(stripped) if "\n\n" not in stripped else render_markdown(stripped)
    markup = strip_tags(markup.replace("<br>", " "))
    return html.unescape(" ".join(markup.split()))


LAST_LATIN_LETTER = "\u024f"

SLUG_IGNORED_CHARACTERS = "'’‘\u00ad\u200b\u200c\u200d\u2060"
"""Characters that a slug drops without a hyphen: apostrophes and characters of zero width."""


@cache_texts
def make_slug(text: str) -> str:
    """
    A name for URLs and anchors: letters and digits of any script in lower case, hyphens.

    It has at most MAX_SEGMENT_SIZE bytes. Latin letters lose their accents; in other scripts marks are part
    of the word (が is not か, हिन्दी not हनद).
    """
    characters: list[str] = []
    for character in unicodedata.normalize("NFKD", text).casefold():
        # at the start, no hyphen is written
        last = characters[-1] if characters else "-"
        is_mark = unicodedata.category(character)[0] == "M"
        if character.isalnum() or (is_mark and last > LAST_LATIN_LETTER):
            characters.append(character)
        elif not is_mark and character not in SLUG_IGNORED_CHARACTERS and last != "-":
            characters.append("-")

    slug = unicodedata.normalize("NFC", "".join(characters).strip("-"))
    return slug.encode()[:MAX_SEGMENT_SIZE].decode(errors="ignore")


def make_unique(base_name: str, used_names: Container[str]) -> str:
    """A name that is not used yet: "talks", then "talks-2" and so on."""
    name = base_name
    number = 1
    while name in used_names:
        number += 1
        name = f"{base_name}-{number}"
    return name


_BLOCK_START = r"(?:\d+[.)]|[-+>#=:])(?:\s|$)"


def is_plain_paragraphs(text: str) -> bool:
    """Whether a text is only lines without Markdown, in paragraphs separated by one empty line."""
    return all(
        PLAIN_TEXT.fullmatch(line) and line == line.strip() and not re.match(_BLOCK_START, line)
        for block in text.split("\n\n")
        for line in block.split("\n")
    )


def apply_smart_typography(markup: str) -> str:
    """
    Replace quotes, dashes and dots in HTML by typographic ones.

    In code and formulas, quotes are escaped, so that no text looks like an attribute.
    """
    if not ("'" in markup or '"' in markup or "--" in markup or "..." in markup):
        return markup

    segments = split_text(markup, *CODE_ELEMENTS)
    previous = ""
    for i in range(0, len(segments), 2):
        segments[i] = curl_quotes(segments[i], previous)
        previous = segments[i][-1:] or previous
        if i + 1 < len(segments) and segments[i + 1].count("<") > 1:
            # an element such as code counts as a word: `vLLM`'s
            previous = "x"
            segments[i + 1] = _escape_quotes(segments[i + 1])
    return "".join(segments)


def _escape_quotes(element: str) -> str:
    """An element with `"` escaped in its text."""
    segments = split_text(element, "script", "style") if '"' in element else [element]
    segments[::2] = [segment.replace('"', "&quot;") for segment in segments[::2]]
    return "".join(segments)


def localize_quotes(markup: str, opening: str, closing: str) -> str:
    """Replace the typographic quotes in HTML by those of a language, outside code and formulas."""
    segments = split_text(markup, *CODE_ELEMENTS)
    segments[::2] = [segment.replace("“", opening).replace("”", closing) for segment in segments[::2]]
    return "".join(segments)


_TEMPLATE_TAG = r"(?s)(\{%(?:(?!\{%).)*?%\}|\{\{(?:(?!\{\{).)*?\}\})"
"""{% include toc %}, or {{ site.title }}, whose quotes stay straight."""


def curl_quotes(text: str, previous: str) -> str:
    """Make the signs of a text after `previous` typographic, outside template tags of other generators."""
    if "{%" in text or "{{" in text:
        first, *segments = re.split(_TEMPLATE_TAG, text)
        segments[1::2] = [_curl_text(segment, "x") for segment in segments[1::2]]
        return "".join([_curl_text(first, previous), *segments])
    return _curl_text(text, previous)


TYPOGRAPHIC_SIGNS: Mapping[str, str] = {"--": "–", "---": "—", "...": "…"}

_QUOTES_WITHOUT_SPACES = r'(?<=[\u3001-\u9fff\uac00-\ud7a3])"([^"]+)"'
"""Quotes after a letter of a script without spaces; compiled only when needed, as that takes 2 ms."""

_SIGNS = r"\b\w+://\S+|(?<![\w.+-])[\w.+-]++@[\w.-]+|-+|\.{2,}"
"""Dashes and dots; a URL and an e-mail address stay as they are: ada@xn--mller-kva.example."""


def _curl_text(text: str, previous: str) -> str:
    """The signs of a text without markup: "it's" -- '24... -> “it’s” – ’24…"""
    text = re.sub(_SIGNS, lambda m: TYPOGRAPHIC_SIGNS.get(m[0], m[0]), text)
    # '24 -> ’24
    text = re.sub(r"'(?=\d\d(?:\D|$))", "’", text)
    if not text.isascii():
        text = re.sub(_QUOTES_WITHOUT_SPACES, r"“\1”", text)
    combined = previous + text
    # a quote after a letter or a sign closes, also "'" after '"'; all others open
    combined = re.sub(r"(?<=[^\s(\[{—–/\"“])'", "’", combined)
    combined = re.sub(r'(?<=[^\s(\[{—–/\'‘])"', "”", combined)
    return combined[len(previous) :].replace("'", "‘").replace('"', "“")


_HEADING_LEVEL = r"(</?h)([1-6])\b"
"""<h2 and </h2."""


def _shift_headings(markup: str, level: int) -> str:
    """Shift headings so that the topmost has the given level, and no level is skipped."""
    levels = sorted({int(n) for _, n in re.findall(_HEADING_LEVEL, markup)})
    if not levels:
        return markup
    new_levels = {old_level: min(6, level + rank) for rank, old_level in enumerate(levels)}
    return re.sub(_HEADING_LEVEL, lambda m: f"{m[1]}{new_levels[int(m[2])]}", markup)


def _make_footnotes_unique(markup: str, text: str) -> str:
    """Add a digest of the text to the anchors of its footnotes."""
    if 'id="fn' not in markup:
        return markup
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=3).hexdigest()
    return re.sub(r'(\s(?:id="|href="#)fn(?:ref\d*)?:)', rf"\g<1>{digest}-", markup)
