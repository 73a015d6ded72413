"""The text of every entry except publications: its lines and blocks the same for all formats."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from tenure.markdown.html import make_slug, plain_text
from tenure.model.dates import Period
from tenure.model.entries import (
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
    Talk,
)
from tenure.model.links import email_url
from tenure.model.names import fold_text
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.plan.sections import ListItem
from tenure.presentation.citation import Citation
from tenure.presentation.writer import (
    Block,
    BlockRole,
    DateForm,
    Phrase,
    TextLink,
    Writer,
    body_block,
    bullet_block,
    fact_block,
    fact_bullets,
    link_block,
    paper_block,
    present_bullets,
    text_block,
)
from tenure.record import Record, field, replace

MAX_INLINE_NOTE = 60
"""Maximum length in characters of an award's note that is shown in parentheses after it."""


class EntryLines(Record, kw_only=True):
    """
    An entry as data: its head and the blocks below it.

    A "line" is one line with its dates; its heading is a whole sentence, in which the span with the role "heading" is
    the title. An "entry" has a head of two columns: heading and dates, then organization, role and place.
    `facts` are shown as a table below the blocks. A brief list shows `brief_heading` in place of the heading, only the
    blocks with one of `brief_roles`, and no facts. In formats of one line, `subtitle_separator` is before the subtitle;
    by default it is a comma.
    """

    form: Literal["entry", "line"]
    heading: Phrase
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

    def shorten(self) -> "EntryLines":
        """The lines in a brief list; all of an entry that has no head."""
        if not (self.brief_heading or self.heading or self.role or self.place):
            return self
        blocks = tuple(block for block in self.blocks if block.role in self.brief_roles)
        return replace(self, heading=self.brief_heading or self.heading, blocks=blocks, facts=())


