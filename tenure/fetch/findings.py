"""The works that a site knows, and what has happened to them; and what an ORCID record lacks."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tenure.fetch.client import Client, FetchError
from tenure.fetch.services import request_crossref_work, request_csl_item
from tenure.importers.orcid import OrcidWork, read_text
from tenure.markdown.html import plain_text
from tenure.model.entries import Profile
from tenure.model.names import fold_text
from tenure.problems import Problems
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.bibtex.reader import SOURCE_KEY, read_bibtex
from tenure.sources.node import Node
from tenure.sources.publications.collect import decode_bib_entries
from tenure.sources.publications.lint import ParsedPublication, list_identity_keys
from tenure.sources.publications.preprints import find_preprint_pairs
from tenure.sources.schema.links import parse_doi

_ARXIV_NUMBER_IN_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
MIN_TITLE_LENGTH = 12
"""Letters of a title that is compared without authors; shorter ones, such as “Introduction”, belong to many works."""


class KnownWorks:
    """An index of entries; works that are added are known from then on."""

    def __init__(self, entries: Iterable[ParsedPublication], profile: Profile) -> None:
        self.profile = profile
        self.entries: list[ParsedPublication] = []
        self.keys: set[str] = set()
        self._index: dict[str, ParsedPublication] = {}
        self.add_entries(entries)

    def add_entries(self, entries: Iterable[ParsedPublication]) -> None:
        """Add entries to the index."""
        for entry in entries:
            self.entries.append(entry)
            self.keys.add(entry.key)
            for identity_key in _list_keys(entry):
                self._index.setdefault(identity_key, entry)

    def parse_entries(self, text: str) -> tuple[ParsedPublication, ...]:
        """The entries of a BibTeX text, without adding them."""
        return decode_bib_entries(read_bibtex(text, "", Problems()).entries, self.profile)

    def find_work(
        self, dois: Iterable[str] = (), arxiv: str = "", title: str = ""
    ) -> ParsedPublication | None:
        """The entry with one of these DOIs, this arXiv number, or this title."""
        return self._find(_work_keys(dois, arxiv, title))

    def find_same_work(self, entry: ParsedPublication) -> ParsedPublication | None:
        """The entry of the same work: same DOI or arXiv number, or same title and first author."""
        publication = entry.publication
        keys = _work_keys([publication.doi], publication.eprint)
        return self._find([*keys, *list_identity_keys(publication)])

    def _find(self, identity_keys: Iterable[str]) -> ParsedPublication | None:
        return next((self._index[key] for key in identity_keys if key in self._index), None)


def title_key(title: str) -> str:
    """The letters and digits of a title; "" for a short one."""
    folded_title = fold_text(plain_text(title)).replace(" ", "")
    return f"title {folded_title}" if len(folded_title) > MIN_TITLE_LENGTH else ""


def _work_keys(dois: Iterable[str], arxiv: str, title: str = "") -> Iterator[str]:
    for doi in dois:
        arxiv_doi = _ARXIV_NUMBER_IN_DOI.fullmatch(doi)
        arxiv = arxiv or (arxiv_doi[1] if arxiv_doi else "")
        yield f"doi {doi.casefold()}"
    if arxiv:
        yield f"arxiv {re.sub(r'v[0-9]+$', '', arxiv.casefold())}"
    if title:
        yield title_key(title)


def _list_keys(entry: ParsedPublication) -> Iterator[str]:
    publication = entry.publication
    dois = [publication.doi] if publication.doi else []
    yield from filter(None, _work_keys(dois, publication.eprint, publication.title))
    yield from list_identity_keys(publication)


RETRACTION_TYPES = frozenset({"retraction", "removal", "withdrawal", "partial_retraction"})
_ARXIV_DOI = re.compile(r"10\.48550/", re.IGNORECASE)


class Finding(Record):
    """
    Something that the owner decides: its code, the key and the DOI of the entry, what it is, and the proof.

    `bibtex` is an entry to add, or "".
    """

    code: str
    key: str
    doi: str
    message: str
    proof: str
    bibtex: str = ""


def inspect_known_works(
    client: Client, entries: Sequence[ParsedPublication], known: KnownWorks, on_progress: ProgressCallback
) -> tuple[list[Finding], str]:
    """The findings of Crossref about entries with a DOI, and the reason why the rest could not be read, or ""."""
    findings: list[Finding] = []
    registered = [entry for entry in entries if not _ARXIV_DOI.match(entry.publication.doi)]
    for number, entry in enumerate(registered, 1):
        on_progress("checking publications at Crossref", number, len(registered))
        try:
            work = request_crossref_work(client, entry.publication.doi)
        except FetchError as error:
            if error.is_temporary:
                return findings, f"{len(registered) - number + 1} publications are not checked: {error}"
            continue  # Crossref does not know the DOIs of other registries
        findings += _inspect_work(client, entry, work, known)
    return findings, ""


def _inspect_work(
    client: Client, entry: ParsedPublication, work: Node, known: KnownWorks
) -> Iterator[Finding]:
    """The findings from Crossref's metadata of an entry."""
    doi = entry.publication.doi
    proof = f"https://api.crossref.org/works/{doi}"
    for update in work.child("updated-by").items:
        if read_text(update, "type").casefold().replace(" ", "_") in RETRACTION_TYPES:
            notice = f"https://doi.org/{parse_doi(read_text(update, 'DOI'))}"
            yield Finding("retracted", entry.key, doi, "its publisher has retracted it", notice)
    for relation in work.child("relation", "is-preprint-of").items:
        published_doi = parse_doi(read_text(relation, "id"))
        if published_doi and known.find_work([published_doi]) is None:
            yield _describe_published_version(client, entry, published_doi, proof)
    change = _describe_change(entry, work)
    if change:
        yield Finding("changed-upstream", entry.key, doi, change, proof)


