"""
The text of every entry except publications: its lines and blocks the same for all formats.

The objects: EntryLines are the head of an entry (heading, role, dates, place) and its Blocks; an
EntryPresenter makes them, with a function for each class of entries, in the phrases of a Writer. A fact is a
label with values, shown below the blocks: "Grade: 1.0". A brief list shows the heads of its entries alone, or
nearly.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from tenure.markdown.html import make_slug, plain_text
from tenure.model.dates import Period
from tenure.model.entries import (
    NO_TEXT,
    Award,
    Course,
    CustomEntry,
    Education,
    Entry,
    Experience,
    News,
    Person,
    Post,
    Project,
    Prose,
    Publication,
    Service,
    ServiceGroup,
    Talk,
)
from tenure.model.links import email_url, read_email_url
from tenure.model.names import fold_text
from tenure.model.roles import fold_role
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.plan.sections import ListItem
from tenure.presentation.citation import Citation
from tenure.presentation.writer import (
    Block,
    BlockRole,
    Bullet,
    DateForm,
    Phrase,
    TextLink,
    Writer,
    keep_filled,
    list_papers,
    present_bullets,
)
from tenure.record import Record, replace


class EntryLines(Record, kw_only=True):
    """
    An entry as data: its head and the blocks below it.

    A "line" is one line with its dates; its heading is a whole sentence, in which the span with the role
    "heading" is the title. An "entry" has a head of two columns: heading and dates, then organization, role
    and place. `facts` are shown as a table below the blocks. A brief list shows `brief_heading` in place of
    the heading, only the blocks with one of `brief_roles`, and no facts. In formats of one line,
    `subtitle_separator` is before the subtitle; by default it is a comma.
    """

    heading: Phrase
    form: Literal["entry", "line"] = "line"
    organization: Phrase = ""
    role: Phrase = ""
    subtitle: Phrase = ""
    subtitle_separator: str = ""
    dates: Phrase = ""
    place: Phrase = ""
    blocks: tuple[Block, ...] = ()
    facts: tuple[Block, ...] = ()
    brief_heading: Phrase = ""
    brief_roles: frozenset[BlockRole] = frozenset()

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """The blocks and the facts in order."""
        return (*self.blocks, *self.facts)


class EntryPresenter(Record, dict=True):
    """
    Presents the entries of a site in its language, in the format of a writer.

    `links_to_pages`: an entry with a page is linked to it, and not to its URL.
    `full_projects`: projects and people with their whole text.
    """

    site: Site
    w: Writer
    links_to_pages: bool = True
    full_projects: bool = False

    @cached_property
    def t(self) -> Translations:
        """The translations of the site's language."""
        return self.site.active_theme.translations

    @cached_property
    def publications(self) -> tuple[Publication, ...]:
        """The publications that an entry may name."""
        return self.site.publications

    @cached_property
    def people(self) -> Mapping[str, Person]:
        """The people of the site by id."""
        return {person.id: person for person in self.site.people}

    def present(self, entry: Entry, *, in_columns: bool = False) -> EntryLines:
        """The lines of an entry; one of a list without a kind has two columns if a person or `in_columns`."""
        present_entry = PRESENT_FUNCTIONS[type(entry)]
        if in_columns and type(entry) is CustomEntry:
            present_entry = _present_custom_entry
        lines: EntryLines = present_entry(self, entry)

        return replace(
            lines,
            dates=lines.dates or self.format_period(entry.entry_period),
            blocks=keep_filled(entry, lines.blocks),
            facts=keep_filled(entry, lines.facts),
        )

    def present_items(self, items: Sequence[ListItem]) -> "list[EntryLines | Citation]":
        """The lines of each entry of a list, and the citation of each publication."""
        lines = iter(self.present_listing([i.entry for i in items if not isinstance(i.entry, Publication)]))
        presented: list[EntryLines | Citation] = []
        for item in items:
            if isinstance(item.entry, Publication):
                presented.append(Citation(item.entry, self.t, self.w, citations=item.citations))
            else:
                presented.append(next(lines))
        return presented

    def present_listing(
        self, entries: Sequence[Entry], heading: str = "", *, brief: bool = False, cards: bool = False
    ) -> list[EntryLines]:
        """
        The lines of the entries below a heading.

        As `cards`, or if one of a list without a kind needs it, all have two columns.
        A brief list shows less of an entry that has a head.
        """
        in_columns = cards or any(map(_needs_columns, entries))
        listed = []
        for entry in entries:
            lines = self._omit_heading(entry, self.present(entry, in_columns=in_columns), heading)
            listed.append(_shorten(lines) if brief else lines)
        return listed

    def _omit_heading(self, entry: Entry, lines: EntryLines, heading: str) -> EntryLines:
        """The lines without what the heading above them says: the term of a course, the role of a person."""
        if heading and isinstance(entry, Course) and self.w.to_text(lines.dates) == heading:
            return replace(lines, dates="")
        # "PhD students" is the heading of each "PhD student"
        if heading and isinstance(entry, Person) and fold_role(heading) == fold_role(entry.role):
            return replace(lines, role="")
        return lines

    def link_to_entry(self, entry: Entry, phrase: Phrase) -> Phrase:
        """The phrase as a link to the page or the URL of an entry; a URL without a phrase has a label."""
        url: str = entry.url
        if url and not phrase:
            phrase = self.w.plain(self.t["link_link"])
        if self.links_to_pages:
            url = entry_page_path(entry) or url
        return self.w.link(phrase, url)

    def join_with_commas(self, phrases: Iterable[Phrase]) -> Phrase:
        """The non-empty phrases, joined with the commas of the language."""
        return self.w.join(phrases, self.t["comma"])

    def format_period(self, period: Period | None, form: DateForm = "short") -> Phrase:
        """A period in the site's language; one date if the start and the end are equal."""
        if period is None:
            return ""
        start = self.w.date(self.t, period.start, form)
        end = self.w.date(self.t, period.end, form)
        if period.ongoing:
            end = self.w.plain(self.t["present"])

        if not start:
            return self.w.fill(self.t["date_until"], {"date": end})
        if not end or start == end:
            return start
        # "2020 – ~2024": a space keeps the dash and the tilde apart
        if self.w.to_text(end).startswith("~"):
            end = f"{self.w.plain(self.w.tilde_space)}{end}"
        return self.w.fill(self.t["date_period"], {"start": start, "end": end})

    def link_title(self, entry: Talk | News) -> Phrase:
        """The title of a line as a link to its entry; "" without a title."""
        title = self.w.markdown(entry.title)
        if not title:
            return ""
        return self.w.nest(self.link_to_entry(entry, title), "heading")

    def fact(self, label: str, *values: str) -> Phrase:
        """Texts or people with their label: advisor, A, B -> "Advisors: A and B"."""
        value = self.w.list_names(self.t, [self.w.markdown(value) for value in values])
        return self.w.label(self.t, self.name_values(label, values), value)

    def name_values(self, label: str, values: Sequence[str]) -> str:
        """The label of one value, "Advisor", or of several, "Advisors"."""
        return self.t[f"{label}s" if len(values) > 1 else label]

    def detail_blocks(
        self, entry: Entry, *, facts_above: Iterable[Phrase] = (), facts_below: Iterable[Phrase] = ()
    ) -> tuple[Block, ...]:
        """The blocks below the head of an entry, the last with links; facts are bullets beside its own."""
        own_bullets = present_bullets(self.w, entry.details)
        bullets = (*_make_bullets(facts_above), *own_bullets, *_make_bullets(facts_below))
        body = "" if entry_page_path(entry) else entry.body
        return (
            Block("summary", self.w.markdown(entry.summary)),
            Block("bullets", bullets=bullets),
            self.paper_block(entry),
            Block("note", self._name_people_besides_text(entry)),
            Block("body", body=body),
            Block("picture"),
            Block("note", self.w.markdown(entry.note)),
            self.link_block(entry),
        )

    def present_details(self, entry: Entry) -> tuple[Block, ...]:
        """The blocks below the body of a text."""
        blocks = self.detail_blocks(entry)
        return keep_filled(entry, (block for block in blocks if block.role not in ("summary", "body")))

    def paper_block(self, entry: Entry) -> Block:
        """The publications of an entry by title."""
        return list_papers(self.w, self.t, self.publications, entry.publications, self.links_to_pages)

    def _name_people_besides_text(self, entry: Entry) -> Phrase:
        """The people of an entry with their label; "" without people, or if its text names all of them."""
        words = set(fold_text(getattr(entry, "text", "")).split())
        names = [fold_text(self.people[name].title).split() for name in entry.people if name in self.people]
        are_known = len(names) == len(entry.people)
        # "Ada" or "Lovelace"
        if are_known and all({n[0], n[-1]} & words for n in names if n):
            return ""
        return self.w.label(self.t, self.t["people"], self.name_people(entry.people))

    def name_people(self, names: Iterable[str]) -> Phrase:
        """People by id as links to their pages, and other people as they are written."""
        return self.join_with_commas(map(self._name_person, names))

    def _name_person(self, name: str) -> Phrase:
        """A person by id as a link, "lee" -> [Ada Lee](/people/lee/); any other text as it is written."""
        person = self.people.get(name)
        if person is None:
            return self.w.markdown(name, "name")
        return self.link_to_entry(person, self.w.markdown(person.title, "name"))

    def link_block(self, entry: Entry, *more: tuple[str, str]) -> Block:
        """
        The row of links of an entry with a URL; `more` are labels and URLs before its own.

        Of an e-mail, the address is shown.
        """
        pairs = [*more, *((link.label, link.url) for link in entry.links)]
        links = [
            TextLink(read_email_url(url) or self.t.translate_link_label(text, url), url)
            for text, url in pairs
            if url
        ]
        return Block("links", links=tuple(links))


