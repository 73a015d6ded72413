"""
A CV as data: its head with the contacts, its sections, and their rows.

A `CvDocument` makes the data; the texts in it are phrases of a `CvWriter`, so that one document is plain text
and another one a tree with marks (`spans.py`).

The words: the head of a CV is the person; the head of a row is what stands beside its dates, and below it are
blocks. A look is a template of a theme, "compact"; a band is a bar of color behind the head of a CV, with
text in the color `ink`.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from tenure.exports.cv.spans import TextBlock, make_list, make_paragraph
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
from tenure.record import Record, replace

MIN_PROJECTS_FOR_CONTENTS = 3
"""Minimum number of projects for a table of contents."""


class CvRow(Record, kw_only=True):
    """
    A row of a list, and the blocks below its head.

    `form` is that of the subclass, by which templates choose; `id` is the anchor of a row that others refer
    to.
    """

    form: ClassVar[str] = ""
    id: str = ""
    number: int | None = None
    below: tuple[TextBlock, ...] = ()

    @property
    def has_head(self) -> bool:
        """Whether there is a text in the head besides its dates."""
        return True

    @property
    def is_tall(self) -> bool:
        """Whether there are paragraphs of text below the head."""
        return any(block.kind == "paragraph" for block in self.below)


class PaperRow(CvRow, kw_only=True):
    """A publication; in a citation style, the title is the whole line."""

    form = "paper"
    title: Phrase
    authors: Phrase = ""
    venue: Phrase = ""
    awards: tuple[Phrase, ...] = ()
    note: Phrase = ""


class LineRow(CvRow, kw_only=True):
    """A line with its dates."""

    form = "line"
    words: Phrase
    sub: Phrase = ""
    dates: Phrase = ""

    @property
    def has_head(self) -> bool:
        return bool(self.words or self.sub)


class EntryRow(CvRow, kw_only=True):
    """A head of two columns: heading and dates, then role and place."""

    form = "entry"
    head: Phrase
    role: Phrase = ""
    dates: Phrase = ""
    place: Phrase = ""

    @property
    def has_head(self) -> bool:
        return bool(self.head or self.role or self.place)


class CvGroup(Record):
    """The rows below a heading, which may be empty."""

    title: Phrase
    rows: tuple[CvRow, ...]


class CvSection(Record, kw_only=True):
    """
    A section: title, introduction, text and rows in groups.

    `legend` explains the star of authors who contributed equally: "* equal contribution".

    `contents` are the heads of projects that are shown in full.
    """

    name: str
    kind: str
    title: Phrase
    legend: str
    intro: tuple[TextBlock, ...]
    text: tuple[TextBlock, ...]
    contents_title: Phrase
    contents: tuple[EntryRow, ...]
    groups: tuple[CvGroup, ...]


class CvPerson(Record, kw_only=True):
    """The head of a document; a contact is not divided."""

    name: str
    pronouns: str
    position: Phrase
    tagline: Phrase
    contacts: tuple[Phrase, ...]
    interests: Phrase

    @property
    def name_with_pronouns(self) -> str:
        """The name, with pronouns in parentheses."""
        return f"{self.name} ({self.pronouns})" if self.pronouns else self.name


class CvData(Record, kw_only=True):
    """
    A CV as its formats write it.

    `margins` (points: top and bottom, left and right) and `size` (points) are () and 0 if not configured; a
    color that is None is that of the look.
    """

    title: str
    language: str
    description: str
    paper: str
    margins: tuple[float, ...]
    size: int
    accent: str | None
    band: str | None
    ink: str | None
    person: CvPerson
    sections: tuple[CvSection, ...]
    updated: Phrase
    options: Mapping[str, object]


class CvWriter(Writer):
    """Writes the texts of a CV and the blocks below the heads of its entries."""

    max_authors = 0
    """Longer author lists show the first, the last and the owner, and count the others; 0 is no limit."""

    def __init__(self, converter: SiteTextConverter) -> None:
        super().__init__()
        self.converter = converter

    @abstractmethod
    def headline(self, paper: Publication) -> Phrase:
        """The title of a publication at the start of its row, with a link if the format has links."""

    def paragraph(self, content: Phrase, kind: str = "fact") -> list[TextBlock]:
        """A text of one paragraph as a list of one block; [] without words."""
        return make_paragraph(content, kind)

    @abstractmethod
    def body(self, text: str) -> list[TextBlock]:
        """A Markdown text as blocks."""

    def can_link(self, url: str) -> bool:
        """Whether rows of links have a link to the URL."""
        return bool(url)


class CvDocument(Record):
    """One document of a site: `w` writes its texts, `presenter` decides what an entry shows."""

    w: CvWriter
    presenter: EntryPresenter
    config: CvConfig = CvConfig()

    @property
    def t(self) -> Translations:
        """The translations of the theme."""
        return self.presenter.t

    def describe_person(self) -> CvPerson:
        """The head of the document; "contacts" are several texts, between which a look puts its own signs."""
        profile = self.w.converter.site.profile
        w = self.w
        t = self.t
        affiliations = [w.link(w.markdown(a.name, "name"), a.url) for a in profile.affiliation]
        interests = w.join([w.markdown(interest, "name") for interest in profile.interests], t["list_comma"])
        return CvPerson(
            name=profile.name,
            pronouns=profile.pronouns,
            position=w.join([w.markdown(profile.role), *affiliations], t["comma"]),
            tagline=w.markdown(profile.tagline),
            contacts=tuple(filter(None, self._list_contacts())),
            interests=w.label(t, t["interests"], interests),
        )

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

    def describe_section(self, section: Section) -> CvSection:
        """A section with its rows."""
        w = self.w
        groups = [
            CvGroup(w.markdown(listing.title), tuple(self.make_rows(listing.items, section.brief)))
            for listing in section.listings
        ]
        return CvSection(
            name=section.name,
            kind=section.kind,
            title=w.markdown(section.title),
            legend=f"* {self.t['equal']}" if section.legend else "",
            intro=tuple(w.body(section.intro)),
            text=tuple(self._write_prose(section.text, section.brief)) if section.text else (),
            contents_title=w.plain(self.t["contents"]),
            contents=tuple(self._list_contents(section)),
            groups=tuple(groups),
        )

    def _list_contents(self, section: Section) -> Iterator[EntryRow]:
        """The contents of a section of projects that are shown in full, if there are several."""
        is_full = self.presenter.full_projects and section.kind == "projects" and not section.brief
        if is_full and len(section.items) >= MIN_PROJECTS_FOR_CONTENTS:
            for item in section.items:
                dates = self.presenter.format_period(item.entry.entry_period, "long")
                yield EntryRow(head=self.w.markdown(item.entry.name), id=item.id, dates=dates)

    def _write_prose(self, text: Prose, brief: bool) -> list[TextBlock]:
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
        return blocks

    def make_rows(self, items: Sequence[ListItem], brief: bool = False) -> list[CvRow]:
        """The rows of a list, each with its head and what is below it; `brief` shows only the heads."""
        rows = list[CvRow]()
        for item, entry in zip(items, self.presenter.present_items(items), strict=True):
            row: CvRow
            if isinstance(entry, Citation):
                row = self._make_paper_row(entry, item.style)
                links = tuple(TextLink(link.label, link.url) for link in entry.links)
                below = self._write_blocks([Block("links", links=links)])
            else:
                row = self._make_row(entry)
                below = self._write_blocks(entry.all_blocks)

            # an entry without a head is what is below it
            if brief and row.has_head:
                below = []
            rows.append(replace(row, id=item.id, number=item.number, below=tuple(below)))
        return rows

    def _make_paper_row(self, citation: Citation, style: CitationStyleName | None) -> PaperRow:
        """The facts that lists on the site show, or a line in a citation style."""
        line = citation.line(self.w.headline(citation.paper), self.w.max_authors)
        if style:
            reference = format_reference(citation, style, marked=True)
            return PaperRow(title=reference, awards=line.awards, note=line.note)
        return PaperRow(
            title=line.title, authors=line.people, venue=line.venue, awards=line.awards, note=line.note
        )

    def _make_row(self, lines: EntryLines) -> LineRow | EntryRow:
        """A line with its dates, or a head of two columns."""
        if lines.form == "line":
            words = lines.heading
            subtitle = lines.subtitle
            if subtitle and lines.subtitle_separator:
                words = self.w.join([words, subtitle], lines.subtitle_separator)
                subtitle = ""
            return LineRow(words=words, sub=subtitle, dates=lines.dates)

        role = self.presenter.join_with_commas([lines.organization, lines.role])
        return EntryRow(head=lines.heading, role=role, dates=lines.dates, place=lines.place)

    def _write_blocks(self, blocks: Iterable[Block]) -> list[TextBlock]:
        """
        The blocks of an entry, without empty ones; publications after bullets are the last bullet.

        bullets "Built looms", "Taught"; papers "Looms, 2024" ->
        one list: Built looms | Taught | Papers: Looms, 2024
        """
        w = self.w
        written = list[TextBlock]()
        points: list[list[TextBlock]] = []

        for block in blocks:
            # the list may get one more bullet from the next block alone
            points_before = points
            points = []
            if block.role == "papers":
                papers = w.paragraph(w.label(self.t, block.label, w.join(block.items, self.t["semicolon"])))
                if points_before:
                    written[-1:] = make_list([*points_before, papers])
                else:
                    written += papers
            elif block.bullets:
                bullets = [self._write_bullet(bullet) for bullet in block.bullets]
                written += [*w.paragraph(self._write_label(block), "label"), *make_list(bullets)]
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
        """A bullet as the blocks of an item: its text, and the list of its own bullets."""
        inner = make_list([self._write_bullet(point) for point in bullet.bullets])
        return [*self.w.paragraph(bullet.text), *inner]


def _shorten_url(url: str) -> str:
    """A URL as it is printed: without scheme, "www." and the last slash."""
    return re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", url).rstrip("/")
