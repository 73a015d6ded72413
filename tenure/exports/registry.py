"""Table of the functions that write each export format, for the build and for `export`."""

from collections.abc import Callable, Mapping

from tenure.exports import feeds, json_resume, references
from tenure.exports.cv import markdown
from tenure.exports.plain_text import SiteTextConverter
from tenure.plan.pages import Plan

EXPORT_WRITERS: Mapping[str, Callable[[SiteTextConverter, Plan], str]] = {
    "bibtex": lambda converter, _: references.make_bibtex(converter.site.publications),
    "ris": lambda converter, _: references.make_ris(converter.site.publications),
    "csl-json": lambda converter, _: references.make_csl_json(converter.site.publications),
    "markdown": markdown.make_markdown_cv,
    "text": markdown.make_text_cv,
    "json-resume": lambda converter, _: json_resume.make_json_resume(converter),
    "calendar": lambda converter, _: feeds.make_calendar(converter),
    "atom": feeds.make_atom_feed,
    "llms": feeds.make_llms_txt,
}
"""The function that writes each row of EXPORT_FORMATS."""
