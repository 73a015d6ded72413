"""Every record by its name: how it is made, for the site and for `export`."""

from collections.abc import Callable, Iterator, Mapping

from tenure.model.site import Record, Site
from tenure.outlets import atom, cards, documents, llms, references, resume
from tenure.output import Artifact
from tenure.web.downloads import ON_PAGE, RECORDS, Downloads
from tenure.web.pages import Plan

WRITERS: Mapping[Record, Callable[[Site, Plan], str]] = {
    "bibtex": lambda site, _: references.bibtex(site.publications),
    "ris": lambda site, _: references.ris(site.publications),
    "csl-json": lambda site, _: references.csl_json(site.publications),
    "markdown": documents.markdown,
    "text": documents.text,
    "json-resume": lambda site, _: resume.json_resume(site),
    "vcard": lambda site, _: cards.vcard(site),
    "calendar": lambda site, _: cards.calendar(site),
    "atom": atom.feed,
    "llms": llms.llms,
}
"""What makes each record; in the order of `export --help`."""


def records(site: Site, pages: Plan) -> Iterator[Artifact]:
    """The records of a site; a file of the same name in content/ stands in the place of ours."""
    kinds = {page.kind for page in pages}
    downloads = Downloads.of(site)
    for record in RECORDS:
        path = RECORDS[record].path
        if record not in downloads.chosen or path in site.files:
            continue
        if record in ON_PAGE["cv"] and "cv" not in kinds:
            continue
        yield Artifact(path, _encoded(WRITERS[record](site, pages)), "site.yaml")
    for paper in site.publications:
        for file in downloads.of_paper(paper):
            yield Artifact(file.path, _encoded(references.bibtex([paper])), paper.source)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
