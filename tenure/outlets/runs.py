"""Converts HTML to plain data: text runs and blocks of runs."""

import html
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tenure.outlets.markup import Element, tree_of
from tenure.outlets.mathematics import formula

Run = str | dict[str, Any]
"""A text, or `{"is": kind}` with the data of that kind: `runs` of emph, `text` of code, `url` of a link."""

Block = dict[str, Any]
"""A paragraph, a list, a table and so on: `{"is": kind}` with its `runs`, `items`, `rows` or `blocks`."""

KINDS = {
    "em": "emph", "i": "emph", "cite": "emph", "dfn": "emph", "var": "emph", "strong": "strong", "b": "strong",
    "sup": "sup", "sub": "sub", "del": "strike", "s": "strike", "u": "underline", "ins": "underline",
}  # fmt: skip
CODE = frozenset({"code", "kbd", "samp", "tt"})
LISTS = frozenset({"ul", "ol"})
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCKS = LISTS | HEADINGS | {
    "p", "blockquote", "pre", "table", "dl", "hr", "div", "section", "article", "figure", "figcaption", "details",
    "summary", "aside", "header", "footer", "address", "main", "nav", "li", "dt", "dd",
}  # fmt: skip
SILENT = frozenset({"script", "style", "template", "svg", "iframe", "object", "video", "audio"})

Resolve = Callable[[str], str]
"""Converts a URL of the site to one for a document, or to ""."""


def runs_of(made: str, resolve: Resolve) -> list[Run]:
    """The runs of inline HTML, with white space folded and stripped."""
    if "<" not in made:
        words = " ".join(html.unescape(str(made)).split())
        return [words] if words else []
    return trimmed(_runs(tree_of(made).children, resolve))


def blocks_of(made: str, resolve: Resolve) -> list[Block]:
    """The blocks of HTML."""
    return _blocks(tree_of(made).children, resolve) if made.strip() else []


def words_of(runs: Iterable[Run]) -> str:
    """The text of runs without markup."""
    return "".join(
        run if isinstance(run, str) else run.get("text") or words_of(run.get("runs", ())) for run in runs
    )


def _runs(children: Sequence[Element | str], resolve: Resolve) -> list[Run]:
    made: list[Run] = []
    for child in children:
        if isinstance(child, str):
            made.append(re.sub(r"[ \t\r\n\f]+", " ", child))
        elif child.tag not in SILENT:
            made += _run(child, resolve)
    return joined(made)


def _run(element: Element, resolve: Resolve) -> list[Run]:
    """The runs of one element; an element without a kind of run has the runs of its children."""
    if element.tag == "br":
        return [{"is": "break"}]
    if element.tag == "img":
        return [element.attributes.get("alt", "")]
    if element.tag == "math":
        return formula(element)
    inner = _runs(element.children, resolve)
    if element.tag in CODE:
        return [{"is": "code", "text": words_of(inner)}]
    if element.tag == "q":
        return ["“", *inner, "”"]
    if element.tag == "a" and inner:
        return linked(inner, resolve(element.attributes.get("href", "")))
    if element.tag in KINDS and inner:
        return [{"is": KINDS[element.tag], "runs": inner}]
    return inner


def linked(runs: Sequence[Run], url: str) -> list[Run]:
    """The runs as a link, or without one if `url` is ""."""
    return [{"is": "link", "url": url, "runs": list(runs)}] if url and runs else list(runs)


def joined(runs: Iterable[Run]) -> list[Run]:
    """Merge adjacent texts and repeated spaces."""
    made: list[Run] = []
    for run in runs:
        if not isinstance(run, str):
            made.append(run)
        elif made and isinstance(made[-1], str):
            made[-1] = re.sub(" {2,}", " ", made[-1] + run)
        elif run:
            made.append(run)
    return made


def trimmed(runs: Iterable[Run]) -> list[Run]:
    """Remove white space and line breaks at both ends."""
    made = joined(runs)
    while made and (not _said(made[0])):
        del made[0]
    while made and (not _said(made[-1])):
        del made[-1]
    if made and isinstance(made[0], str):
        made[0] = made[0].lstrip(" ")
    if made and isinstance(made[-1], str):
        made[-1] = made[-1].rstrip(" ")
    return made


def _said(run: Run) -> bool:
    return bool(run.strip(" ")) if isinstance(run, str) else run["is"] != "break"


def paragraph(runs: Sequence[Run], role: str = "") -> list[Block]:
    """A paragraph as a list of one block, or [] without runs; `role` is its meaning in the entry."""
    return [{"is": "paragraph", "role": role, "runs": list(runs)}] if runs else []


def _blocks(children: Sequence[Element | str], resolve: Resolve) -> list[Block]:
    """The blocks of child nodes; inline nodes between them become paragraphs."""
    made: list[Block] = []
    loose: list[Element | str] = []
    for child in children:
        if isinstance(child, Element) and child.tag in BLOCKS:
            made += paragraph(trimmed(_runs(loose, resolve)))
            loose = []
            made += _block(child, resolve)
        else:
            loose.append(child)
    return made + paragraph(trimmed(_runs(loose, resolve)))


def _block(element: Element, resolve: Resolve) -> list[Block]:
    tag = element.tag
    if tag in ("p", "summary", "figcaption", "dt"):
        return paragraph(trimmed(_runs(element.children, resolve)))
    if tag in LISTS:
        items = [_blocks(item.children, resolve) for item in _elements(element, "li")]
        start = element.attributes.get("start", "1")
        number = int(start) if start.isdecimal() else 1
        return [{"is": "list", "ordered": tag == "ol", "start": number, "items": items}] if items else []
    if tag in HEADINGS:
        runs = trimmed(_runs(element.children, resolve))
        return [{"is": "heading", "runs": runs}] if runs else []
    if tag == "pre":
        return [{"is": "code", "text": _verbatim(element).rstrip("\n")}]
    if tag == "hr":
        return [{"is": "rule"}]
    if tag == "table":
        return _table(element, resolve)
    if tag == "dl":
        return [{"is": "terms", "items": _terms(element, resolve)}]
    blocks = _blocks(element.children, resolve)
    return [{"is": "quote", "blocks": blocks}] if tag == "blockquote" and blocks else blocks


def _elements(element: Element, *tags: str) -> list[Element]:
    """The outermost descendants with one of these tags."""
    found: list[Element] = []
    for child in element.children:
        if isinstance(child, Element):
            found += [child] if child.tag in tags else _elements(child, *tags)
    return found


def _verbatim(element: Element) -> str:
    return "".join(c if isinstance(c, str) else _verbatim(c) for c in element.children)


def _table(element: Element, resolve: Resolve) -> list[Block]:
    rows = [
        [
            {"head": cell.tag == "th", "runs": trimmed(_runs(cell.children, resolve))}
            for cell in _elements(row, "td", "th")
        ]
        for row in _elements(element, "tr")
    ]
    columns = max((len(row) for row in rows), default=0)
    return [{"is": "table", "columns": columns, "rows": rows}] if columns else []


def _terms(element: Element, resolve: Resolve) -> list[dict[str, Any]]:
    """Terms with their descriptions; consecutive terms share one description."""
    items: list[dict[str, Any]] = []
    for child in _elements(element, "dt", "dd"):
        if child.tag == "dt":
            items.append({"runs": trimmed(_runs(child.children, resolve)), "blocks": []})
        elif items:
            items[-1]["blocks"] += _blocks(child.children, resolve)
        else:
            items.append({"runs": [], "blocks": _blocks(child.children, resolve)})
    return items
