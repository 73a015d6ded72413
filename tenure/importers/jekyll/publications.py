"""Imports _publications of academicpages (one document each) to BibTeX, from their front matter and citation text."""

import html
import re

from tenure.importers.bibliography.bibtex_writer import clean_names, join_author_names
from tenure.importers.bibliography.prose_references import (
    ProseReference,
    find_arxiv_number,
    find_doi,
    parse_reference,
    parse_reference_authors,
    split_author_text,
)
from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import SourceDocument, import_image, read_source_document
from tenure.importers.jekyll.collections import DOCUMENT_SUFFIXES, IGNORED_KEYS, list_own_folders
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.publications import (
    VENUE_FIELDS,
    PublicationWriter,
    guess_entry_type,
    publication_url,
    read_first_entry,
)
from tenure.importers.samples import is_sample_text, is_sample_title, is_sample_url
from tenure.importers.session import EntryData, MappingReader, join_filled, node_to_text
from tenure.importers.source_folder import normalize_old_url
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html_tags import strip_tags
from tenure.sources.node import Node

ENTRY_TYPES = {
    "manuscripts": "article", "journal": "article", "journals": "article", "conferences": "inproceedings",
    "conference": "inproceedings", "workshop": "inproceedings", "books": "book", "book": "book", "chapter": "incollection",
    "chapters": "incollection", "thesis": "phdthesis", "theses": "phdthesis", "preprint": "misc", "preprints": "misc",
    "reports": "techreport", "report": "techreport",
}  # fmt: skip
"""BibTeX entry type for each category."""

LINK_KEYS = {
    "pdf": ("paperurl", "pdf", "pdfurl", "paper_url", "pdf_url"),
    "slides": ("slidesurl", "slides", "slides_url"),
    "code": ("codeurl", "code", "github", "git", "repo", "code_url", "githuburl"),
    "video": ("videourl", "video", "video_url"),
    "poster": ("posterurl", "poster"),
    "data_url": ("dataseturl", "dataset", "dataurl", "data"),
    "preprint_url": ("preprinturl", "preprint"),
    "demo_url": ("demourl", "demo"),
    "website": ("projecturl", "project", "website"),
    "supp": ("supplement", "supplementurl", "appendix"),
}
VENUE_KEYS = {
    "conference": "inproceedings", "booktitle": "inproceedings", "journal": "article", "school": "phdthesis",
    "university": "phdthesis", "publication": "",
}  # fmt: skip
"""Keys of a venue that is not in `venue:`, with the BibTeX entry type that each one says; "" if it says none."""

BIBTEX_KEYS = (
    "volume",
    "number",
    "pages",
    "publisher",
    "series",
    "editor",
    "edition",
    "address",
    "isbn",
    "issn",
)
"""Keys of the front matter that are also fields of BibTeX."""

