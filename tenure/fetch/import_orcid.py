"""`import` of an ORCID iD: one request for the record, one for each DOI, and one for the authors of works without DOI."""

from collections.abc import Container, Iterator, Mapping, Sequence

from tenure.fetch.client import Client, FetchError
from tenure.fetch.orcid import (
    LIST_TITLES,
    TALK_TYPE,
    Entry,
    OrcidWork,
    convert_orcid_work,
    convert_registry_item,
    find_spellings,
    list_works,
    read_person,
    read_talk,
)
from tenure.fetch.services import request_csl_item, request_record, request_works
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.bibtex.writer import format_bib_entry
from tenure.sources.json_data import EMPTY_NODE, read_text
from tenure.sources.node import Node
from tenure.sources.yaml_writer import YamlData, format_yaml

ORCID_BIB_FILE = "bib/orcid.bib"


class WorkData(Record):
    """
    What the services know about works.

    `items` has the metadata by DOI; `failures` the reason why a DOI has none; `delayed` the reason why a DOI has none yet;
    `details` the works without metadata by put-code, with their contributors.
    """

    items: Mapping[str, Node]
    failures: Mapping[str, str]
    delayed: Mapping[str, str]
    details: Mapping[str, Node]


class OrcidSite(Record):
    """The files of a new site by name, its profile, and the location and the text of each note for the report."""

    files: Mapping[str, str]
    profile: Mapping[str, YamlData]
    notes: tuple[tuple[str, str], ...]


def import_orcid(orcid: str, client: Client, on_progress: ProgressCallback) -> OrcidSite:
    """Import the record of an ORCID iD; raises FetchError if ORCID or the resolver of DOIs does not answer."""
    record = request_record(client, orcid)
    person = read_person(record, orcid)
    works = list_works(record)
    data = request_work_data(client, orcid, works, on_progress)
    if data.delayed and not data.items:
        raise FetchError(next(iter(data.delayed.values())), is_temporary=True)
    lists: dict[str, Sequence[Entry]] = dict(person.lists)
    talks = [read_talk(work) for work in works if work.kind == TALK_TYPE and not work.doi]
    if talks:
        lists["talks"] = talks
    owner = str(person.profile.get("name", ""))
    notes = [*person.notes]
    entries: dict[str, str] = {}
    for work in works:
        if work.doi in data.delayed:
            reason = f"{data.delayed[work.doi]}; the command fetch adds it"
            notes.append((work.location, f"{work.title}: {reason}"))
        elif work.kind != TALK_TYPE or work.doi:
            key, entry, note = format_work(work, data, owner, entries)
            entries[key] = entry
            notes += [(work.location, f"{ORCID_BIB_FILE}: {note}")] if note else []
    files = {f"content/{name}.yaml": _format_list(name, rows) for name, rows in lists.items()}
    files["site.yaml"] = format_yaml({"schema": "1", "fetch": {"orcid": orcid}})
    if person.about:
        files["content/about.md"] = f"{person.about}\n"
    if entries:
        files[ORCID_BIB_FILE] = "\n".join(entries.values())
    spellings = find_spellings([*data.items.values()], orcid)
    aliases = [*person.profile.get("aliases", ()), *spellings]
    names = [name for name in dict.fromkeys(aliases) if name != owner]
    profile = {**person.profile, **({"aliases": names} if names else {})}
    return OrcidSite(files, profile, tuple(notes))


def _format_list(name: str, entries: Sequence[Entry]) -> str:
    title = LIST_TITLES.get(name, "")
    return format_yaml({"title": title, "entries": entries} if title else entries)


def format_work(
    work: OrcidWork, data: WorkData, owner: str, used_keys: Container[str]
) -> tuple[str, str, str]:
    """The key and the BibTeX of a work, with the metadata of its DOI or else with what ORCID knows; and a note on what is missing."""
    item, note = data.items.get(work.doi), ""
    entry = convert_registry_item(item, work) if item is not None else None
    if entry is None:
        details = data.details.get(work.put_code, EMPTY_NODE)
        entry, note = convert_orcid_work(work, details, owner)
        reason = data.failures.get(work.doi, "it has no DOI")
        note = f"has only what ORCID knows, because {reason}{note}"
    if entry is None:
        return "", "", note
    key, text = format_bib_entry(entry.kind, entry.key, entry.fields, used_keys)
    return key, text, f"{key} {note}" if note else ""


def request_work_data(
    client: Client, orcid: str, works: Sequence[OrcidWork], on_progress: ProgressCallback
) -> WorkData:
    """Request the metadata of each DOI, and the contributors of the other works."""
    items: dict[str, Node] = {}
    failures: dict[str, str] = {}
    delayed: dict[str, str] = {}
    dois = [work.doi for work in works if work.doi]
    for number, doi in enumerate(dois, 1):
        on_progress("reading publications", number, len(dois))
        try:
            items[doi] = request_csl_item(client, doi)
        except FetchError as error:
            (delayed if error.is_temporary else failures)[doi] = str(error)
    put_codes = [
        work.put_code
        for work in works
        if work.put_code and work.doi not in items and work.doi not in delayed and work.kind != TALK_TYPE
    ]
    details = {read_text(node, "put-code"): node for node in _request_details(client, orcid, put_codes)}
    return WorkData(items, failures, delayed, details)


def _request_details(client: Client, orcid: str, put_codes: Sequence[str]) -> Iterator[Node]:
    """The works with their contributors; none if ORCID does not answer, because the record has the rest."""
    try:
        yield from request_works(client, orcid, put_codes)
    except FetchError:
        return
