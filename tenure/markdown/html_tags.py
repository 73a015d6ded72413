"""
Find and rewrite the tags of an HTML text.

A quoted attribute may contain ">". Comments have no tags, and neither have scripts, style sheets, text areas
and titles. Source: HTML Standard, 13.1.2 "Elements" and 13.1.6 "Comments".
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from tenure.record import Record

VOID_ELEMENTS = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
"""Elements without an end tag. Source: HTML Standard, 13.1.2."""

_RAW_TEXT_ELEMENTS = ("script", "style", "textarea", "title")

_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
"""alt="a > b", class=x, or hidden."""

_COMMENT = r"!--.*?(?:-->|\Z)"
"""!-- a comment -->, or one that never ends."""

_TAG_OR_COMMENT = re.compile(
    rf"""<(?:{_COMMENT}|[/!?]?[a-zA-Z][^<>"']*+(?>(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*)>)""", re.DOTALL
)
"""A tag ends before the next "<"; else each of many unclosed tags would be read to the end of the text."""

Attributes = dict[str, str | None]
"""Attributes as written but without quotes; None for an attribute without a value."""


class Tag(Record):
    """
    A start tag with its name in lower case and its attributes as text, and the offset and the text of the
    match.

    `content` is the text between start and end tag, if the match is a whole element.
    """

    name: str
    attributes_text: str
    start: int
    text: str
    content: str

    @property
    def content_start(self) -> int:
        """The offset after the start tag."""
        return self.start + len(f"<{self.name}{self.attributes_text}>")

    @property
    def attributes(self) -> Attributes:
        """The attributes, by name in lower case."""
        attributes: Attributes = {}
        for name, value in _ATTRIBUTE.findall(self.attributes_text):
            attributes.setdefault(name.lower(), _escape_quotes(value) if value else None)
        return attributes

    def format_with(self, attributes: Attributes) -> str:
        """The text of the tag with other attributes, whose values are escaped already."""
        return format_tag(self.name, attributes) + self.text[self.content_start - self.start :]


def iterate_tags(html_text: str, *names: str) -> Iterator[Tag]:
    """
    The start tags with one of the names, or all, in order; a script, style, textarea or title is a whole
    element.
    """
    return _scan_tags(html_text, names, has_content=False)


def read_tag(html_text: str, start: int) -> Tag | None:
    """The start tag at an offset, where no comment begins; None if it has no end."""
    match = _start_tag_pattern(()).match(html_text, start)
    if match is None:
        return None
    return Tag(match["name"].lower(), match["attributes"], start, match[0], "")


def iterate_elements(html_text: str, *names: str) -> Iterator[Tag]:
    """The whole elements with one of the names, in order; each ends at the first end tag of its name."""
    return _scan_tags(html_text, names, has_content=True)


def rewrite_tags(html_text: str, function: Callable[[Tag], str], *names: str) -> str:
    """The text with each tag of `iterate_tags` replaced by the result of a function."""
    return _replace_tags(html_text, iterate_tags(html_text, *names), function)


def rewrite_elements(html_text: str, function: Callable[[Tag], str], *names: str) -> str:
    """The text with each element of `iterate_elements` replaced by the result of a function."""
    return _replace_tags(html_text, iterate_elements(html_text, *names), function)


def format_tag(name: str, attributes: Attributes) -> str:
    """A start tag; the values are escaped already."""
    pairs = (key if value is None else f'{key}="{value}"' for key, value in attributes.items())
    return f"<{' '.join((name, *pairs))}>"


def normalize_tags(html_text: str) -> str:
    """
    The text with the names of start tags and attributes in lower case, and values in double quotes.

    End tags and attributes without a value stay: <B CLASS=x HIDDEN>A</B> -> <b class="x" HIDDEN>A</B>
    """

    def normalize_attribute(match: re.Match[str]) -> str:
        if not match[2]:
            return match[0]
        return f'{match[1].lower()}="{_escape_quotes(match[2])}"'

    def normalize_tag(tag: Tag) -> str:
        attributes = _ATTRIBUTE.sub(normalize_attribute, tag.attributes_text)
        return f"<{tag.name}{attributes}>{tag.text[tag.content_start - tag.start :]}"

    return rewrite_tags(html_text, normalize_tag)


def strip_tags(html_text: str, replacement: str = "") -> str:
    """The text without tags and comments; the content of elements stays."""
    if "<" not in html_text:
        return html_text
    return _TAG_OR_COMMENT.sub(replacement, html_text)


def split_text(html_text: str, opaque_element: str, *others: str) -> list[str]:
    """
    The text outside of tags, comments and opaque elements at even positions, the markup between at odd ones.

    "a<b>c <code>d</code>", "code" -> "a", "<b>", "c ", "<code>d</code>", ""
    """
    parts = _text_pattern((opaque_element, *others)).split(html_text)
    # the pattern has two groups: each markup is followed by the name of its opaque element, or None
    del parts[2::3]
    return parts


def _scan_tags(html_text: str, names: tuple[str, ...], has_content: bool) -> Iterator[Tag]:
    """
    The start tags with one of the names, or all; with `has_content`, those with an end tag, up to this end
    tag.

    A raw text element without an end tag goes to the end of the text (HTML Standard, 13.2.5.2).
    """
    pattern = _start_tag_pattern(names)
    unclosed_names: set[str] = set()
    position = 0
    while match := pattern.search(html_text, position):
        position = match.end()
        if not match["name"]:  # a comment
            continue

        name = match["name"].lower()
        content = ""
        if name in _RAW_TEXT_ELEMENTS or has_content:
            # a name that has no end tag after one offset has none after a larger one, so it is searched once
            end_tag = None if name in unclosed_names else _end_tag_pattern(name).search(html_text, position)
            if end_tag:
                content = html_text[position : end_tag.start()]
                position = end_tag.end()
            else:
                unclosed_names.add(name)
                if name not in _RAW_TEXT_ELEMENTS:
                    continue
                content = html_text[position:]
                position = len(html_text)
        if not names or name in names:
            yield Tag(name, match["attributes"], match.start(), html_text[match.start() : position], content)


def _replace_tags(html_text: str, tags: Iterator[Tag], function: Callable[[Tag], str]) -> str:
    """The text with each tag replaced by the result of a function."""
    parts: list[str] = []
    position = 0
    for tag in tags:
        parts += (html_text[position : tag.start], function(tag))
        position = tag.start + len(tag.text)
    return "".join(parts) + html_text[position:]


_ATTRIBUTES = r"""(?![\w:-])[^<>"']*+(?>(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*)"""
"""The rest of a tag, in which a value in quotes may have a ">": ` alt="a > b" class=x`."""


@cache
def _start_tag_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for comments, and start tags of raw text elements or with one of the names."""
    name = "|".join((*names, *_RAW_TEXT_ELEMENTS)) if names else r"[a-zA-Z][\w:-]*"
    return re.compile(
        rf"<(?:{_COMMENT}|(?P<name>{name})(?P<attributes>{_ATTRIBUTES})>)", re.DOTALL | re.IGNORECASE
    )


@cache
def _end_tag_pattern(name: str) -> re.Pattern[str]:
    """A pattern for the end tag of an element: </title >"""
    return re.compile(rf"</{name}\s*>", re.IGNORECASE)


@cache
def _text_pattern(opaque_elements: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for what is between two texts: a tag, a comment, or a whole opaque element."""
    element = rf"<({'|'.join(opaque_elements)})\b.*?(?:</\2\s*>|\Z)"
    return re.compile(rf"({element}|{_TAG_OR_COMMENT.pattern})", re.DOTALL | re.IGNORECASE)


def _escape_quotes(value: str) -> str:
    """The value of an attribute without its quotes, to be written in double quotes."""
    if value[0] in "\"'":
        value = value[1:-1]
    return value.replace('"', "&quot;")
