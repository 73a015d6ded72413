"""Converts Markdown trees to plain data: text runs and blocks of runs."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tenure.exports.cv.math import convert_formula
from tenure.markdown.tree import TextElement

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
    """The levels of runs inside each other."""
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
    while merged and (not _is_visible(merged[0])):
        del merged[0]
    while merged and (not _is_visible(merged[-1])):
        del merged[-1]
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
    rows = [
        [
            {"head": cell.tag == "th", "runs": text_to_runs(cell, resolve)}
            for cell in _find_elements(row, "td", "th")
        ]
        for row in _find_elements(element, "tr")
    ]
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
