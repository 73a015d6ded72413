"""The CV in Markdown and in plain text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from tenure.exports.plain_text import SiteTextConverter
from tenure.model.entries import Publication
from tenure.model.links import Link, url_scheme
from tenure.model.site import SectionConfig, Site
from tenure.plan.default_pages import default_cv_sections
from tenure.plan.pages import Plan
from tenure.plan.sections import ListItem, Section, make_section
from tenure.presentation.citation import Citation
from tenure.presentation.entries import EntryLines, EntryPresenter
from tenure.presentation.phrases import (
    Block,
    Bullet,
    Phrase,
    Span,
    ends_sentence,
    join_phrases,
    label_fact,
    markdown_phrase,
    nest_phrase,
    phrase_to_text,
    plain_phrase,
)
from tenure.presentation.reference import format_reference
from tenure.problems import Problems
from tenure.record import Record

BOLD_ROLES = frozenset({"heading", "duty", "owner", "strong"})
EMPHASIZED_ROLES = frozenset({"venue", "emphasis"})


class MarkdownPoint(Record):
    """A bullet point in Markdown, with its nested bullet points."""

    text: str
    points: tuple["MarkdownPoint", ...] = ()


class MarkdownRow(Record):
    """An entry in Markdown: its head, its dates, and below them texts and bullet points in order."""

    head: str
    dates: str = ""
    below: tuple[str | MarkdownPoint, ...] = ()


class MarkdownRowBuilder(Record, dict=True):
    """Converts entries to Markdown rows."""

    converter: SiteTextConverter

    @cached_property
    def _presenter(self) -> EntryPresenter:
        return EntryPresenter.for_site(self.converter.site)

    def make_rows(self, items: Sequence[ListItem]) -> list[MarkdownRow]:
        """The entries of a list as rows with all their facts."""
        others = [item.entry for item in items if not isinstance(item.entry, Publication)]
        lines = iter(self._presenter.present_list(others))
        return [
            self._publication_row(item, item.entry)
            if isinstance(item.entry, Publication)
            else self._entry_row(next(lines))
            for item in items
        ]

    def _entry_row(self, lines: EntryLines) -> MarkdownRow:
        comma = self._presenter.t["comma"]
        if lines.form == "line":
            head = join_phrases([lines.heading, lines.subtitle], lines.subtitle_separator or comma)
        else:
            head = join_phrases([nest_phrase(lines.heading, "heading"), lines.place], comma)
        role = join_phrases([lines.organization, lines.role], comma)
        below = [
            *self._convert_text(role),
            *(part for block in lines.all_blocks for part in self._block(block)),
        ]
        return MarkdownRow(self.phrase_markdown(head), phrase_to_text(lines.dates), tuple(below))

    def _publication_row(self, item: ListItem, publication: Publication) -> MarkdownRow:
        citation, style = Citation(publication, self._presenter.t, citations=item.citations), item.style
        people = citation.credits().join_visible(self._presenter.t["comma"])
        lines = [people, markdown_phrase(citation.paper.title, "heading"), citation.venue_line()]
        reference = (
            format_reference(citation, style) if style else join_phrases(map(_end_sentence, lines), " ")
        )
        remarks = [*(nest_phrase(award, "strong") for award in citation.awards), citation.note]
        links = Block("links", items=tuple(plain_phrase(link.label, url=link.url) for link in citation.links))
        head = self.phrase_markdown(join_phrases([reference, *map(_end_sentence, remarks)], " "))
        return MarkdownRow(head, below=tuple(self._block(links)))

    def _block(self, block: Block) -> Iterable[str | MarkdownPoint]:
        if block.bullets:
            return (*self._convert_text(plain_phrase(block.label)), *self._convert_bullets(block.bullets))
        if block.body:
            return (self.converter.resolve_citations_and_urls(block.body).strip(),)
        t = self._presenter.t
        items = join_phrases(block.items, t["semicolon" if block.role == "papers" else "comma"])
        fact = label_fact(t, block.label, items) if block.label else items
        return self._convert_text(block.text or fact)

    def _convert_text(self, phrase: Phrase) -> tuple[str, ...]:
        return (self.phrase_markdown(phrase),) if phrase else ()

    def _convert_bullets(self, bullets: Iterable[Bullet]) -> tuple[MarkdownPoint, ...]:
        return tuple(
            MarkdownPoint(self.phrase_markdown(bullet.text), self._convert_bullets(bullet.bullets))
            for bullet in bullets
        )

    def phrase_markdown(self, phrase: Phrase) -> str:
        """A phrase in Markdown, on one line."""
        return "".join(map(self._span_markdown, phrase))

    def _span_markdown(self, span: Span) -> str:
        if span.spans:
            text = self.phrase_markdown(span.spans)
        elif span.is_markdown:
            text = self.converter.resolve_citations_and_urls(" ".join(span.text.split()))
        else:
            text = _escape_markdown(span.text)
        if span.url and "](" not in text and url_scheme(span.url) != "tel":
            url = self.converter.resolve_url(span.url)
            text = f"[{text}](<{url}>)" if re.search(r"[()\s]", url) else f"[{text}]({url})"
        if span.role in BOLD_ROLES and "**" not in text:
            return f"**{text}**"
        return f"*{text}*" if span.role in EMPHASIZED_ROLES and "*" not in text else text


def _end_sentence(phrase: Phrase) -> Phrase:
    """Add a period unless the text is empty or ends with a punctuation mark."""
    return phrase if ends_sentence(phrase_to_text(phrase)) else (*phrase, Span("."))


_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_\[\]<>#@$]")
"""Characters of a name that Markdown may interpret."""


@lru_cache(maxsize=65536)
def _escape_markdown(text: str) -> str:
    return _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", text)


class TextSection(Record):
    """A section of a document: its title, the legend of its marks, a text, and rows in groups."""

    title: str
    legend: str = ""
    text: str = ""
    groups: tuple[tuple[str, tuple[tuple[int | None, MarkdownRow], ...]], ...] = ()


def build_text_cv(converter: SiteTextConverter, plan: Plan) -> tuple[list[str], list[TextSection]]:
    """The lines of the CV's head, and its sections as on the CV page."""
    site = converter.site
    profile, t = site.profile, site.active_theme.translations
    affiliation = ", ".join(organization.name for organization in profile.affiliation)
    position = ", ".join(part for part in (profile.role, affiliation) if part)
    contact = [
        *profile.email,
        *(_format_link(link, t.translate_link_label(link.label, link.url)) for link in profile.links),
        t.format_labelled(t["office"], profile.office) if profile.office else "",
        profile.location,
    ]
    pronouns = f" ({profile.pronouns})" if profile.pronouns else ""
    interests = t["list_comma"].join(profile.interests)
    interests = t.format_labelled(t["interests"], interests) if interests else ""
    contact_line = " · ".join(filter(None, contact))
    lines = (f"# {profile.name}{pronouns}", position, profile.tagline, contact_line, interests)
    head = [converter.resolve_citations_and_urls(line) for line in lines if line]
    return head, [_convert_section(converter, section) for section in _cv_sections(site, plan)]


