"""Converts values of the model to text runs with absolute links, for a PDF."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from tenure.exports.cv.runs import (
    TextBlock,
    TextRun,
    link_runs,
    make_paragraph,
    runs_to_text,
    text_to_blocks,
    text_to_runs,
)
from tenure.exports.plain_text import SiteTextConverter
from tenure.html.filters import make_markdown_labels
from tenure.markdown.blocks import MarkdownLabels
from tenure.markdown.html import make_slug
from tenure.markdown.tree import parse_blocks, parse_inline
from tenure.model.dates import Date, Period
from tenure.model.entries import Entry, Point, Publication
from tenure.model.file_index import FileIndex
from tenure.model.links import is_local_file_url, url_scheme
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.record import Record

RunList = list[TextRun]


class RunBuilder(Record):
    """
    Converts values of the model to runs and blocks.

    `t` are the translations of the theme. `numbers` has anchor and number of a publication in the document by key.
    Rows of links are omitted unless `with_links`, full texts of projects unless `full_projects`.
    """

    site: Site
    converter: SiteTextConverter
    labels: MarkdownLabels
    quotes: tuple[str, str]
    files: FileIndex
    t: Translations
    numbers: Mapping[str, tuple[str, int]]
    with_links: bool
    full_projects: bool

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
            full_projects,
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
        return f"{root}{url}"

    def link_to_first(self, runs: RunList, *urls: str) -> RunList:
        """Link the runs to the first URL that can be made absolute."""
        return link_runs(runs, next((full for url in urls if url and (full := self.absolute_url(url))), ""))

    def link_to_entry(self, entry: Entry, runs: RunList) -> RunList:
        """Link the runs to the page or the URL of an entry; without runs, a label is the link to the URL."""
        if not runs and entry.url:
            runs = [self.t["link_link"]]
        return self.link_to_first(runs, entry_page_path(entry), entry.url)

    def date_runs(self, value: Date | None, form: str = "short") -> RunList:
        """A date in the site's language."""
        return [value.format_text(self.t, form)] if value else []

    def period_runs(self, value: Period | None, form: str = "short") -> RunList:
        """A period in the site's language."""
        text = value.format_text(self.t, form) if value else ""
        return [text] if text else []

    def labelled_fact(self, label: str, value: RunList) -> RunList:
        """A fact with its label, "Topic: …"; [] without a value."""
        return [{"is": "term", "runs": [self.t["label"].format(label=label)]}, " ", *value] if value else []

    def name_list(self, values: Sequence[str]) -> RunList:
        """Markdown texts as a list in a sentence: "A and B", "A, B, and C"."""
        items = [self.inline_runs(value) for value in values]
        if len(items) < 2:
            return [run for runs in items for run in runs]
        first = join_runs(items[:-1], self.t["list_comma"])
        return fill_pattern(
            self.t["and_two" if len(items) == 2 else "and_many"], {"first": first, "last": items[-1]}
        )

    def join_with_commas(self, parts: Iterable[RunList]) -> RunList:
        """Join the non-empty parts with the commas of the language."""
        return join_runs(parts, self.t["comma"])

    def bullet_blocks(self, points: Iterable[Point], facts: Iterable[RunList] = ()) -> list[TextBlock]:
        """Facts and bullets with their nested bullets, as one list."""
        items = [make_paragraph(runs) for runs in facts if runs]
        items += [
            make_paragraph(self.inline_runs(point.text)) + self.bullet_blocks(point.points)
            for point in points
        ]
        return make_list(items)

    def detail_blocks(
        self, entry: Entry, points: list[TextBlock], *, with_note: bool = True, with_links: bool = True
    ) -> list[TextBlock]:
        """The blocks below the head of an entry, including its bullets."""
        papers = make_paragraph(self.publication_runs(entry), "papers")
        if points and papers:
            points, papers = make_list([*points[0]["items"], papers]), []
        details = make_paragraph(self.inline_runs(entry.summary), "summary") + points + papers
        if not entry_page_path(entry):
            details += self.text_blocks(entry.body)
        details += make_paragraph(self.inline_runs(entry.note), "note") if with_note else []
        return details + (self.link_blocks(entry) if with_links else [])

    def link_blocks(self, entry: Entry, extra_links: Iterable[tuple[str, str]] = ()) -> list[TextBlock]:
        """The row of links of an entry, or [] without `with_links`; `extra_links` are labels and URLs before its own."""
        pairs = [*extra_links, *((link.label, link.url) for link in entry.links)]
        links = [
            self.link_to_first([self.t.translate_link_label(label)], url)
            for label, url in pairs
            if self.absolute_url(url)
        ]
        return make_paragraph(self.join_with_commas(links), "links") if self.with_links else []

    def publication_runs(self, entry: Entry) -> RunList:
        """The publications of an entry: by number in the document, or by title."""
        if not entry.publications:
            return []
        references = [
            self._publication_reference(paper)
            for paper in self.site.publications
            if paper.key in entry.publications
        ]
        all_numbered = all(paper in self.numbers for paper in entry.publications)
        label = self.t["papers" if len(entry.publications) > 1 else "paper"]
        return self.labelled_fact(
            label, join_runs(references, self.t["comma" if all_numbered else "semicolon"])
        )

    def _publication_reference(self, paper: Publication) -> RunList:
        if paper.key in self.numbers:
            anchor, number = self.numbers[paper.key]
            return [{"is": "reference", "id": anchor, "text": f"[{number}]"}]
        title = self.link_to_entry(paper, self.inline_runs(paper.title))
        short = runs_to_text(self.plain_runs(paper.venue.short))
        return [*title, f" ({short})"] if short else title

    def group_label(self, label: str) -> str:
        """Label of a group of service."""
        return self.t.get(f"group_{make_slug(label)}", label[:1].upper() + label[1:].replace("_", " "))


def make_list(items: list[list[TextBlock]], *, ordered: bool = False) -> list[TextBlock]:
    """A list as a list of one block, or [] without items."""
    return [{"is": "list", "ordered": ordered, "start": 1, "items": items}] if items else []


def join_runs(parts: Iterable[RunList], separator: str) -> RunList:
    """Join the non-empty parts with a separator."""
    joined_runs: RunList = []
    for part in parts:
        if part:
            joined_runs += [separator, *part] if joined_runs else part
    return joined_runs


def fill_pattern(pattern: str, parts: Mapping[str, RunList]) -> RunList:
    """Replace the fields of a translated pattern, "{first} and {last}", with runs."""
    filled_runs: RunList = []
    remainder = pattern
    while "{" in remainder:
        literal, _, remainder = remainder.partition("{")
        name, _, remainder = remainder.partition("}")
        filled_runs += [literal, *parts.get(name, [])]
    return [run for run in (*filled_runs, remainder) if run]
