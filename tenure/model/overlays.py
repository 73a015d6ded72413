"""Records of content/publications.yaml and content/coauthors.yaml, which add to the publications in bib/."""

from typing import Annotated, Literal

from tenure.model.entries import Markdown, Media, PaperAffiliation
from tenure.model.field_annotations import (
    AlternativeNames,
    CommaSeparated,
    MainField,
    MappingKey,
    MergedNames,
)
from tenure.model.links import Link, Url
from tenure.model.places import SourceRecord


class Overlay(SourceRecord, kw_only=True):
    """
    An entry of `content/publications.yaml` for the publication with this key.

    Awards, tags and links are added to those of the BibTeX entry; every other field replaces the field of that entry.
    `text` is shown on the publication's own page. A draft is not part of the site.
    """

    key: Annotated[str, MainField(), MappingKey()]
    """the key of the entry in bib/"""
    selected: bool | None = None
    """true marks the publication as selected, false removes the mark"""
    awards: Annotated[tuple[Markdown, ...], AlternativeNames(aliases=("award",))] = ()
    """awards, added to those in the .bib entry"""
    note: Annotated[Markdown, AlternativeNames(aliases=("notes",))] = Markdown("")
    """a note, shown at the end of the entry"""
    text: Markdown = Markdown("")
    """more text, shown on the publication's own page"""
    image: Url = Url("")
    """the thumbnail: the name of a file in content/"""
    image_alt: str = ""
    """the alt text of the thumbnail"""
    media: tuple[Media, ...] = ()
    """images and videos for the page of the publication: [walk.mp4, {file: rig.png, alt: The rig, caption: In 2024}]"""
    compare: tuple[Media, ...] = ()
    """two images to compare, before and after: [{file: noisy.png, alt: Noisy}, {file: clean.png, alt: Cleaned}]"""
    links: tuple[Link, ...] = ()
    """more links: {talk: https://…}"""
    tags: Annotated[tuple[str, ...], CommaSeparated(), MergedNames(), AlternativeNames(aliases=("tag",))] = ()
    """tags, added to those in the .bib entry"""
    affiliations: Annotated[tuple[PaperAffiliation, ...], AlternativeNames(aliases=("affiliation",))] = ()
    """the institutions of the authors: Princeton University for all, or [{name: Princeton University, authors: 1-3}, {name: Google, authors: 4}]"""
    layout: Literal["record", "project"] | None = None
    """the layout of the page: record, or project with a large head, wide images and buttons; by default as the theme option publication_layout says"""
    abbr: str = ""
    """the short name of the venue: SOSP '24"""
    pdf: Url = Url("")
    """the paper: a file or a URL"""
    code: Url = Url("")
    """the source code: a URL or a file"""
    slides: Url = Url("")
    """the slides: a file or a URL"""
    video: Url = Url("")
    """the video: a URL or a file; the page plays an mp4 or webm file without sound"""
    status: str = ""
    """the status before publication: submitted, accepted, in press"""
    preprint_of: str = ""
    """the key of the published version, which takes over the links of this preprint; none shows both"""
    draft: bool = False
    """true hides the entry from the published site; `serve` shows it"""


class Coauthor(SourceRecord, kw_only=True):
    """A person of `content/coauthors.yaml`: every spelling of the name is linked to one URL."""

    name: Annotated[str, MainField()]
    """the name of the person, as written in the publications"""
    url: Url = Url("")
    """the homepage of the person; every spelling of the name links to it"""
    affiliation: str = ""
    """the institution of the person, for the table of collaborators"""
    aliases: Annotated[tuple[str, ...], AlternativeNames(aliases=("alias",))] = ()
    """the other spellings of the name"""
