"""Table of the functions that write each export format, for the build and for `export`."""

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
    """A site and its plan, with the values that several formats share; each is computed once."""

    site: Site
    pages: Plan

    @cached_property
    def words(self) -> Words:
        """Converter of the site's texts."""
        return Words.of(self.site)

    @cached_property
    def cv(self) -> tuple[list[str], list[documents.Part]]:
        """Head lines and sections of the CV."""
        return documents.cv(self.words, self.pages)

    @cached_property
    def works(self) -> list[dict[str, Any]]:
        """The publications as CSL-JSON items."""
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
"""The function that writes each format, in the order of `export --help`."""
