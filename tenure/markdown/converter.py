"""Python-Markdown with our extensions: figures, alerts, task lists, formulas and highlighted code."""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.blockprocessors import BlockProcessor
from markdown.extensions.admonition import AdmonitionProcessor
from markdown.extensions.attr_list import AttrListTreeprocessor
from markdown.extensions.footnotes import NBSP_PLACEHOLDER
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE, HTML_PLACEHOLDER_RE, AtomicString

from tenure.markdown.blocks import (
    MarkdownLabels,
    escape_open_brackets,
    mark_open_elements,
    normalize_nesting,
    obfuscate_email,
    title_admonition,
)
from tenure.markdown.html_tags import strip_tags
from tenure.markdown.math import BROKEN_FORMULA_CLASS, convert_to_mathml
from tenure.record import Record

BLOCK_EXTENSIONS = (
    "abbr",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "tables",
    "sane_lists",
    "admonition",
)
EXTENSIONS_BY_KIND = {"inline": (), "blocks": BLOCK_EXTENSIONS, "page": (*BLOCK_EXTENSIONS, "toc")}
BLOCK_PROCESSORS = (
    "indent",
    "code",
    "hashheader",
    "setextheader",
    "hr",
    "olist",
    "ulist",
    "quote",
    "reference",
)
BACKLINK_ARROW = "↩\ufe0e"
"""An arrow back; U+FE0E asks for text instead of an emoji."""

BACKLINK_SEPARATOR = "\u2003"
"""Space between two such arrows: WCAG 2.2, 2.5.8 demands 24 pixels between the centers of two targets."""

_FORMULA_PATTERN = (
    r"(?<!\\)\$\$(?P<block>[^$]+?)\$\$"
    r"|(?<![\\$])\$(?P<sure>[\\^_{][^$\n]*?[^\s$\\])\$"
    r"|(?<![\\$\w])\$(?=\S)(?P<line>[^$\n]*?[^\s$\\])\$(?![\d$])"
)
_CAPTIONED_IMAGE = re.compile(
    r"""(?P<picture>!\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*(?:<[^<>\n]*>|[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))\s+
    (?:"(?P<double>(?:\\.|(?!"\s*\))[^\\])*)"|'(?P<single>(?:\\.|(?!'\s*\))[^\\])*)')\s*\)(?P<rest>\s*\{[^{}]*\})?\s*""",
    re.DOTALL | re.VERBOSE,
)
_CELL_ALIGNMENT = re.compile(r"\s*text-align:\s*(left|center|right);?\s*")
_CHARACTER_REFERENCE = re.compile(r"&(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);", re.IGNORECASE)
_FIRST_TAG = re.compile(r"</?([^ >]+)")
_PYMDOWN_SYNTAX = re.compile(r"```|~~|^[ \t]*>|\[[ xX]\]", re.MULTILINE)
"""What only pymdown-extensions can convert: fences, strikethrough, quotations and task lists."""


def convert_markdown(text: str, kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str]) -> str:
    """
    Convert Markdown to HTML; `kind` is "inline", "blocks" (a text within a page) or "page" (a page of its own).

    `make_anchor` makes the anchors of headings.
    """
    converter = _select_converter(text, kind, labels, make_anchor)
    return converter.convert(escape_open_brackets(text))