_REDUNDANT_LINES = re.compile(
    r"^(?:\*\*|<\w+>)?(?:recommended citation|citation)\b.*$|^\[?(?:download|access|read)(?: the)? (?:paper|pdf|slides|full text)\b.*$"
    r"|^\[(?:paper|pdf)\]\([^)]*\)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines of the text that repeat the front matter."""


def import_publications(converter: SourceTextConverter) -> None:
    """Import each document of _publications to an entry of bib/papers.bib; sample values are skipped field by field."""
    session = converter.session
    publication_writer = PublicationWriter(session)
    own_folders = [folder for folder, name in list_own_folders(session).items() if name == "publications"]
    folders = ("_publications", *own_folders)
    for path in [path for folder in folders for path in session.find_files(folder, *DOCUMENT_SUFFIXES)]:
        document = read_source_document(converter, path)
        if document is None:
            continue
        title = node_to_text(document.node.mapping.get("title"))
        if is_sample_title(title):
            session.record_sample(document.file_name, title)
        elif title:
            key = import_publication(publication_writer, document)
            _record_moved_page(document, key)
        elif document.source_text.strip():
            _import_as_page(document)
        else:
            session.record_skipped(f"{document.file_name}:1", "a publication without a title")
    publication_writer.write_files()


def _import_as_page(document: SourceDocument) -> None:
    """Import a document without a title, which is a whole list of publications, as a free page."""
    old_url = document.read_text("permalink") or f"/publication/{document.path.stem}/"
    document.report_unread_keys(*IGNORED_KEYS, "title")
    if document.body:
        name = normalize_old_url(old_url).rpartition("/")[2] or document.path.stem
        page_name = f"{name}-page" if name == "publications" else name
        new_name = document.write_page(page_name, {"title": name.capitalize()}, document.body)
        document.record_moved([old_url], f"/{new_name}/")


def _record_moved_page(document: SourceDocument, key: str) -> None:
    """Record the old URLs of the page of a publication; a URL of another site is not one."""
    permalink = node_to_text(document.node.mapping.get("permalink"))
    default_url = f"/publication/{document.path.stem}/"
    old_url = default_url if not permalink or parse_web_url(permalink) else permalink
    redirected_urls = MappingReader(document.node, document.session).read_texts("redirect_from")
    document.record_moved([old_url, *redirected_urls], publication_url(key))


def import_publication(
    publication_writer: PublicationWriter, document: SourceDocument, *, year: str = ""
) -> str:
    """Import one publication, of `year` if it has no date of its own. Returns its key."""
    bibtex_entry = _read_bibtex_entry(document)
    entry_type, fields, overlay = _collect_fields(document, bibtex_entry, document.read_date() or year)
    body = ""
    if document.has_sample_text:
        document.session.record_sample(document.text_location, "the text of the publication")
    else:
        source_text = _REDUNDANT_LINES.sub("", document.source_text)
        _read_redundant_links(document, fields)
        body = document.converter.convert_body(source_text, document.text_location)
    is_plain = "](" not in body and not re.search(r"^[#*|`<-]", body, re.MULTILINE)
    if body and is_plain and not fields["abstract"]:
        fields["abstract"] = body
    elif body and body != fields["abstract"]:
        overlay["text"] = body
    fields["url"] = fields.get("url") or parse_web_url(document.read_text("permalink"))
    document.ignore_keys(*IGNORED_KEYS)
    overlay["links"] = document.read_other_links()
    document.report_unread_keys()
    entry_type = bibtex_entry.mapping["@kind"].text if bibtex_entry is not None else entry_type
    location = document.file_name if document.source_text else document.location
    return publication_writer.add_publication(
        entry_type, fields, overlay, location, bibtex_entry=bibtex_entry
    )


def _read_redundant_links(document: SourceDocument, fields: dict[str, str]) -> None:
    """Read the link of a line such as "[Download paper here](…)" if the front matter has none."""
    lines = "\n".join(match[0] for match in _REDUNDANT_LINES.finditer(document.source_text))
    for source_url in re.findall(r"\]\(\s*([^\s()]+)", lines):
        if not fields.get("pdf") and not fields.get("url") and not is_sample_url(source_url):
            url = document.converter.resolve_url(source_url, document.text_location)
            fields["pdf" if re.search(r"\.pdf\b|^files/", url) else "url"] = url
            fields["doi"] = fields.get("doi") or find_doi(url)


def _collect_fields(
    document: SourceDocument, bibtex_entry: Node | None, date: str
) -> tuple[str, dict[str, str], EntryData]:
    """Return the entry type, the BibTeX fields and the entry of content/publications.yaml."""
    title, venue = document.read_line("title", "name"), document.read_line("venue")
    venue_key = next((key for key in VENUE_KEYS if not venue and document.node.mapping.get(key)), "")
    venue = venue or document.read_line(venue_key)
    citation = _read_unless_sample(document, "citation")
    reference = parse_reference(citation, title, venue) if citation else ProseReference()
    cited_authors = join_author_names(reference.authors)
    category = document.read_text("category", "type").casefold()
    entry_type = ENTRY_TYPES.get(category, "") or VENUE_KEYS.get(venue_key, "")
    entry_type = entry_type or guess_entry_type(venue, title)
    fields = {
        "title": title,
        "author": _read_authors(document, bibtex_entry) or cited_authors,
        VENUE_FIELDS.get(entry_type, "howpublished"): venue,
        "date": _choose_date(document, date, venue),
        **reference.fields,
        **{name: text for name in BIBTEX_KEYS if (text := document.read_text(name))},
        "abstract": _read_unless_sample(document, "excerpt", "abstract", "summary", "description"),
        "abbr": document.read_text("abbr", "alias", "acronym", "venue_short"),
        "note": document.read_line("note", "notes", "comment", "status", "news1"),
        "keywords": ", ".join(document.read_texts("tags", "topic", "keywords")),
        "award": document.read_line("award", "awards", "prize"),
        **_read_links(document),
    }
    arxiv_number = find_arxiv_number(venue)
    if arxiv_number and "eprint" not in fields:
        fields |= {"eprint": arxiv_number, "archiveprefix": "arXiv"}
    if document.read_text("selected", "highlight", "featured").casefold() in ("true", "yes", "1"):
        fields["selected"] = "true"
    header = document.read_mapping("header")
    image = import_image(document.converter, header, "teaser", "image")
    image_keys = ("image", "img", "teaser", "thumbnail", "preview")
    overlay: EntryData = {"image": image or import_image(document.converter, document, *image_keys)}
    coauthors = document.read_line("coauthors", "coauthor", "with")
    fields["note"] = join_filled(fields["note"], coauthors, separator="; ")
    if not fields["author"]:
        overlay["note"] = document.converter.convert_line(citation, document.location)
        description = "its authors cannot be recognized in the citation, which is kept in the note; add them"
        description = description if citation else "it names no authors; add them in bib/papers.bib"
        document.record_converted(description)
    elif fields["author"] == cited_authors:
        document.record_converted(f"its authors are read from its citation: {'; '.join(reference.authors)}")
    return entry_type, fields, overlay


def _choose_date(document: SourceDocument, date: str, venue: str) -> str:
    """The date of the document, else its year and month as in BibTeX, else the last year in the venue."""
    month, year = document.read_text("month"), document.read_text("year")
    years_of_venue = re.findall(r"\b(?:19|20)\d\d\b", venue)
    if date.startswith("1900"):
        return ""
    date = date or normalize_date(f"{month} {year}".strip()) or normalize_date(year)
    return date or next(reversed(years_of_venue), "")


def _read_unless_sample(document: SourceDocument, *keys: str) -> str:
    """Return a text of the front matter; "", and reported as skipped, if it is sample content."""
    text = html.unescape(document.read_text(*keys))
    if is_sample_text(text):
        document.session.record_sample(document.location, keys[0])
        return ""
    return text


def _read_bibtex_entry(document: SourceDocument) -> Node | None:
    """Return the publication's own BibTeX entry, from its front matter or from a file."""
    session, bibtex_value = document.session, document.read_text("bibtex", "bib")
    if bibtex_value.lstrip().startswith("@"):
        return read_first_entry(bibtex_value)
    file_url = document.read_text("bibtexurl") or bibtex_value
    path = session.find_first_file(re.sub(r"^https?://[^/]*", "", file_url).lstrip("/"))
    text = session.read_source_text(path)
    if file_url and text is None and not is_sample_url(file_url):
        document.record_skipped(f"bibtexurl: {file_url} is not in the source")
    return read_first_entry(text) if text else None


def _read_authors(reader: MappingReader, bibtex_entry: Node | None) -> str:
    """Return the `author` field: the listed names, else those of its BibTeX entry."""
    names = [clean_names(strip_tags(name)) for name in reader.read_texts("authors", "author")]
    if len(names) == 1:
        names = [*parse_reference_authors(names[0])] or re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", names[0])
    names = [name for text in names for name in split_author_text(text)]
    return join_author_names(names) or (bibtex_entry or EMPTY_NODE).child("author").text


def _read_links(document: SourceDocument) -> dict[str, str]:
    """Return URLs and copied files by BibTeX field; DOI and arXiv number also from within URLs."""
    links: dict[str, str] = {}
    for field, keys in LINK_KEYS.items():
        source_url = document.read_text(*keys)
        if is_sample_url(source_url) or re.search(r"academicpages\.github\.io/files/", source_url):
            document.session.record_sample(document.location, source_url)
            continue
        url = document.converter.resolve_url(source_url, document.location) if source_url else ""
        if url:
            is_pdf = re.search(r"\.pdf\b|^files/|/pdf/", url, re.IGNORECASE)
            links["url" if field == "pdf" and not is_pdf else field] = url
    url = parse_web_url(document.read_text("link", "url", "externallink")) or links.get("url", "")
    doi = document.read_text("doi") or find_doi(url)
    arxiv = document.read_text("arxiv") or find_arxiv_number(url) or find_arxiv_number(links.get("pdf", ""))
    links |= {"url": url, "doi": "" if normalize_date(doi) else doi}
    if arxiv:
        links |= {"eprint": arxiv, "archiveprefix": "arXiv"}
    return {key: value for key, value in links.items() if value}
