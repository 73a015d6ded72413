"""Publications for reference managers: BibTeX, RIS and CSL-JSON."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tenure.exports.json_text import format_json_list
from tenure.markdown.html import plain_text
from tenure.model.bibtex_text import join_bibtex_entries
from tenure.model.dates import Date
from tenure.model.entries import Publication
from tenure.model.names import Authors, Name
from tenure.model.publication_types import find_reference_type, publisher_or_institution, split_page_range

CSL_VARIABLES: Mapping[str, str] = {
    "": "editor", "compiler": "compiler", "director": "director", "organizer": "organizer", "translator": "translator",
    "bookauthor": "container-author",
}  # fmt: skip
"""Name variables of CSL 1.0.2, Appendix IV, by role; people with other roles are contributors."""

RIS_TAGS: Mapping[str, str] = {"": "A2", "compiler": "A2", "translator": "A4"}
"""
Tags of RIS by role; people with other roles are tertiary authors, A3.

Source: Research Information Systems, "RIS Format Specifications" (2011): A2 secondary author, as the editor; A3 tertiary author;
A4 subsidiary author, as the translator.
"""


def _list_contributors(paper: Publication) -> Iterator[tuple[str, Authors]]:
    """The people of a publication besides its authors by their roles; the holder of a patent has no place in RIS and CSL."""
    if paper.editors.people:
        yield paper.editor_role, paper.editors
    for fact in paper.facts:
        if fact.people.people and fact.name != "holder":
            role = "contributor" if fact.name == "contributors" and not fact.role else fact.name
            yield fact.role or role, fact.people


def make_bibtex(papers: Sequence[Publication]) -> str:
    """The entries as in the source, followed by the entries that they inherit from."""
    return join_bibtex_entries(
        [paper.bibtex for paper in papers], [entry for paper in papers for entry in paper.parents]
    )


def make_ris(papers: Iterable[Publication]) -> str:
    """
    The publications in RIS format.

    Source: Research Information Systems, "RIS Format Specifications" (2011): two characters, two spaces, a hyphen
    and a space; TY first, ER last; lines end in CR LF; names are "Family, Given, Suffix". RIS has no escapes, so a
    value must be one line.
    """
    return "".join(
        "".join(f"{tag}  - {_join_lines(value)}\r\n" for tag, value in _ris_fields(paper) if value)
        + "ER  - \r\n\r\n"
        for paper in papers
    )


def _join_lines(value: str) -> str:
    return " ".join(value.split())


def _ris_fields(paper: Publication) -> Iterator[tuple[str, str]]:
    """Tags and values of one publication, without the final ER; values may be empty."""
    venue, form = paper.venue, find_reference_type(paper)
    first, last = split_page_range(plain_text(venue.pages))
    yield "TY", form.ris
    yield "ID", paper.key
    yield "TI", plain_text(paper.title)
    yield from (("AU", _ris_name(author.name)) for author in paper.authors.people)
    for role, people in _list_contributors(paper):
        yield from ((RIS_TAGS.get(role, "A3"), _ris_name(person.name)) for person in people.people)
    yield "T2", plain_text(venue.name)
    yield "J2", _short_venue_name(paper)
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
    yield "ET", plain_text(venue.edition)
    yield "PB", plain_text(venue.publisher or venue.institution) or _server_as_publisher(paper)
    yield "CY", plain_text(venue.location)
    yield "DO", paper.doi
    yield "UR", _publication_url(paper)
    yield from (("KW", plain_text(tag)) for tag in paper.tags)
    yield "AB", plain_text(paper.abstract)
    yield "N1", " ".join(part for part in (paper.status, plain_text(paper.note)) if part)


def _ris_name(name: Name) -> str:
    """A name in RIS order, with the suffix last: "Steele, Guy L., Jr."."""
    if name.group:
        return name.group
    family_name = " ".join(part for part in (name.von, name.family) if part)
    return ", ".join(part for part in (family_name, name.given, name.suffix) if part)


def _short_venue_name(paper: Publication) -> str:
    """Short name of the venue without its year: "SOSP" for "SOSP '24"."""
    return re.sub(r"\s*(?:['’]\d\d|(?:19|20)\d\d)$", "", plain_text(paper.venue.short))


def _server_as_publisher(paper: Publication) -> str:
    """Name of the preprint server if the publication has no venue, otherwise ""."""
    return "" if paper.venue.name else paper.server


def _publication_url(paper: Publication) -> str:
    """URL of a publication: its own, its DOI, its arXiv page or its first web link; "" if it has none."""
    if paper.url:
        return paper.url
    if paper.doi:
        return f"https://doi.org/{paper.doi}"
    if paper.eprint:
        return f"https://arxiv.org/abs/{paper.eprint}"
    return next((link.url for link in paper.links if link.url.startswith("http")), "")


def make_csl_json(items: Sequence[Mapping[str, Any]]) -> str:
    """
    A list of CSL-JSON items as text.

    Source: Citation Style Language, "CSL 1.0.2 Specification", Appendix IV, and its schema csl-data.json.
    """
    return format_json_list(items) + "\n"


def make_csl_item(paper: Publication) -> dict[str, Any]:
    """A publication as a CSL-JSON item without empty values."""
    venue, form = paper.venue, find_reference_type(paper)
    item = {
        "id": paper.key or paper.id,
        "type": form.csl,
        "title": plain_text(paper.title),
        "author": _csl_names(paper.authors),
        **_csl_contributors(paper),
        "issued": _csl_date(paper.date),
        "container-title": plain_text(venue.name),
        "container-title-short": _short_venue_name(paper),
        "collection-title": plain_text(venue.series),
        "volume": plain_text(venue.volume),
        ("number" if form.csl in ("report", "patent") else "issue"): plain_text(venue.number),
        "page": plain_text(venue.pages).replace("–", "-"),
        "edition": plain_text(venue.edition),
        "publisher": plain_text(
            publisher_or_institution(paper) if form.csl in ("thesis", "report") else venue.publisher
        )
        or _server_as_publisher(paper),
        "publisher-place" if form.csl in ("book", "chapter") else "event-place": plain_text(venue.location),
        "abstract": plain_text(paper.abstract),
        "keyword": ", ".join(plain_text(tag) for tag in paper.tags),
        "note": plain_text(paper.note),
        "status": paper.status,
        "DOI": paper.doi,
        "URL": _publication_url(paper),
    }
    return {name: value for name, value in item.items() if value}


def _csl_contributors(paper: Publication) -> dict[str, list[dict[str, str]]]:
    """The people besides the authors by CSL variable, each once."""
    names: dict[str, list[dict[str, str]]] = {}
    for role, people in _list_contributors(paper):
        variable = names.setdefault(CSL_VARIABLES.get(role, "contributor"), [])
        variable += [name for name in _csl_names(people) if name not in variable]
    return names


def _csl_names(authors: Authors) -> list[dict[str, str]]:
    return [_csl_name(author.name) for author in authors.people]


def _csl_name(name: Name) -> dict[str, str]:
    if name.group:
        return {"literal": name.group}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.von,
        "suffix": name.suffix,
    }
    return {variable: value for variable, value in parts.items() if value}


def _csl_date(date: Date | None) -> dict[str, Any]:
    if date is None or date.year is None:
        return {"literal": date.text} if date and date.text else {}
    date_parts = [
        date.year,
        *([date.month] if date.month else []),
        *([date.day] if date.month and date.day else []),
    ]
    issued: dict[str, Any] = {"date-parts": [date_parts]}
    return issued | ({"circa": True} if date.approximate else {})