def _needs_columns(entry: Entry) -> bool:
    """Whether an entry of a list without a kind has more than one line: {title: A, role: B}."""
    if not isinstance(entry, CustomEntry):
        return False
    return isinstance(entry, Person) or any((entry.location, entry.role, entry.details, entry.body))


def _shorten(lines: EntryLines) -> EntryLines:
    """The lines of an entry in a brief list; one without a head stays whole."""
    heading = lines.brief_heading or lines.heading
    if not (heading or lines.role or lines.place):
        return lines
    blocks = tuple(block for block in lines.blocks if block.role in lines.brief_roles)
    return replace(lines, heading=heading, blocks=blocks, facts=())


def _make_bullets(facts: Iterable[Phrase]) -> tuple[Bullet, ...]:
    """A bullet for each fact that is not empty."""
    return tuple(map(Bullet, filter(None, facts)))


def _present_education(presenter: EntryPresenter, entry: Education) -> EntryLines:
    """
    Education: the institution, or else the degree, is the heading; the degree and its area are the role.
    """
    w = presenter.w
    degree = w.markdown(entry.degree)
    area = w.markdown(entry.area)
    title = degree or area
    if degree and area:
        title = w.fill(presenter.t["degree_in"], {"degree": degree, "area": area})
    institution = w.markdown(entry.institution, "name")

    rank = w.label(presenter.t, presenter.t["rank"], w.markdown(entry.rank, "name"))
    facts = [
        presenter.join_with_commas([_label_grade(presenter, entry.grade), rank]),
        presenter.fact("advisor", *entry.advisors),
        presenter.fact("thesis", entry.thesis),
    ]
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, institution or title),
        role=title if institution else "",
        place=w.markdown(entry.location, "name"),
        blocks=presenter.detail_blocks(entry, facts_below=facts),
    )


