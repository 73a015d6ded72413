"""The records that a site asks for, as files."""

from collections.abc import Iterator

from tenure.model.site import Site
from tenure.output import Artifact
from tenure.web.downloads import ON_PAGE, RECORDS, Downloads
from tenure.web.pages import Plan


def records(site: Site, pages: Plan) -> Iterator[Artifact]:
    """The records of a site; a file of the same name in content/ stands in the place of ours."""
    downloads = Downloads.of(site)
    if not downloads.chosen:
        return
    from tenure.outlets import references  # noqa: PLC0415 - loaded where a site has records
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
