"""A publication as plain texts by name: BibTeX -> record -> RIS, CSL-JSON, Highwire tags and JSON-LD."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from tenure.markdown.html import plain_text
from tenure.model.dates import Date
from tenure.model.entries import Publication, Venue
from tenure.model.names import Authors, Name
from tenure.model.publications import ReferenceType, find_reference_type
from tenure.record import Record, field_names

GENRE_TEXTS: Mapping[str, str] = {
    "bathesis": "Bachelor’s thesis",
    "candthesis": "Candidate thesis",
    "mastersthesis": "Master’s thesis",
    "patreq": "Patent application",
    "phdthesis": "Ph.D. thesis",
    "resreport": "Research report",
    "techreport": "Technical report",
    "workingpaper": "Working paper",
    **{
        f"{key}{code}": f"{country} {words}"
        for key, words in (("patent", "patent"), ("patreq", "patent application"))
        for code, country in (
            ("de", "German"),
            ("eu", "European"),
            ("fr", "French"),
            ("uk", "British"),
            ("us", "U.S."),
        )
    },
}
"""The genre in English by its key."""


class PaperRecord(Record):
    """
    What the standards for references have in common about a publication.

    `texts` has the fields of Venue and the names below, all without markup; an unknown value is "".
    `people` are those besides the authors by their roles; the holder of a patent has no place in RIS and CSL.
    """

    form: ReferenceType
    texts: Mapping[str, str]
    keywords: tuple[str, ...]
    people: tuple[tuple[str, Authors], ...]


@lru_cache(maxsize=4096)
def make_record(paper: Publication) -> PaperRecord:
    """The record of a publication, with its Markdown as plain text; it is made once for all formats."""
    form = find_reference_type(paper)
    venue = {name: plain_text(getattr(paper.venue, name)) for name in field_names(Venue)}
    urls = (
        paper.url,
        paper.doi_url,
        paper.arxiv_url,
        *(link.url for link in paper.links if link.url.startswith("http")),
    )
    first_page, last_page = _find_pages(venue["pages"])
    people = [(paper.editor_role, paper.editors)]
    people += [(fact.role or fact.name, fact.people) for fact in paper.facts if fact.name != "holder"]
    texts = {
        **venue,
        # "SOSP '24" -> "SOSP"
        "short": re.sub(r"\s*(?:['’]\d\d|(?:19|20)\d\d)$", "", venue["short"]),
        # the school of a thesis, the institution of a report
        "organization": venue["institution"] or venue["publisher"],
        "issuer": _find_issuer(paper, venue, form),
        "first_page": first_page,
        "last_page": last_page,
        "title": plain_text(paper.title),
        "short_title": _join_facts(paper, "shorttitle"),
        "genre": GENRE_TEXTS.get(paper.genre or paper.kind, "") or plain_text(paper.genre),
        "date": paper.date.iso if paper.date else "",
        "abstract": plain_text(paper.abstract),
        "note": plain_text(paper.note),
        "status": paper.status,
        "language": paper.language,
        "isbn": _join_facts(paper, "ISBN", "EISBN"),
        "issn": _join_facts(paper, "ISSN", "EISSN"),
        "doi": paper.doi,
        "eprint": paper.eprint,
        "url": next(filter(None, urls), ""),
        "pdf": _find_own_pdf(paper),
    }

    known_people = tuple((role, authors) for role, authors in people if authors.people)
    return PaperRecord(form, texts, tuple(map(plain_text, paper.tags)), known_people)


def _find_issuer(paper: Publication, venue: Mapping[str, str], form: ReferenceType) -> str:
    """
    Who issued a publication.

    A thesis of Princeton University printed by ProQuest -> "Princeton University"; a book of Springer and an
    institution -> "Springer"; a preprint without a venue -> its server, "bioRxiv".
    """
    institution = venue["institution"]
    publisher = venue["publisher"]
    if form.csl in ("thesis", "report"):
        issuer = institution or publisher
    else:
        issuer = publisher or institution
    return issuer if issuer or paper.venue.name else paper.server


def _find_pages(pages: str) -> tuple[str, str]:
    """
    The first and the last page: "151–163" -> "151", "163"; an article number has no last one: "e12", "".
    """
    first = re.match(r"\s*([^\s,–-]+)", pages)
    last = re.search(r"[–-]\s*([^\s,–-]+)\s*$", pages)
    return first[1] if first else "", last[1] if last else ""


def _find_own_pdf(paper: Publication) -> str:
    """The first PDF beside the page of a publication: /publications/tape/paper.pdf."""
    files = (link.url for link in paper.links if link.url.startswith(f"/publications/{paper.id}/"))
    return next((url for url in files if url.partition("#")[0].casefold().endswith(".pdf")), "")


def _join_facts(paper: Publication, *names: str) -> str:
    return ", ".join([plain_text(fact.text) for fact in paper.facts if fact.name in names])


def format_index_name(name: Name) -> str:
    """A name with the suffix last: "Steele, Guy L., Jr."."""
    parts = (name.family_with_particle, name.given, name.suffix)
    return name.group or ", ".join(part for part in parts if part)


NAME_VARIABLES: Mapping[str, str] = {
    "": "editor",
    "bookauthor": "container-author",
    "compiler": "compiler",
    "director": "director",
    "organizer": "organizer",
    "translator": "translator",
}
"""Name variables of CSL 1.0.2, Appendix IV, by role; people with other roles are contributors."""

NUMBER_VARIABLES: Mapping[str, str] = {
    "book": "collection-number",
    "chapter": "collection-number",
    "legal_case": "number",
    "legislation": "number",
    "patent": "number",
    "personal_communication": "number",
    "report": "number",
    "standard": "number",
}
"""The variable of CSL for the number of a publication by the CSL type, if it is not an issue."""

TEXT_VARIABLES = """
    container-title name, container-title-short short, collection-title series, volume volume,
    issue number, page pages, number-of-pages page_total, number-of-volumes volumes,
    chapter-number chapter, part-number part, edition edition, version version,
    genre genre, authority authority, publisher issuer, publisher-place location,
    abstract abstract, keyword keywords, note note, status status,
    language language, ISBN isbn, ISSN issn, DOI doi,
    URL url
