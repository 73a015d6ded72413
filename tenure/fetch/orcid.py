"""
An ORCID record: its person (profile, biography, activities), and its works as BibTeX.

The record is a `Node` of JSON. It gives an `OrcidPerson` and an `OrcidWork` for each work; with the metadata
of its DOI a work becomes a `CslEntry`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tenure.model.dates import parse_date, parse_period
from tenure.model.identifiers import parse_arxiv, parse_doi
from tenure.model.links import is_safe_url, parse_email, url_scheme
from tenure.problems import Place, format_count
from tenure.record import Record
from tenure.sources.bibtex.bib_writer import escape_markdown, join_author_names
from tenure.sources.bibtex.csl import CSL_FIELDS, CSL_TYPES, NAME_VARIABLES, CslEntry, convert_item
from tenure.sources.editing.yaml_writer import YamlData
from tenure.sources.reading.node import Node, build_node, format_value, read_text
from tenure.sources.schema.link_forms import find_service_of_url

Entry = dict[str, YamlData]


class OrcidPerson(Record):
    """
    What a record says besides works.

    `profile` is content/profile.yaml; `about` is the biography in Markdown; `lists` has the entries by
    collection; `notes` are the location and the text of what was left out.
    """

    profile: Mapping[str, YamlData]
    about: str
    lists: Mapping[str, Sequence[Entry]]
    notes: tuple[tuple[str, str], ...]


LIST_TITLES: Mapping[str, str] = {"memberships": "Memberships", "grants": "Grants"}
"""The titles of collections that Tenure does not have."""


def read_person(record: Node, orcid: str) -> OrcidPerson:
    """Read the profile of a record, its biography, and its activities except works."""
    person = record.child("person")
    names = _read_names(person)
    addresses = (read_text(node, "email") for node in person.child("emails", "email").items)
    keywords = (read_text(node, "content") for node in _list_ranked(person.child("keywords", "keyword")))
    profile: Entry = {
        "name": names[0] if names else "",
        "aliases": names[1:],
        **_read_current_position(record),
        "email": [address for address in addresses if parse_email(address)],
        "interests": [escape_text(keyword) for keyword in keywords if keyword],
        "links": _read_links(person, orcid),
    }
    biography = format_value(person.child("biography", "content")).splitlines()

    activities = record.child("activities-summary")
    lists: dict[str, list[Entry]] = defaultdict(list)
    _add_affiliations(lists, activities)
    _add_fundings(lists, activities.child("fundings", "group"))
    _add_peer_reviews(lists, activities.child("peer-reviews", "group"))

    resources = activities.child("research-resources", "group").items
    count = format_count(len(resources), "research resource")
    note = f"{count}, such as time at an instrument: Tenure has no list for them"
    return OrcidPerson(
        profile=_drop_empty(profile),
        about=escape_text("\n".join(" ".join(line.split()) for line in biography)),
        lists=lists,
        notes=((f"orcid.org/{orcid}", note),) if resources else (),
    )


def _read_names(person: Node) -> list[str]:
    """The name under which a person publishes, then the full name and the others."""
    given, family, credit = (
        read_text(person, "name", key, "value") for key in ("given-names", "family-name", "credit-name")
    )
    full_name = " ".join(filter(None, (given, family)))
    others = (read_text(node, "content") for node in _list_ranked(person.child("other-names", "other-name")))
    return [name for name in dict.fromkeys((credit or full_name, full_name, *others)) if name]


def _read_links(person: Node, orcid: str) -> dict[str, YamlData]:
    """
    The links of a person by the names of their services, or their own names; the first of a name counts.
    """
    rows = [
        (read_text(node, "url", "value"), read_text(node, "url-name"))
        for node in _list_ranked(person.child("researcher-urls", "researcher-url"))
    ]
    rows += [
        (read_text(node, "external-id-url", "value"), read_text(node, "external-id-type"))
        for node in _list_ranked(person.child("external-identifiers", "external-identifier"))
    ]
    links: dict[str, YamlData] = {"orcid": orcid}
    for text, name in rows:
        url = parse_web_url(text)
        if url:
            links.setdefault(find_service_of_url(url) or escape_text(name) or url, url)
    return links


def parse_web_url(text: str) -> str:
    """A URL that may be linked, or ""."""
    url = re.sub(r"\s+", "%20", text.strip())
    return url if url_scheme(url) in ("http", "https") and is_safe_url(url) else ""


def _drop_empty(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if value}


def escape_text(text: str) -> str:
    """Plain text as Markdown with the same meaning."""
    return escape_markdown(text).replace("<", "&lt;")


def read_date(node: Node, *keys: str) -> str:
    """A date of ORCID: year, month and day as far as they are valid; "" without a year."""
    year, month, day = (read_text(node, *keys, part, "value") for part in ("year", "month", "day"))
    if not re.fullmatch(r"[12]\d{3}", year):
        return ""
    if not re.fullmatch(r"0?[1-9]|1[0-2]", month):
        return year
    month_text = f"{year}-{int(month):02}"
    if not re.fullmatch(r"\d{1,2}", day):
        return month_text
    full_date = f"{month_text}-{int(day):02}"
    return full_date if parse_date(full_date) else month_text


def preferred_item(items: Iterator[Node] | tuple[Node, ...]) -> Node | None:
    """The version of an item that its owner prefers: the one with the highest display index."""
    return max(items, key=_display_index, default=None)


def _display_index(node: Node) -> int:
    """The rank that the owner gave an item; 0 if there is none."""
    index = read_text(node, "display-index")
    return int(index) if re.fullmatch(r"\d{1,9}", index) else 0


def _list_ranked(node: Node) -> list[Node]:
    """The items of a list of the person in the order of their owner."""
    return sorted(node.items, key=_display_index, reverse=True)


def _read_period(item: Node, *, is_open: bool) -> str:
    """
    The period of an item; without an end it continues, if `is_open` is true.

    2019-09, 2021-06 -> "2019-09 - 2021-06"; 2019-09 alone -> "2019-09 - present", or "2019-09" for an award.
    A period that ends before it begins, or has no valid date, is its start.
    """
    start, end = (read_date(item, key)[:7] for key in ("start-date", "end-date"))
    period = start or end
    # not 2019 - 2019, and no end for an award
    has_end = bool(end or is_open)
    if start and start != end and has_end:
        period = f"{start} - {end or 'present'}"
    parsed = parse_period(period)
    return period if parsed is not None and not parsed.has_end_before_start else start


def _read_current_position(record: Node) -> Entry:
    """Role and affiliation of the latest employment that has not ended; {} without one that has a name."""
    groups = record.child("activities-summary", "employments", "affiliation-group").items
    items = (s.child("employment-summary") for g in groups for s in g.child("summaries").items)
    current = [
        item for item in items if not read_date(item, "end-date") and read_text(item, "organization", "name")
    ]
    if not current:
        return {}

    item = max(current, key=lambda item: read_date(item, "start-date"))
    organization = item.child("organization", "disambiguated-organization")
    is_ror = read_text(organization, "disambiguation-source") == "ROR"
    ror = read_text(organization, "disambiguated-organization-identifier")
    affiliation = {"name": read_text(item, "organization", "name")}
    if is_ror and re.fullmatch(r"https://ror\.org/0[a-z0-9]{8}", ror):
        affiliation["ror"] = ror
    return {"role": escape_text(read_text(item, "role-title")), "affiliation": [affiliation]}


AFFILIATIONS: Mapping[str, tuple[str, str]] = {
    "employments": ("employment-summary", "experience"),
    "invited-positions": ("invited-position-summary", "experience"),
    "educations": ("education-summary", "education"),
    "qualifications": ("qualification-summary", "education"),
    "distinctions": ("distinction-summary", "awards"),
    "services": ("service-summary", "service"),
    "memberships": ("membership-summary", "memberships"),
}
"""The sections of a record with affiliations: the name of an item, and the collection of its entries."""

CURRENT = "9999"
"""Sorts an entry without an end before all others."""


def _add_affiliations(lists: dict[str, list[Entry]], activities: Node) -> None:
    """
    Add an entry for the preferred version of each affiliation; each collection begins with the newest.

    One without an organization is dropped, because it has no name to show.
    """
    # the entries of a collection with the dates by which they are sorted
    rows: dict[str, list[tuple[tuple[str, str], Entry]]] = defaultdict(list)
    for section, (item_name, collection) in AFFILIATIONS.items():
        for group in activities.child(section, "affiliation-group").items:
            summaries = group.child("summaries").items
            item = preferred_item(summary.child(item_name) for summary in summaries)
            organization = read_text(item, "organization", "name") if item is not None else ""
            if item is not None and organization:
                sort_key = read_date(item, "end-date") or CURRENT, read_date(item, "start-date")
                rows[collection].append((sort_key, _build_entry(collection, item, organization)))
    for collection, collected in rows.items():
        lists[collection] += [entry for _, entry in sorted(collected, key=lambda row: row[0], reverse=True)]


def _build_entry(collection: str, item: Node, organization: str) -> Entry:
    """An affiliation as an entry: its fields have the names of the collection."""
    role = escape_text(read_text(item, "role-title"))
    unit = escape_text(read_text(item, "department-name"))
    name = escape_text(organization)
    url = parse_web_url(read_text(item, "url", "value"))
    period = _read_period(item, is_open=collection != "awards")
    if collection in ("awards", "service"):
        # without a role, the name of the organization says what it is
        title, giver = (role, name) if role else (name, "")
        main_field = "title" if collection == "awards" else "role"
        return _drop_empty({main_field: title, "organization": giver, "date": period, "url": url})

    names = {
        "experience": {"organization": name, "unit": unit, "role": role},
        "education": {"institution": name, "degree": role, "area": unit},
    }.get(collection, {"title": name, "role": role})
    address = item.child("organization", "address")
    place = ", ".join(filter(None, (read_text(address, key) for key in ("city", "region", "country"))))
    date_field = "period" if collection in ("education", "experience") else "date"
    return _drop_empty({**names, "location": escape_text(place), date_field: period, "url": url})


def _add_fundings(lists: dict[str, list[Entry]], groups: Node) -> None:
    """Add each grant to "grants", and each award to "awards"; one without a title and a funder is dropped."""
    items = [preferred_item(group.child("funding-summary").items) for group in groups.items]

    for item in sorted(filter(None, items), key=lambda item: read_date(item, "start-date"), reverse=True):
        numbers = [
            read_text(number, "external-id-value")
            for number in item.child("external-ids", "external-id").items
            if read_text(number, "external-id-type") in ("grant_number", "award_number")
        ]
        collection = "awards" if read_text(item, "type") == "award" else "grants"
        organization = escape_text(read_text(item, "organization", "name"))
        entry: Entry = {
            "title": escape_text(read_text(item, "title", "title", "value")) or organization,
            "organization": organization,
            "date": _read_period(item, is_open=False),
            "note": escape_text("; ".join(dict.fromkeys(numbers))),
            "url": parse_web_url(read_text(item, "url", "value")),
        }
        if entry["title"]:
            lists[collection].append(_drop_empty(entry))


def _add_peer_reviews(lists: dict[str, list[Entry]], groups: Node) -> None:
    """Add an entry of service for each organization that one has reviewed for, with years and counts."""
    years: dict[str, list[str]] = defaultdict(list)
    for group in groups.items:
        for inner_group in group.child("peer-review-group").items:
            item = preferred_item(inner_group.child("peer-review-summary").items)
            if item is not None:
                organization = read_text(item, "convening-organization", "name")
                years[organization].append(read_date(item, "completion-date")[:4])

    for organization, review_years in years.items():
        known_years = sorted(filter(None, review_years))
        period = " - ".join(dict.fromkeys([*known_years[:1], *known_years[-1:]]))
        count = format_count(len(review_years), "review")
        names = {"role": "Reviewer", "organization": escape_text(organization)}
        lists["service"].append(_drop_empty({**names, "date": period, "summary": count}))


IDENTIFIER_FIELDS: Mapping[str, str] = {
    "bibcode": "ads",
    "handle": "hdl",
    "isbn": "isbn",
    "mr": "mrnumber",
    "pmc": "pmcid",
    "pmid": "pmid",
    "urn": "urn",
    "zbl": "zblnumber",
}
"""Types of identifiers at ORCID, and the BibTeX fields that Tenure reads."""

SELF_RELATIONS = frozenset({"self", "version-of"})
_READ_VARIABLES = frozenset(
    [
        *("type", "title", "container-title", "publisher", "author", "issued", "abstract"),
        *NAME_VARIABLES,
        *CSL_FIELDS,
    ]
) - {"note", "keyword", "status"}
"""The variables of an item of a registry that become fields; others are about deposit and references."""


class OrcidWork(Record):
    """A work of a record: the version that the owner prefers, and the identifiers of all its versions."""

    put_code: str
    title: str
    kind: str
    date: str
    dois: tuple[str, ...]
    arxiv: str
    fields: Mapping[str, str]
    summary: Node
    location: str

    @property
    def doi(self) -> str:
        """The first DOI, "" if there is none."""
        return self.dois[0] if self.dois else ""

    @property
    def is_talk(self) -> bool:
        """Whether it is a lecture, and not a publication."""
        return self.kind == "lecture-speech" and not self.dois


def list_works(record: Node) -> tuple[OrcidWork, ...]:
    """The works of a record that have a title; a second work with the DOI of another one is the same work."""
    works: dict[str, OrcidWork] = {}
    for group in record.child("activities-summary", "works", "group").items:
        summary = preferred_item(group.child("work-summary").items)
        work = _read_work(group, summary) if summary is not None else None
        if work is not None and work.title:
            works.setdefault(work.doi.casefold() or f"{work.put_code} {work.title}", work)
    return tuple(works.values())


def _read_work(group: Node, summary: Node) -> OrcidWork:
    """A work by `summary`, the version that its owner prefers, with the identifiers of all versions."""
    identifiers = [
        (read_text(node, "external-id-type").casefold(), _identifier_value(node))
        for owner in (summary, group)
        for node in owner.child("external-ids", "external-id").items
        if read_text(node, "external-id-relationship").casefold() in SELF_RELATIONS
    ]
    dois = dict.fromkeys(parse_doi(value) for kind, value in identifiers if kind == "doi")
    arxiv_numbers = (parse_arxiv(value) for kind, value in identifiers if kind == "arxiv")
    # the first of a type counts
    fields = {
        IDENTIFIER_FIELDS[kind]: value for kind, value in reversed(identifiers) if kind in IDENTIFIER_FIELDS
    }

    title, subtitle = (read_text(summary, "title", key, "value") for key in ("title", "subtitle"))
    path = read_text(summary, "path")
    put_code = read_text(summary, "put-code")
    return OrcidWork(
        put_code=put_code if re.fullmatch(r"\d{1,18}", put_code) else "",
        title=f"{title}: {subtitle}" if title and subtitle else title,
        kind=read_text(summary, "type"),
        date=read_date(summary, "publication-date"),
        dois=tuple(filter(None, dois)),
        arxiv=next(filter(None, arxiv_numbers), ""),
        fields=fields,
        summary=summary,
        location=f"orcid.org{path}" if re.fullmatch(r"/[\w/-]{1,100}", path) else summary.place.file,
    )


def _identifier_value(node: Node) -> str:
    """The value of an identifier, as ORCID normalizes it; characters that no identifier has are removed."""
    value = read_text(node, "external-id-normalized", "value") or read_text(node, "external-id-value")
    return re.sub(r"[\s{}\\]", "", value)[:300]


def convert_registry_item(item: Node, work: OrcidWork | None = None) -> CslEntry | None:
    """The metadata of a DOI as BibTeX, completed by its work at ORCID; None without a title."""
    # these take the place of what the registry has, so the date of ORCID is there only if it has none
    fields: dict[str, str] = {}
    if work is not None:
        fields |= {**work.fields, **_arxiv_fields(work)}
        if not item.child("issued").value:
            fields["date"] = work.date

    mapping = {name: node for name, node in item.mapping.items() if name in _READ_VARIABLES}
    mapping["title"] = Node(_read_title(item), item.place)
    if read_text(item, "type") in ("posted-content", "preprint", "article"):
        # what a registry calls the publisher of a preprint owns its server
        mapping.pop("publisher", None)
        institutions = item.child("institution").items
        institution = read_text(institutions[0], "name") if institutions else ""
        if institution and not item.child("container-title").value:
            mapping["container-title"] = Node(institution, item.place)
    return convert_item(Node(mapping, item.place), fields)


def _arxiv_fields(work: OrcidWork) -> dict[str, str]:
    """The BibTeX fields of an arXiv number."""
    return {"eprint": work.arxiv, "archiveprefix": "arXiv"} if work.arxiv else {}


_FOREIGN_TAG = re.compile(
    r"""
    </?(?!(?:i|b|em|strong|sub|sup|scp|sc)\b)       # not <i>, which BibTeX has too
    [A-Za-z][^<>]{0,300}>                           # <jats:p>, <mml:mi mathvariant="normal">
    """,
    re.VERBOSE,
)
"""A tag of MathML, JATS or a page; the texts of Crossref keep them."""


def _read_title(item: Node) -> str:
    """The title and the subtitle of an item, without tags: "Graphs: A survey"."""
    titles = (item.child(name) for name in ("title", "subtitle"))
    title, subtitle = (
        _FOREIGN_TAG.sub("", read_text(node.items[0] if node.items else node)) for node in titles
    )
    if subtitle and subtitle.casefold() not in title.casefold():
        return f"{title}: {subtitle}"
    return title


def convert_orcid_work(work: OrcidWork, details: Node, owner: str) -> tuple[CslEntry | None, str]:
    """
    A work with what ORCID knows about it, and what that lacks; `owner` is its author if ORCID gives none.

    `details` is the work with its contributors, an empty node if it could not be read.
    """
    lacks = ""
    if work.kind not in CSL_TYPES:
        lacks = f"; the type is @misc, because BibTeX has none for {work.kind}"
    people = _read_contributors(details)
    if not people["author"] and not people["editor"]:
        people["editor" if work.kind == "edited-book" else "author"] = [owner]
        lacks = f"{lacks}; ORCID gives no authors, so only you are named: add the others"

    data = {
        "type": work.kind,
        "title": work.title,
        "container-title": read_text(work.summary, "journal-title", "value"),
        "issued": {"date-parts": [[part for part in work.date.split("-")[:2] if part]]},
        "language": read_text(details, "language-code"),
    }
    fields = {
        **work.fields,
        **{field: join_author_names(names) for field, names in people.items()},
        "doi": work.doi,
        "url": parse_web_url(read_text(work.summary, "url", "value")),
        **_arxiv_fields(work),
    }
    return convert_item(build_node(data, Place(work.location)), fields), lacks


def _read_contributors(details: Node) -> dict[str, list[str]]:
    """The names of authors, editors and translators, without other roles; one without a role is an author."""
    people: dict[str, list[str]] = {"author": [], "editor": [], "translator": []}
    for node in details.child("contributors", "contributor").items:
        role = read_text(node, "contributor-attributes", "contributor-role").casefold() or "author"
        name = read_text(node, "credit-name", "value")
        field = "translator" if "translator" in role else role
        if name and field in people:
            people[field].append(name)
    return people


def read_talk(work: OrcidWork) -> Entry:
    """A lecture as an entry of content/talks.yaml."""
    return _drop_empty(
        {
            "title": escape_text(work.title),
            "event": escape_text(read_text(work.summary, "journal-title", "value")),
            "date": work.date,
            "url": parse_web_url(read_text(work.summary, "url", "value")),
        }
    )


def find_spellings(items: Sequence[Node], orcid: str) -> list[str]:
    """The names under which the registries know the person with an ORCID iD among the authors."""
    names = (
        " ".join(filter(None, (read_text(author, "given"), read_text(author, "family"))))
        for item in items
        for author in item.child("author").items
        if read_text(author, "ORCID").rpartition("/")[2] == orcid
    )
    return list(dict.fromkeys(filter(None, names)))
