"""Writes publications that another system stores one by one: to BibTeX, and the rest to content/publications.yaml."""

import re
from collections.abc import Iterable, Mapping

from tenure.importers.bib_text import BibWriter
from tenure.importers.gathering import Entry, Gathering
from tenure.model.names import Name, abbreviates, fold, name_key, spellings
from tenure.problems import Problems
from tenure.sources.bibtex import KEY, read_bibtex
from tenure.sources.latex import to_text
from tenure.sources.people import read_authors
from tenure.sources.tree import Node
from tenure.text import slug

HOUSES = re.compile(
    r"\b(?:proceedings|proc\.|conference|workshop|symposium|congress|meeting|colloquium|neurips|icml|iclr|cvpr|aaai|acl|chi)\b",
    re.IGNORECASE,
)
PREPRINTS = re.compile(
    r"\b(?:ar[xX]iv|bio[rR]xiv|med[rR]xiv|[pP]syArXiv|preprint|SSRN|working paper)\b", re.IGNORECASE
)
THESES = re.compile(r"\b(?:thesis|dissertation|doctoral|habilitation)\b", re.IGNORECASE)
VENUE_OF: Mapping[str, str] = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "inbook": "booktitle",
    "book": "publisher",
    "phdthesis": "school",
    "mastersthesis": "school",
    "techreport": "institution",
}
"""The BibTeX field of the venue for each entry type; "howpublished" for other types."""


PRIVATE = frozenset(
    {
        "file",
        "abstract",
        "keywords",
        "owner",
        "timestamp",
        "bdsk-url-1",
        "bdsk-url-2",
        "date-added",
        "date-modified",
    }
)
"""Fields for a reference manager's own use, and fields that are imported from elsewhere."""


def entry_in(text: str) -> Node | None:
    """Return the first BibTeX entry that can be read, or None."""
    return next(iter(read_bibtex(text, "", Problems(), {}).entries), None)


def _without_dates(given: Mapping[str, str], fields: Mapping[str, str]) -> dict[str, str]:
    """Return the source fields without the date fields if `fields` already has a date."""
    when = ("year", "month", "date", "day") if fields.get("date") else ()
    return {name: value for name, value in given.items() if name not in when}


def kind_of(venue: str, title: str = "") -> str:
    """Guess the BibTeX entry type from the venue and the title; "misc" without a venue."""
    if THESES.search(venue) or re.search(
        r"(?:ph\.?d|master|bachelor|doctoral)\S* thesis", title, re.IGNORECASE
    ):
        return (
            "mastersthesis"
            if re.search(r"master|bachelor|m\.?sc", f"{venue} {title}", re.IGNORECASE)
            else "phdthesis"
        )
    if not venue or PREPRINTS.search(venue):
        return "misc"
    return "inproceedings" if HOUSES.search(venue) else "article"


class Works:
    """Collects the publications of one source and writes them to bib/ and content/."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self._bib = BibWriter()
        self._more: list[Entry] = []
        self._authors: list[str] = []
        self.keys: dict[str, str] = {}

    def add(  # noqa: PLR0913 - one argument for each property of a publication
        self,
        kind: str,
        fields: Mapping[str, str],
        more: Entry,
        place: str,
        *,
        raw: Node | None = None,
        name: str = "",
        key: str = "",
    ) -> str:
        """
        Add a publication and return its key.

        `fields` are BibTeX fields with Markdown values; `overlay` is its entry in content/publications.yaml;
        `bibtex_entry` has the same data in LaTeX; `name` is its name in other documents of the source.
        """
        given = {one: node.words for one, node in raw.entries.items() if one[0] != "@"} if raw else {}
        written = {key: value for key, value in given.items() if key not in PRIVATE}
        key = key or (raw.entries[KEY].words if raw else "")
        made = self._bib.add(kind, fields, key=key, raw=_without_dates(written, fields))
        self._authors.append(fields.get("author") or written.get("author", ""))
        entry = {name: value for name, value in more.items() if value}
        if entry:
            self._more.append({"key": made, **entry})
        self.keys[(name or made).casefold()] = made
        self.gathering.came(place, f"publications: {made}")
        return made

    def write(self) -> None:
        """Write the added publications, and the owner's aliases among their authors to the profile."""
        self._bib.write(self.gathering)
        owner = str(self.gathering.profile.get("name", ""))
        found = aliases(owner, self._authors) if owner else []
        if found:
            self.gathering.profile["aliases"] = found
            told = f"recognized as {owner} among the authors: {'; '.join(found)}"
            self.gathering.changed("content/profile.yaml", told)
        if self._more:
            self.gathering.put_list("publications", self._more)


def page_of(key: str) -> str:
    """Return the URL of the page of a publication."""
    return f"/publications/{slug(key) or 'entry'}/"


def aliases(owner: str, fields: Iterable[str]) -> list[str]:
    """Return author names with the owner's family name and initial, if no other author of the entry is the owner."""
    (name,) = spellings(owner, ()) or (Name(),)
    found: dict[str, None] = {}
    for field in fields:
        people = [author.name for author in read_authors(field).authors.people if not author.name.group]
        if any(name_key(one) == name_key(name) or abbreviates(one, name) for one in people):
            continue
        alike = [
            one
            for one in people
            if name_key(one)[0] == name_key(name)[0] and fold(one.given)[:1] == fold(name.given)[:1]
        ]
        if len(alike) == 1 and alike[0].given:
            found[to_text(alike[0].full).text] = None
    return list(found)
