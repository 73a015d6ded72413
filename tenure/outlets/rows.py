"""Entries as rows of a CV: an entry with a head of two columns, a line with its date, or a publication."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tenure.model.scholar import (
    Award,
    Course,
    Education,
    Entry,
    Experience,
    Item,
    News,
    Post,
    Project,
    Prose,
    Publication,
    Service,
    Talk,
)
from tenure.outlets.papers import paper_row
from tenure.outlets.runs import Block, paragraph
from tenure.outlets.wording import Runs, Wording, bullets, filled, parted
from tenure.text import slug
from tenure.web import sections

if TYPE_CHECKING:
    from tenure.web.statistics import Figure

Row = dict[str, Any]
"""A row: its `form` ("entry", "line" or "paper") with runs and blocks."""

SHORT_NOTE = 60
"""Maximum length in characters of an award's note that is shown in parentheses after it."""


def numbers(say: Wording, figure: "Figure") -> list[Row]:
    """The table of a chart, one line for each row; its last number is in the column of the dates."""
    made = [
        _line([first], [last], [], [between] if between else [])
        for first, between, last in figure.told(say.t)
    ]
    return [{**row, "number": None, "id": ""} for row in made]


def rows_of(say: Wording, kind: str, items: Sequence[sections.Item], *, brief: bool) -> list[Row]:
    """The rows of a list; `brief` shows only their heads."""
    rich = kind == "items" and any(_is_rich(item.entry) for item in items)
    made = [_row(say, item, rich=rich) for item in items]
    return [{**row, "below": []} if brief and _has_head(row) else row for row in made]


def _has_head(row: Row) -> bool:
    """Whether a row has content other than its blocks below."""
    return any(row.get(part) for part in ("head", "words", "sub", "title", "authors", "role", "place"))


def _row(say: Wording, item: sections.Item, *, rich: bool) -> Row:
    entry = item.entry
    if isinstance(entry, Publication):
        row = paper_row(say, entry)
    elif isinstance(entry, Item) and rich:
        row = _item_entry(say, entry)
    else:
        row = ROWS[type(entry)](say, entry)
    return {**row, "number": item.number, "id": item.id}


def _is_rich(entry: Entry) -> bool:
    return isinstance(entry, Item) and bool(entry.location or entry.role or entry.details or entry.body)


def _entry(head: Runs, role: Runs, dates: Runs, place: Runs, below: list[Block]) -> Row:
    return {
        "form": "entry", "number": None, "head": head, "role": role, "dates": dates, "place": place, "below": below,
    }  # fmt: skip


def _line(words: Runs, dates: Runs, below: list[Block], sub: Runs | None = None) -> Row:
    """A line with its date; `sub` is below its title."""
    return {"form": "line", "words": words, "sub": sub or [], "dates": dates, "below": below}


def _education(say: Wording, entry: Education) -> Row:
    degree, area = say.inline(entry.degree), say.inline(entry.area)
    role = filled(say.t["degree_in"], {"degree": degree, "area": area}) if degree and area else degree or area
    label = say.t["grade" if entry.grade[:1].isdecimal() else "grade_in_words"]
    facts = [
        say.listed(
            [say.told(label, say.inline(entry.grade)), say.told(say.t["rank"], say.plain(entry.rank))]
        ),
        say.told(say.t["advisors" if len(entry.advisors) > 1 else "advisor"], say.names(entry.advisors)),
        say.told(say.t["thesis"], say.inline(entry.thesis)),
    ]
    points = say.points(entry.details)
    items = [*(points[0]["items"] if points else []), *(paragraph(fact) for fact in facts if fact)]
    return _entry(
        say.named(entry, say.plain(entry.institution)),
        role,
        say.period(entry.period),
        say.plain(entry.location),
        say.about(entry, bullets(items)),
    )


def _experience(say: Wording, entry: Experience) -> Row:
    unit = say.plain(entry.unit)
    house: Runs = [
        *say.plain(entry.organization),
        *([{"is": "unit", "runs": [say.t["comma"], *unit]}] if unit else []),
    ]
    title = say.inline(entry.title)
    facts = [
        say.told(say.t["advisors" if len(entry.advisors) > 1 else "advisor"], say.names(entry.advisors)),
        say.told(say.t["mentors" if len(entry.mentors) > 1 else "mentor"], say.names(entry.mentors)),
        say.told(say.t["topic"], say.inline(entry.topic)),
    ]
    return _entry(
        say.named(entry, title or house),
        say.listed([house if title else [], say.inline(entry.role)]),
        say.period(entry.period),
        say.plain(entry.location),
        say.about(entry, say.points(entry.details, facts)),
    )


