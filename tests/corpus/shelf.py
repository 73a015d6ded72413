"""The real bibliographies that lie beside the repository, read as those of a site are."""

import html
import re
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import second_opinion
from conftest import ROOT

from tenure.model.scholar import Publication
from tenure.problems import Problem, Problems
from tenure.sources.bibliography import publication
from tenure.sources.bibtex import KIND, SOURCE, Bibliography, read_bibtex
from tenure.sources.files import read_text
from tenure.sources.tree import Node

CORPUS = ROOT.parent / "shared" / "corpus"
OPEN = CORPUS / "open"
SUFFIXES = frozenset({".bib", ".bibtex", ".biblatex"})
LARGEST = 100_000
"""Files of parsers' test suites above so many bytes are left out: they are large for the sake of their size."""


def folders() -> list[str]:
    """Every repository with a bibliography, by its folder."""
    found = (path.relative_to(OPEN).parts for path in OPEN.rglob("*") if path.suffix in SUFFIXES)
    return sorted({"/".join(parts[:2]) for parts in found})


def bibliographies(folder: str) -> Iterator[Path]:
    """The bibliographies of a repository, in a fixed order."""
    for path in sorted((OPEN / folder).rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            if not folder.startswith("testsuite/") or path.stat().st_size <= LARGEST:
                yield path


@dataclass
class Findings:
    """What the bibliographies of a repository gave, and what went wrong, by check, as "file:line field"."""

    files: int = 0
    unread: int = 0
    found: int = 0
    shown: int = 0
    compared: int = 0
    seconds: float = 0.0
    told: Counter[str] = field(default_factory=Counter)
    counted: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, check: str, place: object, words: str = "") -> None:
        self.wrong.setdefault(check, []).append(f"{place} {words}".strip())


@cache
def read(folder: str) -> Findings:
    """Everything that the tests ask of a repository; it is read once."""
    findings = Findings()
    for path in bibliographies(folder):
        name = path.relative_to(OPEN).as_posix()
        try:
            _read_file(path, name, findings)
        except Exception as error:
            error.add_note(f"while reading {name}")
            raise
    return findings


def _read_file(path: Path, name: str, findings: Findings) -> None:
    problems = Problems()
    start = time.perf_counter()
    text = _text(path, name, problems)
    bibliography = Bibliography((), 0) if text is None else read_bibtex(text, name, problems)
    papers = [publication(node, (), f"n{i}", problems) for i, node in enumerate(bibliography.entries)]
    told = problems.told()
    findings.seconds += time.perf_counter() - start
    findings.files += 1
    findings.found += bibliography.found
    findings.shown += len(papers)
    findings.told.update(problem.code for problem in told)
    if text is None:
        findings.unread += 1
        if [problem.level for problem in told] != ["error"]:
            findings.fault("counts", name, "is not read, and that is not told")
        return
    _count(text, name, bibliography, told, findings)
    faulty = {problem.place.line for problem in told if problem.code == "bib-syntax"}
    doubtful = {problem.place.line for problem in told if problem.code == "bad-address"}
    for node, paper in zip(bibliography.entries, papers, strict=True):
        source = node.entries[SOURCE].words
        lines = {*range(node.place.line, node.place.line + source.count("\n") + 1)}
        fields = {} if lines & faulty else second_opinion.fields(source)
        findings.compared += bool(fields)
        _compare(node, fields, findings)
        _follow(node, paper, fields, findings, told=bool(lines & doubtful))


def _text(path: Path, name: str, problems: Problems) -> str | None:
    """A file's text as a site's bib/ gives it, whatever the file is called."""
    if path.suffix == ".bib":
        return read_text(path, name, problems)
    with tempfile.TemporaryDirectory() as folder:
        called = Path(folder, "x.bib")
        called.write_bytes(path.read_bytes())
        return read_text(called, name, problems)


def _count(
    text: str, name: str, bibliography: Bibliography, told: tuple[Problem, ...], findings: Findings
) -> None:
    lost = sum(problem.message.endswith("is left out") for problem in told)
    if bibliography.found != len(bibliography.entries) + lost:
        findings.fault(
            "counts", name, f"{bibliography.found} found, {len(bibliography.entries)} shown, {lost} told"
        )
    by_signs = sum(1 for _ in second_opinion.heads(text))
    if by_signs != bibliography.found:
        findings.counted[name] = bibliography.found - by_signs


def _compare(node: Node, fields: dict[str, str], findings: Findings) -> None:
    """Whether every field of a healthy entry is read as it is written."""
    for name, value in fields.items():
        got = node.entries[name].words if name in node.entries else ""
        if got.split() != value.split():
            findings.fault("fields", node.place, name)


def _follow(
    node: Node, paper: Publication, fields: dict[str, str], findings: Findings, *, told: bool
) -> None:
    """Whether addresses and the words of the title reach the publication."""
    urls = {_bare(link.url) for link in paper.links} | {_bare(paper.image)}
    for name, value in fields.items():
        if second_opinion.ADDRESSES.fullmatch(name) and not told:
            wanted = second_opinion.address(value)
            if name == "doi":
                arrived = second_opinion.doi(value) == paper.doi.replace("{", "").replace("}", "")
            else:
                arrived = wanted in urls or f"https://{wanted}" in urls
            if wanted.casefold() not in ("", "true", "false", "yes", "no") and not arrived:
                findings.fault("addresses", node.place, name)
    text = " ".join(map(_plain, (paper.venue.name, paper.note, paper.venue.publisher)))
    for name in ("howpublished", "note"):
        for written in re.findall(r"\\url\s*\{([^{}]*)\}", fields.get(name, "")):
            if second_opinion.address(written) not in text.replace(" ", ""):
                findings.fault("addresses", node.place, f"{name} (in its text)")
    title, at = _plain(paper.title), 0
    for word in second_opinion.words(fields.get("title", "")):
        at = title.find(unicodedata.normalize("NFC", word), at)
        if at < 0:
            findings.fault("titles", node.place)
            break


def _bare(address: str) -> str:
    return "".join(address.split()).replace("{", "").replace("}", "")


def _plain(markdown: str) -> str:
    """Markdown without its escapes and tags."""
    text = re.sub(r"</?(?:em|i|b|strong|sub|sup|u|code|span)\b[^>]*>|\\(?=[^\w\s])|\*", "", markdown)
    return html.unescape(text)


def table(sheets: dict[str, Findings]) -> str:
    """What was read, by kind of repository, and what was told of it."""
    kinds = sorted({folder.partition("/")[0] for folder in sheets})
    lines = [f"{'':14}{'files':>7}{'entries':>9}{'shown':>8}{'unread':>8}{'seconds':>9}"]
    for kind in (*kinds, ""):
        rows = [sheet for folder, sheet in sheets.items() if folder.startswith(kind)]
        numbers = [sum(getattr(row, name) for row in rows) for name in ("files", "found", "shown", "unread")]
        seconds = sum(row.seconds for row in rows)
        lines.append(
            f"{kind or 'all':14}{numbers[0]:7}{numbers[1]:9}{numbers[2]:8}{numbers[3]:8}{seconds:9.2f}"
        )
    lines += ["", f"{'told':26}" + "".join(f"{kind[:11]:>13}" for kind in kinds)]
    codes = sorted({code for sheet in sheets.values() for code in sheet.told})
    for code in codes:
        told = [sum(s.told[code] for f, s in sheets.items() if f.startswith(kind)) for kind in kinds]
        lines.append(f"{code:26}" + "".join(f"{number:13}" for number in told))
    return "\n".join(lines) + "\n"
