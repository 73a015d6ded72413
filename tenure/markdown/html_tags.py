"""
Find and rewrite the tags of an HTML text.

A quoted attribute may contain ">". Comments have no tags, and neither have scripts, style sheets, text areas and
titles. Source: HTML Standard, 13.1.2 "Elements" and 13.1.6 "Comments".
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from tenure.record import Record

VOID_ELEMENTS = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
"""Elements without an end tag. Source: HTML Standard, 13.1.2."""

_RAW_TEXT_ELEMENTS = "script|style|textarea|title"
_ATTRIBUTES = r"""(?![\w:-])[^<>"']*+(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*+"""
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
_COMMENT = r"!--.*?(?:-->|\Z)"
_TAG_OR_COMMENT = re.compile(
    rf"""<(?:{_COMMENT}|[/!?]?[a-zA-Z][^<>"']*+(?:(?:"[^"]*+"|'[^']*+')[^<>"']*+)*+>)""", re.DOTALL
)
"""A tag ends before the next "<"; without this limit, each of many unclosed tags would be read to the end of the text."""

Attributes = dict[str, str | None]
"""Attributes as written but without quotes; None for an attribute without a value."""


class Tag(Record):
    """
    A start tag with its name in lower case and its attributes as text, and the offset and the text of the match.

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
    """The start tags with one of the names, or all, in order; a script, style, textarea or title is a whole element."""
    for match in _tag_pattern(names, False).finditer(html_text):
        tag = _build_tag(match, names)
        if tag is not None:
            yield tag


def iterate_elements(html_text: str, *names: str) -> Iterator[Tag]:
    """The whole elements with one of the names, in order; each ends at the first end tag of its name."""
    for match in _tag_pattern(names, True).finditer(html_text):
        tag = _build_tag(match, names)
        if tag is not None:
            yield tag


def rewrite_tags(html_text: str, function: Callable[[Tag], str], *names: str) -> str:
    """The text with each tag of `iterate_tags` replaced by the result of a function."""
    return _tag_pattern(names, False).sub(_replacer(function, names), html_text)


def rewrite_elements(html_text: str, function: Callable[[Tag], str], *names: str) -> str:
    """The text with each element of `iterate_elements` replaced by the result of a function."""
    return _tag_pattern(names, True).sub(_replacer(function, names), html_text)


def format_tag(name: str, attributes: Attributes) -> str:
    """A start tag; the values are escaped already."""
    pairs = (key if value is None else f'{key}="{value}"' for key, value in attributes.items())
    return f"<{' '.join((name, *pairs))}>"


def normalize_tags(html_text: str) -> str:
    """The text with the names of tags and attributes in lower case, and values in double quotes."""

    def normalize_tag(tag: Tag) -> str:
        attributes = _ATTRIBUTE.sub(_normalize_attribute, tag.attributes_text)
        return f"<{tag.name}{attributes}>{tag.text[tag.content_start - tag.start :]}"

    return rewrite_tags(html_text, normalize_tag)


def strip_tags(html_text: str, replacement: str = "") -> str:
    """The text without tags and comments; the content of elements stays."""
    return _TAG_OR_COMMENT.sub(replacement, html_text) if "<" in html_text else html_text


def split_text(html_text: str, *opaque_elements: str) -> list[str]:
    """The text outside of tags, comments and opaque elements at even positions, the markup between at odd ones."""
    parts = _text_pattern(opaque_elements).split(html_text)
    del parts[2::3]
    return parts


@cache
def _tag_pattern(names: tuple[str, ...], has_content: bool) -> re.Pattern[str]:
    """A pattern for comments, raw text elements, and start tags or elements with one of the names."""
    name = "|".join(names) or r"[a-zA-Z][\w:-]*"
    content = r"(?P<content>.*?)</(?P=name)\s*>" if has_content else ""
    raw_element = rf"(?P<raw_name>{_RAW_TEXT_ELEMENTS})(?P<raw_attributes>{_ATTRIBUTES})>(?P<raw_content>.*?)</(?P=raw_name)\s*>"
    pattern = rf"<(?:{_COMMENT}|{raw_element}|(?P<name>{name})(?P<attributes>{_ATTRIBUTES})>{content})"
    return re.compile(pattern, re.DOTALL | re.IGNORECASE)


@cache
def _text_pattern(opaque_elements: tuple[str, ...]) -> re.Pattern[str]:
    element = rf"<({'|'.join(opaque_elements)})\b.*?</\2\s*>"
    return re.compile(rf"({element}|{_TAG_OR_COMMENT.pattern})", re.DOTALL | re.IGNORECASE)


def _build_tag(match: re.Match[str], names: tuple[str, ...]) -> Tag | None:
    """The tag of a match; None for a comment, or a raw text element that is not asked for."""
    name = match["raw_name"]
    if name:
        is_wanted = not names or name.lower() in names
        tag = Tag(name.lower(), match["raw_attributes"], match.start(), match[0], match["raw_content"])
        return tag if is_wanted else None
    name = match["name"]
    content = match["content"] if name and "content" in match.re.groupindex else ""
    return Tag(name.lower(), match["attributes"], match.start(), match[0], content) if name else None


def _replacer(function: Callable[[Tag], str], names: tuple[str, ...]) -> Callable[[re.Match[str]], str]:
    def replace_match(match: re.Match[str]) -> str:
        tag = _build_tag(match, names)
        return match[0] if tag is None else function(tag)

    return replace_match


def _normalize_attribute(match: re.Match[str]) -> str:
    return f'{match[1].lower()}="{_escape_quotes(match[2])}"' if match[2] else match[0]


def _escape_quotes(value: str) -> str:
    """The value of an attribute without its quotes, to be written in double quotes."""
    return (value[1:-1] if value[0] in "\"'" else value).replace('"', "&quot;")
