"""Markdown to HTML: figures, task lists, footnotes, anchors and highlighted code are made of the tokens of the parser."""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tenure.markdown.blocks import MarkdownLabels, title_admonition
from tenure.markdown.html_tags import strip_tags
from tenure.markdown.math import render_formula
from tenure.markdown.parser import MARKDOWN_ATTRIBUTE, Token, parse_blocks, parse_inline, place_footnotes

BACKLINK_ARROW = "↩\ufe0e"
"""An arrow back; U+FE0E asks for text instead of an emoji."""

BACKLINK_SEPARATOR = "\u2003"
"""Space between two such arrows: WCAG 2.2, 2.5.8 demands 24 pixels between the centers of two targets."""

_ALERT = re.compile(r"\[!(?P<kind>[\w-]+)\](?![(\[:])[ \t]*(?P<title>[^\n]*)(?:\n|$)")
_OFFICE_LIST = re.compile(
    r"""
    (?: \n[ \t]*(?P<bullet>[•·])                     # • a thing
      | (?<=[:：])[ \t]*\n[ \t]*(?P<dash>–) )        # below a colon: – a thing
    (?=[ \t]+\S.*?\n[ \t]*(?(bullet)(?P=bullet)|(?P=dash))[ \t]+\S)
    """,
    re.VERBOSE | re.DOTALL,
)
"""The first sign of a list as office programs write it; a later line begins with it too."""

_IMAGE_TITLE = re.compile(
    r"""\s(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)')\s*\)(?:\{[^{}]*\})?$""", re.DOTALL
)
_FENCE_LANGUAGE = r"\s*\{?\s*\.?([^\s{}]+)"
"""The language that an opening fence names: `python`, `{.python}`."""

_ESCAPED_SIGN = re.compile(r"\\([!-/:-@\[-`{-~])")


def convert_markdown(text: str, kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str]) -> str:
    """
    Convert Markdown to HTML; `kind` is "inline", "blocks" (a text within a page) or "page" (a page of its own).

    `make_anchor` makes the anchors of headings.
    """
    return render_tokens(parse_markdown(text, kind, labels, make_anchor)).rstrip("\n")


def parse_markdown(
    text: str, kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str]
) -> list[Token]:
    """
    The tokens of a Markdown text; arguments as for `convert_markdown`.

    Each token is the start or end of an element, an element without content, a text, code or HTML.
    """
    environment: dict[str, Any] = {}
    tokens = parse_blocks(text, kind, environment)
    if kind != "inline":
        tokens = _make_lists(tokens, kind, environment)
        tokens = list(_make_alerts([*_mark_tasks(tokens, labels)], labels))
        tokens = list(_make_tables(tokens, labels))
    parse_inline(tokens, kind, environment)
    if kind != "inline":
        tokens = place_footnotes(_make_figures(tokens, kind, environment), environment)
    if kind == "page":
        _add_anchors(tokens, make_anchor)
    tokens = list(_convert_footnotes(tokens, labels, is_page=kind == "page"))
    for token in tokens:
        following = ""
        for child in reversed(token.children or ()):
            _finish_child(child, following)
            following = child.content
        if token.type in ("fence", "code_block"):
            token.type, token.tag, token.content = "html_block", "", _render_code(token)
        elif token.type == "formula":
            formula = render_formula(token.content, display=True)  # of itself, it scrolls only in Chromium
            token.type, token.content = "html_block", f'<div class="scroll">{formula}</div>\n'
    return tokens


