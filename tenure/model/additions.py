"""Records of content/publications.yaml and content/coauthors.yaml, which add to the publications in bib/."""

from typing import Annotated

from tenure.frozen import dataclass
from tenure.model.links import Address, Link
from tenure.model.marks import Computed, Joining, Known, Main, Named, Separated
from tenure.model.scholar import Markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """
    An entry of `content/publications.yaml` for the publication with this key.

    Awards, tags and links are added to those of the BibTeX entry; every other field replaces the field of that entry.
    `text` is shown on the publication's own page. A draft is not part of the site.
    """

    key: Annotated[str, Main(), Named()]
    selected: bool | None = None
    awards: Annotated[tuple[Markdown, ...], Known(accepted=("award",))] = ()
    note: Annotated[Markdown, Known(accepted=("notes",))] = Markdown("")
    text: Markdown = Markdown("")
    image: Address = Address("")
    image_alt: str = ""
    links: tuple[Link, ...] = ()
    tags: Annotated[tuple[str, ...], Separated(), Joining(), Known(accepted=("tag",))] = ()
    abbr: str = ""
    pdf: Address = Address("")
    code: Address = Address("")
    slides: Address = Address("")
    video: Address = Address("")
    status: str = ""
    draft: bool = False
    source: Annotated[str, Computed()] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coauthor:
    """A person of `content/coauthors.yaml`: every spelling of the name is linked to one URL."""

    name: Annotated[str, Main()]
    url: Address = Address("")
    affiliation: str = ""
    aliases: Annotated[tuple[str, ...], Known(accepted=("alias",))] = ()
    source: Annotated[str, Computed()] = ""
