"""Entries as rows of a CV: an entry with a head of two columns, a line with its date, or a publication."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tenure.exports.cv.publications import make_publication_row
from tenure.exports.cv.runs import TextBlock, make_paragraph
from tenure.exports.cv.text import RunBuilder, RunList, fill_pattern, join_runs, make_list
from tenure.markdown.html import make_slug
from tenure.model.entries import (
    Award,
    Course,
    CustomEntry,
    Education,
    Entry,
    Experience,
    News,
    Post,
    Project,
    Prose,
    Publication,
    Service,
    Talk,
)
from tenure.plan import sections

if TYPE_CHECKING:
    from tenure.plan.statistics import Figure

CvRow = dict[str, Any]
"""A row: its `form` ("entry", "line" or "paper") with runs and blocks."""

MAX_INLINE_NOTE = 60
"""Maximum length in characters of an award's note that is shown in parentheses after it."""


def make_figure_rows(builder: RunBuilder, figure: "Figure") -> list[CvRow]:
    """The table of a chart, one line for each row; its last number is in the column of the dates."""
    rows = [
        _line_row([first], [last], [], [between] if between else [])
        for first, between, last in figure.rows_as_text(builder.t)
    ]
    return [{**row, "number": None, "id": ""} for row in rows]


def make_rows(
    builder: RunBuilder, kind: str, items: Sequence[sections.ListItem], *, brief: bool
) -> list[CvRow]:
    """The rows of a list; `brief` shows only their heads."""
    two_columns = kind == "items" and any(_needs_two_columns(item.entry) for item in items)
    rows = [_make_row(builder, item, two_columns=two_columns) for item in items]
    return [{**row, "below": []} if brief and _has_row_head(row) else row for row in rows]


def _has_row_head(row: CvRow) -> bool:
    """Whether a row has content other than its blocks below."""
    return any(row.get(part) for part in ("head", "words", "sub", "title", "authors", "role", "place"))


def _make_row(builder: RunBuilder, item: sections.ListItem, *, two_columns: bool) -> CvRow:
    entry = item.entry
    if isinstance(entry, Publication):
        row = make_publication_row(builder, entry)
    elif isinstance(entry, CustomEntry) and two_columns:
        row = _item_entry_row(builder, entry)
    else:
        row = ROW_FUNCTIONS[type(entry)](builder, entry)
    return {**row, "number": item.number, "id": item.id}


def _needs_two_columns(entry: Entry) -> bool:
    return isinstance(entry, CustomEntry) and bool(
        entry.location or entry.role or entry.details or entry.body
    )


def _entry_row(head: RunList, role: RunList, dates: RunList, place: RunList, below: list[TextBlock]) -> CvRow:
    return {
        "form": "entry", "number": None, "head": head, "role": role, "dates": dates, "place": place, "below": below,
    }  # fmt: skip


def _line_row(content: RunList, dates: RunList, below: list[TextBlock], sub: RunList | None = None) -> CvRow:
    """A line with its date; `sub` is below its title."""
    return {"form": "line", "words": content, "sub": sub or [], "dates": dates, "below": below}


def _education_row(builder: RunBuilder, entry: Education) -> CvRow:
    degree, area = builder.inline_runs(entry.degree), builder.inline_runs(entry.area)
    role = (
        fill_pattern(builder.t["degree_in"], {"degree": degree, "area": area})
        if degree and area
        else degree or area
    )
    label = builder.t["grade" if entry.grade[:1].isdecimal() else "grade_in_words"]
    facts = [
        builder.join_with_commas(
            [
                builder.labelled_fact(label, builder.inline_runs(entry.grade)),
                builder.labelled_fact(builder.t["rank"], builder.plain_runs(entry.rank)),
            ]
        ),
        builder.labelled_fact(
            builder.t["advisors" if len(entry.advisors) > 1 else "advisor"], builder.name_list(entry.advisors)
        ),
        builder.labelled_fact(builder.t["thesis"], builder.inline_runs(entry.thesis)),
    ]
    points = builder.bullet_blocks(entry.details)
    items = [*(points[0]["items"] if points else []), *(make_paragraph(fact) for fact in facts if fact)]
    return _entry_row(
        builder.link_to_entry(entry, builder.plain_runs(entry.institution)),
        role,
        builder.period_runs(entry.period),
        builder.plain_runs(entry.location),
        builder.detail_blocks(entry, make_list(items)),
    )


