"""Typed entries of the content: profile, publications, education, talks and the other collections."""

from typing import Annotated, ClassVar, NewType

from tenure.model.bibtex_text import join_bibtex_entries
from tenure.model.dates import Date, Period
from tenure.model.field_annotations import (
    AlternativeNames,
    CommaSeparated,
    ComputedField,
    ExtraFields,
    MainField,
    MergedNames,
    OpenEnded,
)
from tenure.model.languages import Language
from tenure.model.links import Link, Url
from tenure.model.names import Authors
from tenure.model.places import SourceRecord
from tenure.record import Record, field

Markdown = NewType("Markdown", str)
"""Markdown source as written; each output format renders it."""


class Point(Record, kw_only=True):
    """A bullet point with its nested bullet points."""

    text: Markdown
    points: tuple["Point", ...] = ()


class Affiliation(Record, kw_only=True):
    """An organization with a URL or a ror.org identifier (`ror`)."""

    name: Annotated[str, MainField()]
    url: Url = Url("")
    ror: str = ""


class Entry(SourceRecord, kw_only=True):
    """The fields of every entry; `language` is "" if it is the language of the collection."""

    summary: Markdown = Markdown("")
    details: tuple[Point, ...] = ()
    note: Annotated[Markdown, AlternativeNames(aliases=("notes",))] = Markdown("")
    url: Url = Url("")
    links: tuple[Link, ...] = ()
    tags: Annotated[tuple[str, ...], CommaSeparated(), MergedNames(), AlternativeNames(aliases=("tag",))] = ()
    publications: Annotated[
        tuple[str, ...], CommaSeparated(), AlternativeNames(aliases=("publication",))
    ] = ()
    image: Url = Url("")
    image_alt: str = ""
    draft: bool = False
    id: str = ""
    language: Annotated[Language, AlternativeNames(aliases=("lang",))] = Language("")
    body: Annotated[Markdown, ComputedField()] = Markdown("")

    NAME_FIELDS: ClassVar[tuple[str, ...]] = ("title",)
    """The attributes of which the first that is not empty names the entry."""

    PERIOD_FIELD: ClassVar[str] = "date"
    """The field with the period of the entry."""

    @property
    def name(self) -> str:
        """A label of this entry for readers; "" if all NAME_FIELDS are empty."""
        return next((str(text) for field in self.NAME_FIELDS if (text := getattr(self, field, ""))), "")

    @property
    def lead_text(self) -> Markdown:
        """A text for an entry without a title: its summary, body, note or first bullet point."""
        return (
            self.summary or self.body or self.note or (self.details[0].text if self.details else self.summary)
        )

    @property
    def entry_period(self) -> Period | None:
        """The period of the entry, for sorting and for filters by year."""
        period: Period | None = getattr(self, self.PERIOD_FIELD, None)
        return period


_PERIOD_NAMES = AlternativeNames(aliases=("dates",))
_ADVISOR_NAMES = AlternativeNames(aliases=("advisor",))


class Education(Entry, kw_only=True):
    """A degree or a stay at a school."""

    NAME_FIELDS: ClassVar = ("institution",)
    PERIOD_FIELD: ClassVar = "period"

    institution: Annotated[str, MainField()]
    degree: Markdown = Markdown("")
    area: Markdown = Markdown("")
    location: str = ""
    period: Annotated[Period | None, OpenEnded(), _PERIOD_NAMES] = None
    advisors: Annotated[tuple[Markdown, ...], _ADVISOR_NAMES] = ()
    thesis: Markdown = Markdown("")
    grade: Markdown = Markdown("")
    rank: str = ""


class Experience(Entry, kw_only=True):
    """A position, a stay or an internship; `title` is the title of the project, if it has one."""

    NAME_FIELDS: ClassVar = ("organization",)
    PERIOD_FIELD: ClassVar = "period"

    organization: Annotated[
        str,
        MainField(),
    ]
    unit: str = ""
    title: Markdown = Markdown("")
    role: Markdown = Markdown("")
    location: str = ""
    period: Annotated[Period | None, OpenEnded(), _PERIOD_NAMES] = None
    advisors: Annotated[tuple[Markdown, ...], _ADVISOR_NAMES] = ()
    mentors: Annotated[tuple[Markdown, ...], AlternativeNames(aliases=("mentor",))] = ()
    topic: Annotated[Markdown, AlternativeNames(aliases=("topics",))] = Markdown("")


class Project(Entry, kw_only=True):
    """A project with its own page; `tagline` is its line in lists."""

    title: Annotated[Markdown, MainField()]
    date: Annotated[Period | None, OpenEnded(), AlternativeNames(aliases=("period",))] = None
    tagline: Markdown = Markdown("")
    role: Markdown = Markdown("")
    features: tuple[Point, ...] = ()
    technologies: Annotated[tuple[str, ...], CommaSeparated()] = ()


