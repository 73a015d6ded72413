"""
Records and metadata of invented people in the formats of the services.

In `people/` are those of a mathematician (MR, zbMATH and arXiv numbers, formulas in titles), of a physician (papers of
up to ten authors, PubMed numbers), and of a historian (books, chapters and reviews without a DOI, in several languages,
with contributors).
"""

import json
from pathlib import Path
from typing import Any

Json = Any
ADA, BEA = "0000-0002-1825-0097", "0000-0001-5109-3700"


def read_person(name: str) -> tuple[Json, dict[str, Json], dict[str, Json]]:
    """Return a record, the metadata of its DOIs, and its works with contributors."""
    data = json.loads((Path(__file__).parent / "people" / f"{name}.json").read_text("utf-8"))
    return data["record"], data["items"], data.get("works", {})


def wrap_value(text: str | None) -> Json:
    return None if text is None else {"value": text}


def format_date(text: str) -> Json:
    """Return the ORCID form of a date such as "2019-09-01"; null for ""."""
    if not text:
        return None
    year, month, day, *_ = [*text.split("-"), None, None]
    return {"year": wrap_value(year), "month": wrap_value(month), "day": wrap_value(day)}


def create_record(orcid: str, given: str, family: str, *works: Json) -> Json:
    """Return a record with works alone."""
    return {
        "orcid-identifier": {"uri": f"https://orcid.org/{orcid}", "path": orcid, "host": "orcid.org"},
        "person": {"name": {"given-names": wrap_value(given), "family-name": wrap_value(family)}},
        "activities-summary": {"works": {"group": list(works)}, "path": f"/{orcid}/activities"},
    }


def create_work(
    code: int,
    title: str,
    *,
    doi: str = "",
    kind: str = "journal-article",
    when: str = "2020-05",
    venue: str | None = None,
    index: str = "0",
    **ids: str,
) -> Json:
    """Return a group with one work; `ids` has other identifiers by type."""
    identifiers = [
        {
            "external-id-type": name,
            "external-id-value": text,
            "external-id-normalized": wrap_value(text),
            "external-id-relationship": "self",
        }
        for name, text in (("doi", doi), *ids.items())
        if text
    ]
    summary = {
        "put-code": code,
        "title": {"title": wrap_value(title), "subtitle": None, "translated-title": None},
        "external-ids": {"external-id": identifiers},
        "url": None,
        "type": kind,
        "publication-date": format_date(when),
        "journal-title": wrap_value(venue),
        "visibility": "public",
        "path": f"/{ADA}/work/{code}",
        "display-index": index,
    }
    return {"external-ids": {"external-id": identifiers}, "work-summary": [summary]}


def create_author(given: str, family: str, orcid: str = "") -> Json:
    return {"given": given, "family": family, **({"ORCID": f"https://orcid.org/{orcid}"} if orcid else {})}


def create_item(
    doi: str, title: str, *authors: Json, kind: str = "journal-article", more: Json = None
) -> Json:
    """Return the metadata of a DOI in Crossref's format, with fields that no bibliography needs."""
    return {
        "type": kind,
        "title": title,
        "author": list(authors),
        "issued": {"date-parts": [[2020, 5]]},
        "DOI": doi,
        "URL": f"https://doi.org/{doi}",
        "publisher": "Invented Press",
        "indexed": {"date-parts": [[2026, 1, 2]], "version": "3.2.0"},
        "reference-count": 41,
        "reference": [{"key": "ref1", "unstructured": "A. Someone, A paper."}],
        **(more or {}),
    }
