"""The CV in Markdown and in plain text."""

import re
from collections.abc import Iterable, Iterator

from tenure.frozen import dataclass
from tenure.model.scholar import Point
from tenure.model.site import SectionWish, Site
from tenure.outlets.vita import Row, Vita
from tenure.outlets.words import Words
from tenure.problems import Problems
from tenure.web.outline import cv_wishes
from tenure.web.pages import Page, Plan
from tenure.web.sections import Section, make_section


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a document: its title, the legend of its marks, a text, and rows in groups."""

    title: str
    legend: str = ""
    text: str = ""
    groups: tuple[tuple[str, tuple[tuple[int | None, Row], ...]], ...] = ()


def cv(words: Words, pages: Plan) -> tuple[list[str], list[Part]]:
    """The lines of the CV's head, and its sections as on the CV page."""
    site = words.site
    who, t = site.profile, site.look.words
    affiliation = ", ".join(place.name for place in who.affiliation)
    position = ", ".join(part for part in (who.role, affiliation) if part)
    contact = [
        *who.email,
        *(f"[{t.called(link.label)}]({link.url})" for link in who.links),
        t.labelled(t["office"], who.office) if who.office else "",
        who.location,
    ]
    pronouns = f" ({who.pronouns})" if who.pronouns else ""
    interests = t.labelled(t["interests"], t["list_comma"].join(who.interests)) if who.interests else ""
    lines = (f"# {who.name}{pronouns}", position, who.tagline, " · ".join(filter(None, contact)), interests)
    head = [words.markdown(line) for line in lines if line]
    return head, [_part(words, section) for section in _sections(site, pages)]


def _sections(site: Site, pages: Plan) -> tuple[Section, ...]:
    page: Page | None = next((page for page in pages if page.kind == "cv"), None)
    if page is not None:
        return page.sections
    made: list[Section] = []
    for wish in cv_wishes(site):
        section = make_section(site, SectionWish(name=wish.name), "cv", made, Problems())
        if section is not None:
            made.append(section)
    return tuple(made)


def _part(words: Words, section: Section) -> Part:
    vita = Vita(words)
    legend = f"(\\* {words.site.look.words['equal']})" if section.legend else ""
    body = section.text.body if section.text else ""
    texts = [section.intro, section.text.summary if section.text else "", body]
    numbers = (
        (figure.title, tuple((None, Row(*_number(*row))) for row in figure.told(words.site.look.words)))
        for figure in section.figures
    )
    groups = tuple(
        (listing.title, tuple((item.number, vita.row(item.entry)) for item in listing.items))
        for listing in section.listings
    )
    return Part(
        title=section.title,
        legend=legend,
        text="\n\n".join(words.markdown(text).strip() for text in texts if text.strip()),
        groups=(*numbers, *groups),
    )


def _number(first: str, between: str, last: str) -> tuple[str, str]:
    """Head and date column of a row for one line of a chart's table."""
    return (f"{first} – {between}" if between else first, last)


def as_markdown(head: Iterable[str], parts: Iterable[Part]) -> str:
    """Render the head and the sections in Markdown."""
    blocks = [*head]
    for part in parts:
        if part.title:
            blocks.append(f"## {part.title} {part.legend}".rstrip())
        if part.text:
            blocks.append(part.text)
        for title, rows in part.groups:
            if title:
                blocks.append(f"### {title}")
            blocks.append("\n".join(line for number, row in rows for line in _markdown_row(number, row)))
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(block for block in blocks if block)) + "\n"


def _markdown_row(number: int | None, row: Row) -> Iterator[str]:
    label = f"\\[{number}\\] " if number is not None else ""
    dates = f" ({row.dates})" if row.dates else ""
    yield f"- {label}{_one_line(row.head)}{dates}"
    for line in row.lines:
        yield ""
        yield from (f"  {part}".rstrip() for part in line.strip().splitlines())
    if row.points and row.lines:
        yield ""
    yield from _bullets(row.points, "  ")
    if row.lines:
        yield ""


def _bullets(points: Iterable[Point], indent: str) -> Iterator[str]:
    for point in points:
        yield f"{indent}- {_one_line(point.text)}"
        yield from _bullets(point.points, f"{indent}  ")


def as_text(words: Words, head: Iterable[str], parts: Iterable[Part]) -> str:
    """Render in plain text, one fact on each line, for web forms and applicant tracking systems."""
    first, *rest = head
    lines = [words.spelled(first.removeprefix("# ")), *(words.spelled(line) for line in rest)]
    for part in parts:
        if part.title:
            lines += ["", f"{words.spelled(part.title).upper()} {words.spelled(part.legend)}".rstrip()]
        lines += [words.spelled(block) for block in re.split(r"\n\s*\n", part.text) if block.strip()]
        for title, rows in part.groups:
            lines += ["", words.spelled(title)] if title else []
            for number, row in rows:
                label = f"[{number}] " if number is not None else ""
                dates = f" ({row.dates})" if row.dates else ""
                lines += ["", f"{label}{words.spelled(_one_line(row.head))}{dates}"]
                lines += [words.spelled(block) for line in row.lines for block in re.split(r"\n\s*\n", line)]
                lines += _dashes(words, row.points, "")
    return "\n".join(lines) + "\n"


def _dashes(words: Words, points: Iterable[Point], indent: str) -> Iterator[str]:
    for point in points:
        yield f"{indent}- {words.spelled(point.text)}"
        yield from _dashes(words, point.points, f"{indent}  ")


def _one_line(text: str) -> str:
    return " ".join(text.split())
