"""Imports Quarto websites: _quarto.yml, pages, listings of folders and of YAML files, and bibliographies."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tenure.counts import format_count
from tenure.importers.bibliography.bib_files import import_shown_bib_files
from tenure.importers.documents import SourceDocument, sort_newest_first
from tenure.importers.menu import PAGE_ALIASES, MenuItem, add_redirects, import_menu, map_old_urls
from tenure.importers.profile import add_profile_link, choose_owner_name, import_photo
from tenure.importers.publications import PublicationWriter
from tenure.importers.quarto.entries import (
    IGNORED_KEYS,
    import_document_entry,
    import_listed_entry,
    is_publication,
)
from tenure.importers.quarto.markdown import QuartoTextConverter, read_notebook
from tenure.importers.session import EntryData, ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.source_folder import location_of
from tenure.markdown.html import make_slug
from tenure.problems import Place
from tenure.record import Record, replace
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

CONFIG_NAMES = ("_quarto.yml", "_quarto.yaml")
PAGE_SUFFIXES = (".qmd", ".md", ".rmd", ".ipynb")
ASSET_FOLDERS = ("", "images", "img", "files", "assets")
NON_PAGE_FILES = re.compile(r"(?:^|/)(?:_|README|LICENSE|CHANGELOG|CONTRIBUTING|404)", re.IGNORECASE)
THEME_FILES = re.compile(
    r"_|docs/|renv|.*\.(?:scss|css|js|lua|R|Rproj|lock|toml|csl|sh|ejs|html)$|README|LICENSE|CNAME|Makefile|DESCRIPTION"
)
"""Files of the theme and of build tools, which are not reported."""

ASSET_FILES = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|pdf|docx?|pptx?|xlsx?|zip|mp4|webm|mp3|csv|json|tex)$", re.IGNORECASE
)


class QuartoListing(Record):
    """A list on a page: its collection, the folders of its documents, and its data files."""

    collection: str
    folders: tuple[str, ...]
    data_files: tuple[str, ...]


def is_quarto_site(folder: Path) -> bool:
    """Whether a folder has the configuration of a Quarto website or book."""
    paths = (folder / name for name in CONFIG_NAMES)
    texts = (path.read_text("utf-8", "replace") for path in paths if path.is_file())
    return any(
        re.search(r"^(?:website|book):|type:\s*(?:website|book)", text, re.MULTILINE) for text in texts
    )


def import_quarto(source: Path) -> ImportResult:
    """Import a Quarto site. The import runs twice because links need the new URLs of all pages."""
    first_pass = _run_import(source, {})  # gives the new URLs of the pages
    return _run_import(source, map_old_urls(first_pass)).build_result("Quarto")


def _run_import(source: Path, pages: Mapping[str, str]) -> ImportSession:
    session = ImportSession(source)
    config = session.read_data_file(session.find_first_file(*CONFIG_NAMES)) or Node(
        {}, Place("_quarto.yml", 1, 1)
    )
    website = config.mapping.get("website") or config.mapping.get("book") or Node({}, config.place)
    _import_settings(session, config, website)
    variables = session.read_data_file(session.find_first_file("_variables.yml")) or Node({}, config.place)
    values = {**_flatten_values(config, "meta"), **_flatten_values(variables, "var")}
    converter = QuartoTextConverter(
        session, pages, frozenset(), str(session.settings.get("url", "")), ASSET_FOLDERS, values=values
    )
    description = node_to_text(website.mapping.get("description"))
    session.settings["description"] = converter.convert_line(description, location_of(website))
    documents = [*_iterate_documents(converter)]
    home = next((document for document in documents if document.file_name.startswith("index.")), None)
    site_title = converter.convert_line(node_to_text(website.mapping.get("title")), location_of(website))
    _import_home(converter, home, site_title)
    publications = PublicationWriter(session)
    listings = {document.file_name: _read_listings(document) for document in documents}
    collections = {
        folder: listing.collection
        for found in listings.values()
        for listing in found
        for folder in listing.folders
    }
    for document in sort_newest_first(document for document in documents if document is not home):
        collection = _find_collection(document, collections)
        if collection and not listings[document.file_name]:
            import_document_entry(document, collection, publications)
    for document in documents:
        for listing in listings[document.file_name]:
            has_papers = _import_data_files(converter, listing, publications)
            collection = "publications" if has_papers else listing.collection
            if document is not home:
                document.record_moved([_old_url(document)], f"/{collection}/")
    publications.write_files()
    import_shown_bib_files(session, PAGE_SUFFIXES)
    for document in documents:
        if document is not home and (
            listings[document.file_name] or not _find_collection(document, collections)
        ):
            _import_free_page(document, has_listing=bool(listings[document.file_name]))
    import_menu(session, _read_menu(converter, website, documents))
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session


def _import_settings(session: ImportSession, config: Node, website: Node) -> None:
    """Import URL and language of the site."""
    session.settings["schema"] = "1"
    url = node_to_text(website.mapping.get("site-url")).rstrip("/")
    if re.match(r"https?://[^/\s]", url):
        session.settings["url"] = f"{url}/"
    language = node_to_text(config.mapping.get("lang"))
    if re.fullmatch(r"[a-z]{2}(?:-[A-Z]{2})?", language):
        session.settings["language"] = language.partition("-")[0]
    session.record_skipped(
        "_quarto.yml",
        "the other settings configure the look and the services; see “Themes” in the documentation",
    )


def _iterate_documents(converter: QuartoTextConverter) -> Iterator[SourceDocument]:
    """Yield the pages of the site; files whose name or folder begins with "_" are parts of others."""
    session = converter.session
    for path in session.find_files("", *PAGE_SUFFIXES):
        name = session.relative_path(path)
        if NON_PAGE_FILES.search(name) or (
            path.suffix in (".md", ".ipynb") and path.with_suffix(".qmd").is_file()
        ):
            continue
        file = _read_notebook(session, path) if path.suffix == ".ipynb" else session.read_document(path)
        if file is not None and (file.front_matter.mapping or path.suffix != ".md"):
            folder = session.relative_path(path.parent)
            front_matter = _read_citation(
                _add_folder_metadata(session, PurePosixPath(folder), file.front_matter)
            )
            values = {**converter.values, **_flatten_values(front_matter, "meta")}
            page_converter = replace(converter.with_folders(folder), values=values)
            yield SourceDocument(path, replace(file, front_matter=front_matter), page_converter)


def _read_notebook(session: ImportSession, path: Path) -> MarkdownFile | None:
    """Read a notebook as a document; None, and reported, if the file is not a notebook."""
    text, name = session.read_source_text(path), session.relative_path(path)
    notebook = read_notebook(text) if text is not None else None
    if notebook is None:
        session.record_skipped(name, "a file that is not a notebook of Jupyter")
        return None
    if notebook.output_count:
        session.record_skipped(name, f"{format_count(notebook.output_count, 'output')} of its code")
    return session.parse_document(notebook.text, name)


def _flatten_values(node: Node, name: str) -> dict[str, str]:
    """The texts in a mapping by their dotted keys: {"var.email.info": "ada@example.edu"}."""
    if not node.mapping:
        return {name: node.text} if node.text else {}
    return {
        key: text
        for child_name, child in node.mapping.items()
        for key, text in _flatten_values(child, f"{name}.{child_name}").items()
    }


def _add_folder_metadata(session: ImportSession, folder: PurePosixPath, front_matter: Node) -> Node:
    """The front matter of a document with that of the files _metadata.yml of its folders; lists are joined."""
    mapping = dict(front_matter.mapping)
    for parent in (folder, *folder.parents):
        path = session.find_first_file(f"{parent}/_metadata.yml", f"{parent}/_metadata.yaml")
        node = session.read_data_file(path)
        for key, value in (node.mapping if node is not None else {}).items():
            own_value = mapping.setdefault(key, value)
            if own_value is not value and own_value.items and value.items:
                mapping[key] = replace(own_value, value=(*own_value.items, *value.items))
    return replace(front_matter, value=mapping)


def _read_citation(front_matter: Node) -> Node:
    """The front matter of a document with the venue, the DOI and the numbers in its `citation`, if it is a publication."""
    citation = front_matter.mapping.get("citation", front_matter).mapping
    if citation.keys() & {"type"} and not re.match(r"post|webpage", citation["type"].text):
        keys = ("container-title", "publisher", "doi", "url", "volume", "issue", "page", "issued")
        details = {key: citation[key] for key in keys if key in citation}
        return replace(front_matter, value={**details, **front_matter.mapping})
    return front_matter


def _import_home(converter: QuartoTextConverter, home: SourceDocument | None, site_title: str) -> None:
    """Import index.qmd: the person of its `about`, and its text as introduction."""
    session = converter.session
    title = home.read_line("title") if home is not None else ""
    author = home.read_line("author") if home is not None else ""
    session.profile["name"] = choose_owner_name([author, site_title, title])
    if home is None:
        return
    about = home.read_mapping("about")
    session.profile["role"] = home.read_line("subtitle")
    folders = ("", "images/", "img/", "assets/")
    import_photo(home if "image" in home.node.mapping else about, ("image",), folders)
    for link in about.read_mappings("links"):
        label = link.read_text("text", "aria-label") or link.read_text("icon").capitalize()
        label = home.converter.convert_line(label, link.location)
        url = link.read_text("href", "url")
        if url.partition("#")[0].casefold().endswith(".pdf") and "://" not in url:
            copied_file = session.copy_file(url)
            if copied_file:
                session.profile_links[label or "PDF"] = copied_file
        elif "://" in url or url.startswith("mailto:"):
            add_profile_link(session, url, label, link.location)
        link.report_unread_keys("icon", "rel", "target")
    if home.body:
        session.add_introduction(home.body, home.text_location)
    home.report_unread_keys(*IGNORED_KEYS)
    home.record_moved(["/index.html"], "/")


def _read_listings(document: SourceDocument) -> tuple[QuartoListing, ...]:
    """The listings of a page; their collection is that of the page's name, or of the listed folder, else posts."""
    node = document.node.mapping.get("listing")
    if node is None:
        return ()
    listings = []
    for item in node.items or (node,):
        contents = item.mapping.get("contents")
        texts = (
            [node_to_text(part) for part in (contents.items or (contents,))] if contents is not None else []
        )
        folder = PurePosixPath(document.file_name).parent
        paths = [str(folder / text).removeprefix("./") for text in texts or ["."]]
        data_files = tuple(path for path in paths if re.search(r"\.ya?ml$", path))
        folders = tuple(
            re.sub(r"(?:^|/)[^/]*[*.][^/]*$|/$", "", path).strip("/")
            for path in paths
            if path not in data_files
        )
        names = (
            make_slug(document.path.stem),
            *map(make_slug, (part.rpartition("/")[2] for part in folders)),
        )
        names = (*names, make_slug(PurePosixPath(document.file_name).parent.name))
        known_names = (PAGE_ALIASES.get(name, name) for name in names)
        collection = next((name for name in known_names if name in ENTRY_COLLECTIONS), "posts")
        listings.append(QuartoListing(collection, tuple(part for part in folders if part), data_files))
    return tuple(listings)


