"""The researcher in types."""

from dataclasses import field
from typing import Annotated, NewType

from tenure.frozen import dataclass
from tenure.model.dates import Date, Period
from tenure.model.entries import together
from tenure.model.languages import Language
from tenure.model.links import Address, Link
from tenure.model.marks import Computed, Continuing, Joining, Known, Main, Rest, Separated
from tenure.model.names import Authors

Markdown = NewType("Markdown", str)
"""Text as its author wrote it: Markdown source, rendered by each outlet for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A bullet, with the bullets beneath it."""

    text: Markdown
    points: tuple["Point", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Affiliation:
    """An organization named where it needs more than its name; `ror` is its ror.org identifier."""

    name: Annotated[str, Main()]
    url: Address = Address("")
    ror: str = ""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What every entry of every collection may carry; `language` is "" where it is that of what it stands in."""

    summary: Markdown = Markdown("")
    details: tuple[Point, ...] = ()
    note: Annotated[Markdown, Known(accepted=("notes",))] = Markdown("")
    url: Address = Address("")
    links: tuple[Link, ...] = ()
    tags: Annotated[tuple[str, ...], Separated(), Joining(), Known(accepted=("tag",))] = ()
    publications: Annotated[tuple[str, ...], Separated(), Known(accepted=("publication",))] = ()
    image: Address = Address("")
    image_alt: str = ""
    draft: bool = False
    id: str = ""
    language: Annotated[Language, Known(accepted=("lang",))] = Language("")
    body: Annotated[Markdown, Computed()] = Markdown("")
    source: Annotated[str, Computed()] = ""

    @property
    def name(self) -> str:
        """What a reader calls this entry, in plain words."""
        return ""

    @property
    def first_words(self) -> Markdown:
        """What it says first where it has no title: its summary, its text, its note or its first bullet."""
        return (
            self.summary or self.body or self.note or (self.details[0].text if self.details else self.summary)
        )

    @property
    def when(self) -> Period | None:
        """When it was, for sorting and for filters by year."""
        return None


_PERIOD = Known(accepted=("dates",))
_ADVISORS = Known(accepted=("advisor",))


@dataclass(frozen=True, kw_only=True)
class Education(Entry):
    """A degree or a stay at a school."""

    institution: Annotated[str, Main()]
    degree: Markdown = Markdown("")
    area: Markdown = Markdown("")
    location: str = ""
    period: Annotated[Period | None, Continuing(), _PERIOD] = None
    advisors: Annotated[tuple[Markdown, ...], _ADVISORS] = ()
    thesis: Markdown = Markdown("")
    grade: Markdown = Markdown("")
    rank: str = ""

    @property
    def name(self) -> str:
        return self.institution

    @property
    def when(self) -> Period | None:
        return self.period


@dataclass(frozen=True, kw_only=True)
class Experience(Entry):
    """A position, a stay or an internship; `title` names the work where it has a name of its own."""

    organization: Annotated[
        str,
        Main(),
    ]
    unit: str = ""
    title: Markdown = Markdown("")
    role: Markdown = Markdown("")
    location: str = ""
    period: Annotated[Period | None, Continuing(), _PERIOD] = None
    advisors: Annotated[tuple[Markdown, ...], _ADVISORS] = ()
    mentors: Annotated[tuple[Markdown, ...], Known(accepted=("mentor",))] = ()
    topic: Annotated[Markdown, Known(accepted=("topics",))] = Markdown("")

    @property
    def name(self) -> str:
        return self.organization

    @property
    def when(self) -> Period | None:
        return self.period


@dataclass(frozen=True, kw_only=True)
class Project(Entry):
    """A project: its line in the table of contents, and its account."""

    title: Annotated[Markdown, Main()]
    date: Annotated[Period | None, Continuing(), Known(accepted=("period",))] = None
    tagline: Markdown = Markdown("")
    role: Markdown = Markdown("")
    features: tuple[Point, ...] = ()
    technologies: Annotated[tuple[str, ...], Separated()] = ()

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Talk(Entry):
    """A talk given; `event` is the occasion, `place` the house or the city."""

    title: Annotated[Markdown, Main()] = Markdown("")
    event: Markdown = Markdown("")
    place: str = ""
    host: Markdown = Markdown("")
    kind: str = ""
    date: Period | None = None
    slides: Address = Address("")
    video: Address = Address("")

    @property
    def name(self) -> str:
        return self.title or self.event or self.place or self.host or self.kind or self.first_words

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Award(Entry):
    """A prize, a grant, a fellowship or an honour."""

    title: Annotated[Markdown, Main()]
    organization: Markdown = Markdown("")
    date: Annotated[Period | None, Known(accepted=("period",))] = None
    amount: str = ""

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Items of service under one label: "journals" with the journals one reviews for."""

    label: str
    items: tuple[Markdown, ...]


@dataclass(frozen=True, kw_only=True)
class Service(Entry):
    """A duty to the field, with what it was done for in groups: any list under a name of its own is a group."""

    role: Annotated[Markdown, Main()]
    organization: Markdown = Markdown("")
    date: Annotated[Period | None, Continuing(), Known(accepted=("period",))] = None
    groups: Annotated[tuple[Group, ...], Rest()] = ()

    @property
    def name(self) -> str:
        return self.role

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Course(Entry):
    """A course taught."""

    course: Annotated[Markdown, Main()]
    role: Markdown = Markdown("")
    institution: str = ""
    term: Annotated[tuple[Period, ...], Known(accepted=("terms",))] = ()

    @property
    def name(self) -> str:
        return self.course

    @property
    def when(self) -> Period | None:
        return max(self.term, key=lambda period: period.order) if self.term else None


@dataclass(frozen=True, kw_only=True)
class News(Entry):
    """A line of news."""

    text: Annotated[Markdown, Main()] = Markdown("")
    date: Period | None = None
    title: Markdown = Markdown("")

    @property
    def name(self) -> str:
        return self.title or self.text or self.first_words

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Post(Entry):
    """An article on the site itself, with a page of its own."""

    title: Annotated[Markdown, Main()]
    date: Period | None = None
    updated: Date | None = None

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Item(Entry):
    """An entry of a collection that has no kind of its own: patents, software, students, whatever comes."""

    title: Annotated[Markdown, Main()] = Markdown("")
    text: Markdown = Markdown("")
    organization: Markdown = Markdown("")
    role: Markdown = Markdown("")
    location: str = ""
    date: Annotated[Period | None, Continuing(), Known(accepted=("period", "dates"))] = None

    @property
    def name(self) -> str:
        return self.title or self.text or self.organization or self.role or self.first_words

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Prose(Entry):
    """A text of its own: the body of `about.md`, or a free page."""

    title: Markdown = Markdown("")
    date: Period | None = None
    updated: Date | None = None
    menu: bool = True

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """Where a work appeared: the name, its short form and the numbers that find it there."""

    name: Markdown = Markdown("")
    short: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    series: Markdown = Markdown("")
    edition: str = ""
    publisher: Markdown = Markdown("")
    institution: Markdown = Markdown("")
    location: Markdown = Markdown("")


@dataclass(frozen=True, kw_only=True)
class Publication(Entry):
    """
    A work from `bib/`; `kind` is its entry type as BibTeX or biblatex names it.

    `preprints` has the keys of the preprints that were joined to it; `server` is the preprint server that it is on, ""
    where it appeared elsewhere;
    `page` is false for entries of lists that are no publications, such as talks or press: they have no page.
    """

    key: str
    kind: str
    title: Markdown
    authors: Authors = field(default_factory=Authors)
    editors: Authors = field(default_factory=Authors)
    date: Date | None = None
    venue: Venue = field(default_factory=Venue)
    status: str = ""
    awards: tuple[Markdown, ...] = ()
    abstract: Markdown = Markdown("")
    selected: bool = False
    doi: str = ""
    eprint: str = ""
    server: str = ""
    bibtex: str = ""
    parents: tuple[str, ...] = ()
    preprints: tuple[str, ...] = ()
    page: Annotated[bool, Computed()] = True

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return Period(start=self.date) if self.date else None

    @property
    def whole_bibtex(self) -> str:
        """Its entry as it can stand alone, with those that it inherits from."""
        return together([self.bibtex], self.parents) if self.parents else self.bibtex


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Who the site is about."""

    name: str
    aliases: Annotated[tuple[str, ...], Known(accepted=("alias",))] = ()
    role: Markdown = Markdown("")
    affiliation: Annotated[
        tuple[Affiliation, ...],
        Joining(),
        Known(accepted=("affiliations",)),
    ] = ()
    email: Annotated[tuple[str, ...], Separated(), Known(accepted=("emails",))] = ()
    location: str = ""
    office: str = ""
    pronouns: str = ""
    photo: Address = Address("")
    photo_alt: str = ""
    tagline: Markdown = Markdown("")
    interests: Annotated[tuple[str, ...], Separated(), Joining(), Known(accepted=("interest",))] = ()
    links: tuple[Link, ...] = ()
    cv: Address = Address("")
