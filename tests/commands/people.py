"""Records and metadata of invented people in the formats of the services."""

from typing import Any

Json = Any
ADA, BEA, CYR = "0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X"


def wrap_value(text: str | None) -> Json:
    return None if text is None else {"value": text}


def format_date(text: str) -> Json:
    """Return the ORCID form of a date such as "2019-09-01"; null for ""."""
    if not text:
        return None
    year, month, day, *_ = [*text.split("-"), None, None]
    return {"year": wrap_value(year), "month": wrap_value(month), "day": wrap_value(day)}


def create_record(orcid: str, given: str, family: str, *works: Json, **sections: Json) -> Json:
    """Return a record with works; `sections` has parts of the person, and activities by their name with "_"."""

    def list_part(name: str, rows: list[Json]) -> Json:
        ranked = [row | {"display-index": len(rows) - i, "put-code": i} for i, row in enumerate(rows)]
        return {name: ranked}

    def list_section(name: str, text_key: str, section: str) -> Json:
        return list_part(name, [{text_key: text} for text in sections.pop(section, ())])

    urls = [{"url-name": name, "url": wrap_value(url)} for name, url in sections.pop("urls", ())]
    ids = [
        {"external-id-type": name, "external-id-url": wrap_value(url), "external-id-relationship": "self"}
        for name, url in sections.pop("ids", ())
    ]
    name = {"given-names": wrap_value(given), "family-name": wrap_value(family), "credit-name": None}
    person = {
        "name": name,
        "other-names": list_section("other-name", "content", "names"),
        "biography": {"content": sections.pop("biography", None)},
        "researcher-urls": list_part("researcher-url", urls),
        "emails": {"email": []},
        "keywords": list_section("keyword", "content", "keywords"),
        "external-identifiers": list_part("external-identifier", ids),
    }
    activities = {name.replace("_", "-"): part for name, part in sections.items()}
    return {
        "orcid-identifier": {"uri": f"https://orcid.org/{orcid}", "path": orcid, "host": "orcid.org"},
        "person": person,
        "activities-summary": {
            "works": {"group": list(works)},
            **activities,
            "path": f"/{orcid}/activities",
        },
    }


def create_work(
    code: int,
    title: str,
    *,
    doi: str = "",
    kind: str = "journal-article",
    when: str = "2020-05",
    venue: str | None = None,
    orcid: str = ADA,
    index: str = "0",
    subtitle: str | None = None,
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
        "title": {"title": wrap_value(title), "subtitle": wrap_value(subtitle), "translated-title": None},
        "external-ids": {"external-id": identifiers},
        "url": None,
        "type": kind,
        "publication-date": format_date(when),
        "journal-title": wrap_value(venue),
        "visibility": "public",
        "path": f"/{orcid}/work/{code}",
        "display-index": index,
    }
    return {"external-ids": {"external-id": identifiers}, "work-summary": [summary]}


def create_affiliation(
    name: str, organization: str, role: str | None, start: str, end: str = "", **more: Json
) -> Json:
    """Return a section with one affiliation in its own group; `name` is for example "employment"."""
    address = {"city": "Lund", "region": None, "country": "SE"}
    summary = {
        "put-code": 1,
        "department-name": more.get("unit"),
        "role-title": role,
        "start-date": format_date(start),
        "end-date": format_date(end),
        "organization": {
            "name": organization,
            "address": address,
            "disambiguated-organization": more.get("registry"),
        },
        "url": None,
        "display-index": "1",
        "path": f"/{ADA}/{name}/1",
    }
    return {"affiliation-group": [{"summaries": [{f"{name}-summary": summary}]}]}


def create_funding(title: str, organization: str, number: str, kind: str = "grant") -> Json:
    """Return a section with one grant."""
    summary = {
        "title": {"title": wrap_value(title)},
        "type": kind,
        "start-date": format_date("2021-01"),
        "end-date": format_date("2024-12"),
        "organization": {"name": organization},
        "external-ids": {"external-id": [{"external-id-type": "grant_number", "external-id-value": number}]},
        "path": f"/{ADA}/funding/1",
    }
    return {"group": [{"funding-summary": [summary]}]}


def create_reviews(organization: str, *years: str) -> Json:
    """Return a section with reviews for one organization."""
    reviews = [
        {
            "convening-organization": {"name": organization},
            "completion-date": format_date(year),
            "put-code": i,
        }
        for i, year in enumerate(years)
    ]
    return {"group": [{"peer-review-group": [{"peer-review-summary": [review]} for review in reviews]}]}


def create_author(given: str, family: str, orcid: str = "") -> Json:
    return {"given": given, "family": family, **({"ORCID": f"https://orcid.org/{orcid}"} if orcid else {})}


def create_item(
    doi: str,
    title: str,
    *authors: Json,
    kind: str = "journal-article",
    year: int = 2020,
    more: Json = None,
) -> Json:
    """Return the metadata of a DOI in Crossref's format, with fields that no bibliography needs."""
    return {
        "type": kind,
        "title": title,
        "author": list(authors),
        "issued": {"date-parts": [[year, 5]]},
        "DOI": doi,
        "URL": f"https://doi.org/{doi}",
        "publisher": "Invented Press",
        "indexed": {"date-parts": [[2026, 1, 2]], "version": "3.2.0"},
        "reference-count": 41,
        "license": [{"URL": "https://example.org/license"}],
        "reference": [{"key": "ref1", "unstructured": "A. Someone, A paper."}],
        "score": 1.0,
        **(more or {}),
    }


