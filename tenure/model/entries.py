"""Typed entries of the content: profile, publications, education, talks and the other collections."""

import re
from typing import Annotated, ClassVar, Literal, NewType

from tenure.model.dates import Date, Period
from tenure.model.fields import COMMAS, COMPUTED, EXTRA, HOST, MAIN, OPEN_ENDED, PLACE, ROLE, SUPERVISOR, Key
from tenure.model.identifiers import make_arxiv_url, make_doi_url
from tenure.model.languages import Language
from tenure.model.links import EmailAddress, Link, Url, is_video_file
from tenure.model.names import Author, Authors
from tenure.model.places import SourceRecord
from tenure.model.roles import find_rank
from tenure.record import Record, field

Markdown = NewType("Markdown", str)
"""Markdown source as written; each output format renders it."""

NO_TEXT = Markdown("")
OTHER_HOST = "employer issuer publisher agency funder authority affiliation"
OTHER_TEXT = "keywords reference number reversed_number fluency level"
EMPLOYER = "organization institution institute university company employer department faculty lab group"


class Point(Record, kw_only=True):
    """A bullet point with its nested bullet points."""

    text: Markdown
    points: tuple["Point", ...] = ()


class Affiliation(SourceRecord, kw_only=True):
    """An organization with a URL or a ror.org identifier (`ror`)."""

    name: Annotated[str, Key(main=True, aliases="organization institution university")]
    """the name of the organization"""
    url: Annotated[Url, Key(aliases="website")] = Url("")
    """its homepage"""
    ror: str = ""
    """its identifier in the registry ror.org"""


