"""Markdown to a tree of elements, for formats other than HTML."""

from collections.abc import Sequence
from functools import lru_cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from tenure.limits import MAX_NESTING
from tenure.markdown.blocks import ENGLISH_LABELS, MarkdownLabels
from tenure.markdown.html import CODE_ELEMENTS, PLAIN_TEXT, curl_quotes, is_plain_paragraphs, make_slug
from tenure.markdown.html_tags import VOID_ELEMENTS

if TYPE_CHECKING:
    from tenure.markdown.parser import Token

MAX_ELEMENT_DEPTH = 2 * MAX_NESTING + 50
"""Levels of elements, two for each list; a deeper element is beside its text. Formats other than HTML read the tree by recursion."""


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
def parse_inline(text: str, quotes: tuple[str, str] = ("“", "”")) -> TextElement:
    """A Markdown text as inline elements; block syntax is not interpreted."""
    line = text.strip()
    if PLAIN_TEXT.fullmatch(line):
        root = TextElement("", {}, [line])
    else:
        lines = "\n".join(part.strip() for part in line.split("\n") if part.strip())
        root = _parse_markdown(lines, "inline", ENGLISH_LABELS)
    _apply_typography(root, quotes, "")
    return root


@lru_cache(maxsize=4096)
def parse_blocks(
    text: str, labels: MarkdownLabels = ENGLISH_LABELS, quotes: tuple[str, str] = ("“", "”")
) -> TextElement:
    """A Markdown text as block elements."""
    trimmed = text.strip("\n").rstrip()
    if is_plain_paragraphs(trimmed):
        root = TextElement("", {})
        for paragraph in trimmed.split("\n\n"):
            root.children += [TextElement("p", {}, [paragraph]), "\n"]
    else:
        root = _parse_markdown(trimmed, "blocks", labels)
    _apply_typography(root, quotes, "")
    return root


def _parse_markdown(text: str, kind: str, labels: MarkdownLabels) -> TextElement:
    from tenure.markdown.converter import parse_markdown  # noqa: PLC0415 - markdown-it-py takes 27 ms to import; plain text does not need it

    builder = _TreeBuilder()
    builder.add_tokens(parse_markdown(text, kind, labels, make_slug))
    return builder.root


class _TreeBuilder(HTMLParser):
    """Builds a tree from HTML, or from a Markdown text that may contain HTML; an unclosed element ends with its parent."""

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
        self._open_elements[-1].children.append(data)

    def add_tokens(self, tokens: "Sequence[Token]") -> None:
        """Add elements, texts and HTML of a text; links back from footnotes are left out."""
        depths: list[int] = []
        for token in tokens:
            if token.type == "inline":
                self.add_tokens(token.children or ())
            elif token.nesting > 0:
                depths.append(len(self._open_elements))
                if not token.hidden:
                    self._start_element(token)
            elif token.nesting < 0:
                del self._open_elements[depths.pop() :]
            else:
                self._add_leaf(token)

    def _add_leaf(self, token: "Token") -> None:
        """Add HTML, a line break, an image, code or a text."""
        if token.type in ("html_inline", "html_block", "html_reference"):
            self.feed(token.content)
            self.close()
        elif token.type == "softbreak":
            self.handle_data("\n")
        elif token.tag:
            depth = len(self._open_elements)
            self._start_element(token)
            if token.type == "code_inline":
                self.handle_data(token.content)
                del self._open_elements[depth:]
        elif token.type != "html_backlinks":
            self.handle_data(token.content)

    def _start_element(self, token: "Token") -> None:
        self.handle_starttag(token.tag, [(name, str(value)) for name, value in token.attrs.items()])


def _apply_typography(element: TextElement, quotes: tuple[str, str], previous: str) -> str:
    """Make the quotes, dashes and dots of the texts typographic; `previous` is the last character before the element."""
    children: list[TextElement | str] = []
    for child in element.children:
        if isinstance(child, str) and children and isinstance(children[-1], str):
            children[-1] += child
        elif child:
            children.append(child)
    for index, child in enumerate(children):
        if not isinstance(child, str):
            # An element such as code counts as a word: `vLLM`'s.
            previous = "x" if child.tag in CODE_ELEMENTS else _apply_typography(child, quotes, previous)
            continue
        curled = curl_quotes(child, previous)
        if '"' in child and quotes != ("“", "”"):
            curled = curled.replace("“", quotes[0]).replace("”", quotes[1])
        children[index] = curled
        previous = curled[-1:] or previous
    element.children = children
    return previous
