"""The CV in Markdown and in plain text."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tenure.exports.cv.markdown_entries import MarkdownPoint, MarkdownRow, MarkdownRowBuilder
from tenure.exports.plain_text import SiteTextConverter
from tenure.model.site import SectionConfig, Site
from tenure.plan.default_pages import default_cv_sections
from tenure.plan.pages import Page, Plan
from tenure.plan.sections import ListItem, Section, make_section
from tenure.problems import Problems
from tenure.record import Record


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
        *(f"[{t.translate_link_label(link.label)}]({link.url})" for link in profile.links),
        t.format_labelled(t["office"], profile.office) if profile.office else "",
        profile.location,
    ]
    pronouns = f" ({profile.pronouns})" if profile.pronouns else ""
    interests = (
        t.format_labelled(t["interests"], t["list_comma"].join(profile.interests))
        if profile.interests
        else ""
    )
    lines = (
        f"# {profile.name}{pronouns}",
        position,
        profile.tagline,
        " · ".join(filter(None, contact)),
        interests,
    )
    head = [converter.resolve_citations_and_urls(line) for line in lines if line]
    return head, [_convert_section(converter, section) for section in _cv_sections(site, plan)]


def _cv_sections(site: Site, plan: Plan) -> tuple[Section, ...]:
    page: Page | None = next((page for page in plan if page.kind == "cv"), None)
    if page is not None:
        return page.sections
    sections: list[Section] = []
    for config in default_cv_sections(site):
        section = make_section(site, SectionConfig(name=config.name), "cv", sections, Problems())
        if section is not None:
            sections.append(section)
    return tuple(sections)


def _convert_section(converter: SiteTextConverter, section: Section) -> TextSection:
    row_builder = MarkdownRowBuilder(converter)
    legend = f"(\\* {converter.site.active_theme.translations['equal']})" if section.legend else ""
    body = section.text.body if section.text else ""
    texts = [section.intro, section.text.summary if section.text else "", body]
    numbers = (
        (
            figure.title,
            tuple(
                (None, MarkdownRow(*_figure_row(*row)))
                for row in figure.rows_as_text(converter.site.active_theme.translations)
            ),
        )
        for figure in section.figures
    )
    groups = tuple((listing.title, _number_rows(row_builder, listing.items)) for listing in section.listings)
    return TextSection(
        title=section.title,
        legend=legend,
        text="\n\n".join(
            converter.resolve_citations_and_urls(text).strip() for text in texts if text.strip()
        ),
        groups=(*numbers, *groups),
    )


def _number_rows(
    row_builder: MarkdownRowBuilder, items: Sequence[ListItem]
) -> tuple[tuple[int | None, MarkdownRow], ...]:
    rows = row_builder.make_rows(items)
    return tuple((item.number, row) for item, row in zip(items, rows, strict=True))


def _figure_row(first: str, between: str, last: str) -> tuple[str, str]:
    """Head and date column of a row for one line of a chart's table."""
    return (f"{first} – {between}" if between else first, last)


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
    first, *other_lines = head
    lines = [
        converter.to_text_with_urls(first.removeprefix("# ")),
        *(converter.to_text_with_urls(line) for line in other_lines),
    ]
    for section in sections:
        if section.title:
            lines += [
                "",
                f"{converter.to_text_with_urls(section.title).upper()} {converter.to_text_with_urls(section.legend)}".rstrip(),
            ]
        lines += [
            converter.to_text_with_urls(block)
            for block in re.split(r"\n\s*\n", section.text)
            if block.strip()
        ]
        for title, rows in section.groups:
            lines += ["", converter.to_text_with_urls(title)] if title else []
            for number, row in rows:
                label = f"[{number}] " if number is not None else ""
                dates = f" ({row.dates})" if row.dates else ""
                lines += ["", f"{label}{converter.to_text_with_urls(row.head)}{dates}"]
                for part in row.below:
                    lines += (
                        [converter.to_text_with_urls(block) for block in re.split(r"\n\s*\n", part)]
                        if isinstance(part, str)
                        else _render_text_points(converter, [part], "")
                    )
    return "\n".join(lines) + "\n"


def _render_text_points(
    converter: SiteTextConverter, points: Iterable[MarkdownPoint], indent: str
) -> Iterator[str]:
    for point in points:
        yield f"{indent}- {converter.to_text_with_urls(point.text)}"
        yield from _render_text_points(converter, point.points, f"{indent}  ")
