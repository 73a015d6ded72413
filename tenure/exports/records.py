"""
The exported files of a site: an export format is a row in model/export_formats.py and its function here.

A function gets the texts of a site by a `SiteTextConverter`, and its pages by a `Plan`. The formats of
reference managers are here: BibTeX, RIS and CSL-JSON.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from tenure.exports import feeds, json_resume
from tenure.exports.cv import text
from tenure.exports.plain_text import SiteTextConverter, format_json_list
from tenure.model.dates import Date
from tenure.model.entries import Publication
from tenure.model.site import Site
from tenure.plan.pages import Plan
from tenure.plan.site_exports import SiteExports
from tenure.presentation.paper_record import format_index_name, make_csl_item, make_record
from tenure.problems import Place
from tenure.publish import Artifact

EXPORT_WRITERS: Mapping[str, Callable[[SiteTextConverter, Plan], str]] = {
    "bibtex": lambda converter, _: make_bibtex(converter.site.publications),
    "ris": lambda converter, _: make_ris(converter.site.publications),
    "csl-json": lambda converter, _: make_csl_json(converter.site.publications),
    "text": text.make_text_cv,
    "json-resume": lambda converter, _: json_resume.make_json_resume(converter),
    "calendar": lambda converter, _: feeds.make_calendar(converter),
    "atom": feeds.make_atom_feed,
    "llms": feeds.make_llms_txt,
}
"""The function of each format."""


def make_export_files(site: Site, plan: Plan) -> Iterator[Artifact]:
    """Write the files of all configured formats."""
    for path, source, write in list_export_files(site, plan):
        yield Artifact(path, write().encode("utf-8", "replace"), source)


def list_export_files(site: Site, plan: Plan) -> Iterator[tuple[str, Place, Callable[[], str]]]:
    """
    The path, the source and the writer of each file; one with the same name in content/ replaces it.

    For another language than the main one, only the files that are translated are written, to its folder.
    """
    exports = SiteExports.for_site(site)
    converter = SiteTextConverter.for_site(site)
    for name, export_format in exports.list_formats(plan):
        path = export_format.file.path
        if path not in site.files and (export_format.is_translated or not plan.folder):
            write = partial(EXPORT_WRITERS[name], converter, plan)
            yield f"{plan.folder}{path}", Place("site.yaml"), write

    # the BibTeX of a single publication has no language
    if plan.folder:
        return
    for publication in site.publications:
        for file in exports.files_of_publication(publication):
            yield file.path, publication.source, partial(make_bibtex, [publication])


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
"""@string{caches = {Caches}}, on a line of its own before an entry."""


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
    """Tags and values of one publication, "TY" and "JOUR", without the final ER; values may be empty."""
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