class PaperAffiliation(Affiliation, kw_only=True):
    """An organization where some authors of a publication worked; all of them without `authors`."""

    authors: Annotated[tuple[str, ...], COMMAS] = ()
    """the authors there, by their position in the list: 1-3, or [1, 4]; without it, all"""

    @property
    def positions(self) -> frozenset[int]:
        """
        The positions of its authors, from 1; empty without `authors`. A text that is not a position is 0.
        """
        positions: set[int] = set()
        for text in self.authors:
            match = re.fullmatch(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?", text.strip())
            if match:
                positions.update(range(int(match[1]), int(match[2] or match[1]) + 1))
            else:
                positions.add(0)
        return frozenset(positions)

    def select_authors(self, authors: Authors) -> tuple[Author, ...]:
        """The authors of a publication who worked there."""
        if not self.authors:
            return authors.people
        positions = self.positions
        return tuple(author for i, author in enumerate(authors.people, 1) if i in positions)


class Media(SourceRecord, kw_only=True):
    """An image or a video of an entry; `poster` is the image that a video shows before it plays."""

    file: Annotated[Url, MAIN]
    """the name of an image or of a video (mp4, webm) in content/"""
    alt: str = ""
    """what it shows; "" if it is only decorative"""
    caption: Markdown = NO_TEXT
    """a text below it"""
    poster: Url = Url("")
    """the image of a video before it plays; by default the image with the same name: walk.png for walk.mp4"""

    @property
    def is_video(self) -> bool:
        """Whether it is a video of the site."""
        return is_video_file(self.file)

    @property
    def still(self) -> Url:
        """A still image: the poster of a video, or the image itself."""
        return self.poster if self.is_video else self.file


class Entry(SourceRecord, kw_only=True):
    """The fields of every entry; `language` is "" if it is the language of the collection."""

    summary: Annotated[Markdown, Key(aliases="description", fallbacks="abstract excerpt subtitle")] = NO_TEXT
    """one or two sentences; every list shows them, except sections with brief: true"""
    details: Annotated[tuple[Point, ...], Key(aliases="highlights bullets responsibilities items")] = ()
    """bullets; a bullet may contain bullets"""
    note: Annotated[Markdown, Key(aliases="comment remark")] = NO_TEXT
    """a note, shown at the end of the entry"""
    url: Annotated[Url, Key(aliases="website link homepage")] = Url("")
    """the target of a link on the name"""
    links: tuple[Link, ...] = ()
    """links with their labels: {code: https://…, slides: talk.pdf}"""
    tags: Annotated[tuple[str, ...], Key(commas=True, merges=True, aliases="category keywords")] = ()
    """tags; sections can filter by them, and each tag of posts and news has a page"""
    publications: Annotated[tuple[str, ...], COMMAS] = ()
    """keys of publications in bib/ that belong to the entry; both link to each other"""
    people: Annotated[tuple[str, ...], COMMAS] = ()
    """
    people of content/people.yaml, by name or id: [ada, Bo Lee]; their pages and the entry link to each other
    """
    image: Annotated[Url, Key(aliases="picture img thumbnail photo avatar cover")] = Url("")
    """an image: the name of a file in content/"""
    image_alt: Annotated[str, Key(aliases="alt alt_text")] = ""
    """the alt text of the image; "" if the image is only decorative"""
    media: tuple[Media, ...] = ()
    """
    more images and videos for the page of the entry: [walk.mp4, {file: rig.png, alt: The rig, caption: In
    2024}]
    """
    compare: tuple[Media, ...] = ()
    """
    two images to compare, before and after: [{file: noisy.png, alt: Noisy}, {file: clean.png, alt: Cleaned}]
    """
    draft: bool = False
    """true hides the entry from the published site; `serve` shows it"""
    id: Annotated[str, Key(aliases="slug")] = ""
    """the URL slug, if the default one does not suit: caching-2024"""
    language: Annotated[Language, Key(names="lang")] = Language("")
    """the language, if it differs from that of the site: de, pt-BR, zh"""
    body: Annotated[Markdown, COMPUTED] = NO_TEXT

    NAME_FIELDS: ClassVar[tuple[str, ...]] = ("title",)
    """The attributes of which the first that is not empty names the entry."""

    PERIOD_FIELD: ClassVar[str] = "date"
    """The field with the period of the entry."""

    SHOWS_TAGS: ClassVar[bool] = False
    """Whether its tags are shown; where they are only filters, other names of tags are facts of the note."""

    @property
    def name(self) -> str:
        """A label of this entry for readers; "" if all NAME_FIELDS are empty."""
        return next((str(text) for field in self.NAME_FIELDS if (text := getattr(self, field, ""))), "")

    @property
    def shown_media(self) -> tuple[Media, ...]:
        """The image and the media, each once; the poster of a video is not shown by itself."""
        if not self.image or any(self.image in (medium.file, medium.poster) for medium in self.media):
            return self.media
        return (Media(file=self.image, alt=self.image_alt), *self.media)

    @property
    def thumbnail(self) -> Media | None:
        """The first of the media that has an image, for lists."""
        return next((medium for medium in (*self.shown_media, *self.compare) if medium.still), None)

    @property
    def lead_text(self) -> Markdown:
        """A text for an entry without a title: its summary, body, note or first bullet point."""
        first_point = self.details[0].text if self.details else NO_TEXT
        return self.summary or self.body or self.note or first_point

    @property
    def entry_period(self) -> Period | None:
        """The period of the entry, for sorting and for filters by year."""
        period: Period | None = getattr(self, self.PERIOD_FIELD, None)
        return period


class Education(Entry, kw_only=True):
    """A degree or a stay at a school."""

    NAME_FIELDS: ClassVar = ("institution", "degree", "area")
    PERIOD_FIELD: ClassVar = "period"

    institution: Annotated[str, Key(main=True, aliases="school university organization company name")] = ""
    """the university, school or institute"""
    degree: Annotated[Markdown, Key(aliases="study_type program title position")] = NO_TEXT
    """the degree: Ph.D. in Computer Science"""
    area: Annotated[Markdown, Key(aliases="field major subject field_of_study")] = NO_TEXT
    """the field of study, if the degree does not contain it"""
    location: Annotated[str, Key(aliases=PLACE)] = ""
    """city and country"""
    period: Annotated[Period | None, OPEN_ENDED] = None
    """the period: Sep 2021 - present; or use start and end"""
    advisors: Annotated[tuple[Markdown, ...], Key(aliases=SUPERVISOR)] = ()
    """your advisor there, or several"""
    thesis: Annotated[Markdown, Key(aliases="dissertation")] = NO_TEXT
    """the title of the thesis"""
    grade: Annotated[Markdown, Key(aliases="gpa cgpa score")] = NO_TEXT
    """the grade or average"""
    rank: str = ""
    """your rank in the class: 3/20"""


class Experience(Entry, kw_only=True):
    """A position, a stay or an internship; `title` is the title of the project, if it has one."""

    NAME_FIELDS: ClassVar = ("organization", "title", "role")
    PERIOD_FIELD: ClassVar = "period"

    organization: Annotated[str, Key(main=True, aliases=f"{HOST} employer school name")] = ""
    """the employer: a university, a company, a laboratory"""
    unit: Annotated[str, Key(aliases="department group team lab")] = ""
    """the department, group or team"""
    title: Markdown = NO_TEXT
    """the name of the work, if it has one"""
    role: Annotated[Markdown, Key(aliases=ROLE)] = NO_TEXT
    """your position: Research Intern"""
    location: Annotated[str, Key(aliases=PLACE)] = ""
    """city and country"""
    period: Annotated[Period | None, OPEN_ENDED] = None
    """the period: May 2024 - Dec 2024; or use start and end"""
    advisors: Annotated[tuple[Markdown, ...], Key(aliases=SUPERVISOR)] = ()
    """your advisor there, or several"""
    mentors: tuple[Markdown, ...] = ()
    """your mentor there, or several"""
    topic: Markdown = NO_TEXT
    """the topic of the work"""


class Project(Entry, kw_only=True):
    """A project with its own page; `tagline` is its line in lists."""

    SHOWS_TAGS: ClassVar = True

    title: Annotated[Markdown, Key(main=True, aliases="name")]
    """the name of the project"""
    date: Annotated[Period | None, OPEN_ENDED] = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    tagline: Annotated[Markdown, Key(aliases="subtitle")] = NO_TEXT
    """a line below the title, also shown in the table of contents"""
    role: Annotated[Markdown, Key(aliases=ROLE)] = NO_TEXT
    """your role"""
    features: tuple[Point, ...] = ()
    """what the project can do, as bullets"""
    technologies: Annotated[tuple[str, ...], Key(commas=True, aliases="tech_stack")] = ()
    """the languages, libraries and tools of the project"""
    video: Url = Url("")
    """a video: a URL, or an mp4 or webm file, which the page plays without sound"""


class Talk(Entry, kw_only=True):
    """A talk; `event` is the conference or seminar, `place` the institution or the city."""

    NAME_FIELDS: ClassVar = ("title", "event", "place", "host", "kind", "lead_text")

    title: Annotated[Markdown, Key(main=True, aliases="name talk", fallbacks="topic")] = NO_TEXT
    """the title of the talk"""
    event: Annotated[Markdown, Key(aliases="conference seminar occasion", fallbacks="venue")] = NO_TEXT
    """the event: a seminar, a conference, a group meeting"""
    place: Annotated[str, Key(aliases=PLACE, fallbacks="venue")] = ""
    """the institution or the city"""
    host: Annotated[Markdown, Key(aliases=f"{HOST} organizer organization")] = NO_TEXT
    """the person who invited you"""
    kind: Annotated[str, Key(aliases="type")] = ""
    """the kind of talk: invited, keynote, tutorial"""
    date: Period | None = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    slides: Url = Url("")
    """the slides: a file in content/, or a URL"""
    video: Url = Url("")
    """the video: a URL, or a file in content/"""


class Award(Entry, kw_only=True):
    """A prize, a grant, a fellowship or an honour."""

    title: Annotated[Markdown, Key(main=True, aliases="name award prize bullet")]
    """the prize, grant, fellowship or honour"""
    organization: Annotated[Markdown, Key(aliases=f"{HOST} awarder issuer event by authority funder")] = (
        NO_TEXT
    )
    """the organization that gave it"""
    date: Period | None = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    amount: str = ""
    """the amount, as you write it: $1,000"""


class ServiceGroup(Record, kw_only=True):
    """Items of service under one label: "journals"."""

    label: str
    items: tuple[Markdown, ...]


class Service(Entry, kw_only=True):
    """Academic service. A list under an unknown key becomes a group: `journals: [JMLR, TMLR]`."""

    NAME_FIELDS: ClassVar = ("role",)

    role: Annotated[Markdown, Key(main=True, aliases="title name position label bullet")]
    """your role: Reviewer, Area Chair"""
    organization: Annotated[Markdown, Key(aliases=f"{HOST} event venue conference journal")] = NO_TEXT
    """the organization, conference or journal"""
    date: Annotated[Period | None, OPEN_ENDED] = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    groups: Annotated[tuple[ServiceGroup, ...], EXTRA] = ()
    """a list with a name of your choice: {journals: [IEEE TPDS, TMLR]}"""


class Course(Entry, kw_only=True):
    """A course taught."""

    NAME_FIELDS: ClassVar = ("course",)

    course: Annotated[Markdown, Key(main=True, aliases="title name")]
    """the name of the course"""
    role: Annotated[Markdown, Key(aliases=ROLE)] = NO_TEXT
    """your role: Lecturer, Teaching Assistant"""
    institution: Annotated[str, Key(aliases="school university organization")] = ""
    """the university, school or institute"""
    term: Annotated[tuple[Period, ...], Key(aliases="date year semester when period")] = ()
    """the term, or several: Fall 2023, or [Fall 2023, Fall 2024]"""

    @property
    def entry_period(self) -> Period | None:
        return max(self.term, key=lambda period: period.sort_key) if self.term else None


class News(Entry, kw_only=True):
    """A line of news."""

    NAME_FIELDS: ClassVar = ("title", "text", "lead_text")
    SHOWS_TAGS: ClassVar = True

    text: Annotated[Markdown, Key(main=True, aliases="content news description")] = NO_TEXT
    """the text of the news item"""
    date: Period | None = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    title: Markdown = NO_TEXT
    """a headline, if you want one"""


class Post(Entry, kw_only=True):
    """A blog post with its own page."""

    SHOWS_TAGS: ClassVar = True

    title: Annotated[Markdown, Key(main=True, aliases="name")]
    """the title"""
    date: Period | None = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    updated: Annotated[Date | None, Key(aliases="lastmod last_modified")] = None
    """the date of the last change"""


class CustomEntry(Entry, kw_only=True):
    """An entry of a collection that Tenure does not know: patents, software, students."""

    NAME_FIELDS: ClassVar = ("title", "text", "organization", "role", "lead_text")

    title: Annotated[Markdown, Key(main=True, aliases="name", fallbacks="label category language skill")] = (
        NO_TEXT
    )
    """the name of the entry"""
    text: Annotated[Markdown, Key(aliases="content bullet bio about", fallbacks=OTHER_TEXT)] = NO_TEXT
    """the text of the entry, also one after its title, as in “Languages: Python, C++”"""
    organization: Annotated[Markdown, Key(aliases=f"{HOST} {OTHER_HOST}")] = NO_TEXT
    """the organization or the place"""
    role: Annotated[Markdown, Key(aliases=ROLE)] = NO_TEXT
    """your role"""
    location: Annotated[str, Key(aliases=PLACE)] = ""
    """city and country"""
    date: Annotated[Period | None, OPEN_ENDED] = None
    """the date or period: 2024-05, May 2024, Spring 2024"""


class Person(CustomEntry, kw_only=True):
    """
    A person of `content/people.yaml`.

    Once loaded, `people` and `advisors` are ids; an advisor who is not in the list stays as written.
    """

    title: Annotated[Markdown, Key(main=True, names="name", aliases="full_name")] = NO_TEXT
    """the name"""
    aliases: tuple[str, ...] = ()
    """the other spellings of the name in the .bib files"""
    role: Annotated[Markdown, Key(aliases="was")] = NO_TEXT
    """the position: PhD student; the page of the people groups them by it"""
    image: Annotated[Url, Key(names="photo")] = Url("")
    """the photo: the name of a file in content/; by default the picture with the name of the person"""
    email: Annotated[tuple[EmailAddress, ...], Key(commas=True, aliases="mail")] = ()
    """the e-mail address, or several"""
    interests: Annotated[tuple[str, ...], Key(commas=True, merges=True, aliases="research_interests")] = ()
    """the research interests"""
    advisors: Annotated[tuple[str, ...], Key(aliases=SUPERVISOR)] = ()
    """the advisor, or several: people of the list, or other names"""
    thesis: Annotated[Markdown, Key(aliases="dissertation")] = NO_TEXT
    """the title of the thesis"""
    then: Annotated[Markdown, Key(aliases="now now_at")] = NO_TEXT
    """what a former member does now: Assistant Professor, University of Z"""
    former: bool = False
    """true says that the person has left; an end in the past says so too"""
    page: bool = False
    """true makes a page for the person; a person with a text in a Markdown file has one"""
    site: str = ""
    """the URL of the person's own site, shown as a link"""

    @property
    def is_former(self) -> bool:
        """Whether the source says that the person left: by a key, the role, or what the person does now."""
        return self.former or bool(self.then) or find_rank(self.role) == "alumni"

    def has_left(self, today: Date | None) -> bool:
        """
        Whether the person left before the date of the last revision.

        Without this date, an end that is not expected is past; without an end, the source says it.
        """
        end = self.date.end if self.date else None
        if self.former or end is None:
            return self.is_former
        if end.expected:
            return False
        return today is None or not end.may_be_on_or_after(today)


class Prose(Entry, kw_only=True):
    """A text: the body of `about.md`, or a page in content/pages/."""

    SHOWS_TAGS: ClassVar = True

    title: Markdown = NO_TEXT
    """the title; by default the first heading of the text"""
    date: Period | None = None
    """the date or period: 2024-05, May 2024, Spring 2024"""
    updated: Annotated[Date | None, Key(aliases="lastmod last_modified")] = None
    """the date of the last change"""
    menu: Annotated[bool, Key(aliases="nav")] = True
    """false removes the page from the menu"""
    path: str = ""
    """the path of the page, if it differs from the name of the file: /lehre/"""


class Venue(Record, kw_only=True):
    """
    The journal, conference or publisher; `page_total` and `volumes` count those of the whole work.

    `rank` is its rank in a list: "CCF-A".
    """

    name: Markdown = NO_TEXT
    short: str = ""
    rank: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    page_total: str = ""
    version: str = ""
    part: str = ""
    chapter: str = ""
    volumes: str = ""
    series: Markdown = NO_TEXT
    edition: str = ""
    publisher: Markdown = NO_TEXT
    institution: Markdown = NO_TEXT
    location: Markdown = NO_TEXT


class PublicationFact(Record):
    """
    A fact about a publication that its page shows with a label: the field or the name of a link, and the
    text.

    `people` are the persons of a list of names, `role` is what they did if the label does not say it:
    "compiler".
    """

    name: str
    text: Markdown
    people: Authors = field(default_factory=Authors)
    role: str = ""


class Publication(Entry, kw_only=True, cache_hash=True):
    """
    An entry of a .bib file; `kind` is its BibTeX or biblatex entry type.

    `genre` is what it is in the words of its author, or the key of a label ("phdthesis"); "" if `kind` says
    it. `editor_role` is what the editors did if they did not edit: "compiler". `end_date` ends a period of
    several years. `preprints` has the keys of the preprints merged into it, `server` is the preprint server
    if it is one. `printed_bibtex` also has the entries that it inherits from. `page` is false for entries of
    lists such as press.
    """

    key: str
    kind: str
    title: Markdown
    genre: Markdown = NO_TEXT
    authors: Authors = field(default_factory=Authors)
    affiliations: tuple[PaperAffiliation, ...] = ()
    editors: Authors = field(default_factory=Authors)
    editor_role: str = ""
    date: Date | None = None
    end_date: Date | None = None
    venue: Venue = field(default_factory=Venue)
    status: str = ""
    awards: tuple[Markdown, ...] = ()
    abstract: Markdown = NO_TEXT
    selected: bool = False
    doi: str = ""
    eprint: str = ""
    server: str = ""
    bibtex: str = ""
    printed_bibtex: str = ""
    parents: tuple[str, ...] = ()
    preprints: tuple[str, ...] = ()
    facts: tuple[PublicationFact, ...] = ()
    page: Annotated[bool, COMPUTED] = True
    layout: str = ""

    @property
    def doi_url(self) -> str:
        """The URL of the DOI, "" without one."""
        return make_doi_url(self.doi)

    @property
    def arxiv_url(self) -> str:
        """The page of the arXiv number, "" without one."""
        return make_arxiv_url(self.eprint)

    @property
    def has_showpiece(self) -> bool:
        """
        Whether its page can begin with more than its record: images, videos, affiliations of its authors.
        """
        return bool(self.shown_media or self.compare or self.affiliations)

    @property
    def entry_period(self) -> Period | None:
        return Period(start=self.date, end=self.end_date) if self.date else None


class Profile(SourceRecord, kw_only=True):
    """The researcher: name, contact data and links."""

    name: Annotated[str, Key(aliases="full_name author")]
    """your name, as you write it"""
    kind: Literal["person", "group", "centre", "project"] = "person"
    """
    whose site it is; on the site of a group, centre or project, all people of content/people.yaml are the
    owners of their publications
    """
    aliases: tuple[str, ...] = ()
    """the other spellings of your name in your .bib files"""
    role: Annotated[Markdown, Key(aliases="title position label headline job job_title")] = NO_TEXT
    """your position: Ph.D. student in Computer Science"""
    affiliation: Annotated[tuple[Affiliation, ...], Key(merges=True, aliases=EMPLOYER)] = ()
    """your institution: a name, or name, url and ror; or several institutions"""
    email: Annotated[tuple[EmailAddress, ...], Key(commas=True, aliases="mail email_address")] = ()
    """your e-mail address, or several"""
    location: Annotated[str, Key(aliases=PLACE)] = ""
    """city and country"""
    office: Annotated[str, Key(aliases="room")] = ""
    """your office: building and room"""
    pronouns: str = ""
    """your pronouns"""
    ror: str = ""
    """of a group: its identifier in the registry ror.org"""
    head: Annotated[tuple[str, ...], Key(commas=True)] = ()
    """of a group: its head, or several, by name or id as in content/people.yaml"""
    photo: Annotated[Url, Key(names="logo", aliases="image avatar picture")] = Url("")
    """your photo: the name of a file in content/; of a group its logo"""
    photo_alt: Annotated[str, Key(aliases="alt")] = ""
    """the alt text of the photo; by default “Portrait of” and your name"""
    tagline: Annotated[Markdown, Key(aliases="subtitle")] = NO_TEXT
    """a line below your name"""
    interests: Annotated[
        tuple[str, ...], Key(commas=True, merges=True, aliases="research_interests fields topics keywords")
    ] = ()
    """your research interests"""
    links: Annotated[tuple[Link, ...], Key(aliases="socials profiles social_networks social_links")] = ()
    """your profiles on other sites: {github: ada, orcid: 0000-0000-0000-0000}"""
    cv: Annotated[Url, Key(aliases="resume")] = Url("")
    """your own CV: a PDF file in content/; Tenure then generates none"""

    @property
    def is_group(self) -> bool:
        """Whether the site is that of several people."""
        return self.kind != "person"
