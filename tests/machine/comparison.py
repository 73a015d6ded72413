"""Reads the real bibliographies in a folder beside the repository as the bibliographies of a site, and compares the results."""

import html
import os
import re
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import second_opinion
from conftest import ROOT

from tenure.model.entries import Publication
from tenure.problems import Problem, Problems
from tenure.sources.bibtex.reader import SOURCE_KEY, ParsedBibFile, inherit_fields, read_bib_files
from tenure.sources.publications.publication import build_publication
from tenure.sources.reading.files import read_source_text
from tenure.sources.reading.node import Node

OPEN = ROOT.parent / "shared" / "corpus" / "open"
SUFFIXES = frozenset({".bib", ".bibtex", ".biblatex"})
LARGEST = int(os.environ.get("CORPUS_LARGEST", "100000"))
"""The size limit in bytes for .bib files of parsers' test suites; the larger files only test speed."""

SWITCHES = frozenset({"", "true", "false", "yes", "no", "null"})
"""The values of a URL field with which a theme only asks whether a link exists, and a value that says that there is none."""

LOST = ("is left out", "this is not a BibTeX entry")
"""The ends of messages about an entry that is not shown."""


def list_folders() -> list[str]:
    """Return the folder of every repository that has a bibliography."""
    result = (path.relative_to(OPEN).parts for path in OPEN.rglob("*") if path.suffix in SUFFIXES)
    return sorted({"/".join(parts[:2]) for parts in result})


def find_bibliographies(folder: str) -> Iterator[Path]:
    """Yield the bibliographies of a repository in a fixed order."""
    for path in sorted((OPEN / folder).rglob("*")):
        fits = not folder.startswith("testsuite/") or path.stat().st_size <= LARGEST
        if path.suffix in SUFFIXES and path.is_file() and fits:
            yield path


@dataclass
class Comparison:
    """The counts and differences of the bibliographies of a repository, by check, as "file:line field"."""

    shown: int = 0
    compared: int = 0
    counted: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def add_difference(self, check: str, place: object, words: str = "") -> None:
        self.wrong.setdefault(check, []).append(f"{place} {words}".strip())


@cache
def compare_folder(folder: str) -> Comparison:
    """Read the files of a repository as one bibliography, and return all its counts and differences; each is read once."""
    comparison = Comparison()
    problems = Problems()
    texts: dict[str, str] = {}
    for path in find_bibliographies(folder):
        name = path.relative_to(OPEN).as_posix()
        text = _read_text(path, name, problems)
        if text is None:
            if not any(problem.place.file == name for problem in problems.sorted_problems()):
                comparison.add_difference("counts", name, "is not read, and that is not reported")
        else:
            texts[name] = text
    books = read_bib_files(texts, problems)
    nodes = [node for book in books.values() for node in book.entries]
    papers = [build_publication(node, (), problems) for node in inherit_fields(nodes, problems)]
    reported = problems.sorted_problems()
    for name, book in books.items():
        _check_counts(
            texts[name],
            name,
            book,
            [problem for problem in reported if problem.place.file == name],
            comparison,
        )
    _compare_entries(nodes, papers, reported, comparison)
    return comparison


def _compare_entries(
    nodes: Sequence[Node], papers: Sequence[Publication], reported: Sequence[Problem], comparison: Comparison
) -> None:
    """Compare each entry that was read with the second parser; entries that are reported as broken are ignored."""
    broken = {(p.place.file, p.place.line) for p in reported if p.code == "bib-syntax"}
    doubted = {(p.place.file, p.place.line) for p in reported if p.code == "bib-bad-value"}
    for node, paper in zip(nodes, papers, strict=True):
        source, place = node.mapping[SOURCE_KEY].text, node.place
        lines = {(place.file, place.line + i) for i in range(source.count("\n") + 1)}
        fields = None if lines & broken else second_opinion.parse_fields(source)
        comparison.compared += fields is not None
        if fields is None and not lines & broken:
            comparison.add_difference("silent", place)
        _compare_fields(node, fields or {}, comparison)
        _check_publication(node, paper, fields or {}, comparison, reported=bool(lines & doubted))


def _read_text(path: Path, name: str, problems: Problems) -> str | None:
    """Return the text of a file, decoded as a file in bib/ of a site, whatever its suffix."""
    if path.suffix == ".bib":
        return read_source_text(path, name, problems)
    with tempfile.TemporaryDirectory() as folder:
        called = Path(folder, "x.bib")
        called.write_bytes(path.read_bytes())
        return read_source_text(called, name, problems)


