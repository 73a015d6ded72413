"""Metadata for reference managers: Highwire tags on the page of a publication, COinS in lists."""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from urllib.parse import quote

from tenure.markdown.html import plain_text
from tenure.model.entries import Publication
from tenure.model.names import Name
from tenure.presentation.record import PaperRecord, format_index_name, make_record

TYPES_WITHOUT_VENUE_TAG = ("book", "webpage", "software", "dataset")
"""Types of CSL that get no tag for the venue, because Zotero would take them for articles."""

COINS_FORMATS: Mapping[str, str] = {
    "": "dc", "article": "journal", "preprint": "journal", "dissertation": "dissertation", "patent": "patent",
}  # fmt: skip
"""The OpenURL format by rft.genre; other genres are of the format "book"."""


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


def format_coins(publication: Publication) -> str:
    """
    A publication as an OpenURL ContextObject, for the title of a `<span class="Z3988">`.

    Sources: ANSI/NISO Z39.88-2004 with the formats of its registry; ocoins.info.
    """
    record = make_record(publication)
    texts, genre = record.texts, record.form.genre
    format_name = COINS_FORMATS.get(genre, "book")
    has_pages = format_name in ("journal", "book")
    fields = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", f"info:ofi/fmt:kev:mtx:{format_name}"),
        ("rfr_id", "info:sid/tenure"),
        ("rft.genre", genre if has_pages else ""),
    ]
    if format_name == "journal" or genre in ("proceeding", "bookitem"):
        container_key = "rft.jtitle" if format_name == "journal" else "rft.btitle"
        fields += [("rft.atitle", texts["title"]), (container_key, texts["name"])]
    else:
        fields.append(("rft.btitle" if format_name == "book" else "rft.title", texts["title"]))
    creator_key = "rft.creator" if format_name == "dc" else "rft.au"
    creators = publication.authors.people or publication.editors.people
    fields += [(creator_key, highwire_name(creator.name)) for creator in creators]
    fields.append(("rft.date", texts["date"]))
    if has_pages:
        fields += [("rft.volume", texts["volume"]), ("rft.issue", texts["number"])]
        fields += [("rft.spage", texts["first_page"]), ("rft.epage", texts["last_page"])]
        fields.append(("rft.pub", texts["publisher"]))
    fields.append(("rft.inst", texts["organization"] if format_name == "dissertation" else ""))
    fields.append(("rft_id", f"info:doi/{texts['doi']}" if texts["doi"] else ""))
    return "&".join(f"{name}={_percent_encode(value)}" for name, value in fields if value)


_percent_encode = lru_cache(4096)(partial(quote, safe=""))
"""Percent-encode a value; cached, because most publications share venues, formats and co-authors."""
