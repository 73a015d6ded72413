"""Python-Markdown with our extensions: figures, alerts, task lists, formulas and highlighted code."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor, BlockQuoteProcessor
from markdown.extensions.admonition import AdmonitionProcessor
from markdown.extensions.attr_list import AttrListTreeprocessor
from markdown.inlinepatterns import InlineProcessor, SimpleTagInlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE, HTML_PLACEHOLDER_RE, AtomicString

from tenure.blocks import ALERT, STATEMENTS, Wording, fences, nested, veiled
from tenure.formulas import BROKEN_FORMULA, to_mathml

BLOCKS = ("abbr", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "sane_lists", "admonition")
KINDS = {"inline": (), "blocks": BLOCKS, "page": (*BLOCKS, "toc")}
NO_BLOCKS = ("indent", "code", "hashheader", "setextheader", "hr", "olist", "ulist", "quote", "reference")
RETURN = "↩\ufe0e"
"""An arrow back; U+FE0E asks for text instead of an emoji."""

APART = "\u2003"
"""Space between two such arrows: WCAG 2.2, 2.5.8 demands 24 pixels between the centers of two targets."""

_FORMULA = (
    r"(?<!\\)\$\$(?P<block>[^$]+?)\$\$"
    r"|(?<![\\$])\$(?P<sure>[\\^_{][^$\n]*?[^\s$\\])\$"
    r"|(?<![\\$\w])\$(?=\S)(?P<line>[^$\n]*?[^\s$\\])\$(?![\d$])"
)
_PICTURE = re.compile(
    r"""(?P<picture>!\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*(?:<[^<>\n]*>|[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))\s+
    (?:"(?P<double>(?:\\.|(?!"\s*\))[^\\])*)"|'(?P<single>(?:\\.|(?!'\s*\))[^\\])*)')\s*\)(?P<rest>\s*\{[^{}]*\})?\s*""",
    re.DOTALL | re.VERBOSE,
)
_TASK = re.compile(r"\[(?P<mark>[ xX])\][ \t]+(?=\S)")
_ALIGNED = re.compile(r"\s*text-align:\s*(left|center|right);?\s*")
_TOC = "[TOC]"


def converted(text: str, kind: str, wording: Wording, slug: Callable[[str], str]) -> str:
    """
    Convert Markdown to HTML; `kind` is "inline", "blocks" (a text within a page) or "page" (a page of its own).

    `make_anchor` makes the anchors of headings.
    """
    converter = _converter(kind, wording, slug)
    converter.reset()
    return converter.convert(text)


@cache
def _converter(kind: str, wording: Wording, slug: Callable[[str], str]) -> Markdown:
    settings: Mapping[str, Mapping[str, Any]] = {
        "toc": {"slugify": lambda words, _: slug(words), "marker": ""},
        "footnotes": {"BACKLINK_TEXT": RETURN},
    }
    extensions = KINDS[kind]
    markdown = Markdown(
        extensions=list(extensions),
        extension_configs={name: settings[name] for name in settings if name in extensions},
        output_format="html",
    )
    blocks, trees = markdown.parser.blockprocessors, markdown.treeprocessors
    if kind == "inline":
        for name in NO_BLOCKS:
            blocks.deregister(name)
        markdown.preprocessors.deregister("html_block")
    else:
        markdown.preprocessors.register(_Nested(markdown), "nested", 26)
        markdown.preprocessors.register(_Fenced(markdown), "fenced", 25)
        markdown.preprocessors.register(_Alerts(markdown), "alerts", 24)
        blocks.register(_Quotations(markdown.parser), "quote", 20)
        blocks.register(_Figures(markdown.parser), "figures", 75)
        blocks.register(_Admonitions(markdown.parser, wording), "admonition", 105)
        trees.register(_Given(markdown), "attr_list", 8)
        trees.register(_Tasks(markdown, wording), "tasks", 25)
        trees.register(_Shape(markdown, wording, is_page=kind == "page"), "shape", 4)
    trees.register(_Attributes(markdown), "attributes", 3)
    markdown.inlinePatterns.register(_Formula(_FORMULA, markdown), "formula", 185)
    markdown.inlinePatterns.register(
        SimpleTagInlineProcessor(r"(~~)(?=\S)(.+?)(?<=\S)~~", "del"), "strike", 65
    )
    markdown.ESCAPED_CHARS += ["$", "~"]
    return markdown


_GIVEN = r"\{:?[ ]*((?:[.#][\w-]|[\w-]+=)[^}\n]*)\}"


class _Given(AttrListTreeprocessor):
    """`{#id .class key=value}` after a heading, cell or link; any other braces are text, as in "the set {a, b}"."""

    HEADER_RE = re.compile(rf"[ ]+{_GIVEN}[ ]*$")  # type: ignore[misc]  # the stubs call it final
    BLOCK_RE = re.compile(rf"\n[ ]*{_GIVEN}[ ]*$")  # type: ignore[misc]  # the stubs call it final
    INLINE_RE = re.compile(rf"^{_GIVEN}")  # type: ignore[misc]  # the stubs call it final


