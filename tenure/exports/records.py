"""The exported files of a site."""

from collections.abc import Iterator

from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.site import Site
from tenure.plan.export_formats import SiteExports
from tenure.plan.pages import Plan
from tenure.problems import Place
from tenure.publish import Artifact


def make_export_files(site: Site, plan: Plan) -> Iterator[Artifact]:
    """
    Write the files of all configured formats; a file with the same name in content/ replaces a generated one.

    For another language than the main one, only the files that are translated are written, to its folder.
    """
    exports = SiteExports.for_site(site)
    if not exports.formats:
        return
    from tenure.exports import references
    from tenure.exports.plain_text import SiteTextConverter
    from tenure.exports.registry import EXPORT_WRITERS

    page_kinds = {page.kind for page in plan}
    converter = SiteTextConverter.for_site(site)
    for name, export_format in EXPORT_FORMATS.items():
        path = export_format.file.path
        if name not in exports.formats or path in site.files:
            continue
        if export_format.page_kind == "cv" and "cv" not in page_kinds:
            continue
        if plan.folder and not export_format.is_translated:
            continue
        body = EXPORT_WRITERS[name](converter, plan).encode("utf-8", "replace")
        yield Artifact(f"{plan.folder}{path}", body, Place("site.yaml"))
    for publication in site.publications if not plan.folder else ():
        for file in exports.files_of_publication(publication):
            body = references.make_bibtex([publication]).encode("utf-8", "replace")
            yield Artifact(file.path, body, publication.source)
