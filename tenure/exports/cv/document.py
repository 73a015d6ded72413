"""
A CV as data: its head with the contacts, its sections, and their rows.

A `CvDocument` makes the data; each text in it is written by the `CvWriter` of a format.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tenure.exports.plain_text import SiteTextConverter
from tenure.model.entries import Prose, Publication
from tenure.model.links import email_url, read_email_url
from tenure.model.site import CitationStyleName, CvConfig
from tenure.model.translations import Translations
from tenure.plan.sections import ListItem, Section
from tenure.presentation.citation import Citation
from tenure.presentation.entry_lines import EntryLines, EntryPresenter
from tenure.presentation.reference import format_reference
from tenure.presentation.writer import Block, Bullet, Phrase, TextLink, Writer
from tenure.record import Record

MIN_PROJECTS_FOR_CONTENTS = 3
"""Minimum number of projects for a table of contents."""

CvRow = dict[str, Any]
"""
A row: its `form` ("entry", "line" or "paper") and its texts.

What is below its head is `tall` if it has paragraphs of text.
"""


class TextBlock(NamedTuple):
    """A block below a head: a "paragraph" of a text, a "fact", the "label" of a list, a "list" …"""

    kind: str
    markup: str


class CvWriter(Writer):
    """Writes the texts of a CV and the blocks below the heads of its entries."""

    max_authors = 0
    """Longer author lists show the first, the last and the owner, and count the others; 0 is no limit."""

    def __init__(self, converter: SiteTextConverter) -> None:
        super().__init__()
        self.converter = converter

    @abstractmethod
    def headline(self, paper: Publication) -> Phrase:
        """The title of a publication at the start of its row."""

    @abstractmethod
    def paragraph(self, content: Phrase, kind: str = "fact") -> list[TextBlock]:
        """A text of one paragraph as a list of one block; [] without words."""

    @abstractmethod
    def bullets(self, items: Sequence[Sequence[TextBlock]]) -> list[TextBlock]:
        """A list as a list of one block; [] without items."""

    @abstractmethod
    def body(self, text: str) -> list[TextBlock]:
        """A Markdown text as blocks."""

    @abstractmethod
    def stack(self, blocks: Sequence[TextBlock]) -> str:
        """Blocks below each other."""

    def can_link(self, url: str) -> bool:
        """Whether rows of links have a link to the URL."""
        return bool(url)


class CvDocument(Record):
    """One document of a site."""

    w: CvWriter
    presenter: EntryPresenter
    config: CvConfig = CvConfig()

    @property
    def t(self) -> Translations:
        """The translations of the theme."""
        return self.presenter.t

    def describe_person(self) -> dict[str, Any]:
        """The head of the document; "contacts" are several texts, between which a look puts its own signs."""
        profile = self.w.converter.site.profile
        w = self.w
        t = self.t
        affiliations = [w.link(w.markdown(a.name, "name"), a.url) for a in profile.affiliation]
        interests = w.join([w.markdown(interest, "name") for interest in profile.interests], t["list_comma"])
        return {
            "name": profile.name,
            "pronouns": profile.pronouns,
            "position": w.join([w.markdown(profile.role), *affiliations], t["comma"]),
            "tagline": w.markdown(profile.tagline),
            "contacts": [*filter(None, self._list_contacts())],
            "interests": w.label(t, t["interests"], interests),
        }

    def _list_contacts(self) -> Iterator[Phrase]:
        """The text of each contact: e-mail addresses, links, the URL of the site, office and location."""
        site = self.w.converter.site
        w = self.w
        t = self.t
        profile = site.profile
        site_url = site.settings.url

        for email in profile.email:
            yield w.plain(email, "contact", email_url(email))
        for link in profile.links:
            text = read_email_url(link.url) or t.translate_link_label(link.label, link.url)
            yield w.plain(text, "contact", link.url)
        # the site itself, unless it is one of the links
        if site_url and all(link.url.rstrip("/") != site_url.rstrip("/") for link in profile.links):
            yield w.plain(_shorten_url(site_url), "contact", site_url)
        yield w.nest(w.label(t, t["office"], w.markdown(profile.office, "name")), "contact")
        yield w.nest(w.markdown(profile.location, "name"), "contact")

    def describe_section(self, section: Section) -> dict[str, Any]:
        """A section: title, introduction, text and rows in groups; `legend` explains the star."""
        w = self.w
        listings = ((group.title, self.make_rows(group.items, section.brief)) for group in section.listings)
        return {
            "name": section.name,
            "kind": section.kind,
            "title": w.markdown(section.title),
            "legend": f"* {self.t['equal']}" if section.legend else "",
            "intro": w.stack(w.body(section.intro)),
            "text": self._write_prose(section.text, section.brief) if section.text else "",
            "contents": self._list_contents(section),
            "groups": [{"title": w.markdown(title), "rows": rows} for title, rows in listings],
        }

    def _list_contents(self, section: Section) -> dict[str, Any] | None:
        """The contents of a section of projects that are shown in full, if there are several; else None."""
        is_full = self.presenter.full_projects and section.kind == "projects" and not section.brief
        if not is_full or len(section.items) < MIN_PROJECTS_FOR_CONTENTS:
            return None
        rows = [
            {
                "title": self.w.markdown(item.entry.name),
                "id": item.id,
                "dates": self.presenter.format_period(item.entry.entry_period, "long"),
            }
            for item in section.items
        ]
        return {"title": self.w.plain(self.t["contents"]), "rows": rows}

    def _write_prose(self, text: Prose, brief: bool) -> str:
        """A text with its byline, summary and details."""
        presenter = self.presenter
        w = self.w
        byline = [presenter.format_period(text.date, "long")]
        updated = w.date(self.t, text.updated, "long")
        if updated:
            byline.append(w.fill(self.t["updated_on"], {"date": updated}))
        byline += [w.markdown(tag, "name") for tag in text.tags]

        blocks = [
            *w.paragraph(presenter.join_with_commas(byline)),
            *w.paragraph(w.markdown(text.summary)),
            *w.body(text.body),
        ]
        if not brief:
            blocks += self._write_blocks(presenter.present_details(text))
        return w.stack(blocks)

    def make_rows(self, items: Sequence[ListItem], brief: bool = False) -> list[CvRow]:
        """The rows of a list, each with its head and what is below it; `brief` shows only the heads."""
        rows = []
        for item, entry in zip(items, self.presenter.present_items(items), strict=True):
            if isinstance(entry, Citation):
                row = self._make_paper_head(entry, item.style)
                links = tuple(TextLink(link.label, link.url) for link in entry.links)
                below = self._write_blocks([Block("links", links=links)])
            else:
                row = self._make_head(entry)
                below = self._write_blocks(entry.all_blocks)

            # an entry without a head is what is below it
            has_head = any(text for part, text in row.items() if part not in ("form", "dates", "note"))
            if brief and has_head:
                below = []
            row |= {"number": item.number, "id": item.id, "below": self.w.stack(below)}
            row["tall"] = any(block.kind == "paragraph" for block in below)
            rows.append(row)
        return rows

    def _make_paper_head(self, citation: Citation, style: CitationStyleName | None) -> CvRow:
        """The facts that lists on the site show; in a citation style, the title is the whole line."""
        line = citation.line(self.w.headline(citation.paper), self.w.max_authors)
        row = {
            "form": "paper",
            "title": line.title,
            "authors": line.people,
            "venue": line.venue,
            "awards": line.awards,
            "note": line.note,
        }
        if style:
            row |= {"title": format_reference(citation, style, marked=True), "authors": "", "venue": ""}
        return row

    def _make_head(self, lines: EntryLines) -> CvRow:
        """A line with its dates, or a head of two columns: heading and dates, then role and place."""
        if lines.form == "line":
            words = lines.heading
            subtitle = lines.subtitle
            if subtitle and lines.subtitle_separator:
                words = self.w.join([words, subtitle], lines.subtitle_separator)
                subtitle = ""
            return {"form": "line", "words": words, "sub": subtitle, "dates": lines.dates}

        role = self.presenter.join_with_commas([lines.organization, lines.role])
        return {
            "form": "entry",
            "head": lines.heading,
            "role": role,
            "dates": lines.dates,
            "place": lines.place,
        }

    def _write_blocks(self, blocks: Iterable[Block]) -> list[TextBlock]:
        """The blocks of an entry, without empty ones; publications after bullets are the last bullet."""
        w = self.w
        written = list[TextBlock]()
        # the bullets that have been written last
        points: list[list[TextBlock]] = []

        for block in blocks:
            # the list may get one more bullet from the next block alone
            points_before = points
            points = []
            if block.role == "papers":
                papers = w.paragraph(w.label(self.t, block.label, w.join(block.items, self.t["semicolon"])))
                if points_before:
                    written[-1:] = w.bullets([*points_before, papers])
                else:
                    written += papers
            elif block.bullets:
                bullets = [self._write_bullet(bullet) for bullet in block.bullets]
                written += [*w.paragraph(self._write_label(block), "label"), *w.bullets(bullets)]
                if block.role == "bullets":
                    points = bullets
            elif block.body:
                written += w.body(block.body)
            elif block.links or block.items:
                written += self._write_values(block)
            else:
                written += w.paragraph(block.text)
        return written

    def _write_label(self, block: Block) -> Phrase:
        if not block.label:
            return ""
        return self.w.plain(self.t["label"].format(label=block.label), "label")

    def _write_values(self, block: Block) -> list[TextBlock]:
        """The items of a block and its links that a document shows, in one line: "Technologies: Rust, Go"."""
        w = self.w
        printed = (link for link in block.links if read_email_url(link.url) or w.can_link(link.url))
        links = (w.plain(link.text, "link", link.url) for link in printed)
        values = w.join([*block.items, *links], self.t["comma"])
        if not values:
            return []
        return w.paragraph(w.join([self._write_label(block), values], " "))

    def _write_bullet(self, bullet: Bullet) -> list[TextBlock]:
        inner = self.w.bullets([self._write_bullet(point) for point in bullet.bullets])
        return [*self.w.paragraph(bullet.text), *inner]


def _shorten_url(url: str) -> str:
    """A URL as it is printed: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", url).rstrip("/")