class EntryPresenter(Record):
    """
    Presents entries in the language of a site, in the format of a writer.

    `links_to_pages`: an entry with a page is linked to it, and not to its URL. `full_projects`: projects
    and people with their whole text. `people` are those of the site by id.
    """

    t: Translations
    w: Writer
    publications: Sequence[Publication]
    links_to_pages: bool = True
    full_projects: bool = False
    people: Mapping[str, Person] = field(default_factory=dict)

    @classmethod
    def for_site(
        cls, site: Site, w: Writer, *, links_to_pages: bool = True, full_projects: bool = False
    ) -> "EntryPresenter":
        """The presenter of a site in its language."""
        people = {person.id: person for person in site.people}
        return cls(
            site.active_theme.translations, w, site.publications, links_to_pages, full_projects, people
        )

    def present(self, entry: Entry) -> EntryLines:
        """The lines of an entry."""
        return PRESENT_FUNCTIONS[type(entry)](self, entry)

    def present_list(self, entries: Sequence[Entry], *, cards: bool = False) -> list[EntryLines]:
        """The lines of the entries of a list; as `cards`, or if one of a list without a kind needs it, all have two columns."""
        if cards or any(map(_needs_two_columns, entries)):
            return [
                _present_custom_entry(self, entry) if type(entry) is CustomEntry else self.present(entry)
                for entry in entries
            ]
        return [self.present(entry) for entry in entries]

    def present_items(self, items: Sequence[ListItem]) -> "list[EntryLines | Citation]":
        """The lines of each entry of a list, and the citation of each publication."""
        lines = iter(self.present_list([i.entry for i in items if not isinstance(i.entry, Publication)]))
        return [
            Citation(item.entry, self.t, self.w, citations=item.citations)
            if isinstance(item.entry, Publication)
            else next(lines)
            for item in items
        ]

    def present_listing(
        self, entries: Sequence[Entry], heading: str = "", *, brief: bool = False, cards: bool = False
    ) -> list[EntryLines]:
        """The lines of the entries below a heading; a term of a course or a role that equals the heading is omitted."""
        listed = self.present_list(entries, cards=cards)
        if heading and entries and isinstance(entries[0], Course):
            listed = [
                replace(lines, dates="") if self.w.to_text(lines.dates) == heading else lines
                for lines in listed
            ]
        elif heading and entries and isinstance(entries[0], Person):
            listed = [
                replace(lines, role="") if heading.startswith(getattr(entry, "role", "") or "\n") else lines
                for entry, lines in zip(entries, listed, strict=True)
            ]
        return [lines.shorten() for lines in listed] if brief else listed

    def _page_path(self, entry: Entry) -> str:
        return entry_page_path(entry) if self.links_to_pages else ""

    def link_to_entry(self, entry: Entry, phrase: Phrase) -> Phrase:
        """The phrase as a link to the page or the URL of an entry; without a phrase, a label is the link to the URL."""
        return self.w.link(
            phrase or (self.w.plain(self.t["link_link"]) if entry.url else ""),
            self._page_path(entry) or entry.url,
        )

    def join_with_commas(self, phrases: Iterable[Phrase]) -> Phrase:
        """The non-empty phrases, joined with the commas of the language."""
        return self.w.join(phrases, self.t["comma"])

    def format_period(self, period: Period | None, form: DateForm = "short") -> Phrase:
        """A period in the site's language; one date if the start and the end are equal."""
        if period is None:
            return ""
        start = self.w.date(self.t, period.start, form)
        end = self.w.plain(self.t["present"]) if period.ongoing else self.w.date(self.t, period.end, form)
        if start and end and start != end:
            return self.w.fill(self.t["date_period"], {"start": start, "end": end})
        return start or (self.w.fill(self.t["date_until"], {"date": end}) if end else "")

    def link_title(self, entry: Talk | News) -> Phrase:
        """The title of a line as a link to its entry; "" without a title."""
        return (
            self.w.nest(self.link_to_entry(entry, self.w.markdown(entry.title)), "heading")
            if entry.title
            else ""
        )

    def name_fact(self, label: str, names: Sequence[str]) -> Phrase:
        """People with their label, in the plural if there are several: "Advisors: A and B"."""
        value = self.w.list_names(self.t, [self.w.markdown(name) for name in names])
        return self.w.label(self.t, self.t[f"{label}s" if len(names) > 1 else label], value)

    def text_fact(self, label: str, value: str) -> Phrase:
        """A text with its label: "Topic: …"."""
        return self.w.label(self.t, self.t[label], self.w.markdown(value))

    def detail_blocks(
        self,
        entry: Entry,
        *,
        facts_above: Iterable[Phrase] = (),
        facts_below: Iterable[Phrase] = (),
        note: bool = True,
    ) -> tuple[Block, ...]:
        """The blocks below the head of an entry; facts are bullets above or below its own."""
        bullets = present_bullets(self.w, entry.details)
        return (
            *text_block(self.w, "summary", entry.summary),
            *bullet_block((*fact_bullets(facts_above), *bullets, *fact_bullets(facts_below))),
            *self.paper_blocks(entry),
            *self.people_block(entry),
            *(body_block(entry.body) if not entry_page_path(entry) else ()),
            *([Block("picture")] if entry.shown_media or entry.compare else ()),
            *(text_block(self.w, "note", entry.note) if note else ()),
            *self.link_blocks(entry),
        )

    def present_details(self, entry: Entry) -> tuple[Block, ...]:
        """The blocks below the body of a text."""
        blocks = self.detail_blocks(entry)
        return tuple(block for block in blocks if block.role not in ("summary", "body"))

    def paper_blocks(self, entry: Entry) -> tuple[Block, ...]:
        """The publications of an entry by title."""
        return paper_block(
            self.w, self.t, self.publications, entry.publications, links_to_pages=self.links_to_pages
        )

    def people_block(self, entry: Entry) -> tuple[Block, ...]:
        """The people of an entry; () without people, or if its text names all of them."""
        words = set(fold_text(getattr(entry, "text", "")).split())
        names = [fold_text(self.people[name].title).split() for name in entry.people if name in self.people]
        if not entry.people or (
            len(names) == len(entry.people) and all({name[0], name[-1]} & words for name in names if name)
        ):
            return ()
        return (Block("note", self.w.label(self.t, self.t["people"], self.name_people(entry.people))),)

    def name_people(self, names: Sequence[str]) -> Phrase:
        """People by id as links to their pages, and other people as they are written."""
        phrases = (
            self.w.link(self.w.markdown(person.title, "name"), self._page_path(person) or person.url)
            if (person := self.people.get(name))
            else self.w.markdown(name, "name")
            for name in names
        )
        return self.join_with_commas(phrases)

    def link_blocks(self, entry: Entry, more: Iterable[tuple[str, str]] = ()) -> tuple[Block, ...]:
        """The row of links of an entry; `more` are labels and URLs before its own."""
        pairs = [*more, *((link.label, link.url) for link in entry.links)]
        return link_block(TextLink(self.t.translate_link_label(label, url), url) for label, url in pairs)