def _experience_row(builder: RunBuilder, entry: Experience) -> CvRow:
    unit = builder.plain_runs(entry.unit)
    organization: RunList = [
        *builder.plain_runs(entry.organization),
        *([{"is": "unit", "runs": [builder.t["comma"], *unit]}] if unit else []),
    ]
    title = builder.inline_runs(entry.title)
    facts = [
        builder.labelled_fact(
            builder.t["advisors" if len(entry.advisors) > 1 else "advisor"], builder.name_list(entry.advisors)
        ),
        builder.labelled_fact(
            builder.t["mentors" if len(entry.mentors) > 1 else "mentor"], builder.name_list(entry.mentors)
        ),
        builder.labelled_fact(builder.t["topic"], builder.inline_runs(entry.topic)),
    ]
    return _entry_row(
        builder.link_to_entry(entry, title or organization),
        builder.join_with_commas([organization if title else [], builder.inline_runs(entry.role)]),
        builder.period_runs(entry.period),
        builder.plain_runs(entry.location),
        builder.detail_blocks(entry, builder.bullet_blocks(entry.details, facts)),
    )


def _project_row(builder: RunBuilder, entry: Project) -> CvRow:
    facts = [
        builder.labelled_fact(builder.t["role"], builder.inline_runs(entry.role)),
        builder.labelled_fact(
            builder.t["technologies"],
            builder.join_with_commas([builder.plain_runs(technology) for technology in entry.technologies]),
        ),
    ]
    below = make_paragraph(builder.inline_runs(entry.summary), "summary")
    if builder.full_projects:
        below += builder.text_blocks(entry.body) + builder.bullet_blocks(entry.details)
        below += (
            make_paragraph(builder.labelled_fact(builder.t["features"], [" "]), "label")
            if entry.features
            else []
        )
        below += builder.bullet_blocks(entry.features)
    else:
        below += builder.bullet_blocks((*entry.details, *entry.features))
    below += make_paragraph(builder.inline_runs(entry.note), "note")
    below += [block for fact in facts for block in make_paragraph(fact, "fact")]
    below += make_paragraph(builder.publication_runs(entry), "papers")
    links = builder.link_blocks(entry, [(builder.t["link_link"], entry.url)])
    if builder.full_projects and links:
        links = make_paragraph(builder.labelled_fact(builder.t["links"], links[0]["runs"]), "fact")
    head = builder.link_to_entry(entry, builder.inline_runs(entry.title))
    dates = builder.period_runs(entry.date, "long" if builder.full_projects else "short")
    below += links
    return _entry_row(head, builder.inline_runs(entry.tagline), dates, [], below)


def _talk_row(builder: RunBuilder, entry: Talk) -> CvRow:
    kind = ""
    if entry.kind and entry.kind.lower() not in entry.event.lower():
        kind = builder.t.get(f"talk_{make_slug(entry.kind)}", entry.kind[:1].upper() + entry.kind[1:])
    host = fill_pattern(builder.t["host"], {"host": builder.inline_runs(entry.host)}) if entry.host else []
    occasion = builder.join_with_commas(
        [[kind] if kind else [], builder.inline_runs(entry.event), builder.plain_runs(entry.place), host]
    )
    files = [("slides", entry.slides), ("video", entry.video)]
    below = builder.detail_blocks(
        entry, builder.bullet_blocks(entry.details), with_links=False
    ) + builder.link_blocks(entry, files)
    if not entry.title:
        return _line_row(builder.link_to_entry(entry, occasion), builder.period_runs(entry.date), below)
    title: RunList = [
        {"is": "strong", "runs": builder.link_to_entry(entry, builder.inline_runs(entry.title))}
    ]
    return _line_row(title, builder.period_runs(entry.date), below, occasion)


def _award_row(builder: RunBuilder, entry: Award) -> CvRow:
    is_note_inline = bool(entry.note) and len(entry.note) <= MAX_INLINE_NOTE and "(" not in entry.note
    content = builder.join_with_commas(
        [
            builder.link_to_entry(entry, builder.inline_runs(entry.title)),
            builder.inline_runs(entry.organization),
        ]
    )
    parenthesis = join_runs(
        [builder.plain_runs(entry.amount), builder.inline_runs(entry.note) if is_note_inline else []],
        builder.t["semicolon"],
    )
    content += [" (", *parenthesis, ")"] if parenthesis else []
    return _line_row(
        content,
        builder.period_runs(entry.date),
        builder.detail_blocks(entry, builder.bullet_blocks(entry.details), with_note=not is_note_inline),
    )


