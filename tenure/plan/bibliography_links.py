"""Paths of the site in .bib files: a link to a page that does not exist is not shown."""

import re
import sys
from collections.abc import Sequence
from urllib.parse import unquote

from tenure.model.entries import Entry, Publication
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.links import Url
from tenure.model.publication_links import find_url_place, list_publication_urls, resolve_publication_urls
from tenure.model.site import Site, map_entries
from tenure.plan.pages import Plan
from tenure.plan.paths import normalize_path
from tenure.problems import Place, Problems
from tenure.publish import Artifact
from tenure.record import replace


def unlink_missing_pages(
    site: Site, plan: Plan, static_files: Sequence[Artifact], problems: Problems
) -> Site:
    """
    The site without links from .bib files to paths that it does not have; each is reported at its line.

    The links of content/publications.yaml are not changed: the check of the finished pages reports them.
    """
    publications = [entry for entry in site.iterate_entries() if isinstance(entry, Publication)]
    if not any(_is_site_path(url) for entry in publications for url in list_publication_urls(entry)):
        return site
    entry_places = [entry.source for entry in publications]
    known_paths = {page.path for page in plan} | {f"/{path}" for path in site.files}
    known_paths |= {f"/{file.path}" for file in static_files}
    known_paths |= {f"/{export.file.path}" for export in EXPORT_FORMATS.values()}
    known_paths |= {link.path for link in plan.pdf_links} | {
        normalize_path(path) for path in site.settings.redirects.ways
    }

    def unlink_in_entry(entry: Entry) -> Entry:
        if not isinstance(entry, Publication) or not any(map(_is_site_path, list_publication_urls(entry))):
            return entry

        def resolve_url(url: Url) -> Url:
            path = re.split(r"[?#]", url, maxsplit=1)[0]
            if not _is_site_path(url) or unquote(path) in known_paths:
                return url
            place = _find_place(url, entry, entry_places, problems)
            if place is None:
                return url
            hint = "write the whole address, https://…, or the name of a file in bib/ or content/"
            message = f"“{url}” is not a page or file of this site, and is not linked in “{entry.key}”"
            problems.report("bib-bad-value", place, message, hint)
            return Url("")

        return resolve_publication_urls(entry, resolve_url)

    return replace(site, collections=map_entries(site.collections, unlink_in_entry))


def _is_site_path(url: str) -> bool:
    return url.startswith("/") and not url.startswith("//")


def _find_place(
    url: Url, entry: Publication, entry_places: Sequence[Place], problems: Problems
) -> Place | None:
    """The place of a URL in the text of an entry in its .bib file; None if it is not there."""
    start = entry.source
    later_lines = [
        place.line for place in entry_places if place.file == start.file and place.line > start.line
    ]
    end_line = min(later_lines, default=sys.maxsize)
    return find_url_place(url, [(start, end_line - start.line)], problems)
