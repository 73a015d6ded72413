"""Imports the entries of a Quarto site: documents in listed folders, and items of YAML files."""

import re
from pathlib import PurePosixPath

from tenure.importers.bibliography.bibtex_writer import join_author_names
from tenure.importers.bibliography.csl_json import CSL_TYPES
from tenure.importers.bibliography.prose_references import find_arxiv_number, find_doi, split_author_text
from tenure.importers.cv_entries import import_entry, normalize_date, parse_web_url
from tenure.importers.documents import SourceDocument, import_image, to_single_paragraph
from tenure.importers.publications import VENUE_FIELDS, PublicationWriter, guess_entry_type, publication_url
from tenure.importers.quarto.markdown import QuartoTextConverter
from tenure.importers.session import EntryData, MappingReader, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.record import replace
from tenure.sources.node import Node

IGNORED_KEYS = (
    "format", "execute", "toc", "toc-depth", "toc-location", "number-sections", "editor", "page-layout", "title-block-banner",
    "code-fold", "code-tools", "code-overflow", "freeze", "jupyter", "engine", "knitr", "css", "theme", "comments", "draft-mode",
    "bibliography", "csl", "link-citations", "nocite", "citation", "sidebar", "aliases", "order", "search", "image-alt", "lightbox",
    "fig-cap-location", "title-block-style", "date-modified", "date-format", "listing", "feed", "website", "params", "output",
    "title-block-categories", "google-scholar", "filters", "editor_options", "body-classes", "anchor-sections", "lang", "resources", "include-in-header", "pagetitle", "reference-location",
)  # fmt: skip
"""Front matter keys that configure only the look, the computation or the services."""


VENUE_KEYS = (
    "journal",
    "journal-title",
    "publication",
    "venue",
    "container-title",
    "booktitle",
    "conference",
    "publisher",
    "journaltitle",
)
"""Keys of the journal, the proceedings or the publisher."""


def is_publication(node: Node) -> bool:
    """Whether a mapping has authors, and a key that only publications have."""
    has_authors = bool({"author", "authors"} & node.mapping.keys())
    return has_authors and bool({*VENUE_KEYS, "doi"} & node.mapping.keys())


def find_old_url(document: SourceDocument) -> str:
    """The URL of the page that Quarto makes of a document."""
    return f"/{PurePosixPath(document.file_name).with_suffix('.html')}"


def import_document_entry(document: SourceDocument, collection: str, publications: PublicationWriter) -> None:
    """Import a document of a listed folder to its collection."""
    old_url = find_old_url(document)
    name = make_slug(document.path.parent.name if document.path.stem == "index" else document.path.stem)
    document.ignore_keys(*IGNORED_KEYS)
    has_authors = not {"author", "authors"}.isdisjoint(document.node.mapping)
    if collection == "publications" and not document.body and not has_authors:
        description = "a publication without authors and without a text"
        document.session.record_skipped(document.file_name, description)
        return
    if collection == "publications":
        new_url = publication_url(_import_publication(document, publications))
    elif collection in ("posts", "projects"):
        front = _read_front(document, collection)
        document.report_unread_keys()
        stem = document.write(f"content/{collection}/{name or collection}.md", front, document.body)
        has_page = document.body or collection == "posts"
        new_url = f"/{collection}/{stem}/" if has_page else f"/{collection}/"
    else:
        new_url = _import_list_entry(document, collection, name or collection)
    document.record_moved([old_url], new_url)


def _read_front(document: SourceDocument, collection: str) -> EntryData:
    summary = document.read_line("description", "subtitle", "summary", "abstract")
    url = document.read_text("url", "href", "link")
    document.ignore_keys("author", "date-meta")
    return {
        "title": document.read_line("title") or document.path.stem,
        "date": document.read_date(),
        "tagline" if collection == "projects" else "summary": summary,
        "image": import_image(document.converter, document, "image", "thumbnail"),
        "url": parse_web_url(url),
        "tags": _read_tags(document, document.converter),
        "draft": document.read_draft(),
        "links": document.read_other_links(),
    }


def _read_tags(reader: MappingReader, converter: SourceTextConverter) -> list[str]:
    tags = reader.read_texts("categories", "tags", "keywords")
    return [converter.convert_line(tag, reader.location) for tag in tags]


def _import_list_entry(document: SourceDocument, collection: str, name: str) -> str:
    """Import a document to a talk, a course, a news item or another entry of a list; a long text becomes a page. Returns its URL."""
    title_field = {"teaching": "course", "service": "role"}.get(collection, "title")
    text_field = "text" if collection == "news" else "summary"
    summary = document.read_line("description", "summary", "abstract")
    organization = document.read_plain_text("institution", "organization", "venue")
    has_page = collection != "news" and _BLOCK.search(document.body) is not None
    if has_page:
        title = document.read_line("title") or document.path.stem
        page_url = f"/{document.write_page(name, {'title': title, 'summary': summary}, document.body)}/"
    entry: EntryData = {
        title_field: title if has_page else document.read_line("title") or document.path.stem,
        "term" if collection == "teaching" else "date": document.read_date(),
        text_field: summary if has_page else to_single_paragraph(document.body) or summary,
        "url": parse_web_url(document.read_text("url", "href", "link")) or (page_url if has_page else ""),
        "draft": document.read_draft(),
    }
    if collection == "talks":
        subtitle = document.read_line("event", "conference", "subtitle")
        entry |= {"event": subtitle or organization, "place": document.read_plain_text("location", "place")}
    elif collection == "teaching":
        entry |= {"institution": organization, "role": document.read_text("role")}
    elif collection != "news":
        entry["organization"] = organization
    links = document.read_other_links()
    entry["links"] = {**links, "More": page_url} if has_page and entry["url"] != page_url else links
    document.ignore_keys("author", "categories", "subtitle", "image")
    document.report_unread_keys()
    document.session.add_entry(collection, entry, document.file_name)
    return page_url if has_page else f"/{collection}/"


