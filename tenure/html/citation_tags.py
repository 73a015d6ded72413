"""Metadata for reference managers: Highwire tags on the page of a publication, COinS in lists."""

from collections.abc import Iterator
from functools import lru_cache, partial
from urllib.parse import quote

from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.names import Name
from tenure.model.publication_types import (
    ReferenceType,
    find_reference_type,
    publisher_or_institution,
    split_page_range,
)

KEV_FORMAT_PREFIX = "info:ofi/fmt:kev:mtx:"
REFERRER_ID = "tenure"


def highwire_tags(publication: Publication, site_url: str) -> Iterator[tuple[str, str]]:
    """
    The names and contents of the `citation_…` tags; `site_url` is the site's URL without its last slash, or "".

    Source: Google Scholar, "Inclusion Guidelines for Webmasters": title, authors and date are required; the date is Y/M/D
    or the year alone; a PDF is named only if it is in the folder of the page. Only one tag names the venue, because Zotero's
    "Embedded Metadata" takes the type of the publication from the last one.
    """
    venue, form = publication.venue, find_reference_type(publication)
    first_page, last_page = split_page_range(plain_text(venue.pages))
    yield "citation_title", plain_text(publication.title)
    for author in publication.authors.people:
        yield "citation_author", highwire_name(author.name)
        for affiliation in publication.affiliations:
            if author in affiliation.select_authors(publication.authors):
                yield "citation_author_institution", plain_text(affiliation.name)
    editors = publication.editors.people if not publication.editor_role else ()
    yield from (("citation_editor", highwire_name(editor.name)) for editor in editors)
    if publication.date and publication.date.year:
        month, day = publication.date.month, publication.date.day
        month_and_day = f"/{month}/{day}" if month and day else ""
        yield "citation_publication_date", f"{publication.date.year}{month_and_day}"
    yield from _venue_tags(publication, form)
    yield "citation_volume", plain_text(venue.volume)
    yield "citation_issue", plain_text(venue.number) if form.csl != "report" else ""
    yield "citation_firstpage", first_page
    yield "citation_lastpage", last_page
    is_part = form.csl in ("chapter", "paper-conference")
    yield "citation_series_title", plain_text(venue.series) if is_part else ""
    yield "citation_publisher", plain_text(venue.publisher)
    yield "citation_doi", publication.doi
    yield "citation_arxiv_id", publication.eprint
    yield "citation_keywords", "; ".join(plain_text(tag) for tag in publication.tags)
    yield "citation_abstract", plain_text(publication.abstract)
    pdf = find_own_pdf(publication)
    yield "citation_pdf_url", f"{site_url}{pdf}" if site_url and pdf else ""


def _venue_tags(publication: Publication, form: ReferenceType) -> Iterator[tuple[str, str]]:
    """The one tag for the venue, and the number of a report."""
    institution = publisher_or_institution(publication) if form.csl in ("thesis", "report") else ""
    name = plain_text(institution or publication.venue.name)
    if name and form.venue_tag:
        yield form.venue_tag, name
        if form.csl == "report":
            yield "citation_technical_report_number", plain_text(publication.venue.number)
    elif name and form.csl not in ("book", "webpage", "software", "dataset"):
        yield "citation_journal_title", name


def find_own_pdf(publication: Publication) -> str:
    """The path of the PDF in the folder of the publication's page, or ""."""
    folder = f"/publications/{publication.id}/"
    urls_in_folder = (link.url for link in publication.links if link.url.startswith(folder))
    return next((url for url in urls_in_folder if url.partition("#")[0].casefold().endswith(".pdf")), "")


def highwire_name(name: Name) -> str:
    """
    A name in the form of Highwire tags: "Steele, Guy L., Jr.".

    Zotero splits a tag into several people if its comma has a space on both sides of the name; a no-break space keeps
    "van der Berg, Jo Ann" one person.
    """
    if name.group:
        return name.group.replace(" ", "\u00a0") if "," in name.group else name.group
    family_name = name.family_with_particle
    given_and_suffix = ", ".join(part for part in (name.given, name.suffix) if part)
    if " " in given_and_suffix:
        family_name = family_name.replace(" ", "\u00a0")
    return ", ".join(part for part in (family_name, given_and_suffix) if part)


def format_coins(publication: Publication) -> str:
    """
    A publication as an OpenURL ContextObject, for the title of a `<span class="Z3988">`.

    Sources: ANSI/NISO Z39.88-2004 with the formats of its registry; ocoins.info.
    """
    venue, form = publication.venue, find_reference_type(publication)
    is_journal = form.genre in ("article", "preprint")
    format_name = "journal" if is_journal else form.genre if form.genre in ("dissertation", "patent") else ""
    format_name = format_name or ("book" if form.genre else "dc")
    first_page, last_page = split_page_range(plain_text(venue.pages))
    fields = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", f"{KEV_FORMAT_PREFIX}{format_name}"),
        ("rfr_id", f"info:sid/{REFERRER_ID}"),
    ]
    if format_name in ("journal", "book"):
        fields.append(("rft.genre", form.genre))
    fields += _title_fields(publication, format_name, form)
    creator_key = "rft.creator" if format_name == "dc" else "rft.au"
    fields += [
        (creator_key, highwire_name(author.name))
        for author in (publication.authors.people or publication.editors.people)
    ]
    if publication.date and publication.date.iso:
        fields.append(("rft.date", publication.date.iso))
    if format_name in ("journal", "book"):
        fields += [("rft.volume", plain_text(venue.volume)), ("rft.issue", plain_text(venue.number))]
        fields += [("rft.spage", first_page), ("rft.epage", last_page)]
        fields += [("rft.pub", plain_text(venue.publisher))]
    if format_name == "dissertation":
        fields.append(("rft.inst", plain_text(publisher_or_institution(publication))))
    if publication.doi:
        fields.append(("rft_id", f"info:doi/{publication.doi}"))
    return "&".join(f"{name}={_percent_encode(value)}" for name, value in fields if value)


_percent_encode = lru_cache(4096)(partial(quote, safe=""))
"""Percent-encode a value; cached, because most publications share venues, formats and co-authors."""


def _title_fields(
    publication: Publication, format_name: str, form: ReferenceType
) -> Iterator[tuple[str, str]]:
    title, venue_name = plain_text(publication.title), plain_text(publication.venue.name)
    if format_name == "journal":
        yield "rft.atitle", title
        yield "rft.jtitle", venue_name
    elif format_name == "book" and form.genre in ("proceeding", "bookitem"):
        yield "rft.atitle", title
        yield "rft.btitle", venue_name
    elif format_name == "book":
        yield "rft.btitle", title
    else:
        yield "rft.title", title
