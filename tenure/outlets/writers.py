"""Table of the functions that write each export format, for the build and for `export`."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from tenure.frozen import dataclass
from tenure.model.site import ExportFormat, Site
from tenure.outlets import atom, cards, documents, llms, references, resume
from tenure.outlets.words import SiteTextConverter
from tenure.web.pages import Plan


@dataclass(frozen=True)
class ExportData:
    """A site and its plan, with the values that several formats share; each is computed once."""

    site: Site
    plan: Plan

    @cached_property
    def converter(self) -> SiteTextConverter:
        """Converter of the site's texts."""
        return SiteTextConverter.for_site(self.site)

    @cached_property
    def text_cv(self) -> tuple[list[str], list[documents.TextSection]]:
        """Head lines and sections of the CV."""
        return documents.build_text_cv(self.converter, self.plan)

    @cached_property
    def csl_items(self) -> list[dict[str, Any]]:
        """The publications as CSL-JSON items."""
        return [references.make_csl_item(paper) for paper in self.site.publications]


EXPORT_WRITERS: Mapping[ExportFormat, Callable[[ExportData], str]] = {
    "bibtex": lambda stock: references.make_bibtex(stock.site.publications),
    "ris": lambda stock: references.make_ris(stock.site.publications),
    "csl-json": lambda stock: references.make_csl_json(stock.csl_items),
    "markdown": lambda stock: documents.render_markdown(*stock.text_cv),
    "text": lambda stock: documents.render_text(stock.converter, *stock.text_cv),
    "json-resume": lambda stock: resume.make_json_resume(stock.converter, stock.csl_items),
    "vcard": lambda stock: cards.make_vcard(stock.site),
    "calendar": lambda stock: cards.make_calendar(stock.site),
    "atom": lambda stock: atom.make_atom_feed(stock.site, stock.plan),
    "llms": lambda stock: llms.make_llms_txt(stock.site, stock.plan),
}
"""The function that writes each format, in the order of `export --help`."""
