"""An ORCID record: its person (profile, biography, activities), and its works as BibTeX with the metadata of their DOIs."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tenure.counts import format_count
from tenure.importers.bibliography.bibtex_writer import escape_markdown, join_author_names
from tenure.importers.bibliography.csl_json import CSL_FIELDS, CSL_TYPES, NAME_VARIABLES, add_item
from tenure.importers.bibliography.prose_references import find_arxiv_number
from tenure.importers.cv_entries import DATE_FIELDS, normalize_date, parse_web_url
from tenure.importers.json_data import EMPTY_NODE, build_node
from tenure.importers.profile import add_profile_link
from tenure.importers.publications import PublicationWriter
from tenure.importers.session import EntryData, ImportSession, MappingReader, join_filled, node_to_text
from tenure.problems import Place
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.links import parse_doi

AFFILIATIONS: Mapping[str, tuple[str, str]] = {
    "employments": ("employment-summary", "experience"),
    "invited-positions": ("invited-position-summary", "experience"),
    "educations": ("education-summary", "education"),
    "qualifications": ("qualification-summary", "education"),
    "distinctions": ("distinction-summary", "awards"),
    "services": ("service-summary", "service"),
    "memberships": ("membership-summary", "memberships"),
}
"""The sections of a record with affiliations: the name of an item there, and the collection of its entries."""

CURRENT = "9999"
"""Sorts an entry without an end before all others."""


def import_person(session: ImportSession, record: Node, orcid: str) -> None:
    """Import the profile of a record, its biography as content/about.md, and its activities except works."""
    location = f"orcid.org/{orcid}"
    person = record.child("person")
    given, family, credit = (
        read_text(person, "name", key, "value") for key in ("given-names", "family-name", "credit-name")
    )
    full_name = join_filled(given, family, separator=" ")
    other_names = _list_ranked(person.child("other-names", "other-name"))
    names = [credit or full_name, full_name, *(read_text(node, "content") for node in other_names)]
    session.profile["name"] = names[0]
    session.profile["aliases"] = [name for name in dict.fromkeys(names) if name and name != names[0]]
    session.profile |= _read_current_position(record)
    addresses = (read_text(node, "email") for node in person.child("emails", "email").items)
    session.profile["email"] = [address for address in addresses if "@" in address]
    keywords = _list_ranked(person.child("keywords", "keyword"))
    session.profile["interests"] = [keyword for node in keywords if (keyword := read_text(node, "content"))]
    session.profile_links["orcid"] = orcid
    for node in _list_ranked(person.child("researcher-urls", "researcher-url")):
        add_profile_link(session, read_text(node, "url", "value"), read_text(node, "url-name"), location)
    for node in _list_ranked(person.child("external-identifiers", "external-identifier")):
        url = read_text(node, "external-id-url", "value")
        add_profile_link(session, url, read_text(node, "external-id-type"), location)
    session.record_imported(location, "profile")
    biography = node_to_text(person.child("biography", "content"))
    if biography:
        text = "\n".join(" ".join(line.split()) for line in biography.splitlines())
        session.add_introduction(escape_text(text), location)
    activities = record.child("activities-summary")
    _import_affiliations(session, activities)
    _import_fundings(session, activities.child("fundings", "group"))
    _import_peer_reviews(session, activities.child("peer-reviews", "group"))
    resources = activities.child("research-resources", "group").items
    if resources:
        count = format_count(len(resources), "research resource")
        session.record_skipped(
            location, f"{count}, such as time at an instrument: Tenure has no list for them"
        )


def read_text(node: Node, *keys: str) -> str:
    """The text at a path of keys in one line; "" if there is none."""
    return " ".join(node_to_text(node.child(*keys)).split())


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
    full_date = f"{month_text}-{int(day):02}" if re.fullmatch(r"\d{1,2}", day) else ""
    return full_date if full_date and normalize_date(full_date) else month_text


def preferred_item(items: Iterator[Node] | tuple[Node, ...]) -> Node | None:
    """The version of an item that its owner prefers: the one with the highest display index."""
    return max(items, key=_display_index, default=None)


def _display_index(node: Node) -> int:
    index = read_text(node, "display-index")
    return int(index) if re.fullmatch(r"\d{1,9}", index) else 0


def _list_ranked(node: Node) -> list[Node]:
    """The items of a list of the person in the order of their owner."""
    return sorted(node.items, key=_display_index, reverse=True)


def _read_period(item: Node, *, is_open: bool) -> str:
    """The period of an item; without an end it continues, if `is_open` is true."""
    start, end = (read_date(item, key)[:7] for key in ("start-date", "end-date"))
    period = f"{start} - {end or 'present'}" if start and (end or is_open) and start != end else start or end
    return normalize_date(period)


def _read_current_position(record: Node) -> EntryData:
    """Role and affiliation of the latest employment that has not ended."""
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
    ror = read_text(organization, "disambiguated-organization-identifier") if is_ror else ""
    affiliation = {"name": read_text(item, "organization", "name")}
    if re.fullmatch(r"https://ror\.org/0[a-z0-9]{8}", ror):
        affiliation["ror"] = ror
    return {"role": escape_text(read_text(item, "role-title")), "affiliation": [affiliation]}


def _import_affiliations(session: ImportSession, activities: Node) -> None:
    """Add an entry for the preferred version of each affiliation; each collection begins with the newest."""
    entries: dict[str, list[tuple[tuple[str, str], EntryData, str]]] = defaultdict(list)
    for section, (item_name, collection) in AFFILIATIONS.items():
        for group in activities.child(section, "affiliation-group").items:
            summaries = group.child("summaries").items
            item = preferred_item(summary.child(item_name) for summary in summaries)
            organization = read_text(item, "organization", "name") if item is not None else ""
            if item is not None and organization:
                sort_key = read_date(item, "end-date") or CURRENT, read_date(item, "start-date")
                location = _find_location(item, activities)
                entries[collection].append((sort_key, _build_entry(collection, item, organization), location))
    for collection, collected in entries.items():
        title = "Memberships" if collection == "memberships" else ""
        for _, entry, location in sorted(collected, key=lambda row: row[0], reverse=True):
            session.add_entry(collection, entry, location, title)


def _build_entry(collection: str, item: Node, organization: str) -> EntryData:
    role, unit = escape_text(read_text(item, "role-title")), read_text(item, "department-name")
    name, url = escape_text(organization), parse_web_url(read_text(item, "url", "value"))
    period = _read_period(item, is_open=collection != "awards")
    if collection in ("awards", "service"):
        title, giver = (role, name) if role else (name, "")
        main_field = "title" if collection == "awards" else "role"
        return {main_field: title, "organization": giver, "date": period, "url": url}
    names = {
        "experience": {"organization": organization, "unit": unit, "role": role},
        "education": {"institution": organization, "degree": role, "area": escape_text(unit)},
    }.get(collection, {"title": name, "role": role})
    address = item.child("organization", "address")
    place = join_filled(*(read_text(address, key) for key in ("city", "region", "country")))
    date_field = DATE_FIELDS.get(collection, "date")
    return {**names, "location": place, date_field: period, "url": url}


def _import_fundings(session: ImportSession, groups: Node) -> None:
    """Add each grant to the collection "grants", and each award to the awards."""
    items = [preferred_item(group.child("funding-summary").items) for group in groups.items]
    for item in sorted(filter(None, items), key=lambda item: read_date(item, "start-date"), reverse=True):
        numbers = [
            read_text(number, "external-id-value")
            for number in item.child("external-ids", "external-id").items
            if read_text(number, "external-id-type") in ("grant_number", "award_number")
        ]
        is_award = read_text(item, "type") == "award"
        organization = escape_text(read_text(item, "organization", "name"))
        entry: EntryData = {
            "title": escape_text(read_text(item, "title", "title", "value")) or organization,
            "organization": organization,
            "date": _read_period(item, is_open=False),
            "note": escape_text("; ".join(dict.fromkeys(numbers))),
            "url": parse_web_url(read_text(item, "url", "value")),
        }
        if entry["title"]:
            collection, title = ("awards", "") if is_award else ("grants", "Grants")
            session.add_entry(collection, entry, _find_location(item, groups), title)


def _import_peer_reviews(session: ImportSession, groups: Node) -> None:
    """Add one entry of service for each organization that one has reviewed for, with the years and the number of reviews."""
    years: dict[str, list[str]] = defaultdict(list)
    for group in groups.items:
        for inner_group in group.child("peer-review-group").items:
            item = preferred_item(inner_group.child("peer-review-summary").items)
            if item is not None:
                organization = read_text(item, "convening-organization", "name")
                years[organization].append(read_date(item, "completion-date")[:4])
    for organization, review_years in years.items():
        known_years = sorted(filter(None, review_years))
        period = " - ".join(dict.fromkeys((known_years[0], known_years[-1]))) if known_years else ""
        count, location = format_count(len(review_years), "review"), groups.place.file
        names = {"role": "Reviewer", "organization": escape_text(organization)}
        session.add_entry("service", {**names, "date": period, "summary": count}, location)
        reviewed = organization or "an unnamed organization"
        session.record_converted(location, f"{count} for {reviewed} became one entry of service")


def _find_location(item: Node, parent: Node) -> str:
    """The path of an item at ORCID, as used in notes."""
    path = read_text(item, "path")
    return f"orcid.org{path}" if re.fullmatch(r"/[\w/-]{1,100}", path) else parent.place.file


TALK_TYPE = "lecture-speech"
IDENTIFIER_FIELDS: Mapping[str, str] = {
    "pmid": "pmid", "pmc": "pmcid", "mr": "mrnumber", "zbl": "zblnumber", "isbn": "isbn", "handle": "hdl", "urn": "urn", "bibcode": "ads",
}  # fmt: skip
"""Types of identifiers at ORCID, and the BibTeX fields that Tenure reads."""

SELF_RELATIONS = frozenset({"self", "version-of"})
_READ_VARIABLES = frozenset(
    ["type", "title", "container-title", "publisher", "author", "issued", "abstract", *NAME_VARIABLES, *CSL_FIELDS]
) - {"note", "keyword", "status"}  # fmt: skip
"""The variables of an item of a registry that become fields; its others are about deposit, licence and references."""

_FOREIGN_TAG = re.compile(r"</?(?!(?:i|b|em|strong|sub|sup|scp|sc)\b)[A-Za-z][^<>]{0,300}>")
"""A tag of MathML, JATS or a page; the texts of Crossref keep them."""


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


def list_works(record: Node) -> tuple[OrcidWork, ...]:
    """The works of a record; a second work with the DOI of another one is the same work."""
    works: dict[str, OrcidWork] = {}
    for group in record.child("activities-summary", "works", "group").items:
        summary = preferred_item(group.child("work-summary").items)
        if summary is None:
            continue
        work = _read_work(group, summary)
        if work.title:
            works.setdefault(work.doi.casefold() or f"{work.put_code} {work.title}", work)
    return tuple(works.values())


def _read_work(group: Node, summary: Node) -> OrcidWork:
    identifiers = [
        (read_text(node, "external-id-type").casefold(), _identifier_value(node))
        for owner in (summary, group)
        for node in owner.child("external-ids", "external-id").items
        if read_text(node, "external-id-relationship").casefold() in SELF_RELATIONS
    ]
    dois = dict.fromkeys(parse_doi(value) for kind, value in identifiers if kind == "doi")
    arxiv_texts = (f"arXiv:{value}" for kind, value in identifiers if kind == "arxiv")
    fields = {
        IDENTIFIER_FIELDS[kind]: value for kind, value in reversed(identifiers) if kind in IDENTIFIER_FIELDS
    }
    title, subtitle = (read_text(summary, "title", key, "value") for key in ("title", "subtitle"))
    return OrcidWork(
        put_code=code if re.fullmatch(r"\d{1,18}", code := read_text(summary, "put-code")) else "",
        title=f"{title}: {subtitle}" if title and subtitle else title,
        kind=read_text(summary, "type"),
        date=read_date(summary, "publication-date"),
        dois=tuple(doi for doi in dois if doi),
        arxiv=next(filter(None, map(find_arxiv_number, arxiv_texts)), ""),
        fields=fields,
        summary=summary,
        location=_find_location(summary, summary),
    )


def _identifier_value(node: Node) -> str:
    """The value of an identifier, as ORCID normalizes it; characters that no identifier has are removed."""
    value = read_text(node, "external-id-normalized", "value") or read_text(node, "external-id-value")
    return re.sub(r"[\s{}\\]", "", value)[:300]


def add_registry_item(publications: PublicationWriter, item: Node, work: OrcidWork | None) -> str:
    """Convert the metadata of a DOI, completed by its work at ORCID; returns the key of the entry."""
    fields = dict(work.fields) if work is not None else {}
    if work is not None and work.arxiv:
        fields |= {"eprint": work.arxiv, "archiveprefix": "arXiv"}
    if work is not None and not item.child("issued").value:
        fields["date"] = work.date
    mapping = {name: node for name, node in item.mapping.items() if name in _READ_VARIABLES}
    title, subtitle = (_FOREIGN_TAG.sub("", _first_text(item.child(name))) for name in ("title", "subtitle"))
    if subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    mapping["title"] = Node(title, item.place)
    institution = read_text(preferred_item(item.child("institution").items[:1]) or EMPTY_NODE, "name")
    if read_text(item, "type") in ("posted-content", "preprint", "article"):
        mapping.pop("publisher", None)
        if institution and not item.child("container-title").value:
            mapping["container-title"] = Node(institution, item.place)
    return add_item(publications, MappingReader(Node(mapping, item.place), publications.session), fields)


def _first_text(node: Node) -> str:
    """The text of a value, or of the first one of a list."""
    return read_text(node.items[0] if node.items else node)


def add_orcid_work(publications: PublicationWriter, work: OrcidWork, details: Node, reason: str) -> str:
    """
    Convert a work with what ORCID knows about it, and report it with the reason; returns the key of the entry.

    `details` is the work with its contributors, an empty node if it could not be read.
    """
    session = publications.session
    people, editors, translators = [], [], []
    for node in details.child("contributors", "contributor").items:
        role = read_text(node, "contributor-attributes", "contributor-role").casefold()
        name = read_text(node, "credit-name", "value")
        people += [name] if name and role in ("", "author") else []
        editors += [name] if name and role == "editor" else []
        translators += [name] if name and "translator" in role else []
    owner = str(session.profile.get("name", ""))
    is_certain = bool(people or editors)
    if not is_certain:
        people, editors = ([], [owner]) if work.kind == "edited-book" else ([owner], [])
    year, month, *_ = [*work.date.split("-"), "", ""]
    data = {
        "type": work.kind,
        "title": work.title,
        "container-title": read_text(work.summary, "journal-title", "value"),
        "issued": {"date-parts": [[part for part in (year, month) if part]]},
        "language": read_text(details, "language-code"),
    }
    url = parse_web_url(read_text(work.summary, "url", "value"))
    fields = {
        **work.fields,
        "author": join_author_names(people),
        "editor": join_author_names(editors),
        "translator": join_author_names(translators),
        "doi": work.doi,
        "url": url,
        **({"eprint": work.arxiv, "archiveprefix": "arXiv"} if work.arxiv else {}),
    }
    item = build_node(data, Place(work.location))
    key = add_item(publications, MappingReader(item, session), fields)
    missing = "" if is_certain else "; ORCID gives no authors, so only you are named: add the others"
    type_reason = f"BibTeX has none for {work.kind}" if work.kind else "ORCID gives none"
    kind = "" if work.kind in CSL_TYPES else f"; the type is @misc, because {type_reason}"
    description = f"{key} has only what ORCID knows, because {reason}{kind}{missing}"
    session.record_converted(work.location, f"{publications.path}: {description}")
    return key


def add_talk(session: ImportSession, work: OrcidWork) -> None:
    """Add a lecture to content/talks.yaml."""
    entry = {
        "title": escape_text(work.title),
        "event": escape_text(read_text(work.summary, "journal-title", "value")),
        "date": work.date,
        "url": parse_web_url(read_text(work.summary, "url", "value")),
    }
    session.add_entry("talks", entry, work.location)


def find_spellings(items: Sequence[Node], orcid: str) -> list[str]:
    """The names under which the registries know the person with an ORCID iD among the authors."""
    names = (
        " ".join(filter(None, (read_text(author, "given"), read_text(author, "family"))))
        for item in items
        for author in item.child("author").items
        if read_text(author, "ORCID").rpartition("/")[2] == orcid
    )
    return list(dict.fromkeys(filter(None, names)))