def _format_link(link: Link, label: str) -> str:
    """A link in Markdown; that of a telephone is its label, which has the number."""
    return label if url_scheme(link.url) == "tel" else f"[{label}]({link.url})"


def _cv_sections(site: Site, plan: Plan) -> tuple[Section, ...]:
    for page in plan:
        if page.kind == "cv":
            return page.sections
    sections: list[Section] = []
    for config in default_cv_sections(site):
        section = make_section(site, SectionConfig(name=config.name), "cv", sections, Problems())
        if section is not None:
            sections.append(section)
    return tuple(sections)


def _convert_section(converter: SiteTextConverter, section: Section) -> TextSection:
    row_builder, translations = MarkdownRowBuilder(converter), converter.site.active_theme.translations
    legend = f"(\\* {translations['equal']})" if section.legend else ""
    body = section.text.body if section.text else ""
    texts = [section.intro, section.text.summary if section.text else "", body]
    figures = (
        (figure.title, tuple((None, _figure_row(*row)) for row in figure.rows_as_text(translations)))
        for figure in section.figures
    )
    groups = tuple((listing.title, _number_rows(row_builder, listing.items)) for listing in section.listings)
    return TextSection(
        title=section.title,
        legend=legend,
        text="\n\n".join(converter.resolve_citations_and_urls(t).strip() for t in texts if t.strip()),
        groups=(*figures, *groups),
    )


