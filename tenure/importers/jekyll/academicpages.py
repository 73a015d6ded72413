"""Imports academicpages and similar Jekyll sites: _config.yml, _publications, _talks, _teaching, _portfolio, _posts, pages."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.cv_entries import normalize_date
from tenure.importers.documents import (
    import_image,
    import_other_links,
    iterate_documents,
    read_document_date,
    to_single_paragraph,
    write_document,
)
from tenure.importers.jekyll.collections import IGNORED_KEYS, SourceDocument, import_free_pages, import_posts
from tenure.importers.jekyll.config import import_site_settings
from tenure.importers.jekyll.publications import import_publications
from tenure.importers.menu import MenuItem, add_redirects, import_menu, map_old_urls
from tenure.importers.resume.json_resume import import_resume
from tenure.importers.resume.markdown_cv import import_cv_page
from tenure.importers.samples import is_sample_text, is_sample_url
from tenure.importers.session import EntryData, ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.problems import Place
from tenure.sources.node import Node


def import_academicpages(source: Path) -> ImportResult:
    """Import a Jekyll site. The import runs twice because links need the new URLs of all pages."""
    first_pass = _run_import(source, {})  # gives the new URLs of the pages
    return _run_import(source, map_old_urls(first_pass)).build_result("academicpages")


def _run_import(source: Path, pages: Mapping[str, str]) -> ImportSession:
    session = ImportSession(source)
    path = session.find_first_file("_config.yml", "_config.yaml", "_config.toml")
    settings = session.read_data_file(path) if path is not None else None
    import_site_settings(session, settings or Node({}, Place("_config.yml", 1, 1)))
    url = str(session.settings.get("url", ""))
    converter = SourceTextConverter(
        session, pages, frozenset(), url, ("", "images", "files", "assets", "assets/images", "assets/img")
    )
    import_publications(session, converter)
    _import_talks(session, converter)
    _import_teaching(session, converter)
    _import_portfolio(session, converter)
    import_posts(session, converter, "/posts/{year}/{month}/{stem}/")
    _import_pages(session, converter)
    import_menu(session, _read_navigation(session))
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session


def _import_talks(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import _talks to content/talks.yaml, newest first."""
    for path, document, reader in reversed(
        [*iterate_documents(session, "_talks"), *iterate_documents(session, "_presentations")]
    ):
        name = session.relative_path(path)
        entry: EntryData = {
            "title": converter.convert_line(reader.read_text("title"), reader.location) or path.stem,
            "event": converter.convert_line(
                reader.read_text("venue", "event", "conference"), reader.location
            ),
            "place": converter.to_plain_text(reader.read_text("location")),
            "date": read_document_date(session, reader, path),
            "kind": converter.to_plain_text(reader.read_text("type", "talk_type")),
            "summary": to_single_paragraph(
                converter.convert_body(document.body, f"{name}:{document.body_line}")
            ),
        }
        entry |= _read_link_fields(
            converter,
            reader,
            {
                "slides": ("slides", "slidesurl", "slides_url", "ppt"),
                "video": ("video", "videourl", "recording", "youtubelink", "youtube"),
            },
        )
        _add_collection_entry(converter, reader, path, entry, "talks")


