"""Imports the collections of a Jekyll site that its owner has added, such as _press, _software or _students."""

from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import (
    SourceDocument,
    import_image,
    iterate_documents,
    sort_newest_first,
    to_single_paragraph,
)
from tenure.importers.jekyll.collections import IGNORED_KEYS, import_news
from tenure.importers.jekyll.own_folders import DOCUMENT_SUFFIXES, list_own_folders
from tenure.importers.publications import PublicationWriter
from tenure.importers.resume.rendercv import import_section
from tenure.importers.session import EntryData, join_filled
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.sources.node import Node


def import_own_collections(converter: SourceTextConverter) -> None:
    """Import each other collection, as entries of a CV if its name says so, else as a list with its own page."""
    for folder, collection in list_own_folders(converter.session).items():
        if collection in ("people", "publications"):
            continue  # imported with the members and the publications
        documents = [
            document
            for document in sort_newest_first(iterate_documents(converter, folder, *DOCUMENT_SUFFIXES))
            if document.node.mapping
        ]
        for path in converter.session.find_files(folder, *DOCUMENT_SUFFIXES):
            if path not in {document.path for document in documents}:
                converter.session.read_files.discard(converter.session.relative_path(path))
        if documents and collection == "news":
            import_news(converter, folder)
        elif documents and collection:
            _import_known_list(documents, collection)
        elif documents:
            _import_own_list(documents, folder, make_slug(folder.strip("_")))


def _import_known_list(documents: list[SourceDocument], collection: str) -> None:
    converter = documents[0].converter
    publications = PublicationWriter(converter.session)
    nodes = []
    for document in documents:
        mapping = {
            key: node
            for key, node in document.node.mapping.items()
            if key not in IGNORED_KEYS or key == "link"
        }
        text = to_single_paragraph(document.body)
        if text and not {"summary", "description"} & mapping.keys():
            mapping["summary"] = Node(text, document.node.place)
        nodes.append(Node(mapping, document.node.place))
        document.record_moved(
            document.read_old_urls(f"/{collection}/{document.path.stem}/"), f"/{collection}/"
        )
    import_section(
        converter.session,
        collection,
        Node(tuple(nodes), nodes[0].place),
        converter.convert_line,
        publications,
    )
    publications.write_files()


def _import_own_list(documents: list[SourceDocument], folder: str, name: str) -> None:
    """Import a list of its own; a text of several paragraphs becomes a page that its entry links."""
    session = documents[0].session
    title = folder.strip("_").replace("_", " ").replace("-", " ").capitalize()
    session.list_pages[name] = title
    for document in documents:
        permalink = document.read_text("permalink")
        url = parse_web_url(permalink) or parse_web_url(
            document.read_text("link", "url", "external_url", "website", "paperurl")
        )
        body = document.body
        entry: EntryData = {
            "title": document.read_line("title", "name") or document.path.stem,
            "date": document.read_date() or normalize_date(document.read_text("year")),
            "organization": document.read_line("venue", "organization", "publisher", "institution"),
            "role": document.read_line("role", "position"),
            "location": document.read_plain_text("location"),
            "summary": document.read_line("description", "summary", "excerpt", "subtitle"),
            "image": import_image(document.converter, document, "image", "img", "photo"),
        }
        notes = [document.read_line(key) for key in ("status", "coauthors", "note")]
        entry["note"] = join_filled(*notes, separator=" · ")
        old_urls = [
            permalink if permalink and not parse_web_url(permalink) else f"/{name}/{document.path.stem}/"
        ]
        old_urls += document.read_texts("redirect_from")
        if "\n\n" in body:
            entry["links"] = document.read_other_links()
            document.report_unread_keys(*IGNORED_KEYS)
            front: EntryData = {"title": entry["title"], "date": entry["date"], "menu": "false"}
            new_name = document.write_page(f"{name}-{document.path.stem}", front, body)
            entry["url"] = f"/{new_name}/"
            document.record_moved(old_urls, f"/{new_name}/")
        else:
            entry["summary"] = entry["summary"] or to_single_paragraph(body)
            entry["url"] = url
            entry["links"] = document.read_other_links()
            document.report_unread_keys(*IGNORED_KEYS)
            document.record_moved(old_urls, f"/{name}/")
        session.add_entry(name, entry, document.file_name, title)
