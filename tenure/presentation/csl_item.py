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


NUMBER_VARIABLES: Mapping[str, str] = dict.fromkeys(
    ("report", "patent", "legal_case", "legislation", "standard", "personal_communication"), "number"
)
"""The variable of CSL for the number of a publication by the CSL type, if it is not an issue."""

GENRE_TEXTS: Mapping[str, str] = {
    "phdthesis": "Ph.D. thesis", "mastersthesis": "Master’s thesis", "bathesis": "Bachelor’s thesis", "candthesis": "Candidate thesis",
    "techreport": "Technical report", "resreport": "Research report", "workingpaper": "Working paper", "patreq": "Patent application",
    **{
        f"{key}{code}": f"{country} {words}"
        for key, words in (("patent", "patent"), ("patreq", "patent application"))
        for code, country in (("de", "German"), ("eu", "European"), ("fr", "French"), ("uk", "British"), ("us", "U.S."))
    },
}  # fmt: skip
"""The genre in English by its key."""


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


def find_fact_text(paper: Publication, *names: str) -> str:
    """The texts of the facts with one of these names, such as "ISBN"."""
    return ", ".join(plain_text(fact.text) for fact in paper.facts if fact.name in names)


def find_genre_text(paper: Publication) -> str:
    """The genre of a publication in English, or as written: "Ph.D. thesis"."""
    key = paper.genre or paper.kind
    return GENRE_TEXTS.get(key, "") or plain_text(paper.genre)


def make_csl_item(paper: Publication) -> dict[str, Any]:
    """A publication as a CSL-JSON item without empty values."""
    venue, form = paper.venue, find_reference_type(paper)
    is_case = form.csl == "legal_case"
    publisher = (
        publisher_or_institution(paper)
        if form.csl in ("thesis", "report")
        else venue.publisher or ("" if is_case else venue.institution)
    )
    number_variable = (
        "collection-number" if form.csl in ("book", "chapter") else NUMBER_VARIABLES.get(form.csl, "issue")
    )
    item = {
        "id": paper.key or paper.id,
        "type": form.csl,
        "title": plain_text(paper.title),
        "title-short": find_fact_text(paper, "shorttitle"),
        "author": _csl_names(paper.authors),
        **_csl_contributors(paper),
        "issued": _csl_date(paper.date, paper.end_date),
        "container-title": plain_text(venue.name),
        "container-title-short": shorten_venue_name(paper),
        "collection-title": plain_text(venue.series),
        "volume": plain_text(venue.volume),
        number_variable: plain_text(venue.number),
        "page": plain_text(venue.pages).replace("–", "-"),
        "number-of-pages": plain_text(venue.page_total),
        "number-of-volumes": plain_text(venue.volumes),
        "chapter-number": plain_text(venue.chapter),
        "part-number": plain_text(venue.part),
        "edition": plain_text(venue.edition),
        "version": plain_text(venue.version),
        "genre": find_genre_text(paper),
        "authority": plain_text(venue.institution) if is_case else "",
        "publisher": plain_text(publisher) or find_server_publisher(paper),
        ("event-place" if form.csl == "paper-conference" else "publisher-place"): plain_text(venue.location),
        "abstract": plain_text(paper.abstract),
        "keyword": ", ".join(plain_text(tag) for tag in paper.tags),
        "note": plain_text(paper.note),
        "status": paper.status,
        "language": paper.language,
        "ISBN": find_fact_text(paper, "ISBN", "EISBN"),
        "ISSN": find_fact_text(paper, "ISSN", "EISSN"),
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


def _csl_date(date: Date | None, end_date: Date | None) -> dict[str, Any]:
    if date is None or date.year is None:
        return {"literal": date.text} if date and date.text else {}
    parts = [_list_date_parts(part) for part in (date, end_date) if part is not None]
    issued: dict[str, Any] = {"date-parts": parts}
    return issued | ({"circa": True} if date.approximate else {})


def _list_date_parts(date: Date) -> list[int]:
    month = [date.month] if date.month else []
    return [date.year or 0, *month, *([date.day] if month and date.day else [])]