def _needs_two_columns(entry: Entry) -> bool:
    return isinstance(entry, CustomEntry) and bool(
        isinstance(entry, Person) or entry.location or entry.role or entry.details or entry.body
    )


def _present_education(presenter: EntryPresenter, entry: Education) -> EntryLines:
    w, t = presenter.w, presenter.t
    degree, area = w.markdown(entry.degree), w.markdown(entry.area)
    written_label, colon, written_grade = entry.grade.partition(": ")
    if colon and re.fullmatch(r"[^\W\d_]+\.?", written_label):  # GPA: 3.96/4.00
        grade = w.label(t, written_label, w.markdown(written_grade.strip()))
    else:
        is_number = plain_text(entry.grade)[:1].isdecimal()
        grade = presenter.text_fact("grade" if is_number else "grade_in_words", entry.grade)
    rank = w.label(t, t["rank"], w.markdown(entry.rank, "name"))
    facts = [
        presenter.join_with_commas([grade, rank]),
        presenter.name_fact("advisor", entry.advisors),
        presenter.text_fact("thesis", entry.thesis),
    ]
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.institution, "name")),
        role=w.fill(t["degree_in"], {"degree": degree, "area": area}) if degree and area else degree or area,
        dates=presenter.format_period(entry.period),
        place=w.markdown(entry.location, "name"),
        blocks=presenter.detail_blocks(entry, facts_below=facts),
    )


def _present_experience(presenter: EntryPresenter, entry: Experience) -> EntryLines:
    """A position; a project with a title of its own is headed by it, and has its organization below."""
    w, title = presenter.w, presenter.w.markdown(entry.title)
    organization = w.markdown(entry.organization, "name")
    if entry.unit:
        unit = f"{w.plain(presenter.t['comma'])}{w.markdown(entry.unit, 'name')}"
        organization = f"{organization}{w.nest(unit, 'division')}"
    facts = [
        presenter.name_fact("advisor", entry.advisors),
        presenter.name_fact("mentor", entry.mentors),
        presenter.text_fact("topic", entry.topic),
    ]
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, title or organization),
        organization=organization if title else "",
        role=w.markdown(entry.role),
        dates=presenter.format_period(entry.period),
        place=w.markdown(entry.location, "name"),
        blocks=presenter.detail_blocks(entry, facts_above=facts),
    )


def _present_project(presenter: EntryPresenter, entry: Project) -> EntryLines:
    """A project; a URL that is its only link is shown as an address."""
    is_full, w, t = presenter.full_projects, presenter.w, presenter.t
    features, bullets = present_bullets(w, entry.features), present_bullets(w, entry.details)
    address = entry.url.removeprefix("https://").removeprefix("http://").strip("/")
    is_played = any(medium.file == entry.video for medium in entry.media)
    label = t["link_link"] if entry.links or (entry.video and not is_played) else address
    links = presenter.link_blocks(
        entry, [(label, entry.url), (t["link_video"], "" if is_played else entry.video)]
    )
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.title)),
        role=w.markdown(entry.tagline),
        dates=presenter.format_period(entry.date, "long" if is_full else "short"),
        blocks=(
            *text_block(w, "summary", entry.summary),
            *(body_block(entry.body) if is_full else ()),
            *bullet_block(bullets if is_full else (*bullets, *features)),
            *([Block("features", bullets=features, label=t["features"])] if is_full and features else []),
            *text_block(w, "note", entry.note),
        ),
        facts=(
            *fact_block("role", t["role"], w.markdown(entry.role)),
            *fact_block(
                "technologies", t["technologies"], *(w.markdown(x, "name") for x in entry.technologies)
            ),
            *fact_block("people", t["people"], presenter.name_people(entry.people)),
            *presenter.paper_blocks(entry),
            *(row._replace(label=t["links" if len(row.links) > 1 else "link_link"]) for row in links),
            *([Block("tags", name="tags", label=t["tags"])] if entry.tags else []),
        ),
        brief_roles=frozenset({"summary"}),
    )


