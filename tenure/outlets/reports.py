"""Reports: co-authors since a date, service since a date, and the activities of a year."""

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
"""Columns of table 4 of NSF's collaborators template, and the title of the dated publication."""

COAUTHOR = "A"
"""Code of a co-author in that table; a collaborator without a joint publication is "C"."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a spreadsheet formula. Source: OWASP, "CSV Injection"."""


def coauthors(site: Site, since: Date | None) -> str:
    """
    CSV of the co-authors since a date, sorted by name, with date and title of the last joint publication.

    An unknown month or day counts as the latest possible; a publication without a date counts as the newest.
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
    """Row of a co-author with the latest joint publication."""
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
    """A cell that no spreadsheet evaluates as a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def service(site: Site, since: Date | None) -> str:
    """Service since a date, in Markdown; entries without a date and without a year in the text are included."""
    vita = Vita(Words.of(site))
    entries = [entry for c in site.collections.values() if c.kind == "service" for entry in c.entries]
    kept = (_since(entry, since) if since else entry for entry in entries)
    rows = tuple((None, vita.row(entry)) for entry in kept if entry is not None)
    after = f" since {since.iso}" if since else ""
    title = f"# {site.look.words['section_service']}: {site.profile.name}{after}"
    return as_markdown([title], [Part("", groups=(("", rows),))])


def year(site: Site, wanted: int) -> str:
    """Activities of a year, in Markdown: publications, talks, awards, service, teaching and all other dated entries."""
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
    """Collections with their entries of a year, in the order of a CV, but education and experience at its end."""
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
    """A CV of a year with the layout of `base_cv`, and the site with the year as its tagline."""
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
    """Whether a period includes a year or a part of it."""
    start = period.start.year if period.start else None
    end = period.end.year if period.end else None
    first, last = start or end, end or start
    return first is not None and first <= wanted and (period.ongoing or wanted <= (last or first))


def _years(words: str) -> set[int]:
    """Years in a text: 2023 in "MLSys '23", 2026 in "ICML 2026"."""
    long = {int(found) for found in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", words)}
    return long | {2000 + int(found) for found in re.findall(r"['’‘](\d\d)(?!\d)", words)}


def _lasts_to(period: Period, since: Date) -> bool:
    """Whether a period reaches a date, or its end is unknown."""
    last = period.end or period.start
    return period.ongoing or last is None or last.reaches(since)


def _since(entry: Entry, since: Date) -> Entry | None:
    """The entry without items of earlier years; None if all of it is earlier than the date."""
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
