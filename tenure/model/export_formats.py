"""The table of export formats: a new record is one row here and its writer in exports/records.py."""

from collections.abc import Mapping

from tenure.record import Record


class ExportFile(Record):
    """An exported file: its path below the root without a leading slash, its media type and its label."""

    path: str
    media_type: str
    label: str


class ExportFormat(Record):
    """
    A machine-readable file of the whole site.

    `page_kind` is the kind of page that links to it, `needs` the content without which it is not written. `description`
    is for llms.txt, "" if a language model does not need the file. A file `is_translated` if it exists once per language.
    """

    file: ExportFile
    page_kind: str = ""
    needs: str = ""
    description: str = ""
    is_translated: bool = False


_FORMATS = """
    bibtex | publications.bib | application/x-bibtex | BibTeX | publications | publications | all publications in BibTeX |
    ris | publications.ris | application/x-research-info-systems | RIS | publications | publications | |
    csl-json | publications.json | application/vnd.citationstyles.csl+json | CSL-JSON | publications | publications | all publications as data |
    text | cv.txt | text/plain | Plain text | cv | | the whole CV as text | translated
    json-resume | resume.json | application/json | JSON Resume | cv | | the CV as data | translated
    calendar | talks.ics | text/calendar | iCalendar | talks | dated talks | talks with their days | translated
    atom | feed.xml | application/atom+xml | Atom | posts | feed entries | | translated
    llms | llms.txt | text/plain | llms.txt | | URL | | translated
"""
"""The name in `records` of site.yaml, the path, the media type and the label of each file, and its `page_kind`, `needs` and `description`."""

EXPORT_FORMATS: Mapping[str, ExportFormat] = {
    name: ExportFormat(
        ExportFile(path, media_type, label), page_kind, needs, description, note == "translated"
    )
    for name, path, media_type, label, page_kind, needs, description, note in (
        [part.strip() for part in row.split("|")] for row in _FORMATS.strip().split("\n")
    )
}
