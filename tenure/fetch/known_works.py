"""The works that a site knows: by DOI, by arXiv number, and by title with first author."""

import re
from collections.abc import Iterable, Iterator

from tenure.markdown.html import plain_text
from tenure.model.entries import Profile
from tenure.model.names import fold_text
from tenure.problems import Problems
from tenure.sources.bibtex.reader import read_bibtex
from tenure.sources.publications.collect import decode_bib_entries
from tenure.sources.publications.lint import ParsedPublication, list_identity_keys

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
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
        return decode_bib_entries(read_bibtex(text, "", Problems(), {}).entries, self.profile)

    def find_work(
        self, dois: Iterable[str] = (), arxiv: str = "", title: str = ""
    ) -> ParsedPublication | None:
        """The entry with one of these DOIs, this arXiv number, or this title."""
        return self._find(_work_keys(dois, arxiv, title))

    def find_same_work(self, entry: ParsedPublication) -> ParsedPublication | None:
        """The entry of the same work: same DOI or arXiv number, or same title and first author."""
        publication = entry.publication
        return self._find(
            [*_work_keys([publication.doi], publication.eprint), *list_identity_keys(publication)]
        )

    def _find(self, identity_keys: Iterable[str]) -> ParsedPublication | None:
        return next((self._index[key] for key in identity_keys if key in self._index), None)


def title_key(title: str) -> str:
    """The letters and digits of a title; "" for a short one."""
    folded_title = fold_text(plain_text(title)).replace(" ", "")
    return f"title {folded_title}" if len(folded_title) > MIN_TITLE_LENGTH else ""


def _work_keys(dois: Iterable[str], arxiv: str, title: str = "") -> Iterator[str]:
    for doi in dois:
        arxiv_doi = _ARXIV_DOI.fullmatch(doi)
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
