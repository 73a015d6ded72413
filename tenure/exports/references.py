"""Publications for reference managers: BibTeX, RIS and CSL-JSON."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tenure.exports.json_text import format_json_list
from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.names import Name
from tenure.model.publication_types import find_reference_type, split_page_range
from tenure.presentation.csl_item import (
    find_fact_text,
    find_genre_text,
    find_publication_url,
    find_server_publisher,
    list_contributors,
    shorten_venue_name,
)

RIS_TAGS: Mapping[str, str] = {"": "A2", "compiler": "A2", "translator": "A4"}
"""
Tags of RIS by role; people with other roles are tertiary authors, A3.

Source: Research Information Systems, "RIS Format Specifications" (2011): A2 secondary author, as the editor; A3 tertiary author;
A4 subsidiary author, as the translator.
"""
_STRING_MACRO = re.compile(r"@string\{.*\}\n")


def make_bibtex(papers: Sequence[Publication]) -> str:
    """
    The entries as in the source, then the entries that they inherit from, each once, with the macros that they use.

    Source: Patashnik, "BibTeXing" (1988), section 2.2, item 5: an entry must come after those that cross-reference it.
    """
    parents = dict.fromkeys(entry for paper in papers for entry in paper.parents)
    entries = (paper.bibtex for paper in papers if paper.bibtex not in parents)
    defined_macros: set[str] = set()
    blocks: list[str] = []
    for entry_text in (*entries, *parents):
        entry = entry_text
        while macro := _STRING_MACRO.match(entry):
            entry = entry[macro.end() :]
            if macro[0] not in defined_macros:
                defined_macros.add(macro[0])
                blocks.append(macro[0])
        if entry.strip():
            blocks.append(entry)
    return "\n".join(blocks)


def make_ris(papers: Iterable[Publication]) -> str:
    """
    The publications in RIS format.

    Source: Research Information Systems, "RIS Format Specifications" (2011): two characters, two spaces, a hyphen
    and a space; TY first, ER last; lines end in CR LF; names are "Family, Given, Suffix". RIS has no escapes, so a
    value must be one line.
    """
    return "".join(
        "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in _ris_fields(paper) if value)
        + "ER  - \r\n\r\n"
        for paper in papers
    )


def _ris_fields(paper: Publication) -> Iterator[tuple[str, str]]:
    """Tags and values of one publication, without the final ER; values may be empty."""
    venue, form = paper.venue, find_reference_type(paper)
    first, last = split_page_range(plain_text(venue.pages))
    yield "TY", form.ris
    yield "ID", paper.key
    yield "TI", plain_text(paper.title)
    yield from (("AU", _ris_name(author.name)) for author in paper.authors.people)
    for role, people in list_contributors(paper):
        yield from ((RIS_TAGS.get(role, "A3"), _ris_name(person.name)) for person in people.people)
    yield "T2", plain_text(venue.name)
    yield "J2", shorten_venue_name(paper)
    yield "T3", plain_text(venue.series)
    if paper.date and paper.date.year:
        yield "PY", f"{paper.date.year:04d}"
        if paper.date.month:
            day = f"{paper.date.day:02d}" if paper.date.day else ""
            yield "DA", f"{paper.date.year:04d}/{paper.date.month:02d}/{day}/"
    yield "VL", plain_text(venue.volume)
    yield "IS", plain_text(venue.number)
    yield "SP", first
    yield "EP", last
    yield "ET", plain_text(venue.edition or venue.version)
    yield "NV", plain_text(venue.volumes)
    yield "SE", plain_text(venue.chapter)
    yield "M3", find_genre_text(paper)
    yield "PB", plain_text(venue.publisher or venue.institution) or find_server_publisher(paper)
    yield "CY", plain_text(venue.location)
    yield "SN", find_fact_text(paper, "ISBN", "EISBN", "ISSN", "EISSN")
    yield "ST", find_fact_text(paper, "shorttitle")
    yield "LA", paper.language
    yield "DO", paper.doi
    yield "UR", find_publication_url(paper)
    yield from (("KW", plain_text(tag)) for tag in paper.tags)
    yield "AB", plain_text(paper.abstract)
    yield "N1", " ".join(part for part in (paper.status, plain_text(paper.note)) if part)


def _ris_name(name: Name) -> str:
    """A name in RIS order, with the suffix last: "Steele, Guy L., Jr."."""
    if name.group:
        return name.group
    return ", ".join(part for part in (name.family_with_particle, name.given, name.suffix) if part)


def make_csl_json(items: Sequence[Mapping[str, Any]]) -> str:
    """
    A list of CSL-JSON items as text.

    Source: Citation Style Language, "CSL 1.0.2 Specification", Appendix IV, and its schema csl-data.json.
    """
    return format_json_list(items) + "\n"