def _present_talk(presenter: EntryPresenter, entry: Talk) -> EntryLines:
    """A talk; its kind is shown unless the event contains it."""
    w, t = presenter.w, presenter.t
    kind = ""
    if entry.kind and entry.kind.casefold() not in entry.event.casefold():
        kind = t.get(f"talk_{make_slug(entry.kind)}", entry.kind[:1].upper() + entry.kind[1:])
    host = w.fill(t["host"], {"host": w.markdown(entry.host)}) if entry.host else ""
    occasion = presenter.join_with_commas(
        [w.plain(kind), w.markdown(entry.event), w.markdown(entry.place, "name"), host]
    )
    title = presenter.link_title(entry)
    blocks = [block for block in presenter.detail_blocks(entry) if block.role != "links"]
    files = presenter.link_blocks(entry, [("slides", entry.slides), ("video", entry.video)])
    return EntryLines(
        form="line",
        heading=title or presenter.link_to_entry(entry, occasion),
        subtitle=occasion if title else "",
        dates=presenter.format_period(entry.date),
        blocks=(*blocks, *files),
        brief_roles=frozenset({"links"}),
    )


def _present_award(presenter: EntryPresenter, entry: Award) -> EntryLines:
    """An award; its amount and a short note are in parentheses, a long note is below."""
    w = presenter.w
    is_short_note = bool(entry.note) and len(entry.note) <= MAX_INLINE_NOTE and "(" not in entry.note
    note = w.markdown(entry.note) if is_short_note else ""
    parenthesis = w.join([w.markdown(entry.amount, "name"), note], presenter.t["semicolon"])
    amount = w.nest(w.fill("({amount})", {"amount": parenthesis}), "amount") if parenthesis else ""
    title = presenter.link_to_entry(entry, w.markdown(entry.title))
    content = presenter.join_with_commas([title, w.markdown(entry.organization)])
    return EntryLines(
        form="line",
        heading=w.join([content, amount], " "),
        dates=presenter.format_period(entry.date),
        blocks=presenter.detail_blocks(entry, note=not is_short_note),
        brief_roles=frozenset({"note"}),
    )


def _present_service(presenter: EntryPresenter, entry: Service) -> EntryLines:
    """Service; the items of one group follow the role, several groups are bullets with their labels."""
    w, t = presenter.w, presenter.t
    role, organization = (
        presenter.link_to_entry(entry, w.markdown(entry.role)),
        w.markdown(entry.organization),
    )
    groups = [
        (_name_group(t, group.label), w.join(map(w.markdown, group.items), t["list_comma"]))
        for group in entry.groups
    ]
    if groups or organization:
        role = w.fill(t["label"], {"label": role})
    items = ""
    if len(groups) == 1:
        organization = w.fill(t["label"], {"label": organization}) if organization else ""
        items = groups.pop()[1]
    return EntryLines(
        form="line",
        heading=w.join([w.nest(role, "duty"), organization, items], " "),
        dates=presenter.format_period(entry.date),
        blocks=(
            *bullet_block(fact_bullets(w.label(t, label, items) for label, items in groups)),
            *presenter.detail_blocks(entry),
        ),
    )


def _name_group(t: Translations, label: str) -> str:
    return t.get(f"group_{make_slug(label)}", label[:1].upper() + label[1:].replace("_", " "))


def _present_course(presenter: EntryPresenter, entry: Course) -> EntryLines:
    w, t = presenter.w, presenter.t
    return EntryLines(
        form="line",
        heading=w.nest(presenter.link_to_entry(entry, w.markdown(entry.course)), "heading"),
        subtitle=presenter.join_with_commas([w.markdown(entry.role), w.markdown(entry.institution, "name")]),
        dates=w.join(map(presenter.format_period, entry.term), t["list_comma"]),
        blocks=presenter.detail_blocks(entry),
    )