def _service_row(builder: RunBuilder, entry: Service) -> CvRow:
    role = builder.link_to_entry(entry, builder.inline_runs(entry.role))
    has_details = bool(entry.groups or entry.organization)
    content: RunList = [
        {"is": "strong", "runs": fill_pattern(builder.t["label"], {"label": role}) if has_details else role}
    ]
    organization = builder.inline_runs(entry.organization)
    content += [" ", *organization] if organization else []
    items = [
        (group.label, builder.join_with_commas([builder.inline_runs(item) for item in group.items]))
        for group in entry.groups
    ]
    points: list[TextBlock] = []
    if len(items) == 1:
        content += [": " if organization else " ", *items[0][1]]
    else:
        points = make_list(
            [make_paragraph(builder.labelled_fact(builder.group_label(label), runs)) for label, runs in items]
        )
    details = builder.detail_blocks(entry, builder.bullet_blocks(entry.details))
    return _line_row(content, builder.period_runs(entry.date), points + details)


def _course_row(builder: RunBuilder, entry: Course) -> CvRow:
    title: RunList = [
        {"is": "strong", "runs": builder.link_to_entry(entry, builder.inline_runs(entry.course))}
    ]
    sub = builder.join_with_commas([builder.inline_runs(entry.role), builder.plain_runs(entry.institution)])
    terms = builder.join_with_commas([builder.period_runs(term) for term in entry.term])
    return _line_row(title, terms, builder.detail_blocks(entry, builder.bullet_blocks(entry.details)), sub)


def _news_row(builder: RunBuilder, entry: News) -> CvRow:
    title: RunList = (
        [{"is": "strong", "runs": builder.link_to_entry(entry, builder.inline_runs(entry.title))}]
        if entry.title
        else []
    )
    blocks = builder.text_blocks(entry.text) if "\n\n" in entry.text else []
    text = [] if blocks else builder.inline_runs(entry.text)
    content = join_runs([title, text if title else builder.link_to_entry(entry, text)], " ")
    return _line_row(
        content,
        builder.period_runs(entry.date),
        blocks + builder.detail_blocks(entry, builder.bullet_blocks(entry.details)),
    )


def _item_line_row(builder: RunBuilder, entry: CustomEntry) -> CvRow:
    text, organization = builder.inline_runs(entry.text), builder.inline_runs(entry.organization)
    below = builder.detail_blocks(entry, builder.bullet_blocks(entry.details))
    if entry.title:
        content = builder.join_with_commas(
            [builder.link_to_entry(entry, builder.inline_runs(entry.title)), organization]
        )
        return _line_row(content, builder.period_runs(entry.date), below, text)
    return _line_row(
        builder.link_to_entry(entry, builder.join_with_commas([text, organization])),
        builder.period_runs(entry.date),
        below,
    )


def _item_entry_row(builder: RunBuilder, entry: CustomEntry) -> CvRow:
    """An entry whose head is its title, organization, text or role, the first that exists."""
    heading = entry.title or entry.organization or entry.text
    head = builder.inline_runs(heading or entry.role)
    organization = builder.inline_runs(entry.organization) if entry.title else []
    role = builder.join_with_commas([organization, builder.inline_runs(entry.role) if heading else []])
    below = (
        make_paragraph(builder.inline_runs(entry.text), "text") if entry.title or entry.organization else []
    )
    below += builder.detail_blocks(entry, builder.bullet_blocks(entry.details))
    return _entry_row(
        builder.link_to_entry(entry, head),
        role,
        builder.period_runs(entry.date),
        builder.plain_runs(entry.location),
        below,
    )


def _text_row(builder: RunBuilder, entry: Post | Prose) -> CvRow:
    """A text with its own page: its title and summary."""
    below = make_paragraph(builder.inline_runs(entry.summary), "summary")
    return _line_row(
        builder.link_to_entry(entry, builder.inline_runs(entry.title)), builder.period_runs(entry.date), below
    )


ROW_FUNCTIONS: Mapping[type[Entry], Callable[[RunBuilder, Any], CvRow]] = {
    Education: _education_row,
    Experience: _experience_row,
    Project: _project_row,
    Talk: _talk_row,
    Award: _award_row,
    Service: _service_row,
    Course: _course_row,
    News: _news_row,
    CustomEntry: _item_line_row,
    Post: _text_row,
    Prose: _text_row,
}
