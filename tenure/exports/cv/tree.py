"""The HTML of a text as a tree of elements, which a document reads by recursion."""

import re
from functools import lru_cache
from html.parser import HTMLParser

from tenure.limits import MAX_NESTING
from tenure.markdown.html_tags import VOID_ELEMENTS

MAX_ELEMENT_DEPTH = 2 * MAX_NESTING + 50
"""Levels of elements, two for each list; a deeper element is beside its text."""

_BACKLINK = re.compile(r'(?:&#160;|\u2003)?<a aria-label="[^"]*" class="footnote-backref".*?</a>')
"""A link from a footnote back to the text, with the space before it."""


class TextElement:
    """An element of a text, named as in HTML; its children are texts or elements."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str], children: "list[TextElement | str] | None" = None
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children = [] if children is None else children


@lru_cache(maxsize=65536)
def parse_html(markup: str) -> TextElement:
    """The elements of a text without the links back from its footnotes."""
    if "<" not in markup and "&" not in markup:
        return TextElement("", {}, [markup])
    builder = _TreeBuilder()
    builder.feed(_BACKLINK.sub("", markup) if "footnote-backref" in markup else markup)
    builder.close()
    return builder.root


class _TreeBuilder(HTMLParser):
    """Builds a tree; an unclosed element ends with its parent."""

    def __init__(self) -> None:
        super().__init__()
        self.root = TextElement("", {})
        self._open_elements = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = TextElement(tag, {name: value or "" for name, value in attrs})
        self._open_elements[-1].children.append(element)
        if tag not in VOID_ELEMENTS and len(self._open_elements) < MAX_ELEMENT_DEPTH:
            self._open_elements.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = TextElement(tag, {name: value or "" for name, value in attrs})
        self._open_elements[-1].children.append(element)

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open_elements) - 1, 0, -1):
            if self._open_elements[depth].tag == tag:
                del self._open_elements[depth:]
                return

    def handle_data(self, data: str) -> None:
        siblings = self._open_elements[-1].children
        if siblings and isinstance(siblings[-1], TextElement) and siblings[-1].tag == "br":
            data = data.lstrip("\n")
        siblings.append(data)
