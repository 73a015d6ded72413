"""Code fences, quotations, alerts, task lists and strikethrough by pymdown-extensions; only imported for texts that have some."""

import html
from typing import Any
from xml.etree.ElementTree import Element

from pymdownx.quotes import BlockParser, Markdown, QuotesProcessor, QuotesTreeprocessor
from pymdownx.tasklist import TasklistTreeprocessor

from tenure.markdown.blocks import MarkdownLabels, normalize_nesting, title_admonition


def add_inline_syntax(markdown: Markdown) -> None:
    """Add `~~strikethrough~~`."""
    markdown.registerExtensions(["pymdownx.tilde"], {"pymdownx.tilde": {"subscript": False}})


def add_block_syntax(markdown: Markdown, labels: MarkdownLabels) -> None:
    """Add fenced code, quotations, alerts such as `> [!NOTE]`, and task lists."""
    code = {"name": "*", "class": "", "format": _format_code}
    markdown.registerExtensions(
        ["pymdownx.superfences"],
        {"pymdownx.superfences": {"relaxed_headers": True, "custom_fences": [code]}},
    )
    trees = markdown.treeprocessors
    markdown.parser.blockprocessors.register(_QuotationProcessor(markdown.parser), "quote", 20)
    trees.register(_AlertProcessor(markdown, labels), "alerts", 21)
    trees.register(_TaskListProcessor(markdown, labels), "tasks", 25)


def _format_code(  # noqa: PLR0913 - the library calls it with these names
    source: str,
    language: str | None,
    class_name: str,
    options: object,
    md: Markdown,
    *,
    classes: object,
    id_value: object,
    attrs: object,
) -> str:
    """The HTML of a code block; a class, an identifier or attributes after its language are ignored."""
    del class_name, options, md, classes, id_value, attrs
    name = html.escape(language or "")
    highlighted = None
    if name:
        from tenure.markdown.code import highlight_code  # noqa: PLC0415 - Pygments takes 30 ms to import, and few texts need it

        highlighted = highlight_code(source, language or "")
    if highlighted is None:
        class_attribute = f' class="language-{name}"' if name else ""
        return f"<pre><code{class_attribute}>{html.escape(source, quote=False)}\n</code></pre>"
    return f'<pre class="code"><code class="language-{name}">{highlighted}\n</code></pre>'


class _QuotationProcessor(QuotesProcessor):  # type: ignore[misc]  # the library has no types
    """Quotations and alerts; their lists may be nested by two or three spaces as well."""

    def __init__(self, parser: BlockParser) -> None:
        super().__init__(parser, {"callouts": True})

    def run(self, parent: Element, blocks: list[str]) -> None:
        match = self.RE.search(blocks[0])
        if match:
            lines = [self.clean(line) for line in blocks[0][match.start() :].strip("\n").split("\n")]
            title_lines = 1 if lines[0].startswith("[!") else 0
            lines = [*lines[:title_lines], *normalize_nesting(lines[title_lines:])]
            blocks[0] = blocks[0][: match.start()] + "".join(f"\n> {line}" for line in lines)
        super().run(parent, blocks)


class _AlertProcessor(QuotesTreeprocessor):  # type: ignore[misc]  # the library has no types
    """Alerts as admonitions, with the titles of admonitions."""

    def __init__(self, markdown: Markdown, labels: MarkdownLabels) -> None:
        super().__init__(markdown)
        self.labels = labels

    def run(self, root: Element) -> None:
        for quotation in root.iter("blockquote"):
            kind = quotation.get("data-alert")
            if kind:
                title = quotation[0].text or ""
                quotation[0].text = title_admonition(
                    kind, None if title == kind.title() else title, self.labels
                )
        super().run(root)


class _TaskListProcessor(TasklistTreeprocessor):  # type: ignore[misc]  # the library has no types
    """Task lists with symbols and labels for screen readers instead of check boxes."""

    def __init__(self, markdown: Markdown, labels: MarkdownLabels) -> None:
        super().__init__(markdown)
        self.config = {"custom_checkbox": False, "clickable_checkbox": False}
        self.symbols = {
            f'<input type="checkbox" disabled{state}/> ': f'<span role="img" aria-label="{html.escape(label)}">{sign}</span> '
            for state, sign, label in ((" checked", "☑", labels.task_done), ("", "☐", labels.task_open))
        }

    def run(self, root: Element) -> None:
        super().run(root)
        stash: list[Any] = self.md.htmlStash.rawHtmlBlocks
        stash[:] = [self.symbols.get(block, block) if isinstance(block, str) else block for block in stash]
