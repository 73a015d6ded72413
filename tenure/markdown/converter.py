"""Markdown to HTML: figures, task lists, footnotes, anchors and highlighted code are made of the tokens of the parser."""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from tenure.markdown.blocks import MarkdownLabels, obfuscate_email, title_admonition
from tenure.markdown.fences import FENCE_LANGUAGE
from tenure.markdown.html_tags import strip_tags
from tenure.markdown.math import FORMULA, render_formula
from tenure.markdown.parser import MARKDOWN_ATTRIBUTE, ParsedText, Token, parse_text

BACKLINK_ARROW = "↩\ufe0e"
"""An arrow back; U+FE0E asks for text instead of an emoji."""

BACKLINK_SEPARATOR = "\u2003"
"""Space between two such arrows: WCAG 2.2, 2.5.8 demands 24 pixels between the centers of two targets."""

_ALERT = re.compile(r"\[!(?P<kind>[\w-]+)\](?![(\[:])[ \t]*(?P<title>[^\n]*)(?:\n|$)")
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_CAPTION_START = "Table: "
_IMAGE_TITLE = re.compile(
    r"""\s(?:"(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>(?:\\.|[^'\\])*)')\s*\)(?:\{[^{}]*\})?$""", re.DOTALL
)
_ATTRIBUTE = re.compile(
    r"""(?P<sign>[.#])(?P<name>[^\s}]+)|(?P<key>[a-zA-Z_:][\w:.-]*)=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s}]*))"""
)
_ESCAPED_SIGN = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD = re.compile(r"\w+")


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
    parsed = parse_text(text, kind, labels)
    tokens = _prepare_blocks(parsed.tokens, labels)
    parsed.parse_inline_tokens(tokens)
    tokens += _make_footnotes(parsed, tokens, labels, is_page=kind == "page")
    if kind != "inline":
        tokens = _make_figures(parsed, tokens)
    if kind == "page":
        _add_anchors(tokens, make_anchor)
    terms = _group_by_first_word(parsed.abbreviations)
    for index, token in enumerate(tokens):
        if token.type == "inline":
            token.children = _finish_inline(token, tokens[index - 1], terms, parsed.abbreviations)
    _label_tables(tokens)
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
            if token.tag and _ends_line(token, tokens[index + 1] if index + 1 < len(tokens) else None):
                parts.append("\n")
    return "".join(parts)


def _ends_line(token: Token, following: Token | None) -> bool:
    """Whether the tag of a block ends its line of HTML."""
    if token.nesting <= 0 or following is None:
        return True
    return not (
        following.type == "inline"
        or following.hidden
        or (following.nesting < 0 and following.tag == token.tag)
    )


def _render_token(token: Token) -> str:
    if token.type == "softbreak":
        return "\n"
    if token.type == "code_inline":
        return f"{_render_tag(token)}{html.escape(token.content, quote=False)}</code>"
    if token.tag:
        return f"</{token.tag}>" if token.nesting < 0 else _render_tag(token)
    if token.type == "email":
        return obfuscate_email(token.content)
    if token.type == "text_special" and token.content in "\"'":
        return html.escape(token.content)
    return token.content if token.type.startswith("html") else html.escape(token.content, quote=False)


def _render_tag(token: Token) -> str:
    pairs: list[str] = []
    for name, value in sorted(token.attrs.items()):
        text = str(value)
        is_email = name == "href" and text.casefold().startswith("mailto:")
        pairs.append(f' {name}="{obfuscate_email(text) if is_email else html.escape(text)}"')
    return f"<{token.tag}{''.join(pairs)}>" + ("\n" if token.type == "hardbreak" else "")


def _create_html(markup: str, kind: str = "html_inline") -> Token:
    return Token(kind, "", 0, content=markup)


def _create_tag(tag: str, attributes: Mapping[str, str] | None = None) -> Token:
    return Token(f"{tag}_open", tag, 1, dict(attributes or {}), block=True)


