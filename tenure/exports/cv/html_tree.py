"""Parses an HTML fragment into a tree of elements."""

from html.parser import HTMLParser

VOID_ELEMENTS = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "wbr", "source", "col", "area", "embed", "track"}
)


class HtmlElement:
    """An HTML element; its children are texts or elements."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[HtmlElement | str] = []


class _TreeBuilder(HTMLParser):
    """Builds the tree; an unclosed element ends with its parent."""

    def __init__(self) -> None:
        super().__init__()
        self.root = HtmlElement("", {})
        self._open_elements = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = HtmlElement(tag, {name: value or "" for name, value in attrs})
        self._open_elements[-1].children.append(element)
        if tag not in VOID_ELEMENTS:
            self._open_elements.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = HtmlElement(tag, {name: value or "" for name, value in attrs})
        self._open_elements[-1].children.append(element)

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open_elements) - 1, 0, -1):
            if self._open_elements[depth].tag == tag:
                del self._open_elements[depth:]
                return

    def handle_data(self, data: str) -> None:
        self._open_elements[-1].children.append(data)


def parse_html_tree(html: str) -> HtmlElement:
    """The tree of an HTML fragment; the tag of its root is ""."""
    builder = _TreeBuilder()
    builder.feed(html)
    builder.close()
    return builder.root
