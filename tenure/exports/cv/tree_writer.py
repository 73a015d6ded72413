"""
Texts and their HTML as phrases and blocks: `*a* [b](https://x.org/)` is an "emph" and a "link".
"""

import re
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import Any

from tenure.exports.cv.document import CvWriter
from tenure.exports.cv.formulas import Element, convert_formula
from tenure.exports.cv.spans import (
    LINE_BREAK,
    LISTS,
    TextBlock,
    clean_text,
    has_words,
    make_list,
    make_paragraph,
    mark_phrase,
    read_text,
)
from tenure.exports.plain_text import SiteTextConverter
from tenure.html.filters import make_markdown_labels
from tenure.markdown.html import localize_quotes, render_inline, render_markdown
from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.model.entries import Publication
from tenure.model.links import url_scheme
from tenure.plan.pages import entry_page_path
from tenure.presentation.writer import Phrase

INLINE_KINDS = {
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), "emph"),
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("del", "s"), "strike"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    "sup": "sup",
    "sub": "sub",
}
"""The kinds of spans by inline elements."""

LINE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})
ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
BLOCK_TAGS = LINE_TAGS | ROW_GROUPS | {
    "article", "aside", "div", "footer", "header", "main", "nav", "section",
    "address", "blockquote", "details", "figcaption", "figure", "hr", "p", "pre", "summary",
    "dd", "dl", "li", "ol", "ul",
    "table", "td", "th", "tr",
}  # fmt: skip
NESTING_KINDS = {"blockquote": "quote", "dd": "description", "ul": "bullets", "ol": "numbers"}
IGNORED_TAGS = frozenset({"script", "style", "template", "svg", "iframe", "object", "video", "audio"})

MAX_UNBROKEN_LETTERS = 40
"""Longer names and contacts may be divided at a space; at this length they fit on half a line."""

MAX_LEVELS = 10
"""
Levels of lists, quotations and inline markup; deeper ones have no effect.

Typst applies at most 64 rules within each other.
"""

MAX_ELEMENT_DEPTH = 120
"""Levels of elements, of which MAX_LEVELS and a formula need fewer; a deeper element is beside its text."""

BODY_LEVEL = 3
"""The level of the headings in a text: without anchors of their own. A document shows all of them alike."""

_BACKLINK = re.compile(
    r"""
    (?:&\#160;|\u2003)?                                            # the space before it
    <a\ aria-label="[^"]*"\ class="footnote-backref".*?</a>
    """,
    re.VERBOSE,
)
"""A link from a footnote back to the text."""


def write_text(text: str) -> str:
    """A text with folded spaces."""
    return re.sub(r"[ \t\r\n\f]+", " ", clean_text(text))


UrlResolver = Callable[[str], str]
"""Converts a URL of the site to one for a document, or to ""."""


def convert_inline(markup: str, resolve: UrlResolver) -> str:
    """The inline text of HTML; its formulas are in the line."""
    return _HtmlConverter(resolve).write_line(_parse_html(markup)).strip(" ")


def convert_blocks(markup: str, resolve: UrlResolver) -> list[TextBlock]:
    """The blocks of HTML."""
    return _HtmlConverter(resolve).list_blocks(_parse_html(markup))


def _parse_html(markup: str) -> Element:
    """The tree of some HTML, without the links from footnotes back to the text; its root has no tag."""
    if "<" not in markup and "&" not in markup:
        return Element("", {}, [markup])
    parser = _TreeParser()
    parser.feed(_BACKLINK.sub("", markup) if "footnote-backref" in markup else markup)
    parser.close()
    return parser.open_elements[0]