def _create_end(tag: str) -> Token:
    return Token(f"{tag}_close", tag, -1, block=True)


def _create_inline(content: str) -> Token:
    return Token("inline", "", 0, content=content, children=[])


def _prepare_blocks(tokens: Sequence[Token], labels: MarkdownLabels) -> list[Token]:
    """Replace code, formulas, alerts and tables by their elements; the inline tokens have no children yet."""
    blocks: list[Token] = []
    for token in tokens:
        if token.type in ("fence", "code_block"):
            blocks.append(_create_html(_render_code(token), "html_block"))
        elif token.type == "formula":
            blocks.append(_create_html(f"{render_formula(token.content, display=True)}\n", "html_block"))
        else:
            blocks.append(token)
    _mark_tasks(blocks, labels)
    return _make_tables(_make_alerts(blocks, labels), labels)


def _render_code(token: Token) -> str:
    """The HTML of a code block; a class, an identifier or attributes after its language are ignored."""
    match = FENCE_LANGUAGE.match(_ESCAPED_SIGN.sub(r"\1", html.unescape(token.info)))
    if match is None:
        return f"<pre><code>{html.escape(token.content, quote=False)}</code></pre>\n"
    from tenure.markdown.code import highlight_code  # noqa: PLC0415 - Pygments takes 30 ms to import, and few texts need it

    name = html.escape(match[1])
    highlighted = highlight_code(token.content.removesuffix("\n"), match[1])
    if highlighted is None:
        return f'<pre><code class="language-{name}">{html.escape(token.content, quote=False)}</code></pre>\n'
    return f'<pre class="code"><code class="language-{name}">{highlighted}\n</code></pre>\n'


def _mark_tasks(tokens: Sequence[Token], labels: MarkdownLabels) -> None:
    """Task lists with symbols and labels for screen readers instead of check boxes."""
    lists: list[Token] = []
    for index, token in enumerate(tokens):
        if token.tag in ("ul", "ol"):
            if token.nesting > 0:
                lists.append(token)
            else:
                lists.pop()
        if token.type != "inline" or index < 2 or tokens[index - 2].type != "list_item_open":
            continue
        match = _TASK.match(token.content)
        if match:
            tokens[index - 2].attrs["class"] = "task-list-item"
            lists[-1].attrs["class"] = "task-list"
            label, sign = (labels.task_open, "☐") if match[1] == " " else (labels.task_done, "☑")
            token.content = token.content[match.end() :]
            token.meta["prefix"] = f'<span role="img" aria-label="{html.escape(label)}">{sign}</span> '


def _make_alerts(tokens: Sequence[Token], labels: MarkdownLabels) -> list[Token]:
    """Boxes of quotations whose first line is `[!NOTE]`."""
    blocks: list[Token] = []
    quotations: list[Token] = []
    for token in tokens:
        if token.type == "blockquote_open":
            quotations.append(token)
        elif token.type == "blockquote_close":
            token.tag = quotations.pop().tag
        elif token.type == "inline" and len(blocks) > 1 and blocks[-2].type == "blockquote_open":
            match = _ALERT.match(token.content)
            if match:
                kind = match["kind"].casefold()
                blocks[-2].tag = "div"
                blocks[-2].attrs = {"class": f"admonition {kind}", "role": "note"}
                title = title_admonition(kind, match["title"].strip() or None, labels)
                token.content = token.content[match.end() :]
                start = blocks.pop()
                blocks.append(_create_tag("p", {"class": "admonition-title"}))
                blocks += [_create_inline(title), _create_end("p"), start]
        blocks.append(token)
        if token.type == "paragraph_close" and blocks[-2].type == "inline" and not blocks[-2].content:
            del blocks[-3:]
    return blocks


