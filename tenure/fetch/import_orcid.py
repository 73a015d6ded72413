"""`import` of an ORCID iD: one request for the record, one for each DOI, and one for the authors of works without DOI."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tenure.fetch.client import Client, FetchError
from tenure.fetch.services import request_csl_item, request_record, request_works
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.orcid import (
    TALK_TYPE,
    OrcidWork,
    add_orcid_work,
    add_registry_item,
    add_talk,
    find_spellings,
    import_person,
    list_works,
    read_text,
)
from tenure.importers.publications import PublicationWriter
from tenure.importers.session import ImportResult, ImportSession
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.node import Node

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


def import_orcid(orcid: str, client: Client, on_progress: ProgressCallback) -> ImportResult:
    """Import the record of an ORCID iD; raises FetchError if ORCID or the resolver of DOIs does not answer."""
    record = request_record(client, orcid)
    with tempfile.TemporaryDirectory(prefix="tenure-") as folder:
        session = ImportSession(Path(folder))
    session.settings = {"schema": "1", "fetch": {"orcid": orcid}}
    import_person(session, record, orcid)
    works = list_works(record)
    data = request_work_data(client, orcid, works, on_progress)
    if data.delayed and not data.items:
        raise FetchError(next(iter(data.delayed.values())), is_temporary=True)
    publications = PublicationWriter(session, ORCID_BIB_FILE)
    for work in works:
        if work.kind == TALK_TYPE and not work.doi:
            add_talk(session, work)
        elif work.doi in data.delayed:
            reason = f"{data.delayed[work.doi]}; the command fetch adds it"
            session.record_skipped(work.location, f"{work.title}: {reason}")
        else:
            add_work(publications, work, data)
    aliases = list(session.profile.get("aliases", ()))
    publications.write_files()
    aliases += [*session.profile.get("aliases", ()), *find_spellings([*data.items.values()], orcid)]
    name = session.profile["name"]
    session.profile["aliases"] = [alias for alias in dict.fromkeys(aliases) if alias != name]
    return session.build_result("ORCID")


def add_work(publications: PublicationWriter, work: OrcidWork, data: WorkData) -> str:
    """Convert a work: with the metadata of its DOI, or else with what ORCID knows; returns the key of the entry."""
    item = data.items.get(work.doi)
    if item is not None:
        return add_registry_item(publications, item, work)
    reason = data.failures.get(work.doi, "it has no DOI")
    return add_orcid_work(publications, work, data.details.get(work.put_code, EMPTY_NODE), reason)


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
