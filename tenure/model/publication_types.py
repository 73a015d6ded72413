"""The name of each publication type in the standards for references; page ranges and publishers."""

import re
from collections.abc import Mapping

from tenure.model.entries import Publication
from tenure.record import Record


class ReferenceType(Record):
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
    venue_tag: str = ""
    genre: str = ""


_CHAPTER_TYPE = ReferenceType("CHAP", "chapter", "Chapter", "citation_inbook_title", "bookitem")
_CONFERENCE_TYPE = ReferenceType(
    "CPAPER", "paper-conference", "ScholarlyArticle", "citation_conference_title", "proceeding"
)
_THESIS_TYPE = ReferenceType("THES", "thesis", "Thesis", "citation_dissertation_institution", "dissertation")
_REPORT_TYPE = ReferenceType("RPRT", "report", "Report", "citation_technical_report_institution", "report")
_BOOK_TYPE = ReferenceType("BOOK", "book", "Book", "", "book")

REFERENCE_TYPES: Mapping[str, ReferenceType] = {
    "article": ReferenceType(
        "JOUR", "article-journal", "ScholarlyArticle", "citation_journal_title", "article"
    ),
    "inproceedings": _CONFERENCE_TYPE,
    "incollection": _CHAPTER_TYPE,
    "inbook": _CHAPTER_TYPE,
    "bookinbook": _CHAPTER_TYPE,
    "inreference": ReferenceType(
        "ENCYC", "entry-encyclopedia", "Chapter", "citation_inbook_title", "bookitem"
    ),
    **dict.fromkeys(("suppbook", "suppcollection"), _CHAPTER_TYPE),
    **dict.fromkeys(("book", "mvbook", "reference", "mvreference", "mvcollection"), _BOOK_TYPE),
    "booklet": ReferenceType("PAMP", "pamphlet", "Book", "", "document"),
    "collection": _BOOK_TYPE,
    "proceedings": ReferenceType("CONF", "book", "Book", "", "conference"),
    "phdthesis": _THESIS_TYPE,
    "mastersthesis": _THESIS_TYPE,
    "thesis": _THESIS_TYPE,
    "techreport": _REPORT_TYPE,
    "report": _REPORT_TYPE,
    "manual": _REPORT_TYPE,
    "patent": ReferenceType("PAT", "patent", "CreativeWork", "", "patent"),
    "software": ReferenceType("COMP", "software", "SoftwareSourceCode"),
    "dataset": ReferenceType("DATA", "dataset", "Dataset"),
    "online": ReferenceType("ELEC", "webpage", "WebPage"),
    "review": ReferenceType("JOUR", "review", "ScholarlyArticle", "citation_journal_title", "article"),
    "suppperiodical": ReferenceType(
        "JOUR", "article-journal", "ScholarlyArticle", "citation_journal_title", "article"
    ),
    "periodical": ReferenceType("SER", "periodical", "Periodical"),
    "artwork": ReferenceType("ART", "graphic", "VisualArtwork"),
    "image": ReferenceType("FIGURE", "graphic", "ImageObject"),
    "movie": ReferenceType("MPCT", "motion_picture", "Movie"),
    "video": ReferenceType("VIDEO", "motion_picture", "VideoObject"),
    "music": ReferenceType("MUSIC", "song", "MusicRecording"),
    "audio": ReferenceType("SOUND", "song", "AudioObject"),
    "performance": ReferenceType("GEN", "performance", "CreativeWork"),
    "letter": ReferenceType("PCOMM", "personal_communication", "Message"),
    "standard": ReferenceType("STAND", "standard", "CreativeWork"),
    "jurisdiction": ReferenceType("CASE", "legal_case", "CreativeWork"),
    "legislation": ReferenceType("STAT", "legislation", "Legislation"),
    "legal": ReferenceType("GEN", "treaty", "CreativeWork"),
    "unpublished": ReferenceType("UNPB", "manuscript", "ScholarlyArticle", "", "preprint"),
}
"""The names by the publication type in BibTeX or biblatex."""

_OTHER_TYPE = ReferenceType("GEN", "document", "CreativeWork")
_PREPRINT_TYPE = ReferenceType("UNPB", "article", "ScholarlyArticle", "", "preprint")
"""The CSL type "article" is for preprints (1.0.2, Appendix III)."""

_FIRST_PAGE = re.compile(r"\s*([^\s,–-]+)")
_LAST_PAGE = re.compile(r"[–-]\s*([^\s,–-]+)\s*$")


def find_reference_type(publication: Publication) -> ReferenceType:
    """The names of a publication's type; a publication that is only on a preprint server is a preprint."""
    if publication.server or (
        publication.kind in ("misc", "online") and publication.eprint and not publication.venue.publisher
    ):
        return _PREPRINT_TYPE
    return REFERENCE_TYPES.get(publication.kind, _OTHER_TYPE)


def split_page_range(pages: str) -> tuple[str, str]:
    """The first and the last page: "151–163" gives ("151", "163"), the article number "e12" gives ("e12", "")."""
    first, last = _FIRST_PAGE.match(pages), _LAST_PAGE.search(pages)
    return (first[1] if first else "", last[1] if last else "")


def publisher_or_institution(publication: Publication) -> str:
    """The organisation of a publication without a venue: the school of a thesis, the institution of a report."""
    return publication.venue.institution or publication.venue.publisher
