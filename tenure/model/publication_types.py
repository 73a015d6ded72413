"""The types of publications: what each is, and its name in the standards for references."""

import re
from collections.abc import Mapping

from tenure.model.entries import Publication
from tenure.record import Record


class ReferenceType(Record):
    """
    The names of one publication type.

    `ris` is the TY of RIS (Research Information Systems, 2011, Appendix); `csl` the type of CSL 1.0.2,
    Appendix III; `schema` the type of schema.org; `venue_tag` the Highwire tag for the name of the venue, ""
    if there is none.
    """

    ris: str
    csl: str
    schema: str
    venue_tag: str = ""


_TYPES = """
    article = article plain preprint | JOUR article-journal ScholarlyArticle citation_journal_title
    suppperiodical = article | JOUR article-journal ScholarlyArticle citation_journal_title
    review = article | JOUR review ScholarlyArticle citation_journal_title
    inproceedings = part plain preprint | CPAPER paper-conference ScholarlyArticle citation_conference_title
    incollection = part chapter plain preprint | CHAP chapter Chapter citation_inbook_title
    inbook bookinbook = part chapter | CHAP chapter Chapter citation_inbook_title
    suppbook suppcollection = part chapter | CHAP chapter Chapter citation_inbook_title
    inreference = part chapter | ENCYC entry-encyclopedia Chapter citation_inbook_title
    book = book whole plain | BOOK book Book
    mvbook mvcollection collection = book whole | BOOK book Book
    reference mvreference = whole | BOOK book Book
    booklet = whole genre | PAMP pamphlet Book
    proceedings mvproceedings = book whole | CONF book Book
    periodical = book whole | SER periodical Periodical
    phdthesis mastersthesis thesis = thesis whole genre | THES thesis Thesis citation_dissertation_institution
    techreport report = report whole genre preprint | RPRT report Report citation_technical_report_institution
    manual = whole genre | RPRT report Report citation_technical_report_institution
    unpublished = unpublished plain genre preprint | UNPB manuscript ScholarlyArticle
    misc = unpublished plain genre preprint | GEN document CreativeWork
    online = unpublished plain genre preprint | ELEC webpage WebPage
    patent = genre | PAT patent CreativeWork
    software = - | COMP software SoftwareSourceCode
    dataset = - | DATA dataset Dataset
    artwork = - | ART graphic VisualArtwork
    image = - | FIGURE graphic ImageObject
    movie = - | MPCT motion_picture Movie
    video = - | VIDEO motion_picture VideoObject
    music = - | MUSIC song MusicRecording
    audio = - | SOUND song AudioObject
    performance = - | GEN performance CreativeWork
    letter = - | PCOMM personal_communication Message
    standard = - | STAND standard CreativeWork
    jurisdiction = - | CASE legal_case CreativeWork
    legislation = - | STAT legislation Legislation
    legal = - | GEN treaty CreativeWork
"""
"""The types of BibTeX and biblatex, the traits of each, and its names in the order of ReferenceType."""

_ROWS = [re.split("[=|]", row) for row in _TYPES.strip().split("\n")]

REFERENCE_TYPES: Mapping[str, ReferenceType] = {
    kind: ReferenceType(*names.split()) for kinds, _, names in _ROWS for kind in kinds.split()
}


def _select_types(trait: str) -> frozenset[str]:
    return frozenset(kind for kinds, traits, _ in _ROWS if trait in traits.split() for kind in kinds.split())


ARTICLES = _select_types("article")
"""Types that are part of a journal, whose volume and number are written “12(3)”."""

BOOKS = _select_types("book")
"""Types that other works are part of; their own title may stand in `booktitle`."""

WHOLE_WORKS = _select_types("whole")
"""Types that are in no other work: their `pages` are the number of their pages, if they are no range."""

PARTS = _select_types("part")
"""Types that are part of a book or of proceedings, “In …”: `booktitle` takes precedence over `journal`."""

CHAPTERS = _select_types("chapter")
"""Types that are part of a book, whose editors and place each list shows."""

THESES = _select_types("thesis")
REPORTS = _select_types("report")

UNPUBLISHED = _select_types("unpublished")
"""Types of a work that only its number or its server shows to be a preprint."""

PUBLISHED = ARTICLES | PARTS | BOOKS
"""Types of the published version of a preprint."""

POSSIBLE_PREPRINTS = _select_types("preprint")
"""Types that programs give to a preprint, with the server in a field of the venue."""

WITH_GENRE = _select_types("genre")
"""Types that are described by their genre: “Working paper”."""

WITHOUT_LABEL = _select_types("plain")
"""Types without a label such as “Ph.D. thesis” in the venue line."""

VENUE_FIELDS: Mapping[str, str] = {
    **dict.fromkeys(ARTICLES, "journal"),
    **dict.fromkeys(PARTS, "booktitle"),
    **dict.fromkeys(THESES, "school"),
    **dict.fromkeys(REPORTS, "institution"),
    "book": "publisher",
}
"""The BibTeX field of the venue for each type; "howpublished" for other types."""

TYPE_ALIASES: Mapping[str, str] = {
    "conference": "inproceedings",
    "draft": "unpublished",
    "electronic": "online",
    "preprint": "misc",
    "webpage": "online",
    "website": "online",
    "www": "online",
}
"""Old names of types (biblatex manual, section 2.1.2, "Type Aliases"), and those that people make up."""

_PREPRINT_TYPE = ReferenceType("UNPB", "article", "ScholarlyArticle")
"""The CSL type "article" is for preprints (1.0.2, Appendix III)."""


def find_reference_type(publication: Publication) -> ReferenceType:
    """The names of a publication's type; a publication that is only on a preprint server is a preprint."""
    is_online = publication.kind in ("misc", "online") and not publication.venue.publisher
    if publication.server or (is_online and publication.eprint):
        return _PREPRINT_TYPE
    return REFERENCE_TYPES.get(publication.kind, REFERENCE_TYPES["misc"])
