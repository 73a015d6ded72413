"""Publications as CSL-JSON items."""

from collections.abc import Mapping
from typing import Any

from tenure.model.dates import Date
from tenure.model.entries import Publication
from tenure.model.names import Authors
from tenure.presentation.record import make_record

NAME_VARIABLES: Mapping[str, str] = {
    "": "editor", "compiler": "compiler", "director": "director", "organizer": "organizer", "translator": "translator",
    "bookauthor": "container-author",
}  # fmt: skip
"""Name variables of CSL 1.0.2, Appendix IV, by role; people with other roles are contributors."""

NUMBER_VARIABLES: Mapping[str, str] = {
    **dict.fromkeys(("report", "patent", "legal_case", "legislation", "standard", "personal_communication"), "number"),
    **dict.fromkeys(("book", "chapter"), "collection-number"),
}  # fmt: skip
"""The variable of CSL for the number of a publication by the CSL type, if it is not an issue."""

TEXT_VARIABLES = """
    container-title name, container-title-short short, collection-title series, volume volume, issue number, page pages,
    number-of-pages page_total, number-of-volumes volumes, chapter-number chapter, part-number part, edition edition,
    version version, genre genre, authority authority, publisher issuer, publisher-place location, abstract abstract,
    keyword keywords, note note, status status, language language, ISBN isbn, ISSN issn, DOI doi, URL url
"""
"""The variables of CSL with the names of their texts in the record."""


def make_csl_item(paper: Publication) -> dict[str, Any]:
    """A publication as a CSL-JSON item without empty values."""
    record = make_record(paper)
    csl = record.form.csl
    texts = {**record.texts, "authority": "", "keywords": ", ".join(record.keywords)}
    texts["pages"] = texts["pages"].replace("–", "-")
    if csl == "legal_case":
        texts |= {"authority": texts["institution"], "issuer": texts["publisher"]}
    variables = {"issue": NUMBER_VARIABLES.get(csl, "issue")}
    if csl == "paper-conference":
        variables["publisher-place"] = "event-place"
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
        item[variables.get(variable, variable)] = texts[name]
    return {name: value for name, value in item.items() if value}


def _list_names(authors: Authors) -> list[dict[str, str]]:
    names = []
    for author in authors.people:
        name = author.name
        variables = ("family", "given", "non-dropping-particle", "suffix")
        parts = zip(variables, (name.family, name.given, name.von, name.suffix), strict=True)
        names.append({"literal": name.group} if name.group else {key: part for key, part in parts if part})
    return names


def _make_issued(date: Date | None, end_date: Date | None) -> dict[str, Any]:
    if date is None or date.year is None:
        return {"literal": date.text} if date and date.text else {}
    parts = []
    for part in (date, end_date):
        if part is not None:
            day = [part.day] if part.month and part.day else []
            parts.append([part.year or 0, *([part.month] if part.month else []), *day])
    return {"date-parts": parts, "circa": True} if date.approximate else {"date-parts": parts}
