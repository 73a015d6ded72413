"""A CV as plain data for the Typst template of a theme: its head with the contacts, its sections, and their rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tenure.exports.cv.runs import (
    RunBuilder,
    RunList,
    TextBlock,
    keep_together,
    make_paragraph,
)
from tenure.html.icons import find_icon, load_icons
from tenure.model.colors import parse_colors, turn_hue
from tenure.model.entries import Prose, Publication
from tenure.model.links import Link, email_url, url_scheme
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import CitationStyleName, Collection, CvConfig, SectionConfig, Site, ThemeColor
from tenure.plan import sections
from tenure.plan.pages import entry_page_path
from tenure.plan.sections import Section, make_section
from tenure.presentation.citation import Citation
from tenure.presentation.entries import EntryLines
from tenure.presentation.reference import format_reference
from tenure.presentation.writer import Block, Phrase, TextLink
from tenure.problems import Problems
from tenure.record import replace

if TYPE_CHECKING:
    from tenure.plan.statistics import Figure

PAPER_SIZES = {"a4": "a4", "letter": "us-letter"}
"""Paper sizes by their names in Typst."""

MIN_PROJECTS_FOR_CONTENTS = 3
"""Minimum number of projects for a table of contents."""

POINTS_PER_MILLIMETRE = 72 / 25.4


ACCENT_COLORS = {
    "rust": "#a03c14", "crimson": "#a51c30", "amber": "#8a5300", "forest": "#1f6b3a", "teal": "#0b6a6e",
    "ocean": "#0b5fa5", "indigo": "#4348b5", "plum": "#8a2d7c", "slate": "#3f4c5a",
}  # fmt: skip
"""The named accents of CVs: those of the theme folio, on white paper."""


def build_cv_data(
    site: Site,
    config: CvConfig,
    problems: Problems,
    collections: Mapping[str, Collection] | None = None,
    photo_file: str = "",
) -> dict[str, Any]:
    """
    The input of a theme's cv.typ: the person, and sections with rows; all text as runs and blocks.

    `collections` replaces the site's collections. `photo_file` is the name of the photo for Typst. `margins` (points: top and bottom, left and right) and `size`
    (points) are None if not configured. `scale` multiplies the size of letters and gaps.
    """
    cv_sections: list[Section] = []
    shown_site = site if collections is None else replace(site, collections=collections)
    for section in config.sections or ():
        tagged_section = _apply_cv_tags(shown_site, config, section)
        new_section = make_section(shown_site, tagged_section, "cv", cv_sections, problems)
        if new_section is not None:
            cv_sections.append(new_section)
    full_projects = {section.kind for section in cv_sections} <= {"projects", "prose"}
    builder = RunBuilder.for_site(
        site, _publication_anchors(cv_sections), with_links=config.links, full_projects=full_projects
    )
    margins = [side * POINTS_PER_MILLIMETRE for side in config.margins[:2]]
    updated = builder.w.date(builder.t, site.settings.updated)
    language, *subtags = site.settings.language.split("-")
    return {
        "title": config.title,
        "language": language,
        "region": next((tag for tag in subtags if len(tag) == 2), None),
        "description": site.settings.description,
        "paper": PAPER_SIZES[config.paper],
        "margins": [margins[0], margins[-1]] if margins else None,
        "size": config.size or None,
        **_choose_colors(site, config),
        "photo": photo_file or None,
        "scale": 1,
        "person": _person_data(builder, config),
        "sections": [_section_data(builder, section) for section in cv_sections],
        "updated": builder.w.fill(builder.t["last_updated"], {"date": updated}) if updated else [],
        "options": {
            k: v.light if isinstance(v, ThemeColor) else v for k, v in site.active_theme.options.items()
        },
    }


def _choose_colors(site: Site, config: CvConfig) -> dict[str, str | None]:
    """
    The accent of the CV, else that of the theme for light pages, and the band of its palette with the color of the text on it.

    None is a color that the look chooses, and the band of a palette that has none.
    """
    palette, accent = site.active_theme.palette, site.active_theme.options.get("accent")
    theme_color = palette or (accent if isinstance(accent, ThemeColor) else None)
    color = parse_accent(config.accent) or (theme_color.light if theme_color and not config.accent else None)
    band = palette.band.light if palette and palette.band else None
    if band and color and config.accent:
        band = turn_hue(band, color)
    return {"accent": color, "band": band, "ink": palette.ink.light if palette else None}


def parse_accent(text: str) -> str:
    """A color of ACCENT_COLORS or a color code, as "#a03c14"; "" for anything else."""
    return ACCENT_COLORS.get(text.casefold()) or (parse_colors(text) or ("",))[0]


def _apply_cv_tags(site: Site, config: CvConfig, section: SectionConfig) -> SectionConfig:
    """Add the tags of the whole CV to the filters of a section."""
    collection = site.collections.get(section.name)
    tags = {tag for entry in collection.entries for tag in entry.tags} if collection else set()
    selected_tags = config.tag if not section.tag and tags & set(config.tag) else ()
    if not selected_tags and not tags & set(config.without):
        return section
    # Without `source`: a section that is empty because of the tags of the whole CV is not reported.
    return replace(
        section,
        tag=section.tag or selected_tags,
        without=(*section.without, *config.without),
        source=UNKNOWN_PLACE,
    )


def _publication_anchors(sections: Sequence[Section]) -> dict[str, str]:
    """The anchors of the numbered publications in the CV, by key."""
    items = [item for section in reversed(sections) for item in section.items if item.id and item.number]
    return {i.entry.key: i.id for i in items if isinstance(i.entry, Publication)}


def _person_data(builder: RunBuilder, config: CvConfig) -> dict[str, Any]:
    profile, t = builder.site.profile, builder.t
    affiliations = [builder.w.link(builder.w.markdown(a.name, "name"), a.url) for a in profile.affiliation]
    interests = [builder.w.markdown(interest, "name") for interest in profile.interests]
    position = builder.w.join([builder.w.markdown(profile.role), *affiliations], t["comma"])
    return {
        "name": profile.name,
        "pronouns": profile.pronouns,
        "position": position or [],
        "tagline": (builder.w.markdown(profile.tagline) or []),
        "contacts": list_contacts(builder, config),
        "interests": builder.w.label(t, t["interests"], builder.w.join(interests, t["comma"])) or [],
    }


def _section_data(builder: RunBuilder, section: Section) -> dict[str, Any]:
    """A section: its title, introduction, text, and rows in groups; `legend` explains the star."""
    return {
        "name": section.name,
        "kind": section.kind,
        "title": (builder.w.markdown(section.title) or []),
        "legend": f"* {builder.t['equal']}" if section.legend else "",
        "intro": builder.w.text_blocks(section.intro),
        "text": _text_blocks(builder, section.text, brief=section.brief) if section.text else [],
        "contents": _contents_data(builder, section),
        "groups": [
            *(
                {"title": builder.w.plain_runs(figure.title), "rows": make_figure_rows(builder, figure)}
                for figure in section.figures
            ),
            *(
                {
                    "title": (builder.w.markdown(listing.title) or []),
                    "rows": make_rows(builder, listing.items, brief=section.brief),
                }
                for listing in section.listings
            ),
        ],
    }


def _contents_data(builder: RunBuilder, section: Section) -> dict[str, Any] | None:
    """The table of contents of full projects: title, anchor and dates of each, or None."""
    if (
        not builder.presenter.full_projects
        or section.kind != "projects"
        or section.brief
        or len(section.items) < MIN_PROJECTS_FOR_CONTENTS
    ):
        return None
    rows = []
    for item in section.items:
        dates = builder.presenter.format_period(item.entry.entry_period, "long")
        rows.append(
            {"title": (builder.w.markdown(item.entry.name) or []), "id": item.id, "dates": dates or []}
        )
    return {"title": builder.w.plain_runs(builder.t["contents"]), "rows": rows}


def _text_blocks(builder: RunBuilder, text: Prose, *, brief: bool) -> list[TextBlock]:
    """The blocks of a text with its byline, summary and details."""
    presenter = builder.presenter
    updated = builder.w.date(builder.t, text.updated, "long")
    byline = [
        presenter.format_period(text.date, "long"),
        builder.w.fill(builder.t["updated_on"], {"date": updated}) if updated else "",
        *(builder.w.markdown(tag, "name") for tag in text.tags),
    ]
    blocks = (
        make_paragraph(presenter.join_with_commas(byline), "byline")
        + make_paragraph(builder.w.markdown(text.summary), "summary")
        + builder.w.text_blocks(text.body)
    )
    if brief:
        return blocks
    return blocks + builder.entry_blocks(presenter.present_details(text))


def list_contacts(builder: RunBuilder, config: CvConfig) -> list[RunList]:
    """E-mail addresses, links, the URL of the site, office and location, each as runs that are not divided."""
    return [
        [*(_icon_runs(icon) if config.icons else ()), *keep_together(contact)]
        for icon, contact in _present_contacts(builder, config)
        if contact
    ]


def _present_contacts(builder: RunBuilder, config: CvConfig) -> Iterator[tuple[str, Phrase]]:
    """The name of an icon and the phrase of each contact."""
    profile, t = builder.site.profile, builder.t
    for email in profile.email:
        yield "mail", builder.w.plain(email, url=email_url(email))
    for link in profile.links:
        icon, text = find_icon(link.url), t.translate_link_label(link.label, link.url)
        if config.addresses == "short" and url_scheme(link.url) != "tel":
            is_named = config.icons and bool(load_icons()[icon].source)
            text = _address_with_label(link, "" if is_named else text, t["label"])
        yield icon, builder.w.plain(text, url=link.url)
    site_url = builder.site.settings.url
    if site_url and all(link.url.rstrip("/") != site_url.rstrip("/") for link in profile.links):
        yield "web", builder.w.plain(shorten_url(site_url), url=site_url)
    yield "door", builder.w.label(t, t["office"], builder.w.markdown(profile.office, "name"))
    yield "place", builder.w.markdown(profile.location, "name")


def shorten_url(url: str) -> str:
    """A URL as it is printed: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", url).rstrip("/")