_BLOCK = re.compile(r"^(?:#{1,6}[ \t]|```|~~~|\||[ \t]*(?:[-*+]|\d+\.)[ \t])", re.MULTILINE)
"""The start of a heading, a list, a table or code: a text with one of them is more than a paragraph."""


def _import_publication(document: SourceDocument, publications: PublicationWriter) -> str:
    """Import a document to a publication. Returns its key."""
    fields, overlay = _read_publication(document, document.converter)
    overlay["image"] = import_image(document.converter, document, "image", "thumbnail")
    overlay["links"] = document.read_other_links()
    overlay["text"] = document.body if document.body != fields["abstract"] else ""
    document.report_unread_keys()
    return publications.add_publication(fields.pop("type"), fields, overlay, document.file_name)


def _read_publication(
    reader: MappingReader, converter: SourceTextConverter
) -> tuple[dict[str, str], EntryData]:
    """The fields of a publication for BibTeX, its entry type as "type", and those of content/publications.yaml."""

    def read_line(*keys: str) -> str:
        return converter.convert_line(reader.read_text(*keys), reader.location)

    author_nodes = reader.read_items("author", "authors")
    names = [name for node in author_nodes for name in split_author_text(_read_author_name(node))]
    title, date = read_line("title"), normalize_date(reader.read_text("date", "year", "issued"))
    venue = read_line(*VENUE_KEYS)
    doi, url = reader.read_text("doi"), reader.read_text("url", "href", "link", "path", "external-url")
    pdf = reader.read_text("pdf", "pdf-url", "url_pdf")
    entry_type = CSL_TYPES.get(reader.read_text("citation-type"), "") or guess_entry_type(venue, title)
    fields = {
        "title": title,
        "author": join_author_names(names),
        VENUE_FIELDS.get(entry_type, "howpublished"): venue,
        "date": date[:4] if date.endswith("-01-01") else date,
        "volume": reader.read_text("volume"),
        "number": reader.read_text("issue", "number"),
        "pages": reader.read_text("pages", "page", "page-first"),
        "pdf": converter.resolve_url(pdf, reader.location) if pdf else "",
        "type": entry_type,
        "abstract": read_line("abstract", "description", "summary"),
        "keywords": ", ".join(_read_tags(reader, converter)),
        "doi": find_doi(doi) or find_doi(url),
        "url": parse_web_url(url),
    }
    arxiv = find_arxiv_number(fields["url"])
    fields |= {"eprint": arxiv, "archiveprefix": "arXiv"} if arxiv else {}
    return fields, {"draft": reader.read_draft()}


def _read_author_name(node: Node) -> str:
    """The name of an author that is a text, a mapping with `name`, or a mapping with the parts of the name."""
    name = node.mapping.get("name", node) if node.mapping else node
    if name.mapping:
        keys = ("given", "non-dropping-particle", "family")
        return node_to_text(name.mapping.get("literal")) or " ".join(
            node_to_text(name.mapping[key]) for key in keys if key in name.mapping
        )
    return node_to_text(name)


def import_listed_entry(
    converter: QuartoTextConverter, collection: str, reader: MappingReader, publications: PublicationWriter
) -> None:
    """Import an item of a YAML file to its collection."""
    path = reader.node.mapping.get("path")
    extra_fields: EntryData = {}
    if path is not None and parse_web_url(path.text):
        values = {**reader.node.mapping, "url": path}
        reader = MappingReader(replace(reader.node, value=values), reader.session)
        reader.ignore_keys("path")
    elif path is not None:
        extra_fields["url"] = converter.resolve_url(reader.read_text("path"), reader.location)
    extra_fields["image"] = import_image(converter, reader, "image", "thumbnail")
    extra_fields |= {"image_alt": reader.read_text("image-alt") if extra_fields["image"] else ""}
    reader.ignore_keys("image-alt", "order")
    if "title" in reader.node.mapping and (collection == "publications" or is_publication(reader.node)):
        fields, overlay = _read_publication(reader, converter)
        texts = {key: node_to_text(node) for key, node in reader.unread_nodes().items()}
        urls = {key: url for key, text in texts.items() if (url := parse_web_url(text))}
        reader.ignore_keys(*urls)
        links = {key[:1].upper() + key[1:]: url for key, url in urls.items()}
        overlay |= {**extra_fields, "links": links}
        publications.add_publication(fields.pop("type"), fields, overlay, reader.location)
        reader.report_unread_keys()
        return
    title = collection.capitalize() if collection in ("posts", "news") else ""
    name = "more" if collection == "posts" else collection
    extra_fields["tags"] = reader.read_texts("categories")
    import_entry(name, reader, converter.convert_inner_text, title=title, extra_fields=extra_fields)
