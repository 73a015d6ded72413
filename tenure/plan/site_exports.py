"""Which machine-readable files a site has."""

from collections.abc import Iterator

from tenure.model.entries import Publication
from tenure.model.export_formats import EXPORT_FORMATS, ExportFile, ExportFormat, SiteContent
from tenure.model.site import Site
from tenure.plan.pages import Page, Plan
from tenure.record import Record, replace


class SiteExports(Record):
    """The formats that a site is configured to export and has content for."""

    formats: tuple[str, ...]

    @classmethod
    def for_site(cls, site: Site) -> "SiteExports":
        """The formats of a site."""
        names = site.settings.records
        if names is None:
            names = tuple(EXPORT_FORMATS)
        names = tuple(name for name in names if name in EXPORT_FORMATS)  # the card is no file for programs
        entries = tuple(site.iterate_entries())
        content = SiteContent(site.publications, entries, site.settings.url, site.profile.is_group)
        return cls(tuple(name for name in names if EXPORT_FORMATS[name].has_content(content)))

    def list_formats(self, plan: Plan) -> Iterator[tuple[str, ExportFormat]]:
        """The formats of a plan by their names: those of a CV only if it has a page."""
        has_cv = any(page.kind == "cv" for page in plan)
        for name, export_format in EXPORT_FORMATS.items():
            if name in self.formats and (has_cv or export_format.page_kind != "cv"):
                yield name, export_format

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