def _label_grade(presenter: EntryPresenter, grade: str) -> Phrase:
    """A grade with its label: "GPA: 3.96" as it is, 1.3 -> "Grade: 1.3"; words may have another label."""
    label, colon, value = grade.partition(": ")
    if colon and re.fullmatch(r"[^\W\d_]+\.?", label):
        return presenter.w.label(presenter.t, label, presenter.w.markdown(value.strip()))
    if plain_text(grade)[:1].isdecimal():
        return presenter.fact("grade", grade)
    return presenter.fact("grade_in_words", grade)


def _present_experience(presenter: EntryPresenter, entry: Experience) -> EntryLines:
    """
    A position: its title is the heading, or else the organization, or the role: "Parental leave".
    """
    w = presenter.w
    organization = w.markdown(entry.organization, "name")
    if entry.unit:
        comma = w.plain(presenter.t["comma"]) if organization else ""
        unit = f"{comma}{w.markdown(entry.unit, 'name')}"
        organization = f"{organization}{w.nest(unit, 'division')}"

    title = w.markdown(entry.title)
    role = w.markdown(entry.role)
    facts = [
        presenter.fact("advisor", *entry.advisors),
        presenter.fact("mentor", *entry.mentors),
        presenter.fact("topic", entry.topic),
    ]
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, title or organization or role),
        organization=organization if title else "",
        role=role if title or organization else "",
        place=w.markdown(entry.location, "name"),
        blocks=presenter.detail_blocks(entry, facts_above=facts),
    )


