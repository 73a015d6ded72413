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
    The names and contents of the `citation_…` tags; `site_url` is the site's URL without its last slash, or "".

    Source: Google Scholar, "Inclusion Guidelines for Webmasters": title, authors and date are required; the date is Y/M/D
    or the year alone; a PDF is named only if it is in the folder of the page. Only one tag names the venue, because Zotero's
    "Embedded Metadata" takes the type of the publication from the last one.
    """
    form, texts, date = record.form, record.texts, publication.date
    yield "citation_title", texts["title"]
    for author in publication.authors.people:
        yield "citation_author", highwire_name(author.name)
        for affiliation in publication.affiliations:
            if author in affiliation.select_authors(publication.authors):
                yield "citation_author_institution", plain_text(affiliation.name)
    for editor in publication.editors.people if not publication.editor_role else ():
        yield "citation_editor", highwire_name(editor.name)
    if date and date.year:
        month_and_day = f"/{date.month}/{date.day}" if date.month and date.day else ""
        yield "citation_publication_date", f"{date.year}{month_and_day}"
    venue_name = texts["name"]
    if form.csl in ("thesis", "report"):
        venue_name = texts["organization"] or venue_name
    if venue_name and form.csl not in TYPES_WITHOUT_VENUE_TAG:
        yield form.venue_tag or "citation_journal_title", venue_name
        yield "citation_technical_report_number", texts["number"] if form.csl == "report" else ""
    yield "citation_volume", texts["volume"]
    yield "citation_issue", texts["number"] if form.csl != "report" else ""
    yield "citation_firstpage", texts["first_page"]
    yield "citation_lastpage", texts["last_page"]
    yield "citation_series_title", texts["series"] if form.csl in ("chapter", "paper-conference") else ""
    yield "citation_publisher", texts["publisher"]
    yield "citation_doi", texts["doi"]
    yield "citation_arxiv_id", texts["eprint"]
    yield "citation_keywords", "; ".join(record.keywords)
    yield "citation_abstract", texts["abstract"]
    yield "citation_pdf_url", f"{site_url}{texts['pdf']}" if site_url and texts["pdf"] else ""


@lru_cache(4096)
def highwire_name(name: Name) -> str:
    """
    A name in the form of Highwire tags: "Steele, Guy L., Jr.".

    Zotero splits a tag into several people if its comma has a space on both sides of the name; a no-break space keeps
    "van der Berg, Jo Ann" one person.
    """
    text = format_index_name(name)
    if name.group:
        return text.replace(" ", "\u00a0") if "," in text else text
    family_name, comma, given_name = text.partition(", ")
    if " " in given_name:
        family_name = family_name.replace(" ", "\u00a0")
    return f"{family_name}{comma}{given_name}"
