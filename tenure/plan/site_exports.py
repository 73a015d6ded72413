"""Which machine-readable files a site has."""

from tenure.model.entries import Entry, News, Post, Publication, Talk
from tenure.model.export_formats import EXPORT_FORMATS, ExportFile
from tenure.model.site import Site
from tenure.plan.pages import Page
from tenure.record import Record, replace


def _has_content(site: Site, name: str) -> bool:
    needs = EXPORT_FORMATS[name].needs
    if site.profile.is_group and EXPORT_FORMATS[name].page_kind == "cv":
        return False  # a group has no CV
    if needs == "publications":
        return bool(site.publications)
    if needs == "dated talks":
        # without a day a talk would fill a month of the calendar
        dates = [entry.date for entry in site.iterate_entries() if isinstance(entry, Talk)]
        return any(date and date.start and date.start.day for date in dates)
    if needs == "feed entries":
        return bool(site.settings.url) and any(map(is_feed_entry, site.iterate_entries()))
    return needs != "URL" or bool(site.settings.url)


def is_feed_entry(entry: Entry) -> bool:
    """Whether a feed contains the entry: a post, a news item or a publication with its own page, and with a year."""
    has_page = entry.page if isinstance(entry, Publication) else isinstance(entry, News | Post)
    period = entry.entry_period if has_page else None
    return bool(period and period.start and period.start.year)


class SiteExports(Record):
    """The formats that a site is configured to export and has content for."""

    formats: frozenset[str]

    @classmethod
    def for_site(cls, site: Site) -> "SiteExports":
        """The formats of a site."""
        names = site.settings.records
        if names is None:
            names = tuple(EXPORT_FORMATS)
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
        path = f"publications/{publication.id}/{publication.id}.bib"
        return (replace(EXPORT_FORMATS["bibtex"].file, path=path),)
