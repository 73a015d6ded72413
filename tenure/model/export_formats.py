"""The table of export formats: a new record is one row here and its writer in exports/registry.py."""

from collections.abc import Mapping
from typing import Literal

from tenure.record import Record


class ExportFile(Record):
    """An exported file: its path below the root without a leading slash, its media type and its label."""

    path: str
    media_type: str
    label: str


class ExportFormat(Record, kw_only=True):
    """
    A machine-readable file of the whole site.

    `page_kind` is the kind of page that links to it, `needs` the content without which it is not written. `description`
    is for llms.txt, "" if a language model does not need the file. A file `is_translated` if it exists once per language.
    """

    file: ExportFile
    page_kind: Literal["", "publications", "cv", "talks", "posts"] = ""
    needs: Literal["", "publications", "dated talks", "feed entries", "URL"] = ""
    description: str = ""
    is_default: bool = True
    is_translated: bool = False


EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    "bibtex": ExportFormat(
        file=ExportFile("publications.bib", "application/x-bibtex", "BibTeX"),
        page_kind="publications",
        needs="publications",
        description="all publications in BibTeX",
    ),
    "ris": ExportFormat(
        file=ExportFile("publications.ris", "application/x-research-info-systems", "RIS"),
        page_kind="publications",
        needs="publications",
    ),
    "csl-json": ExportFormat(
        file=ExportFile("publications.json", "application/vnd.citationstyles.csl+json", "CSL-JSON"),
        page_kind="publications",
        needs="publications",
        description="all publications as data",
    ),
    "markdown": ExportFormat(
        file=ExportFile("cv.md", "text/markdown", "Markdown"),
        page_kind="cv",
        description="the whole CV in Markdown",
        is_translated=True,
    ),
    "text": ExportFormat(
        file=ExportFile("cv.txt", "text/plain", "Plain text"), page_kind="cv", is_translated=True
    ),
    "json-resume": ExportFormat(
        file=ExportFile("resume.json", "application/json", "JSON Resume"),
        page_kind="cv",
        description="the CV as data",
        is_translated=True,
    ),
    "calendar": ExportFormat(
        file=ExportFile("talks.ics", "text/calendar", "iCalendar"),
        page_kind="talks",
        needs="dated talks",
        description="talks with their days",
        is_translated=True,
    ),
    "atom": ExportFormat(
        file=ExportFile("feed.xml", "application/atom+xml", "Atom"),
        page_kind="posts",
        needs="feed entries",
        is_translated=True,
    ),
    "llms": ExportFormat(
        file=ExportFile("llms.txt", "text/plain", "llms.txt"), needs="URL", is_translated=True
    ),
}
