"""
`import` of an ORCID iD: requests for the record, for each DOI, and for the authors of works without DOI.

Each `OrcidWork` of the record becomes a `ConvertedWork`; the files of the new site are an `OrcidSite`.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.fetch.client import Client, FetchError
from tenure.fetch.orcid import (
    LIST_TITLES,
    Entry,
    OrcidWork,
    convert_orcid_work,
    convert_registry_item,
    find_spellings,
    list_works,
    read_person,
    read_talk,
)
from tenure.fetch.service_requests import request_csl_item, request_record, request_works
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.bibtex.bib_writer import format_bib_entry
from tenure.sources.editing.yaml_writer import YamlData, format_yaml
from tenure.sources.reading.node import EMPTY_NODE, Node, read_text

ORCID_BIB_FILE = "bib/orcid.bib"


class ConvertedWork(Record):
    """
    A work as BibTeX: its key, its text, a note on what is missing, and the metadata of its DOI.

    If the registry of its DOI does not answer now, it has only the reason, in `delay`.
    """

    work: OrcidWork
    key: str = ""
    text: str = ""
    note: str = ""
    delay: str = ""
    item: Node = EMPTY_NODE


class OrcidSite(Record):
    """The files of a new site by name, its profile, and the location and the text of each note."""

    files: Mapping[str, str]
    profile: Mapping[str, YamlData]
    notes: tuple[tuple[str, str], ...]


def import_orcid(orcid: str, client: Client, on_progress: ProgressCallback) -> OrcidSite:
    """Import the record of an ORCID iD; raises FetchError if ORCID or doi.org does not answer."""
    record = request_record(client, orcid)
    person = read_person(record, orcid)
    works = list_works(record)
    owner = str(person.profile.get("name", ""))
    publications = [work for work in works if not work.is_talk]
    papers = convert_works(client, orcid, publications, owner, (), on_progress)
    # one DOI may be late; if none could be read, doi.org is not there
    delays = [paper.delay for paper in papers if paper.delay]
    if delays and not any(paper.item.value for paper in papers):
        raise FetchError(delays[0], is_temporary=True)

    lists: dict[str, Sequence[Entry]] = dict(person.lists)
    talks = [read_talk(work) for work in works if work.is_talk]
    if talks:
        lists["talks"] = talks
    files = {f"content/{name}.yaml": _format_list(name, rows) for name, rows in lists.items()}
    files["site.yaml"] = format_yaml({"schema": "1", "fetch": {"orcid": orcid}})
    if person.about:
        files["content/about.md"] = f"{person.about}\n"
    texts = [paper.text for paper in papers if paper.text]
    if texts:
        files[ORCID_BIB_FILE] = "\n".join(texts)

    # the spellings of the name in the publications are those by which it is found in them
    spellings = find_spellings([paper.item for paper in papers], orcid)
    aliases = dict.fromkeys([*person.profile.get("aliases", ()), *spellings])
    profile = dict(person.profile)
    names = [name for name in aliases if name != owner]
    if names:
        profile["aliases"] = names
    return OrcidSite(files, profile, (*person.notes, *_list_notes(papers)))


def _list_notes(papers: Iterable[ConvertedWork]) -> Iterator[tuple[str, str]]:
    """The location and the text of what a publication lacks, or why it is not there yet."""
    for paper in papers:
        if paper.delay:
            yield paper.work.location, f"{paper.work.title}: {paper.delay}; the command fetch adds it"
        elif paper.note:
            yield paper.work.location, f"{ORCID_BIB_FILE}: {paper.note}"


def _format_list(name: str, entries: Sequence[Entry]) -> str:
    """A list as content/NAME.yaml; one that Tenure does not know has a title."""
    title = LIST_TITLES.get(name, "")
    return format_yaml({"title": title, "entries": entries} if title else entries)


def convert_works(
    client: Client,
    orcid: str,
    works: Sequence[OrcidWork],
    owner: str,
    used_keys: Iterable[str],
    on_progress: ProgressCallback,
) -> list[ConvertedWork]:
    """
    Works with the metadata of their DOIs, or with what ORCID knows; `owner` is an author of all.

    A work whose registry does not answer now has no entry, only `delay`: it can be read later.
    """
    items: dict[str, Node] = {}
    errors: dict[str, FetchError] = {}
    dois = [work.doi for work in works if work.doi]
    for number, doi in enumerate(dois, 1):
        on_progress("reading publications", number, len(dois))
        try:
            items[doi] = request_csl_item(client, doi)
        except FetchError as error:
            errors[doi] = error
    delays = {doi: str(error) for doi, error in errors.items() if error.is_temporary}
    rest = [work for work in works if work.doi not in items and work.doi not in delays]
    # works without a DOI, or with one that no registry has
    details = _request_details(client, orcid, rest)

    converted: list[ConvertedWork] = []
    keys = set(used_keys)
    for work in works:
        if work.doi in delays:
            converted.append(ConvertedWork(work, delay=delays[work.doi]))
            continue
        item = items.get(work.doi, EMPTY_NODE)
        entry = convert_registry_item(item, work) if item.value else None
        note = ""
        if entry is None:
            entry, missing = convert_orcid_work(work, details.get(work.put_code, EMPTY_NODE), owner)
            note = f"has only what ORCID knows, because {errors.get(work.doi, 'it has no DOI')}{missing}"

        key = ""
        text = ""
        if entry is not None:
            key, text = format_bib_entry(entry.kind, entry.key, entry.fields, keys)
            keys.add(key)
        converted.append(ConvertedWork(work, key, text, f"{key} {note}" if note else "", item=item))
    return converted


def _request_details(client: Client, orcid: str, works: Iterable[OrcidWork]) -> dict[str, Node]:
    """The works of a record with their contributors, by put code; a work without them has the rest."""
    details: dict[str, Node] = {}
    with contextlib.suppress(FetchError):
        for node in request_works(client, orcid, [work.put_code for work in works if work.put_code]):
            details[read_text(node, "put-code")] = node
    return details
