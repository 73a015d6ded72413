"""
Records of content/publications.yaml, coauthors.yaml and counts.yaml, which add to the publications in bib/.
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from tenure.model.dates import Date
from tenure.model.entries import Markdown, Media, PaperAffiliation, Publication
from tenure.model.fields import MAIN, NAMED, Key
from tenure.model.links import Link, Url
from tenure.model.places import SourceRecord


class Overlay(SourceRecord, kw_only=True):
    """
    An entry of `content/publications.yaml`: awards, tags and links are added to the BibTeX entry, other
    fields replace it.
    """

    key: Annotated[str, Key(main=True, named=True, aliases="id citekey")]
    """the key of the entry in bib/"""
    selected: bool | None = None
    """true marks the publication as selected, false removes the mark"""
    awards: tuple[Markdown, ...] = ()
    """awards, added to those in the .bib entry"""
    note: Markdown = Markdown("")
    """a note, shown at the end of the entry"""
    text: Markdown = Markdown("")
    """more text, shown on the publication's own page"""
    image: Annotated[Url, Key(aliases="picture thumbnail preview")] = Url("")
    """the thumbnail: the name of a file in content/"""
    image_alt: Annotated[str, Key(aliases="alt")] = ""
    """the alt text of the thumbnail"""
    media: tuple[Media, ...] = ()
    """
    images and videos for the page of the publication: [walk.mp4, {file: rig.png, alt: The rig, caption: In
    2024}]
    """
    compare: tuple[Media, ...] = ()
    """
    two images to compare, before and after: [{file: noisy.png, alt: Noisy}, {file: clean.png, alt: Cleaned}]
    """
    links: tuple[Link, ...] = ()
    """more links: {talk: https://…}"""
    tags: Annotated[tuple[str, ...], Key(commas=True, merges=True, aliases="keywords categories")] = ()
    """tags, added to those in the .bib entry"""
    affiliations: tuple[PaperAffiliation, ...] = ()
    """
    the institutions of the authors: Princeton University for all, or [{name: Princeton University, authors:
    1-3}, {name: Google, authors: 4}]
    """
    layout: Literal["record", "project"] | None = None
    """the layout of the page: record, or project with a large head, wide images and buttons"""
    abbr: str = ""
    """the short name of the venue: SOSP '24"""
    rank: str = ""
    """the rank of the venue in a list, shown beside it: CCF-A, CORE A*, Q1"""
    pdf: Url = Url("")
    """the paper: a file or a URL"""
    code: Url = Url("")
    """the source code: a URL or a file"""
    slides: Url = Url("")
    """the slides: a file or a URL"""
    video: Url = Url("")
    """the video: a URL, or an mp4 or webm file, which the page plays without sound"""
    status: str = ""
    """the status before publication: submitted, accepted, in press"""
    preprint_of: str = ""
    """the key of the published version, which takes over the links of this preprint; none shows both"""
    draft: bool = False
    """true hides the entry from the published site; `serve` shows it"""


class Coauthor(SourceRecord, kw_only=True):
    """A person of `content/coauthors.yaml`: every spelling of the name is linked to one URL."""

    name: Annotated[str, MAIN]
    """the name of the person, as written in the publications"""
    url: Annotated[Url, Key(aliases="website link homepage")] = Url("")
    """the homepage of the person; every spelling of the name links to it"""
    affiliation: Annotated[str, Key(aliases="organization institution university")] = ""
    """the institution of the person, for the table of collaborators"""
    aliases: tuple[str, ...] = ()
    """the other spellings of the name"""


class Work(SourceRecord, kw_only=True):
    """A publication, by its DOI or its key, and how often it is cited."""

    work: Annotated[str, NAMED]
    """the DOI or the key of the publication"""
    citations: int
    """how often it is cited"""


class CitationCounts(SourceRecord, kw_only=True):
    """Counts of one source, from one day. `coauthors` complete the table of co-authors."""

    service: str
    """who counted: OpenAlex"""
    day: Date
    """the day of the counts: 2026-11-23"""
    works: Annotated[tuple[Work, ...], Key(keyed=True)] = ()
    """the publications, each by its DOI or its key"""
    coauthors: tuple[Coauthor, ...] = ()
    """co-authors with their institutions, for the table of co-authors"""

    def select_works(self, publications: Iterable[Publication]) -> dict[str, Work]:
        """The counts of publications by their keys; those without a count are omitted."""
        works = {work.work.casefold(): work for work in self.works}
        found = (
            (paper.key, works.get(paper.doi.casefold()) or works.get(paper.key.casefold()))
            for paper in publications
        )
        return {key: work for key, work in found if work is not None}
