"""Typed entries of the content: profile, publications, education, talks and the other collections."""

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
"""Markdown source as written; each output format renders it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A bullet point with its nested bullet points."""

    text: Markdown
    points: tuple["Point", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Affiliation:
    """An organization with a URL or a ror.org identifier (`ror`)."""

    name: Annotated[str, Main()]
    url: Address = Address("")
    ror: str = ""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """The fields of every entry; `language` is "" if it is the language of the collection."""

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
        """A label of this entry for readers."""
        return ""

    @property
    def first_words(self) -> Markdown:
        """A text for an entry without a title: its summary, body, note or first bullet point."""
        return (
            self.summary or self.body or self.note or (self.details[0].text if self.details else self.summary)
        )

    @property
    def when(self) -> Period | None:
        """The period of the entry, for sorting and for filters by year."""
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
    """A position, a stay or an internship; `title` is the title of the project, if it has one."""

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
    """A project with its own page; `tagline` is its line in lists."""

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
    """A talk; `event` is the conference or seminar, `place` the institution or the city."""

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
    """Academic service. A list under an unknown key becomes a group: `journals: [JMLR, TMLR]`."""

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
    """A blog post with its own page."""

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
    """An entry of a collection that Tenure does not know: patents, software, students."""

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
    """A text: the body of `about.md`, or a page in content/pages/."""

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
    """The journal, conference or publisher of a publication, with volume, number and pages."""

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
    An entry of a .bib file; `kind` is its BibTeX or biblatex entry type.

    `preprints` has the keys of the preprints merged into it. `server` is the preprint server, or "" if it was
    published elsewhere. `page` is false for entries of lists that are not publications, such as talks or press.
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
        """The BibTeX entry followed by the entries that it inherits from."""
        return together([self.bibtex], self.parents) if self.parents else self.bibtex


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The researcher: name, contact data and links."""

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
