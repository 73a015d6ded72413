"""What content/ says of publications beside bib/: more of one of them, and where its co-authors are found."""

from typing import Annotated

from tenure.frozen import dataclass
from tenure.model.links import Address, Link
from tenure.model.marks import Computed, Known, Main, Named, Separated
from tenure.model.scholar import Markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """
    What `content/publications.yaml` adds to the publication of a key.

    Awards, tags and links are added to those of the entry; of the rest, what is written here is shown in place of
    what the entry says. `text` stands on the publication's own page. A draft is left out of the site.
    """

    key: Annotated[str, Main(), Named(), Known(foreign=("id", "citekey", "citation_key", "bibkey"))]
    selected: Annotated[bool | None, Known(foreign=("featured", "highlight"))] = None
    awards: Annotated[tuple[Markdown, ...], Known(accepted=("award",), foreign=("award_name",))] = ()
    note: Annotated[Markdown, Known(accepted=("notes",), foreign=("comment", "remark"))] = Markdown("")
    text: Annotated[Markdown, Known(foreign=("body", "content"))] = Markdown("")
    image: Annotated[Address, Known(foreign=("picture", "img", "thumbnail", "preview", "teaser"))] = Address(
        ""
    )
    image_alt: Annotated[str, Known(foreign=("alt",))] = ""
    links: tuple[Link, ...] = ()
    tags: Annotated[
        tuple[str, ...], Separated(), Known(accepted=("tag",), foreign=("keywords", "categories", "topics"))
    ] = ()
    abbr: Annotated[str, Known(foreign=("short", "venue_short", "acronym"))] = ""
    pdf: Annotated[Address, Known(foreign=("url_pdf", "paper"))] = Address("")
    code: Annotated[Address, Known(foreign=("url_code", "github"))] = Address("")
    slides: Annotated[Address, Known(foreign=("url_slides",))] = Address("")
    video: Annotated[Address, Known(foreign=("url_video", "recording", "talk"))] = Address("")
    status: Annotated[str, Known(foreign=("pubstate", "state"))] = ""
    draft: Annotated[bool, Known(foreign=("hidden",))] = False
    source: Annotated[str, Computed()] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coauthor:
    """A person of `content/coauthors.yaml`: every spelling of the name leads to one address."""

    name: Annotated[str, Main()]
    url: Annotated[Address, Known(foreign=("website", "link", "homepage", "href", "page"))] = Address("")
    affiliation: Annotated[
        str, Known(foreign=("organization", "institution", "university", "company", "employer"))
    ] = ""
    aliases: Annotated[tuple[str, ...], Known(accepted=("alias",), foreign=("other_names", "spellings"))] = ()
    source: Annotated[str, Computed()] = ""
