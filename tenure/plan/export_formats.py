"""Export formats: which machine-readable files a site has, and their paths."""

from collections.abc import Mapping

from tenure.model.entries import News, Post, Publication, Talk
from tenure.model.site import ExportFormat, Site
from tenure.plan.pages import Page
from tenure.record import Record


class ExportFile(Record):
    """An exported file: its path below the root without a leading slash, its media type and its label."""

    path: str
    media_type: str
    label: str


EXPORT_FILES: Mapping[ExportFormat, ExportFile] = {
    "bibtex": ExportFile("publications.bib", "application/x-bibtex", "BibTeX"),
    "ris": ExportFile("publications.ris", "application/x-research-info-systems", "RIS"),
    "csl-json": ExportFile("publications.json", "application/vnd.citationstyles.csl+json", "CSL-JSON"),
    "markdown": ExportFile("cv.md", "text/markdown", "Markdown"),
    "text": ExportFile("cv.txt", "text/plain", "Plain text"),
    "json-resume": ExportFile("resume.json", "application/json", "JSON Resume"),
    "vcard": ExportFile("contact.vcf", "text/vcard", "vCard"),
    "calendar": ExportFile("talks.ics", "text/calendar", "iCalendar"),
    "atom": ExportFile("feed.xml", "application/atom+xml", "Atom"),
    "llms": ExportFile("llms.txt", "text/plain", "llms.txt"),
}
"""The file of the whole site for each format."""

FORMATS_BY_PAGE_KIND: Mapping[str, tuple[ExportFormat, ...]] = {
    "publications": ("bibtex", "ris", "csl-json"),
    "cv": ("markdown", "text", "json-resume", "vcard"),
    "talks": ("calendar",),
}
"""The formats that a kind of page links to."""

DEFAULT_FORMATS: tuple[ExportFormat, ...] = tuple(record for record in EXPORT_FILES if record != "vcard")
"""Default formats: all but the vCard, because few people want their address to be collected."""


def _has_content(site: Site, export_format: ExportFormat) -> bool:
    if export_format in FORMATS_BY_PAGE_KIND["publications"]:
        return bool(site.publications)
    if export_format == "calendar":
        return any(
            _has_known_day(e) for c in site.collections.values() if c.kind == "talks" for e in c.entries
        )
    if export_format == "atom":
        return bool(site.settings.url) and any(
            is_feed_entry(entry) for c in site.collections.values() for entry in c.entries
        )
    return export_format != "llms" or bool(site.settings.url)


def is_feed_entry(entry: object) -> bool:
    """Whether a feed contains the entry: a post, a news item or a publication with its own page, and with a year."""
    if not isinstance(entry, News | Post | Publication) or (
        isinstance(entry, Publication) and not entry.page
    ):
        return False
    return bool(entry.entry_period and entry.entry_period.start and entry.entry_period.start.year)


def _has_known_day(entry: object) -> bool:
    """Whether the entry is a talk with a known day; without a day it would fill a month of the calendar."""
    return isinstance(entry, Talk) and bool(entry.date and entry.date.start and entry.date.start.day)


class SiteExports(Record):
    """The formats that a site is configured to export and has content for."""

    formats: frozenset[ExportFormat]

    @classmethod
    def for_site(cls, site: Site) -> "SiteExports":
        """The formats of a site."""
        configured_formats = DEFAULT_FORMATS if site.settings.records is None else site.settings.records
        return cls(
            frozenset(
                export_format for export_format in configured_formats if _has_content(site, export_format)
            )
        )

    def files_of_page(self, page: Page) -> tuple[ExportFile, ...]:
        """The files that a page links to."""
        if page.kind == "publication" and isinstance(page.entry, Publication):
            return self.files_of_publication(page.entry)
        return tuple(
            EXPORT_FILES[export_format]
            for export_format in FORMATS_BY_PAGE_KIND.get(page.kind, ())
            if export_format in self.formats
        )

    def files_of_publication(self, publication: Publication) -> tuple[ExportFile, ...]:
        """The files of one publication, beside its page; RIS exists only for all publications together."""
        if not publication.bibtex or "bibtex" not in self.formats:
            return ()
        site_file = EXPORT_FILES["bibtex"]
        return (
            ExportFile(
                f"publications/{publication.id}/{publication.id}.bib", site_file.media_type, site_file.label
            ),
        )
