"""The researcher in types."""

from dataclasses import field
from typing import Annotated, NewType

from tenure.frozen import dataclass
from tenure.model.dates import Date, Period
from tenure.model.entries import together
from tenure.model.languages import Language
from tenure.model.links import Address, Link
from tenure.model.marks import Computed, Known, Main, Rest, Separated
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

    name: Annotated[str, Main(), Known(foreign=("organization", "institution", "university", "title"))]
    url: Address = Address("")
    ror: str = ""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What every entry of every collection may carry; `language` is "" where it is that of what it stands in."""

    summary: Annotated[Markdown, Known(foreign=("abstract", "excerpt", "description"))] = Markdown("")
    details: Annotated[
        tuple[Point, ...], Known(foreign=("highlights", "bullets", "points", "responsibilities", "items"))
    ] = ()
    note: Annotated[Markdown, Known(accepted=("notes",), foreign=("comment", "remark"))] = Markdown("")
    url: Annotated[Address, Known(foreign=("website", "link", "homepage", "href"))] = Address("")
    links: tuple[Link, ...] = ()
    tags: Annotated[
        tuple[str, ...], Separated(), Known(accepted=("tag",), foreign=("categories", "category", "keywords"))
    ] = ()
    publications: Annotated[
        tuple[str, ...], Known(accepted=("publication",), foreign=("papers", "paper"))
    ] = ()
    image: Annotated[Address, Known(foreign=("picture", "img", "thumbnail", "preview"))] = Address("")
    image_alt: Annotated[str, Known(foreign=("alt",))] = ""
    draft: bool = False
    id: Annotated[str, Known(foreign=("slug", "permalink"))] = ""
    language: Annotated[Language, Known(accepted=("lang",), foreign=("locale", "langid"))] = Language("")
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


_PERIOD = Known(accepted=("dates",), foreign=("time", "duration", "timeframe"))
_DATE = Known(foreign=("year", "when", "published", "release_date", "releasedate"))
_LOCATION = Known(foreign=("city", "address"))
_ADVISORS = Known(accepted=("advisor",), foreign=("supervisor", "supervisors", "adviser", "advisers"))
_INSTITUTION = Known(foreign=("school", "university", "college"))


@dataclass(frozen=True, kw_only=True)
class Education(Entry):
    """A degree or a stay at a school."""

    institution: Annotated[str, Main(), _INSTITUTION]
    degree: Annotated[Markdown, Known(foreign=("studytype", "title", "qualification"))] = Markdown("")
    area: Annotated[Markdown, Known(foreign=("field", "major", "subject"))] = Markdown("")
    location: Annotated[str, _LOCATION] = ""
    period: Annotated[Period | None, _PERIOD] = None
    advisors: Annotated[tuple[Markdown, ...], _ADVISORS] = ()
    thesis: Annotated[Markdown, Known(foreign=("dissertation", "thesis_title"))] = Markdown("")
    grade: Annotated[Markdown, Known(foreign=("gpa", "score", "grades"))] = Markdown("")
    rank: Annotated[str, Known(foreign=("ranking",))] = ""

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
        Known(foreign=("company", "employer", "institution", "organisation", "university", "firm")),
    ]
    unit: Annotated[str, Known(foreign=("department", "group", "team", "lab"))] = ""
    title: Markdown = Markdown("")
    role: Annotated[Markdown, Known(foreign=("position", "job_title", "jobtitle"))] = Markdown("")
    location: Annotated[str, _LOCATION] = ""
    period: Annotated[Period | None, _PERIOD] = None
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

    title: Annotated[Markdown, Main(), Known(foreign=("name",))]
    date: Annotated[Period | None, Known(accepted=("period",), foreign=_DATE.foreign)] = None
    tagline: Annotated[Markdown, Known(foreign=("subtitle",))] = Markdown("")
    role: Markdown = Markdown("")
    features: Annotated[tuple[Point, ...], Known(foreign=("key_features", "keyfeatures"))] = ()
    technologies: Annotated[
        tuple[str, ...], Separated(), Known(foreign=("tech", "stack", "tools", "skills", "languages"))
    ] = ()

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Talk(Entry):
    """A talk given; `event` is the occasion, `place` the house or the city."""

    title: Annotated[Markdown, Main(), Known(foreign=("name",))] = Markdown("")
    event: Annotated[Markdown, Known(foreign=("conference", "venue", "occasion", "seminar"))] = Markdown("")
    place: Annotated[str, Known(foreign=("location", "where"))] = ""
    host: Markdown = Markdown("")
    kind: Annotated[str, Known(foreign=("type",))] = ""
    date: Annotated[Period | None, _DATE] = None
    slides: Address = Address("")
    video: Annotated[Address, Known(foreign=("recording",))] = Address("")

    @property
    def name(self) -> str:
        return self.title or self.event or self.place or self.host or self.kind or self.first_words

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Award(Entry):
    """A prize, a grant, a fellowship or an honour."""

    title: Annotated[Markdown, Main(), Known(foreign=("name", "award"))]
    organization: Annotated[Markdown, Known(foreign=("awarder", "issuer", "by"))] = Markdown("")
    date: Annotated[Period | None, Known(accepted=("period",), foreign=_DATE.foreign)] = None
    amount: Annotated[str, Known(foreign=("value", "sum"))] = ""

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

    role: Annotated[Markdown, Main(), Known(foreign=("title", "name", "position"))]
    organization: Markdown = Markdown("")
    date: Annotated[Period | None, Known(accepted=("period",), foreign=_DATE.foreign)] = None
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

    course: Annotated[Markdown, Main(), Known(foreign=("title", "name", "class"))]
    role: Markdown = Markdown("")
    institution: Annotated[str, _INSTITUTION] = ""
    term: Annotated[
        tuple[Period, ...], Known(accepted=("terms",), foreign=("date", "semester", "year", "period"))
    ] = ()

    @property
    def name(self) -> str:
        return self.course

    @property
    def when(self) -> Period | None:
        return max(self.term, key=lambda period: period.order) if self.term else None


@dataclass(frozen=True, kw_only=True)
class News(Entry):
    """A line of news."""

    text: Annotated[Markdown, Main(), Known(foreign=("content", "message", "headline"))] = Markdown("")
    date: Annotated[Period | None, _DATE] = None
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
    date: Annotated[Period | None, _DATE] = None
    updated: Annotated[Date | None, Known(foreign=("modified", "last_modified", "lastmod"))] = None

    @property
    def name(self) -> str:
        return self.title

    @property
    def when(self) -> Period | None:
        return self.date


@dataclass(frozen=True, kw_only=True)
class Item(Entry):
    """An entry of a collection that has no kind of its own: patents, software, students, whatever comes."""

    title: Annotated[Markdown, Main(), Known(foreign=("name",))] = Markdown("")
    text: Annotated[Markdown, Known(foreign=("content",))] = Markdown("")
    organization: Annotated[Markdown, Known(foreign=("institution", "company"))] = Markdown("")
    role: Markdown = Markdown("")
    location: Annotated[str, _LOCATION] = ""
    date: Annotated[Period | None, Known(accepted=("period", "dates"), foreign=_DATE.foreign)] = None

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
    date: Annotated[Period | None, _DATE] = None
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

    name: Annotated[str, Known(foreign=("first_name", "last_name", "full_name", "fullname"))]
    aliases: Annotated[tuple[str, ...], Known(accepted=("alias",), foreign=("other_names",))] = ()
    role: Annotated[Markdown, Known(foreign=("title", "position", "label", "headline", "job_title"))] = (
        Markdown("")
    )
    affiliation: Annotated[
        tuple[Affiliation, ...],
        Known(accepted=("affiliations",), foreign=("organization", "institution", "company")),
    ] = ()
    email: Annotated[tuple[str, ...], Known(accepted=("emails",), foreign=("mail",))] = ()
    location: Annotated[str, Known(foreign=("address", "city"))] = ""
    office: str = ""
    pronouns: str = ""
    photo: Annotated[Address, Known(foreign=("image", "avatar", "picture", "profile_picture"))] = Address("")
    photo_alt: str = ""
    tagline: Annotated[Markdown, Known(foreign=("subtitle", "motto", "slogan"))] = Markdown("")
    interests: Annotated[tuple[str, ...], Separated(), Known(accepted=("interest",))] = ()
    links: Annotated[
        tuple[Link, ...], Known(foreign=("socials", "social", "profiles", "social_networks"))
    ] = ()
    cv: Annotated[Address, Known(foreign=("resume", "cv_pdf"))] = Address("")
