"""The name of each publication type in the standards for references."""

from collections.abc import Mapping

from tenure.model.entries import Publication
from tenure.record import Record


class ReferenceType(Record):
    """
    The names of one publication type.

    `ris` is the TY of RIS (Research Information Systems, 2011, Appendix); `csl` the type of CSL 1.0.2, Appendix III;
    `schema` the type of schema.org; `venue` the Highwire tag for the name of the venue, "" if there is none.
    """

    ris: str
    csl: str
    schema: str
    venue_tag: str = ""


_TYPES = """
    article suppperiodical = JOUR article-journal ScholarlyArticle citation_journal_title
    inproceedings = CPAPER paper-conference ScholarlyArticle citation_conference_title
    incollection inbook bookinbook suppbook suppcollection = CHAP chapter Chapter citation_inbook_title
    inreference = ENCYC entry-encyclopedia Chapter citation_inbook_title
    book mvbook reference mvreference mvcollection collection = BOOK book Book
    booklet = PAMP pamphlet Book
    proceedings = CONF book Book
    phdthesis mastersthesis thesis = THES thesis Thesis citation_dissertation_institution
    techreport report manual = RPRT report Report citation_technical_report_institution
    patent = PAT patent CreativeWork
    software = COMP software SoftwareSourceCode
    dataset = DATA dataset Dataset
    online = ELEC webpage WebPage
    review = JOUR review ScholarlyArticle citation_journal_title
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
    unpublished = UNPB manuscript ScholarlyArticle
"""
"""The types of BibTeX and biblatex, each with its names in the order of ReferenceType."""

REFERENCE_TYPES: Mapping[str, ReferenceType] = {
    kind: ReferenceType(*names.split())
    for kinds, _, names in (row.partition(" = ") for row in _TYPES.strip().split("\n"))
    for kind in kinds.split()
}

_OTHER_TYPE = ReferenceType("GEN", "document", "CreativeWork")
_PREPRINT_TYPE = ReferenceType("UNPB", "article", "ScholarlyArticle")
"""The CSL type "article" is for preprints (1.0.2, Appendix III)."""


def find_reference_type(publication: Publication) -> ReferenceType:
    """The names of a publication's type; a publication that is only on a preprint server is a preprint."""
    is_online = publication.kind in ("misc", "online") and not publication.venue.publisher
    if publication.server or (is_online and publication.eprint):
        return _PREPRINT_TYPE
    return REFERENCE_TYPES.get(publication.kind, _OTHER_TYPE)
