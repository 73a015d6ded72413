"""Imports _publications of academicpages (one document each) to BibTeX, from their front matter and citation text."""

import html
import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.bibliography.latex_writer import join_author_names
from tenure.importers.bibliography.prose_references import (
    ProseReference,
    find_arxiv_number,
    find_doi,
    parse_reference,
)
from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import import_image, import_other_links, read_document_date, write_document
from tenure.importers.jekyll.collections import IGNORED_KEYS
from tenure.importers.paths import normalize_old_url
from tenure.importers.publications import (
    VENUE_FIELDS,
    PublicationWriter,
    guess_entry_type,
    publication_url,
    read_first_entry,
)
from tenure.importers.samples import is_sample_text, is_sample_title, is_sample_url
from tenure.importers.session import EntryData, ImportSession, MappingReader, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

ENTRY_TYPES: Mapping[str, str] = {
    "manuscripts": "article", "journal": "article", "journals": "article", "conferences": "inproceedings",
    "conference": "inproceedings", "workshop": "inproceedings", "books": "book", "book": "book", "chapter": "incollection",
    "chapters": "incollection", "thesis": "phdthesis", "theses": "phdthesis", "preprint": "misc", "preprints": "misc",
    "reports": "techreport", "report": "techreport",
}  # fmt: skip
"""BibTeX entry type for each category."""

