"""
Markdown to HTML: `# Talks` -> `<h1 id="talks">Talks</h1>`

The parser gives tokens; figures, task lists, alerts, footnotes, anchors and highlighted code are made of them
here.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tenure.markdown.blocks import MarkdownLabels, title_admonition
from tenure.markdown.html_tags import strip_tags
from tenure.markdown.math import render_formula
from tenure.markdown.parser import MARKDOWN_ATTRIBUTE, Token, parse_blocks, parse_inline, place_footnotes


def convert_markdown(text: str, kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str]) -> str:
    """
    Convert Markdown to HTML; `kind` is "inline", "blocks" (a text within a page) or "page" (a page of its
    own).

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
        _finish_token(token)
    return tokens


def _finish_token(token: Token) -> None:
    """Make HTML of code, of a formula, and of what is in a text."""
    following = ""
    for child in reversed(token.children or ()):
        _finish_child(child, following)
        following = child.content

    if token.type in ("fence", "code_block"):
        token.content = _render_code(token)
        token.type = "html_block"
        token.tag = ""
    elif token.type == "formula":
        # of itself, a wide formula scrolls only in Chromium
        token.content = f'<div class="scroll">{render_formula(token.content, display=True)}</div>\n'
        token.type = "html_block"


def render_tokens(tokens: Sequence[Token]) -> str:
    """The HTML of tokens; a hidden token has no tags. Attributes are sorted by name."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if token.type == "inline":
            parts += map(_render_token, token.children or ())
        elif not token.hidden:
            # a block after the text of a tight list item, whose paragraph has no tags, is on its own line
            if token.nesting >= 0 and index and tokens[index - 1].hidden:
                parts.append("\n")
            parts.append(_render_token(token))
            if token.tag and not _is_followed_by_content(tokens, index):
                parts.append("\n")
    return "".join(parts)


def _is_followed_by_content(tokens: Sequence[Token], index: int) -> bool:
    """Whether a start tag and what follows are one line: `<p>text</p>`, `<li></li>`."""
    token = tokens[index]
    if token.nesting <= 0 or index + 1 == len(tokens):
        return False
    following = tokens[index + 1]
    is_empty = following.nesting < 0 and following.tag == token.tag
    return following.type == "inline" or following.hidden or is_empty


def _render_token(token: Token) -> str:
    """The HTML of a tag, of a text or of code; HTML stays as it is."""
    if token.type == "softbreak":
        return "\n"
    if token.type == "code_inline":
        return f"{_render_tag(token)}{html.escape(token.content, quote=False)}</code>"
    if token.tag:
        return f"</{token.tag}>" if token.nesting < 0 else _render_tag(token)
    if token.type.startswith("html"):
        return token.content
    # \" -> &quot;, which is not made typographic
    is_escaped_quote = token.type == "text_special" and token.content in "\"'"
    return html.escape(token.content, quote=is_escaped_quote)


def _render_tag(token: Token) -> str:
    """A start tag: `<th class="right">`"""
    pairs = (f' {name}="{html.escape(str(value))}"' for name, value in sorted(token.attrs.items()))
    tag = f"<{token.tag}{''.join(pairs)}>"
    return f"{tag}\n" if token.type == "hardbreak" else tag


def _create_tag(tag: str, attributes: Mapping[str, str] | None = None) -> Token:
    return Token(f"{tag}_open", tag, 1, dict(attributes or {}), block=True)


def _create_end(tag: str) -> Token:
    return Token(f"{tag}_close", tag, -1, block=True)


_OFFICE_LIST = re.compile(
    r"""
    (?: \n[ \t]*(?P<bullet>[•·])                     # • a thing
      | (?<=[:：])[ \t]*\n[ \t]*(?P<dash>–) )        # below a colon: – a thing
    (?=[ \t]+\S.*?\n[ \t]*(?(bullet)(?P=bullet)|(?P=dash))[ \t]+\S)
    """,
    re.VERBOSE | re.DOTALL,
)
"""The first sign of a list as office programs write it; a later line begins with it too."""


def _make_lists(tokens: Sequence[Token], kind: str, environment: dict[str, Any]) -> list[Token]:
    """
    The tokens, with lists instead of lines of a paragraph that begin with the bullets of an office program.
    """
    blocks: list[Token] = []
    sign_before = ""
    for token in tokens:
        blocks.append(token)
        if token.type != "paragraph_close":
            continue

        # a dash begins a list only after the colon of this or of the last paragraph
        inline = blocks[-2]
        text = f"{sign_before}\n{inline.content}"
        start = len(sign_before) + 1
        sign_before = inline.content[-1:]
        found = _OFFICE_LIST.search(text)
        if not found:
            continue

        inline.content = text[start : found.start()].strip()
        # the list is all that the paragraph has
        if not inline.content:
            del blocks[-3:]
        bullet = rf"(?m)^[ \t]*{found['bullet'] or found['dash']}(?=[ \t])"
        blocks += parse_blocks(re.sub(bullet, "-", text[found.start() :].lstrip()), kind, environment)
    return blocks


def _mark_tasks(tokens: Sequence[Token], labels: MarkdownLabels) -> Iterator[Token]:
    """The tokens, with symbols and labels for screen readers instead of the check boxes of tasks."""
    for index, token in enumerate(tokens):
        yield token
        if "checked" not in token.meta:
            continue

        is_done = token.meta["checked"]
        label = labels.task_done if is_done else labels.task_open
        sign = "☑" if is_done else "☐"
        markup = f'<span role="img" aria-label="{html.escape(label)}">{sign}</span> '
        # before the text of the item, or before a block such as code
        if tokens[index + 1].type in ("paragraph_open", "heading_open"):
            tokens[index + 2].content = markup + tokens[index + 2].content
        else:
            yield Token("html_inline", "", 0, content=markup)


_ALERT = re.compile(r"\[!(?P<kind>[\w-]+)\](?![(\[:])[ \t]*(?P<title>[^\n]*)(?:\n|$)")
"""[!NOTE], or [!TIP] A title; [!NOTE](url) is a link."""


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

        # a quotation is blockquote_open, paragraph_open, inline; the first token has no text itself
        quotations.append(token)
        has_text = tokens[index + 1].type == "paragraph_open"
        inline = tokens[index + 2] if has_text else token
        match = _ALERT.match(inline.content)
        if not match:
            continue

        kind = match["kind"].casefold()
        token.tag = "div"
        token.attrs = {"class": f"admonition {kind}", "role": "note"}
        yield _create_tag("p", {"class": "admonition-title"})
        yield Token("inline", "", 0, content=title_admonition(kind, match["title"].strip(), labels))
        yield _create_end("p")
        inline.content = inline.content[match.end() :]
        # the paragraph is empty without this line: its three tokens are left out
        if not inline.content:
            skipped = index + 3


def _convert_footnotes(tokens: Sequence[Token], labels: MarkdownLabels, *, is_page: bool) -> Iterator[Token]:
    """
    The tokens, with elements instead of the footnotes of the library, and links between them and the text.
    """
    counts = Counter(token.meta["id"] for token in tokens if token.type == "footnote_anchor")
    element = "section" if is_page else "div"
    role = "doc-endnotes" if is_page else "group"

    for token in tokens:
        match token.type:
            case "footnote_block_open":
                token.tag = element
                token.attrs = {"class": "footnote", "role": role, "aria-label": labels.footnotes}
                yield token
                yield _create_tag("ol")
                continue
            case "footnote_block_close":
                token.tag = element
                yield _create_end("ol")
            case "footnote_open":
                token.tag = "li"
                token.attrs = {"id": f"fn:{token.meta['label']}"}
            case "footnote_close":
                token.tag = "li"
            case "footnote_anchor":
                token.content = _link_back(token, labels, is_numbered=counts[token.meta["id"]] > 1)
                token.type = "html_backlinks"
        yield token


BACKLINK_ARROW = "↩\ufe0e"
"""An arrow back; U+FE0E asks for text instead of an emoji."""

BACKLINK_SEPARATOR = "\u2003"
"""Space between two such arrows: WCAG 2.2, 2.5.8 demands 24 pixels between the centers of two targets."""


def _link_back(token: Token, labels: MarkdownLabels, *, is_numbered: bool) -> str:
    """The link from a footnote to the place of its reference in the text; several have numbers."""
    number = token.meta["subId"] + 1
    label = labels.back_to_text
    if is_numbered:
        label += f" ({number})"
    separator = BACKLINK_SEPARATOR if number > 1 else "&#160;"
    return (
        f'{separator}<a aria-label="{html.escape(label)}" class="footnote-backref"'
        f' href="#{_reference_anchor(token)}" role="doc-backlink">{BACKLINK_ARROW}</a>'
    )


def _reference_anchor(token: Token) -> str:
    """The anchor of a reference to a footnote; the second one to the same footnote is fnref2."""
    number = token.meta["subId"] + 1
    shown = str(number) if number > 1 else ""
    return f"fnref{shown}:{html.escape(token.meta['label'])}"


_IMAGE_TITLE = re.compile(
    r"""\s(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)')\s*\)(?:\{[^{}]*\})?$""", re.DOTALL
)
"""The caption of an image: ` "A loom")`, or ` 'A loom'){width=50%}`."""