class _TreeParser(HTMLParser):
    """Reads HTML as a tree; an unclosed element ends with its parent."""

    def __init__(self) -> None:
        super().__init__()
        self.open_elements = [Element("", {}, [])]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element to the innermost open one; below MAX_ELEMENT_DEPTH it opens no more."""
        element = Element(tag, {name: value or "" for name, value in attrs}, [])
        self.open_elements[-1].children.append(element)
        if tag not in VOID_ELEMENTS and len(self.open_elements) < MAX_ELEMENT_DEPTH:
            self.open_elements.append(element)

    def handle_endtag(self, tag: str) -> None:
        """End the innermost element of a name, with all in it; without one, nothing ends."""
        # the innermost element of this name ends, with all in it; an end tag without an element has no effect
        depths = (i for i in range(len(self.open_elements) - 1, 0, -1) if self.open_elements[i].tag == tag)
        del self.open_elements[next(depths, len(self.open_elements)) :]

    def handle_data(self, data: str) -> None:
        self.open_elements[-1].children.append(data)


class _HtmlConverter:
    """Converts elements; `level` is the number of spans and blocks around one."""

    def __init__(self, resolve: UrlResolver) -> None:
        self._resolve = resolve

    def write_line(self, node: Element | str, level: int = 0) -> Phrase:
        """
        The inline text of an element; one without a meaning for documents has that of its children.

        <b>On <i>wool</i></b> -> "strong" of "On " and "emph" of "wool"; <span>a</span> -> a
        """
        if isinstance(node, str):
            return write_text(node)
        tag, attributes, children = node
        if tag in IGNORED_TAGS:
            return ""
        if tag == "br":
            return LINE_BREAK
        if tag == "img":
            return write_text(attributes.get("alt", ""))
        if tag == "math":
            return convert_formula(node, is_block=False)

        kind = INLINE_KINDS.get(tag, "") if level < MAX_LEVELS else ""
        # only an element with a kind is a level
        level_inside = level + 1 if kind else level
        words = "".join([self.write_line(child, level_inside) for child in children])
        if tag == "a":
            return link_words(words, self._resolve(attributes.get("href", "")))
        if tag == "q":
            return f"“{words}”"
        # a paragraph in a heading or a cell: its words do not touch those beside it
        if tag in BLOCK_TAGS:
            return f" {words} "
        if not kind or not has_words(words):
            return words
        # there is no markup inside code
        return mark_phrase(kind, read_text(words) if kind == "code" else words)

    def list_blocks(self, element: Element, level: int = 0) -> list[TextBlock]:
        """The blocks in an element; the inline text between them becomes paragraphs."""
        blocks = list[TextBlock]()
        line = ""
        for child in element.children:
            if _is_block(child):
                blocks += [*make_paragraph(line), *self._convert_block(child, level)]
                line = ""
            else:
                line += self.write_line(child, level)
        return blocks + make_paragraph(line)

    def _convert_block(self, element: Element, level: int) -> list[TextBlock]:
        """
        The blocks of one element: <h3>Aim</h3> is a subheading, <div> what is in it, <blockquote> a "quote".
        """
        tag = element.tag
        if tag == "hr":
            return [TextBlock("rule")]
        if tag == "math":
            return make_paragraph(convert_formula(element, is_block=True))
        if tag == "pre":
            code = clean_text(element.join_texts().rstrip("\n"))
            return [TextBlock("code", code)] if code else []
        if tag in LINE_TAGS:
            words = self._write_words(element, level)
            return [TextBlock("subheading", words)] if has_words(words) else []
        if tag == "table":
            return self._convert_table(element, level)

        kind = NESTING_KINDS.get(tag, "") if level < MAX_LEVELS else ""
        if kind in LISTS:
            return self._convert_list(element, level)
        level_inside = level + 1 if kind else level
        blocks_inside = self.list_blocks(element, level_inside)
        if kind and blocks_inside:
            return [TextBlock(kind, items=(tuple(blocks_inside),))]
        return blocks_inside

    def _write_words(self, element: Element, level: int) -> str:
        """The inline text of a heading or a cell, without spaces at its ends."""
        return self.write_line(Element("", {}, element.children), level).strip(" ")

    def _convert_list(self, element: Element, level: int) -> list[TextBlock]:
        """A list; a text between its items, which only HTML with mistakes has, is an item too."""
        items = []
        for child in element.children:
            if _is_tag(child, "li"):
                items.append(self.list_blocks(child, level + 1))
            elif words := self.list_blocks(Element("", {}, [child]), level + 1):
                items.append(words)
        if element.tag == "ul":
            return make_list(items)
        start = element.attributes.get("start", "1")
        return make_list(items, "numbers", int(start) if start.isdecimal() else 1)

    def _convert_table(self, table: Element, level: int) -> list[TextBlock]:
        """A table; the text beside its rows, such as a caption, is before it."""
        # the rows, also those within <thead> and <tbody>, and what is between them
        children: list[Any] = []
        for child in table.children:
            if isinstance(child, Element) and child.tag in ROW_GROUPS:
                children += child.children
            else:
                children.append(child)
        rows = [_list_cells(child) for child in children if _is_tag(child, "tr")]
        has_head = bool(rows) and all(cell.tag == "th" for cell in rows[0])
        cells = tuple(tuple(self._write_cell(cell, level) for cell in row) for row in filter(None, rows))

        others = Element("", {}, [child for child in children if not _is_tag(child, "tr")])
        blocks = self.list_blocks(others, level)
        if cells:
            blocks.append(TextBlock("table", rows=cells, has_head=has_head))
        return blocks

    def _write_cell(self, cell: Element, level: int) -> Phrase:
        words = self._write_words(cell, level)
        return mark_phrase("strong", words) if cell.tag == "th" else words


def _is_tag(node: Element | str, *tags: str) -> bool:
    return isinstance(node, Element) and node.tag in tags


def _list_cells(row: Element) -> list[Element]:
    return [cell for cell in row.children if _is_tag(cell, "td", "th")]


def _is_block(node: Element | str) -> bool:
    """Whether a node ends the line before it: <p>, or a formula on a line of its own."""
    if isinstance(node, Element) and node.tag == "math":
        return node.attributes.get("display") == "block"
    return _is_tag(node, *BLOCK_TAGS)


MAX_URL_LENGTH = 8000
"""Characters; a longer URL is an error of Typst ("URL is too long")."""


def link_words(words: Phrase, url: str) -> Phrase:
    """The words as a link, or without one if `url` is "" or longer than Typst allows."""
    is_linked = 0 < len(url) <= MAX_URL_LENGTH and has_words(words)
    return mark_phrase("link", words, clean_text(url)) if is_linked else words


ROLE_KINDS = {
    "owner": "own",
    "person": "name",
    **dict.fromkeys(("heading", "duty", "label"), "strong"),
    "venue": "emph",
    **dict.fromkeys(("parenthesis", "unit"), "nowrap"),
    "division": "unit",
    "term": "term",
}
"""The kinds of spans by the roles of texts; any other role is text."""

UNBROKEN_ROLES = frozenset({"date", "owner", "person", "contact"})
"""Roles of texts with no-break spaces, if they are short, so that a line does not end in them."""


class TreeWriter(CvWriter):
    """
    Writes the texts of one document of a site.

    `anchors` has the anchor of a numbered publication by its key. `links`: there are rows of links.
    """

    max_authors = 40
    tilde_space = "\u2009"

    def __init__(self, converter: SiteTextConverter, anchors: Mapping[str, str], *, links: bool) -> None:
        super().__init__(converter)
        t = converter.site.active_theme.translations
        self._anchors = anchors
        self._links = links
        self._labels = make_markdown_labels(t)
        self._opening_quote, _, self._closing_quote = t["quote"].partition("{text}")

    def escape(self, text: str, role: str) -> str:
        del role
        return write_text(text)

    def convert(self, text: str, role: str) -> str:
        """A Markdown text as a phrase; a name is its plain text."""
        # without its markup
        if role == "name":
            words = self.converter.to_plain_text(text)
            if '"' in text:
                words = words.replace("“", self._opening_quote).replace("”", self._closing_quote)
            return write_text(words)
        cited = self.converter.resolve_citations(text)
        return convert_inline(self._localize(render_inline(cited.text), text), self.absolute_url)

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        """A content as a span of its role, with a link."""
        del detail
        if role in UNBROKEN_ROLES and len(read_text(content)) <= MAX_UNBROKEN_LETTERS:
            content = content.replace(" ", "\u00a0")
        # a look may change the link around a name, and not only the name
        if role in ("owner", "person"):
            return link_words(mark_phrase(ROLE_KINDS[role], content), self.absolute_url(url))
        content = link_words(content, self.absolute_url(url))
        return mark_phrase(ROLE_KINDS[role], content) if role in ROLE_KINDS else content

    def to_text(self, content: Phrase) -> str:
        return read_text(content)

    def name_paper(self, paper: Publication, title: Phrase, venue: Phrase) -> str:
        """A publication that the document lists with a number is a reference, by the start of its title."""
        if paper.key not in self._anchors:
            return f"{title}{venue}"
        text = write_text(read_text(title).partition(": ")[0] + read_text(venue))
        return mark_phrase("reference", text, self._anchors[paper.key])

    def headline(self, paper: Publication) -> Phrase:
        """The title of a publication with the first link that has a whole URL: its DOI, at best."""
        urls = [paper.doi_url, *(link.url for link in paper.links), paper.url, entry_page_path(paper)]
        return self.markdown(paper.title, url=next(filter(self.absolute_url, urls), ""))

    def paragraph(self, content: Phrase, kind: str = "fact") -> list[TextBlock]:
        return make_paragraph(content, kind)

    def body(self, text: str) -> list[TextBlock]:
        """A Markdown text as blocks, with the publications that it cites."""
        blocks, references = self.divide_body(text)
        return blocks + references

    def divide_body(self, text: str) -> tuple[list[TextBlock], list[TextBlock]]:
        """A Markdown text as blocks, and the list of the publications that it cites."""
        if not text:
            return [], []
        cited = self.converter.resolve_citations(text)
        markup = self._localize(render_markdown(cited.text, BODY_LEVEL, self._labels), text)
        lines = map(render_inline, map(self.converter.library.format_reference, cited.publications))
        references = [make_paragraph(convert_inline(line, self.absolute_url)) for line in lines]
        return convert_blocks(markup, self.absolute_url), make_list(references, "numbers")

    def can_link(self, url: str) -> bool:
        return self._links and bool(self.absolute_url(url))

    def _localize(self, markup: str, source: str) -> str:
        """The HTML of a text, with the quotation marks of the language."""
        quotes = self._opening_quote, self._closing_quote
        has_other_quotes = '"' in source and quotes != ("“", "”")
        return localize_quotes(markup, *quotes) if has_other_quotes else markup

    def absolute_url(self, url: str) -> str:
        """An absolute URL, or "" if there is none, as in a site without a URL."""
        resolved = self.converter.resolve_url(url)
        return resolved if url_scheme(resolved) or resolved.startswith("//") else ""