"""
"""The variables of CSL with the names of their texts in the record."""


def make_csl_item(paper: Publication) -> dict[str, Any]:
    """
    A publication as a CSL-JSON item without empty values.

    Most variables stand in TEXT_VARIABLES; some types rename one: the `issue` of a patent is its `number`.
    """
    record = make_record(paper)
    csl = record.form.csl
    texts = {**record.texts, "authority": "", "keywords": ", ".join(record.keywords)}
    # CSL has a hyphen in "5-9", and each style writes its own dash
    texts["pages"] = texts["pages"].replace("–", "-")
    if csl == "legal_case":
        # the institution of a decision is its court
        texts |= {"authority": texts["institution"], "issuer": texts["publisher"]}

    renamed = {"issue": NUMBER_VARIABLES.get(csl, "issue")}
    if csl == "paper-conference":
        renamed["publisher-place"] = "event-place"
    item: dict[str, Any] = {
        "id": paper.key or paper.id,
        "type": csl,
        "title": texts["title"],
        "title-short": texts["short_title"],
        "author": _list_names(paper.authors),
    }

    for role, people in record.people:
        names = item.setdefault(NAME_VARIABLES.get(role, "contributor"), [])
        names += [name for name in _list_names(people) if name not in names]
    item["issued"] = _make_issued(paper.date, paper.end_date)
    for variable, name in (row.split() for row in TEXT_VARIABLES.split(",")):
        item[renamed.get(variable, variable)] = texts[name]
    return {name: value for name, value in item.items() if value}


def _list_names(authors: Authors) -> list[dict[str, str]]:
    """Names as variables of CSL: Ada Lovelace -> {"family": "Lovelace", "given": "Ada"}."""
    names = []
    for author in authors.people:
        name = author.name
        variables = ("family", "given", "non-dropping-particle", "suffix")
        parts = zip(variables, (name.family, name.given, name.von, name.suffix), strict=True)
        names.append({"literal": name.group} if name.group else {key: part for key, part in parts if part})
    return names


def _make_issued(date: Date | None, end_date: Date | None) -> dict[str, Any]:
    """
    A date or a period of CSL: May 2020 -> {"date-parts": [[2020, 5]]}; a text that is no date stays a text.
    """
    if date is None or date.year is None:
        return {"literal": date.text} if date and date.text else {}
    parts = []
    for part in (date, end_date):
        if part is not None:
            day = [part.day] if part.month and part.day else []
            parts.append([part.year or 0, *([part.month] if part.month else []), *day])
    return {"date-parts": parts, "circa": True} if date.approximate else {"date-parts": parts}