class ParsedMarkdown(Record):
    """The tree of a Markdown text; HTML, formulas and code are stored separately, with placeholders in its texts."""

    root: Element
    stored_html: Sequence[str | Element]
    converter: Markdown

    def is_block_html(self, text: str) -> bool:
        """Whether a text is the placeholder of a block of HTML."""
        match = HTML_PLACEHOLDER_RE.fullmatch(text.strip())
        if match is None:
            return False
        stored = self.stored_html[int(match[1])]
        tag = _FIRST_TAG.match(stored) if isinstance(stored, str) else None
        return tag is None or tag[1][0] in "!?@%" or self.converter.is_block_level(tag[1])

    def unescape(self, text: str) -> str:
        """A text or the value of an attribute without character references."""
        reference_text = text.replace(AMP_SUBSTITUTE, "&")
        if "&" not in reference_text:
            return text
        return _CHARACTER_REFERENCE.sub(lambda match: html.unescape(match[0]), reference_text)

    def split_text(self, text: str) -> Iterator[tuple[str | Element, bool]]:
        """The parts of a text, and whether they are HTML stored for a placeholder."""
        if "\x02" not in text:
            yield text, False
            return
        segments = HTML_PLACEHOLDER_RE.split(text.replace(AMP_SUBSTITUTE, "&").replace(NBSP_PLACEHOLDER, ""))
        for index, segment in enumerate(segments):
            stored = self.stored_html[int(segment)] if index % 2 else ""
            if isinstance(stored, str) and "\x02" in stored:
                yield from self.split_text(stored)
            else:
                yield (stored, True) if index % 2 else (segment, False)


def parse_markdown(
    text: str, kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str]
) -> ParsedMarkdown:
    """Parse Markdown, without making HTML of it; arguments as for `convert_markdown`."""
    converter = _select_converter(text, kind, labels, make_anchor)
    lines = escape_open_brackets(text).split("\n")
    for preprocessor in converter.preprocessors:
        lines = preprocessor.run(lines)
    root: Element = converter.parser.parseDocument(lines).getroot()  # type: ignore[assignment]  # never None
    for processor in converter.treeprocessors:
        processed = processor.run(root)
        if processed is not None:
            root = processed
    return ParsedMarkdown(root, tuple(converter.htmlStash.rawHtmlBlocks), converter)


def _select_converter(
    text: str, kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str]
) -> Markdown:
    """The converter for a text, without the state of earlier texts."""
    converter = _create_converter(kind, labels, make_anchor, _PYMDOWN_SYNTAX.search(text) is not None)
    converter.reset()
    return converter


@cache
def _create_converter(
    kind: str, labels: MarkdownLabels, make_anchor: Callable[[str], str], has_pymdown_syntax: bool
) -> Markdown:
    settings: Mapping[str, Mapping[str, Any]] = {
        "toc": {"slugify": lambda text, _: make_anchor(text), "marker": ""},
        "footnotes": {"BACKLINK_TEXT": BACKLINK_ARROW},
    }
    extensions = EXTENSIONS_BY_KIND[kind]
    markdown = Markdown(
        extensions=list(extensions),
        extension_configs={name: settings[name] for name in settings if name in extensions},
        output_format="html",
    )
    blocks, trees = markdown.parser.blockprocessors, markdown.treeprocessors
    if kind == "inline":
        for name in BLOCK_PROCESSORS:
            blocks.deregister(name)
        markdown.preprocessors.deregister("html_block")
    else:
        markdown.preprocessors.register(_NestingPreprocessor(markdown), "nested", 24)
        blocks.register(_FigureProcessor(markdown.parser), "figures", 75)
        blocks.register(_AdmonitionProcessor(markdown.parser, labels), "admonition", 105)
        trees.register(_AttributeListProcessor(markdown), "attr_list", 8)
        trees.register(_AccessibilityProcessor(markdown, labels, is_page=kind == "page"), "shape", 4)
    trees.register(_AttributeProcessor(markdown), "attributes", 3)
    markdown.inlinePatterns.register(_FormulaProcessor(_FORMULA_PATTERN, markdown), "formula", 185)
    markdown.ESCAPED_CHARS += ["$", "~"]
    if has_pymdown_syntax:
        from tenure.markdown.pymdown import add_block_syntax, add_inline_syntax  # noqa: PLC0415 - takes 38 ms to import, and few texts need it

        add_inline_syntax(markdown)
        if kind != "inline":
            add_block_syntax(markdown, labels)
    return markdown


