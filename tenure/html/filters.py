"""
Texts as HTML, and the Jinja filters of Tenure: Markdown, phrases, dates, names and URLs.

The `HtmlWriter` makes an element of each role of a phrase; the `TextRenderer` converts Markdown of a site.
"""

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from typing import Any

from markupsafe import Markup

from tenure.html.embeds import embed_videos, lay_out_galleries
from tenure.html.external_services import services_on_page
from tenure.html.head import HeadRenderer
from tenure.html.icons import find_icon, render_icon
from tenure.html.json_ld import format_script_json
from tenure.html.template_inputs import TemplateInputs
from tenure.markdown import html as markdown_html
from tenure.markdown.blocks import ADMONITION_TITLES, MarkdownLabels
from tenure.markdown.html_tags import Tag, rewrite_elements, strip_tags
from tenure.markdown.sidenotes import place_footnotes_beside, place_references_beside
from tenure.model.dates import Date, Period
from tenure.model.entries import Entry, Publication
from tenure.model.languages import Language, TextDirection, detect_direction
from tenure.model.links import email_url
from tenure.model.names import find_initials
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.plan.citations import CitationLibrary, list_texts_without_citations
from tenure.plan.pages import entry_page_path
from tenure.plan.related import PageLink
from tenure.plan.sections import Listing, ListItem
from tenure.presentation.citation import Citation
from tenure.presentation.entry_lines import EntryLines, EntryPresenter
from tenure.presentation.reference import format_reference
from tenure.presentation.writer import Phrase, Writer
from tenure.record import Record, replace

ROLE_ELEMENTS: Mapping[str, tuple[str, str]] = {
    "owner": ("b", "me"),
    "person": ("", "person"),
    "mark": ("sup", ""),
    "venue": ("cite", ""),
    "abbreviation": ("span", "abbr"),
    "parenthesis": ("span", "abbr nowrap"),
    "unit": ("span", "nowrap"),
    "status": ("span", "status"),
    "status_tag": ("span", "tag status"),
    "tag": ("span", "tag"),
    "term": ("span", "term"),
    "heading": ("b", "title"),
    "duty": ("b", "term"),
    "division": ("span", "unit"),
    "amount": ("span", "amount"),
    "date": ("time", ""),
}
"""The element and the class of each role; if the element is "", the class goes on the link."""

ISOLATED_ROLES = frozenset({"owner", "person", "name"})
"""Roles of names, whose markup is removed; a name of another direction than the page is isolated."""


class HtmlWriter(Writer):
    """Writes HTML by functions that render inline Markdown or a title, remove markup, and isolate a name."""

    tilde_space = "\u2009"

    def __init__(
        self,
        render_inline: Callable[[str], str],
        render_title: Callable[[str, Language], str],
        render_plain: Callable[[str], str],
        isolate_text: Callable[[str], str],
    ) -> None:
        self._render_inline = render_inline
        self._render_title = render_title
        self._render_plain = render_plain
        self._isolate_text = isolate_text
        super().__init__()

    def title(self, paper: Publication) -> Phrase:
        return self._render_title(paper.title, paper.language)

    def escape(self, text: str, role: str) -> str:
        return self._isolate_text(text) if role in ISOLATED_ROLES else escape(text)

    def convert(self, text: str, role: str) -> str:
        if role in ISOLATED_ROLES:
            return self._isolate_text(self._render_plain(text))
        return self._render_inline(text)

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        """A content in the element of its role, with a link: `<cite><a href="/x/">Nature</a></cite>`."""
        if role == "link" and detail:
            return f'<a href="{escape(url)}" aria-label="{escape(detail)}">{content}</a>'

        element, css_class = ROLE_ELEMENTS.get(role, ("", ""))
        attributes = f' class="{css_class}"' if css_class else ""
        if url:
            link_attributes = "" if element else attributes
            content = f'<a{link_attributes} href="{escape(url)}">{content}</a>'
        if element:
            if detail:
                name = "datetime" if element == "time" else "title"
                attributes = f'{attributes} {name}="{escape(detail)}"'
            content = f"<{element}{attributes}>{content}</{element}>"
        return content

    def to_text(self, content: str) -> str:
        return html.unescape(strip_tags(content))