def _present_project(presenter: EntryPresenter, entry: Project) -> EntryLines:
    """A project; in a list, its features are among its bullets, and its dates and its text are left out."""
    w = presenter.w
    t = presenter.t
    features = present_bullets(w, entry.features)
    bullets = present_bullets(w, entry.details)
    dates = body = ""
    if presenter.full_projects:
        dates = presenter.format_period(entry.date, "long")
        body = entry.body
    else:
        bullets += features
        features = ()

    links = _link_project(presenter, entry)
    links_label = "links" if len(links.links) > 1 else "link_link"
    technologies = tuple(w.markdown(technology, "name") for technology in entry.technologies)
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.title)),
        role=w.markdown(entry.tagline),
        dates=dates,
        blocks=(
            Block("summary", w.markdown(entry.summary)),
            Block("body", body=body),
            Block("bullets", bullets=bullets),
            Block("features", bullets=features, label=t["features"]),
            Block("note", w.markdown(entry.note)),
        ),
        facts=(
            Block("fact", label=t["role"], items=(w.markdown(entry.role),)),
            Block("technologies", label=t["technologies"], items=technologies),
            Block("fact", label=t["people"], items=(presenter.name_people(entry.people),)),
            presenter.paper_block(entry),
            links._replace(label=t[links_label]),
            Block("tags", label=t["tags"]),
        ),
        brief_roles=frozenset({"summary"}),
    )


def _link_project(presenter: EntryPresenter, entry: Project) -> Block:
    """The links of a project; a URL that is its only link is shown as an address, "example.org/app"."""
    video: str = entry.video
    # the page plays a video of the media, and needs no link to it
    if any(medium.file == video for medium in entry.media):
        video = ""

    label = entry.url.removeprefix("https://").removeprefix("http://").strip("/")
    if entry.links or video:
        label = presenter.t["link_link"]
    return presenter.link_block(entry, (label, entry.url), (presenter.t["link_video"], video))


def _present_talk(presenter: EntryPresenter, entry: Talk) -> EntryLines:
    """A talk; its kind is shown unless the event contains it."""
    w = presenter.w
    kind = ""
    if entry.kind and entry.kind.casefold() not in entry.event.casefold():
        kind = presenter.t.get(f"talk_{make_slug(entry.kind)}", _capitalize(entry.kind))
    occasion = presenter.join_with_commas(
        [
            w.plain(kind),
            w.markdown(entry.event),
            w.markdown(entry.place, "name"),
            w.fill(presenter.t["host"], {"host": w.markdown(entry.host)}),
        ]
    )

    heading = presenter.link_title(entry)
    if not heading:
        heading = presenter.link_to_entry(entry, occasion)
        occasion = ""

    files = presenter.link_block(entry, ("slides", entry.slides), ("video", entry.video))
    return EntryLines(
        heading=heading,
        subtitle=occasion,
        blocks=(*presenter.detail_blocks(entry)[:-1], files),
        brief_roles=frozenset({"links"}),
    )


MAX_INLINE_NOTE = 60
"""The most characters of an award's note that is shown in parentheses after it."""


