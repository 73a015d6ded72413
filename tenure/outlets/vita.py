"""Entries of a CV in Markdown: a head with its dates, and the lines and bullets below."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, singledispatchmethod

from tenure.frozen import dataclass
from tenure.model import scholar
from tenure.model.dates import Period
from tenure.model.links import Link
from tenure.model.names import Author
from tenure.model.scholar import Entry, Point, Publication
from tenure.outlets.words import Words
from tenure.text import slug


@dataclass(frozen=True, slots=True)
class Row:
    """An entry in Markdown: its head, its dates, the lines that follow, and bullets."""

    head: str
    dates: str = ""
    lines: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Vita:
    """Converts entries to Markdown rows."""

    words: Words

    @singledispatchmethod
    def row(self, entry: Entry) -> Row:
        """An entry as a row with all its facts."""
        return self._row(entry, _strong(entry.name), entry.when)

    def _row(
        self,
        entry: Entry,
        head: str,
        *when: Period | None,
        lines: Iterable[str] = (),
        points: Sequence[Point] = (),
        links: Sequence[Link] = (),
    ) -> Row:
        papers = self.words.library.publications
        t = self.words.site.look.words
        named = t["semicolon"].join(papers[key].title for key in entry.publications if key in papers)
        found = (
            *lines,
            entry.summary,
            entry.body,
            t.labelled(t["papers" if len(entry.publications) > 1 else "paper"], named) if named else "",
            entry.note,
            t["comma"].join(f"[{t.called(link.label)}]({link.url})" for link in (*links, *entry.links)),
            f"<{entry.url}>" if entry.url.startswith("http") else entry.url,
        )
        shown = tuple(self.words.markdown(line) for line in found if line.strip())
        return Row(self.words.markdown(head), self.words.period(*when), shown, self._points(points))

    def _points(self, points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(
            Point(text=scholar.Markdown(self.words.markdown(p.text)), points=self._points(p.points))
            for p in points
        )

    def _fact(self, label: str, *values: str) -> Iterator[Point]:
        """A bullet "Advisors: A and B" with a translated label, or nothing without values."""
        if any(values):
            t = self.words.site.look.words
            many = f"{label}s" if len(values) > 1 and f"{label}s" in t else label
            text = t.labelled(t[many], t.joined([value for value in values if value]))
            yield Point(text=scholar.Markdown(text))

    @row.register
    def _(self, entry: scholar.Education) -> Row:
        t = self.words.site.look.words
        whole = entry.degree and entry.area
        degree = t["degree_in"].format(degree=entry.degree, area=entry.area) if whole else ""
        label = "grade" if entry.grade[:1].isdigit() else "grade_in_words"
        points = (
            *entry.details,
            *self._fact(label, entry.grade),
            *self._fact("rank", entry.rank),
            *self._fact("advisor", *entry.advisors),
            *self._fact("thesis", entry.thesis),
        )
        head = _joined(_strong(entry.institution), entry.location)
        return self._row(
            entry, head, entry.period, lines=[degree or entry.degree or entry.area], points=points
        )

    @row.register
    def _(self, entry: scholar.Experience) -> Row:
        points = (
            *self._fact("advisor", *entry.advisors),
            *self._fact("mentor", *entry.mentors),
            *self._fact("topic", entry.topic),
            *entry.details,
        )
        house = _joined(entry.organization, entry.unit)
        head = _joined(_strong(entry.title or house), entry.location)
        lines = [house if entry.title else "", entry.role]
        return self._row(entry, head, entry.period, lines=lines, points=points)

    @row.register
    def _(self, entry: scholar.Project) -> Row:
        lines = [
            *(str(point.text) for point in self._fact("role", entry.role)),
            entry.tagline,
            *(str(p.text) for p in self._fact("technologies", ", ".join(entry.technologies))),
        ]
        points = (*entry.details, *entry.features)
        return self._row(entry, _strong(entry.title), entry.date, lines=lines, points=points)

    @row.register
    def _(self, entry: scholar.Talk) -> Row:
        t = self.words.site.look.words
        kind = t.get(f"talk_{slug(entry.kind)}", entry.kind) if entry.kind else ""
        said = "" if entry.kind.casefold() in entry.event.casefold() else kind
        host = t["host"].format(host=entry.host) if entry.host else ""
        head = _joined(_strong(entry.title), said, entry.event, entry.place, host)
        files = (("slides", entry.slides), ("video", entry.video))
        links = [Link(label=t[f"link_{name}"], url=url) for name, url in files if url]
        return self._row(entry, head, entry.date, points=entry.details, links=links)

    @row.register
    def _(self, entry: scholar.Award) -> Row:
        amount = f" ({entry.amount})" if entry.amount else ""
        head = _joined(entry.title, entry.organization) + amount
        return self._row(entry, head, entry.date, points=entry.details)

    @row.register
    def _(self, entry: scholar.Service) -> Row:
        points = [*entry.details]
        head = _joined(_strong(entry.role), entry.organization)
        if len(entry.groups) == 1:
            head += f": {', '.join(entry.groups[0].items)}"
        else:
            points += [Point(text=scholar.Markdown(self._group(group))) for group in entry.groups]
        return self._row(entry, head, entry.date, points=points)

    def _group(self, group: scholar.Group) -> str:
        own = group.label[:1].upper() + group.label[1:].replace("_", " ")
        t = self.words.site.look.words
        label = t.get(f"group_{slug(group.label)}", own)
        return t.labelled(label, t["list_comma"].join(group.items))

    @row.register
    def _(self, entry: scholar.Course) -> Row:
        head = _joined(_strong(entry.course), entry.role, entry.institution)
        return self._row(entry, head, *entry.term, points=entry.details)

    @row.register
    def _(self, entry: scholar.News) -> Row:
        head = f"{_strong(entry.title)} {entry.text}".strip()
        return self._row(entry, head, entry.date, points=entry.details)

    @row.register
    def _(self, entry: scholar.Item) -> Row:
        head = _joined(_strong(entry.title or entry.organization or entry.text), entry.location)
        lines = [
            _joined(entry.organization if entry.title else "", entry.role),
            entry.text if entry.title or entry.organization else "",
        ]
        return self._row(entry, head, entry.date, lines=lines, points=entry.details)

    @row.register
    def _(self, paper: Publication) -> Row:
        t, venue = self.words.site.look.words, paper.venue
        by = paper.authors if paper.authors.people or paper.authors.others else paper.editors
        people = [_author(author) for author in by.people] + ([t["others"]] if by.others else [])
        status = t.get(f"status_{slug(paper.status)}", paper.status) if paper.status else ""
        short = f"({venue.short})" if venue.short and venue.short != venue.name else ""
        name = f"*{venue.name}* {short}".strip() if venue.name else venue.short
        name = name or (f"arXiv:{paper.eprint}" if paper.server and paper.eprint else "")
        numbers = venue.volume + (f"({venue.number})" if venue.number else "")
        kind = "pages" if "–" in venue.pages or "," in venue.pages else "page"
        pages = t[kind].format(pages=venue.pages) if venue.pages else ""
        printed = paper.date.written({**t.all, "date_season": "{year}"}) if paper.date else ""
        where = _joined(
            status, name, venue.series, numbers, pages, venue.institution, venue.publisher, printed
        )
        title = f"{_strong(paper.title)}{'' if paper.title.endswith(('.', '?', '!')) else '.'}"
        names = f"{', '.join(people)}." if people else ""
        head = " ".join(part for part in (names, title, f"{where}." if where else "") if part)
        return self._row(paper, head, lines=paper.awards, points=paper.details)


def _author(author: Author) -> str:
    name = _escaped(author.name.full)
    marks = _escaped(author.marks or ("*" if author.equal else ""))
    return (f"**{name}**" if author.me else name) + marks


_MARKS = re.compile(r"[\\`*_\[\]<>#@$]")
"""Characters of a name that Markdown may interpret."""


@lru_cache(maxsize=65536)
def _escaped(words: str) -> str:
    return _MARKS.sub(r"\\\g<0>", words)


def _strong(words: str) -> str:
    return f"**{words}**" if words and "**" not in words else words


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
