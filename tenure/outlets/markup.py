"""Parses an HTML fragment into a tree of elements."""

from html.parser import HTMLParser

VOID = frozenset(
    {"br", "hr", "img", "input", "meta", "link", "wbr", "source", "col", "area", "embed", "track"}
)


class Element:
    """An HTML element; its children are texts or elements."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []


class _Reader(HTMLParser):
    """Builds the tree; an unclosed element ends with its parent."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def tree_of(made: str) -> Element:
    """The tree of an HTML fragment; the tag of its root is ""."""
    reader = _Reader()
    reader.feed(made)
    reader.close()
    return reader.root