def _make_figures(tokens: Sequence[Token], kind: str, environment: dict[str, Any]) -> list[Token]:
    """Figures of images with a caption, `![alt](file "Caption")`, that are alone in their paragraph."""
    blocks: list[Token] = []
    for token in tokens:
        blocks.append(token)
        # in a tight list, the paragraph has no tags that could become a figure
        if token.type != "paragraph_close" or token.hidden:
            continue
        # paragraph_open, inline, paragraph_close
        start, inline = blocks[-3:-1]
        children = inline.children or []
        if [child.type for child in children] != ["image"]:
            continue

        # the caption is parsed from the source, because the library keeps a title as plain text
        match = _IMAGE_TITLE.search(inline.content)
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
    if token.type.startswith("html"):
        return html.unescape(strip_tags(token.content))
    return token.content


def _make_tables(tokens: Sequence[Token], labels: MarkdownLabels) -> Iterator[Token]:
    """The tokens, with tables that scroll, with classes for the alignment, and without empty heads."""
    # whether the token is in a head without words, which is left out
    is_empty_head = False
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            scroll = {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": labels.table}
            yield _create_tag("div", scroll)
        elif token.type == "thead_open":
            # Markdown has no table without a head: people leave its cells empty
            end = next(end for end in range(index, len(tokens)) if tokens[end].type == "thead_close")
            is_empty_head = not any(cell.content for cell in tokens[index:end])
        elif token.tag in ("th", "td") and token.nesting > 0:
            _finish_cell(*tokens[index : index + 3])

        if not is_empty_head:
            yield token
        is_empty_head = is_empty_head and token.type != "thead_close"
        if token.type == "table_close":
            yield _create_end("div")


def _finish_cell(start: Token, inline: Token, end: Token) -> None:
    """Give a cell the class of its alignment; an empty cell of a head is no heading."""
    alignment = str(start.attrs.pop("style", "")).removeprefix("text-align:")
    if alignment:
        start.attrs["class"] = alignment
    if not inline.content:
        start.tag = end.tag = "td"


_FENCE_LANGUAGE = r"\s*\{?\s*\.?([^\s{}]+)"
"""The language that an opening fence names: `python`, `{.python}`."""

_ESCAPED_SIGN = re.compile(r"\\([!-/:-@\[-`{-~])")
r"""\* -> *, for each sign that Markdown may escape."""


def _render_code(token: Token) -> str:
    """The HTML of a code block; a class, an identifier or attributes after its language are ignored."""
    match = re.match(_FENCE_LANGUAGE, _ESCAPED_SIGN.sub(r"\1", html.unescape(token.info)))
    if match is None:
        return f"<pre><code>{html.escape(token.content, quote=False)}</code></pre>\n"

    from tenure.markdown.code import highlight_code

    language = f'class="language-{html.escape(match[1])}"'
    highlighted = highlight_code(token.content.removesuffix("\n"), match[1])
    if highlighted is None:
        return f"<pre><code {language}>{html.escape(token.content, quote=False)}</code></pre>\n"
    return f'<pre class="code"><code {language}>{highlighted}\n</code></pre>\n'


def _finish_child(child: Token, following: str) -> None:
    """
    Make HTML of a formula, and set the attributes of an element; `following` is the text after the token.
    """
    if child.type == "footnote_ref":
        child.type = "html_reference"
        note = html.escape(child.meta["label"])
        child.content = (
            f'<sup id="{_reference_anchor(child)}"><a class="footnote-ref" href="#fn:{note}"'
            f' role="doc-noteref">{child.meta["id"] + 1}</a></sup>'
        )
    elif child.type == "formula":
        child.type = "html_inline"
        child.content = render_formula(child.content, child.markup == "$$")
        if following.startswith("-"):
            # U+2060 prevents a line break before the hyphen of "$\lambda$-calculus" (UAX #14, LB20)
            child.content += "\u2060"
    elif child.type == "html_inline":
        child.content = MARKDOWN_ATTRIBUTE.sub("", child.content)
    elif child.type == "image":
        child.attrs["alt"] = _plain_text(child)
    elif child.tag == "s":
        child.tag = "del"
