"""A CV as data for the Typst template of a theme: its head with the contacts, its sections, and their rows. Each text is markup of `TypstWriter`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tenure.exports.cv.math import quote_text
from tenure.exports.cv.typst_writer import (
    TextBlock,
    TypstWriter,
    has_long_text,
    make_list,
    make_paragraph,
    write_blocks,
    write_text,
)
from tenure.html.icons import find_icon, load_icons
from tenure.model.colors import parse_colors, turn_hue
from tenure.model.entries import Prose, Publication
from tenure.model.links import Link, email_url, url_scheme
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import CitationStyleName, Collection, CvConfig, SectionConfig, Site, ThemeColor
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.plan.sections import ListItem, Section, make_section
from tenure.presentation.citation import Citation
from tenure.presentation.entries import EntryLines, EntryPresenter
from tenure.presentation.reference import format_reference
from tenure.presentation.writer import Block, Bullet, Phrase, TextLink
from tenure.problems import Problems
from tenure.record import Record, replace

PAPER_SIZES = {"a4": "a4", "letter": "us-letter"}
"""Paper sizes by their names in Typst."""

MIN_PROJECTS_FOR_CONTENTS = 3
"""Minimum number of projects for a table of contents."""

MAX_AUTHORS = 40
"""Longer author lists show the first, the last and the owner, and count the others."""

POINTS_PER_MILLIMETRE = 72 / 25.4


ACCENT_COLORS = {
    "rust": "#a03c14", "crimson": "#a51c30", "amber": "#8a5300", "forest": "#1f6b3a", "teal": "#0b6a6e",
    "ocean": "#0b5fa5", "indigo": "#4348b5", "plum": "#8a2d7c", "slate": "#3f4c5a",
}  # fmt: skip
"""The named accents of CVs: those of the theme folio, on white paper."""


CvRow = dict[str, Any]
"""A row: its `form` ("entry", "line" or "paper"), its texts, and whether what is below its head is `tall`, with paragraphs of text."""


def build_cv_data(
    site: Site,
    config: CvConfig,
    problems: Problems,
    collections: Mapping[str, Collection] | None = None,
    photo_file: str = "",
) -> dict[str, Any]:
    """
    The input of a theme's cv.typ: the person, and sections with rows; all texts as markup.

    `collections` replaces the site's collections. `photo_file` is the name of the photo for Typst. `margins` (points: top and bottom, left and right) and
    `size` (points) are None if not configured.
    """
    cv_sections: list[Section] = []
    shown_site = site if collections is None else replace(site, collections=collections)
    for section in config.sections or ():
        tagged_section = _apply_cv_tags(shown_site, config, section)
        new_section = make_section(shown_site, tagged_section, "cv", cv_sections, problems)
        if new_section is not None:
            cv_sections.append(new_section)
    numbered = [
        item for section in reversed(cv_sections) for item in section.items if item.id and item.number
    ]
    anchors = {item.entry.key: item.id for item in numbered if isinstance(item.entry, Publication)}
    full_projects = {section.kind for section in cv_sections} <= {"projects", "prose"}
    w, has_url = TypstWriter(site, anchors), bool(site.settings.url)
    presenter = EntryPresenter(site, w, links_to_pages=has_url, full_projects=full_projects)
    document = _CvDocument(site, config, w, site.active_theme.translations, presenter)
    margins = [side * POINTS_PER_MILLIMETRE for side in config.margins[:2]]
    updated = w.date(document.t, site.settings.updated)
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
        "person": document.describe_person(),
        "sections": [document.describe_section(section) for section in cv_sections],
        "updated": w.fill(document.t["last_updated"], {"date": updated}) if updated else "",
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


class _CvDocument(Record):
    """One document of a site as data; `t` are the translations of the theme."""

    site: Site
    config: CvConfig
    w: TypstWriter
    t: Translations
    presenter: EntryPresenter

    def describe_person(self) -> dict[str, Any]:
        """The head of the document; contacts are not divided, and can have an icon."""
        profile, w, comma = self.site.profile, self.w, self.t["comma"]
        affiliations = [w.link(w.markdown(a.name, "name"), a.url) for a in profile.affiliation]
        interests = w.join([w.markdown(interest, "name") for interest in profile.interests], comma)
        return {
            "name": profile.name,
            "pronouns": profile.pronouns,
            "position": w.join([w.markdown(profile.role), *affiliations], comma),
            "tagline": w.markdown(profile.tagline),
            "contacts": [
                f"{_write_icon(icon)}\u00a0{contact}" if self.config.icons else contact
                for icon, contact in self._list_contacts()
                if contact
            ],
            "interests": w.label(self.t, self.t["interests"], interests),
        }

    def _list_contacts(self) -> Iterator[tuple[str, Phrase]]:
        """The name of an icon and the text of each contact: e-mail addresses, links, the URL of the site, office and location."""
        profile, w, t = self.site.profile, self.w, self.t
        for email in profile.email:
            yield "mail", w.plain(email, "contact", email_url(email))
        for link in profile.links:
            icon, text = find_icon(link.url), t.translate_link_label(link.label, link.url)
            if self.config.addresses == "short" and url_scheme(link.url) != "tel":
                is_named = self.config.icons and bool(load_icons()[icon].source)
                text = _address_with_label(link, "" if is_named else text, t["label"])
            yield icon, w.plain(text, "contact", link.url)
        site_url = self.site.settings.url
        if site_url and all(link.url.rstrip("/") != site_url.rstrip("/") for link in profile.links):
            yield "web", w.plain(_shorten_url(site_url), "contact", site_url)
        yield "door", w.nest(w.label(t, t["office"], w.markdown(profile.office, "name")), "contact")
        yield "place", w.nest(w.markdown(profile.location, "name"), "contact")

    def describe_section(self, section: Section) -> dict[str, Any]:
        """
        A section: its title, introduction, text, and rows in groups; `legend` explains the star.

        Full projects have a table of contents. The last number of a row of statistics is in the column of the dates.
        """
        w, contents, groups = self.w, None, []
        rows: list[CvRow]
        if (
            self.presenter.full_projects
            and section.kind == "projects"
            and not section.brief
            and len(section.items) >= MIN_PROJECTS_FOR_CONTENTS
        ):
            rows = [
                {
                    "title": w.markdown(item.entry.name),
                    "id": item.id,
                    "dates": self.presenter.format_period(item.entry.entry_period, "long"),
                }
                for item in section.items
            ]
            contents = {"title": w.plain_words(self.t["contents"]), "rows": rows}
        for figure in section.figures:
            texts = (map(write_text, row) for row in figure.rows_as_text(self.t))
            lines = [
                {"form": "line", "words": words, "sub": sub, "dates": last} for words, sub, last in texts
            ]
            rows = [{**line, "number": None, "id": "", "below": "", "tall": False} for line in lines]
            groups.append({"title": w.plain_words(figure.title), "rows": rows})
        for listing in section.listings:
            rows = self._make_rows(listing.items, brief=section.brief)
            groups.append({"title": w.markdown(listing.title), "rows": rows})
        return {
            "name": section.name,
            "kind": section.kind,
            "title": w.markdown(section.title),
            "legend": f"* {self.t['equal']}" if section.legend else "",
            "intro": write_blocks(w.blocks(section.intro)),
            "text": self._write_prose(section.text, brief=section.brief) if section.text else "",
            "contents": contents,
            "groups": groups,
        }

    def _write_prose(self, text: Prose, *, brief: bool) -> str:
        """The markup of a text with its byline, summary and details."""
        presenter, w = self.presenter, self.w
        updated = w.date(self.t, text.updated, "long")
        byline = [
            presenter.format_period(text.date, "long"),
            w.fill(self.t["updated_on"], {"date": updated}) if updated else "",
            *(w.markdown(tag, "name") for tag in text.tags),
        ]
        return write_blocks(
            [
                *make_paragraph(presenter.join_with_commas(byline), "byline"),
                *make_paragraph(w.markdown(text.summary), "summary"),
                *w.blocks(text.body),
                *([] if brief else self._convert_blocks(presenter.present_details(text))),
            ]
        )

    def _make_rows(self, items: Sequence[ListItem], *, brief: bool) -> list[CvRow]:
        """The rows of a list; `brief` shows only their heads."""
        rows: list[CvRow] = []
        for item, entry in zip(items, self.presenter.present_items(items), strict=True):
            if isinstance(entry, Citation):
                head, blocks = self._describe_paper(entry, item.style)
            else:
                head, blocks = self._describe_entry(entry)
            has_head = any(text for part, text in head.items() if part not in ("form", "dates", "note"))
            below = [] if brief and has_head else blocks
            head |= {"number": item.number, "id": item.id}
            rows.append(head | {"below": write_blocks(below), "tall": has_long_text(below)})
        return rows

    def _describe_entry(self, lines: EntryLines) -> tuple[CvRow, list[TextBlock]]:
        """The head of an entry, and the blocks below it."""
        heading, subtitle, below = lines.heading, lines.subtitle, self._convert_blocks(lines.all_blocks)
        if lines.form == "line":
            if subtitle and lines.subtitle_separator:
                heading, subtitle = self.w.join([heading, subtitle], lines.subtitle_separator), ""
            return {"form": "line", "words": heading, "sub": subtitle, "dates": lines.dates}, below
        role = self.presenter.join_with_commas([lines.organization, lines.role])
        return {
            "form": "entry",
            "head": heading,
            "role": role,
            "dates": lines.dates,
            "place": lines.place,
        }, below

    def _describe_paper(
        self, citation: Citation, style: CitationStyleName | None
    ) -> tuple[CvRow, list[TextBlock]]:
        """A publication with the facts that lists on the site show; in a citation style, its title has the whole line."""
        paper, w = citation.paper, self.w
        doi_urls = [f"https://doi.org/{paper.doi}"] if paper.doi else []
        urls = [*doi_urls, *(link.url for link in paper.links), paper.url, entry_page_path(paper)]
        url = next((url for url in urls if w.absolute_url(url)), "")
        line = citation.line(w.markdown(paper.title, url=url), MAX_AUTHORS)
        head = {
            "form": "paper",
            "title": format_reference(citation, style) if style else line.title,
            "authors": "" if style else line.people,
            "venue": "" if style else line.venue,
            "awards": line.awards,
            "note": line.note,
        }
        links = tuple(TextLink(link.label, link.url) for link in citation.links)
        return head, self._convert_links(Block("links", links=links))

    def _convert_blocks(self, blocks: Iterable[Block]) -> list[TextBlock]:
        """The blocks of an entry; publications after bullets are the last bullet."""
        converted: list[TextBlock] = []
        bullets: tuple[Bullet, ...] = ()
        for block in blocks:
            if block.role == "papers" and bullets:
                paper_items = [self._convert_bullet(bullet) for bullet in bullets]
                converted[-1:] = make_list([*paper_items, self._convert_block(block)])
            else:
                converted += self._convert_block(block)
            bullets = block.bullets if block.role == "bullets" else ()
        return converted

    def _convert_block(self, block: Block) -> list[TextBlock]:
        if block.role == "body":
            return self.w.blocks(block.body)
        if block.role == "links":
            return self._convert_links(block)
        if block.role == "papers":
            items = self.w.join(block.items, self.t["semicolon"])
            return make_paragraph(self.w.label(self.t, block.label, items), "papers")
        if block.bullets:
            heading = make_paragraph(self._write_label(block.label), "label") if block.label else []
            return heading + make_list([self._convert_bullet(bullet) for bullet in block.bullets])
        if block.items:
            items = self.presenter.join_with_commas(block.items)
            return make_paragraph(f"{self._write_label(block.label)} {items}", "fact")
        return make_paragraph(block.text, block.role)

    def _convert_links(self, block: Block) -> list[TextBlock]:
        """The row of links that work in a document, or [] in a CV without links."""
        links = [link for link in block.links if self.w.absolute_url(link.url)] if self.config.links else []
        row = self.presenter.join_with_commas(self.w.plain(link.text, "link", link.url) for link in links)
        if not block.label or not row:
            return make_paragraph(row, "links")
        return make_paragraph(f"{self._write_label(block.label)} {row}", "fact")

    def _write_label(self, label: str) -> str:
        return self.w.plain(self.t["label"].format(label=label), "heading")

    def _convert_bullet(self, bullet: Bullet) -> list[TextBlock]:
        nested = make_list([self._convert_bullet(inner) for inner in bullet.bullets])
        return make_paragraph(bullet.text) + nested


def _shorten_url(url: str) -> str:
    """A URL as it is printed: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", url).rstrip("/")


def _address_with_label(link: Link, label: str, pattern: str) -> str:
    """The printed address; before it the label, unless the address names the service, as github.com/ada does."""
    address = _shorten_url(link.url)
    if link.label.casefold() == "website" or _letters(label) in _letters(address):
        return address
    return pattern.format(label=label) + " " + address


def _letters(text: str) -> str:
    """The letters and digits of a text in lower case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _write_icon(name: str) -> str:
    """An icon as SVG in the color of the text."""
    icon = load_icons()[name]
    paint = (
        'fill="currentColor"'
        if icon.source
        else 'fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round"'
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{icon.box}"><path d="{icon.path}" {paint}/></svg>'
    )
    return f"#icon({quote_text(svg)})"