def _present_award(presenter: EntryPresenter, entry: Award) -> EntryLines:
    """An award; its amount and a short note are in parentheses, a long note is below."""
    w = presenter.w
    title = presenter.link_to_entry(entry, w.markdown(entry.title))
    content = presenter.join_with_commas([title, w.markdown(entry.organization)])

    # a note in the parenthesis is not repeated below; one with a parenthesis of its own is only there
    note = ""
    if len(entry.note) <= MAX_INLINE_NOTE and "(" not in entry.note:
        note = w.markdown(entry.note)
        entry = replace(entry, note=NO_TEXT)
    parenthesis = w.join([w.markdown(entry.amount, "name"), note], presenter.t["semicolon"])
    amount = w.nest(w.fill("({amount})", {"amount": parenthesis}), "amount")
    return EntryLines(
        heading=w.join([content, amount], " "),
        blocks=presenter.detail_blocks(entry),
        brief_roles=frozenset({"note"}),
    )


def _present_service(presenter: EntryPresenter, entry: Service) -> EntryLines:
    """
    Service; the items of one group follow the role, several groups are bullets with their labels.

    {role: Reviewer, items: [ICML, ICLR]} -> "Reviewer: ICML, ICLR"
    """
    w = presenter.w
    t = presenter.t
    role = presenter.link_to_entry(entry, w.markdown(entry.role))
    organization = w.markdown(entry.organization)
    if entry.groups or organization:
        role = w.fill(t["label"], {"label": role})

    items = ""
    facts: list[Phrase] = []
    listed = [_join_group(w, t, group) for group in entry.groups]
    if len(listed) == 1:
        organization = w.fill(t["label"], {"label": organization})
        items = listed[0]
    else:
        # several groups: "Reviewer:" and a bullet for each, "Journals: JMLR, TMLR"
        labels = (_name_group(t, group.label) for group in entry.groups)
        facts = [w.label(t, label, text) for label, text in zip(labels, listed, strict=True)]
    return EntryLines(
        heading=w.join([w.nest(role, "duty"), organization, items], " "),
        blocks=(Block("bullets", bullets=_make_bullets(facts)), *presenter.detail_blocks(entry)),
    )


def _join_group(w: Writer, t: Translations, group: ServiceGroup) -> Phrase:
    """The items of a group of service: "JMLR, TMLR"; items with commas are separated by semicolons."""
    has_commas = any("," in item for item in group.items)
    return w.join(map(w.markdown, group.items), t["semicolon" if has_commas else "list_comma"])


def _name_group(t: Translations, label: str) -> str:
    """The label of a group of service in the site's language: program_committee -> "Program committee"."""
    return t.get(f"group_{make_slug(label)}", _capitalize(label).replace("_", " "))


def _capitalize(text: str) -> str:
    """A capital at the beginning, the others as they are: "invited IEEE talk" -> "Invited IEEE talk"."""
    return text[:1].upper() + text[1:]


def _present_course(presenter: EntryPresenter, entry: Course) -> EntryLines:
    """A course with its role and institution, and the terms as its dates: "fall 2024, fall 2025"."""
    w = presenter.w
    return EntryLines(
        heading=w.nest(presenter.link_to_entry(entry, w.markdown(entry.course)), "heading"),
        subtitle=presenter.join_with_commas([w.markdown(entry.role), w.markdown(entry.institution, "name")]),
        dates=w.join(map(presenter.format_period, entry.term), presenter.t["list_comma"]),
        blocks=presenter.detail_blocks(entry),
    )


def _present_news(presenter: EntryPresenter, entry: News) -> EntryLines:
    """News; a text of several paragraphs is a block below the title, except in a brief list."""
    title = presenter.link_title(entry)
    body = entry.text if "\n\n" in entry.text else ""
    heading_text = "" if body else entry.text

    # a brief list has no blocks, so that the heading has the text
    brief_text = entry.text
    if not (title or brief_text):
        brief_text = entry.lead_text
    return EntryLines(
        heading=_join_news(presenter, entry, title, heading_text),
        blocks=(Block("body", body=body), *presenter.detail_blocks(entry), Block("tags")),
        brief_heading=_join_news(presenter, entry, title, brief_text),
    )


def _join_news(presenter: EntryPresenter, entry: News, title: Phrase, text: str) -> Phrase:
    """The title of news and the text after it, which is the link to the entry if there is no title."""
    phrase = presenter.w.markdown(text)
    if not title:
        return presenter.link_to_entry(entry, phrase)
    return presenter.w.join([title, phrase], " ")


