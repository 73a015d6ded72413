"""The researcher plus the wishes for the web."""

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Literal

from tenure.frozen import dataclass
from tenure.model.additions import Coauthor
from tenure.model.dates import Date
from tenure.model.languages import Language
from tenure.model.marks import Computed, Keyed, Known, Main, Named, Rest, Separated
from tenure.model.scholar import Entry, Markdown, Profile, Publication
from tenure.model.services import Allow, Services
from tenure.model.words import Words

Show = Literal["all", "first_author", "selected", "rest"]
Grouping = Literal["none", "year", "term", "kind"]
Numbering = Literal["none", "descending", "ascending"]
Order = Literal["written", "newest", "oldest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionWish:
    """
    A list on a page: which collection, and which of its entries, how.

    `show: rest` takes what no earlier list of the page showed. Numbers run on over the lists of one collection
    on a page unless `restart` is true. None means: as is usual for the collection. `bib` names files of bib/: the
    list is read from them; of the publications, only those that stand there are shown.
    """

    name: Annotated[str, Main(), Named()]
    title: Markdown | None = None
    show: Show = "all"
    kind: Annotated[tuple[str, ...], Separated(), Known(accepted=("kinds",))] = ()
    tag: Annotated[tuple[str, ...], Separated(), Known(accepted=("tags",))] = ()
    without: Annotated[tuple[str, ...], Separated()] = ()
    year: Annotated[tuple[int, ...], Separated(), Known(accepted=("years",))] = ()
    limit: int = 0
    group: Grouping | None = None
    number: Numbering | None = None
    restart: bool = False
    order: Order | None = None
    intro: Markdown = Markdown("")
    brief: bool = False
    bib: Annotated[tuple[str, ...], Separated()] = ()
    source: Annotated[str, Computed()] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWish:
    """
    A page: its address, its title and what stands on it; a bare name is that collection's usual page.

    With `pages` it is a group of the menu: a title and the pages under it, and no page itself.
    """

    name: Annotated[str, Main(), Named()] = ""
    path: str = ""
    title: str = ""
    intro: Markdown = Markdown("")
    sections: tuple[SectionWish, ...] | None = None
    menu: bool = True
    language: Language = Language("")
    pages: "tuple[PageWish, ...] | None" = None
    source: Annotated[str, Computed()] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CvWish:
    """
    A CV to be typeset: its name is that of its file, "resume" for resume.pdf.

    `look` names one of the theme's, "" its own; `margins` are millimetres as in CSS (all; or top and bottom, then
    left and right), `size` points of the text, 0 as the look has it. `pages` is how many it may have, 0 for any
    number. Of a section in which entries bear one of the tags `tag`, those alone are taken; none with a tag of
    `without` is. `links` prints the rows of links (code, slides).
    """

    name: Annotated[str, Main(), Named()] = "cv"
    title: str = ""
    look: str = ""
    paper: Literal["a4", "letter"] = "a4"
    margins: Annotated[tuple[int, ...], Known(accepted=("margin",))] = ()
    size: int = 0
    pages: int = 0
    sections: tuple[SectionWish, ...] | None = None
    tag: Annotated[tuple[str, ...], Separated(), Known(accepted=("tags",))] = ()
    without: Annotated[tuple[str, ...], Separated()] = ()
    links: bool = False
    source: Annotated[str, Computed()] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeWish:
    """
    A theme by name and the options set for it; which options there are, the theme says.

    A theme that is `tried` stands in for the one that the options were set for: those that it does not know wait.
    """

    name: Annotated[str, Main()] = "classic"
    options: Annotated[Mapping[str, str], Rest()] = field(default_factory=dict)
    source: Annotated[str, Computed()] = ""
    tried: Annotated[bool, Computed()] = False


Record = Literal[
    "bibtex", "ris", "csl-json", "json-resume", "markdown", "text", "vcard", "calendar", "atom", "llms"
]
"""A file for machines that a site can have beside its pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Which warnings not to tell."""

    ignore: Annotated[tuple[str, ...], Separated()] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirects:
    """Addresses that pages had elsewhere or before, each with the one to go to."""

    ways: Annotated[Mapping[str, str], Rest()] = field(default_factory=dict)
    source: Annotated[str, Computed()] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`site.yaml`: where the site lives, its theme, its pages and what stands on each."""

    schema: int = 1
    title: str = ""
    url: str = ""
    description: str = ""
    language: Language = Language("en")
    theme: ThemeWish = field(default_factory=ThemeWish)
    updated: Date | None = None
    footer: Markdown = Markdown("")
    pages: tuple[PageWish, ...] | None = None
    search: bool = False
    records: tuple[Record, ...] | None = None
    cvs: Annotated[tuple[CvWish, ...] | None, Keyed()] = None
    redirects: Redirects = field(default_factory=Redirects)
    services: Services = field(default_factory=Services)
    allow: Allow = field(default_factory=Allow)
    checks: Checks = field(default_factory=Checks)

    @property
    def every_page(self) -> tuple[PageWish, ...] | None:
        """The pages of `pages` in their order, those of a group in its place; None where site.yaml has no `pages`."""
        if self.pages is None:
            return None
        return tuple(page for entry in self.pages for page in (entry.pages or (entry,)))

    @property
    def from_bib(self) -> tuple[SectionWish, ...]:
        """The sections that name the .bib files they are read from, in the order of the pages and the CVs."""
        places: tuple[PageWish | CvWish, ...] = (*(self.every_page or ()), *(self.cvs or ()))
        return tuple(wish for place in places for wish in place.sections or () if wish.bib)


Kind = Literal[
    "publications",
    "education",
    "experience",
    "projects",
    "talks",
    "awards",
    "service",
    "teaching",
    "news",
    "posts",
    "pages",
    "items",
    "prose",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What a list of entries may say of itself, beside its `entries`."""

    title: str = ""
    language: Annotated[Language, Known(accepted=("lang",))] = Language("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """
    The entries of one name in the order of their sources; a text such as `about.md` holds one Prose.

    `language` is that of its entries, "" where it is the site's.
    """

    name: str
    kind: Kind
    entries: tuple[Entry, ...]
    title: str = ""
    language: Language = Language("")
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """A colour on light pages and on dark ones, each as "#a03c14"."""

    light: str
    dark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """
    A theme as a site uses it: the folders to look in, nearest first, its options as set, and its words.

    `others` has the words of pages that are in a language of their own, by its tag, where there are any.
    """

    name: str
    folders: tuple[Path, ...]
    options: Mapping[str, str | bool | Colour]
    words: Words
    others: Mapping[str, Words] = field(default_factory=dict)

    def words_in(self, language: Language) -> Words:
        """The words of a page in a language, or the site's where it has none."""
        return self.others.get(language, self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One researcher and one set of wishes: everything that any page or record is made from."""

    profile: Profile
    settings: Settings
    look: Look
    collections: Mapping[str, Collection]
    files: frozenset[str] = frozenset()
    """Addresses of the files that stand beside the sources, relative to the site's root: "files/ucsd.pdf"."""
    coauthors: tuple[Coauthor, ...] = ()

    @property
    def title(self) -> str:
        """The site's name: its own, or the researcher's."""
        return self.settings.title or self.profile.name

    def in_language(self, language: Language) -> "Site":
        """The site as a page in a language has it, with the words of that language where there are any."""
        if language == self.settings.language:
            return self
        look = replace(self.look, words=self.look.words_in(language))
        return replace(self, look=look, settings=replace(self.settings, language=language))

    @property
    def publications(self) -> tuple[Publication, ...]:
        """Every publication of every .bib file, newest year first."""
        found = self.collections.get("publications")
        return tuple(e for e in found.entries if isinstance(e, Publication)) if found else ()
