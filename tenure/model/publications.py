"""
Publications: what each type is, with its name in the standards for references; and the URLs of a publication.

The URLs are those of its links and its image, and those in its texts.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tenure.model.entries import Markdown, Media, Publication, PublicationFact
from tenure.model.links import Url
from tenure.problems import Place, Problems
from tenure.record import Record, replace


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
    """The types of publications that have a trait in the table above."""
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


TEXT_FIELDS = ("title", "abstract", "note", "genre")
VENUE_TEXT_FIELDS = ("name", "series", "publisher", "institution", "location")
"""Fields of a publication and of its venue with Markdown from a .bib file."""

_TEXT_LINK = r"\[((?:[^\[\]\\]|\\.)*)\]\(<([^<>\n]*)>\)"
"""A link as it is decoded from LaTeX: brackets in its label are escaped, and its URL is in angle brackets."""

UrlResolver = Callable[[Url], Url]
"""Returns the URL to link; "" removes the link."""

LineRange = tuple[Place, int]
"""The first line of an entry in its source, and the number of its lines."""


def list_publication_urls(publication: Publication) -> Iterator[Url]:
    """
    The URLs of the links, of the images and videos, and in the texts of a publication.

    A link in a text is written [label](<url>).
    """
    yield from (link.url for link in publication.links)
    for medium in (*publication.media, *publication.compare):
        yield from filter(None, (medium.file, medium.poster))
    if publication.image:
        yield publication.image
    texts = [getattr(publication, name) for name in TEXT_FIELDS]
    texts += [getattr(publication.venue, name) for name in VENUE_TEXT_FIELDS]
    for text in (*texts, *publication.awards, *(fact.text for fact in publication.facts)):
        if "](<" in text:
            yield from (Url(match[2]) for match in re.finditer(_TEXT_LINK, text))


def resolve_publication_urls(publication: Publication, resolve_url: UrlResolver) -> Publication:
    """
    A publication with every URL resolved; a removed link becomes a fact, one in a text leaves its label.

    `resolve_url` returns "" for a URL to remove. An image or video without its file is dropped.
    """

    def resolve_match(match: re.Match[str]) -> str:
        url = resolve_url(Url(match[2]))
        return f"[{match[1]}](<{url}>)" if url else match[1]

    def resolve_text(text: Markdown) -> Markdown:
        if "](<" not in text:
            return text
        return Markdown(re.sub(_TEXT_LINK, resolve_match, text))

    def resolve_medium(medium: Media) -> Media:
        poster = medium.poster and resolve_url(medium.poster)
        return replace(medium, file=resolve_url(medium.file), poster=poster)

    def resolve_media(media: tuple[Media, ...]) -> tuple[Media, ...]:
        return tuple(medium for medium in map(resolve_medium, media) if medium.file)

    venue = publication.venue
    venue_texts = {name: resolve_text(getattr(venue, name)) for name in VENUE_TEXT_FIELDS}
    links = [(link, resolve_url(link.url)) for link in publication.links]
    facts = [replace(fact, text=resolve_text(fact.text)) for fact in publication.facts]
    facts += [PublicationFact(link.label, escape_text(link.url)) for link, url in links if not url]

    return replace(
        publication,
        links=tuple(replace(link, url=url) for link, url in links if url),
        facts=tuple(facts),
        image=publication.image and resolve_url(publication.image),
        media=resolve_media(publication.media),
        compare=resolve_media(publication.compare),
        awards=tuple(map(resolve_text, publication.awards)),
        venue=replace(venue, **venue_texts),
        **{name: resolve_text(getattr(publication, name)) for name in TEXT_FIELDS},
    )


def find_url_place(url: str, line_ranges: Sequence[LineRange], problems: Problems) -> Place | None:
    """The place of a URL in the line ranges, with or without the backslashes of LaTeX."""
    written = "".join(map(_match_letter, url))
    pattern = rf"(?<![\w./-])({written})(?![\w/-])"
    for start, line_count in line_ranges:
        lines = start.line, start.line + line_count - 1
        for place in problems.find_places(pattern, start.file, lines):
            return place
    return None


def _match_letter(letter: str) -> str:
    r"""A pattern of a letter of a URL: _ -> \\?_"""
    escaped = re.escape(letter)
    return rf"\\?{escaped}" if letter in "_%&#~" else escaped


def escape_text(text: str) -> Markdown:
    """A plain text as Markdown that shows it unchanged."""
    return Markdown(re.sub(r"[\\`*_\[\]{}$~]", r"\\\g<0>", text.replace("&", "&amp;").replace("<", "&lt;")))
