"""Citation counts from OpenAlex, one request for each DOI, as the text of content/counts.yaml."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from tenure.fetch.client import Client, FetchError
from tenure.fetch.service_requests import request_openalex_work
from tenure.model.entries import Publication
from tenure.model.names import Name, fold_text
from tenure.model.overlays import Coauthor
from tenure.model.people import find_collaborators
from tenure.problems import format_count
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.editing.yaml_writer import YamlData, format_yaml
from tenure.sources.reading.node import Node, read_text

COUNTS_FILE = "content/counts.yaml"
_HEADER = "# How often OpenAlex finds each publication cited. The command fetch replaces this file.\n"
_DAY = re.compile(r"^day: (\S+)$", re.MULTILINE)
"""day: 2024-05-13, the third line of content/counts.yaml."""

_COUNT = re.compile(r"[0-9]{1,9}")
"""A number of citations: 1204."""


class CountResult(Record):
    """The text of content/counts.yaml, "" if OpenAlex has no counts; and a line for the report."""

    text: str
    summary: str


def request_counts(
    client: Client, publications: Sequence[Publication], on_progress: ProgressCallback
) -> dict[str, Node]:
    """The work at OpenAlex by DOI, without unknown works; raises FetchError if there is no answer."""
    dois = list(dict.fromkeys(paper.doi.casefold() for paper in publications if paper.doi))
    works: dict[str, Node] = {}
    for number, doi in enumerate(dois, 1):
        on_progress("counting citations at OpenAlex", number, len(dois))
        try:
            works[doi] = request_openalex_work(client, doi)
        except FetchError as error:
            if error.is_temporary:
                raise
    return works


def format_counts(
    works: Mapping[str, Node],
    publications: Sequence[Publication],
    coauthors: Sequence[Coauthor],
    old_text: str,
) -> CountResult:
    """The file with the counts; the day changes only if they differ from those of `old_text`."""
    counted = {doi: count for doi, work in works.items() if (count := _read_count(work))}
    if not counted:
        return CountResult("", "OpenAlex knows none of the publications")

    data: dict[str, YamlData] = {"works": counted}
    affiliations = _list_affiliations(works, publications, coauthors)
    people = [{"name": name, "affiliation": affiliation} for name, affiliation in affiliations]
    if people:
        data["coauthors"] = people
    # with the old day, an equal file stays as it is
    old_day = _DAY.search(old_text)
    text = _format_file(old_day[1], data) if old_day else ""
    if text != old_text or not text:
        text = _format_file(datetime.now(UTC).date().isoformat(), data)

    total = sum(int(read_text(work, "cited_by_count")) for doi, work in works.items() if doi in counted)
    summary = f"{format_count(total, 'citation')} of {format_count(len(counted), 'publication')}"
    missing = len({paper.doi.casefold() for paper in publications if paper.doi}) - len(counted)
    if missing:
        summary = f"{summary}; OpenAlex does not know {format_count(missing, 'publication')}"
    return CountResult(text, summary)


def _format_file(day: str, data: Mapping[str, YamlData]) -> str:
    return f"{_HEADER}service: OpenAlex\nday: {day}\n{format_yaml(data)}"


def _read_count(work: Node) -> dict[str, YamlData]:
    """The citations of a work; empty if the answer has no valid count."""
    total = read_text(work, "cited_by_count")
    return {"citations": str(int(total))} if _COUNT.fullmatch(total) else {}


def _list_affiliations(
    works: Mapping[str, Node], publications: Iterable[Publication], coauthors: Iterable[Coauthor]
) -> Iterator[tuple[str, str]]:
    """The name of each co-author, and the institution in the latest joint publication that names one."""
    undated = (0, 0, 0)
    latest_first = sorted(publications, key=lambda p: p.date.sort_key if p.date else undated, reverse=True)
    authorships_by_doi = {doi: tuple(_list_authorships(work)) for doi, work in works.items()}
    people = find_collaborators(latest_first, coauthors)
    for person in sorted(people, key=lambda person: person.name.inverted_name):
        institutions = (
            _find_institution(authorships_by_doi.get(paper.doi.casefold(), ()), person.name)
            for paper in person.publications
        )
        institution = next(filter(None, institutions), "")
        if institution:
            yield person.name.inverted_name, institution


def _list_authorships(work: Node) -> Iterator[tuple[str, str]]:
    """The folded name of each author of a work, in each spelling, and the first institution."""
    for row in work.child("authorships").items:
        places = row.child("institutions").items[:1]
        institution = read_text(places[0], "display_name")[:300] if places else ""
        for text in (read_text(row, "raw_author_name"), read_text(row, "author", "display_name")):
            if text and institution:
                yield fold_text(Name.parse(text[:300]).full_name), institution


def _find_institution(authorships: Sequence[tuple[str, str]], person: Name) -> str:
    """
    The institution of a person among the authors of a work.

    Without an author of exactly this name, it is that of the only one with the same family name and first
    initial.
    """
    full_name, family, initial = map(fold_text, (person.full_name, person.family, person.given[:1]))
    similar: set[str] = set()
    for name, institution in authorships:
        if name == full_name:
            return institution
        # "J. Smith" may be Jane Smith, and also John Smith
        if name.endswith(f" {family}") and name.startswith(initial):
            similar.add(institution)
    return next(iter(similar)) if len(similar) == 1 else ""