_ATTRIBUTE_LIST = r"\{:?[ ]*((?:[.#][\w-]|[\w-]+=)[^}\n]*)\}"


class _AttributeListProcessor(AttrListTreeprocessor):
    """`{#id .class key=value}` after a heading, cell or link; any other braces are text, as in "the set {a, b}"."""

    HEADER_RE = re.compile(rf"[ ]+{_ATTRIBUTE_LIST}[ ]*$")  # type: ignore[misc]  # the stubs call it final
    BLOCK_RE = re.compile(rf"\n[ ]*{_ATTRIBUTE_LIST}[ ]*$")  # type: ignore[misc]  # the stubs call it final
    INLINE_RE = re.compile(rf"^{_ATTRIBUTE_LIST}")  # type: ignore[misc]  # the stubs call it final


class _FormulaProcessor(InlineProcessor):
    """`$x^2$` and `$$x^2$$`. As in pandoc, "$5 and $6" is not a formula, but `CO$_2$` contains one."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name
        self, m: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        latex = m["block"] or m["sure"] or m["line"]
        markup = convert_to_mathml(latex, bool(m["block"]))
        if markup is None:
            markup = f'<code class="{BROKEN_FORMULA_CLASS}">{html.escape(latex, quote=False)}</code>'
        # U+2060 prevents a line break before the hyphen of "$\lambda$-calculus" (UAX #14, LB20).
        joiner = "\u2060" if data.startswith("-", m.end(0)) else ""
        return self.md.htmlStash.store(markup) + joiner, m.start(0), m.end(0)


class _NestingPreprocessor(Preprocessor):
    """Accepts lists nested by two or three spaces or after a line of text, and Markdown in elements of HTML."""

    def run(self, lines: list[str]) -> list[str]:
        return normalize_nesting(mark_open_elements(lines))


class _AdmonitionProcessor(AdmonitionProcessor):
    """`!!! note "Title"`, with the labels of the site; a theorem shows its kind and its title."""

    def __init__(self, parser: BlockParser, labels: MarkdownLabels) -> None:
        super().__init__(parser)
        self.labels = labels

    def get_class_and_title(self, match: re.Match[str]) -> tuple[str, str | None]:
        kind, title = super().get_class_and_title(match)
        return kind, title_admonition(kind, None if match[2] is None else title or "", self.labels) or None


class _FigureProcessor(BlockProcessor):
    """An image with a caption, `![alt](file "Caption")`, alone in its paragraph."""

    def test(self, parent: Element, block: str) -> bool:
        del parent
        return block.startswith("![") and _CAPTIONED_IMAGE.fullmatch(block) is not None

    def run(self, parent: Element, blocks: list[str]) -> bool:
        match = _CAPTIONED_IMAGE.fullmatch(blocks.pop(0))
        if match is None:
            return False
        figure = SubElement(parent, "figure")
        figure.text = f"{match['picture']}){(match['rest'] or '').strip()}"
        caption = SubElement(figure, "figcaption")
        caption.text = re.sub(r"\\([\"'])", r"\1", match["double"] or match["single"] or "")
        return True


class _AccessibilityProcessor(Treeprocessor):
    """Makes tables scrollable, links footnotes back to the text, and adds ARIA roles."""

    def __init__(self, markdown: Markdown, labels: MarkdownLabels, *, is_page: bool) -> None:
        super().__init__(markdown)
        self.labels = labels
        self.is_page = is_page

    def run(self, root: Element) -> None:
        reference_ids = {sup.get("id", "") for sup in root.iter("sup")}
        for parent in [*root.iter()]:
            for position, child in enumerate([*parent]):
                if child.tag == "table":
                    parent[position] = self._wrap_table(child, parent[position + 1 : position + 2])
                elif child.get("class") == "footnote":
                    self._complete_footnotes(child, reference_ids)
                elif child.get("class") == "footnote-ref":
                    child.set("role", "doc-noteref")
                elif child.get("class", "").startswith("admonition "):
                    child.set("role", "note")
        for parent in [*root.iter()]:
            for child in [child for child in parent if child.tag == "p" and child.get("class") == "gone"]:
                parent.remove(child)

    def _wrap_table(self, table: Element, following: Sequence[Element]) -> Element:
        container = Element(
            "div", {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": self.labels.table}
        )
        container.tail, table.tail = table.tail, "\n"
        container.text = "\n"
        container.append(table)
        for row in table.iter("tr"):
            for cell in row:
                alignment = _CELL_ALIGNMENT.fullmatch(cell.get("style", ""))
                if alignment:
                    del cell.attrib["style"]
                    cell.set("class", alignment[1])
                if cell.tag == "th" and not len(cell) and not (cell.text or "").strip():
                    cell.tag = "td"
        head = table.find("thead")
        if head is not None and not any(cell.tag == "th" for cell in head.iter()):
            table.remove(head)
        for paragraph in following:
            if paragraph.tag == "p" and (paragraph.text or "").startswith("Table: "):
                caption = Element("caption", paragraph.attrib)
                caption.text = (paragraph.text or "").removeprefix("Table: ")
                caption.extend([*paragraph])
                caption.tail = "\n"
                table.insert(0, caption)
                container.set("aria-label", "".join(caption.itertext()))
                paragraph.set("class", "gone")
        return container

    def _complete_footnotes(self, container: Element, reference_ids: set[str]) -> None:
        """Add roles and labels to the footnotes, and remove links back to references that do not exist."""
        container.tag = "section" if self.is_page else "div"
        container.set("role", "doc-endnotes" if self.is_page else "group")
        container.set("aria-label", self.labels.footnotes)
        for rule in container.findall("hr"):
            container.remove(rule)
        for item in container.iter("li"):
            self._separate_code(item)
            backlinks = [(p, a) for p in item.iter() for a in p if a.get("class") == "footnote-backref"]
            for number, (parent, backlink) in enumerate(backlinks, 1):
                if backlink.get("href", "")[1:] not in reference_ids:
                    parent.remove(backlink)
                    continue
                backlink.attrib.pop("title", None)
                backlink.set("role", "doc-backlink")
                backlink.set(
                    "aria-label",
                    self.labels.back_to_text
                    if len(backlinks) == 1
                    else f"{self.labels.back_to_text} ({number})",
                )
                backlink.tail = BACKLINK_SEPARATOR if number < len(backlinks) else backlink.tail

    def _separate_code(self, item: Element) -> None:
        """Move the links back out of a code block that ends a footnote."""
        last = item[-1] if len(item) else None
        code = HTML_PLACEHOLDER_RE.match(last.text or "") if last is not None else None
        if (
            last is not None
            and code
            and str(self.md.htmlStash.rawHtmlBlocks[int(code[1])]).startswith("<pre")
        ):
            paragraph = SubElement(item, "p")
            paragraph.extend([*last])
            last[:] = []
            last.text = code[0]


class _AttributeProcessor(Treeprocessor):
    """Replaces formulas in attributes by plain text, and obfuscates e-mail addresses."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            for name in ("alt", "title", "aria-label"):
                if name in element.attrib:
                    element.set(
                        name, HTML_PLACEHOLDER_RE.sub(self._replace_placeholder, element.attrib[name])
                    )
            address = element.get("href", "")
            if element.tag == "a" and address.startswith("mailto:"):
                element.set("href", obfuscate_email(address, AMP_SUBSTITUTE))
                text = element.text or ""
                if "@" in text and text in address:
                    element.text = AtomicString(obfuscate_email(text, AMP_SUBSTITUTE))

    def _replace_placeholder(self, match: re.Match[str]) -> str:
        stashed = self.md.htmlStash.rawHtmlBlocks[int(match[1])]
        return html.unescape(strip_tags(stashed)) if isinstance(stashed, str) else ""
