"""How often publications are cited: the file content/counts.yaml, which the command `fetch` writes."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from tenure.model.dates import Date
from tenure.model.entries import Publication
from tenure.model.field_annotations import ExtraFields, KeyedList, MainField, MappingKey
from tenure.model.overlays import Coauthor
from tenure.model.places import SourceRecord
from tenure.record import field


class Years(SourceRecord, kw_only=True):
    """The citations of a publication by the year in which it was cited."""

    counts: Annotated[Mapping[str, str], ExtraFields()] = field(default_factory=dict)
    """a year and its number of citations: 2025: 7"""


class Work(SourceRecord, kw_only=True):
    """A publication, by its DOI or its key, and how often it is cited."""

    work: Annotated[str, MainField(), MappingKey()]
    """the DOI or the key of the publication"""
    citations: int
    """how often it is cited"""
    years: Years = field(default_factory=Years)
    """the citations by year: {2024: 5, 2025: 7}"""


class CitationCounts(SourceRecord, kw_only=True):
    """Counts of one source, from one day. `coauthors` complete the table of co-authors."""

    service: str
    """who counted: OpenAlex"""
    day: Date
    """the day of the counts: 2026-11-23"""
    works: Annotated[tuple[Work, ...], KeyedList()] = ()
    """the publications, each by its DOI or its key"""
    coauthors: tuple[Coauthor, ...] = ()
    """co-authors with their institutions, for the table of co-authors"""

    def select_works(self, publications: Iterable[Publication]) -> dict[str, Work]:
        """The counts of publications by their keys; those without a count are omitted."""
        works = {work.work.casefold(): work for work in self.works}
        found = {
            publication.key: works.get(publication.doi.casefold()) or works.get(publication.key.casefold())
            for publication in publications
        }
        return {key: work for key, work in found.items() if work is not None}


def calculate_h_index(works: Iterable[Work]) -> int:
    """The greatest number h of publications that are each cited at least h times (J. E. Hirsch, 2005)."""
    ranked = sorted((work.citations for work in works), reverse=True)
    return sum(citations >= rank for rank, citations in enumerate(ranked, 1))


def sum_by_year(works: Iterable[Work]) -> dict[int, int]:
    """The citations of all publications by year."""
    sums: dict[int, int] = {}
    for work in works:
        for year, count in work.years.counts.items():
            sums[int(year)] = sums.get(int(year), 0) + int(count)
    return sums
