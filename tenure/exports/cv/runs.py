"""Writes texts and the blocks of entries as plain data: text runs and blocks of runs."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any
from urllib.parse import unquote

from tenure.exports.cv.math import convert_formula
from tenure.exports.cv.tree import TextElement, parse_html
from tenure.exports.plain_text import SiteTextConverter
from tenure.html.filters import make_markdown_labels
from tenure.markdown.html import localize_quotes, render_inline, render_markdown
from tenure.model.entries import Publication
from tenure.model.file_index import FileIndex
from tenure.model.links import is_local_file_url, url_scheme
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.presentation.entries import EntryPresenter
from tenure.presentation.writer import Block, Bullet, Phrase, Writer
from tenure.record import Record

TextRun = str | dict[str, Any]
"""A text, or `{"is": kind}` with the data of that kind: `runs` of emph, `text` of code, `url` of a link."""

TextBlock = dict[str, Any]
"""A paragraph, a list, a table and so on: `{"is": kind}` with its `runs`, `items`, `rows` or `blocks`."""

INLINE_KINDS = {
    "em": "emph", "i": "emph", "cite": "emph", "dfn": "emph", "var": "emph", "strong": "strong", "b": "strong",
    "sup": "sup", "sub": "sub", "del": "strike", "s": "strike", "u": "underline", "ins": "underline",
}  # fmt: skip
CODE_TAGS = frozenset({"code", "kbd", "samp", "tt"})
LIST_TAGS = frozenset({"ul", "ol"})
HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCK_TAGS = LIST_TAGS | HEADING_TAGS | {
    "p", "blockquote", "pre", "table", "dl", "hr", "div", "section", "article", "figure", "figcaption", "details",
    "summary", "aside", "header", "footer", "address", "main", "nav", "li", "dt", "dd",
}  # fmt: skip
IGNORED_TAGS = frozenset({"script", "style", "template", "svg", "iframe", "object", "video", "audio"})

UrlResolver = Callable[[str], str]
"""Converts a URL of the site to one for a document, or to ""."""


MAX_UNBROKEN_LETTERS = 40
"""Longer names and contacts may be divided at a space; at this length they fit on half a line."""

MAX_INLINE_LEVELS = 20
"""Levels of bold, italic and other inline text; Typst reads JSON of at most 128 levels. Outer levels have no effect."""

MAX_URL_LENGTH = 8000
"""Characters; a longer URL is an error of Typst ("URL is too long")."""


def keep_together(runs: list[TextRun]) -> list[TextRun]:
    """A short text with no-break spaces, so that a line does not end in it; a long one unchanged."""
    return _replace_spaces(runs) if len(runs_to_text(runs)) <= MAX_UNBROKEN_LETTERS else runs


def _replace_spaces(runs: Sequence[TextRun]) -> list[TextRun]:
    """The runs with no-break spaces (U+00A0) in place of spaces."""
    return [
        run.replace(" ", "\u00a0")
        if isinstance(run, str)
        else {**run, "runs": _replace_spaces(run["runs"])}
        if "runs" in run
        else run
        for run in runs
    ]


def text_to_runs(text: TextElement, resolve: UrlResolver) -> list[TextRun]:
    """The runs of an inline text, with white space folded and stripped; its formulas are in the line."""
    return _inline_formulas(trim_runs(_convert_inline_nodes(text.children, resolve)))


def _inline_formulas(runs: Sequence[TextRun]) -> list[TextRun]:
    """The runs without display formulas, which a title or a table cell has no place for."""
    return [
        run
        if isinstance(run, str)
        else {**run, "runs": _inline_formulas(run["runs"])}
        if "runs" in run
        else {**run, "block": False}
        if run.get("block")
        else run
        for run in runs
    ]


def text_to_blocks(text: TextElement, resolve: UrlResolver) -> list[TextBlock]:
    """The blocks of a text."""
    return _convert_blocks(text.children, resolve)


def runs_to_text(runs: Iterable[TextRun]) -> str:
    """The text of runs without markup."""
    return "".join(
        run if isinstance(run, str) else run.get("text") or runs_to_text(run.get("runs", ())) for run in runs
    )


def _convert_inline_nodes(children: Sequence[TextElement | str], resolve: UrlResolver) -> list[TextRun]:
    runs: list[TextRun] = []
    for child in children:
        if isinstance(child, str):
            runs.append(re.sub(r"[ \t\r\n\f]+", " ", child))
        elif child.tag not in IGNORED_TAGS:
            runs += _convert_inline_element(child, resolve)
    return merge_runs(runs)


def _convert_inline_element(element: TextElement, resolve: UrlResolver) -> list[TextRun]:
    """The runs of one element; an element without a kind of run has the runs of its children."""
    if element.tag == "br":
        return [{"is": "break"}]
    if element.tag == "img":
        return [element.attributes.get("alt", "")]
    if element.tag == "math":
        return convert_formula(element)
    inner = _convert_inline_nodes(element.children, resolve)
    if element.tag in CODE_TAGS:
        return [{"is": "code", "text": runs_to_text(inner)}]
    if element.tag == "q":
        return ["“", *inner, "”"]
    if element.tag == "a" and inner:
        return link_runs(inner, resolve(element.attributes.get("href", "")))
    if element.tag in INLINE_KINDS and inner and _count_levels(inner) < MAX_INLINE_LEVELS:
        return [{"is": INLINE_KINDS[element.tag], "runs": inner}]
    return inner


def _count_levels(runs: Sequence[TextRun]) -> int:
    return 1 + max(
        (_count_levels(run["runs"]) for run in runs if not isinstance(run, str) and "runs" in run), default=0
    )


def link_runs(runs: Sequence[TextRun], url: str) -> list[TextRun]:
    """The runs as a link, or without one if `url` is "" or longer than Typst allows."""
    is_linked = runs and 0 < len(url) <= MAX_URL_LENGTH
    return [{"is": "link", "url": url, "runs": list(runs)}] if is_linked else list(runs)


def merge_runs(runs: Iterable[TextRun]) -> list[TextRun]:
    """Merge adjacent texts and repeated spaces."""
    merged: list[TextRun] = []
    for run in runs:
        if not isinstance(run, str):
            merged.append(run)
        elif merged and isinstance(merged[-1], str):
            merged[-1] = re.sub(" {2,}", " ", merged[-1] + run)
        elif run:
            merged.append(run)
    return merged


def trim_runs(runs: Iterable[TextRun]) -> list[TextRun]:
    """Remove white space and line breaks at both ends."""
    merged = merge_runs(runs)
    for end in (0, -1):
        while merged and not _is_visible(merged[end]):
            del merged[end]
    if merged and isinstance(merged[0], str):
        merged[0] = merged[0].lstrip(" ")
    if merged and isinstance(merged[-1], str):
        merged[-1] = merged[-1].rstrip(" ")
    return merged


def _is_visible(run: TextRun) -> bool:
    return bool(run.strip(" ")) if isinstance(run, str) else run["is"] != "break"


def make_paragraph(runs: Sequence[TextRun], role: str = "") -> list[TextBlock]:
    """A paragraph as a list of one block, or [] without runs; `role` is its meaning in the entry."""
    return [{"is": "paragraph", "role": role, "runs": list(runs)}] if runs else []


def _make_paragraphs(runs: Sequence[TextRun]) -> list[TextBlock]:
    """A paragraph as blocks: each display formula is a separate block, because a paragraph of Typst cannot contain one."""
    blocks: list[TextBlock] = []
    line: list[TextRun] = []
    for run in runs:
        if not isinstance(run, str) and run.get("block"):
            blocks += [*make_paragraph(trim_runs(line)), *make_paragraph([run])]
            line = []
        else:
            line += _inline_formulas([run])
    return blocks + make_paragraph(trim_runs(line))


def _convert_blocks(children: Sequence[TextElement | str], resolve: UrlResolver) -> list[TextBlock]:
    """The blocks of child nodes; inline nodes between them become paragraphs."""
    blocks: list[TextBlock] = []
    inline_nodes: list[TextElement | str] = []
    for child in children:
        if isinstance(child, TextElement) and child.tag in BLOCK_TAGS:
            blocks += _make_paragraphs(_convert_inline_nodes(inline_nodes, resolve))
            inline_nodes = []
            blocks += _convert_block(child, resolve)
        else:
            inline_nodes.append(child)
    return blocks + _make_paragraphs(_convert_inline_nodes(inline_nodes, resolve))


def _convert_block(element: TextElement, resolve: UrlResolver) -> list[TextBlock]:
    tag = element.tag
    if tag in ("p", "summary", "figcaption", "dt"):
        return _make_paragraphs(_convert_inline_nodes(element.children, resolve))
    if tag in LIST_TAGS:
        items = [_convert_blocks(item.children, resolve) for item in _find_elements(element, "li")]
        start = element.attributes.get("start", "1")
        number = int(start) if start.isdecimal() else 1
        return [{"is": "list", "ordered": tag == "ol", "start": number, "items": items}] if items else []
    if tag in HEADING_TAGS:
        runs = text_to_runs(element, resolve)
        return [{"is": "heading", "runs": runs}] if runs else []
    if tag == "pre":
        return [{"is": "code", "text": _verbatim_text(element).rstrip("\n")}]
    if tag == "hr":
        return [{"is": "rule"}]
    if tag == "table":
        return _convert_table(element, resolve)
    if tag == "dl":
        return [{"is": "terms", "items": _convert_terms(element, resolve)}]
    blocks = _convert_blocks(element.children, resolve)
    return [{"is": "quote", "blocks": blocks}] if tag == "blockquote" and blocks else blocks


def _find_elements(element: TextElement, *tags: str) -> list[TextElement]:
    """The outermost descendants with one of these tags."""
    elements: list[TextElement] = []
    for child in element.children:
        if isinstance(child, TextElement):
            elements += [child] if child.tag in tags else _find_elements(child, *tags)
    return elements


def _verbatim_text(element: TextElement) -> str:
    return "".join(c if isinstance(c, str) else _verbatim_text(c) for c in element.children)


def _convert_table(element: TextElement, resolve: UrlResolver) -> list[TextBlock]:
    rows = []
    for row in _find_elements(element, "tr"):
        cells = _find_elements(row, "td", "th")
        rows.append([{"head": cell.tag == "th", "runs": text_to_runs(cell, resolve)} for cell in cells])
    columns = max((len(row) for row in rows), default=0)
    return [{"is": "table", "columns": columns, "rows": rows}] if columns else []


def _convert_terms(element: TextElement, resolve: UrlResolver) -> list[dict[str, Any]]:
    """Terms with their descriptions; consecutive terms share one description."""
    items: list[dict[str, Any]] = []
    for child in _find_elements(element, "dt", "dd"):
        if child.tag == "dt":
            items.append({"runs": trim_runs(_convert_inline_nodes(child.children, resolve)), "blocks": []})
        elif items:
            items[-1]["blocks"] += _convert_blocks(child.children, resolve)
        else:
            items.append({"runs": [], "blocks": _convert_blocks(child.children, resolve)})
    return items


RunList = list[TextRun]

BODY_LEVEL = 3
"""The level of the headings in a text: without anchors of their own. A document shows all of them alike."""

RUN_KINDS = {
    "heading": "strong", "duty": "strong", "venue": "emph",
    "parenthesis": "nowrap", "unit": "nowrap", "division": "unit", "term": "term",
}  # fmt: skip
"""The kinds of runs by the roles of spans; any other role is text."""


class RunWriter(Writer):
    """
    Writes runs for one document of a site.

    `anchors` has the anchor of a numbered publication in the document by its key.
    """

    def __init__(self, site: Site, anchors: Mapping[str, str]) -> None:
        super().__init__()
        t = site.active_theme.translations
        opening_quote, _, closing_quote = t["quote"].partition("{text}")
        self.converter = SiteTextConverter.for_site(site)
        self._site, self._anchors, self._files = site, anchors, FileIndex(site.files)
        self._labels, self._quotes = make_markdown_labels(t), (opening_quote, closing_quote)

    def escape(self, text: str, role: str) -> RunList:
        del role
        return [text]

    def convert(self, text: str, role: str) -> RunList:
        cited = self.converter.resolve_citations(text)
        if role == "name":
            return self.plain_runs(text)
        return text_to_runs(self._parse(render_inline(cited.text), text), self.absolute_url)

    def wrap(self, content: RunList, role: str, url: str = "", detail: str = "") -> RunList:
        del detail
        if role == "mark":
            return [{"is": "mark", "text": runs_to_text(content)}]
        if role in ("date", "owner", "person"):
            content = keep_together(content)
        if role in ("owner", "person"):
            content = [{"is": "name", "own": role == "owner", "runs": content}]
        if url:
            content = self.link_to_first(content, url)
        kind = RUN_KINDS.get(role)
        return [{"is": kind, "runs": content}] if kind else content

    def concat(self, *parts: Phrase) -> RunList:
        return merge_runs(chain.from_iterable(parts))

    def to_text(self, content: Phrase) -> str:
        return runs_to_text(content)

    def name_paper(self, paper: Publication, title: Phrase, venue: Phrase) -> RunList:
        """A publication that the document lists with a number is a reference to it, by the start of its title."""
        if paper.key not in self._anchors:
            return self.concat(title, venue)
        text = runs_to_text(title).partition(": ")[0] + runs_to_text(venue)
        return [{"is": "reference", "id": self._anchors[paper.key], "text": text}]

    def plain_runs(self, value: str) -> RunList:
        """A Markdown text as a run of plain text."""
        text = self.converter.to_plain_text(value) if value else ""
        if '"' in value:
            text = text.replace("“", self._quotes[0]).replace("”", self._quotes[1])
        return [text] if text else []

    def text_blocks(self, value: str) -> list[TextBlock]:
        """A Markdown text as blocks."""
        if not value:
            return []
        cited = self.converter.resolve_citations(value)
        tree = self._parse(render_markdown(cited.text, BODY_LEVEL, self._labels), value)
        blocks = text_to_blocks(tree, self.absolute_url)
        lines = map(self.converter.library.format_reference, cited.publications)
        references = [
            make_paragraph(text_to_runs(parse_html(render_inline(line)), self.absolute_url)) for line in lines
        ]
        return blocks + make_list(references, ordered=True)

    def _parse(self, markup: str, source: str) -> TextElement:
        """The elements of a text, with the quotation marks of the language."""
        has_other_quotes = '"' in source and self._quotes != ("“", "”")
        return parse_html(localize_quotes(markup, *self._quotes) if has_other_quotes else markup)

    def absolute_url(self, url: str) -> str:
        """An absolute URL, or "" if the site has no URL."""
        if url_scheme(url) or url.startswith("//"):
            return url
        root = self._site.settings.url.rstrip("/")
        if not root or url.startswith(("#", "?")) or not url:
            return ""
        if is_local_file_url(url):
            matches = self._files.find_paths(unquote(url))
            return f"{root}/{matches[0]}" if len(matches) == 1 else ""
        return self._site.absolute_url(url)

    def link_to_first(self, runs: RunList, *urls: str) -> RunList:
        """Link the runs to the first URL that can be made absolute."""
        return link_runs(runs, next((full for url in urls if url and (full := self.absolute_url(url))), ""))


class RunBuilder(Record):
    """
    Makes the blocks of entries for a document.

    `t` are the translations of the theme. Rows of links are omitted unless `with_links`.
    """

    site: Site
    w: RunWriter
    t: Translations
    with_links: bool
    presenter: EntryPresenter

    @classmethod
    def for_site(
        cls, site: Site, anchors: Mapping[str, str], *, with_links: bool, full_projects: bool
    ) -> "RunBuilder":
        """The builder for one document of a site."""
        w = RunWriter(site, anchors)
        presenter = EntryPresenter.for_site(
            site, w, links_to_pages=bool(site.settings.url), full_projects=full_projects
        )
        return cls(site, w, site.active_theme.translations, with_links, presenter)

    def entry_blocks(self, blocks: Iterable[Block]) -> list[TextBlock]:
        """The blocks of an entry; publications after bullets are the last bullet."""
        pdf_blocks: list[TextBlock] = []
        last_role = ""
        for block in blocks:
            converted = self._block(block)
            if block.role == "papers" and last_role == "bullets":
                pdf_blocks[-1] = {**pdf_blocks[-1], "items": [*pdf_blocks[-1]["items"], converted]}
            else:
                pdf_blocks += converted
            last_role = block.role
        return pdf_blocks

    def _block(self, block: Block) -> list[TextBlock]:
        if block.role == "body":
            return self.w.text_blocks(block.body)
        if block.role == "links":
            return self.link_block(block)
        if block.role == "papers":
            items = self.w.join(block.items, self.t["semicolon"])
            return make_paragraph(self.w.label(self.t, block.label, items), "papers")
        if block.bullets:
            heading = self.w.label(self.t, block.label, self.w.plain(" ")) if block.label else ""
            return make_paragraph(heading, "label") + self._bullet_list(block.bullets)
        if block.items:
            fact = self.w.label(self.t, block.label, self.presenter.join_with_commas(block.items))
            return make_paragraph(fact, "fact")
        return make_paragraph(block.text, block.role)

    def link_block(self, block: Block) -> list[TextBlock]:
        """The row of links that work in a document, or [] without `with_links`."""
        links = [link for link in block.links if self.w.absolute_url(link.url)] if self.with_links else []
        row = self.presenter.join_with_commas(self.w.plain(link.text, "link", link.url) for link in links)
        if not block.label:
            return make_paragraph(row, "links")
        return make_paragraph(self.w.label(self.t, block.label, row), "fact")

    def _bullet_list(self, bullets: Iterable[Bullet]) -> list[TextBlock]:
        return make_list(
            [make_paragraph(bullet.text) + self._bullet_list(bullet.bullets) for bullet in bullets]
        )


def make_list(items: list[list[TextBlock]], *, ordered: bool = False) -> list[TextBlock]:
    """A list as a list of one block, or [] without items."""
    return [{"is": "list", "ordered": ordered, "start": 1, "items": items}] if items else []
