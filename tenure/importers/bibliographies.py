"""Imports .bib files, for example exports of DBLP, Google Scholar, Zotero, Mendeley and ORCID."""

from collections import Counter
from pathlib import Path

from tenure.counts import number
from tenure.importers.bib_text import entries_in, import_text
from tenure.importers.gathering import Gathering, Imported
from tenure.importers.places import files_of
from tenure.problems import Problems
from tenure.sources.bibtex import read_bibtex
from tenure.sources.latex import to_text
from tenure.sources.people import read_authors

SUFFIXES = frozenset({".bib", ".bibtex", ".biblatex"})


def bibliographies(source: Path) -> Imported:
    """Import a .bib file, or all in a folder, to bib/ unchanged; the most frequent author becomes the owner."""
    gathering = Gathering(source)
    authors: Counter[str] = Counter()
    for path in [source] if source.is_file() else bib_files(source):
        text = gathering.text(path)
        if text is None:
            continue
        text = import_text(gathering, gathering.name_of(path), text)
        gathering.write(f"bib/{path.stem}.bib", text)
        count = sum(1 for _ in entries_in(text))
        gathering.came(gathering.name_of(path), number(count, "entry", "entries"))
        authors.update(_authors(text))
    name = commonest(authors)
    if name:
        gathering.changed(
            "content/profile.yaml",
            f"the most frequent author, {name}, is taken as the owner; --name sets another",
        )
    return gathering.done("BibTeX", name)


def bib_files(folder: Path) -> list[Path]:
    """Every .bib file below a folder, in a fixed order."""
    return [path for path in files_of(folder) if path.suffix.casefold() in SUFFIXES]


def commonest(authors: Counter[str]) -> str:
    """The author of most publications; of several, the first in alphabetical order. "" if there are no authors."""
    return min(authors, key=lambda name: (-authors[name], name), default="")


def _authors(text: str) -> list[str]:
    """The full name of every author of every entry, without groups."""
    found: list[str] = []
    for entry in read_bibtex(text, "", Problems(), {}).entries:
        written = entry.entries.get("author")
        people = read_authors(written.words).authors.people if written is not None else ()
        found.extend(to_text(person.name.full).text for person in people if not person.name.group)
    return found
