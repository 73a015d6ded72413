"""Imports .bib files, for example exports of DBLP, Google Scholar, Zotero, Mendeley and ORCID."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from tenure.importers.bibliography.bibtex_writer import add_bib_file, strip_jekyll_front_matter
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.session import ImportResult, ImportSession
from tenure.importers.source_folder import list_source_files
from tenure.problems import Problems
from tenure.record import replace
from tenure.sources.bibtex.latex import latex_to_text
from tenure.sources.bibtex.reader import CITATION_KEY, read_bibtex
from tenure.sources.publications.names import parse_authors

BIB_SUFFIXES = frozenset({".bib", ".bibtex", ".biblatex"})


def import_bib_files(source: Path) -> ImportResult:
    """Import a .bib file, or all in a folder, to bib/ unchanged; the most frequent author becomes the owner."""
    session = ImportSession(source)
    author_counts: Counter[str] = Counter()
    for path in [source] if source.is_file() else find_bib_files(source):
        text = session.read_source_text(path)
        if text is None:
            continue
        text = strip_jekyll_front_matter(session, session.relative_path(path), text)
        add_bib_file(session, path, text)
        author_counts.update(_list_author_names(text))
    return build_bibliography_result(session, "BibTeX", author_counts)


def build_bibliography_result(
    session: ImportSession, system: str, author_counts: Counter[str]
) -> ImportResult:
    """Return the result with the author of most publications as the owner; of several, the first in alphabetical order."""
    name = min(author_counts, key=lambda name: (-author_counts[name], name), default="")
    result = session.build_result(system, name)
    return replace(result, guessed_from="the most frequent author") if name else result


def find_bib_files(folder: Path) -> list[Path]:
    """Every .bib file below a folder, in a fixed order."""
    return list_source_files(folder, *BIB_SUFFIXES)


def import_shown_bib_files(session: ImportSession, page_suffixes: Sequence[str]) -> None:
    """
    Import the .bib files that the pages name, if the site has no other publications.

    bibtex-js names its file in <bibtex src>, BibBase in a query, Quarto in the front matter. If no page names a file,
    all are imported.
    """
    paths = [path for path in session.find_files("", ".bib") if path.parts[-2] != "markdown_generator"]
    if not paths:
        return
    pages = [
        unquote(path.read_text("utf-8", "replace"))
        for path in session.find_files("", *page_suffixes)
        if session.relative_path(path).count("/") < 3
    ]
    cited_paths = _list_cited_files(paths, pages)
    for path in cited_paths:
        session.skip_file(path, "a bibliography that pages cite, and that no page lists")
    paths = [path for path in paths if path not in cited_paths]
    if session.has_publications:
        return
    named_paths = [
        path for path in paths if any(re.search(rf"(?<![\w-]){re.escape(path.name)}", page) for page in pages)
    ]
    for path in named_paths or paths:
        text = session.read_source_text(path)
        if text:
            text = strip_jekyll_front_matter(session, session.relative_path(path), text)
            add_bib_file(session, path, text)
    for path in paths if named_paths else ():
        if path not in named_paths:
            session.skip_file(path, "a bibliography that no page of the old site shows")


def _list_cited_files(paths: Sequence[Path], pages: Sequence[str]) -> list[Path]:
    """The .bib files with works that a page of Quarto cites, unless a page lists all works of its bibliography with `nocite`."""
    if any(re.search(r"^nocite:", page, re.MULTILINE) for page in pages):
        return []
    cited_keys = {key for page in pages for key in re.findall(r"(?<![\w.\\])@(\w[\w:.+/-]*\w)", page)}
    return [path for path in paths if cited_keys & read_references(path.read_text("utf-8", "replace")).keys()]


def read_references(text: str) -> dict[str, tuple[str, str]]:
    """The authors, with "et al." after the first of three or more, and the year of each entry by its key."""
    references: dict[str, tuple[str, str]] = {}
    for entry in read_bibtex(text, "", Problems()).entries:
        values = {field: latex_to_text(node.text).text for field, node in entry.mapping.items()}
        author_node = entry.mapping.get("author") or entry.mapping.get("editor", EMPTY_NODE)
        people = parse_authors(author_node.text).authors.people
        families = [latex_to_text(person.name.family or person.name.full_name).text for person in people]
        names = " and ".join(families) if len(families) < 3 else f"{families[0]} et al."
        year = (values.get("year") or values.get("date", ""))[:4]
        references[values.get(CITATION_KEY, "")] = (names or values.get("title", ""), year or "n.d.")
    return references


def _list_author_names(text: str) -> list[str]:
    """The full name of every author of every entry, without groups."""
    names: list[str] = []
    for entry in read_bibtex(text, "", Problems()).entries:
        authors = parse_authors(entry.child("author").text).authors.people
        names.extend(latex_to_text(person.name.full_name).text for person in authors if not person.name.group)
    return names
