"""Reports: co-authors since a date, and the activities of a year."""

import csv
import io
import re
from collections.abc import Iterable, Iterator

from tenure.exports.cv.text import TextWriter, make_document, render_text
from tenure.exports.plain_text import SiteTextConverter
from tenure.markdown.html import plain_text
from tenure.model.dates import Date, Period
from tenure.model.entries import Entry, Markdown, Prose, Service
from tenure.model.people import find_collaborators
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

    An unknown month or day counts as the latest possible; a publication without a date counts as the newest.
    An affiliation that content/coauthors.yaml lacks is that of content/counts.yaml.
    """
    publications = [
        p for p in site.publications if since is None or p.date is None or p.date.may_be_on_or_after(since)
    ]
    # the newest first, so that the first publication of a co-author is the last joint one
    publications.sort(key=lambda p: p.date.sort_key if p.date else (9999, 99, 99), reverse=True)
    counted = site.counts.coauthors if site.counts else ()
    affiliations = {coauthor.name: coauthor.affiliation for coauthor in counted}

    rows = []
    for collaborator in find_collaborators(publications, site.coauthors):
        name = collaborator.name.inverted_name
        latest = collaborator.publications[0]
        affiliation = ""
        if collaborator.record:
            affiliation = plain_text(collaborator.record.affiliation)
        affiliation = affiliation or affiliations.get(name, "")
        last_active = _format_last_active(latest.date)
        rows.append((COAUTHOR_CODE, name, affiliation, "", last_active, plain_text(latest.title)))
    rows.sort(key=lambda row: (row[1].casefold(), row[1]))

    buffer = io.StringIO()
    writer = csv.writer(buffer, dialect="excel")
    writer.writerow(COLLABORATOR_COLUMNS)
    # "=1+1" in a name: no spreadsheet evaluates a cell that begins with an apostrophe
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA_PREFIXES) else cell for cell in row])
    return f"\ufeff{buffer.getvalue()}"


def _format_last_active(date: Date | None) -> str:
    """A date as the template of NSF has it: "09/15/2024", "09/2024" or "2024"."""
    if not date or not date.year:
        return ""
    month_and_day = [f"{number:02d}" for number in (date.month, date.day) if number]
    return "/".join([*month_and_day, str(date.year)])


def make_year_report(site: Site, report_year: int) -> str:
    """
    Activities of a year, in plain text: publications, talks, awards, service and all other dated entries.
    """
    sections = []
    for name, collection in select_year_collections(site, report_year).items():
        default_title = name.replace("_", " ").capitalize()
        title = collection.title or site.active_theme.translations.get(f"section_{name}", default_title)
        items = tuple(ListItem(entry=entry) for entry in collection.entries)
        listing = Listing(title="", id="", items=items)
        sections.append(Section(id="", name="", kind="items", title=title, listings=(listing,)))

    document = make_document(TextWriter(SiteTextConverter.for_site(site)))
    return render_text(document, [f"{site.profile.name}: {report_year}"], sections)


def select_year_collections(site: Site, report_year: int) -> dict[str, Collection]:
    """Collections with their entries of a year, in the order of a CV, but its first two lists last."""
    collections = {}
    # CV_ORDER begins with education and experience
    for name in sort_collections(site, (*CV_ORDER[2:], *CV_ORDER[:2])):
        entries = [entry for entry in site.collections[name].entries if not isinstance(entry, Prose)]
        year_entries = tuple(_select_year_entries(entries, report_year))
        if year_entries:
            collections[name] = replace(site.collections[name], entries=year_entries)
    return collections


def plan_year_cv(site: Site, report_year: int, base_cv: CvConfig) -> tuple[Site, CvConfig]:
    """
    A CV of a year with the layout of `base_cv`, and the site for it, whose owner has the year as tagline.

    The report has all entries of the year: what limits the other CV, its pages and tags, is dropped, and so
    are the interests, which belong to no year.
    """
    profile = replace(site.profile, tagline=Markdown(str(report_year)), interests=())
    sections = tuple(SectionConfig(name=name) for name in select_year_collections(site, report_year))
    title = f"{site.profile.name}: {report_year}"
    report_cv = replace(
        base_cv, name=str(report_year), title=title, sections=sections, pages=0, tag=(), without=()
    )
    return replace(site, profile=profile), report_cv


def _select_year_entries(entries: Iterable[Entry], report_year: int) -> Iterator[Entry]:
    """The entries of a year; of a service without dates, the items that name the year."""
    for entry in entries:
        periods = (*getattr(entry, "term", ()), entry.entry_period)
        if any(_includes_year(period, report_year) for period in periods if period):
            yield entry
        # "ICML 2026, MLSys '23" have their years in the text
        elif isinstance(entry, Service) and entry.entry_period is None:
            yield from _select_items(entry, report_year)


def _includes_year(period: Period, report_year: int) -> bool:
    """Whether a period includes a part of a year; one without an end is in one year, or goes on."""
    years = [date.year for date in (period.start, period.end) if date and date.year is not None]
    if not years or years[0] > report_year:
        return False
    return period.ongoing or report_year <= years[-1]


def _select_items(service: Service, report_year: int) -> Iterator[Service]:
    """The service with the items of a year, if there are any."""
    groups = []
    for group in service.groups:
        items = tuple(item for item in group.items if report_year in _find_years(item))
        if items:
            groups.append(replace(group, items=items))
    if groups:
        yield replace(service, groups=tuple(groups))


def _find_years(text: str) -> set[int]:
    """The years in a text: "MLSys '23, ICML 2026" -> 2023, 2026."""
    years = set(map(int, re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)))
    years.update(2000 + int(match) for match in re.findall(r"['’‘](\d\d)(?!\d)", text))
    return years
