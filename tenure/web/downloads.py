"""Export formats: which machine-readable files a site has, and their paths."""

from collections.abc import Mapping

from tenure.frozen import dataclass
from tenure.model.scholar import News, Post, Publication, Talk
from tenure.model.site import Record, Site
from tenure.web.pages import Page


@dataclass(frozen=True, slots=True)
class Download:
    """An exported file: its path below the root without a leading slash, its media type and its label."""

    path: str
    media: str
    label: str


RECORDS: Mapping[Record, Download] = {
    "bibtex": Download("publications.bib", "application/x-bibtex", "BibTeX"),
    "ris": Download("publications.ris", "application/x-research-info-systems", "RIS"),
    "csl-json": Download("publications.json", "application/vnd.citationstyles.csl+json", "CSL-JSON"),
    "markdown": Download("cv.md", "text/markdown", "Markdown"),
    "text": Download("cv.txt", "text/plain", "Plain text"),
    "json-resume": Download("resume.json", "application/json", "JSON Resume"),
    "vcard": Download("contact.vcf", "text/vcard", "vCard"),
    "calendar": Download("talks.ics", "text/calendar", "iCalendar"),
    "atom": Download("feed.xml", "application/atom+xml", "Atom"),
    "llms": Download("llms.txt", "text/plain", "llms.txt"),
}
"""The file of the whole site for each format."""

ON_PAGE: Mapping[str, tuple[Record, ...]] = {
    "publications": ("bibtex", "ris", "csl-json"),
    "cv": ("markdown", "text", "json-resume", "vcard"),
    "talks": ("calendar",),
}
"""The formats that a kind of page links to."""

USUAL: tuple[Record, ...] = tuple(record for record in RECORDS if record != "vcard")
"""Default formats: all but the vCard, because few people want their address to be collected."""


def _has(site: Site, record: Record) -> bool:
    if record in ON_PAGE["publications"]:
        return bool(site.publications)
    if record == "calendar":
        return any(_is_on_a_day(e) for c in site.collections.values() if c.kind == "talks" for e in c.entries)
    if record == "atom":
        return bool(site.settings.url) and any(
            is_news(entry) for c in site.collections.values() for entry in c.entries
        )
    return record != "llms" or bool(site.settings.url)


def is_news(entry: object) -> bool:
    """Whether a feed contains the entry: a post, a news item or a publication with its own page, and with a year."""
    if not isinstance(entry, News | Post | Publication) or (
        isinstance(entry, Publication) and not entry.page
    ):
        return False
    return bool(entry.when and entry.when.start and entry.when.start.year)


def _is_on_a_day(entry: object) -> bool:
    """Whether the entry is a talk with a known day; without a day it would fill a month of the calendar."""
    return isinstance(entry, Talk) and bool(entry.date and entry.date.start and entry.date.start.day)


@dataclass(frozen=True, slots=True)
class Downloads:
    """The formats that a site is configured to export and has content for."""

    chosen: frozenset[Record]

    @classmethod
    def of(cls, site: Site) -> "Downloads":
        """The formats of a site."""
        wishes = USUAL if site.settings.records is None else site.settings.records
        return cls(frozenset(record for record in wishes if _has(site, record)))

    def on(self, page: Page) -> tuple[Download, ...]:
        """The files that a page links to."""
        if page.kind == "publication" and isinstance(page.entry, Publication):
            return self.of_paper(page.entry)
        return tuple(RECORDS[record] for record in ON_PAGE.get(page.kind, ()) if record in self.chosen)

    def of_paper(self, paper: Publication) -> tuple[Download, ...]:
        """The files of one publication, beside its page; RIS exists only for all publications together."""
        if not paper.bibtex or "bibtex" not in self.chosen:
            return ()
        whole = RECORDS["bibtex"]
        return (Download(f"publications/{paper.id}/{paper.id}.bib", whole.media, whole.label),)