def _import_teaching(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import _teaching to content/teaching.yaml; 1 January is read as the year alone."""
    for path, document, reader in reversed(
        [*iterate_documents(session, "_teaching"), *iterate_documents(session, "_teachings")]
    ):
        name = session.relative_path(path)
        date = read_document_date(session, reader, path)
        kind, city = (
            converter.to_plain_text(reader.read_text("type")),
            converter.to_plain_text(reader.read_text("location")),
        )
        entry: EntryData = {
            "course": converter.convert_line(reader.read_text("title"), reader.location) or path.stem,
            "role": reader.read_text("role"),
            "term": normalize_date(reader.read_text("term", "semester")) or re.sub(r"-01-01$", "", date),
            "institution": converter.to_plain_text(reader.read_text("venue", "institution")),
            "note": ", ".join(part for part in (kind, city) if part),
            "summary": to_single_paragraph(
                converter.convert_body(document.body, f"{name}:{document.body_line}")
            ),
        }
        _add_collection_entry(converter, reader, path, entry, "teaching")


def _add_collection_entry(
    converter: SourceTextConverter, reader: MappingReader, path: Path, entry: EntryData, collection: str
) -> None:
    """Add an entry with its remaining front matter, and record the moved URLs of its page."""
    session = converter.session
    entry |= _read_link_fields(converter, reader, {"url": ("link", "url", "paperurl", "website")})
    links = import_other_links(converter, reader)
    entry |= {"links": links} if links else {}
    name, old_url = session.relative_path(path), reader.read_text("permalink")
    redirected_urls = [node_to_text(node) for node in reader.read_items("redirect_from")]
    reader.ignore_keys(*IGNORED_KEYS, "excerpt", "header")
    reader.report_unread_keys()
    session.add_entry(collection, {key: value for key, value in entry.items() if value}, name)
    for url in (old_url or f"/{collection}/{path.stem}/", *redirected_urls):
        session.record_moved(name, url, f"/{collection}/")


def _read_link_fields(
    converter: SourceTextConverter, reader: MappingReader, source_keys: Mapping[str, tuple[str, ...]]
) -> EntryData:
    """Return URLs and copied files by Tenure's field names."""
    link_fields: EntryData = {}
    for field, keys in source_keys.items():
        value = reader.read_text(*keys)
        url = converter.resolve_url(value, reader.location) if value and not is_sample_url(value) else ""
        if url:
            link_fields[field] = url
    return link_fields


def _import_portfolio(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import _portfolio and _projects to content/projects/."""
    documents = [
        *iterate_documents(session, "_portfolio", ".md", ".markdown", ".html"),
        *iterate_documents(session, "_projects", ".md", ".markdown", ".html"),
    ]
    for path, document, reader in documents:
        name = session.relative_path(path)
        excerpt = reader.read_text("excerpt", "description", "summary")
        image_tag = re.search(r"<img\b[^>]*?\bsrc\s*=\s*[\"']?([^\"'\s>]+)", excerpt)
        header = reader.read_node("header")
        header_reader = MappingReader(header, session) if header is not None and header.mapping else None
        image = import_image(converter, header_reader, "teaser", "image") if header_reader is not None else ""
        front: EntryData = {
            "title": converter.convert_line(reader.read_text("title"), reader.location) or path.stem,
            "date": read_document_date(session, reader, path),
            "tagline": converter.convert_line(
                re.sub(r"<img\b[^>]*>|<br\s*/?>", " ", excerpt), reader.location
            ),
            "image": image or (converter.import_file(image_tag[1]) if image_tag else ""),
            "tags": [node_to_text(node) for node in reader.read_items("tags")],
        }
        front |= _read_link_fields(converter, reader, {"url": ("link", "url", "website", "paperurl")})
        old_url = reader.read_text("permalink") or f"/portfolio/{path.stem}/"
        reader.ignore_keys(*IGNORED_KEYS)
        reader.report_unread_keys()
        body = converter.convert_body(document.body, f"{name}:{document.body_line}")
        file_stem = write_document(session, path, f"content/projects/{make_slug(path.stem)}.md", front, body)
        session.record_moved(name, old_url, f"/projects/{file_stem}/" if body else "/projects/")


def _import_pages(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import the pages: home to about.md, the CV to collections, others to content/pages/."""
    documents = [
        *iterate_documents(session, "_pages", ".md", ".markdown", ".html", mixed_stems=CV_PAGE_NAMES)
    ]
    root_paths = [
        path for path in session.find_files("", ".md", ".markdown", ".html") if path.parent == session.root
    ]
    page_paths = [
        path
        for path in root_paths
        if not re.match(r"(?:README|CHANGELOG|CONTRIBUTING|LICENSE|404|Gemfile)", path.name, re.IGNORECASE)
    ]
    for path in page_paths:
        document = session.read_document(path)
        if document is not None and (document.front_matter.mapping or path.stem in ("index", "about")):
            if is_sample_text(document.body):
                session.record_skipped(session.relative_path(path), "sample content of the template")
                continue
            documents.append((path, document, MappingReader(document.front_matter, session)))
    free_pages = []
    for path, document, reader in documents:
        is_home = (
            node_to_text(reader.node.mapping["permalink"]) == "/"
            if "permalink" in reader.node.mapping
            else path.stem == "index"
        )
        if is_home and "content/about.md" not in session.files:
            _import_home_page(converter, (path, document, reader))
        elif path.stem in CV_PAGE_NAMES:
            _import_cv_page(converter, (path, document, reader))
        else:
            free_pages.append((path, document, reader))
    import_free_pages(session, converter, free_pages, ("404", "sitemap", "cv-json"))
    data = session.find_first_file("_data/cv.json", "_data/resume.json")
    if data is not None:
        _import_cv_data(session, data)


def _import_home_page(converter: SourceTextConverter, source_document: SourceDocument) -> None:
    session, (path, document, reader) = converter.session, source_document
    name = session.relative_path(path)
    for url in [node_to_text(node) for node in reader.read_items("redirect_from")]:
        session.record_moved(name, url, "/")
    reader.ignore_keys(*IGNORED_KEYS, "title", "excerpt", "description")
    reader.report_unread_keys()
    body = converter.convert_body(document.body, f"{name}:{document.body_line}")
    if body:
        session.add_text_file("content/about.md", f"{body}\n")
        session.record_imported(f"{name}:{document.body_line}", "introduction")


def _import_cv_page(converter: SourceTextConverter, source_document: SourceDocument) -> None:
    """Import the CV page: its lists to collections, the rest to a free page."""
    session, (path, document, reader) = converter.session, source_document
    name = session.relative_path(path)
    title = converter.convert_line(reader.read_text("title"), reader.location) or "CV"
    old_urls = [
        reader.read_text("permalink") or f"/{path.stem}/",
        *(node_to_text(node) for node in reader.read_items("redirect_from")),
    ]
    reader.ignore_keys(*IGNORED_KEYS, "excerpt")
    reader.report_unread_keys()
    remaining_markdown = import_cv_page(converter, document.body, name, document.body_line)
    new_url = "/cv/"
    if remaining_markdown:
        new_url = f"/{write_document(session, path, 'content/pages/vita.md', {'title': title}, remaining_markdown)}/"
    for url in old_urls:
        session.record_moved(name, url, new_url)


def _import_cv_data(session: ImportSession, path: Path) -> None:
    """Import _data/cv.json, which repeats the CV page, if that page gave no entries."""
    node = session.read_data_file(path)
    if node is None:
        return
    name = session.relative_path(path)
    if is_sample_text(node_to_text(node)) or any(map(session.has_collection, ("education", "experience"))):
        session.record_skipped(
            name, "the CV as data; the page of the CV has the same entries and was imported"
        )
        return
    sections = {
        key: value
        for key, value in node.mapping.items()
        if key not in ("basics", "publications", "portfolio")
    }
    sections = {"talks" if key == "presentations" else key: value for key, value in sections.items()}
    missing_sections = {key: value for key, value in sections.items() if not session.has_collection(key)}
    import_resume(session, Node(missing_sections, node.place, node.keys))
    session.record_converted(
        name, "basics, publications and portfolio: _config.yml, _publications and _portfolio say the same"
    )


def _read_navigation(session: ImportSession) -> list[MenuItem]:
    """Return the items of _data/navigation.yml in order, submenu items after their parent."""
    path = session.find_first_file("_data/navigation.yml", "_data/navigation.yaml", "_data/nav.yml")
    node = session.read_data_file(path) if path is not None else None
    main_menu = node.mapping.get("main", node) if node is not None else None
    menu_items: list[MenuItem] = []
    for item in main_menu.items if main_menu is not None else ():
        entries = [item, *(item.mapping["children"].items if "children" in item.mapping else ())]
        for entry in entries:
            title, url = (
                node_to_text(entry.mapping[key]) if key in entry.mapping else "" for key in ("title", "url")
            )
            if url and "academicpages.github.io" not in url and title != "Guide":
                menu_items.append((title, url, f"{entry.place.file}:{entry.place.line}"))
    return menu_items


CV_PAGE_NAMES = frozenset({"cv", "resume", "vita"})
THEME_FILES = re.compile(
    r"_(?:layouts|includes|sass|plugins|site|drafts)/|assets/(?:css|js|fonts|webfonts)/|markdown_generator/.*\.(?:py|ipynb|md|sh)$"
    r"|talkmap|scripts/|node_modules/|bin/|package|Gemfile|Docker|docker|LICENSE|README|CONTRIBUTING|CHANGELOG|CNAME$|robots\.txt$"
    r"|_config\w*|_data/(?:ui-text|authors|comments)|images/(?:favicon|apple-touch|android-chrome|mstile|safari-pinned|site-logo)"
    r"|.*\.(?:js|css|scss|rb|sh|lock|ico|webmanifest|xml|gemspec|map)$|staticman|_pages/(?:404|sitemap)"
)
"""Files of the theme, which are not reported."""

ASSET_FILES = re.compile(r"^(?:files|images|assets|img|pdfs?|docs|downloads|media|static)/")
"""Images and papers, which are reported by folder."""
