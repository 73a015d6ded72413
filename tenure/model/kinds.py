"""The name of each publication type in the standards for references; page ranges and publishers."""

import re
from collections.abc import Mapping

from tenure.frozen import dataclass
from tenure.model.scholar import Publication


@dataclass(frozen=True, slots=True)
class Form:
    """
    The names of one publication type.

    `ris` is the TY of RIS (Research Information Systems, 2011, Appendix); `csl` the type of CSL 1.0.2, Appendix III;
    `schema` the type of schema.org; `venue` the Highwire tag for the name of the venue, "" if there is none;
    `genre` is rft.genre of the OpenURL formats journal and book, or "dissertation", "patent" or "" (Dublin Core)
    for types that those two do not cover (ANSI/NISO Z39.88-2004, matrices of its registry).
    """

    ris: str
    csl: str
    schema: str
    venue: str = ""
    genre: str = ""


_PART = Form("CHAP", "chapter", "Chapter", "citation_inbook_title", "bookitem")
_PAPER = Form("CPAPER", "paper-conference", "ScholarlyArticle", "citation_conference_title", "proceeding")
_THESIS = Form("THES", "thesis", "Thesis", "citation_dissertation_institution", "dissertation")
_REPORT = Form("RPRT", "report", "Report", "citation_technical_report_institution", "report")
_BOOK = Form("BOOK", "book", "Book", "", "book")

FORMS: Mapping[str, Form] = {
    "article": Form("JOUR", "article-journal", "ScholarlyArticle", "citation_journal_title", "article"),
    "inproceedings": _PAPER,
    "incollection": _PART,
    "inbook": _PART,
    "bookinbook": _PART,
    "inreference": Form("ENCYC", "entry-encyclopedia", "Chapter", "citation_inbook_title", "bookitem"),
    "book": _BOOK,
    "mvbook": _BOOK,
    "booklet": Form("PAMP", "pamphlet", "Book", "", "document"),
    "collection": _BOOK,
    "proceedings": Form("CONF", "book", "Book", "", "conference"),
    "phdthesis": _THESIS,
    "mastersthesis": _THESIS,
    "thesis": _THESIS,
    "techreport": _REPORT,
    "report": _REPORT,
    "manual": _REPORT,
    "patent": Form("PAT", "patent", "CreativeWork", "", "patent"),
    "software": Form("COMP", "software", "SoftwareSourceCode"),
    "dataset": Form("DATA", "dataset", "Dataset"),
    "online": Form("ELEC", "webpage", "WebPage"),
    "unpublished": Form("UNPB", "manuscript", "ScholarlyArticle", "", "preprint"),
}
"""The names by the publication type in BibTeX or biblatex."""

_OTHER = Form("GEN", "document", "CreativeWork")
_PREPRINT = Form("UNPB", "article", "ScholarlyArticle", "", "preprint")
"""The CSL type "article" is for preprints (1.0.2, Appendix III)."""

_FIRST = re.compile(r"\s*([^\s,–-]+)")
_LAST = re.compile(r"[–-]\s*([^\s,–-]+)\s*$")


def form_of(paper: Publication) -> Form:
    """The names of a publication's type; a publication that is only on a preprint server is a preprint."""
    if paper.server or (paper.kind in ("misc", "online") and paper.eprint and not paper.venue.publisher):
        return _PREPRINT
    return FORMS.get(paper.kind, _OTHER)


def first_and_last(pages: str) -> tuple[str, str]:
    """The first and the last page: "151–163" gives ("151", "163"), the article number "e12" gives ("e12", "")."""
    first, last = _FIRST.match(pages), _LAST.search(pages)
    return (first[1] if first else "", last[1] if last else "")


def house_of(paper: Publication) -> str:
    """The organisation of a publication without a venue: the school of a thesis, the institution of a report."""
    return paper.venue.institution or paper.venue.publisher
