"""
The data of a CV: the entries that a `CvConfig` selects, and the colors and sizes of their page.

A `CvConfig` is one CV of site.yaml: {name: cv, tag: theory, accent: rust, margins: [15, 20]}. A band is the
bar of color behind the head, with text in the color `ink`.
"""

from collections.abc import Mapping

from tenure.exports.cv.document import CvData, CvDocument
from tenure.exports.cv.lengths import report_lengths
from tenure.exports.cv.tree_writer import TreeWriter
from tenure.exports.plain_text import SiteTextConverter
from tenure.model.colors import parse_colors, turn_hue
from tenure.model.entries import Publication
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Collection, CvConfig, SectionConfig, Site, ThemeColor
from tenure.plan.sections import Section, make_section
from tenure.presentation.entry_lines import EntryPresenter
from tenure.problems import Problems
from tenure.record import replace

PAPER_SIZES = {"a4": "a4", "letter": "us-letter"}
"""Paper sizes by their names in Typst."""

POINTS_PER_MILLIMETRE = 72 / 25.4
ACCENT_COLORS = {
    "rust": "#a03c14",
    "crimson": "#a51c30",
    "amber": "#8a5300",
    "forest": "#1f6b3a",
    "teal": "#0b6a6e",
    "ocean": "#0b5fa5",
    "indigo": "#4348b5",
    "plum": "#8a2d7c",
    "slate": "#3f4c5a",
}
"""The named accents of CVs: those of the theme folio, on white paper."""


def build_cv_data(
    site: Site, config: CvConfig, problems: Problems, collections: Mapping[str, Collection] | None = None
) -> CvData:
    """
    The CV as its formats write it; `collections` replaces the site's, for a report of one year.

    A length over its limit is reported.
    """
    shown_site = site if collections is None else replace(site, collections=collections)
    configured = _make_sections(shown_site, config, problems)
    sections = [section for _, section in configured]
    # an entry that stands twice has the number of the first time
    numbered = [item for section in reversed(sections) for item in section.items if item.id and item.number]
    anchors = {item.entry.key: item.id for item in numbered if isinstance(item.entry, Publication)}
    w = TreeWriter(SiteTextConverter.for_site(site), anchors, links=config.links)
    # the whole site: an entry of the year may name publications of other years
    presenter = EntryPresenter(
        site,
        w,
        links_to_pages=bool(site.settings.url),
        # a CV of nothing but projects and texts, such as a portfolio
        full_projects={section.kind for section in sections} <= {"projects", "prose"},
    )
    document = CvDocument(w, presenter, config)
    described = [(own, document.describe_section(section)) for own, section in configured]
    report_lengths(config, described, problems)

    margins = [side * POINTS_PER_MILLIMETRE for side in config.margins[:2]]
    updated = w.date(document.t, site.settings.updated)
    return CvData(
        title=config.title,
        language=site.settings.language,
        description=site.settings.description,
        paper=PAPER_SIZES[config.paper],
        margins=(margins[0], margins[-1]) if margins else (),
        size=config.size,
        **_choose_colors(site, config),
        person=document.describe_person(),
        sections=tuple(section for _, section in described),
        updated=w.fill(document.t["last_updated"], {"date": updated}) if updated else "",
        options={name: _find_color(value) for name, value in site.active_theme.options.items()},
    )


def _make_sections(site: Site, config: CvConfig, problems: Problems) -> list[tuple[SectionConfig, Section]]:
    """
    What site.yaml says of each section of a CV, and the section; those without entries are left out.

    The anchors and the numbers of a section go on from those of the sections above it.
    """
    made: list[tuple[SectionConfig, Section]] = []
    for section_config in config.sections or ():
        tagged_config = _apply_cv_tags(site, config, section_config)
        section = make_section(site, tagged_config, "cv", [above for _, above in made], problems)
        if section is not None:
            made.append((section_config, section))
    return made


def _find_color(option: object) -> object:
    """The value of an option of a theme on paper: that of a color for light pages."""
    return option.light if isinstance(option, ThemeColor) else option


def _choose_colors(site: Site, config: CvConfig) -> dict[str, str | None]:
    """
    The accent of the CV, else that of the theme for light pages, and the band of its palette with its text.

    None is a color that the look chooses, and the band of a palette that has none.
    """
    palette = site.active_theme.palette
    # the color of a palette itself is that of links: its accent
    theme_color = palette or site.active_theme.options.get("accent")
    color = parse_accent(config.accent) or None
    if not config.accent and isinstance(theme_color, ThemeColor):
        color = theme_color.light

    band = None
    if palette and palette.band:
        band = palette.band.light
        # in the hue of the accent that the CV itself has
        if color and config.accent:
            band = turn_hue(band, color)
    return {"accent": color, "band": band, "ink": palette.ink.light if palette else None}


def parse_accent(text: str) -> str:
    """
    A color of ACCENT_COLORS or a color code, as "#a03c14"; "" for anything else.

    "Rust" -> "#a03c14"; of a pair for light and dark pages the first: "a03c14 f0a27c" -> "#a03c14"
    """
    if name := ACCENT_COLORS.get(text.casefold()):
        return name
    colors = parse_colors(text)
    return colors[0] if colors else ""


def _apply_cv_tags(site: Site, config: CvConfig, section: SectionConfig) -> SectionConfig:
    """
    Add the tags of the whole CV to the filters of a section; a section that is a text stays as it is.

    A CV {tag: theory, without: old}, a section {talks: {}} -> {talks: {tag: theory, without: old}}
    """
    collection = site.collections.get(section.name)
    if collection is None:
        return section
    # a list without any of the tags is shown whole; a section with tags of its own selects by these
    tags = {tag for entry in collection.entries for tag in entry.tags}
    selected_tags: tuple[str, ...] = ()
    if not section.tag and tags & set(config.tag):
        selected_tags = config.tag
    if not selected_tags and not tags & set(config.without):
        return section
    # Without `source`: a section that is empty because of the tags of the whole CV is not reported.
    without = (*section.without, *config.without)
    return replace(section, tag=section.tag or selected_tags, without=without, source=UNKNOWN_PLACE)
