"""Converts phrases and the blocks of entries to text runs with absolute links, for a PDF."""

from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from tenure.exports.cv.runs import (
    TextBlock,
    TextRun,
    keep_together,
    link_runs,
    make_paragraph,
    merge_runs,
    text_to_blocks,
    text_to_runs,
)
from tenure.exports.plain_text import SiteTextConverter
from tenure.html.filters import make_markdown_labels
from tenure.markdown.blocks import MarkdownLabels
from tenure.markdown.tree import parse_blocks, parse_inline
from tenure.model.file_index import FileIndex
from tenure.model.links import is_local_file_url, url_scheme
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.presentation.blocks import Block, Bullet
from tenure.presentation.entries import EntryPresenter
from tenure.presentation.phrases import Phrase, Span, join_phrases, label_fact
from tenure.record import Record

RunList = list[TextRun]

RUN_KINDS = {
    "heading": "strong", "duty": "strong", "strong": "strong", "emphasis": "emph", "venue": "emph",
    "parenthesis": "nowrap", "unit": "nowrap", "division": "unit", "term": "term",
}  # fmt: skip
"""The kinds of runs by the roles of spans; any other role is text."""


class RunBuilder(Record):
    """
    Converts phrases and Markdown texts to runs and blocks.

    `t` are the translations of the theme. `numbers` has anchor and number of a publication in the document by key.
    Rows of links are omitted unless `with_links`.
    """

    site: Site
    converter: SiteTextConverter
    labels: MarkdownLabels
    quotes: tuple[str, str]
    files: FileIndex
    t: Translations
    numbers: Mapping[str, tuple[str, int]]
    with_links: bool
    presenter: EntryPresenter

    @classmethod
    def for_site(
        cls, site: Site, numbers: Mapping[str, tuple[str, int]], *, with_links: bool, full_projects: bool
    ) -> "RunBuilder":
        """The builder for one document of a site."""
        t = site.active_theme.translations
        opening_quote, _, closing_quote = t["quote"].partition("{text}")
        return cls(
            site,
            SiteTextConverter.for_site(site),
            make_markdown_labels(t),
            (opening_quote, closing_quote),
            FileIndex(site.files),
            t,
            numbers,
            with_links,
            EntryPresenter.for_site(
                site, links_to_pages=bool(site.settings.url), full_projects=full_projects
            ),
        )

    def inline_runs(self, value: str) -> RunList:
        """A Markdown text as inline runs."""
        if not value:
            return []
        cited = self.converter.resolve_citations(value)
        return text_to_runs(parse_inline(cited.text, self.quotes), self.absolute_url)

    def text_blocks(self, value: str) -> list[TextBlock]:
        """A Markdown text as blocks."""
        if not value:
            return []
        cited = self.converter.resolve_citations(value)
        blocks = text_to_blocks(parse_blocks(cited.text, self.labels, self.quotes), self.absolute_url)
        references = [
            make_paragraph(
                text_to_runs(parse_inline(self.converter.library.format_reference(paper)), self.absolute_url)
            )
            for paper in cited.publications
        ]
        return blocks + make_list(references, ordered=True)

    def plain_runs(self, value: str) -> RunList:
        """A Markdown text as a run of plain text."""
        text = self.converter.to_plain_text(value) if value else ""
        if '"' in value:
            text = text.replace("“", self.quotes[0]).replace("”", self.quotes[1])
        return [text] if text else []

    def absolute_url(self, url: str) -> str:
        """An absolute URL, or "" if the site has no URL."""
        if url_scheme(url) or url.startswith("//"):
            return url
        root = self.site.settings.url.rstrip("/")
        if not root or url.startswith(("#", "?")) or not url:
            return ""
        if is_local_file_url(url):
            matches = self.files.find_paths(unquote(url))
            return f"{root}/{matches[0]}" if len(matches) == 1 else ""
        return self.site.absolute_url(url)

    def link_to_first(self, runs: RunList, *urls: str) -> RunList:
        """Link the runs to the first URL that can be made absolute."""
        return link_runs(runs, next((full for url in urls if url and (full := self.absolute_url(url))), ""))

    def phrase_runs(self, phrase: Phrase) -> RunList:
        """A phrase as runs."""
        return merge_runs(run for span in phrase for run in self._span_runs(span))

    def _span_runs(self, span: Span) -> RunList:
        if span.role == "mark":
            return [{"is": "mark", "text": span.text}]
        if span.role == "paper" and span.detail in self.numbers:
            anchor, number = self.numbers[span.detail]
            return [{"is": "reference", "id": anchor, "text": f"[{number}]"}]
        if span.spans:
            runs = self.phrase_runs(span.spans)
        elif span.is_markdown:
            runs = self.plain_runs(span.text) if span.role == "name" else self.inline_runs(span.text)
        else:
            runs = [span.text]
        if span.role == "date":
            runs = keep_together(runs)
        if span.role in ("owner", "person"):
            runs = keep_together(runs)
            runs = [{"is": "name", "own": span.role == "owner", "runs": runs}]
        if span.url:
            runs = self.link_to_first(runs, span.url)
        kind = RUN_KINDS.get(span.role)
        return [{"is": kind, "runs": runs}] if kind and runs else runs

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
            return self.text_blocks(block.body)
        if block.role == "links":
            return self._link_block(block)
        if block.role == "papers":
            is_numbered = all(item[0].detail in self.numbers for item in block.items if item)
            items = join_phrases(block.items, self.t["comma" if is_numbered else "semicolon"])
            return make_paragraph(self.phrase_runs(label_fact(self.t, block.label, items)), "papers")
        if block.bullets:
            heading = label_fact(self.t, block.label, (Span(" "),)) if block.label else ()
            return make_paragraph(self.phrase_runs(heading), "label") + self._bullet_list(block.bullets)
        if block.items:
            fact = label_fact(self.t, block.label, self.presenter.join_with_commas(block.items))
            return make_paragraph(self.phrase_runs(fact), "fact")
        return make_paragraph(self.phrase_runs(block.text), block.role)

    def _link_block(self, block: Block) -> list[TextBlock]:
        """The row of links that work in a document, or [] without `with_links`."""
        items = [item for item in block.items if all(self.absolute_url(span.url) for span in item)]
        row = self.presenter.join_with_commas(items if self.with_links else ())
        if not block.label:
            return make_paragraph(self.phrase_runs(row), "links")
        return make_paragraph(self.phrase_runs(label_fact(self.t, block.label, row)), "fact")

    def _bullet_list(self, bullets: Iterable[Bullet]) -> list[TextBlock]:
        """Bullets with their nested bullets."""
        return make_list(
            [
                make_paragraph(self.phrase_runs(bullet.text)) + self._bullet_list(bullet.bullets)
                for bullet in bullets
            ]
        )


def make_list(items: list[list[TextBlock]], *, ordered: bool = False) -> list[TextBlock]:
    """A list as a list of one block, or [] without items."""
    return [{"is": "list", "ordered": ordered, "start": 1, "items": items}] if items else []