def create_mathematician() -> tuple[Json, dict[str, Json]]:
    """Return the record of a mathematician: MR, zbMATH and arXiv numbers, formulas in titles."""
    me, arxiv_doi = create_author("Ada M.", "Ångström-Wei", ADA), "10.48550/arXiv.2405.01234"
    preprint = "A preprint about lattices"
    works = [
        create_work(200, preprint, doi=arxiv_doi, kind="preprint", arxiv="arXiv:2405.01234"),
        create_work(201, "Lectures on norms", kind="lecture-speech", venue="Summer School, Lund", when="2019-07-02"),
    ]  # fmt: skip
    publisher = {"publisher": "arXiv"}
    items = {arxiv_doi: create_item(arxiv_doi, preprint, me, kind="article", year=2024, more=publisher)}
    for i in range(12):
        doi, numbers = f"10.5555/math.{i}", {"mr": f"MR{1000000 + i}", "zbl": f"1{i:03}.35001"}
        title = f"On the $L^{{{i + 2}}}$ norm of the operator $T_{{{i}}}$ in dimension {i + 1}"
        works.append(create_work(100 + i, title, doi=doi, when=f"{2000 + i}-03", **numbers))
        venue = {"container-title": "Journal of Invented Analysis", "volume": str(i + 1), "issue": "2"}
        coauthor = create_author("Zoë", "Quux")
        items[doi] = create_item(doi, title, me, coauthor, year=2000 + i, more=venue)
    return create_record(
        ADA, "Ada", "Ångström-Wei", *works,
        names=["A. Ångström", "安 魏"], urls=[("My page", "https://ada.example.org/"), ("Code", "https://github.com/ada")],
        ids=[("Scopus Author ID", "https://www.scopus.com/authid/detail.uri?authorId=1")],
        biography="I study operators.\r\n\r\nBefore, I was in Lund: 2 < 3 and $5.", keywords=["analysis", "operators"],
        employments=create_affiliation(
            "employment", "Invented University", "Professor of Mathematics", "2012-09", unit="Mathematics",
            registry={"disambiguated-organization-identifier": "https://ror.org/012a77v79", "disambiguation-source": "ROR"},
        ),
        educations=create_affiliation("education", "Lund College", "PhD", "1996", "2000-06", unit="Analysis"),
        distinctions=create_affiliation("distinction", "Society of Examples", "Prize for Norms", "2015-10"),
        services=create_affiliation("service", "Journal of Invented Analysis", "Associate editor", "2018-01"),
        memberships=create_affiliation("membership", "Society of Examples", "Fellow", "2016"),
        fundings=create_funding("Norms & operators", "Example Science Council", "2020-1234"),
        peer_reviews=create_reviews("Invented Press", "2019", "2023", "2021"),
    ), items  # fmt: skip


def create_physician(count: int = 12) -> tuple[Json, dict[str, Json]]:
    """Return the record of a physician with papers of up to ten authors, and PubMed numbers."""
    works, items = [], {}
    for i in range(count):
        doi, year = f"10.5555/{'MED' if i % 7 == 0 else 'med'}.{i}", 1990 + i % 35
        title = f"Outcome of treatment {i} in <i>Homo sapiens</i>: a trial &amp; its follow-up"
        works.append(create_work(1000 + i, title, doi=doi, when=str(year), pmid=str(30000000 + i)))
        names = [create_author(f"N{j}", f"Author{'abcdefghij'[j]}") for j in range(i % 10)]
        venue = {"container-title": ["Journal of Invented Medicine"], "volume": str(i), "page": f"e{i}"}
        me = create_author("Bea", "Healer", BEA)
        items[doi] = create_item(doi.lower(), title, *names, me, year=year, more=venue)
    return create_record(
        BEA, "Bea", "Healer", *works, names=["B. Healer"], keywords=["trials"],
        employments=create_affiliation("employment", "Example Hospital", "Chief physician", "2010"),
    ), items  # fmt: skip


def create_historian() -> tuple[Json, dict[str, Json], dict[str, Json]]:
    """Return the record of a historian: books, chapters and reviews without a DOI, in several languages, with contributors."""
    works = [
        create_work(1, "Die Weberinnen", subtitle="Arbeit und Stadt, 1750–1850", kind="book", when="2015", venue="Beispielverlag", isbn="978-3-16-148410-0"),
        create_work(2, "Les tisserands de Lyon", kind="book-chapter", when="2018-11", venue="Villes et métiers"),
        create_work(3, "Women at the loom", kind="edited-book", when="2020", venue="Example University Press"),
        create_work(4, "Review of “The Mill”", kind="book-review", when="2021-02-29", venue="Reviews of History"),
        create_work(5, "織物の歴史", kind="book", when="2022-13", venue="見本出版"),
        create_work(6, "Sound of weaving", kind="artistic-performance", when="2023-06-01"),
        create_work(7, "تاريخ النسيج", kind="journal-article", when="", venue="مجلة"),
    ]  # fmt: skip
    contributors = [
        {"credit-name": wrap_value(name), "contributor-attributes": {"contributor-role": role}}
        for name, role in (("Cyril Fabric", "author"), ("Jeanne Soie", "author"), ("Paul Fil", "editor"))
    ]
    detail = {"put-code": 2, "language-code": "fr", "contributors": {"contributor": contributors}}
    return create_record(CYR, "Cyril", "Fabric", *works, keywords=["textiles"]), {}, {"2": detail}
