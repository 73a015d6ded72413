"""The text of every entry except publications: its lines and blocks the same for all formats."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
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

    `links_to_pages`: an entry with a page is linked to it, and not to its URL. `full_projects`: projects
    and people with their whole text.
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
        """The lines of an entry; one of a list without a kind has two columns only if it is a person or `in_columns`."""
        present_entry = PRESENT_FUNCTIONS[type(entry)]
        if in_columns and type(entry) is CustomEntry:
            present_entry = _present_custom_entry
        lines: EntryLines = present_entry(self, entry)
        dates = lines.dates or self.format_period(entry.entry_period)
        blocks, facts = keep_filled(entry, lines.blocks), keep_filled(entry, lines.facts)
        return replace(lines, dates=dates, blocks=blocks, facts=facts)

    def present_items(self, items: Sequence[ListItem]) -> "list[EntryLines | Citation]":
        """The lines of each entry of a list, and the citation of each publication."""
        lines = iter(self.present_listing([i.entry for i in items if not isinstance(i.entry, Publication)]))
        return [
            Citation(item.entry, self.t, self.w, citations=item.citations)
            if isinstance(item.entry, Publication)
            else next(lines)
            for item in items
        ]

    def present_listing(
        self, entries: Sequence[Entry], heading: str = "", *, brief: bool = False, cards: bool = False
    ) -> list[EntryLines]:
        """
        The lines of the entries below a heading; a term of a course or a role that equals the heading is omitted.

        As `cards`, or if one of a list without a kind needs it, all have two columns. A brief list shows less of an entry that
        has a head.
        """
        in_columns = cards or any(
            isinstance(entry, Person) or entry.location or entry.role or entry.details or entry.body
            for entry in entries
            if isinstance(entry, CustomEntry)
        )
        listed = []
        for entry in entries:
            lines = self.present(entry, in_columns=in_columns)
            if heading and isinstance(entry, Course) and self.w.to_text(lines.dates) == heading:
                lines = replace(lines, dates="")
            elif heading and isinstance(entry, Person) and fold_role(heading) == fold_role(entry.role):
                lines = replace(lines, role="")
            if brief and (lines.brief_heading or lines.heading or lines.role or lines.place):
                blocks = tuple(block for block in lines.blocks if block.role in lines.brief_roles)
                lines = replace(lines, heading=lines.brief_heading or lines.heading, blocks=blocks, facts=())
            listed.append(lines)
        return listed

    def link_to_entry(self, entry: Entry, phrase: Phrase) -> Phrase:
        """The phrase as a link to the page or the URL of an entry; without a phrase, a label is the link to the URL."""
        label = self.w.plain(self.t["link_link"]) if entry.url else ""
        path = entry_page_path(entry) if self.links_to_pages else ""
        return self.w.link(phrase or label, path or entry.url)

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
            if self.w.to_text(end).startswith("~"):
                end = f"{self.w.plain(self.w.tilde_space)}{end}"
            return self.w.fill(self.t["date_period"], {"start": start, "end": end})
        return start or (self.w.fill(self.t["date_until"], {"date": end}) if end else "")

    def link_title(self, entry: Talk | News) -> Phrase:
        """The title of a line as a link to its entry; "" without a title."""
        title = self.w.markdown(entry.title)
        return self.w.nest(self.link_to_entry(entry, title), "heading") if title else ""

    def fact(self, label: str, *values: str) -> Phrase:
        """Texts or people with their label, in the plural if there are several: "Topic: …", "Advisors: A and B"."""
        value = self.w.list_names(self.t, [self.w.markdown(value) for value in values])
        return self.w.label(self.t, self.t[f"{label}s" if len(values) > 1 else label], value)

    def detail_blocks(
        self,
        entry: Entry,
        *,
        facts_above: Iterable[Phrase] = (),
        facts_below: Iterable[Phrase] = (),
        note: bool = True,
    ) -> tuple[Block, ...]:
        """The blocks below the head of an entry; facts are bullets above or below its own. The last one has its links."""
        above, below = (map(Bullet, filter(None, facts)) for facts in (facts_above, facts_below))
        return (
            Block("summary", self.w.markdown(entry.summary)),
            Block("bullets", bullets=(*above, *present_bullets(self.w, entry.details), *below)),
            self.paper_block(entry),
            Block("note", self._name_people_besides_text(entry)),
            Block("body", body="" if entry_page_path(entry) else entry.body),
            Block("picture"),
            Block("note", self.w.markdown(entry.note) if note else ""),
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
        is_named = len(names) == len(entry.people) and all({n[0], n[-1]} & words for n in names if n)
        return "" if is_named else self.w.label(self.t, self.t["people"], self.name_people(entry.people))

    def name_people(self, names: Sequence[str]) -> Phrase:
        """People by id as links to their pages, and other people as they are written."""
        phrases = (
            self.link_to_entry(self.people[name], self.w.markdown(self.people[name].title, "name"))
            if name in self.people
            else self.w.markdown(name, "name")
            for name in names
        )
        return self.join_with_commas(phrases)

    def link_block(self, entry: Entry, *more: tuple[str, str]) -> Block:
        """The row of links of an entry with a URL; `more` are labels and URLs before its own. Of an e-mail, the address is shown."""
        pairs = [pair for pair in (*more, *((link.label, link.url) for link in entry.links)) if pair[1]]
        texts = (read_email_url(url) or self.t.translate_link_label(text, url) for text, url in pairs)
        links = tuple(TextLink(text, url) for text, (_, url) in zip(texts, pairs, strict=True))
        return Block("links", links=links)


def _present_education(presenter: EntryPresenter, entry: Education) -> EntryLines:
    w, t = presenter.w, presenter.t
    degree, area = w.markdown(entry.degree), w.markdown(entry.area)
    written_label, colon, written_grade = entry.grade.partition(": ")
    if colon and re.fullmatch(r"[^\W\d_]+\.?", written_label):  # GPA: 3.96/4.00
        grade = w.label(t, written_label, w.markdown(written_grade.strip()))
    else:
        is_number = plain_text(entry.grade)[:1].isdecimal()
        grade = presenter.fact("grade" if is_number else "grade_in_words", entry.grade)
    rank = w.label(t, t["rank"], w.markdown(entry.rank, "name"))
    facts = [
        presenter.join_with_commas([grade, rank]),
        presenter.fact("advisor", *entry.advisors),
        presenter.fact("thesis", entry.thesis),
    ]
    title = w.fill(t["degree_in"], {"degree": degree, "area": area}) if degree and area else degree or area
    institution = w.markdown(entry.institution, "name")
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, institution or title),
        role=title if institution else "",
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
        presenter.fact("advisor", *entry.advisors),
        presenter.fact("mentor", *entry.mentors),
        presenter.fact("topic", entry.topic),
    ]
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, title or organization),
        organization=organization if title else "",
        role=w.markdown(entry.role),
        place=w.markdown(entry.location, "name"),
        blocks=presenter.detail_blocks(entry, facts_above=facts),
    )


def _present_project(presenter: EntryPresenter, entry: Project) -> EntryLines:
    """A project; a URL that is its only link is shown as an address."""
    is_full, w, t = presenter.full_projects, presenter.w, presenter.t
    features, bullets = present_bullets(w, entry.features), present_bullets(w, entry.details)
    address = entry.url.removeprefix("https://").removeprefix("http://").strip("/")
    video = "" if any(medium.file == entry.video for medium in entry.media) else entry.video
    url_label = t["link_link"] if entry.links or video else address
    links = presenter.link_block(entry, (url_label, entry.url), (t["link_video"], video))
    technologies = tuple(w.markdown(technology, "name") for technology in entry.technologies)
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.title)),
        role=w.markdown(entry.tagline),
        dates=presenter.format_period(entry.date, "long") if is_full else "",
        blocks=(
            Block("summary", w.markdown(entry.summary)),
            Block("body", body=entry.body if is_full else ""),
            Block("bullets", bullets=bullets if is_full else (*bullets, *features)),
            Block("features", bullets=features if is_full else (), label=t["features"]),
            Block("note", w.markdown(entry.note)),
        ),
        facts=(
            Block("fact", label=t["role"], items=(w.markdown(entry.role),)),
            Block("technologies", label=t["technologies"], items=technologies),
            Block("fact", label=t["people"], items=(presenter.name_people(entry.people),)),
            presenter.paper_block(entry),
            links._replace(label=t["links" if len(links.links) > 1 else "link_link"]),
            Block("tags", label=t["tags"]),
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
    files = presenter.link_block(entry, ("slides", entry.slides), ("video", entry.video))
    return EntryLines(
        heading=title or presenter.link_to_entry(entry, occasion),
        subtitle=occasion if title else "",
        blocks=(*presenter.detail_blocks(entry)[:-1], files),
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
        heading=w.join([content, amount], " "),
        blocks=presenter.detail_blocks(entry, note=not is_short_note),
        brief_roles=frozenset({"note"}),
    )


def _present_service(presenter: EntryPresenter, entry: Service) -> EntryLines:
    """Service; the items of one group follow the role, several groups are bullets with their labels."""
    w, t = presenter.w, presenter.t
    role = presenter.link_to_entry(entry, w.markdown(entry.role))
    organization, items = w.markdown(entry.organization), ""
    groups = []
    for group in entry.groups:
        words = group.label[:1].upper() + group.label[1:].replace("_", " ")
        label = t.get(f"group_{make_slug(group.label)}", words)
        has_commas = any("," in item for item in group.items)
        separator = t["semicolon"] if has_commas else t["list_comma"]
        groups.append((label, w.join(map(w.markdown, group.items), separator)))
    if groups or organization:
        role = w.fill(t["label"], {"label": role})
    if len(groups) == 1:
        organization = w.fill(t["label"], {"label": organization}) if organization else ""
        items = groups.pop()[1]
    facts = [w.label(t, label, items) for label, items in groups]
    return EntryLines(
        heading=w.join([w.nest(role, "duty"), organization, items], " "),
        blocks=(
            Block("bullets", bullets=tuple(map(Bullet, filter(None, facts)))),
            *presenter.detail_blocks(entry),
        ),
    )


def _present_course(presenter: EntryPresenter, entry: Course) -> EntryLines:
    w, t = presenter.w, presenter.t
    return EntryLines(
        heading=w.nest(presenter.link_to_entry(entry, w.markdown(entry.course)), "heading"),
        subtitle=presenter.join_with_commas([w.markdown(entry.role), w.markdown(entry.institution, "name")]),
        dates=w.join(map(presenter.format_period, entry.term), t["list_comma"]),
        blocks=presenter.detail_blocks(entry),
    )


def _present_news(presenter: EntryPresenter, entry: News) -> EntryLines:
    """News; a text of several paragraphs is a block below the title, except in a brief list."""
    w, title = presenter.w, presenter.link_title(entry)
    body = entry.text if "\n\n" in entry.text else ""

    def join_title(text: str) -> Phrase:
        phrase = w.markdown(text)
        return w.join([title, phrase if title else presenter.link_to_entry(entry, phrase)], " ")

    return EntryLines(
        heading=join_title("" if body else entry.text),
        blocks=(Block("body", body=body), *presenter.detail_blocks(entry), Block("tags")),
        brief_heading=join_title(entry.text or ("" if title else entry.lead_text)),
    )


def _present_custom_line(presenter: EntryPresenter, entry: CustomEntry) -> EntryLines:
    w = presenter.w
    title, text, organization = map(w.markdown, (entry.title, entry.text, entry.organization))
    linked = presenter.link_to_entry(entry, title or presenter.join_with_commas([text, organization]))
    return EntryLines(
        heading=presenter.join_with_commas([linked, organization]) if title else linked,
        subtitle=text if title else "",
        subtitle_separator=presenter.t["label"].format(label="") + " ",
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
        place=w.markdown(entry.location, "name"),
        blocks=(Block("text", w.markdown(text)), *presenter.detail_blocks(entry)),
        brief_roles=frozenset({"text"}),
    )


def _present_person(presenter: EntryPresenter, entry: Person) -> EntryLines:
    """A person; in a list, one who has a page is shown without the facts and the text of the page."""
    w, t = presenter.w, presenter.t
    has_page = bool(entry_page_path(entry))
    advisors = presenter.name_people(entry.advisors)
    facts = [
        w.label(t, t["advisors" if len(entry.advisors) > 1 else "advisor"], advisors),
        presenter.fact("thesis", entry.thesis),
        w.label(t, t["interests"], w.plain(t["list_comma"].join(entry.interests))),
        *(w.plain(email) for email in entry.email if not email_url(email)),
    ]
    rest = (
        *(Block("note", fact) for fact in facts),
        *(block for block in presenter.detail_blocks(entry)[:-1] if block.role != "picture"),
        Block("body", body=entry.body if has_page else ""),
        presenter.link_block(entry, *((email, email_url(email)) for email in entry.email)),
    )
    return EntryLines(
        form="entry",
        heading=presenter.link_to_entry(entry, w.markdown(entry.title, "name")),
        organization=w.markdown(entry.organization),
        role=w.markdown(entry.role),
        place=w.markdown(entry.location, "name"),
        blocks=(
            Block("text", w.markdown(entry.text)),
            Block("note", presenter.fact("now", entry.then)),
            *(() if has_page and not presenter.full_projects else rest),
        ),
        brief_roles=frozenset({"text"}),
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