def _check_counts(
    text: str, name: str, book: ParsedBibFile, reported: Sequence[Problem], comparison: Comparison
) -> None:
    """Check that every entry is shown or reported, and that as many entries are found as lines begin an entry."""
    lost = sum(problem.message.endswith(LOST) for problem in reported)
    comparison.shown += len(book.entries)
    if book.entry_count != len(book.entries) + lost:
        comparison.add_difference(
            "counts", name, f"{book.entry_count} found, {len(book.entries)} shown, {lost} reported"
        )
    started = sum(1 for _ in second_opinion.find_heads(text))
    if started != book.entry_count:
        comparison.counted[name] = book.entry_count - started


def _compare_fields(node: Node, fields: Mapping[str, str], comparison: Comparison) -> None:
    """Check that every field of a valid entry is read unchanged."""
    for written, value in fields.items():
        name = written.removeprefix("@")  # BibTeX stops at the sign, and Tenure reads the field
        received = node.mapping[name].text if name in node.mapping else ""
        if received.split() != value.split():
            comparison.add_difference("fields", node.place, name)


def _check_publication(
    node: Node, paper: Publication, fields: Mapping[str, str], comparison: Comparison, *, reported: bool
) -> None:
    """Check that the URLs and the words of the title are in the publication."""
    urls = {_remove_braces(link.url) for link in paper.links} | {_remove_braces(paper.image)}
    for name, value in fields.items():
        expected = second_opinion.clean_url(value).replace("%20", "")
        if not second_opinion.ADDRESSES.fullmatch(name) or reported or expected.casefold() in SWITCHES:
            continue
        arrived = expected in urls or f"https://{expected}" in urls or f"https://doi.org/{expected}" in urls
        arrived = arrived or _is_same_identifier(expected, paper) or _is_text(expected, paper)
        if not arrived and (name != "doi" or second_opinion.clean_doi(value) != _remove_braces(paper.doi)):
            comparison.add_difference("addresses", node.place, name)
    text = " ".join(map(_remove_markup, (paper.venue.name, paper.note, paper.venue.publisher))).replace(
        " ", ""
    )
    for name in ("howpublished", "note"):
        for written in re.findall(r"\\url\s*\{([^{}]*)\}", fields.get(name, "")):
            expected = second_opinion.clean_url(written)
            if expected not in text and expected not in urls and not _is_same_identifier(expected, paper):
                comparison.add_difference("addresses", node.place, f"in {name}")
    title, at = _remove_markup(paper.title), 0
    for word in second_opinion.list_words(re.sub(r"</?[a-zA-Z][^>]*>", "", fields.get("title", ""))):
        at = title.find(unicodedata.normalize("NFC", word), at)
        if at < 0:
            comparison.add_difference("titles", node.place)
            break


def _is_same_identifier(address: str, paper: Publication) -> bool:
    """Return whether a URL contains the DOI, or the number at arXiv or HAL, that the paper already has."""
    written = unquote(address).casefold()
    identifiers = [paper.doi, paper.eprint.partition("v")[0]]
    identifiers += [
        part
        for link in paper.links
        for part in re.findall(r"(?:doi\.org/|arxiv\.org/\w+/|hal\.science/)(.+)", link.url)
    ]
    return any(identifier and unquote(identifier).casefold() in written for identifier in identifiers)


def _is_text(address: str, paper: Publication) -> bool:
    """Return whether the page shows a URL as text because it is not a valid link."""
    texts = "".join(html.unescape(fact.text) for fact in paper.facts)
    return address in "".join(texts.split()) or any(
        part and part in {_remove_braces(link.url) for link in paper.links}
        for part in re.split(r"(?=https?://)", address)
    )


def _remove_braces(address: str) -> str:
    """Return a URL without braces and spaces, also those written as %20."""
    return re.sub(r"\s|%20|[{}]", "", address)


def _remove_markup(markdown: str) -> str:
    """Return Markdown without its escapes and tags."""
    text = re.sub(r"</?(?:em|i|b|strong|sub|sup|u|code|span)\b[^>]*>|\\(?=[^\w\s])|\*", "", markdown)
    return html.unescape(text)