def _present_news(presenter: EntryPresenter, entry: News) -> EntryLines:
    """News; a text of several paragraphs is a block below the title, except in a brief list."""
    w, title = presenter.w, presenter.link_title(entry)
    body = body_block(entry.text) if "\n\n" in entry.text else ()

    def join_title(text: str) -> Phrase:
        phrase = w.markdown(text)
        return w.join([title, phrase if title else presenter.link_to_entry(entry, phrase)], " ")

    return EntryLines(
        form="line",
        heading=join_title("" if body else entry.text),
        dates=presenter.format_period(entry.date),
        blocks=(*body, *presenter.detail_blocks(entry), *([Block("tags")] if entry.tags else ())),
        brief_heading=join_title(entry.text or ("" if title else entry.lead_text)),
    )


def _present_custom_line(presenter: EntryPresenter, entry: CustomEntry) -> EntryLines:
    w = presenter.w
    title, text, organization = map(w.markdown, (entry.title, entry.text, entry.organization))
    linked = presenter.link_to_entry(entry, title or presenter.join_with_commas([text, organization]))
    return EntryLines(
        form="line",
        heading=presenter.join_with_commas([linked, organization]) if title else linked,
        subtitle=text if title else "",
        subtitle_separator=presenter.t["label"].format(label="") + " ",
        dates=presenter.format_period(entry.date),
        blocks=presenter.detail_blocks(entry),
    )


def _present_custom_entry(presenter: EntryPresenter, entry: CustomEntry) -> EntryLines:
    """An entry whose heading is its title, organization, text or role, the first that exists."""
    w = presenter.w
    heading = entry.title or entry.organization or entry.text
    text = entry.text if entry.title or entry.organization else ""
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(heading or entry.role)),
        organization=w.markdown(entry.organization) if entry.title else "",
        role=w.markdown(entry.role) if heading else "",
        dates=presenter.format_period(entry.date),
        place=w.markdown(entry.location, "name"),
        blocks=(*text_block(w, "text", text), *presenter.detail_blocks(entry)),
        brief_roles=frozenset({"text"}),
    )


def _present_person(presenter: EntryPresenter, entry: Person) -> EntryLines:
    """A person; in a list, one who has a page is shown without the facts and the text of the page."""
    w, t = presenter.w, presenter.t
    has_page = bool(entry_page_path(entry))
    advisors = presenter.name_people(entry.advisors)
    facts = [
        w.label(t, t["advisors" if len(entry.advisors) > 1 else "advisor"], advisors),
        presenter.text_fact("thesis", entry.thesis),
        w.label(t, t["interests"], w.plain(t["list_comma"].join(entry.interests))),
        *(w.plain(email) for email in entry.email if not email_url(email)),
    ]
    rest = (
        *(Block("note", fact) for fact in facts if fact),
        *(block for block in presenter.detail_blocks(entry) if block.role not in ("links", "picture")),
        *(body_block(entry.body) if has_page else ()),
        *presenter.link_blocks(entry, [(email, email_url(email)) for email in entry.email]),
    )
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.title, "name")),
        organization=w.markdown(entry.organization),
        role=w.markdown(entry.role),
        dates=presenter.format_period(entry.date),
        place=w.markdown(entry.location, "name"),
        blocks=(
            *text_block(w, "text", entry.text),
            *((Block("note", presenter.text_fact("now", entry.then)),) if entry.then else ()),
            *(() if has_page and not presenter.full_projects else rest),
        ),
        brief_roles=frozenset({"text"}),
    )


def _present_text(presenter: EntryPresenter, entry: Post | Prose) -> EntryLines:
    """A text with its own page: its title and summary."""
    return EntryLines(
        form="line",
        heading=presenter.link_to_entry(entry, presenter.w.markdown(entry.title)),
        dates=presenter.format_period(entry.date),
        blocks=(*text_block(presenter.w, "summary", entry.summary), *([Block("tags")] if entry.tags else ())),
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
