"""The exported files of a site."""

from collections.abc import Iterator

from tenure.model.site import Site
from tenure.output import Artifact
from tenure.web.downloads import ON_PAGE, RECORDS, Downloads
from tenure.web.pages import Plan


def records(site: Site, pages: Plan) -> Iterator[Artifact]:
    """Write the files of all configured formats; a file with the same name in content/ replaces a generated one."""
    downloads = Downloads.of(site)
    if not downloads.chosen:
        return
    from tenure.outlets import references  # noqa: PLC0415 - only a site with exported files needs it
    from tenure.outlets.writers import WRITERS, Stock  # noqa: PLC0415 - as above

    kinds = {page.kind for page in pages}
    stock = Stock(site, pages)
    for record in RECORDS:
        path = RECORDS[record].path
        if record not in downloads.chosen or path in site.files:
            continue
        if record in ON_PAGE["cv"] and "cv" not in kinds:
            continue
        yield Artifact(path, _encoded(WRITERS[record](stock)), "site.yaml")
    for paper in site.publications:
        for file in downloads.of_paper(paper):
            yield Artifact(file.path, _encoded(references.bibtex([paper])), paper.source)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
