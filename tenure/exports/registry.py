"""Table of the functions that write each export format, for the build and for `export`."""

from collections.abc import Callable, Mapping
from functools import cached_property

from tenure.exports import atom, calendar_file, hosting, json_resume, references
from tenure.exports.cv import markdown
from tenure.exports.plain_text import SiteTextConverter
from tenure.model.site import Site
from tenure.plan.pages import Plan
from tenure.record import Record


class ExportData(Record, dict=True):
    """A site and its plan, with the values that several formats share; each is computed once."""

    site: Site
    plan: Plan

    @cached_property
    def converter(self) -> SiteTextConverter:
        """Converter of the site's texts."""
        return SiteTextConverter.for_site(self.site)


EXPORT_WRITERS: Mapping[str, Callable[[ExportData], str]] = {
    "bibtex": lambda data: references.make_bibtex(data.site.publications),
    "ris": lambda data: references.make_ris(data.site.publications),
    "csl-json": lambda data: references.make_csl_json(data.site.publications),
    "markdown": lambda data: markdown.make_markdown_cv(data.converter, data.plan),
    "text": lambda data: markdown.make_text_cv(data.converter, data.plan),
    "json-resume": lambda data: json_resume.make_json_resume(data.converter),
    "calendar": lambda data: calendar_file.make_calendar(data.site),
    "atom": lambda data: atom.make_atom_feed(data.site, data.plan),
    "llms": lambda data: hosting.make_llms_txt(data.site, data.plan),
}
"""The function that writes each row of EXPORT_FORMATS."""
