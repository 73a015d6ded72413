"""Metadata for reference managers: Highwire tags on the page of a publication."""

from collections.abc import Iterator
from functools import lru_cache

from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.names import Name
from tenure.presentation.paper_record import PaperRecord, format_index_name

TYPES_WITHOUT_VENUE_TAG = ("book", "webpage", "software", "dataset")
"""Types of CSL that get no tag for the venue, because Zotero would take them for articles."""


def highwire_tags(publication: Publication, record: PaperRecord, site_url: str) -> Iterator[tuple[str, str]]:
    """
    The names and contents of the `citation_…` tags; `site_url` has no slash at its end, and may be "".

    Source: Google Scholar, "Inclusion Guidelines for Webmasters": title, authors and date are required; the
    date is Y/M/D or the year alone; a PDF is named only if it is in the folder of the page.
    """
    texts = record.texts
    date = publication.date
    is_in_book = record.form.csl in ("chapter", "paper-conference")
    is_report = record.form.csl == "report"

    yield "citation_title", texts["title"]
    yield from _people_tags(publication)
    if date and date.year:
        month_and_day = f"/{date.month}/{date.day}" if date.month and date.day else ""
        yield "citation_publication_date", f"{date.year}{month_and_day}"
    yield from _venue_tags(record)
    yield "citation_volume", texts["volume"]
    if not is_report:
        yield "citation_issue", texts["number"]
    yield "citation_firstpage", texts["first_page"]
    yield "citation_lastpage", texts["last_page"]
    if is_in_book:
        yield "citation_series_title", texts["series"]
    yield "citation_publisher", texts["publisher"]
    yield "citation_doi", texts["doi"]
    yield "citation_arxiv_id", texts["eprint"]
    yield "citation_keywords", "; ".join(record.keywords)
    yield "citation_abstract", texts["abstract"]
    if site_url and texts["pdf"]:
        yield "citation_pdf_url", f"{site_url}{texts['pdf']}"


def _people_tags(publication: Publication) -> Iterator[tuple[str, str]]:
    """The authors, each before the institutions where they work, then the editors."""
    for author in publication.authors.people:
        yield "citation_author", highwire_name(author.name)
        for affiliation in publication.affiliations:
            if author in affiliation.select_authors(publication.authors):
                yield "citation_author_institution", plain_text(affiliation.name)
    # compilers and others who are in place of editors have no tag
    if not publication.editor_role:
        for editor in publication.editors.people:
            yield "citation_editor", highwire_name(editor.name)


def _venue_tags(record: PaperRecord) -> Iterator[tuple[str, str]]:
    """The only tag with the venue: Zotero's "Embedded Metadata" takes the type from the last one."""
    form = record.form
    name = record.texts["name"]
    if form.csl in ("thesis", "report"):
        name = record.texts["organization"] or name
    if name and form.csl not in TYPES_WITHOUT_VENUE_TAG:
        yield form.venue_tag or "citation_journal_title", name
        if form.csl == "report":
            yield "citation_technical_report_number", record.texts["number"]


@lru_cache(4096)
def highwire_name(name: Name) -> str:
    """
    A name in the form of Highwire tags: "Steele, Guy L., Jr.".

    Zotero splits a tag into several people if its comma has a space on both sides of the name; a no-break
    space keeps "van der Berg, Jo Ann" one person.
    """
    text = format_index_name(name)
    if name.group and "," in text:
        return text.replace(" ", "\u00a0")
    if name.group:
        return text
    family_name, comma, given_name = text.partition(", ")
    if " " in given_name:
        family_name = family_name.replace(" ", "\u00a0")
    return f"{family_name}{comma}{given_name}"
