"""Metadata for reference managers: Highwire tags on the page of a publication, COinS in lists."""

from collections.abc import Iterator
from functools import lru_cache, partial
from urllib.parse import quote

from tenure.model.kinds import Form, first_and_last, form_of, house_of
from tenure.model.names import Name
from tenure.model.scholar import Publication
from tenure.text import plain

KEV = "info:ofi/fmt:kev:mtx:"
HOST = "tenure"


def highwire(paper: Publication, root: str) -> Iterator[tuple[str, str]]:
    """
    The names and contents of the `citation_…` tags; `site_url` is the site's URL without its last slash, or "".

    Source: Google Scholar, "Inclusion Guidelines for Webmasters": title, authors and date are required; the date is Y/M/D
    or the year alone; a PDF is named only if it is in the folder of the page. Only one tag names the venue, because Zotero's
    "Embedded Metadata" takes the type of the publication from the last one.
    """
    venue, form = paper.venue, form_of(paper)
    first, last = first_and_last(plain(venue.pages))
    yield "citation_title", plain(paper.title)
    yield from (("citation_author", indexed(author.name)) for author in paper.authors.people)
    yield from (("citation_editor", indexed(editor.name)) for editor in paper.editors.people)
    if paper.date and paper.date.year:
        month, day = paper.date.month, paper.date.day
        whole = f"/{month}/{day}" if month and day else ""
        yield "citation_publication_date", f"{paper.date.year}{whole}"
    yield from _where(paper, form)
    yield "citation_volume", plain(venue.volume)
    yield "citation_issue", plain(venue.number) if form.csl != "report" else ""
    yield "citation_firstpage", first
    yield "citation_lastpage", last
    yield "citation_series_title", plain(venue.series) if form.csl in ("chapter", "paper-conference") else ""
    yield "citation_publisher", plain(venue.publisher)
    yield "citation_doi", paper.doi
    yield "citation_arxiv_id", paper.eprint
    yield "citation_keywords", "; ".join(plain(tag) for tag in paper.tags)
    yield "citation_abstract", plain(paper.abstract)
    pdf = own_pdf(paper)
    yield "citation_pdf_url", f"{root}{pdf}" if root and pdf else ""


def _where(paper: Publication, form: Form) -> Iterator[tuple[str, str]]:
    """The one tag for the venue, and the number of a report."""
    institution = form.csl in ("thesis", "report")
    name = plain(house_of(paper) or paper.venue.name) if institution else plain(paper.venue.name)
    if name and form.venue:
        yield form.venue, name
        if form.csl == "report":
            yield "citation_technical_report_number", plain(paper.venue.number)
    elif name and form.csl not in ("book", "webpage", "software", "dataset"):
        yield "citation_journal_title", name


def own_pdf(paper: Publication) -> str:
    """The path of the PDF in the folder of the publication's page, or ""."""
    folder = f"/publications/{paper.id}/"
    beside = (link.url for link in paper.links if link.url.startswith(folder))
    return next((url for url in beside if url.partition("#")[0].casefold().endswith(".pdf")), "")


def indexed(name: Name) -> str:
    """
    A name in the form of Highwire tags: "Steele, Guy L., Jr.".

    Zotero splits a tag into several people if its comma has a space on both sides of the name; a no-break space keeps
    "van der Berg, Jo Ann" one person.
    """
    if name.group:
        return name.group.replace(" ", "\u00a0") if "," in name.group else name.group
    last = " ".join(part for part in (name.von, name.family) if part)
    rest = ", ".join(part for part in (name.given, name.suffix) if part)
    if " " in last and " " in rest:
        last = last.replace(" ", "\u00a0")
    return f"{last}, {rest}" if last and rest else last or rest


def coins(paper: Publication) -> str:
    """
    A publication as an OpenURL ContextObject, for the title of a `<span class="Z3988">`.

    Sources: ANSI/NISO Z39.88-2004 with the formats of its registry; ocoins.info.
    """
    venue, form = paper.venue, form_of(paper)
    journal = form.genre in ("article", "preprint")
    format_name = "journal" if journal else form.genre if form.genre in ("dissertation", "patent") else ""
    format_name = format_name or ("book" if form.genre else "dc")
    first, last = first_and_last(plain(venue.pages))
    fields = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", f"{KEV}{format_name}"),
        ("rfr_id", f"info:sid/{HOST}"),
    ]
    if format_name in ("journal", "book"):
        fields.append(("rft.genre", form.genre))
    fields += _titles(paper, format_name, form)
    creator = "rft.creator" if format_name == "dc" else "rft.au"
    fields += [(creator, indexed(author.name)) for author in (paper.authors.people or paper.editors.people)]
    if paper.date and paper.date.iso:
        fields.append(("rft.date", paper.date.iso))
    if format_name in ("journal", "book"):
        fields += [("rft.volume", plain(venue.volume)), ("rft.issue", plain(venue.number))]
        fields += [("rft.spage", first), ("rft.epage", last), ("rft.pub", plain(venue.publisher))]
    if format_name == "dissertation":
        fields.append(("rft.inst", plain(house_of(paper))))
    if paper.doi:
        fields.append(("rft_id", f"info:doi/{paper.doi}"))
    return "&".join(f"{name}={_quoted(value)}" for name, value in fields if value)


_quoted = lru_cache(4096)(partial(quote, safe=""))
"""Percent-encode a value; cached, because most publications share venues, formats and co-authors."""


def _titles(paper: Publication, format_name: str, form: Form) -> Iterator[tuple[str, str]]:
    title, house = plain(paper.title), plain(paper.venue.name)
    if format_name == "journal":
        yield "rft.atitle", title
        yield "rft.jtitle", house
    elif format_name == "book" and form.genre in ("proceeding", "bookitem"):
        yield "rft.atitle", title
        yield "rft.btitle", house
    elif format_name == "book":
        yield "rft.btitle", title
    else:
        yield "rft.title", title