def _describe_published_version(client: Client, entry: ParsedPublication, doi: str, proof: str) -> Finding:
    try:
        title = read_text(request_csl_item(client, doi), "title")
    except FetchError:
        title = ""
    return describe_version(entry, doi, proof, "", title)


def describe_version(entry: ParsedPublication, doi: str, proof: str, bibtex: str, title: str = "") -> Finding:
    """The finding that the preprint of an entry has been published; `bibtex` is the published version, if it is known."""
    message = f"it has been published as {f'“{title}” ({doi})' if title else doi}"
    return Finding("now-published", entry.key, entry.publication.doi, message, proof, bibtex)


def _describe_change(entry: ParsedPublication, work: Node) -> str:
    """What the publisher has added or corrected, "" if nothing: volume and pages, the title, or the year."""
    publication = entry.publication
    venue = publication.venue
    volume, pages = read_text(work, "volume"), read_text(work, "page")
    lacks_numbers = publication.kind == "article" and not (venue.volume or venue.number or venue.pages)
    if lacks_numbers and (volume or pages):
        parts = [f"{name} {value}" for name, value in (("volume", volume), ("pages", pages)) if value]
        return f"its publisher now gives {' and '.join(parts)}"
    years = {
        read_text(node.items[0])
        for name in ("issued", "published-print", "published-online", "published")
        for node in work.child(name, "date-parts").items[:1]
        if node.items
    } - {""}
    year = str(publication.date.year) if publication.date and publication.date.year else ""
    if year and years and year not in years:
        return f"its publisher gives the year {' or '.join(sorted(years))}, the entry {year}"
    return ""


def find_missing_at_orcid(
    entries: Sequence[ParsedPublication], works: Sequence[OrcidWork], orcid: str
) -> list[Finding]:
    """The entries of the owner that an ORCID record lacks; a preprint whose published version it has is not missing."""
    dois = {doi.casefold() for work in works for doi in work.dois}
    titles = {title_key(work.title) for work in works}
    arxiv_numbers = {work.arxiv for work in works if work.arxiv}
    is_listed = [
        entry.publication.doi.casefold() in dois
        or entry.publication.eprint in arxiv_numbers
        or title_key(entry.publication.title) in titles - {""}
        for entry in entries
    ]
    for pair in find_preprint_pairs([entry.publication for entry in entries]):
        is_listed[pair.preprint] = True
    return [
        Finding(
            "orcid-lacks",
            entry.key,
            entry.publication.doi,
            f"the record {orcid} does not have it",
            f"https://orcid.org/{orcid}",
            entry.node.mapping[SOURCE_KEY].text,
        )
        for entry, listed in zip(entries, is_listed, strict=True)
        if not listed and any(person.me for person in entry.publication.authors.people)
    ]