def _address_with_label(link: Link, label: str, pattern: str) -> str:
    """The printed address; before it the label, unless the address names the service, as github.com/ada does."""
    address = shorten_url(link.url)
    if link.label.casefold() == "website" or _letters(label) in _letters(address):
        return address
    return pattern.format(label=label) + " " + address


def _letters(text: str) -> str:
    """The letters and digits of a text in lower case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _icon_runs(name: str) -> RunList:
    """An icon as SVG in the color of the text, and a no-break space."""
    icon = load_icons()[name]
    paint = (
        'fill="currentColor"'
        if icon.source
        else 'fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round"'
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{icon.box}"><path d="{icon.path}" {paint}/></svg>'
    )
    return [{"is": "icon", "svg": svg}, "\u00a0"]


CvRow = dict[str, Any]
"""A row: its `form` ("entry", "line" or "paper") with runs and blocks."""

MAX_AUTHORS = 40
"""Longer author lists show the first, the last and the owner, and count the others."""


def make_figure_rows(builder: RunBuilder, figure: "Figure") -> list[CvRow]:
    """A table of statistics, one line for each row; its last number is in the column of the dates."""
    return [
        {
            "form": "line", "number": None, "id": "", "words": [first], "sub": [between] if between else [],
            "dates": [last], "below": [],
        }
        for first, between, last in figure.rows_as_text(builder.t)
    ]  # fmt: skip


def make_rows(builder: RunBuilder, items: Sequence[sections.ListItem], *, brief: bool) -> list[CvRow]:
    """The rows of a list; `brief` shows only their heads."""
    entries = [item.entry for item in items if not isinstance(item.entry, Publication)]
    lines = iter(builder.presenter.present_list(entries))
    rows: list[CvRow] = []
    for item in items:
        if isinstance(item.entry, Publication):
            citation = Citation(item.entry, builder.t, builder.w, citations=item.citations)
            row = make_publication_row(builder, citation, item.style)
        else:
            row = _entry_row(builder, next(lines))
        has_head = any(
            row.get(part) for part in ("head", "words", "sub", "title", "authors", "role", "place")
        )
        below = [] if brief and has_head else row["below"]
        rows.append({**row, "number": item.number, "id": item.id, "below": below})
    return rows


def _entry_row(builder: RunBuilder, lines: EntryLines) -> CvRow:
    heading, subtitle = lines.heading, lines.subtitle
    below = builder.entry_blocks(lines.all_blocks)
    if lines.form == "line":
        if subtitle and lines.subtitle_separator:
            heading, subtitle = builder.w.join([heading, subtitle], lines.subtitle_separator), ""
        row = {"form": "line", "words": heading, "sub": subtitle, "dates": lines.dates}
    else:
        role = builder.presenter.join_with_commas([lines.organization, lines.role])
        row = {"form": "entry", "head": heading, "role": role, "dates": lines.dates, "place": lines.place}
    return {**{name: value or [] for name, value in row.items()}, "below": below}


def make_publication_row(
    builder: RunBuilder, citation: Citation, style: CitationStyleName | None = None
) -> CvRow:
    """A publication as a row, with the facts that lists on the site show; in a citation style, its title has the whole line."""
    paper, w = citation.paper, builder.w
    doi_urls = [f"https://doi.org/{paper.doi}"] if paper.doi else []
    urls = [*doi_urls, *(link.url for link in paper.links), paper.url, entry_page_path(paper)]
    line = citation.line(w.link_to_first(w.markdown(paper.title), *urls), MAX_AUTHORS)
    links = tuple(TextLink(link.label, link.url) for link in citation.links)
    return {
        "form": "paper",
        "title": (format_reference(citation, style) if style else line.title) or [],
        "authors": [] if style else line.people or [],
        "venue": [] if style else line.venue or [],
        "awards": list(line.awards),
        "note": line.note or [],
        "below": builder.link_block(Block("links", links=links)),
    }
