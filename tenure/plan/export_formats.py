"""Which machine-readable files a site has."""

from tenure.model.entries import News, Post, Publication, Talk
from tenure.model.export_formats import EXPORT_FORMATS, ExportFile
from tenure.model.site import Site
from tenure.plan.pages import Page
from tenure.record import Record


def _has_content(site: Site, name: str) -> bool:
    needs = EXPORT_FORMATS[name].needs
    if site.profile.is_group and EXPORT_FORMATS[name].page_kind == "cv" and name != "vcard":
        return False  # a group has no CV
    entries = (entry for collection in site.collections.values() for entry in collection.entries)
    if needs == "publications":
        return bool(site.publications)
    if needs == "dated talks":
        return any(_has_known_day(entry) for entry in entries)
    if needs == "feed entries":
        return bool(site.settings.url) and any(is_feed_entry(entry) for entry in entries)
    return needs != "URL" or bool(site.settings.url)


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

    formats: frozenset[str]

    @classmethod
    def for_site(cls, site: Site) -> "SiteExports":
        """The formats of a site."""
        names = site.settings.records
        if names is None:
            names = tuple(name for name, export_format in EXPORT_FORMATS.items() if export_format.is_default)
        return cls(frozenset(name for name in names if _has_content(site, name)))

    def files_of_page(self, page: Page) -> tuple[ExportFile, ...]:
        """The files that a page links to."""
        if page.kind == "publication" and isinstance(page.entry, Publication):
            return self.files_of_publication(page.entry)
        return tuple(
            export_format.file
            for name, export_format in EXPORT_FORMATS.items()
            if export_format.page_kind == page.kind and name in self.formats
        )

    def files_of_publication(self, publication: Publication) -> tuple[ExportFile, ...]:
        """The files of one publication, beside its page; RIS exists only for all publications together."""
        if not publication.bibtex or "bibtex" not in self.formats:
            return ()
        site_file = EXPORT_FORMATS["bibtex"].file
        return (
            ExportFile(
                f"publications/{publication.id}/{publication.id}.bib", site_file.media_type, site_file.label
            ),
        )