LINK_KEYS: Mapping[str, tuple[str, ...]] = {
    "pdf": ("paperurl", "pdf", "pdfurl", "paper_url", "pdf_url"),
    "slides": ("slidesurl", "slides", "slides_url"),
    "code": ("codeurl", "code", "github", "code_url", "githuburl"),
    "video": ("videourl", "video", "video_url"),
    "poster": ("posterurl", "poster"),
    "data_url": ("dataseturl", "dataset", "dataurl", "data"),
    "preprint_url": ("preprinturl", "preprint"),
    "demo_url": ("demourl", "demo"),
    "website": ("projecturl", "project", "website"),
    "supp": ("supplement", "supplementurl", "appendix"),
}
_REDUNDANT_LINES = re.compile(
    r"^(?:\*\*|<\w+>)?(?:recommended citation|citation)\b.*$|^\[?(?:download|access|read)(?: the)? (?:paper|pdf|slides|full text)\b.*$"
    r"|^\[(?:paper|pdf)\]\([^)]*\)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines of the text that repeat the front matter."""


def import_publications(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import each document of _publications to an entry of bib/papers.bib; sample values are skipped field by field."""
    publication_writer = PublicationWriter(session)
    for path in session.find_files("_publications", ".md", ".markdown", ".html"):
        document = session.read_document(path)
        if document is None:
            continue
        title = (
            node_to_text(document.front_matter.mapping["title"])
            if "title" in document.front_matter.mapping
            else ""
        )
        if is_sample_title(title):
            session.record_skipped(session.relative_path(path), f"sample content of the template: {title}")
        elif title:
            _import_publication(publication_writer, converter, path, document)
        elif document.body.strip():
            _import_as_page(converter, path, document)
        else:
            session.record_skipped(f"{session.relative_path(path)}:1", "a publication without a title")
    publication_writer.write_files()


def _import_as_page(converter: SourceTextConverter, path: Path, document: MarkdownFile) -> None:
    """Import a document without a title, which is a whole list of publications, as a free page."""
    session, reader = converter.session, MappingReader(document.front_matter, converter.session)
    name = session.relative_path(path)
    old_url = reader.read_text("permalink") or f"/publication/{path.stem}/"
    reader.ignore_keys(*IGNORED_KEYS, "title")
    reader.report_unread_keys()
    body = converter.convert_body(document.body, f"{name}:{document.body_line}")
    if body:
        page_name = normalize_old_url(old_url).rpartition("/")[2] or path.stem
        wanted_name = make_slug(f"{page_name}-page" if page_name == "publications" else page_name)
        file_stem = write_document(
            session, path, f"content/pages/{wanted_name}.md", {"title": page_name.capitalize()}, body
        )
        session.record_moved(name, old_url, f"/{file_stem}/")


def _import_publication(
    publication_writer: PublicationWriter, converter: SourceTextConverter, path: Path, document: MarkdownFile
) -> None:
    session, reader = converter.session, MappingReader(document.front_matter, converter.session)
    name = session.relative_path(path)
    bibtex_entry = _read_bibtex_entry(converter, reader)
    entry_type, fields, overlay = _collect_fields(
        converter, reader, bibtex_entry, read_document_date(session, reader, path)
    )
    body = ""
    if is_sample_text(document.body):
        session.record_skipped(
            f"{name}:{document.body_line}", "sample content of the template: the text of the publication"
        )
    else:
        body = converter.convert_body(_REDUNDANT_LINES.sub("", document.body), f"{name}:{document.body_line}")
    is_plain = "](" not in body and not re.search(r"^[#*|`<-]", body, re.MULTILINE)
    if body and is_plain and not fields["abstract"]:
        fields["abstract"] = body
    elif body and body != fields["abstract"]:
        overlay["text"] = body
    old_url = reader.read_text("permalink") or f"/publication/{path.stem}/"
    if parse_web_url(old_url):
        fields["url"] = fields.get("url") or parse_web_url(old_url)
        old_url = f"/publication/{path.stem}/"
    redirected_urls = [node_to_text(node) for node in reader.read_items("redirect_from")]
    reader.ignore_keys(*IGNORED_KEYS)
    links = import_other_links(converter, reader)
    if links:
        overlay["links"] = links
    reader.report_unread_keys()
    key = publication_writer.add_publication(
        bibtex_entry.mapping["@kind"].text if bibtex_entry is not None else entry_type,
        fields,
        overlay,
        name,
        bibtex_entry=bibtex_entry,
    )
    for url in (old_url, *redirected_urls):
        session.record_moved(name, url, publication_url(key))


def _collect_fields(
    converter: SourceTextConverter, reader: MappingReader, bibtex_entry: Node | None, date: str
) -> tuple[str, dict[str, str], EntryData]:
    """Return the entry type, the BibTeX fields and the entry of content/publications.yaml."""
    session = converter.session
    title, venue = (
        converter.convert_line(reader.read_text(key), reader.location) for key in ("title", "venue")
    )
    citation = _read_unless_sample(session, reader, "citation")
    reference = parse_reference(citation, title, venue) if citation else ProseReference()
    entry_type = ENTRY_TYPES.get(reader.read_text("category", "type").casefold(), "") or guess_entry_type(
        venue, title
    )
    fields = {
        "title": title,
        "author": _read_authors(reader, bibtex_entry) or join_author_names(reference.authors),
        VENUE_FIELDS.get(entry_type, "howpublished"): venue,
        "date": "" if date.startswith("1900") else date,
        **reference.fields,
        "abstract": _read_unless_sample(session, reader, "excerpt", "abstract", "summary"),
        "keywords": ", ".join(node_to_text(node) for node in reader.read_items("tags", "topic", "keywords")),
        **_read_links(converter, reader),
    }
    overlay: EntryData = {}
    header = reader.read_node("header")
    if header is not None and header.mapping:
        overlay["image"] = import_image(converter, MappingReader(header, session), "teaser", "image")
    if not fields["author"]:
        overlay["note"] = converter.convert_line(citation, reader.location)
        description = "its authors cannot be recognized in the citation, which is kept in the note; add them"
        session.record_converted(
            reader.location, description if citation else "it names no authors; add them in bib/papers.bib"
        )
    elif fields["author"] == join_author_names(reference.authors):
        session.record_converted(
            reader.location, f"its authors are read from its citation: {'; '.join(reference.authors)}"
        )
    return entry_type, fields, overlay


def _read_unless_sample(session: ImportSession, reader: MappingReader, *keys: str) -> str:
    """Return a text of the front matter; "", and reported as skipped, if it is sample content."""
    text = html.unescape(reader.read_text(*keys))
    if is_sample_text(text):
        session.record_skipped(reader.location, f"sample content of the template: {keys[0]}")
        return ""
    return text


def _read_bibtex_entry(converter: SourceTextConverter, reader: MappingReader) -> Node | None:
    """Return the publication's own BibTeX entry, from its front matter or from a file."""
    bibtex_value = reader.read_text("bibtex", "bib")
    if bibtex_value.lstrip().startswith("@"):
        return read_first_entry(bibtex_value)
    file_url = reader.read_text("bibtexurl") or bibtex_value
    path = (
        converter.session.find_first_file(re.sub(r"^https?://[^/]*", "", file_url).lstrip("/"))
        if file_url
        else None
    )
    text = converter.session.read_source_text(path) if path is not None else None
    if file_url and text is None and not is_sample_url(file_url):
        converter.session.record_skipped(reader.location, f"bibtexurl: {file_url} is not in the source")
    return read_first_entry(text) if text else None


def _read_authors(reader: MappingReader, bibtex_entry: Node | None) -> str:
    """Return the `author` field: the listed names, else those of its BibTeX entry."""
    author_names = [node_to_text(node) for node in reader.read_items("authors", "author")]
    if len(author_names) == 1:
        author_names = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", author_names[0])
    return join_author_names(author_names) or (
        bibtex_entry.mapping["author"].text if bibtex_entry and "author" in bibtex_entry.mapping else ""
    )


def _read_links(converter: SourceTextConverter, reader: MappingReader) -> dict[str, str]:
    """Return URLs and copied files by BibTeX field; DOI and arXiv number also from within URLs."""
    link_fields: dict[str, str] = {}
    for field, keys in LINK_KEYS.items():
        source_value = reader.read_text(*keys)
        if is_sample_url(source_value) or re.search(r"academicpages\.github\.io/files/", source_value):
            converter.session.record_skipped(
                reader.location, f"sample content of the template: {source_value}"
            )
            continue
        url = converter.resolve_url(source_value, reader.location) if source_value else ""
        if url:
            is_pdf = re.search(r"\.pdf\b|^files/|/pdf/", url, re.IGNORECASE)
            link_fields["url" if field == "pdf" and not is_pdf else field] = url
    link = parse_web_url(reader.read_text("link", "url", "externallink"))
    link_fields["url"] = link or link_fields.get("url", "")
    link_fields["doi"] = reader.read_text("doi") or find_doi(link_fields["url"])
    arxiv = (
        reader.read_text("arxiv")
        or find_arxiv_number(link_fields["url"])
        or find_arxiv_number(link_fields.get("pdf", ""))
    )
    if arxiv:
        link_fields |= {"eprint": arxiv, "archiveprefix": "arXiv"}
    if normalize_date(link_fields["doi"]) or not link_fields["doi"]:
        del link_fields["doi"]
    return {key: value for key, value in link_fields.items() if value}