def _number_rows(
    row_builder: MarkdownRowBuilder, items: Sequence[ListItem]
) -> tuple[tuple[int | None, MarkdownRow], ...]:
    rows = row_builder.make_rows(items)
    return tuple((item.number, row) for item, row in zip(items, rows, strict=True))


def _figure_row(first: str, between: str, last: str) -> MarkdownRow:
    """A line of a table of statistics; its last number is in the column of the dates."""
    return MarkdownRow(f"{first} – {between}" if between else first, last)


def render_markdown(head: Iterable[str], sections: Iterable[TextSection]) -> str:
    """Render the head and the sections in Markdown."""
    blocks = [*head]
    for section in sections:
        if section.title:
            blocks.append(f"## {section.title} {section.legend}".rstrip())
        if section.text:
            blocks.append(section.text)
        for title, rows in section.groups:
            if title:
                blocks.append(f"### {title}")
            blocks.append(
                "\n".join(line for number, row in rows for line in _render_markdown_row(number, row))
            )
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(block for block in blocks if block)) + "\n"


def _render_markdown_row(number: int | None, row: MarkdownRow) -> Iterator[str]:
    label = f"\\[{number}\\] " if number is not None else ""
    dates = f" ({row.dates})" if row.dates else ""
    yield f"- {label}{row.head}{dates}"
    is_after_text = False
    for part in row.below:
        if isinstance(part, str):
            yield ""
            yield from (f"  {line}".rstrip() for line in part.splitlines())
        else:
            yield from [""] if is_after_text else []
            yield from _render_bullets([part], "  ")
        is_after_text = isinstance(part, str)
    if any(isinstance(part, str) for part in row.below):
        yield ""


def _render_bullets(points: Iterable[MarkdownPoint], indent: str) -> Iterator[str]:
    for point in points:
        yield f"{indent}- {point.text}"
        yield from _render_bullets(point.points, f"{indent}  ")


def render_text(converter: SiteTextConverter, head: Iterable[str], sections: Iterable[TextSection]) -> str:
    """Render in plain text, one fact on each line, for web forms and applicant tracking systems."""
    to_text = converter.to_text_with_urls
    first, *other_lines = head
    lines = [*map(to_text, (first.removeprefix("# "), *other_lines))]
    for section in sections:
        if section.title:
            lines += ["", f"{to_text(section.title).upper()} {to_text(section.legend)}".rstrip()]
        lines += [to_text(block) for block in re.split(r"\n\s*\n", section.text) if block.strip()]
        for title, rows in section.groups:
            lines += ["", to_text(title)] if title else []
            for number, row in rows:
                label = f"[{number}] " if number is not None else ""
                dates = f" ({row.dates})" if row.dates else ""
                lines += ["", f"{label}{to_text(row.head)}{dates}"]
                for part in row.below:
                    if isinstance(part, str):
                        lines += map(to_text, re.split(r"\n\s*\n", part))
                    else:
                        lines += _render_text_points(converter, [part], "")
    return "\n".join(lines) + "\n"


def _render_text_points(
    converter: SiteTextConverter, points: Iterable[MarkdownPoint], indent: str
) -> Iterator[str]:
    for point in points:
        yield f"{indent}- {converter.to_text_with_urls(point.text)}"
        yield from _render_text_points(converter, point.points, f"{indent}  ")
