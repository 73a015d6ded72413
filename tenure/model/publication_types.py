"""The name of each publication type in the standards for references."""

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


_TYPES = """
    article suppperiodical = JOUR article-journal ScholarlyArticle citation_journal_title article
    inproceedings = CPAPER paper-conference ScholarlyArticle citation_conference_title proceeding
    incollection inbook bookinbook suppbook suppcollection = CHAP chapter Chapter citation_inbook_title bookitem
    inreference = ENCYC entry-encyclopedia Chapter citation_inbook_title bookitem
    book mvbook reference mvreference mvcollection collection = BOOK book Book - book
    booklet = PAMP pamphlet Book - document
    proceedings = CONF book Book - conference
    phdthesis mastersthesis thesis = THES thesis Thesis citation_dissertation_institution dissertation
    techreport report manual = RPRT report Report citation_technical_report_institution report
    patent = PAT patent CreativeWork - patent
    software = COMP software SoftwareSourceCode
    dataset = DATA dataset Dataset
    online = ELEC webpage WebPage
    review = JOUR review ScholarlyArticle citation_journal_title article
    periodical = SER periodical Periodical
    artwork = ART graphic VisualArtwork
    image = FIGURE graphic ImageObject
    movie = MPCT motion_picture Movie
    video = VIDEO motion_picture VideoObject
    music = MUSIC song MusicRecording
    audio = SOUND song AudioObject
    performance = GEN performance CreativeWork
    letter = PCOMM personal_communication Message
    standard = STAND standard CreativeWork
    jurisdiction = CASE legal_case CreativeWork
    legislation = STAT legislation Legislation
    legal = GEN treaty CreativeWork
    unpublished = UNPB manuscript ScholarlyArticle - preprint
"""
"""The types of BibTeX and biblatex, each with its names in the order of ReferenceType; "-" for none."""

REFERENCE_TYPES: Mapping[str, ReferenceType] = {
    kind: ReferenceType(*(name.removeprefix("-") for name in names.split()))
    for kinds, _, names in (row.partition(" = ") for row in _TYPES.strip().split("\n"))
    for kind in kinds.split()
}

_OTHER_TYPE = ReferenceType("GEN", "document", "CreativeWork")
_PREPRINT_TYPE = ReferenceType("UNPB", "article", "ScholarlyArticle", "", "preprint")
"""The CSL type "article" is for preprints (1.0.2, Appendix III)."""


def find_reference_type(publication: Publication) -> ReferenceType:
    """The names of a publication's type; a publication that is only on a preprint server is a preprint."""
    is_online = publication.kind in ("misc", "online") and not publication.venue.publisher
    if publication.server or (is_online and publication.eprint):
        return _PREPRINT_TYPE
    return REFERENCE_TYPES.get(publication.kind, _OTHER_TYPE)