class Talk(Entry, kw_only=True):
    """A talk; `event` is the conference or seminar, `place` the institution or the city."""

    NAME_FIELDS: ClassVar = ("title", "event", "place", "host", "kind", "lead_text")

    title: Annotated[Markdown, MainField()] = Markdown("")
    event: Markdown = Markdown("")
    place: str = ""
    host: Markdown = Markdown("")
    kind: str = ""
    date: Period | None = None
    slides: Url = Url("")
    video: Url = Url("")


class Award(Entry, kw_only=True):
    """A prize, a grant, a fellowship or an honour."""

    title: Annotated[Markdown, MainField()]
    organization: Markdown = Markdown("")
    date: Annotated[Period | None, AlternativeNames(aliases=("period",))] = None
    amount: str = ""


class ServiceGroup(Record, kw_only=True):
    """Items of service under one label: "journals" with the journals one reviews for."""

    label: str
    items: tuple[Markdown, ...]


class Service(Entry, kw_only=True):
    """Academic service. A list under an unknown key becomes a group: `journals: [JMLR, TMLR]`."""

    NAME_FIELDS: ClassVar = ("role",)

    role: Annotated[Markdown, MainField()]
    organization: Markdown = Markdown("")
    date: Annotated[Period | None, OpenEnded(), AlternativeNames(aliases=("period",))] = None
    groups: Annotated[tuple[ServiceGroup, ...], ExtraFields()] = ()


class Course(Entry, kw_only=True):
    """A course taught."""

    NAME_FIELDS: ClassVar = ("course",)

    course: Annotated[Markdown, MainField()]
    role: Markdown = Markdown("")
    institution: str = ""
    term: Annotated[tuple[Period, ...], AlternativeNames(aliases=("terms",))] = ()

    @property
    def entry_period(self) -> Period | None:
        return max(self.term, key=lambda period: period.sort_key) if self.term else None


class News(Entry, kw_only=True):
    """A line of news."""

    NAME_FIELDS: ClassVar = ("title", "text", "lead_text")

    text: Annotated[Markdown, MainField()] = Markdown("")
    date: Period | None = None
    title: Markdown = Markdown("")


class Post(Entry, kw_only=True):
    """A blog post with its own page."""

    title: Annotated[Markdown, MainField()]
    date: Period | None = None
    updated: Date | None = None


class CustomEntry(Entry, kw_only=True):
    """An entry of a collection that Tenure does not know: patents, software, students."""

    NAME_FIELDS: ClassVar = ("title", "text", "organization", "role", "lead_text")

    title: Annotated[Markdown, MainField()] = Markdown("")
    text: Markdown = Markdown("")
    organization: Markdown = Markdown("")
    role: Markdown = Markdown("")
    location: str = ""
    date: Annotated[Period | None, OpenEnded(), AlternativeNames(aliases=("period", "dates"))] = None


class Prose(Entry, kw_only=True):
    """A text: the body of `about.md`, or a page in content/pages/."""

    title: Markdown = Markdown("")
    date: Period | None = None
    updated: Date | None = None
    menu: bool = True


class Venue(Record, kw_only=True):
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


class PublicationFact(Record):
    """A fact about a publication that its page shows with a label: the field or the name of a link, and the text."""

    name: str
    text: Markdown


class Publication(Entry, kw_only=True):
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
    facts: tuple[PublicationFact, ...] = ()
    page: Annotated[bool, ComputedField()] = True

    @property
    def entry_period(self) -> Period | None:
        return Period(start=self.date) if self.date else None

    @property
    def bibtex_with_parents(self) -> str:
        """The BibTeX entry followed by the entries that it inherits from."""
        return join_bibtex_entries([self.bibtex], self.parents) if self.parents else self.bibtex


class Profile(SourceRecord, kw_only=True):
    """The researcher: name, contact data and links."""

    name: str
    aliases: Annotated[tuple[str, ...], AlternativeNames(aliases=("alias",))] = ()
    role: Markdown = Markdown("")
    affiliation: Annotated[
        tuple[Affiliation, ...],
        MergedNames(),
        AlternativeNames(aliases=("affiliations",)),
    ] = ()
    email: Annotated[tuple[str, ...], CommaSeparated(), AlternativeNames(aliases=("emails",))] = ()
    location: str = ""
    office: str = ""
    pronouns: str = ""
    photo: Url = Url("")
    photo_alt: str = ""
    tagline: Markdown = Markdown("")
    interests: Annotated[
        tuple[str, ...], CommaSeparated(), MergedNames(), AlternativeNames(aliases=("interest",))
    ] = ()
    links: tuple[Link, ...] = ()
    cv: Url = Url("")
