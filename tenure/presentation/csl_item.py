"""Publications as CSL-JSON items, and the facts that RIS has in common with them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tenure.markdown.html import plain_text
from tenure.model.dates import Date
from tenure.model.entries import Publication
from tenure.model.names import Authors, Name
from tenure.model.publication_types import find_reference_type, publisher_or_institution

CSL_VARIABLES: Mapping[str, str] = {
    "": "editor", "compiler": "compiler", "director": "director", "organizer": "organizer", "translator": "translator",
    "bookauthor": "container-author",
}  # fmt: skip
"""Name variables of CSL 1.0.2, Appendix IV, by role; people with other roles are contributors."""


def list_contributors(paper: Publication) -> Iterator[tuple[str, Authors]]:
    """The people of a publication besides its authors by their roles; the holder of a patent has no place in RIS and CSL."""
    if paper.editors.people:
        yield paper.editor_role, paper.editors
    for fact in paper.facts:
        if fact.people.people and fact.name != "holder":
            role = "contributor" if fact.name == "contributors" and not fact.role else fact.name
            yield fact.role or role, fact.people


def shorten_venue_name(paper: Publication) -> str:
    """Short name of the venue without its year: "SOSP" for "SOSP '24"."""
    return re.sub(r"\s*(?:['’]\d\d|(?:19|20)\d\d)$", "", plain_text(paper.venue.short))


def find_server_publisher(paper: Publication) -> str:
    """Name of the preprint server if the publication has no venue, otherwise ""."""
    return "" if paper.venue.name else paper.server


def find_publication_url(paper: Publication) -> str:
    """URL of a publication: its own, its DOI, its arXiv page or its first web link; "" if it has none."""
    if paper.url:
        return paper.url
    if paper.doi:
        return f"https://doi.org/{paper.doi}"
    if paper.eprint:
        return f"https://arxiv.org/abs/{paper.eprint}"
    return next((link.url for link in paper.links if link.url.startswith("http")), "")


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
        "container-title-short": shorten_venue_name(paper),
        "collection-title": plain_text(venue.series),
        "volume": plain_text(venue.volume),
        ("number" if form.csl in ("report", "patent") else "issue"): plain_text(venue.number),
        "page": plain_text(venue.pages).replace("–", "-"),
        "edition": plain_text(venue.edition),
        "publisher": plain_text(
            publisher_or_institution(paper) if form.csl in ("thesis", "report") else venue.publisher
        )
        or find_server_publisher(paper),
        "publisher-place" if form.csl in ("book", "chapter") else "event-place": plain_text(venue.location),
        "abstract": plain_text(paper.abstract),
        "keyword": ", ".join(plain_text(tag) for tag in paper.tags),
        "note": plain_text(paper.note),
        "status": paper.status,
        "DOI": paper.doi,
        "URL": find_publication_url(paper),
    }
    return {name: value for name, value in item.items() if value}


def _csl_contributors(paper: Publication) -> dict[str, list[dict[str, str]]]:
    """The people besides the authors by CSL variable, each once."""
    names: dict[str, list[dict[str, str]]] = {}
    for role, people in list_contributors(paper):
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
