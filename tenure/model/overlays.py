"""Records of content/publications.yaml and content/coauthors.yaml, which add to the publications in bib/."""

from typing import Annotated

from tenure.model.entries import Markdown
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
    selected: bool | None = None
    awards: Annotated[tuple[Markdown, ...], AlternativeNames(aliases=("award",))] = ()
    note: Annotated[Markdown, AlternativeNames(aliases=("notes",))] = Markdown("")
    text: Markdown = Markdown("")
    image: Url = Url("")
    image_alt: str = ""
    links: tuple[Link, ...] = ()
    tags: Annotated[tuple[str, ...], CommaSeparated(), MergedNames(), AlternativeNames(aliases=("tag",))] = ()
    abbr: str = ""
    pdf: Url = Url("")
    code: Url = Url("")
    slides: Url = Url("")
    video: Url = Url("")
    status: str = ""
    draft: bool = False


class Coauthor(SourceRecord, kw_only=True):
    """A person of `content/coauthors.yaml`: every spelling of the name is linked to one URL."""

    name: Annotated[str, MainField()]
    url: Url = Url("")
    affiliation: str = ""
    aliases: Annotated[tuple[str, ...], AlternativeNames(aliases=("alias",))] = ()
