"""Reports: co-authors since a date, service since a date, and the activities of a year."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from tenure.exports.cv.markdown import MarkdownWriter, make_document, render_markdown
from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import plain_text
from tenure.model.collaborators import find_collaborators
from tenure.model.dates import Date, Period
from tenure.model.entries import Entry, Markdown, Prose, Service
from tenure.model.site import Collection, CvConfig, SectionConfig, Site
from tenure.plan.kinds import CV_ORDER, sort_collections
from tenure.plan.sections import Listing, ListItem, Section
from tenure.record import replace

COLLABORATOR_COLUMNS = (
    *("Relation", "Name", "Organizational Affiliation", "Optional (email, Department)", "Last Active"),
    "Last joint work",
)
"""Columns of table 4 of NSF's collaborators template, and the title of the dated publication."""

COAUTHOR_CODE = "A"
"""Code of a co-author in that table; a collaborator without a joint publication is "C"."""

_FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a spreadsheet formula. Source: OWASP, "CSV Injection"."""


def make_coauthor_table(site: Site, since: Date | None) -> str:
    """
    CSV of the co-authors since a date, sorted by name, with date and title of the last joint publication.

    An unknown month or day counts as the latest possible; a publication without a date counts as the newest. An
    affiliation that content/coauthors.yaml lacks is that of content/counts.yaml.
    """
    counted = site.counts.coauthors if site.counts else ()
    affiliations = {coauthor.name: coauthor.affiliation for coauthor in counted}
    recent = [
        p for p in site.publications if since is None or p.date is None or p.date.may_be_on_or_after(since)
    ]
    publications = sorted(recent, key=lambda p: p.date.sort_key if p.date else (9999, 99, 99), reverse=True)
    rows = []
    for collaborator in find_collaborators(publications, site.coauthors):
        name, record, latest = (
            collaborator.name.inverted_name,
            collaborator.record,
            collaborator.publications[0],
        )
        affiliation = plain_text(record.affiliation) if record else ""
        last_active = ""
        if latest.date and latest.date.year:
            month_and_day = [f"{number:02d}/" for number in (latest.date.month, latest.date.day) if number]
            last_active = "".join([*month_and_day, str(latest.date.year)])
        affiliation = affiliation or affiliations.get(name, "")
        rows.append((COAUTHOR_CODE, name, affiliation, "", last_active, plain_text(latest.title)))
    rows.sort(key=lambda row: (row[1].casefold(), row[1]))
    buffer = io.StringIO()
    writer = csv.writer(buffer, dialect="excel")
    writer.writerow(COLLABORATOR_COLUMNS)
    for row in rows:  # no spreadsheet evaluates a cell that begins with an apostrophe
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA_PREFIXES) else cell for cell in row])
    return "\ufeff" + buffer.getvalue()


def make_service_report(site: Site, since: Date | None) -> str:
    """Service since a date, in Markdown; entries without a date and without a year in the text are included."""
    entries = site.iterate_entries("service")
    title = f"# {site.active_theme.translations['section_service']}: {site.profile.name}"
    if since:
        title, entries = f"{title} since {since.iso}", _select_since(entries, since)
    return _render_report(site, title, {"": entries})


def make_year_report(site: Site, report_year: int) -> str:
    """Activities of a year, in Markdown: publications, talks, awards, service, teaching and all other dated entries."""
    sections = {}
    for name, collection in select_year_collections(site, report_year).items():
        default_title = name.replace("_", " ").capitalize()
        title = site.active_theme.translations.get(f"section_{name}", default_title)
        sections[collection.title or title] = collection.entries
    return _render_report(site, f"# {site.profile.name}: {report_year}", sections)


def _render_report(site: Site, head: str, entries_by_title: Mapping[str, Iterable[Entry]]) -> str:
    sections = []
    for title, entries in entries_by_title.items():
        listing = Listing(title="", id="", items=tuple(ListItem(entry=entry) for entry in entries))
        sections.append(Section(id="", name="", kind="items", title=title, listings=(listing,)))
    return render_markdown(make_document(MarkdownWriter(SiteTextConverter.for_site(site))), [head], sections)


def select_year_collections(site: Site, report_year: int) -> dict[str, Collection]:
    """Collections with their entries of a year, in the order of a CV, but education and experience at its end."""
    collections = {}
    for name in sort_collections(site, (*CV_ORDER[2:], *CV_ORDER[:2])):
        entries = [entry for entry in site.collections[name].entries if not isinstance(entry, Prose)]
        year_entries = tuple(_select_year_entries(entries, report_year))
        if year_entries:
            collections[name] = replace(site.collections[name], entries=year_entries)
    return collections


def plan_year_cv(site: Site, report_year: int, base_cv: CvConfig) -> tuple[Site, CvConfig]:
    """A CV of a year with the layout of `base_cv`, and the site with the year as its tagline."""
    profile = replace(site.profile, tagline=Markdown(str(report_year)), interests=())
    sections = tuple(SectionConfig(name=name) for name in select_year_collections(site, report_year))
    title = f"{site.profile.name}: {report_year}"
    report_cv = replace(
        base_cv, name=str(report_year), title=title, sections=sections, pages=0, tag=(), without=()
    )
    return replace(site, profile=profile), report_cv


def _select_year_entries(entries: Iterable[Entry], report_year: int) -> Iterator[Entry]:
    for entry in entries:
        periods = (*getattr(entry, "term", ()), entry.entry_period)
        if any(_includes_year(period, report_year) for period in periods if period):
            yield entry
        elif isinstance(entry, Service) and entry.entry_period is None:
            yield from _select_items(entry, lambda years: report_year in years)


def _includes_year(period: Period, report_year: int) -> bool:
    """Whether a period includes a year or a part of it."""
    start = period.start.year if period.start else None
    end = period.end.year if period.end else None
    first, last = start or end, end or start
    return first is not None and first <= report_year and (period.ongoing or report_year <= (last or first))


def _select_items(service: Service, is_selected: Callable[[set[int]], bool]) -> Iterator[Service]:
    """The service with the items whose years are selected, if there are any: 2023 in "MLSys '23", 2026 in "ICML 2026"."""
    groups = []
    for group in service.groups:
        items = []
        for item in group.items:
            years = set(map(int, re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", item)))
            years.update(2000 + int(match) for match in re.findall(r"['’‘](\d\d)(?!\d)", item))
            if is_selected(years):
                items.append(item)
        if items:
            groups.append(replace(group, items=tuple(items)))
    if groups:
        yield replace(service, groups=tuple(groups))


def _select_since(entries: Iterable[Entry], since: Date) -> Iterator[Entry]:
    """The entries that reach a date or have an unknown end, without items of earlier years."""
    first_year = since.year or 0
    for entry in entries:
        period = entry.entry_period
        last_date = (period.end or period.start) if period else None
        if isinstance(entry, Service) and entry.groups and not period:
            yield from _select_items(entry, lambda years: max(years, default=first_year) >= first_year)
        elif not period or period.ongoing or last_date is None or last_date.may_be_on_or_after(since):
            yield entry
