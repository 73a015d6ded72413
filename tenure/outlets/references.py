"""Publications for reference managers: BibTeX, RIS and CSL-JSON."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tenure.model.dates import Date
from tenure.model.entries import together
from tenure.model.kinds import first_and_last, form_of, house_of
from tenure.model.names import Authors, Name
from tenure.model.scholar import Publication
from tenure.outlets.pretty import listed
from tenure.text import plain


def bibtex(papers: Sequence[Publication]) -> str:
    """The entries as in the source, followed by the entries that they inherit from."""
    return together(
        [paper.bibtex for paper in papers], [entry for paper in papers for entry in paper.parents]
    )


def ris(papers: Iterable[Publication]) -> str:
    """
    The publications in RIS format.

    Source: Research Information Systems, "RIS Format Specifications" (2011): two characters, two spaces, a hyphen
    and a space; TY first, ER last; lines end in CR LF; names are "Family, Given, Suffix". RIS has no escapes, so a
    value must be one line.
    """
    return "".join(
        "".join(f"{tag}  - {_one_line(value)}\r\n" for tag, value in _tags(paper) if value) + "ER  - \r\n\r\n"
        for paper in papers
    )


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _tags(paper: Publication) -> Iterator[tuple[str, str]]:
    """Tags and values of one publication, without the final ER; values may be empty."""
    venue, form = paper.venue, form_of(paper)
    first, last = first_and_last(plain(venue.pages))
    yield "TY", form.ris
    yield "ID", paper.key
    yield "TI", plain(paper.title)
    yield from (("AU", _indexed(author.name)) for author in paper.authors.people)
    yield from (("A2", _indexed(editor.name)) for editor in paper.editors.people)
    yield "T2", plain(venue.name)
    yield "J2", _short(paper)
    yield "T3", plain(venue.series)
    if paper.date and paper.date.year:
        yield "PY", f"{paper.date.year:04d}"
        if paper.date.month:
            day = f"{paper.date.day:02d}" if paper.date.day else ""
            yield "DA", f"{paper.date.year:04d}/{paper.date.month:02d}/{day}/"
    yield "VL", plain(venue.volume)
    yield "IS", plain(venue.number)
    yield "SP", first
    yield "EP", last
    yield "ET", plain(venue.edition)
    yield "PB", plain(venue.publisher or venue.institution) or _unnamed_server(paper)
    yield "CY", plain(venue.location)
    yield "DO", paper.doi
    yield "UR", _url(paper)
    yield from (("KW", plain(tag)) for tag in paper.tags)
    yield "AB", plain(paper.abstract)
    yield "N1", " ".join(part for part in (paper.status, plain(paper.note)) if part)


def _indexed(name: Name) -> str:
    """A name in RIS order, with the suffix last: "Steele, Guy L., Jr."."""
    if name.group:
        return name.group
    last = " ".join(part for part in (name.von, name.family) if part)
    return ", ".join(part for part in (last, name.given, name.suffix) if part)


def _short(paper: Publication) -> str:
    """Short name of the venue without its year: "SOSP" for "SOSP '24"."""
    return re.sub(r"\s*(?:['’]\d\d|(?:19|20)\d\d)$", "", plain(paper.venue.short))


def _unnamed_server(paper: Publication) -> str:
    """Name of the preprint server if the publication has no venue, otherwise ""."""
    return "" if paper.venue.name else paper.server


def _url(paper: Publication) -> str:
    """URL of a publication: its own, its DOI, its arXiv page or its first web link; "" if it has none."""
    if paper.url:
        return paper.url
    if paper.doi:
        return f"https://doi.org/{paper.doi}"
    if paper.eprint:
        return f"https://arxiv.org/abs/{paper.eprint}"
    return next((link.url for link in paper.links if link.url.startswith("http")), "")


def csl_json(items: Sequence[Mapping[str, Any]]) -> str:
    """
    A list of CSL-JSON items as text.

    Source: Citation Style Language, "CSL 1.0.2 Specification", Appendix IV, and its schema csl-data.json.
    """
    return listed(items) + "\n"


def csl_item(paper: Publication) -> dict[str, Any]:
    """A publication as a CSL-JSON item without empty values."""
    venue, form = paper.venue, form_of(paper)
    item = {
        "id": paper.key or paper.id,
        "type": form.csl,
        "title": plain(paper.title),
        "author": _people(paper.authors),
        "editor": _people(paper.editors),
        "issued": _issued(paper.date),
        "container-title": plain(venue.name),
        "container-title-short": _short(paper),
        "collection-title": plain(venue.series),
        "volume": plain(venue.volume),
        ("number" if form.csl in ("report", "patent") else "issue"): plain(venue.number),
        "page": plain(venue.pages).replace("–", "-"),
        "edition": plain(venue.edition),
        "publisher": plain(house_of(paper) if form.csl in ("thesis", "report") else venue.publisher)
        or _unnamed_server(paper),
        "publisher-place" if form.csl in ("book", "chapter") else "event-place": plain(venue.location),
        "abstract": plain(paper.abstract),
        "keyword": ", ".join(plain(tag) for tag in paper.tags),
        "note": plain(paper.note),
        "status": paper.status,
        "DOI": paper.doi,
        "URL": _url(paper),
    }
    return {name: value for name, value in item.items() if value}


def _people(authors: Authors) -> list[dict[str, str]]:
    return [_person(author.name) for author in authors.people]


def _person(name: Name) -> dict[str, str]:
    if name.group:
        return {"literal": name.group}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.von,
        "suffix": name.suffix,
    }
    return {part: words for part, words in parts.items() if words}


def _issued(date: Date | None) -> dict[str, Any]:
    if date is None or date.year is None:
        return {"literal": date.words} if date and date.words else {}
    parts = [
        date.year,
        *([date.month] if date.month else []),
        *([date.day] if date.month and date.day else []),
    ]
    issued: dict[str, Any] = {"date-parts": [parts]}
    return issued | ({"circa": True} if date.approximate else {})
