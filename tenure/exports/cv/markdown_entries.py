"""Entries of a CV in Markdown: a head with its dates, and the lines and bullets below."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, singledispatchmethod

from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import make_slug
from tenure.model import entries as entry_classes
from tenure.model.dates import Period
from tenure.model.entries import Entry, Point, Publication
from tenure.model.links import Link
from tenure.model.names import Author
from tenure.record import Record


class MarkdownRow(Record):
    """An entry in Markdown: its head, its dates, the lines that follow, and bullets."""

    head: str
    dates: str = ""
    lines: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()


class MarkdownRowBuilder(Record):
    """Converts entries to Markdown rows."""

    converter: SiteTextConverter

    @singledispatchmethod
    def row(self, entry: Entry) -> MarkdownRow:
        """An entry as a row with all its facts."""
        return self._build_row(entry, _make_bold(entry.name), entry.entry_period)

    def _build_row(
        self,
        entry: Entry,
        head: str,
        *when: Period | None,
        lines: Iterable[str] = (),
        points: Sequence[Point] = (),
        links: Sequence[Link] = (),
    ) -> MarkdownRow:
        publications = self.converter.library.publications
        t = self.converter.site.active_theme.translations
        titles = t["semicolon"].join(
            publications[key].title for key in entry.publications if key in publications
        )
        candidates = (
            *lines,
            entry.summary,
            entry.body,
            t.format_labelled(t["papers" if len(entry.publications) > 1 else "paper"], titles)
            if titles
            else "",
            entry.note,
            t["comma"].join(
                f"[{t.translate_link_label(link.label)}]({link.url})" for link in (*links, *entry.links)
            ),
            f"<{entry.url}>" if entry.url.startswith("http") else entry.url,
        )
        resolved_lines = tuple(self.converter.resolve_markdown(line) for line in candidates if line.strip())
        return MarkdownRow(
            self.converter.resolve_markdown(head),
            self.converter.format_periods(*when),
            resolved_lines,
            self._resolve_points(points),
        )

    def _resolve_points(self, points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(
            Point(
                text=entry_classes.Markdown(self.converter.resolve_markdown(p.text)),
                points=self._resolve_points(p.points),
            )
            for p in points
        )

    def _fact_points(self, label: str, *values: str) -> Iterator[Point]:
        """A bullet "Advisors: A and B" with a translated label, or nothing without values."""
        if any(values):
            t = self.converter.site.active_theme.translations
            many = f"{label}s" if len(values) > 1 and f"{label}s" in t else label
            text = t.format_labelled(t[many], t.join_list([value for value in values if value]))
            yield Point(text=entry_classes.Markdown(text))

    @row.register
    def _(self, entry: entry_classes.Education) -> MarkdownRow:
        t = self.converter.site.active_theme.translations
        whole = entry.degree and entry.area
        degree = t["degree_in"].format(degree=entry.degree, area=entry.area) if whole else ""
        label = "grade" if entry.grade[:1].isdigit() else "grade_in_words"
        points = (
            *entry.details,
            *self._fact_points(label, entry.grade),
            *self._fact_points("rank", entry.rank),
            *self._fact_points("advisor", *entry.advisors),
            *self._fact_points("thesis", entry.thesis),
        )
        head = _join_nonempty(_make_bold(entry.institution), entry.location)
        return self._build_row(
            entry, head, entry.period, lines=[degree or entry.degree or entry.area], points=points
        )

    @row.register
    def _(self, entry: entry_classes.Experience) -> MarkdownRow:
        points = (
            *self._fact_points("advisor", *entry.advisors),
            *self._fact_points("mentor", *entry.mentors),
            *self._fact_points("topic", entry.topic),
            *entry.details,
        )
        organization = _join_nonempty(entry.organization, entry.unit)
        head = _join_nonempty(_make_bold(entry.title or organization), entry.location)
        lines = [organization if entry.title else "", entry.role]
        return self._build_row(entry, head, entry.period, lines=lines, points=points)

    @row.register
    def _(self, entry: entry_classes.Project) -> MarkdownRow:
        lines = [
            *(str(point.text) for point in self._fact_points("role", entry.role)),
            entry.tagline,
            *(str(p.text) for p in self._fact_points("technologies", ", ".join(entry.technologies))),
        ]
        points = (*entry.details, *entry.features)
        return self._build_row(entry, _make_bold(entry.title), entry.date, lines=lines, points=points)

    @row.register
    def _(self, entry: entry_classes.Talk) -> MarkdownRow:
        t = self.converter.site.active_theme.translations
        kind = t.get(f"talk_{make_slug(entry.kind)}", entry.kind) if entry.kind else ""
        kind_label = "" if entry.kind.casefold() in entry.event.casefold() else kind
        host = t["host"].format(host=entry.host) if entry.host else ""
        head = _join_nonempty(_make_bold(entry.title), kind_label, entry.event, entry.place, host)
        files = (("slides", entry.slides), ("video", entry.video))
        links = [Link(label=t[f"link_{name}"], url=url) for name, url in files if url]
        return self._build_row(entry, head, entry.date, points=entry.details, links=links)

    @row.register
    def _(self, entry: entry_classes.Award) -> MarkdownRow:
        amount = f" ({entry.amount})" if entry.amount else ""
        head = _join_nonempty(entry.title, entry.organization) + amount
        return self._build_row(entry, head, entry.date, points=entry.details)

    @row.register
    def _(self, entry: entry_classes.Service) -> MarkdownRow:
        points = [*entry.details]
        head = _join_nonempty(_make_bold(entry.role), entry.organization)
        if len(entry.groups) == 1:
            head += f": {', '.join(entry.groups[0].items)}"
        else:
            points += [Point(text=entry_classes.Markdown(self._group_text(group))) for group in entry.groups]
        return self._build_row(entry, head, entry.date, points=points)

    def _group_text(self, group: entry_classes.ServiceGroup) -> str:
        default_label = group.label[:1].upper() + group.label[1:].replace("_", " ")
        t = self.converter.site.active_theme.translations
        label = t.get(f"group_{make_slug(group.label)}", default_label)
        return t.format_labelled(label, t["list_comma"].join(group.items))

    @row.register
    def _(self, entry: entry_classes.Course) -> MarkdownRow:
        head = _join_nonempty(_make_bold(entry.course), entry.role, entry.institution)
        return self._build_row(entry, head, *entry.term, points=entry.details)

    @row.register
    def _(self, entry: entry_classes.News) -> MarkdownRow:
        head = f"{_make_bold(entry.title)} {entry.text}".strip()
        return self._build_row(entry, head, entry.date, points=entry.details)

    @row.register
    def _(self, entry: entry_classes.CustomEntry) -> MarkdownRow:
        head = _join_nonempty(_make_bold(entry.title or entry.organization or entry.text), entry.location)
        lines = [
            _join_nonempty(entry.organization if entry.title else "", entry.role),
            entry.text if entry.title or entry.organization else "",
        ]
        return self._build_row(entry, head, entry.date, lines=lines, points=entry.details)

    @row.register
    def _(self, paper: Publication) -> MarkdownRow:
        t, venue = self.converter.site.active_theme.translations, paper.venue
        credited = paper.authors if paper.authors.people or paper.authors.others else paper.editors
        people = [_format_author(author) for author in credited.people] + (
            [t["others"]] if credited.others else []
        )
        status = t.get(f"status_{make_slug(paper.status)}", paper.status) if paper.status else ""
        short = f"({venue.short})" if venue.short and venue.short != venue.name else ""
        name = f"*{venue.name}* {short}".strip() if venue.name else venue.short
        name = name or (f"arXiv:{paper.eprint}" if paper.server and paper.eprint else "")
        numbers = venue.volume + (f"({venue.number})" if venue.number else "")
        kind = "pages" if "–" in venue.pages or "," in venue.pages else "page"
        pages = t[kind].format(pages=venue.pages) if venue.pages else ""
        printed = paper.date.format_text({**t.messages, "date_season": "{year}"}) if paper.date else ""
        venue_text = _join_nonempty(
            status, name, venue.series, numbers, pages, venue.institution, venue.publisher, printed
        )
        title = f"{_make_bold(paper.title)}{'' if paper.title.endswith(('.', '?', '!')) else '.'}"
        names = f"{', '.join(people)}." if people else ""
        head = " ".join(part for part in (names, title, f"{venue_text}." if venue_text else "") if part)
        return self._build_row(paper, head, lines=paper.awards, points=paper.details)


def _format_author(author: Author) -> str:
    name = _escape_markdown(author.name.full_name)
    marks = _escape_markdown(author.marks or ("*" if author.equal else ""))
    return (f"**{name}**" if author.me else name) + marks


_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_\[\]<>#@$]")
"""Characters of a name that Markdown may interpret."""


@lru_cache(maxsize=65536)
def _escape_markdown(text: str) -> str:
    return _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", text)


def _make_bold(text: str) -> str:
    return f"**{text}**" if text and "**" not in text else text


def _join_nonempty(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
