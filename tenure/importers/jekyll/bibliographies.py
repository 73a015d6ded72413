"""Imports the .bib files of sites with jekyll-scholar, such as al-folio: the publications, and lists on their own pages."""

import re
from collections.abc import Mapping

from tenure.importers.bibliography.bibtex_writer import add_bib_file, strip_jekyll_front_matter
from tenure.importers.samples import is_sample_publication
from tenure.importers.session import ImportSession, node_to_text
from tenure.markdown.html import make_slug
from tenure.record import Record
from tenure.sources.bibtex.splitter import split_entries
from tenure.sources.node import Node

PUBLICATION_PAGES = frozenset({"publications", "publication", "papers", "research", "about", "index", "cv"})
"""Pages whose bibliographies are among the publications."""

NON_PUBLICATION_FILES = re.compile(
    r"talk|present|poster|press|media|invited|seminar|patent|software|dataset|outreach"
)
"""File names of bibliographies that are not publication lists, where no page names the files."""

_ANNOTATION = re.compile(r"(?<=[,\s])annotation(?=\s*=\s*[{\"])", re.IGNORECASE)
_BIBLIOGRAPHY_TAG = re.compile(r"\{%-?\s*bibliography\b((?:(?!\{%).)*?)-?%\}", re.DOTALL)
_FILE_OPTION = re.compile(r"(?:-f|--file)[\s=]+(\{\{.*?\}\}|[^\s{}]+)")


class ShownBibliographies(Record):
    """
    The files that the pages of the old site show.

    `main` is the stem of the list of publications; `pages` has the page of each other file. `is_complete` is false if
    no page names its files, or if a page computes a name.
    """

    main: str
    pages: Mapping[str, str]
    is_complete: bool


def import_bibliographies(session: ImportSession, settings: Node, owner: str) -> frozenset[str]:
    """Import every .bib file that the site shows, without the template's samples. Returns the keys that can be cited."""
    bib_keys: set[str] = set()
    shown = _find_shown_bibliographies(session, settings)
    for path in session.find_files("_bibliography", ".bib"):
        text = session.read_source_text(path)
        if text is None:
            continue
        name = session.relative_path(path)
        if shown.is_complete and path.stem != shown.main and path.stem not in shown.pages:
            session.record_skipped(name, "a bibliography that no page of the old site shows")
            continue
        section = _find_section_name(session, shown, path.stem)
        total_lines = text.count("\n")
        text = strip_jekyll_front_matter(session, name, text)
        removed_lines = total_lines - text.count("\n")
        text = _relocate_root_files(session, text, name, removed_lines)
        for entry in reversed([*split_entries(text)]):
            line = text.count("\n", 0, entry.start) + 1 + removed_lines
            if is_sample_publication(entry.key, entry.raw, owner):
                session.record_sample(f"{name}:{line}", entry.key)
                text = text[: entry.start] + text[entry.start + len(entry.raw) :].lstrip("\n")
                continue
            if not section:
                bib_keys.add(entry.key)
            _copy_entry_files(session, entry.raw, f"{name}:{line}")
            raw = _rename_annotation(session, entry.raw, f"{name}:{line}")
            text = text[: entry.start] + raw + text[entry.start + len(entry.raw) :]
        if re.search(r"@\s*\w+\s*[{(]", text):
            add_bib_file(session, path, text)
            if section:
                session.bib_sections[section] = f"{path.stem}.bib"
                description = f"a separate list: sections: [{section}: {{bib: {path.stem}.bib}}] in site.yaml"
                session.record_converted(name, description)
            elif path.stem != shown.main:
                description = "its works are among the publications; a section can have its own .bib file"
                session.record_converted(name, description)
    return frozenset(bib_keys)


def _find_shown_bibliographies(session: ImportSession, settings: Node) -> ShownBibliographies:
    """The list of publications that _config.yml names, and the files that tags of jekyll-scholar name."""
    stems = {path.stem for path in session.find_files("_bibliography", ".bib")}
    main = _stem_of(node_to_text(settings.child("scholar", "bibliography")))
    if main not in stems:
        main = "papers" if "papers" in stems or len(stems) != 1 else next(iter(stems))
    pages: dict[str, str] = {}
    has_tag, has_unknown_file = False, False
    for path in session.find_files("", ".md", ".html", ".markdown"):
        name = session.relative_path(path)
        if not re.fullmatch(r"(?:_pages/.*|[^/]*)", name):
            continue
        for tag in _BIBLIOGRAPHY_TAG.finditer(path.read_text("utf-8", "replace")):
            has_tag = True
            option = _FILE_OPTION.search(tag[1])
            file_name = option[1] if option else ""
            if "{{" in file_name:
                has_unknown_file = has_unknown_file or "site.scholar.bibliography" not in file_name
            elif file_name:
                pages.setdefault(_stem_of(file_name), path.stem)
    return ShownBibliographies(main, pages, main in stems and has_tag and not has_unknown_file)


def _stem_of(file_name: str) -> str:
    return file_name.rpartition("/")[2].removesuffix(".bib")


def _find_section_name(session: ImportSession, shown: ShownBibliographies, stem: str) -> str:
    """The name of the separate list for a file: its page, else its own name; "" if it belongs to the publications."""
    if stem == shown.main:
        return ""
    page = make_slug(shown.pages.get(stem, ""))
    if stem in shown.pages:
        return "" if page in PUBLICATION_PAGES else make_slug(stem) if page in session.bib_sections else page
    return make_slug(stem) if NON_PUBLICATION_FILES.search(stem.casefold()) else ""


def _relocate_root_files(session: ImportSession, text: str, name: str, removed_lines: int) -> str:
    """Replace root-relative URLs in a bibliography by copied files; fields with missing files are removed."""

    def replace_path(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1 + removed_lines
        location = f"{name}:{line}"
        copied_file = session.copy_file(match[2])
        if not copied_file:
            session.record_skipped(location, f"{match[1]} = {match[2]}: the file is not in the source")
            return ""
        session.record_converted(location, f"{match[1]} = {match[2]} is {copied_file}")
        return match[0].replace(match[2], copied_file)

    return re.sub(r"(\w+)\s*=\s*[{\"]\s*(/[^/{}\"\s][^{}\"]*?)\s*[}\"][ \t]*(?:,[ \t]*)?", replace_path, text)


def _rename_annotation(session: ImportSession, entry: str, location: str) -> str:
    """The text of an entry whose `annotation`, which al-folio shows, is the addendum of biblatex."""
    if not _ANNOTATION.search(entry) or re.search(r"\baddendum\s*=", entry):
        return entry
    session.record_converted(location, "annotation is addendum; annotation is private in BibTeX")
    return _ANNOTATION.sub("addendum", entry, count=1)


def _copy_entry_files(session: ImportSession, text: str, location: str) -> None:
    """Copy the files that an entry names from the folders where al-folio looks for them."""
    for field, file_name in re.findall(
        r"\b(pdf|slides|poster|supp|video|html|blog|preview)\s*=\s*[{\"]\s*([^{}\"\s][^{}\"]*?)\s*[}\"]", text
    ):
        folder = "assets/img/publication_preview" if field == "preview" else "assets/pdf"
        if "://" not in file_name and not session.copy_first_file((f"{folder}/{file_name}", file_name)):
            session.record_skipped(location, f"{field} = {file_name}: the file is not in the source")