def _present_custom_line(presenter: EntryPresenter, entry: CustomEntry) -> EntryLines:
    """
    An entry on one line: "title, organization", and the text below it; without a title the text comes first.
    """
    w = presenter.w
    title = w.markdown(entry.title)
    text = w.markdown(entry.text)
    organization = w.markdown(entry.organization)

    if title:
        heading = presenter.join_with_commas([presenter.link_to_entry(entry, title), organization])
    else:
        heading = presenter.link_to_entry(entry, presenter.join_with_commas([text, organization]))
        text = ""
    return EntryLines(
        heading=heading,
        subtitle=text,
        subtitle_separator=presenter.t["label"].format(label="") + " ",
        blocks=presenter.detail_blocks(entry),
    )


def _present_custom_entry(presenter: EntryPresenter, entry: CustomEntry) -> EntryLines:
    """An entry whose heading is its title, organization, text or role, the first that exists."""
    w = presenter.w
    texts = [*map(w.markdown, (entry.title, entry.organization, entry.text, entry.role))]
    # the first is not shown again below the heading
    first = next((number for number, text in enumerate(texts) if text), 0)
    heading = texts[first]
    texts[first] = ""
    _, organization, text, role = texts

    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, heading),
        organization=organization,
        role=role,
        place=w.markdown(entry.location, "name"),
        blocks=(Block("text", text), *presenter.detail_blocks(entry)),
        brief_roles=frozenset({"text"}),
    )


def _present_person(presenter: EntryPresenter, entry: Person) -> EntryLines:
    """A person; in a list, one who has a page is shown without the details and the text of the page."""
    w = presenter.w
    details: tuple[Block, ...] = ()
    if presenter.full_projects or not entry_page_path(entry):
        details = _present_person_details(presenter, entry)
    emails = [(email, email_url(email)) for email in entry.email]

    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.title, "name")),
        organization=w.markdown(entry.organization),
        role=w.markdown(entry.role),
        place=w.markdown(entry.location, "name"),
        blocks=(
            Block("text", w.markdown(entry.text)),
            Block("note", presenter.fact("now", entry.then)),
            *_present_person_facts(presenter, entry),
            *details,
            presenter.link_block(entry, *emails),
        ),
        brief_roles=frozenset({"text"}),
    )


def _present_person_facts(presenter: EntryPresenter, entry: Person) -> Iterator[Block]:
    """The advisors, the thesis, the interests, and an address that is not linked."""
    w = presenter.w
    t = presenter.t
    advisors = presenter.name_values("advisor", entry.advisors)
    facts = (
        w.label(t, advisors, presenter.name_people(entry.advisors)),
        presenter.fact("thesis", entry.thesis),
        w.label(t, t["interests"], w.plain(t["list_comma"].join(entry.interests))),
        *(w.plain(email) for email in entry.email if not email_url(email)),
    )
    for fact in facts:
        yield Block("note", fact)


def _present_person_details(presenter: EntryPresenter, entry: Person) -> tuple[Block, ...]:
    """What the page of a person shows below the head and the facts."""
    # the blocks of details have the text of a person without a page
    body = entry.body if entry_page_path(entry) else ""

    return (
        *(block for block in presenter.detail_blocks(entry)[:-1] if block.role != "picture"),
        Block("body", body=body),
    )


def _present_text(presenter: EntryPresenter, entry: Post | Prose) -> EntryLines:
    """A text with its own page: its title and summary."""
    return EntryLines(
        heading=presenter.link_to_entry(entry, presenter.w.markdown(entry.title)),
        blocks=(Block("summary", presenter.w.markdown(entry.summary)), Block("tags")),
    )


PRESENT_FUNCTIONS: Mapping[type[Entry], Callable[[EntryPresenter, Any], EntryLines]] = {
    Education: _present_education,
    Experience: _present_experience,
    Project: _present_project,
    Talk: _present_talk,
    Award: _present_award,
    Service: _present_service,
    Course: _present_course,
    News: _present_news,
    CustomEntry: _present_custom_line,
    Person: _present_person,
    Post: _present_text,
    Prose: _present_text,
}
"""The function that presents each kind of entry; publications have their citation instead."""