ENTRY_COLLECTIONS = frozenset(
    {"publications", "talks", "teaching", "projects", "posts", "news", "awards", "service"}
)
"""Collections whose entries can be documents."""


def _find_collection(document: SourceDocument, collections: Mapping[str, str]) -> str:
    """The collection of a document in a listed folder, or in a folder with the name of a collection; "" for a page."""
    folder = PurePosixPath(document.file_name).parent
    for parent in (folder, *folder.parents):
        if parent.as_posix() in collections:
            collection = collections[parent.as_posix()]
            is_paper = collection == "posts" and is_publication(document.node)
            return "publications" if is_paper else collection
    name = PAGE_ALIASES.get(make_slug(folder.parts[0]), make_slug(folder.parts[0])) if folder.parts else ""
    is_own_page = len(folder.parts) == 1 and document.path.stem == "index"
    return name if name in ENTRY_COLLECTIONS and not is_own_page else ""


def _import_data_files(
    converter: QuartoTextConverter, listing: QuartoListing, publications: PublicationWriter
) -> bool:
    """Import the entries of the YAML files of a listing. Returns whether they are publications."""
    has_papers = False
    for name in listing.data_files:
        node = converter.session.read_data_file(converter.session.find_first_file(name))
        for item in node.items if node is not None else ():
            has_papers = has_papers or is_publication(item)
            if item.mapping:
                import_listed_entry(
                    converter, listing.collection, MappingReader(item, converter.session), publications
                )

    return has_papers