class _Formula(InlineProcessor):
    """`$x^2$` and `$$x^2$$`. As in pandoc, "$5 and $6" is not a formula, but `CO$_2$` contains one."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the library's name
        self, m: re.Match[str], data: str
    ) -> tuple[str, int, int]:
        latex = m["block"] or m["sure"] or m["line"]
        made = to_mathml(latex, bool(m["block"]))
        if made is None:
            made = f'<code class="{BROKEN_FORMULA}">{html.escape(latex, quote=False)}</code>'
        # U+2060 prevents a line break before the hyphen of "$\lambda$-calculus" (UAX #14, LB20).
        joiner = "\u2060" if data.startswith("-", m.end(0)) else ""
        return self.md.htmlStash.store(made) + joiner, m.start(0), m.end(0)


class _Nested(Preprocessor):
    """Accepts lists nested by two or three spaces; the library needs four."""

    def run(self, lines: list[str]) -> list[str]:
        return nested(lines)


class _Quotations(BlockQuoteProcessor):
    """Quotations; their lists may be nested by two or three spaces as well."""

    def run(self, parent: Element, blocks: list[str]) -> None:
        found = self.RE.search(blocks[0])
        if found:
            lines = nested([self.clean(line) for line in blocks[0][found.start() :].strip("\n").split("\n")])
            blocks[0] = blocks[0][: found.start()] + "".join(f"\n> {line}" for line in lines)
        super().run(parent, blocks)


class _Fenced(Preprocessor):
    """Converts fenced code, also in containers, and hides it from the later processors."""

    def run(self, lines: list[str]) -> list[str]:
        made: list[str] = []
        at = 0
        for fence in fences(lines):
            made += lines[at : fence.first]
            stash = self.md.htmlStash.store(_code(fence.code, fence.language))
            between = [fence.margin.rstrip()]
            made += [*(between if made and made[-1].strip() else ()), fence.margin + stash]
            at = fence.last + 1
            made += [*between, ""] if at == len(lines) else between if lines[at].strip() else ()
        return [*made, *lines[at:]]


def _code(code: str, language: str) -> str:
    name = html.escape(language)
    made = None
    if language:
        from tenure.highlight import marked  # noqa: PLC0415 - Pygments takes 30 ms to import, and few texts need it

        made = marked(code, language)
    if made is None:
        escaped = html.escape(code, quote=False)
        named = f' class="language-{name}"' if name else ""
        return f"<pre><code{named}>{escaped}\n</code></pre>"
    return f'<pre class="code"><code class="language-{name}">{made}\n</code></pre>'


class _Alerts(Preprocessor):
    """Rewrites `> [!NOTE]` as `!!! note`."""

    def run(self, lines: list[str]) -> list[str]:
        made: list[str] = []
        held: list[str] = []
        inside = ""
        for line in lines:
            if inside and line.startswith(inside):
                held.append(line.removeprefix(inside).removeprefix(" "))
                continue
            made += _set_in(inside, held)
            inside, held = "", []
            found = ALERT.fullmatch(line) if "[!" in line else None
            if found:
                inside = found["indent"].rstrip()
                title = f' "{found["title"]}"' if found["title"] else ""
                apart = [""] if made and made[-1].strip() else []
                made += [*apart, f"{inside[:-1]}!!! {found['kind']}{title}"]
            else:
                made.append(line)
        return [*made, *_set_in(inside, held)]


def _set_in(mark: str, lines: list[str]) -> list[str]:
    """The lines of a quotation, indented as the content of an admonition."""
    return [f"{mark[:-1]}    {words}".rstrip(" ") for words in nested(lines)]


class _Admonitions(AdmonitionProcessor):
    """`!!! note "Title"`, with the labels of the site; a theorem shows its kind and its title."""

    def __init__(self, parser: object, wording: Wording) -> None:
        super().__init__(parser)  # type: ignore[arg-type]
        self.titles = dict(wording.admonitions)

    def get_class_and_title(self, match: re.Match[str]) -> tuple[str, str | None]:
        kind, title = super().get_class_and_title(match)
        name = self.titles.get(kind, kind.capitalize())
        if match[2] is None:
            return kind, name
        return kind, f"{name} ({title})" if kind in STATEMENTS and title else title


class _Figures(BlockProcessor):
    """An image with a caption, `![alt](file "Caption")`, alone in its paragraph."""

    def test(self, parent: Element, block: str) -> bool:
        del parent
        return block.startswith("![") and _PICTURE.fullmatch(block) is not None

    def run(self, parent: Element, blocks: list[str]) -> bool:
        found = _PICTURE.fullmatch(blocks.pop(0))
        if found is None:
            return False
        figure = SubElement(parent, "figure")
        figure.text = f"{found['picture']}){(found['rest'] or '').strip()}"
        caption = SubElement(figure, "figcaption")
        caption.text = re.sub(r"\\([\"'])", r"\1", found["double"] or found["single"] or "")
        return True


class _Tasks(Treeprocessor):
    """`- [ ] to do` and `- [x] done`, as a symbol with a label for screen readers instead of a check box."""

    def __init__(self, markdown: Markdown, wording: Wording) -> None:
        super().__init__(markdown)
        self.wording = wording

    def run(self, root: Element) -> None:
        for item in root.iter("li"):
            words = item if (item.text or "").strip() or not len(item) or item[0].tag != "p" else item[0]
            found = _TASK.match((words.text or "").lstrip())
            if found:
                done = found["mark"] != " "
                said = html.escape(self.wording.done if done else self.wording.undone)
                sign = f'<span role="img" aria-label="{said}">{"☑" if done else "☐"}</span>'
                words.text = f"{self.md.htmlStash.store(sign)} {(words.text or '').lstrip()[found.end() :]}"
                item.set("class", "task")


class _Shape(Treeprocessor):
    """Makes tables scrollable, links footnotes back to the text, and adds ARIA roles."""

    def __init__(self, markdown: Markdown, wording: Wording, *, is_page: bool) -> None:
        super().__init__(markdown)
        self.wording = wording
        self.is_page = is_page

    def run(self, root: Element) -> None:
        marks = {sup.get("id", "") for sup in root.iter("sup")}
        for parent in [*root.iter()]:
            for position, child in enumerate([*parent]):
                if child.tag == "table":
                    parent[position] = self._scrolled(child, parent[position + 1 : position + 2])
                elif child.get("class") == "footnote":
                    self._notes(child, marks)
                elif child.get("class") == "footnote-ref":
                    child.set("role", "doc-noteref")
                elif child.get("class", "").startswith("admonition "):
                    child.set("role", "note")
        for parent in [*root.iter()]:
            for child in [child for child in parent if child.tag == "p" and child.get("class") == "gone"]:
                parent.remove(child)

    def _scrolled(self, table: Element, after: Sequence[Element]) -> Element:
        box = Element(
            "div", {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": self.wording.table}
        )
        box.tail, table.tail = table.tail, "\n"
        box.text = "\n"
        box.append(table)
        for row in table.iter("tr"):
            for cell in row:
                aligned = _ALIGNED.fullmatch(cell.get("style", ""))
                if aligned:
                    del cell.attrib["style"]
                    cell.set("class", aligned[1])
                if cell.tag == "th" and not len(cell) and not (cell.text or "").strip():
                    cell.tag = "td"
        head = table.find("thead")
        if head is not None and not any(cell.tag == "th" for cell in head.iter()):
            table.remove(head)
        for words in after:
            if words.tag == "p" and (words.text or "").startswith("Table: "):
                caption = Element("caption", words.attrib)
                caption.text = (words.text or "").removeprefix("Table: ")
                caption.extend([*words])
                caption.tail = "\n"
                table.insert(0, caption)
                box.set("aria-label", "".join(caption.itertext()))
                words.set("class", "gone")
        return box

    def _notes(self, box: Element, marks: set[str]) -> None:
        """Add roles and labels to the footnotes, and remove links back to references that do not exist."""
        box.tag = "section" if self.is_page else "div"
        box.set("role", "doc-endnotes" if self.is_page else "group")
        box.set("aria-label", self.wording.footnotes)
        for line in box.findall("hr"):
            box.remove(line)
        for item in box.iter("li"):
            self._apart(item)
            backs = [(p, a) for p in item.iter() for a in p if a.get("class") == "footnote-backref"]
            for number, (parent, back) in enumerate(backs, 1):
                if back.get("href", "")[1:] not in marks:
                    parent.remove(back)
                    continue
                back.attrib.pop("title", None)
                back.set("role", "doc-backlink")
                back.set(
                    "aria-label", self.wording.back if len(backs) == 1 else f"{self.wording.back} ({number})"
                )
                back.tail = APART if number < len(backs) else back.tail

    def _apart(self, item: Element) -> None:
        """Move the links back out of a code block that ends a footnote."""
        last = item[-1] if len(item) else None
        code = HTML_PLACEHOLDER_RE.match(last.text or "") if last is not None else None
        if (
            last is not None
            and code
            and str(self.md.htmlStash.rawHtmlBlocks[int(code[1])]).startswith("<pre")
        ):
            after = SubElement(item, "p")
            after.extend([*last])
            last[:] = []
            last.text = code[0]


class _Attributes(Treeprocessor):
    """Replaces formulas in attributes by plain text, and obfuscates e-mail addresses."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            for name in ("alt", "title", "aria-label"):
                if name in element.attrib:
                    element.set(name, HTML_PLACEHOLDER_RE.sub(self._words, element.attrib[name]))
            address = element.get("href", "")
            if element.tag == "a" and address.startswith("mailto:"):
                element.set("href", veiled(address, AMP_SUBSTITUTE))
                words = element.text or ""
                if "@" in words and words in address:
                    element.text = AtomicString(veiled(words, AMP_SUBSTITUTE))

    def _words(self, found: re.Match[str]) -> str:
        stashed = self.md.htmlStash.rawHtmlBlocks[int(found[1])]
        return html.unescape(re.sub(r"<[^>]*>", "", stashed)) if isinstance(stashed, str) else ""
