"""What makes each record, by its name: for the site and for `export`."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from tenure.frozen import dataclass
from tenure.model.site import Record, Site
from tenure.outlets import atom, cards, documents, llms, references, resume
from tenure.outlets.words import Words
from tenure.web.pages import Plan


@dataclass(frozen=True)
class Stock:
    """A site and its pages, with what several of their records are made of: each made once."""

    site: Site
    pages: Plan

    @cached_property
    def words(self) -> Words:
        """The texts of the site as they stand outside its pages."""
        return Words.of(self.site)

    @cached_property
    def cv(self) -> tuple[list[str], list[documents.Part]]:
        """The CV as the head and the parts of a document."""
        return documents.cv(self.words, self.pages)

    @cached_property
    def works(self) -> list[dict[str, Any]]:
        """The publications as items of CSL-JSON."""
        return [references.csl_item(paper) for paper in self.site.publications]


WRITERS: Mapping[Record, Callable[[Stock], str]] = {
    "bibtex": lambda stock: references.bibtex(stock.site.publications),
    "ris": lambda stock: references.ris(stock.site.publications),
    "csl-json": lambda stock: references.csl_json(stock.works),
    "markdown": lambda stock: documents.as_markdown(*stock.cv),
    "text": lambda stock: documents.as_text(stock.words, *stock.cv),
    "json-resume": lambda stock: resume.json_resume(stock.words, stock.works),
    "vcard": lambda stock: cards.vcard(stock.site),
    "calendar": lambda stock: cards.calendar(stock.site),
    "atom": lambda stock: atom.feed(stock.site, stock.pages),
    "llms": lambda stock: llms.llms(stock.site, stock.pages),
}
"""What makes each record; in the order of `export --help`."""