def _make_tables(tokens: Sequence[Token], labels: MarkdownLabels) -> list[Token]:
    """Tables that scroll, with classes for the alignment, their caption, and no empty heads."""
    blocks: list[Token] = []
    table_start, head_start, index = 0, 0, 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token.tag in ("th", "td") and token.nesting > 0:
            alignment = str(token.attrs.pop("style", "")).removeprefix("text-align:")
            if alignment:
                token.attrs["class"] = alignment
            if token.tag == "th" and not tokens[index].content:
                token.tag = tokens[index + 1].tag = "td"
        elif token.type == "table_open":
            scroll = {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": labels.table}
            blocks.append(_create_tag("div", scroll))
            table_start = len(blocks)
        elif token.type == "thead_open":
            head_start = len(blocks)
        blocks.append(token)
        if token.type == "thead_close" and not any(cell.tag == "th" for cell in blocks[head_start:]):
            del blocks[head_start:]
        elif token.type == "table_close":
            blocks.append(_create_end("div"))
            caption = tokens[index + 1] if index + 1 < len(tokens) else token
            if caption.content.startswith(_CAPTION_START) and tokens[index].type == "paragraph_open":
                caption.content = caption.content.removeprefix(_CAPTION_START)
                elements = [_create_tag("caption"), caption, _create_end("caption")]
                blocks[table_start + 1 : table_start + 1] = elements
                index += 3
    return blocks


def _label_tables(tokens: Sequence[Token]) -> None:
    """Label the scrolling parts of the page by the captions of their tables."""
    for index, token in enumerate(tokens):
        if token.type == "caption_open":
            tokens[index - 2].attrs["aria-label"] = plain_inline(tokens[index + 1].children or ())


def _make_footnotes(
    parsed: ParsedText, tokens: Sequence[Token], labels: MarkdownLabels, *, is_page: bool
) -> list[Token]:
    """The footnotes in the order of their references, and then those without one; numbers are added to the references."""
    if not parsed.footnotes:
        return []
    numbers: dict[str, int] = {}
    counts: Counter[str] = Counter()
    labels_in_order = _number_references(tokens, numbers, counts)
    contents: dict[str, list[Token]] = {}
    for label in chain(labels_in_order, parsed.footnotes):
        if label not in contents:
            numbers.setdefault(label, len(numbers) + 1)
            contents[label] = _prepare_blocks(parsed.footnotes[label], labels)
            parsed.parse_inline_tokens(contents[label])
            labels_in_order += _number_references(contents[label], numbers, counts)
    container = ("section", "doc-endnotes") if is_page else ("div", "group")
    attributes = {"class": "footnote", "role": container[1], "aria-label": labels.footnotes}
    result = [_create_tag(container[0], attributes), _create_tag("ol")]
    for label in sorted(contents, key=numbers.__getitem__):
        result.append(_create_tag("li", {"id": f"fn:{label}"}))
        result += _add_backlinks(contents[label], label, counts[label], labels)
        result.append(_create_end("li"))
    return [*result, _create_end("ol"), _create_end(container[0])]


def _number_references(tokens: Sequence[Token], numbers: dict[str, int], counts: Counter[str]) -> list[str]:
    """Add numbers and anchors to references; return the labels that are referred to for the first time."""
    new_labels: list[str] = []
    for token in (child for block in tokens for child in block.children or ()):
        if token.type == "footnote_reference":
            label = token.info
            if label not in numbers:
                numbers[label] = len(numbers) + 1
                new_labels.append(label)
            counts[label] += 1
            anchor = html.escape(_reference_anchor(label, counts[label]))
            token.type = "html_reference"
            token.content = (
                f'<sup id="{anchor}"><a class="footnote-ref" href="#fn:{html.escape(label)}" role="doc-noteref">'
                f"{numbers[label]}</a></sup>"
            )
    return new_labels


def _reference_anchor(label: str, occurrence: int) -> str:
    return f"fnref{occurrence if occurrence > 1 else ''}:{label}"


def _add_backlinks(
    tokens: Sequence[Token], label: str, count: int, labels: MarkdownLabels
) -> Sequence[Token]:
    """The tokens of a footnote with links back to its references, in its last paragraph if it ends with one."""
    links = [
        f'<a aria-label="{html.escape(labels.back_to_text)}{f" ({number})" if count > 1 else ""}" class="footnote-backref"'
        f' href="#{html.escape(_reference_anchor(label, number))}" role="doc-backlink">{BACKLINK_ARROW}</a>'
        for number in range(1, count + 1)
    ]
    markup = BACKLINK_SEPARATOR.join(links)
    if not links:
        return tokens
    if tokens and tokens[-1].type == "paragraph_close":
        tokens[-2].meta["suffix"] = f"&#160;{markup}"
        return tokens
    inline = _create_inline("")
    inline.meta["suffix"] = markup
    return [*tokens, _create_tag("p"), inline, _create_end("p")]


def _make_figures(parsed: ParsedText, tokens: Sequence[Token]) -> list[Token]:
    """Figures of images with a caption, `![alt](file "Caption")`, that are alone in their paragraph."""
    blocks: list[Token] = []
    for token in tokens:
        blocks.append(token)
        if token.type != "paragraph_close" or token.hidden:
            continue
        start, inline = blocks[-3:-1]
        kinds = [child.type for child in inline.children or ()]
        if kinds not in (["image"], ["image", "attributes"]) or "suffix" in inline.meta:
            continue
        match = _IMAGE_TITLE.search(inline.content)
        if match and inline.children and inline.children[0].attrs.pop("title", ""):
            caption = _create_inline(re.sub(r"\\([\"'])", r"\1", match["double"] or match["single"]))
            parsed.parse_inline_tokens([caption])
            start.tag = token.tag = "figure"
            blocks[-1:] = [_create_tag("figcaption"), caption, _create_end("figcaption"), token]
    return blocks


def _add_anchors(tokens: Sequence[Token], make_anchor: Callable[[str], str]) -> None:
    """Add an anchor to each heading; the second of two equal ones ends with "_1"."""
    headings = [index for index, token in enumerate(tokens) if token.type == "heading_open"]
    for index in headings:
        _take_attributes(tokens[index + 1], tokens[index])
    used_anchors = {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}
    last_numbers: dict[str, int] = {}
    for index in headings:
        if "id" not in tokens[index].attrs:
            anchor = base = make_anchor(plain_inline(tokens[index + 1].children or ()))
            while not anchor or anchor in used_anchors:
                last_numbers[base] = last_numbers.get(base, 0) + 1
                anchor = f"{base}_{last_numbers[base]}"
            used_anchors.add(anchor)
            tokens[index].attrs["id"] = anchor


def plain_inline(children: Sequence[Token]) -> str:
    """The text of inline tokens without markup and references to footnotes."""
    return "".join(map(_plain_token, children))


def _plain_token(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "image":
        return plain_inline(token.children or ())
    if token.type == "formula":
        return html.unescape(strip_tags(render_formula(token.content)))
    if token.type == "html_reference":
        return ""
    return html.unescape(strip_tags(token.content)) if token.type.startswith("html") else token.content


def _take_attributes(inline: Token, block: Token) -> None:
    """Move the attributes of `{#id .class}` to the element before it, or to the block that it ends; else it is text."""
    children: list[Token] = []
    open_elements: list[Token] = []
    element: Token | None = None
    last = len(inline.children or ()) - 1
    for index, child in enumerate(inline.children or ()):
        if child.type == "text" and not child.content:
            continue
        if child.type != "attributes":
            children.append(child)
            element = child if child.type in ("image", "code_inline") else None
            if child.nesting > 0:
                open_elements.append(child)
            elif child.nesting < 0:
                element = open_elements.pop()
        elif element is not None:
            _set_attributes(element, child.content)
        elif index == last and _ends_block(children, block):
            _set_attributes(block, child.content)
        else:
            child.type = "text"
            children.append(child)
    inline.children = children


def _ends_block(children: list[Token], block: Token) -> bool:
    """Whether attributes after these tokens belong to their block; the space or line break before them is removed."""
    previous = children[-1] if children else None
    if previous is None:
        return False
    if block.tag in ("h1", "h2", "h3", "h4", "h5", "h6", "th", "td", "dt"):
        is_separate = previous.type == "text" and previous.content.endswith(" ")
        previous.content = previous.content.rstrip(" ") if is_separate else previous.content
        return is_separate
    if previous.type == "softbreak":
        children.pop()
        return True
    return False


def _set_attributes(token: Token, source: str) -> None:
    for match in _ATTRIBUTE.finditer(source.strip("{: }")):
        if match["sign"] == "#":
            token.attrs["id"] = match["name"]
        elif match["sign"]:
            token.attrs["class"] = f"{token.attrs.get('class', '')} {match['name']}".strip()
        else:
            token.attrs[match["key"]] = match["double"] or match["single"] or match["bare"] or ""


def _finish_inline(
    inline: Token, block: Token, terms: Mapping[str, Sequence[str]], abbreviations: Mapping[str, str]
) -> list[Token]:
    """The children of an inline token as elements, texts and HTML."""
    _take_attributes(inline, block)
    children: list[Token] = []
    address = following = ""
    for child in reversed(inline.children or ()):
        _finish_child(child, following)
        following = child.content
    for child in inline.children or ():
        if child.tag == "a":
            href = str(child.attrs.get("href", ""))
            address = href if href.casefold().startswith("mailto:") else ""
        if child.type == "text" and address and "@" in child.content and child.content in address:
            child.type = "email"
        if child.type == "text" and terms:
            children += _mark_abbreviations(child.content, terms, abbreviations)
        else:
            children.append(child)
    if "prefix" in inline.meta:
        children.insert(0, _create_html(inline.meta["prefix"]))
    if "suffix" in inline.meta:
        children.append(_create_html(inline.meta["suffix"], "html_backlinks"))
    return children


def _finish_child(child: Token, following: str) -> None:
    """Make HTML of a formula, and set the attributes of an element; `following` is the text after the token."""
    for name in ("title", "alt"):
        if "$" in str(child.attrs.get(name, "")):
            child.attrs[name] = FORMULA.sub(_plain_formula, str(child.attrs[name]))
    if child.type == "formula":
        # U+2060 prevents a line break before the hyphen of "$\lambda$-calculus" (UAX #14, LB20).
        joiner = "\u2060" if following.startswith("-") else ""
        child.type = "html_inline"
        child.content = render_formula(child.content, child.markup == "$$") + joiner
    elif child.type == "html_inline":
        child.content = MARKDOWN_ATTRIBUTE.sub("", child.content)
    elif child.type == "image":
        child.attrs["alt"] = plain_inline(child.children or ())
    elif child.tag == "s":
        child.tag = "del"


def _plain_formula(match: re.Match[str]) -> str:
    return html.unescape(strip_tags(render_formula(match["block"] or match["sure"] or match["line"])))


def _group_by_first_word(abbreviations: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """The abbreviations by their first word, the longest first."""
    groups: dict[str, list[str]] = {}
    for abbreviation in sorted(abbreviations, key=len, reverse=True):
        word = _WORD.match(abbreviation)
        if word:
            groups.setdefault(word[0], []).append(abbreviation)
    return groups


def _mark_abbreviations(
    text: str, groups: Mapping[str, Sequence[str]], abbreviations: Mapping[str, str]
) -> Iterator[Token]:
    position = 0
    for word in _WORD.finditer(text):
        for abbreviation in groups.get(word[0], ()):
            end = word.start() + len(abbreviation)
            is_whole = not (abbreviation[-1].isalnum() and text[end : end + 1].isalnum())
            if word.start() >= position and is_whole and text.startswith(abbreviation, word.start()):
                yield Token("text", "", 0, content=text[position : word.start()])
                yield Token("abbr_open", "abbr", 1, {"title": abbreviations[abbreviation]})
                yield Token("text", "", 0, content=abbreviation)
                yield Token("abbr_close", "abbr", -1)
                position = end
                break
    yield Token("text", "", 0, content=text[position:])
