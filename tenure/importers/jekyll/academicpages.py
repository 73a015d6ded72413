"""Imports academicpages and similar Jekyll sites: _config.yml, _publications, _talks, _teaching, _portfolio, _posts, pages."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.bibliography.bib_files import import_shown_bib_files
from tenure.importers.cv_entries import normalize_date
from tenure.importers.documents import (
    SourceDocument,
    import_image,
    iterate_documents,
    read_source_document,
    sort_newest_first,
    to_single_paragraph,
)
from tenure.importers.html_pages import guess_owner, is_html_document, read_html_page
from tenure.importers.jekyll.bibliographies import import_bibliographies
from tenure.importers.jekyll.collections import (
    IGNORED_KEYS,
    import_free_pages,
    import_news,
    import_own_collections,
    import_posts,
    remove_title_heading,
    write_project,
)
from tenure.importers.jekyll.config import import_site_settings, list_site_values, uses_emoji_names
from tenure.importers.jekyll.data_lists import import_data_lists
from tenure.importers.jekyll.members import import_lab_citations, import_lab_projects, import_members
from tenure.importers.jekyll.publications import import_publications
from tenure.importers.menu import MenuItem, add_redirects, import_menu, map_old_urls
from tenure.importers.resume.json_resume import import_resume
from tenure.importers.resume.markdown_cv import import_cv_page
from tenure.importers.samples import is_sample_text, is_sample_url
from tenure.importers.session import EntryData, ImportResult, ImportSession, join_filled, node_to_text
from tenure.importers.source_folder import location_of
from tenure.importers.text_converter import SourceTextConverter, print_liquid_urls, remove_comments
from tenure.problems import Place
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

CONFIG_FILES = ("_config.yml", "_config.yaml", "_config.toml")
HOME_FILES = ("index.html", "index.htm", "index.md", "README.md")
ASSET_FOLDERS = ("", "images", "files", "assets", "assets/images", "assets/img")
MARKDOWN_SUFFIXES = (".md", ".markdown", ".html")


def import_academicpages(source: Path, system: str = "academicpages") -> ImportResult:
    """Import a Jekyll site, or one without a generator. The import runs twice because links need the new URLs of all pages."""
    first_pass = _run_import(source, {})  # gives the new URLs of the pages
    return _run_import(source, map_old_urls(first_pass)).build_result(system)


def _run_import(source: Path, pages: Mapping[str, str]) -> ImportSession:
    session = ImportSession(source)
    path = session.find_first_file(*CONFIG_FILES)
    settings = session.read_data_file(path) or Node({}, Place("_config.yml", 1, 1))
    if path is not None:
        import_site_settings(session, settings)
    else:
        session.settings["schema"] = "1"
        session.profile["name"] = guess_owner(_list_home_titles(session))
    bib_keys = import_bibliographies(session, settings, str(session.profile["name"]))
    converter = SourceTextConverter(
        session, pages, bib_keys, ASSET_FOLDERS, uses_emoji_names(settings), list_site_values(settings)
    )
    import_publications(converter)
    import_lab_citations(converter)
    import_members(converter)
    import_lab_projects(converter)
    import_data_lists(converter, settings)
    import_shown_bib_files(session, (".md", ".markdown", ".html", ".js"))
    import_talks(converter)
    _import_teaching(converter)
    _import_portfolio(converter)
    import_news(converter)
    import_own_collections(converter)
    import_posts(converter, "/posts/{year}/{month}/{stem}/")
    menu_items = _import_pages(converter)
    import_menu(session, _read_navigation(session, settings) or menu_items or _read_html_menu(session))
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session


def import_talks(converter: SourceTextConverter) -> None:
    """Import _talks to content/talks.yaml, newest first."""
    documents = (*iterate_documents(converter, "_talks"), *iterate_documents(converter, "_presentations"))
    for document in sort_newest_first(documents):
        entry: EntryData = {
            "title": document.read_line("title") or document.path.stem,
            "event": document.read_line("venue", "event", "conference"),
            "place": document.read_plain_text("location"),
            "date": document.read_date(),
            "kind": document.read_plain_text("type", "talk_type"),
            "summary": to_single_paragraph(document.body),
            "slides": _read_link(document, "slides", "slidesurl", "slides_url", "ppt"),
            "video": _read_link(document, "video", "videourl", "recording", "youtubelink", "youtube"),
        }
        _add_collection_entry(document, entry, "talks")


def _import_teaching(converter: SourceTextConverter) -> None:
    """Import _teaching to content/teaching.yaml; 1 January is read as the year alone, the first of a month as the month."""
    documents = (*iterate_documents(converter, "_teaching"), *iterate_documents(converter, "_teachings"))
    for document in sort_newest_first(documents):
        date = re.sub(r"(?:-01)?-01$", "", document.read_date())
        entry: EntryData = {
            "course": document.read_line("title") or document.path.stem,
            "role": document.read_text("role"),
            "term": normalize_date(document.read_text("term", "semester")) or date,
            "institution": document.read_plain_text("venue", "institution"),
            "note": join_filled(document.read_plain_text("type"), document.read_plain_text("location")),
            "summary": to_single_paragraph(document.body),
        }
        _add_collection_entry(document, entry, "teaching")


def _add_collection_entry(document: SourceDocument, entry: EntryData, collection: str) -> None:
    """Add an entry with its remaining front matter, and record the moved URLs of its page."""
    entry["url"] = _read_link(document, "link", "url", "paperurl", "website")
    entry["links"] = document.read_other_links()
    old_urls = document.read_old_urls(f"/{collection}/{document.path.stem}/")
    document.report_unread_keys(*IGNORED_KEYS, "excerpt", "header")
    document.session.add_entry(collection, entry, document.file_name)
    document.record_moved(old_urls, f"/{collection}/")


def _read_link(document: SourceDocument, *keys: str) -> str:
    """Return the URL or the copied file at the first of these keys, or ""."""
    url = document.read_text(*keys)
    return document.converter.resolve_url(url, document.location) if url and not is_sample_url(url) else ""


def _import_portfolio(converter: SourceTextConverter) -> None:
    """Import _portfolio and _projects to content/projects/."""
    for folder in ("_portfolio", "_projects"):
        for document in iterate_documents(converter, folder, *MARKDOWN_SUFFIXES):
            excerpt = document.read_text("excerpt", "description", "summary")
            image_tag = re.search(r"<img\b[^>]*?\bsrc\s*=\s*[\"']?([^\"'\s>]+)", excerpt)
            image = import_image(converter, document.read_mapping("header"), "teaser", "image")
            tagline = re.sub(r"<img\b[^>]*>|<br\s*/?>", " ", excerpt)
            front: EntryData = {
                "title": document.read_line("title") or document.path.stem,
                "date": document.read_date(),
                "tagline": converter.convert_line(tagline, document.location),
                "image": image or (converter.import_file(image_tag[1]) if image_tag else ""),
                "tags": document.read_texts("tags"),
                "url": _read_link(document, "link", "url", "website", "paperurl"),
            }
            write_project(document, front, folder.removeprefix("_"))


def _list_page_documents(converter: SourceTextConverter) -> list[SourceDocument]:
    """The documents of _pages, and those of the root and of its folders that Jekyll shows as pages."""
    session = converter.session
    documents = [
        document
        for folder in ("_pages", "_tabs")
        for document in iterate_documents(converter, folder, *MARKDOWN_SUFFIXES, mixed_stems=CV_PAGE_NAMES)
    ]
    has_no_generator = session.find_first_file(*CONFIG_FILES) is None
    html_documents: list[SourceDocument] = []
    home = session.find_first_file("index.md", "index.markdown", "README.md")
    home_text = session.read_source_text(home) or ""
    has_plain_pages = home is not None and not home_text.startswith("---") and not documents
    for path in session.find_files("", *MARKDOWN_SUFFIXES, ".htm"):
        name = session.relative_path(path)
        if re.search(r"(?:^|/)_", name) or NON_PAGE_FILES.match(path.name) or THEME_FILES.match(name):
            continue
        text = session.read_source_text(path) or ""
        has_front_matter = re.match(r"\s*---[ \t]*\n", text) is not None
        is_index = "/" not in name and path.stem in ("index", "about")
        if is_html_document(text) and (is_index or has_no_generator) and not ASSET_FILES.match(name):
            html_documents.append(_read_html_document(converter, path, text))
            continue
        is_plain_page = path.suffix.casefold() != ".html" and not ASSET_FILES.match(name)
        is_page = has_front_matter or is_index or (has_plain_pages and is_plain_page)
        file = session.parse_document(text, name) if is_page else None
        if file is None:
            session.read_files.discard(name)
        elif is_sample_text(remove_comments(file.body)):
            session.record_sample(name)
        else:
            documents.append(SourceDocument(path, file, converter))
    has_home = any(map(_is_home_page, documents))
    return [*documents, *(page for page in html_documents if not (has_home and _is_home_page(page)))]


def _read_html_document(converter: SourceTextConverter, path: Path, text: str) -> SourceDocument:
    """A page in HTML as a document in Markdown; its links are relative to its folder."""
    name = converter.session.relative_path(path)
    page = read_html_page(text)
    title = Node(page.title, Place(name, 1, 1))
    file = MarkdownFile(Node({"title": title}, title.place), page.text, 1)
    folder = name.rpartition("/")[0]
    return SourceDocument(path, file, converter.with_folders(folder) if folder else converter)


def _list_home_titles(session: ImportSession) -> list[str]:
    """The title of the home page, or its first heading, of a site without a configuration."""
    text = session.read_source_text(session.find_first_file(*HOME_FILES)) or ""
    if is_html_document(text):
        page = read_html_page(text)
        return [page.title, *re.findall(r"^#+ (.+)$", page.text, re.MULTILINE)]
    return [*filter(None, re.findall(r"^#{1,3} (.+?)[ #]*$", text, re.MULTILINE))]


_MENU_PARTS = re.compile(
    r"_includes/[\w/-]*(?:nav|menu|header|masthead|sidebar)[\w-]*\.html|_layouts/(?:default|base)\.html"
)
"""The includes and layouts that can have a menu with literal links."""


def _read_html_menu(session: ImportSession) -> list[MenuItem]:
    """The items of the menu of a home page in HTML, or of an include or a layout with at least two literal links."""
    home = session.find_first_file("index.html", "index.htm")
    parts = [
        path for path in session.find_files("", ".html") if _MENU_PARTS.fullmatch(session.relative_path(path))
    ]
    for path in (*((home,) if home else ()), *parts):
        text = session.read_source_text(path) or ""
        name = session.relative_path(path)
        if path == home and not is_html_document(text):
            continue
        text = f"<nav>{text}</nav>" if name.startswith("_includes/") else text
        links = read_html_page(_resolve_liquid_links(text)).menu
        menu = [(title, url, name) for title, url in links if not re.search(r"\{[{%]", title + url)]
        if len(menu) > 1 or path == home:
            return menu
    return []


def _resolve_liquid_links(text: str) -> str:
    """The text of an include with literal URLs in place of the tags of Liquid that print one."""
    return re.sub(r"\{%-?\s*link\s+/?([\w/-]+)(?:\.\w+)?\s*-?%\}", r"/\1/", print_liquid_urls(text))


def _import_pages(converter: SourceTextConverter) -> list[MenuItem]:
    """Import the pages: home to about.md, the CV to collections, others to content/pages/. Returns the pages with a rank."""
    session = converter.session
    documents = _list_page_documents(converter)
    readme = session.find_first_file("README.md")
    if not any(map(_is_home_page, documents)):
        documents += filter(None, [read_source_document(converter, readme)])
    free_pages = []
    for document in documents:
        if (_is_home_page(document) or document.path == readme) and "content/about.md" not in session.files:
            _import_home_page(document)
        elif document.page_name in CV_PAGE_NAMES:
            _import_cv_page(document)
        else:
            free_pages.append(document)
    ranked_items = import_free_pages(free_pages, ("404", "sitemap", "cv-json"))
    data = session.find_first_file("_data/cv.json", "_data/resume.json")
    if data is not None:
        _import_cv_data(session, data)
    return [item for _, item in ranked_items]


def _is_home_page(document: SourceDocument) -> bool:
    permalink = document.node.mapping.get("permalink")
    return node_to_text(permalink) == "/" if permalink is not None else document.default_url == "/"


def _import_home_page(document: SourceDocument) -> None:
    document.record_moved(document.read_texts("redirect_from"), "/")
    document.report_unread_keys(*IGNORED_KEYS, "title", "excerpt", "description")
    text = remove_title_heading(document.body, str(document.session.profile.get("name", "")))
    if text:
        document.session.add_introduction(text, document.text_location)


def _import_cv_page(document: SourceDocument) -> None:
    """Import the CV page: its lists to collections, the rest to a free page."""
    title = document.read_line("title") or "CV"
    old_urls = document.read_old_urls(document.default_url)
    document.report_unread_keys(*IGNORED_KEYS, "excerpt", "description")
    text, new_name = import_cv_page(document), "cv"
    if text:
        new_name = document.write("content/pages/vita.md", {"title": title}, text)
    document.record_moved(old_urls, f"/{new_name}/")


def _import_cv_data(session: ImportSession, path: Path) -> None:
    """Import _data/cv.json, which repeats the CV page, if that page gave no entries."""
    node, name = session.read_data_file(path), session.relative_path(path)
    if node is None:
        return
    if is_sample_text(node_to_text(node)) or any(map(session.has_collection, ("education", "experience"))):
        reason = "the CV as data; the page of the CV has the same entries and was imported"
        session.record_skipped(name, reason)
        return
    repeated = ["basics"] if session.profile.get("name") else []
    repeated += ["publications"] if session.has_publications else []
    repeated += ["portfolio"] if session.has_content("projects") else []
    sections = {key: value for key, value in node.mapping.items() if key not in repeated}
    for key, new_key in (("presentations", "talks"), ("portfolio", "projects")):
        if key in sections and new_key not in sections:
            sections[new_key] = sections.pop(key)
    missing_sections = {key: value for key, value in sections.items() if not session.has_collection(key)}
    import_resume(session, Node(missing_sections, node.place, node.keys))
    if repeated:
        session.record_converted(name, f"{', '.join(repeated)}: other files of the site have the same")


def _read_navigation(session: ImportSession, settings: Node) -> list[MenuItem]:
    """Return the items of _data/navigation.yml, or of the menu in _config.yml, in order, submenu items after their parent."""
    path = session.find_first_file(*(f"_data/{name}" for name in MENU_FILES))
    node = session.read_data_file(path) or settings
    keys = MENU_KEYS if node is settings else ("main", "entries", "items", "header", *MENU_KEYS)
    main_menu = next((node.mapping[key] for key in keys if key in node.mapping), node)
    menu_items = _list_mapped_menu_items(main_menu) if main_menu is not settings else []
    for item in main_menu.items:
        for entry in (item, *item.child("children").items):
            values = entry.mapping
            title = node_to_text(values.get("title", values.get("name", values.get("text"))))
            url = node_to_text(values.get("url", values.get("link", values.get("href"))))
            if url and "academicpages.github.io" not in url and title != "Guide":
                menu_items.append((title, url, location_of(entry)))
    return menu_items


def _list_mapped_menu_items(menu: Node) -> list[MenuItem]:
    """The items of a menu written as a mapping of titles to URLs; a submenu is a list of such mappings."""
    menu_items: list[MenuItem] = []
    for title, value in menu.mapping.items():
        if value.text:
            menu_items.append((title, value.text, location_of(value)))
        for item in value.items:
            menu_items += _list_mapped_menu_items(item)
    return menu_items


MENU_FILES = (
    "navigation.yml", "navigation.yaml", "nav.yml", "nav.yaml", "menu.yml", "menu.yaml", "menus.yml", "navbar.yml", "navigation.json",
)  # fmt: skip
MENU_KEYS = ("navbar-links", "navigation", "navItems", "nav", "menu", "nav_links", "navbar", "header_links")
"""Keys of _config.yml with the menu, in several themes."""

CV_PAGE_NAMES = frozenset({"cv", "resume", "vita"})
NON_PAGE_FILES = re.compile(r"README|CHANGELOG|CONTRIBUTING|LICENSE|404|Gemfile", re.IGNORECASE)
THEME_FILES = re.compile(
    r"_(?:layouts|includes|sass|plugins|site|drafts)/|assets/(?:css|js|fonts|webfonts)/|markdown_generator/.*\.(?:py|ipynb|md|sh)$"
    r"|talkmap|scripts/|node_modules/|bin/|package|Gemfile|Docker|docker|LICENSE|README|CONTRIBUTING|CHANGELOG|CNAME$|robots\.txt$"
    r"|_config\w*|_data/(?:ui-text|authors|comments)|images/(?:favicon|apple-touch|android-chrome|mstile|safari-pinned|site-logo)"
    r"|.*\.(?:js|css|scss|rb|sh|lock|ico|webmanifest|xml|gemspec|map)$|staticman|_pages/(?:404|sitemap)"
)
"""Files of the theme, which are not reported."""

ASSET_FILES = re.compile(r"^(?:files|images|assets|img|pdfs?|docs|downloads|media|static)/")
"""Images and papers, which are reported by folder."""
