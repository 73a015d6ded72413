"""
What a heading of a CV means: "Ausbildung" -> education.

headings.txt has the phrases of seven languages; the labels of the translations are added to them.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tenure.problems import Problems
from tenure.sources.reading.files import parse_yaml
from tenure.sources.theme.theme_settings import PACKAGED_THEMES

MAX_HEADING = 70
"""Characters of a heading; a longer line is a text."""

MAX_CLAUSE = 3
"""The words of a clause of a heading with commas: "Honors, Awards, and Grants"."""

_LABELS = ("education", "experience", "awards", "talks", "teaching", "service", "projects", "publications")
_NUMBER = re.compile(
    r"""
    ^(?:
    \d{1,2}(?:\.\d{1,2})+[.)]?\s+            # 5.1. Books
    | (?:\d{1,2}|[IVX]{1,4}|[A-H])[.)]\s+    # II. Education
    | [一二三四五六七八九十]+、\s*
    )
    """,
    re.VERBOSE,
)
"""A number that is typed before a heading: "5.1. ", "II) ", "B. ", "三、"."""

NO_NUMBER = 9
"""More than the parts of any number of a heading."""


def clean_heading(text: str) -> str:
    """A heading in one line without its number and its colon: "II. EDUCATION:" -> "EDUCATION"."""
    return _NUMBER.sub("", " ".join(text.split())).strip(" :：.-–—_*|")


def count_number_parts(text: str) -> int:
    """The parts of the number that is typed before a heading: "5.1. Books" -> 2, "Books" -> NO_NUMBER."""
    number = _NUMBER.match(text.strip())
    return len(re.findall(r"\w+", number[0])) if number else NO_NUMBER


@cache
def read_heading(text: str) -> Mapping[str, str]:
    """What a heading means, by language: "Publications" -> {en: papers, fr: papers}; {} if it is unknown."""
    # "Talks (selection)" -> talks
    words = re.sub(r"\s*\([^()]*\)$", "", clean_heading(text)).casefold()
    # "PhD, 2019" and "I study lamps. Also wool" are no headings
    if not words or len(words) > MAX_HEADING or re.search(r"\d|[;.] ", words):
        return {}

    # "honors, awards, and grants" has the meaning of its first clause if each clause is known, and short;
    # "Rome, and talks" has none
    clauses = [re.sub(r"^(?:and|und|et|y|e|&) ", "", part) for part in re.split(r"\s*[,/]\s*", words)]
    if len(clauses) > 1:
        for clause in clauses:
            if len(clause.split()) > MAX_CLAUSE or not _find_meanings(clause):
                return {}
    return _find_meanings(clauses[0])


def _find_meanings(words: str) -> Mapping[str, str]:
    """
    The meanings of a phrase by language: "lehre" -> {de: teaching}; the first row of a language decides.
    """
    found: dict[str, str] = {}
    for language, kind, pattern in _read_phrases():
        if language not in found and pattern.fullmatch(words):
            found[language] = kind
    return found


@cache
def _read_phrases() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """
    The languages, the kinds and the patterns, those of the labels first.

    "de teaching: lehre; lehre *" -> ("de", "teaching", lehre|lehre(?: .*)?)
    """
    rows = [*_read_labels()]
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        head, colon, phrases = line.partition(": ")
        if colon and not line.startswith("#"):
            rows.append((head[:2], head[3:], phrases))
    return tuple((language, kind, _build_pattern(phrases)) for language, kind, phrases in rows)


def _read_labels() -> Iterator[tuple[str, str, str]]:
    """The labels of the sections and the pages of each translation."""
    for path in sorted((PACKAGED_THEMES / "base" / "translations").glob("*.yaml")):
        node = parse_yaml(path.read_text("utf-8"), path.name, Problems())
        labels = node.mapping if node is not None else {}
        for name in _LABELS:
            kind = "papers" if name == "publications" else name
            texts = (labels[key].text for key in (f"section_{name}", f"page_{name}") if key in labels)
            yield path.stem, kind, "; ".join(texts).casefold()


def _build_pattern(phrases: str) -> re.Pattern[str]:
    """A pattern of phrases: "talks; * talks; talks *; beruf*" -> talks|(?:.* )?talks|talks(?: .*)?|beruf.*"""
    # re.escape writes "\ " for a space and "\*" for the star
    pattern = re.escape(phrases).replace(r";\ ", "|")
    pattern = pattern.replace(r"\*\ ", "(?:.* )?").replace(r"\ \*", "(?: .*)?").replace(r"\*", ".*")
    return re.compile(pattern)
