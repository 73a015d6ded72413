"""
The exported files of a site: an export format is a row in model/export_formats.py and its function here.

A function gets the texts of a site by a `SiteTextConverter`, and its pages by a `Plan`.
"""

from collections.abc import Callable, Iterator, Mapping

from tenure.exports import feeds, json_resume, references
from tenure.exports.cv import markdown
from tenure.exports.plain_text import SiteTextConverter
from tenure.model.site import Site
from tenure.plan.pages import Plan
from tenure.plan.site_exports import SiteExports
from tenure.problems import Place
from tenure.publish import Artifact

EXPORT_WRITERS: Mapping[str, Callable[[SiteTextConverter, Plan], str]] = {
    "bibtex": lambda converter, _: references.make_bibtex(converter.site.publications),
    "ris": lambda converter, _: references.make_ris(converter.site.publications),
    "csl-json": lambda converter, _: references.make_csl_json(converter.site.publications),
    "text": markdown.make_text_cv,
    "json-resume": lambda converter, _: json_resume.make_json_resume(converter),
    "calendar": lambda converter, _: feeds.make_calendar(converter),
    "atom": feeds.make_atom_feed,
    "llms": feeds.make_llms_txt,
}
"""The function of each format."""


def make_export_files(site: Site, plan: Plan) -> Iterator[Artifact]:
    """
    Write the files of all configured formats; a file with the same name in content/ replaces a generated one.

    For another language than the main one, only the files that are translated are written, to its folder.
    """
    exports = SiteExports.for_site(site)
    converter = SiteTextConverter.for_site(site)
    for name, export_format in exports.list_formats(plan):
        path = export_format.file.path
        if path not in site.files and (export_format.is_translated or not plan.folder):
            body = EXPORT_WRITERS[name](converter, plan).encode("utf-8", "replace")
            yield Artifact(f"{plan.folder}{path}", body, Place("site.yaml"))

    if plan.folder:
        return
    for publication in site.publications:
        for file in exports.files_of_publication(publication):
            body = references.make_bibtex([publication]).encode("utf-8", "replace")
            yield Artifact(file.path, body, publication.source)