def _project(say: Wording, entry: Project) -> Row:
    facts = [
        say.told(say.t["role"], say.inline(entry.role)),
        say.told(say.t["technologies"], say.listed([say.plain(word) for word in entry.technologies])),
    ]
    below = paragraph(say.inline(entry.summary), "summary")
    if say.accounts:
        below += say.blocks(entry.body) + say.points(entry.details)
        below += paragraph(say.told(say.t["features"], [" "]), "label") if entry.features else []
        below += say.points(entry.features)
    else:
        below += say.points((*entry.details, *entry.features))
    below += paragraph(say.inline(entry.note), "note")
    below += [block for fact in facts for block in paragraph(fact, "fact")]
    below += paragraph(say.papers(entry), "papers")
    links = say.row(entry, [(say.t["link_link"], entry.url)])
    if say.accounts and links:
        links = paragraph(say.told(say.t["links"], links[0]["runs"]), "fact")
    head = say.named(entry, say.inline(entry.title))
    dates = say.period(entry.date, "long" if say.accounts else "short")
    below += links
    return _entry(head, say.inline(entry.tagline), dates, [], below)


def _talk(say: Wording, entry: Talk) -> Row:
    kind = ""
    if entry.kind and entry.kind.lower() not in entry.event.lower():
        kind = say.t.get(f"talk_{slug(entry.kind)}", entry.kind[:1].upper() + entry.kind[1:])
    host = filled(say.t["host"], {"host": say.inline(entry.host)}) if entry.host else []
    where = say.listed([[kind] if kind else [], say.inline(entry.event), say.plain(entry.place), host])
    files = [("slides", entry.slides), ("video", entry.video)]
    below = say.about(entry, say.points(entry.details), row=False) + say.row(entry, files)
    if not entry.title:
        return _line(say.named(entry, where), say.period(entry.date), below)
    title: Runs = [{"is": "strong", "runs": say.named(entry, say.inline(entry.title))}]
    return _line(title, say.period(entry.date), below, where)


def _award(say: Wording, entry: Award) -> Row:
    short = bool(entry.note) and len(entry.note) <= SHORT_NOTE and "(" not in entry.note
    words = say.listed([say.named(entry, say.inline(entry.title)), say.inline(entry.organization)])
    aside = parted([say.plain(entry.amount), say.inline(entry.note) if short else []], say.t["semicolon"])
    words += [" (", *aside, ")"] if aside else []
    return _line(words, say.period(entry.date), say.about(entry, say.points(entry.details), note=not short))


def _service(say: Wording, entry: Service) -> Row:
    role = say.named(entry, say.inline(entry.role))
    follows = bool(entry.groups or entry.organization)
    words: Runs = [{"is": "strong", "runs": filled(say.t["label"], {"label": role}) if follows else role}]
    organization = say.inline(entry.organization)
    words += [" ", *organization] if organization else []
    items = [(group.label, say.listed([say.inline(item) for item in group.items])) for group in entry.groups]
    points: list[Block] = []
    if len(items) == 1:
        words += [": " if organization else " ", *items[0][1]]
    else:
        points = bullets([paragraph(say.told(say.group(label), runs)) for label, runs in items])
    about = say.about(entry, say.points(entry.details))
    return _line(words, say.period(entry.date), points + about)


def _course(say: Wording, entry: Course) -> Row:
    title: Runs = [{"is": "strong", "runs": say.named(entry, say.inline(entry.course))}]
    sub = say.listed([say.inline(entry.role), say.plain(entry.institution)])
    terms = say.listed([say.period(term) for term in entry.term])
    return _line(title, terms, say.about(entry, say.points(entry.details)), sub)


def _news(say: Wording, entry: News) -> Row:
    title: Runs = [{"is": "strong", "runs": say.named(entry, say.inline(entry.title))}] if entry.title else []
    blocks = say.blocks(entry.text) if "\n\n" in entry.text else []
    text = [] if blocks else say.inline(entry.text)
    words = parted([title, text if title else say.named(entry, text)], " ")
    return _line(words, say.period(entry.date), blocks + say.about(entry, say.points(entry.details)))


def _item_line(say: Wording, entry: Item) -> Row:
    text, house = say.inline(entry.text), say.inline(entry.organization)
    below = say.about(entry, say.points(entry.details))
    if entry.title:
        words = say.listed([say.named(entry, say.inline(entry.title)), house])
        return _line(words, say.period(entry.date), below, text)
    return _line(say.named(entry, say.listed([text, house])), say.period(entry.date), below)


def _item_entry(say: Wording, entry: Item) -> Row:
    """An entry whose head is its title, organization, text or role, the first that exists."""
    heading = entry.title or entry.organization or entry.text
    head = say.inline(heading or entry.role)
    organization = say.inline(entry.organization) if entry.title else []
    role = say.listed([organization, say.inline(entry.role) if heading else []])
    below = paragraph(say.inline(entry.text), "text") if entry.title or entry.organization else []
    below += say.about(entry, say.points(entry.details))
    return _entry(say.named(entry, head), role, say.period(entry.date), say.plain(entry.location), below)


def _titled(say: Wording, entry: Post | Prose) -> Row:
    """A text with its own page: its title and summary."""
    below = paragraph(say.inline(entry.summary), "summary")
    return _line(say.named(entry, say.inline(entry.title)), say.period(entry.date), below)


ROWS: Mapping[type[Entry], Callable[[Wording, Any], Row]] = {
    Education: _education,
    Experience: _experience,
    Project: _project,
    Talk: _talk,
    Award: _award,
    Service: _service,
    Course: _course,
    News: _news,
    Item: _item_line,
    Post: _titled,
    Prose: _titled,
}
