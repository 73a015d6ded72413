"""
Texts and their HTML in the markup of Typst.

Every text is a string literal, so that Typst never reads a text of the site as markup; what the markup calls is in the theme's
`cv-parts.typ`: `*a* [b](https://x.org/)` -> `#emph[#"a"] #link("https://x.org/")[#"b"]`
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from tenure.exports.cv.math import Element, convert_formula, quote_text
from tenure.exports.plain_text import SiteTextConverter
from tenure.html.filters import make_markdown_labels
from tenure.limits import MAX_NESTING
from tenure.markdown.html import localize_quotes, render_inline, render_markdown
from tenure.markdown.html_tags import VOID_ELEMENTS
from tenure.model.entries import Publication
from tenure.model.links import url_scheme
from tenure.model.site import Site
from tenure.presentation.writer import Phrase, Writer

INLINE_CALLS = {
    "em": "emph", "i": "emph", "cite": "emph", "dfn": "emph", "var": "emph", "strong": "strong", "b": "strong",
    "sup": "sup", "sub": "sub", "del": "strike", "s": "strike", "u": "underline", "ins": "underline",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code",
}  # fmt: skip
"""The functions of `cv-parts.typ` by inline elements."""

LINE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})
LIST_TAGS = frozenset({"ul", "ol"})
FLOW_TAGS = LIST_TAGS | {
    "", "p", "blockquote", "div", "section", "article", "figure", "figcaption", "details", "summary", "aside", "header", "footer",
    "address", "main", "nav", "li", "dl", "dd", "table", "thead", "tbody", "tfoot", "tr",
}  # fmt: skip
"""Elements with blocks; in any other element a block is the text of its line."""

NESTING_TAGS = LIST_TAGS | INLINE_CALLS.keys() | {"blockquote", "dd"}
IGNORED_TAGS = frozenset({"script", "style", "template", "svg", "iframe", "object", "video", "audio"})

MAX_UNBROKEN_LETTERS = 40
"""Longer names and contacts may be divided at a space; at this length they fit on half a line."""

MAX_LEVELS = 10
"""Levels of lists, quotations and inline markup; deeper ones have no effect, because Typst applies at most 64 rules within each other."""

MAX_ELEMENT_DEPTH = 2 * MAX_NESTING + 50
"""Levels of elements, two for each list; a deeper element is beside its text."""

MAX_URL_LENGTH = 8000
"""Characters; a longer URL is an error of Typst ("URL is too long")."""

BODY_LEVEL = 3
"""The level of the headings in a text: without anchors of their own. A document shows all of them alike."""

_BACKLINK = re.compile(r'(?:&#160;|\u2003)?<a aria-label="[^"]*" class="footnote-backref".*?</a>')
"""A link from a footnote back to the text, with the space before it."""

_TOKEN = re.compile(
    r"""
    \#"(?P<text>(?:[^"\\]|\\.)*)"                          # a text: #"a"
    | \#[\w-]+(?:\((?:"(?:[^"\\]|\\.)*"|[^")])*\))?           # a call with its arguments: #link("https://x.org/")
    | [\[\]]
    """,
    re.VERBOSE | re.DOTALL,
)


def write_text(text: str) -> str:
    """A text with white space folded; spaces at its ends are outside the literal, where Typst joins them with others."""
    folded = re.sub(r"[ \t\r\n\f]+", " ", text)
    return re.sub(r"[^ ](?:.*[^ ])?", lambda match: f"#{quote_text(match[0])}", folded, flags=re.DOTALL)


def read_text(markup: str) -> str:
    """The text of markup."""

    def read_token(match: re.Match[str]) -> str:
        text: str = match["text"] or ""
        return re.sub(r"(?s)\\(.)", r"\1", text) if "\\" in text else text

    return _TOKEN.sub(read_token, markup)


class TextBlock(NamedTuple):
    """A block of a text: "paragraph", "list" and so on. `markup` is its call, that of a paragraph its content."""

    kind: str
    markup: str
    role: str = ""
    """The meaning of a paragraph in its entry; "" is that of a text."""


def make_paragraph(markup: str, role: str = "") -> list[TextBlock]:
    """A paragraph as a list of one block, or [] without words."""
    words = re.sub(r"^(?: |#linebreak\(\))+|(?: |#linebreak\(\))+$", "", markup)
    return [TextBlock("paragraph", words, role)] if '"' in words else []


def make_list(items: Sequence[Sequence[TextBlock]], call: str = "bullets") -> list[TextBlock]:
    """A list as a list of one block, or [] without items."""
    contents = "".join(f"[{write_blocks(item)}]" for item in items)
    return [TextBlock("list", f"#{call}{contents}")] if items else []


def has_long_text(blocks: Sequence[TextBlock]) -> bool:
    """Whether blocks contain paragraphs of text, and not only facts."""
    return any(block.kind == "paragraph" and not block.role for block in blocks)


def write_blocks(blocks: Sequence[TextBlock]) -> str:
    """The markup of blocks. There is space between the paragraphs of a text, but not between facts."""
    written, before = [], ""
    for block in blocks:
        is_after_text = before == "list" and has_long_text(blocks)
        has_space = (block.role == "label" or is_after_text) if block.role else before == "paragraph"
        call = "#paragraph(space: true)" if before and has_space else "#paragraph"
        written.append(f"{call}[{block.markup}]" if block.kind == "paragraph" else block.markup)
        before = block.kind
    return "".join(written)


UrlResolver = Callable[[str], str]
"""Converts a URL of the site to one for a document, or to ""."""


def convert_inline(markup: str, resolve: UrlResolver) -> str:
    """The inline text of HTML; its formulas are in the line."""
    parts = _convert_html(markup, resolve, "span")
    return "".join(map(str, parts)).strip(" ")


def convert_blocks(markup: str, resolve: UrlResolver) -> list[TextBlock]:
    """The blocks of HTML."""
    return _group_blocks(_convert_html(markup, resolve, ""))


def _convert_html(markup: str, resolve: UrlResolver, outer_tag: str) -> list[str | TextBlock]:
    if "<" not in markup and "&" not in markup:
        return [write_text(markup)]
    converter = _HtmlConverter(resolve, outer_tag)
    converter.feed(_BACKLINK.sub("", markup) if "footnote-backref" in markup else markup)
    converter.close()
    converter.close_elements(1)
    return converter.elements[0].children


def _group_blocks(parts: Iterable[str | TextBlock]) -> list[TextBlock]:
    """The blocks among parts; the inline text between them becomes paragraphs."""
    blocks: list[TextBlock] = []
    line = ""
    for part in parts:
        if isinstance(part, str):
            line += part
        else:
            blocks += [*make_paragraph(line), part]
            line = ""
    return blocks + make_paragraph(line)


class _HtmlConverter(HTMLParser):
    """Converts each element when it ends; an unclosed element ends with its parent."""

    def __init__(self, resolve: UrlResolver, outer_tag: str) -> None:
        super().__init__()
        self._resolve = resolve
        self.elements = [Element(outer_tag, {}, [])]
        """The open elements, the innermost one last."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, []))
        if tag in VOID_ELEMENTS or len(self.elements) > MAX_ELEMENT_DEPTH:
            self.close_elements(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        depths = (i for i in range(len(self.elements) - 1, 0, -1) if self.elements[i].tag == tag)
        self.close_elements(next(depths, len(self.elements)))

    def handle_data(self, data: str) -> None:
        tags = {element.tag for element in self.elements}
        text = f"#{quote_text(data)}" if "pre" in tags else write_text(data)
        self.elements[-1].children.append(data if "math" in tags else text)

    def close_elements(self, depth: int) -> None:
        """Convert the open elements from a depth on; those of a formula are converted with it."""
        while len(self.elements) > depth:
            element = self.elements.pop()
            outer_tags = [outer.tag for outer in self.elements]
            parts = [element] if "math" in outer_tags else self._convert(element, outer_tags)
            self.elements[-1].children.extend(parts)

    def _convert(self, element: Element, outer_tags: Sequence[str]) -> Sequence[str | TextBlock]:
        """The inline text or the blocks of an element; one without a meaning for documents has those of its children."""
        tag, attributes, parts = element
        has_blocks = FLOW_TAGS.issuperset(outer_tags)
        if tag in IGNORED_TAGS:
            return ()
        if tag == "br":
            return ["#linebreak()"]
        if tag == "img":
            return [write_text(attributes.get("alt", ""))]
        if tag == "q":
            return ['#"“"', *parts, '#"”"']
        if tag == "math":
            is_block = has_blocks and attributes.get("display") == "block"
            formula = convert_formula(element, is_block=is_block)
            return make_paragraph(formula) if is_block else [formula]
        if tag in NESTING_TAGS and sum(outer in NESTING_TAGS for outer in outer_tags) >= MAX_LEVELS:
            return parts
        if tag == "a":
            return [link_words("".join(parts), self._resolve(attributes.get("href", "")))]
        if tag in INLINE_CALLS:
            call, words = INLINE_CALLS[tag], "".join(parts)
            words = f"#{quote_text(read_text(words))}" if call == "code" and words else words
            return [f"#{call}[{words}]" if '"' in words else words]
        if not has_blocks:
            is_block = tag in FLOW_TAGS | LINE_TAGS or tag in ("pre", "hr")
            return [" ", *parts, " "] if is_block else parts
        return _convert_block(tag, attributes, parts, outer_tags)


def _convert_block(
    tag: str, attributes: Mapping[str, str], parts: Sequence[str | TextBlock], outer_tags: Sequence[str]
) -> Sequence[str | TextBlock]:
    if tag == "hr":
        return [TextBlock("rule", "#rule()")]
    if tag in ("td", "th") and outer_tags[-1] == "tr":
        words = "".join(map(str, parts)).strip(" ")
        return [TextBlock(tag, f"[#strong[{words}]]," if tag == "th" else f"[{words}],")]
    if tag == "tr" and "table" in outer_tags:
        cells = [part for part in parts if isinstance(part, TextBlock)]
        is_head = all(cell.kind == "th" for cell in cells)
        return (
            [TextBlock("th" if is_head else "tr", f"({''.join(cell.markup for cell in cells)}),")]
            if cells
            else ()
        )
    if tag == "pre":
        code = read_text("".join(map(str, parts))).rstrip("\n")
        return [TextBlock("code", f"#code-block[#{quote_text(code)}]")] if code else ()
    if tag in LINE_TAGS:
        words = "".join(map(str, parts)).strip(" ")
        return [TextBlock("heading", f"#subheading[{words}]")] if '"' in words else ()
    if tag not in FLOW_TAGS or tag in ("thead", "tbody", "tfoot"):
        return parts
    blocks = _group_blocks(parts)
    if tag == "li" and outer_tags[-1] in LIST_TAGS:
        return [TextBlock("li", write_blocks(blocks))]
    if tag in LIST_TAGS:
        start = attributes.get("start", "1")
        call = f"numbers(start: {int(start) if start.isdecimal() else 1})" if tag == "ol" else "bullets"
        return make_list([[block] for block in blocks], call)
    if tag == "table":  # the text beside its rows, such as a caption, is before it
        rows = [block for block in blocks if block.kind in ("th", "tr")]
        has_head = "true" if rows and rows[0].kind == "th" else "false"
        table = TextBlock("table", f"#cells({''.join(row.markup for row in rows)} head: {has_head})")
        return [*(block for block in blocks if block not in rows), *([table] if rows else ())]
    if tag in ("dd", "blockquote") and blocks:
        call = "description" if tag == "dd" else "quote"
        return [TextBlock(call, f"#{call}[{write_blocks(blocks)}]")]
    return blocks


def link_words(words: str, url: str) -> str:
    """The words as a link, or without one if `url` is "" or longer than Typst allows."""
    is_linked = '"' in words and 0 < len(url) <= MAX_URL_LENGTH
    return f"#link({quote_text(url)})[{words}]" if is_linked else words


ROLE_CALLS = {
    "owner": "own", "person": "name", "heading": "strong", "duty": "strong", "venue": "emph",
    "parenthesis": "nowrap", "unit": "nowrap", "division": "unit", "term": "term",
}  # fmt: skip
"""The functions of a look by the roles of texts; any other role is text."""

UNBROKEN_ROLES = frozenset({"date", "owner", "person", "contact"})
"""Roles of texts with no-break spaces, if they are short, so that a line does not end in them."""


class TypstWriter(Writer):
    """
    Writes the texts of one document of a site.

    `anchors` has the anchor of a numbered publication in the document by its key.
    """

    def __init__(self, site: Site, anchors: Mapping[str, str]) -> None:
        super().__init__()
        t = site.active_theme.translations
        opening_quote, _, closing_quote = t["quote"].partition("{text}")
        self.converter, self._anchors = SiteTextConverter.for_site(site), anchors
        self._labels, self._quotes = make_markdown_labels(t), (opening_quote, closing_quote)

    def escape(self, text: str, role: str) -> str:
        del role
        return write_text(text)

    def convert(self, text: str, role: str) -> str:
        if role == "name":
            return self.plain_words(text)
        cited = self.converter.resolve_citations(text)
        return convert_inline(self._localize(render_inline(cited.text), text), self.absolute_url)

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        del detail
        if role in UNBROKEN_ROLES and len(read_text(content)) <= MAX_UNBROKEN_LETTERS:
            content = content.replace(" ", "\u00a0")
        if role in ("owner", "person"):  # a look may change the link around a name, and not only the name
            return link_words(f"#{ROLE_CALLS[role]}[{content}]", self.absolute_url(url))
        content = link_words(content, self.absolute_url(url))
        return f"#{ROLE_CALLS[role]}[{content}]" if role in ROLE_CALLS else content

    def to_text(self, content: Phrase) -> str:
        return read_text(content)

    def name_paper(self, paper: Publication, title: Phrase, venue: Phrase) -> str:
        """A publication that the document lists with a number is a reference to it, by the start of its title."""
        if paper.key not in self._anchors:
            return f"{title}{venue}"
        text = write_text(read_text(title).partition(": ")[0] + read_text(venue))
        return f"#reference({quote_text(self._anchors[paper.key])})[{text}]"

    def plain_words(self, value: str) -> str:
        """A Markdown text without its markup."""
        text = self.converter.to_plain_text(value) if value else ""
        if '"' in value:
            text = text.replace("“", self._quotes[0]).replace("”", self._quotes[1])
        return write_text(text)

    def blocks(self, value: str) -> list[TextBlock]:
        """A Markdown text as blocks, with the publications that it cites."""
        if not value:
            return []
        cited = self.converter.resolve_citations(value)
        markup = self._localize(render_markdown(cited.text, BODY_LEVEL, self._labels), value)
        lines = map(self.converter.library.format_reference, cited.publications)
        references = [
            make_paragraph(convert_inline(render_inline(line), self.absolute_url)) for line in lines
        ]
        return convert_blocks(markup, self.absolute_url) + make_list(references, "numbers(start: 1)")

    def _localize(self, markup: str, source: str) -> str:
        """The HTML of a text, with the quotation marks of the language."""
        has_other_quotes = '"' in source and self._quotes != ("“", "”")
        return localize_quotes(markup, *self._quotes) if has_other_quotes else markup

    def absolute_url(self, url: str) -> str:
        """An absolute URL, or "" if there is none, as in a site without a URL."""
        resolved = self.converter.resolve_url(url)
        return resolved if url_scheme(resolved) or resolved.startswith("//") else ""