def render_tokens(tokens: Sequence[Token]) -> str:
    """The HTML of tokens. Attributes are sorted by name."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if token.type == "inline":
            parts += map(_render_token, token.children or ())
        elif not token.hidden:
            if token.nesting >= 0 and index and tokens[index - 1].hidden:
                parts.append("\n")
            parts.append(_render_token(token))
            following = tokens[index + 1] if index + 1 < len(tokens) else token
            is_empty = following.nesting < 0 and following.tag == token.tag
            is_open = token.nesting > 0 and (following.type == "inline" or following.hidden or is_empty)
            if token.tag and not is_open:
                parts.append("\n")
    return "".join(parts)


def _render_token(token: Token) -> str:
    if token.type == "softbreak":
        return "\n"
    if token.type == "code_inline":
        return f"{_render_tag(token)}{html.escape(token.content, quote=False)}</code>"
    if token.tag:
        return f"</{token.tag}>" if token.nesting < 0 else _render_tag(token)
    if token.type.startswith("html"):
        return token.content
    return html.escape(token.content, quote=token.type == "text_special" and token.content in "\"'")


def _render_tag(token: Token) -> str:
    pairs = (f' {name}="{html.escape(str(value))}"' for name, value in sorted(token.attrs.items()))
    return f"<{token.tag}{''.join(pairs)}>" + ("\n" if token.type == "hardbreak" else "")


def _create_tag(tag: str, attributes: Mapping[str, str] | None = None) -> Token:
    return Token(f"{tag}_open", tag, 1, dict(attributes or {}), block=True)


def _create_end(tag: str) -> Token:
    return Token(f"{tag}_close", tag, -1, block=True)


def _make_lists(tokens: Sequence[Token], kind: str, environment: dict[str, Any]) -> list[Token]:
    """The tokens, with lists instead of the lines of a paragraph that begin with the bullets of an office program."""
    blocks: list[Token] = []
    sign_before = ""
    for token in tokens:
        blocks.append(token)
        if token.type != "paragraph_close":
            continue
        inline = blocks[-2]
        text = f"{sign_before}\n{inline.content}"
        start = len(sign_before) + 1
        sign_before = inline.content[-1:]
        found = _OFFICE_LIST.search(text)
        if found:
            bullet = rf"(?m)^[ \t]*{found['bullet'] or found['dash']}(?=[ \t])"
            inline.content = text[start : found.start()].strip()
            if not inline.content:
                del blocks[-3:]
            blocks += parse_blocks(re.sub(bullet, "-", text[found.start() :].lstrip()), kind, environment)
    return blocks


def _mark_tasks(tokens: Sequence[Token], labels: MarkdownLabels) -> Iterator[Token]:
    """The tokens, with symbols and labels for screen readers instead of the check boxes of tasks."""
    for index, token in enumerate(tokens):
        yield token
        if "checked" in token.meta:
            label, sign = (labels.task_done, "☑") if token.meta["checked"] else (labels.task_open, "☐")
            markup = f'<span role="img" aria-label="{html.escape(label)}">{sign}</span> '
            if tokens[index + 1].type in ("paragraph_open", "heading_open"):
                tokens[index + 2].content = markup + tokens[index + 2].content
            else:
                yield Token("html_inline", "", 0, content=markup)


def _make_alerts(tokens: Sequence[Token], labels: MarkdownLabels) -> Iterator[Token]:
    """The tokens, with boxes instead of quotations whose first line is `[!NOTE]` or `[!TIP] A title`."""
    quotations: list[Token] = []
    skipped = -1
    for index, token in enumerate(tokens):
        if index <= skipped:
            continue
        if token.type == "blockquote_close":
            token.tag = quotations.pop().tag
        yield token
        if token.type != "blockquote_open":
            continue
        quotations.append(token)
        inline = tokens[index + 2] if tokens[index + 1].type == "paragraph_open" else token
        match = _ALERT.match(inline.content)
        if match:
            kind = match["kind"].casefold()
            token.tag, token.attrs = "div", {"class": f"admonition {kind}", "role": "note"}
            yield _create_tag("p", {"class": "admonition-title"})
            yield Token("inline", "", 0, content=title_admonition(kind, match["title"].strip(), labels))
            yield _create_end("p")
            inline.content = inline.content[match.end() :]
            skipped = index if inline.content else index + 3


def _convert_footnotes(tokens: Sequence[Token], labels: MarkdownLabels, *, is_page: bool) -> Iterator[Token]:
    """The tokens, with elements instead of the footnotes of the library, and links between them and the text."""
    counts = Counter(token.meta["id"] for token in tokens if token.type == "footnote_anchor")
    element, role = ("section", "doc-endnotes") if is_page else ("div", "group")
    for token in tokens:
        if token.type == "footnote_block_open":
            token.tag, token.attrs = (
                element,
                {"class": "footnote", "role": role, "aria-label": labels.footnotes},
            )
        elif token.type == "footnote_block_close":
            token.tag = element
            yield _create_end("ol")
        elif token.type == "footnote_open":
            token.tag, token.attrs = "li", {"id": f"fn:{token.meta['label']}"}
        elif token.type == "footnote_close":
            token.tag = "li"
        elif token.type == "footnote_anchor":
            number = token.meta["subId"] + 1
            label = labels.back_to_text + (f" ({number})" if counts[token.meta["id"]] > 1 else "")
            token.type = "html_backlinks"
            token.content = (
                f'{BACKLINK_SEPARATOR if number > 1 else "&#160;"}<a aria-label="{html.escape(label)}" class="footnote-backref"'
                f' href="#{_reference_anchor(token)}" role="doc-backlink">{BACKLINK_ARROW}</a>'
            )
        yield token
        if token.type == "footnote_block_open":
            yield _create_tag("ol")


def _reference_anchor(token: Token) -> str:
    """The anchor of a reference to a footnote; the second one to the same footnote is fnref2."""
    number = token.meta["subId"] + 1
    return f"fnref{number if number > 1 else ''}:{html.escape(token.meta['label'])}"


def _make_figures(tokens: Sequence[Token], kind: str, environment: dict[str, Any]) -> list[Token]:
    """Figures of images with a caption, `![alt](file "Caption")`, that are alone in their paragraph."""
    blocks: list[Token] = []
    for token in tokens:
        blocks.append(token)
        if token.type != "paragraph_close" or token.hidden:
            continue
        start, inline = blocks[-3:-1]
        children = inline.children or []
        match = (
            _IMAGE_TITLE.search(inline.content) if [child.type for child in children] == ["image"] else None
        )
        if match and children[0].attrs.pop("title", ""):
            title = re.sub(r"\\([\"'])", r"\1", match["double"] or match["single"])
            caption = Token("inline", "", 0, content=title)
            parse_inline([caption], kind, environment)
            start.tag = token.tag = "figure"
            blocks[-1:] = [_create_tag("figcaption"), caption, _create_end("figcaption"), token]
    return blocks


def _add_anchors(tokens: Sequence[Token], make_anchor: Callable[[str], str]) -> None:
    """Add an anchor to each heading; the second of two equal ones ends with "_1"."""
    used_anchors = {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}
    last_numbers: dict[str, int] = {}
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and "id" not in token.attrs:
            anchor = base = make_anchor("".join(map(_plain_text, tokens[index + 1].children or ())))
            while not anchor or anchor in used_anchors:
                last_numbers[base] = last_numbers.get(base, 0) + 1
                anchor = f"{base}_{last_numbers[base]}"
            used_anchors.add(anchor)
            token.attrs["id"] = anchor


def _plain_text(token: Token) -> str:
    """The text of an inline token without markup; a reference to a footnote has none."""
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "image":
        return "".join(map(_plain_text, token.children or ()))
    if token.type == "formula":
        return html.unescape(strip_tags(render_formula(token.content)))
    if token.type == "footnote_ref":
        return ""
    return html.unescape(strip_tags(token.content)) if token.type.startswith("html") else token.content


def _make_tables(tokens: Sequence[Token], labels: MarkdownLabels) -> Iterator[Token]:
    """The tokens, with tables that scroll, with classes for the alignment, and without empty heads."""
    is_empty_head = False
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            scroll = {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": labels.table}
            yield _create_tag("div", scroll)
        elif token.type == "thead_open":
            end = next(end for end in range(index, len(tokens)) if tokens[end].type == "thead_close")
            is_empty_head = not any(cell.content for cell in tokens[index:end])
        elif token.tag in ("th", "td") and token.nesting > 0:
            alignment = str(token.attrs.pop("style", "")).removeprefix("text-align:")
            if alignment:
                token.attrs["class"] = alignment
            if not tokens[index + 1].content:
                token.tag = tokens[index + 2].tag = "td"
        if not is_empty_head:
            yield token
        is_empty_head = is_empty_head and token.type != "thead_close"
        if token.type == "table_close":
            yield _create_end("div")


def _render_code(token: Token) -> str:
    """The HTML of a code block; a class, an identifier or attributes after its language are ignored."""
    match = re.match(_FENCE_LANGUAGE, _ESCAPED_SIGN.sub(r"\1", html.unescape(token.info)))
    if match is None:
        return f"<pre><code>{html.escape(token.content, quote=False)}</code></pre>\n"
    from tenure.markdown.code import highlight_code

    name = html.escape(match[1])
    highlighted = highlight_code(token.content.removesuffix("\n"), match[1])
    if highlighted is None:
        return f'<pre><code class="language-{name}">{html.escape(token.content, quote=False)}</code></pre>\n'
    return f'<pre class="code"><code class="language-{name}">{highlighted}\n</code></pre>\n'


def _finish_child(child: Token, following: str) -> None:
    """Make HTML of a formula, and set the attributes of an element; `following` is the text after the token."""
    if child.type == "footnote_ref":
        child.type = "html_reference"
        child.content = (
            f'<sup id="{_reference_anchor(child)}"><a class="footnote-ref" href="#fn:{html.escape(child.meta["label"])}"'
            f' role="doc-noteref">{child.meta["id"] + 1}</a></sup>'
        )
    elif child.type == "formula":
        # U+2060 prevents a line break before the hyphen of "$\lambda$-calculus" (UAX #14, LB20).
        child.type = "html_inline"
        child.content = render_formula(child.content, child.markup == "$$")
        child.content += "\u2060" if following.startswith("-") else ""
    elif child.type == "html_inline":
        child.content = MARKDOWN_ATTRIBUTE.sub("", child.content)
    elif child.type == "image":
        child.attrs["alt"] = _plain_text(child)
    elif child.tag == "s":
        child.tag = "del"
