"""Publications for reference managers: BibTeX, RIS and CSL-JSON."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tenure.model.dates import Date
from tenure.model.entries import Publication
from tenure.presentation.paper_record import format_index_name, make_csl_item, make_record

PEOPLE_TAGS: Mapping[str, str] = {"": "A2", "compiler": "A2", "translator": "A4"}
"""
Tags of RIS by role; people with other roles are tertiary authors, A3.

Source: Research Information Systems, "RIS Format Specifications" (2011): A2 secondary author, as the editor;
A3 tertiary author; A4 subsidiary author, as the translator.
"""

TEXT_TAGS = """
    T2 name, J2 short, T3 series, PY year, DA day, VL volume, IS number, SP first_page, EP last_page,
    ET edition, NV volumes, SE chapter, M3 genre, PB issuer, CY location, SN book_numbers, ST short_title,
    LA language, DO doi, UR url
"""
"""The tags of RIS with the names of their texts in the record."""

_STRING_MACRO = re.compile(r"@string\{.*\}\n")


def make_bibtex(papers: Sequence[Publication]) -> str:
    """
    The entries as in the source, then the entries that they inherit from, each once, with their macros.

    Source: Patashnik, "BibTeXing" (1988), section 2.2, item 5: an entry must come after those that
    cross-reference it.
    """
    parents = dict.fromkeys(entry for paper in papers for entry in paper.parents)
    entries = (paper.bibtex for paper in papers if paper.bibtex not in parents)
    defined_macros: set[str] = set()
    blocks: list[str] = []

    for entry_text in (*entries, *parents):
        # the macros of an entry stand before it
        entry = entry_text
        while macro := _STRING_MACRO.match(entry):
            entry = entry[macro.end() :]
            if macro[0] not in defined_macros:
                defined_macros.add(macro[0])
                blocks.append(macro[0])
        if entry.strip():
            blocks.append(entry)
    return "\n".join(blocks)


def make_ris(papers: Iterable[Publication]) -> str:
    """
    The publications in RIS format.

    Source: Research Information Systems, "RIS Format Specifications" (2011): two characters, two spaces, a
    hyphen and a space; TY first, ER last; lines end in CR LF; names are "Family, Given, Suffix". RIS has no
    escapes, so a value must be one line.
    """
    lines: list[str] = []
    for paper in papers:
        lines += [f"{tag}  - {' '.join(value.split())}" for tag, value in _ris_fields(paper) if value]
        lines += ["ER  - ", ""]
    return "".join(f"{line}\r\n" for line in lines)


def _ris_fields(paper: Publication) -> Iterator[tuple[str, str]]:
    """Tags and values of one publication, without the final ER; values may be empty."""
    record = make_record(paper)
    texts = {**record.texts, "edition": record.texts["edition"] or record.texts["version"]}
    texts["book_numbers"] = ", ".join(filter(None, (texts["isbn"], texts["issn"])))
    texts["year"], texts["day"] = _format_ris_date(paper.date)

    yield "TY", record.form.ris
    yield "ID", paper.key
    yield "TI", texts["title"]
    yield from (("AU", format_index_name(author.name)) for author in paper.authors.people)
    for role, people in record.people:
        tag = PEOPLE_TAGS.get(role, "A3")
        yield from ((tag, format_index_name(person.name)) for person in people.people)
    for row in TEXT_TAGS.split(","):
        tag, name = row.split()
        yield tag, texts[name]
    yield from (("KW", keyword) for keyword in record.keywords)
    yield "AB", texts["abstract"]
    yield "N1", f"{texts['status']} {texts['note']}".strip()


def _format_ris_date(date: Date | None) -> tuple[str, str]:
    """The year, and year, month and day if the month is known: "2024", "2024/09/05/" or "2024/09//"."""
    if not date or not date.year:
        return "", ""
    year = f"{date.year:04d}"
    if not date.month:
        return year, ""
    day = f"{date.day:02d}" if date.day else ""
    return year, f"{year}/{date.month:02d}/{day}/"


def make_csl_json(papers: Iterable[Publication]) -> str:
    """
    The publications as CSL-JSON.

    Source: Citation Style Language, "CSL 1.0.2 Specification", Appendix IV, and its schema csl-data.json.
    """
    return f"{format_json_list([make_csl_item(paper) for paper in papers])}\n"


def format_json_list(items: Sequence[Any], margin: str = "") -> str:
    """A JSON list with one item a line, so that a diff is short; `margin` is before its last line."""
    if not items:
        return "[]"
    lines = ",\n".join(f"{margin}  {json.dumps(item, ensure_ascii=False)}" for item in items)
    return f"[\n{lines}\n{margin}]"