def escape(text: str) -> str:
    """A text as HTML, with the character references of markupsafe, which takes three times as long."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&#34;").replace("'", "&#39;")


def build_template_filters(inputs: TemplateInputs, head: HeadRenderer) -> dict[str, Any]:
    """Return the filters of Tenure by template name, for pages in the language of the site."""
    site = inputs.site
    renderer = TextRenderer.for_site(site, may_cite=inputs.may_cite)
    translations = site.active_theme.translations
    language = site.settings.language
    tag_paths = inputs.tag_paths

    isolate_text = partial(_isolate_text, language.direction)
    w = HtmlWriter(
        renderer.render_inline,
        partial(_render_title, renderer, language),
        renderer.render_plain,
        isolate_text,
    )
    presenter = EntryPresenter(site, w)
    # by id(), which stays valid because a citation refers to its publication
    citations: dict[int, Citation] = {}

    # one Citation for each publication, as templates ask for several of its parts
    def cite(paper: Publication) -> Citation:
        if id(paper) not in citations:
            citations[id(paper)] = Citation(paper, translations, w, presenter.publications)
        return citations[id(paper)]

    return {
        "markdown": renderer.render_markdown,
        "headings": lambda source_html: _headings_as_markup(markdown_html.find_headings(source_html)),
        "initials": find_initials,
        "inline_markdown": renderer.render_inline,
        "markup": Markup,
        "citation": cite,
        "plain_text": renderer.render_plain,
        "reference": format_reference,
        "title": lambda paper: _render_title(renderer, language, paper.title, paper.language),
        "lines": partial(_present_listing, presenter),
        "full_lines": replace(presenter, full_projects=True).present,
        "details": presenter.present_details,
        "people": presenter.name_people,
        "isolate": isolate_text,
        "language_attributes": partial(_language_attributes, language),
        "link_label": lambda link: translations.translate_link_label(link.label, getattr(link, "url", "")),
        "sort_by_label": partial(_sort_alphabetically, translations),
        "merge_by_label": partial(_merge_by_label, translations),
        "date": partial(_render_date, translations),
        "period": partial(_render_period, translations),
        "url": _format_url,
        "email_url": email_url,
        "tag_url": lambda tag: tag_paths.get(tag, ""),
        "tag_link": cache(partial(_render_tag, tag_paths, renderer.render_plain, isolate_text)),
        "kind_and_year": partial(_render_kind_and_year, renderer, translations["comma"]),
        "icon": cache(render_icon),
        "icon_name": find_icon,
        "slug": lambda value: markdown_html.make_slug(str(value)),
        # It cannot end a script element.
        "json": lambda value: Markup(format_script_json(value)),
        # every value in it is escaped
        "head": lambda page: Markup(head.render_head(page)),
        "reading_minutes": lambda text: estimate_reading_minutes(renderer.render_plain(text)),
        "downloads": head.downloads.files_of_page,
        "services": partial(services_on_page, site.settings),
    }


def estimate_reading_minutes(text: str) -> int:
    """The minutes that a text takes, at 220 words or 450 Chinese, Japanese or Korean characters each."""
    ideographs = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text))
    words = len(re.findall(r"[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+", text))
    return max(1, round(words / 220 + ideographs / 450))


class TextRenderer(Record):
    """
    Renders Markdown with its citations as HTML or plain text.

    `texts_without_citations` are the texts of publications; an @ in them is not a citation.
    """

    library: CitationLibrary
    texts_without_citations: frozenset[str]
    labels: MarkdownLabels
    quote_marks: tuple[str, str]
    direction: TextDirection
    video_services: frozenset[str]
    files: frozenset[str]
    has_sidenotes: bool
    may_cite: bool

    @classmethod
    def for_site(cls, site: Site, *, may_cite: bool) -> "TextRenderer":
        """The renderer of the texts of a site, in its language."""
        texts_without_citations = list_texts_without_citations(site)
        texts_without_citations |= set(map(markdown_html.plain_text, texts_without_citations))

        opening_quote, _, closing_quote = site.active_theme.translations["quote"].partition("{text}")
        services = site.settings.services
        return cls(
            library=CitationLibrary.for_site(site, entry_page_path),
            texts_without_citations=frozenset(texts_without_citations),
            labels=make_markdown_labels(site.active_theme.translations),
            quote_marks=(opening_quote, closing_quote),
            direction=site.settings.language.direction,
            video_services=frozenset(key for key in ("youtube", "vimeo") if getattr(services, key)),
            files=site.files,
            has_sidenotes=site.active_theme.options.get("notes") == "margin",
            may_cite=may_cite,
        )

    def render_markdown(self, value: str, level: int = 2) -> Markup:
        """Render Markdown blocks, and below them the publications that they cite."""
        source = str(value)
        text = source
        # the path of the page of each publication, "" without one, and its reference
        references: list[tuple[str, str]] = []
        if self._may_cite(source):
            cited = self.library.resolve_citations(source)
            text = cited.text
            for publication in cited.publications:
                path = self.library.publication_path(publication)
                reference = markdown_html.render_inline(self.library.format_reference(publication))
                references.append((path, _isolate_direction(reference, self.direction)))

        rendered = markdown_html.render_markdown(text, level, self.labels)
        beside = frozenset[str]()
        if self.has_sidenotes:
            rendered, beside = place_references_beside(rendered, dict(references))
            rendered = place_footnotes_beside(rendered)
        rendered = self._localize_html(source, rendered, _add_block_direction)
        if references:
            rendered = f"{rendered}\n{self._format_references(references, beside, level)}"
        # the output of Markdown; its author may write any HTML
        return Markup(rendered)

    def _format_references(
        self, references: Iterable[tuple[str, str]], beside: AbstractSet[str], level: int
    ) -> str:
        """The list of references: a <section> up to level 2; those that stand beside the text are marked."""
        lines = ""
        for path, reference in references:
            mark = ' class="beside"' if path in beside else ""
            lines += f"<li{mark}>{reference}</li>\n"
        opening, closing = ("<section", "</section>") if level <= 2 else ('<div role="group"', "</div>")
        label = html.escape(self.library.translations["references"])
        return f'{opening} class="references" aria-label="{label}">\n<ol>\n{lines}</ol>\n{closing}'

    def render_inline(self, value: str) -> Markup:
        """Render inline Markdown without a paragraph around it."""
        source = str(value)
        if self._may_cite(source):
            source = self.library.resolve_citations(source).text
        return Markup(self._localize_html(source, markdown_html.render_inline(source), _isolate_direction))

    def render_plain(self, value: str) -> str:
        """Return the text without markup."""
        source = str(value)
        if self._may_cite(source):
            source = self.library.render_without_links(source)
        rendered = markdown_html.plain_text(source)
        if '"' in source:
            opening, closing = self.quote_marks
            return rendered.replace("“", opening).replace("”", closing)
        return rendered

    def _localize_html(
        self, source: str, rendered: str, add_direction: Callable[[str, TextDirection], str]
    ) -> str:
        """Add video players, the quotation marks of the language and, if it differs, the text direction."""
        if "<img" in rendered:
            rendered = embed_videos(rendered, self.video_services)
            rendered = lay_out_galleries(rendered, self.files, self.library.translations["close"])
        if "<math" in rendered:
            rendered = keep_formulas_with_words(rendered)
        if '"' in source and self.quote_marks != ("“", "”"):
            rendered = markdown_html.localize_quotes(rendered, *self.quote_marks)
        if self.direction == "ltr" and source.isascii():
            return rendered
        return add_direction(rendered, self.direction)

    def _may_cite(self, source: str) -> bool:
        """Whether a text has an @ that may be a citation."""
        return self.may_cite and "@" in source and source not in self.texts_without_citations


_BLOCK_START = re.compile(r"<(p|[uod]l|h[1-6]|blockquote|table|figure|div)(?=[ >])")
"""The start tag of a block of text: <p>, <ul class="a">."""


def _format_url(value: object) -> str:
    """The path of the page of an entry, or a URL."""
    return entry_page_path(value) if isinstance(value, Entry) else str(value)


def _add_block_direction(rendered: str, page_direction: TextDirection) -> str:
    """Add `dir` to the blocks of a text, or to single ones, that run in another direction than the page."""
    if _html_direction(rendered) not in ("", page_direction):
        return _BLOCK_START.sub(rf'<\1 dir="{_html_direction(rendered)}"', rendered)
    for name in ("blockquote", "p"):
        rendered = rewrite_elements(rendered, partial(_add_own_direction, page_direction, name), name)
    return rendered


def _add_own_direction(page_direction: TextDirection, name: str, element: Tag) -> str:
    """An element with `dir`, if its text runs in another direction than the page: `<p dir="rtl">`."""
    own_direction = _html_direction(element.content)
    if own_direction in ("", page_direction) or "dir" in element.attributes:
        return element.text
    return f'<{name} dir="{own_direction}"{element.attributes_text}>{element.content}</{name}>'


def _html_direction(rendered: str) -> str:
    return detect_direction(html.unescape(strip_tags(rendered)))


def _isolate_direction(rendered: str, page_direction: TextDirection) -> str:
    """Wrap inline HTML of another direction than the page, so that its full stop stays at its end."""
    own_direction = _html_direction(rendered)
    if own_direction in ("", page_direction):
        return rendered
    return f'<bdi dir="{own_direction}">{rendered}</bdi>'


def _isolate_text(page_direction: TextDirection, value: str) -> Markup:
    """Escape a text such as a name, and isolate it if its direction differs from the page."""
    escaped = Markup.escape(value)
    if page_direction == "ltr" and value.isascii():
        return escaped
    # escaped above
    return Markup(_isolate_direction(escaped, page_direction))


def _language_attributes(page_language: Language, language: Language, always: bool = False) -> Markup:
    """The `lang` and `dir` attributes of an element; empty for the language of the page, unless `always`."""
    if not language or (language == page_language and not always):
        return Markup("")
    if always or language.direction != page_language.direction:
        return Markup(' lang="{}" dir="{}"').format(language, language.direction)
    return Markup(' lang="{}"').format(language)


def _render_title(
    renderer: TextRenderer, page_language: Language, title: str, title_language: Language
) -> Markup:
    """A title, with its language if that differs from the page: "en" does not differ from "en-GB"."""
    if not title_language or title_language.primary_subtag == page_language.primary_subtag:
        return renderer.render_inline(title)
    attributes = _language_attributes(page_language, title_language)
    rendered = replace(renderer, direction=title_language.direction).render_inline(title)
    return Markup("<span{}>{}</span>").format(attributes, rendered)


def _present_listing(
    presenter: EntryPresenter, listing: Listing, brief: bool = False, cards: bool = False
) -> list[tuple[ListItem, EntryLines]]:
    """The items of a list, each with the lines of its entry."""
    entries = [item.entry for item in listing.items]
    lines = presenter.present_listing(entries, listing.title, brief=brief, cards=cards)
    return list(zip(listing.items, lines, strict=True))


def _render_tag(
    tag_paths: Mapping[str, str],
    render_plain: Callable[[str], str],
    isolate_text: Callable[[str], str],
    tag: str,
) -> Markup:
    """A tag as a link to its page, or as text if it has none: `<a rel="tag" href="/tags/ai/">AI</a>`."""
    # escaped by isolate_text()
    name = Markup(isolate_text(render_plain(tag)))
    path = tag_paths.get(tag)
    if not path:
        return name
    return Markup('<a rel="tag" href="{}">{}</a>').format(path, name)


def _render_kind_and_year(renderer: TextRenderer, comma: str, link: PageLink) -> str:
    """The kind of a link and its year: "SOSP '24, 2024"."""
    kind = renderer.render_plain(link.kind)
    year = None
    if link.when and link.when.start:
        year = link.when.start.year
    return comma.join(filter(None, (kind, str(year or ""))))


def _sort_alphabetically(
    translations: Translations, values: Iterable[Any], key_prefix: str = ""
) -> list[Any]:
    """
    Sort strings, or sequences whose first element is a string, alphabetically by their translations.

    `key_prefix` is the start of the translation keys, such as "kind_".
    """

    # a value is a name, or a pair of a name and something else
    def collation_key(value: Any) -> tuple[tuple[int, int], ...]:
        name = value if isinstance(value, str) else str(value[0])
        return translations.alphabetical_key(translations.get(f"{key_prefix}{name}", name))

    return sorted(values, key=collation_key)


class LabelGroup(Record):
    """The keys that have one label, and the number of their values."""

    label: str
    keys: tuple[str, ...]
    count: int


def _merge_by_label(
    translations: Translations, groups: Iterable[tuple[str, Sequence[Any]]], key_prefix: str, default: str
) -> list[LabelGroup]:
    """Merge groups with one translation of their keys, in alphabetical order; other keys are `default`."""
    values_by_label: dict[str, dict[str, int]] = {}
    for key, values in groups:
        label = translations.get(f"{key_prefix}{key}", default)
        values_by_label.setdefault(label, {})[key] = len(values)

    groups_by_label = {
        label: LabelGroup(label, tuple(counts), sum(counts.values()))
        for label, counts in values_by_label.items()
    }
    return [groups_by_label[label] for label in sorted(groups_by_label, key=translations.alphabetical_key)]


def _headings_as_markup(
    headings: Iterable[markdown_html.MarkdownHeading],
) -> tuple[markdown_html.MarkdownHeading, ...]:
    """Headings with their text marked as safe HTML; they were extracted from rendered HTML."""
    return tuple(
        replace(heading, title=Markup(heading.title), children=_headings_as_markup(heading.children))
        for heading in headings
    )


def make_markdown_labels(translations: Mapping[str, str]) -> MarkdownLabels:
    """The labels that the Markdown renderer needs, from the translations of a site."""
    return MarkdownLabels(
        table=translations["text_table"],
        footnotes=translations["text_footnotes"],
        back_to_text=translations["text_back"],
        task_done=translations["task_done"],
        task_open=translations["task_undone"],
        admonition_titles=tuple((kind, translations[f"admonition_{kind}"]) for kind in ADMONITION_TITLES),
    )


def _render_date(translations: Mapping[str, str], value: Date | None, form: str = "short") -> Markup:
    """A date for programs and people: `<time datetime="2024-09">Sep 2024</time>`."""
    if value is None:
        return Markup("")
    label = value.format_text(translations, form)
    if not value.iso:
        return Markup.escape(label)
    return Markup('<time datetime="{}">{}</time>').format(value.iso, label)


def _render_period(translations: Mapping[str, str], value: Period | None, form: str = "short") -> Markup:
    """A period: "Sep 2021 – Present"; with one date "2024" or "until 2024"."""
    if value is None:
        return Markup("")
    start = _render_date(translations, value.start, form)
    end = _render_date(translations, value.end, form)
    if value.ongoing:
        end = Markup.escape(translations["present"])
    if start and end:
        return Markup.escape(translations["date_period"]).format(start=start, end=end)
    if end:
        return Markup.escape(translations["date_until"]).format(date=end)
    return start


MAX_WORD = 12
"""Maximum number of characters of a word that stays in the line of the formula that it touches."""

_WORD = r"[^\s<>\u2e80-\U0010ffff]"
"""A character of a script with spaces between words."""

_IN_LINE = rf"(?<!{_WORD})({_WORD}*)(<math display=\"inline\">.*?</math>)({_WORD}*)"
"""A pattern that is compiled for the first page with a formula: it takes 4 ms."""


def keep_formulas_with_words(html: str) -> str:
    """Allow no line break between a formula and its word: the x-axis."""
    if 'display="inline"' not in html:
        return html
    return re.sub(_IN_LINE, _keep_with_word, html, flags=re.DOTALL)


def _keep_with_word(match: re.Match[str]) -> str:
    """The formula with the words that touch it in one line, if they are short: "x-axis"."""
    before, formula, after = match.groups()
    if not 0 < len(before) + len(after) <= MAX_WORD:
        return match[0]
    return f'<span class="nowrap">{before}{formula}{after}</span>'
