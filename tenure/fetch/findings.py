"""
The works that a site knows, and what has happened to them.

`KnownWorks` is an index of all entries of a site; a service knows a `Finding` about one of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.fetch.client import Client, FetchError
from tenure.fetch.service_requests import request_crossref_work, request_csl_item
from tenure.markdown.html import plain_text
from tenure.model.entries import Profile
from tenure.model.identifiers import make_doi_url, parse_arxiv, parse_doi
from tenure.model.names import fold_text
from tenure.problems import Problems
from tenure.progress import ProgressCallback
from tenure.record import Record
from tenure.sources.bibtex.reader import read_bibtex
from tenure.sources.publications.collect import decode_bib_entries
from tenure.sources.publications.lint import ParsedPublication, list_identity_keys
from tenure.sources.reading.node import Node, read_text

MIN_TITLE_LENGTH = 12
"""Letters of a title that is compared without authors; a short one, “Introduction”, belongs to many works."""


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
    """The keys of a work in the index: "doi 10.1/x", "arxiv 2401.00001", "title attention…"."""
    for doi in dois:
        arxiv = arxiv or parse_arxiv(doi)
        yield f"doi {doi.casefold()}"
    if arxiv:
        yield f"arxiv {re.sub(r'v[0-9]+$', '', arxiv.casefold())}"
    if title:
        yield title_key(title)


def _list_keys(entry: ParsedPublication) -> Iterator[str]:
    """All keys of an entry in the index: its identifiers, its title, its title with an author."""
    publication = entry.publication
    dois = [publication.doi] if publication.doi else []
    yield from filter(None, _work_keys(dois, publication.eprint, publication.title))
    yield from list_identity_keys(publication)


RETRACTION_TYPES = frozenset({"retraction", "removal", "withdrawal", "partial_retraction"})


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
    """The findings of Crossref about entries with a DOI, and the reason why the rest is not read, or ""."""
    findings: list[Finding] = []
    # arXiv registers its DOIs at DataCite
    registered = [entry for entry in entries if not parse_arxiv(entry.publication.doi)]
    for number, entry in enumerate(registered, 1):
        on_progress("checking publications at Crossref", number, len(registered))
        try:
            work = request_crossref_work(client, entry.publication.doi)
        except FetchError as error:
            if error.is_temporary:
                return findings, f"{len(registered) - number + 1} publications are not checked: {error}"
            # Crossref does not know the DOIs of other registries
            continue
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
            notice = make_doi_url(parse_doi(read_text(update, "DOI")))
            yield Finding("retracted", entry.key, doi, "its publisher has retracted it", notice)

    for relation in work.child("relation", "is-preprint-of").items:
        published_doi = parse_doi(read_text(relation, "id"))
        if published_doi and known.find_work([published_doi]) is None:
            try:
                title = read_text(request_csl_item(client, published_doi), "title")
            except FetchError:
                # the DOI alone is enough
                title = ""
            yield describe_version(entry, published_doi, proof, "", title)


def describe_version(entry: ParsedPublication, doi: str, proof: str, bibtex: str, title: str = "") -> Finding:
    """The finding that the preprint of an entry has been published; `bibtex` is the new version, or ""."""
    version = f"“{title}” ({doi})" if title else doi
    message = f"it has been published as {version}"
    return Finding("now-published", entry.key, entry.publication.doi, message, proof, bibtex)


def find_open_access(works: Mapping[str, Node], entries: Sequence[ParsedPublication]) -> Iterator[Finding]:
    """
    The free PDF that OpenAlex knows for each entry without a link to one; `works` has its answers by DOI.

    Source: OpenAlex documentation, "Work object", `best_oa_location`.
    """
    for entry in entries:
        publication = entry.publication
        work = works.get(publication.doi.casefold())
        # "PDF", "paper.pdf"
        has_pdf = any("pdf" in f"{link.label} {link.url}".casefold() for link in publication.links)
        if work is None or has_pdf:
            continue

        location = work.child("best_oa_location")
        url = read_text(location, "pdf_url")
        page = read_text(location, "landing_page_url")
        if url.startswith("https://") and url.isprintable():
            message = f"a free PDF exists: pdf = {{{url}}}"
            yield Finding("open-access", entry.key, publication.doi, message, page or url)
