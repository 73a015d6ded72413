"""Table of the functions that write each export format, for the build and for `export`."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from tenure.exports import atom, hosting, json_resume, references, vcard_ical
from tenure.exports.cv import markdown
from tenure.exports.plain_text import SiteTextConverter
from tenure.model.site import Site
from tenure.plan.pages import Plan
from tenure.presentation.csl_item import make_csl_item
from tenure.record import Record


class ExportData(Record, dict=True):
    """A site and its plan, with the values that several formats share; each is computed once."""

    site: Site
    plan: Plan

    @cached_property
    def converter(self) -> SiteTextConverter:
        """Converter of the site's texts."""
        return SiteTextConverter.for_site(self.site)

    @cached_property
    def text_cv(self) -> tuple[list[str], list[markdown.TextSection]]:
        """Head lines and sections of the CV."""
        return markdown.build_text_cv(self.converter, self.plan)

    @cached_property
    def csl_items(self) -> list[dict[str, Any]]:
        """The publications as CSL-JSON items."""
        return [make_csl_item(paper) for paper in self.site.publications]


EXPORT_WRITERS: Mapping[str, Callable[[ExportData], str]] = {
    "bibtex": lambda stock: references.make_bibtex(stock.site.publications),
    "ris": lambda stock: references.make_ris(stock.site.publications),
    "csl-json": lambda stock: references.make_csl_json(stock.csl_items),
    "markdown": lambda stock: markdown.render_markdown(*stock.text_cv),
    "text": lambda stock: markdown.render_text(stock.converter, *stock.text_cv),
    "json-resume": lambda stock: json_resume.make_json_resume(stock.converter, stock.csl_items),
    "vcard": lambda stock: vcard_ical.make_vcard(stock.site),
    "calendar": lambda stock: vcard_ical.make_calendar(stock.site),
    "atom": lambda stock: atom.make_atom_feed(stock.site, stock.plan),
    "llms": lambda stock: hosting.make_llms_txt(stock.site, stock.plan),
}
"""The function that writes each row of EXPORT_FORMATS."""
