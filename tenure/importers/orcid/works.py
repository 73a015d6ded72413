"""The works of an ORCID record, and their conversion to BibTeX with the metadata of their DOIs."""

import re
from collections.abc import Mapping, Sequence

from tenure.importers.bibliography.csl_json import CSL_FIELDS, CSL_TYPES, NAME_VARIABLES, add_item
from tenure.importers.bibliography.latex_writer import join_author_names
from tenure.importers.bibliography.prose_references import find_arxiv_number
from tenure.importers.cv_entries import parse_web_url
from tenure.importers.json_data import EMPTY_NODE, build_node, find_node
from tenure.importers.orcid.person import escape_text, preferred_item, read_date, read_text
from tenure.importers.publications import PublicationWriter
from tenure.importers.session import ImportSession, MappingReader
from tenure.problems import Place
from tenure.record import Record
from tenure.sources.node import Node
from tenure.sources.schema.links import parse_doi

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
    for group in find_node(record, "activities-summary", "works", "group").items:
        summary = preferred_item(find_node(group, "work-summary").items)
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
        for node in find_node(owner, "external-ids", "external-id").items
        if read_text(node, "external-id-relationship").casefold() in SELF_RELATIONS
    ]
    dois = dict.fromkeys(parse_doi(value) for kind, value in identifiers if kind == "doi")
    arxiv_texts = (f"arXiv:{value}" for kind, value in identifiers if kind == "arxiv")
    fields = {
        IDENTIFIER_FIELDS[kind]: value for kind, value in reversed(identifiers) if kind in IDENTIFIER_FIELDS
    }
    title, subtitle = (read_text(summary, "title", key, "value") for key in ("title", "subtitle"))
    path = read_text(summary, "path")
    return OrcidWork(
        put_code=code if re.fullmatch(r"\d{1,18}", code := read_text(summary, "put-code")) else "",
        title=f"{title}: {subtitle}" if title and subtitle else title,
        kind=read_text(summary, "type"),
        date=read_date(summary, "publication-date"),
        dois=tuple(doi for doi in dois if doi),
        arxiv=next(filter(None, map(find_arxiv_number, arxiv_texts)), ""),
        fields=fields,
        summary=summary,
        location=f"orcid.org{path}" if re.fullmatch(r"/[\w/-]{1,100}", path) else summary.place.file,
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
    if work is not None and not find_node(item, "issued").value:
        fields["date"] = work.date
    mapping = {name: node for name, node in item.mapping.items() if name in _READ_VARIABLES}
    title, subtitle = (
        _FOREIGN_TAG.sub("", _first_text(find_node(item, name))) for name in ("title", "subtitle")
    )
    if subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    mapping["title"] = Node(title, item.place)
    institution = read_text(preferred_item(find_node(item, "institution").items[:1]) or EMPTY_NODE, "name")
    if read_text(item, "type") in ("posted-content", "preprint", "article"):
        mapping.pop("publisher", None)
        if institution and not find_node(item, "container-title").value:
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
    contributors = [
        (
            read_text(node, "contributor-attributes", "contributor-role").casefold(),
            read_text(node, "credit-name", "value"),
        )
        for node in find_node(details, "contributors", "contributor").items
    ]
    owner = str(session.profile.get("name", ""))
    people = [name for role, name in contributors if name and role in ("", "author")]
    editors = [name for role, name in contributors if name and role == "editor"]
    translators = [name for role, name in contributors if name and "translator" in role]
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
    kind = (
        ""
        if work.kind in CSL_TYPES
        else f"; the type is @misc, because {'BibTeX has none for ' + work.kind if work.kind else 'ORCID gives none'}"
    )
    session.record_converted(
        work.location,
        f"{publications.path}: {key} has only what ORCID knows, because {reason}{kind}{missing}",
    )
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
        for author in find_node(item, "author").items
        if read_text(author, "ORCID").rpartition("/")[2] == orcid
    )
    return list(dict.fromkeys(filter(None, names)))