def _old_url(document: SourceDocument) -> str:
    return f"/{PurePosixPath(document.file_name).with_suffix('.html')}"


def _import_free_page(document: SourceDocument, *, has_listing: bool) -> None:
    """Import a page with a text of its own; the text above a listing is left out, as its page is the collection's."""
    title = document.read_line("title") or document.path.stem.replace("-", " ")
    old_url = _old_url(document)
    name = document.path.parent.name if document.path.stem == "index" else document.path.stem
    document.ignore_keys(
        *IGNORED_KEYS, "listing", "about", "image", "date", "author", "subtitle", "categories"
    )
    if document.read_flag("draft"):
        document.record_skipped("a draft, which the old site does not show")
    elif has_listing:
        if document.body:
            document.session.record_skipped(
                document.text_location, f"the text above a list: {document.body[:90]}"
            )
    elif document.body:
        front: EntryData = {
            "title": title[:1].upper() + title[1:],
            "summary": document.read_line("description", "summary"),
        }
        document.report_unread_keys()
        document.record_moved([old_url], f"/{document.write_page(name, front, document.body)}/")
    else:
        document.session.record_skipped(document.file_name, "a page without a text of its own")


def _read_menu(
    converter: QuartoTextConverter, website: Node, documents: list[SourceDocument]
) -> list[MenuItem]:
    """The items of the navigation bar, else of the side bar, submenu items after their parent."""
    titles = {
        document.file_name: document.converter.convert_line(
            node_to_text(document.node.mapping.get("title")), document.location
        )
        for document in documents
    }
    for bar_name in ("navbar", "sidebar"):
        bar = website.mapping.get(bar_name)
        bars = (bar.items or (bar,)) if bar is not None else ()
        nodes = [
            item
            for node in bars
            for key in ("left", "right", "contents")
            if key in node.mapping
            for item in node.mapping[key].items
        ]
        items = [
            (converter.convert_line(title, location), url, location)
            for node in nodes
            for title, url, location in _read_menu_item(node, titles)
        ]
        if items:
            return items
    return []


def _read_menu_item(node: Node, titles: Mapping[str, str]) -> Iterator[MenuItem]:
    keys = ("href", "file", "url")
    url = node.text or next((node_to_text(node.mapping[key]) for key in keys if key in node.mapping), "")
    title = node_to_text(node.mapping.get("text")) or titles.get(url.lstrip("/"), "")
    title = title or node_to_text(node.mapping.get("icon")).capitalize()
    if url:
        yield title, re.sub(r"\.(?:qmd|rmd|md)(?=#|$)", ".html", url, flags=re.IGNORECASE), location_of(node)
    for key in ("menu", "contents"):
        for item in node.mapping[key].items if key in node.mapping else ():
            yield from _read_menu_item(item, titles)
