"""The PDFs of papers that no line names, each with the entry to which its name belongs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from tenure.model.entries import Publication
from tenure.model.files import PAPER_FOLDER, name_paper_file
from tenure.problems import Problems
from tenure.publish import Artifact

TITLE_WORDS = 3
"""So many words of a title are in the name of a file, which a program may have cut: those of four letters."""


def report_unnamed_pdfs(
    unlinked_files: Iterable[Artifact],
    optional_files: Sequence[Artifact],
    named_sources: frozenset[str],
    publications: Sequence[Publication],
    problems: Problems,
) -> None:
    """
    List each PDF in bib/ and content/papers/ that no line names, with the line to write.

    `unlinked_files` are those of content/, which are published; `optional_files` are those of bib/, which are
    not. `named_sources` are the sources of the files that something names.
    """
    published = [file for file in unlinked_files if is_paper_file(file)]
    unnamed = [
        file for file in optional_files if is_paper_file(file) and file.source.file not in named_sources
    ]
    for file in (*published, *unnamed):
        state = "published" if file in published else "not published"
        keys = [*find_owner_keys(PurePosixPath(file.path).stem, publications)]
        hint = "write pdf = {" + file.path.removeprefix("bib/") + "} into the entry to which it belongs"
        if len(keys) == 1:
            hint = f"{hint}; by its name, that is {keys[0]}"
        problems.report("unlinked-file", file.source, f"no line names this PDF, and it is {state}", hint)


def is_paper_file(file: Artifact) -> bool:
    """Whether a file is a PDF in bib/ or content/papers/."""
    folder = file.source.file.rpartition("/")[0]
    return file.path.casefold().endswith(".pdf") and (
        folder.partition("/")[0] == "bib" or folder == f"content/{PAPER_FOLDER}"
    )


def find_owner_keys(stem: str, publications: Sequence[Publication]) -> Iterator[str]:
    """
    The keys of the publications to which a file may belong, by its name.

    pan2025, 10.1145-3600006.3613163, or "Pan et al. - 2025 - Prefix caching for hybrid models" of Zotero
    """
    squashed = _squash(stem)
    for paper in publications:
        is_key = stem.casefold() == name_paper_file(paper.key).casefold()
        is_doi = bool(paper.doi) and _squash(paper.doi) in squashed
        if is_key or is_doi or _has_author_year_title(squashed, paper):
            yield paper.key


def _has_author_year_title(squashed: str, paper: Publication) -> bool:
    """Whether the name of a file has the first author, the year and the first words of a title."""
    if not paper.date or not paper.authors.people:
        return False
    family = _squash(paper.authors.people[0].name.family)
    words = [word for word in map(_squash, paper.title.split()) if len(word) > 3][:TITLE_WORDS]
    parts = [family, str(paper.date.year), *words]
    return bool(family and words) and all(part in squashed for part in parts)


def _squash(text: str) -> str:
    """Pan et al. - 2025 -> panetal2025"""
    return re.sub(r"\W|_", "", text).casefold()
