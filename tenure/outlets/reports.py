"""What a scholar is asked for: co-authors of the last years, service since a date, and an account of a year."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tenure.model.coauthors import Partner, partners
from tenure.model.dates import Date, Period
from tenure.model.scholar import Entry, Markdown, Prose, Service
from tenure.model.site import Collection, CvWish, SectionWish, Site
from tenure.outlets.documents import Part, as_markdown
from tenure.outlets.vita import Vita
from tenure.outlets.words import Words
from tenure.text import plain
from tenure.web.outline import CV_ORDER

COLUMNS = (
    "Relation",
    "Name",
    "Organizational Affiliation",
    "Optional (email, Department)",
    "Last Active",
    "Last joint work",
)
"""Those of table 4 of NSF's template of collaborators, and the work that the date is of."""

COAUTHOR = "A"
"""What that table calls a co-author; a collaborator without a joint paper is "C"."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What begins a formula. Source: OWASP, "CSV Injection"."""


def coauthors(site: Site, since: Date | None) -> str:
    """
    The co-authors of the publications since a date, by name, with the date and title of the last joint work.

    A work whose month or day is not known counts as late as it may be; one that has not appeared yet counts as new.
    """
    recent = [p for p in site.publications if since is None or p.date is None or p.date.reaches(since)]
    works = sorted(recent, key=lambda p: p.date.order if p.date else (9999, 99, 99), reverse=True)
    rows = sorted((_row(partner) for partner in partners(works, site.coauthors)), key=_sorting)
    sheet = io.StringIO()
    writer = csv.writer(sheet, dialect="excel")
    writer.writerow(COLUMNS)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return "\ufeff" + sheet.getvalue()


def _row(partner: Partner) -> tuple[str, ...]:
    """A co-author's row, with the latest work."""
    affiliation = plain(partner.known.affiliation) if partner.known else ""
    latest = partner.papers[0]
    date = latest.date
    when = ""
    if date is not None and date.year:
        parts = [f"{date.month:02d}" if date.month else "", f"{date.day:02d}" if date.day else ""]
        when = "/".join([part for part in parts if part] + [str(date.year)])
    return (COAUTHOR, partner.name.inverted, affiliation, "", when, plain(latest.title))


def _sorting(row: tuple[str, ...]) -> tuple[str, str]:
    return (row[1].casefold(), row[1])


def _harmless(cell: str) -> str:
    """A cell that no spreadsheet runs."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def service(site: Site, since: Date | None) -> str:
    """What was done for the field since a date, in Markdown; what has no date, and names no year, is kept."""
    vita = Vita(Words.of(site))
    entries = [entry for c in site.collections.values() if c.kind == "service" for entry in c.entries]
    kept = (_since(entry, since) if since else entry for entry in entries)
    rows = tuple((None, vita.row(entry)) for entry in kept if entry is not None)
    after = f" since {since.iso}" if since else ""
    title = f"# {site.look.words['section_service']}: {site.profile.name}{after}"
    return as_markdown([title], [Part("", groups=(("", rows),))])


def year(site: Site, wanted: int) -> str:
    """What happened in a year, in Markdown: papers, talks, awards, service, teaching and all else that has a date."""
    words = Words.of(site)
    vita = Vita(words)
    parts: list[Part] = []
    for name, collection in happened(site, wanted).items():
        title = collection.title or site.look.words.get(
            f"section_{name}", name.replace("_", " ").capitalize()
        )
        rows = tuple((None, vita.row(entry)) for entry in collection.entries)
        parts.append(Part(title, groups=(("", rows),)))
    return as_markdown([f"# {site.profile.name}: {wanted}"], parts)


def happened(site: Site, wanted: int) -> dict[str, Collection]:
    """The collections that have something of a year, each with that alone, the work of the year before positions."""
    order = (*CV_ORDER[2:], *CV_ORDER[:2])
    names = sorted(site.collections, key=lambda n: (order.index(n) if n in order else len(order), n))
    found = {}
    for name in names:
        entries = [entry for entry in site.collections[name].entries if not isinstance(entry, Prose)]
        of_year = tuple(_of_year(entries, wanted))
        if of_year:
            found[name] = replace(site.collections[name], entries=of_year)
    return found


def year_printed(site: Site, wanted: int, like: CvWish) -> tuple[Site, CvWish]:
    """A CV of what happened in a year, in the look of another, and the site with the year in place of the tagline."""
    profile = replace(site.profile, tagline=Markdown(str(wanted)), interests=())
    sections = tuple(SectionWish(name=name) for name in happened(site, wanted))
    title = f"{site.profile.name}: {wanted}"
    report = replace(like, name=str(wanted), title=title, sections=sections, pages=0, tag=(), without=())
    return replace(site, profile=profile), report


def _of_year(entries: Iterable[Entry], wanted: int) -> Iterator[Entry]:
    for entry in entries:
        if any(_covers(period, wanted) for period in (*getattr(entry, "term", ()), entry.when) if period):
            yield entry
        elif isinstance(entry, Service) and entry.when is None:
            named = tuple(
                replace(g, items=tuple(i for i in g.items if wanted in _years(i))) for g in entry.groups
            )
            if any(group.items for group in named):
                yield replace(entry, groups=tuple(group for group in named if group.items))


def _covers(period: Period, wanted: int) -> bool:
    """Whether a period or a date lies in a year, or stretches over it."""
    start = period.start.year if period.start else None
    end = period.end.year if period.end else None
    first, last = start or end, end or start
    return first is not None and first <= wanted and (period.ongoing or wanted <= (last or first))


def _years(words: str) -> set[int]:
    """The years that words name: "MLSys '23" and "ICML 2026"."""
    long = {int(found) for found in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", words)}
    return long | {2000 + int(found) for found in re.findall(r"['’‘](\d\d)(?!\d)", words)}


def _lasts_to(period: Period, since: Date) -> bool:
    """Whether something went on at a date or after it, as far as it is known."""
    last = period.end or period.start
    return period.ongoing or last is None or last.reaches(since)


def _since(entry: Entry, since: Date) -> Entry | None:
    """An entry that reaches a date, without the items that name an earlier year; None where nothing is left."""
    if entry.when is not None:
        return entry if _lasts_to(entry.when, since) else None
    if not isinstance(entry, Service) or not entry.groups or since.year is None:
        return entry
    first = since.year
    groups = tuple(
        replace(group, items=kept)
        for group in entry.groups
        if (kept := tuple(item for item in group.items if max(_years(item), default=first) >= first))
    )
    return replace(entry, groups=groups) if groups else None
