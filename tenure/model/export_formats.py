"""
The table of export formats: a new record is one row here, and its function in exports/records.py.

An `ExportFormat` is a file of the whole site with what a site must have for it; the `ExportFile` is what
pages link to.
"""

from collections.abc import Callable, Mapping, Sequence

from tenure.model.entries import Entry, News, Post, Publication, Talk
from tenure.record import Record


class ExportFile(Record):
    """An exported file: its path below the root without a leading slash, its media type and its label."""

    path: str
    media_type: str
    label: str


class SiteContent(Record):
    """What an export format may need of a site; `url` is "" if it is unknown."""

    publications: Sequence[Publication]
    entries: Sequence[Entry]
    url: str
    is_group: bool


class ExportFormat(Record):
    """
    A machine-readable file of the whole site.

    `page_kind` is the kind of page that links to it. It is written for a site that `has_content` for it.
    `description` is for llms.txt, "" if a language model does not need the file. A file `is_translated` if it
    exists once per language.
    """

    file: ExportFile
    page_kind: str
    has_content: Callable[[SiteContent], bool]
    description: str = ""
    is_translated: bool = False


def is_feed_entry(entry: Entry) -> bool:
    """
    Whether a feed has the entry: a post, a news item or a publication with its own page, and with a year.
    """
    has_page = entry.page if isinstance(entry, Publication) else isinstance(entry, News | Post)
    period = entry.entry_period if has_page else None
    return bool(period and period.start and period.start.year)


def _has_dated_talks(site: SiteContent) -> bool:
    """Whether a talk has a day: without one it would fill a month of the calendar."""
    dates = [entry.date for entry in site.entries if isinstance(entry, Talk)]
    return any(date and date.start and date.start.day for date in dates)


EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    "bibtex": ExportFormat(
        ExportFile("publications.bib", "application/x-bibtex", "BibTeX"),
        "publications",
        lambda site: bool(site.publications),
        "all publications in BibTeX",
    ),
    "ris": ExportFormat(
        ExportFile("publications.ris", "application/x-research-info-systems", "RIS"),
        "publications",
        lambda site: bool(site.publications),
    ),
    "csl-json": ExportFormat(
        ExportFile("publications.json", "application/vnd.citationstyles.csl+json", "CSL-JSON"),
        "publications",
        lambda site: bool(site.publications),
        "all publications as data",
    ),
    "text": ExportFormat(
        ExportFile("cv.txt", "text/plain", "Plain text"),
        "cv",
        lambda site: not site.is_group,
        "the whole CV as text",
        is_translated=True,
    ),
    "json-resume": ExportFormat(
        ExportFile("resume.json", "application/json", "JSON Resume"),
        "cv",
        lambda site: not site.is_group,
        "the CV as data",
        is_translated=True,
    ),
    "calendar": ExportFormat(
        ExportFile("talks.ics", "text/calendar", "iCalendar"),
        "talks",
        _has_dated_talks,
        "talks with their days",
        is_translated=True,
    ),
    "atom": ExportFormat(
        ExportFile("feed.xml", "application/atom+xml", "Atom"),
        "posts",
        lambda site: bool(site.url) and any(map(is_feed_entry, site.entries)),
        is_translated=True,
    ),
    "llms": ExportFormat(
        ExportFile("llms.txt", "text/plain", "llms.txt"),
        "",
        lambda site: bool(site.url),
        is_translated=True,
    ),
}
"""The formats by their names in `records` of site.yaml."""

CARD_RECORD = "card"
"""The name in `records` of the image that link previews show."""
