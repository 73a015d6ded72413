"""Imports Quarto websites: _quarto.yml, pages, listings of folders and of YAML files, and bibliographies."""

import fnmatch
import itertools
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tenure.counts import format_count
from tenure.importers.bibliography.bib_files import import_shown_bib_files, read_references
from tenure.importers.bibliography.csl_json import import_shown_item_files
from tenure.importers.documents import SourceDocument, sort_newest_first
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.liquid_includes import EMPTY_HEADING
from tenure.importers.menu import PAGE_ALIASES, MenuItem, add_redirects, has_page, import_menu, map_old_urls
from tenure.importers.profile import add_profile_link, choose_owner_name, import_photo
from tenure.importers.publications import PublicationWriter
from tenure.importers.quarto.entries import (
    IGNORED_KEYS,
    find_old_url,
    import_document_entry,
    import_listed_entry,
    is_publication,
)
from tenure.importers.quarto.markdown import QuartoTextConverter, read_notebook
from tenure.importers.session import EntryData, ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.source_folder import location_of, normalize_old_url
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
    """A list on a page: its collection, the folders of its documents, its data files, and the entries in the page itself."""

    collection: str
    folders: tuple[str, ...]
    data_files: tuple[str, ...]
    entries: tuple[Node, ...] = ()


def is_quarto_site(folder: Path) -> bool:
    """Whether a folder has the configuration of a Quarto website or book."""
    paths = (folder / name for name in CONFIG_NAMES)
    texts = (path.read_text("utf-8", "replace") for path in paths if path.is_file())
    return any(
        re.search(r"^(?:website|book):|type:\s*(?:website|book)", text, re.MULTILINE) for text in texts
    )


def import_quarto(source: Path) -> ImportResult:
    """Import a Quarto site. The import runs twice because links need the new URLs of all pages, and the keys of the publications."""
    first_pass = _run_import(source, {}, frozenset())
    texts = (str(text) for name, text in first_pass.files.items() if name.startswith("bib/"))
    keys = frozenset(key for text in texts for key in read_references(text))
    return _run_import(source, map_old_urls(first_pass), keys).build_result("Quarto")


def _run_import(source: Path, pages: Mapping[str, str], citable_keys: frozenset[str]) -> ImportSession:
    session = ImportSession(source)
    config, profile = _read_config(session)
    website = config.mapping.get("website") or config.mapping.get("book") or Node({}, config.place)
    _import_settings(session, config, website)
    variables = session.read_data_file(session.find_first_file("_variables.yml")) or Node({}, config.place)
    values = {**_flatten_values(config, "meta"), **_flatten_values(variables, "var"), "profile": profile}
    references = _read_all_references(session)
    converter = QuartoTextConverter(
        session, pages, citable_keys, ASSET_FOLDERS, values=values, references=references
    )
    description = node_to_text(website.mapping.get("description"))
    session.settings["description"] = converter.convert_line(description, location_of(website))
    documents = [*_iterate_documents(converter, config)]
    home = next((document for document in documents if document.file_name.startswith("index.")), None)
    site_title = converter.convert_line(node_to_text(website.mapping.get("title")), location_of(website))
    _import_home(converter, home, documents, site_title)
    publications = PublicationWriter(session)
    listings = {document.file_name: _read_listings(document) for document in documents}
    collections = _name_collections(listings, documents)
    for document in sort_newest_first(document for document in documents if document is not home):
        collection = _find_collection(document, collections)
        if collection and not listings[document.file_name]:
            import_document_entry(document, collection, publications)
    for document in documents:
        for listing in listings[document.file_name]:
            named_collections = [listing.collection, *(collections[folder] for folder in listing.folders)]
            entry_collection = _import_listed_entries(converter, listing, publications)
            if document is not home:
                collection = next(filter(None, [entry_collection, *named_collections]), "posts")
                document.record_moved([find_old_url(document)], f"/{collection}/")
    publications.write_files()
    import_shown_bib_files(session, PAGE_SUFFIXES)
    import_shown_item_files(session, [*CONFIG_NAMES, *(document.file_name for document in documents)])
    for document in documents:
        is_bibliography = session.has_publications and _is_bibliography_page(document)
        if is_bibliography and document is not home:
            document.record_moved([find_old_url(document)], "/publications/")
        has_listing = bool(listings[document.file_name]) or is_bibliography
        if document is not home and (has_listing or not _find_collection(document, collections)):
            _import_free_page(document, has_listing=has_listing)
    import_menu(session, _read_menu(converter, website, documents))
    add_redirects(session)
    session.report_unread_files(THEME_FILES, ASSET_FILES)
    return session


def _read_all_references(session: ImportSession) -> dict[str, tuple[str, str]]:
    """The authors and the year of each work in the .bib files, by its key."""
    texts = (path.read_text("utf-8", "replace") for path in session.find_files("", ".bib"))
    return {key: reference for text in texts for key, reference in read_references(text).items()}


def _read_config(session: ImportSession) -> tuple[Node, str]:
    """The configuration with that of the default profile, and the name of this profile."""
    path = session.find_first_file(*CONFIG_NAMES)
    config = session.read_data_file(path) or Node({}, Place("_quarto.yml", 1, 1))
    settings = config.mapping.get("profile", config).mapping
    group = settings.get("group")
    default = settings.get("default") or (group.items[0] if group is not None and group.items else group)
    profile = node_to_text(default.items[0] if default is not None and default.items else default)
    names = (f"_quarto-{profile}.yml", f"_quarto-{profile}.yaml")
    profile_config = session.read_data_file(session.find_first_file(*names)) if profile else None
    return (_merge_nodes(config, profile_config) if profile_config is not None else config), profile


def _merge_nodes(node: Node, other: Node) -> Node:
    """A mapping with the values of another one, which have precedence."""
    if not node.mapping or not other.mapping:
        return other
    merged = {
        key: _merge_nodes(node.mapping[key], value) if key in node.mapping else value
        for key, value in other.mapping.items()
    }
    return replace(node, value={**node.mapping, **merged})


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


def _iterate_documents(converter: QuartoTextConverter, config: Node) -> Iterator[SourceDocument]:
    """Yield the pages of the site; files whose name or folder begins with "_" are parts of others."""
    session = converter.session
    output_folder = node_to_text(config.child("project", "output-dir")).removeprefix("./").strip("/")
    for path in session.find_files("", *PAGE_SUFFIXES):
        name = session.relative_path(path)
        is_output = output_folder and name.startswith(f"{output_folder}/")
        is_made_from_qmd = path.suffix in (".md", ".ipynb") and path.with_suffix(".qmd").is_file()
        if is_output or is_made_from_qmd or NON_PAGE_FILES.search(name):
            continue
        if not _is_rendered(config, name):
            session.skip_file(path, "a file that the old site does not publish")
            continue
        file = _read_notebook(session, path) if path.suffix == ".ipynb" else session.read_document(path)
        if file is not None and (file.front_matter.mapping or path.suffix != ".md"):
            folder = session.relative_path(path.parent)
            front_matter = _add_folder_metadata(session, PurePosixPath(folder), file.front_matter)
            front_matter = _read_citation(front_matter)
            values = {**converter.values, **_flatten_values(front_matter, "meta")}
            page_converter = replace(converter.with_folders(folder), values=values)
            yield SourceDocument(path, replace(file, front_matter=front_matter), page_converter)


def _is_rendered(config: Node, name: str) -> bool:
    """Whether `render` of the project lists a file, or lists only files that are left out."""
    patterns = node_to_text(config.child("project", "render")).split(", ")
    excluded = [pattern.removeprefix("!") for pattern in patterns if pattern.startswith("!")]
    included = [pattern for pattern in patterns if pattern and not pattern.startswith("!")]

    def matches(pattern: str) -> bool:
        path = pattern.rstrip("/")
        return fnmatch.fnmatchcase(name, path) or fnmatch.fnmatchcase(name, f"{path}/*")

    flat_patterns = [re.sub(r"\*\*/", "*", pattern) for pattern in included]
    return not any(map(matches, excluded)) and (not included or any(map(matches, flat_patterns)))


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
        node = session.read_data_file(path) or EMPTY_NODE
        for key, value in node.mapping.items():
            own_value = mapping.setdefault(key, value)
            if own_value is not value and own_value.items and value.items:
                mapping[key] = replace(own_value, value=(*own_value.items, *value.items))
    return replace(front_matter, value=mapping)


CITATION_KEYS = (
    "container-title",
    "publisher",
    "doi",
    "url",
    "volume",
    "issue",
    "page",
    "page-first",
    "issued",
)


def _read_citation(front_matter: Node) -> Node:
    """The front matter of a document with the venue, the DOI and the numbers in its `citation`, if it is a publication."""
    citation = front_matter.mapping.get("citation", front_matter).mapping
    if citation.keys() & {"type"} and not re.match(r"post|webpage", citation["type"].text):
        details = {key: citation[key] for key in CITATION_KEYS if key in citation}
        details["citation-type"] = citation["type"]
        return replace(front_matter, value={**details, **front_matter.mapping})
    return front_matter


def _import_home(
    converter: QuartoTextConverter,
    home: SourceDocument | None,
    documents: list[SourceDocument],
    site_title: str,
) -> None:
    """Import index.qmd: the person of its `about`, or of that of another page, and its text as introduction."""
    session = converter.session
    if home is None:
        session.profile["name"] = choose_owner_name([site_title])
        return
    heading = _HOME_HEADING.match(home.source_text)
    author, *titles = (home.read_line(key) for key in ("author", "title", "pagetitle"))
    session.profile["name"] = choose_owner_name([author, site_title, *titles, heading[2] if heading else ""])
    person = next((document for document in [home, *documents] if "about" in document.node.mapping), home)
    about = person.read_mapping("about")
    session.profile["role"] = home.read_line("subtitle")
    folders = ("", "images/", "img/", "assets/")
    import_photo(person if "image" in person.node.mapping else about, ("image",), folders)
    for link in about.read_mappings("links"):
        _import_about_link(person, link)
    about.report_unread_keys(
        "id", "template", "image", "image-alt", "image-shape", "image-width", "image-title"
    )
    if heading and choose_owner_name([heading[2]]) == session.profile["name"]:
        home.source_text = heading[1] + home.source_text[heading.end() :]
    if home.body:
        session.add_introduction(home.body, home.text_location)
    home.ignore_keys("pagetitle")
    home.report_unread_keys(*IGNORED_KEYS)
    home.record_moved(["/index.html"], "/")


_HOME_HEADING = re.compile(r"(\s*(?::{3,}[^\n]*\n\s*)*)# +([^\n#{]+?)[ \t]*(?:\{[^}\n]*\})?[ \t]*(?:\n|\Z)")
"""A heading at the start of a text, also within divs."""


def _import_about_link(document: SourceDocument, link: MappingReader) -> None:
    """Import a link of the person: to another site, to a file, of which one can be the CV, or to a page."""
    session, icon = document.session, link.read_text("icon")
    label = link.read_text("text", "aria-label")
    label = document.converter.convert_line(label, link.location) or icon.replace("-", " ").capitalize()
    url = link.read_text("href", "url")
    link.report_unread_keys("rel", "target", "title")
    if "://" in url or url.startswith("mailto:"):
        is_known_icon = re.search(r"person|house|globe|link|file|envelope|mortarboard|building", icon)
        is_icon_name = is_known_icon and label.casefold() == icon.replace("-", " ")
        add_profile_link(session, url, "" if is_icon_name else label, link.location)
        return
    new_url = document.converter.resolve_url(url, link.location)
    if re.search(r"\bcv\b|resume|vita", f"{icon} {url} {label}", re.IGNORECASE) and new_url.endswith(".pdf"):
        session.profile["cv"] = new_url
    elif new_url:
        session.profile_links[label or new_url.rpartition("/")[2]] = new_url


def _read_listings(document: SourceDocument) -> tuple[QuartoListing, ...]:
    """The listings of a page; their collection is that of the page's name, or of the listed folder, else posts."""
    node = document.node.mapping.get("listing")
    if node is None:
        return ()
    listings = []
    for item in node.items or (node,):
        contents = item.child("contents")
        parts = contents.items or ((contents,) if "contents" in item.mapping else ())
        texts = [part.text for part in parts if part.text]
        folder = PurePosixPath(document.file_name).parent
        paths = [posixpath.normpath(folder / text) for text in texts or (() if parts else ["."])]
        data_files = tuple(path for path in paths if re.search(r"\.ya?ml$", path))
        folders = [_find_listed_folder(path) for path in paths if path not in data_files]
        names = (document.path.stem, *(part.rpartition("/")[2] for part in folders), folder.name)
        collection = next(filter(None, map(_find_named_collection, map(make_slug, names))), "")
        entries = tuple(part for part in parts if part.mapping)
        listings.append(QuartoListing(collection, tuple(filter(None, folders)), data_files, entries))
    return tuple(listings)


def _find_listed_folder(path: str) -> str:
    """The folder of a pattern such as "papers/**/*.qmd", or of a file."""
    folders = itertools.takewhile(lambda name: not re.search(r"[*?{\[]", name), path.split("/"))
    name = "/".join(folders)
    return name.rpartition("/")[0] if PurePosixPath(name).suffix else name.strip(".")


def _find_named_collection(name: str) -> str:
    """The collection with a name, or with a name for papers such as "working-papers"; "" if there is none."""
    if re.search(r"(?:^|-)(?:papers?|publications?|preprints?)$", name):
        return "publications"
    collection = PAGE_ALIASES.get(name, name)
    return collection if collection in ENTRY_COLLECTIONS else ""


def _name_collections(
    listings: Mapping[str, tuple[QuartoListing, ...]], documents: list[SourceDocument]
) -> dict[str, str]:
    """
    The collection of each listed folder.

    A page that lists publications, also in one of several lists, lists only publications unless its name says otherwise.
    """
    paper_folders = {
        parent.as_posix()
        for document in documents
        if is_publication(document.node)
        for parent in PurePosixPath(document.file_name).parents
    }
    collections: dict[str, str] = {}
    for page_listings in listings.values():
        has_papers = any(
            listing.collection == "publications" or paper_folders & {*listing.folders}
            for listing in page_listings
            if listing.collection in ("", "publications")
        )
        for listing in page_listings:
            default = "publications" if has_papers else "posts"
            collections |= dict.fromkeys(listing.folders, listing.collection or default)
    return collections


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


def _is_bibliography_page(document: SourceDocument) -> bool:
    """Whether a page shows the whole bibliography as a list of publications."""
    name = make_slug(document.path.stem)
    return "nocite" in document.node.mapping and _find_named_collection(name) == "publications"


def _import_listed_entries(
    converter: QuartoTextConverter, listing: QuartoListing, publications: PublicationWriter
) -> str:
    """Import the entries of a listing, in YAML files or in the page. Returns their collection; "" without entries."""
    session = converter.session
    nodes = [session.read_data_file(session.find_first_file(name)) for name in listing.data_files]
    entries = [*listing.entries, *(item for node in nodes if node is not None for item in node.items)]
    has_papers = False
    for item in entries:
        has_papers = has_papers or is_publication(item)
        if item.mapping:
            reader = MappingReader(item, session)
            import_listed_entry(converter, listing.collection or "posts", reader, publications)
    if not entries:
        return ""
    return "publications" if has_papers else listing.collection or "more"


def _import_free_page(document: SourceDocument, *, has_listing: bool) -> None:
    """Import a page with a text of its own; the text above a listing is left out, as its page is the collection's."""
    title = document.read_line("title") or document.path.stem.replace("-", " ")
    old_url = find_old_url(document)
    name = document.path.parent.name if document.path.stem == "index" else document.path.stem
    about = document.read_mapping("about")
    for link in about.read_mappings("links"):
        url, icon = link.read_text("href", "url"), link.read_text("icon")
        label = link.read_text("text", "aria-label") or icon
        if url not in map(str, document.session.profile_links.values()) and not url.startswith("mailto:"):
            link.record_skipped(f"a link of the person: {label} ({url})")
    document.ignore_keys(*IGNORED_KEYS, "listing", "image", "date", "author", "subtitle", "categories")
    if document.read_flag("draft"):
        document.record_skipped("a draft, which the old site does not show")
    elif has_listing:
        text = EMPTY_HEADING.sub("", document.body).strip()
        page = document.session.new_urls.get(normalize_old_url(old_url), "").strip("/")
        if text and has_page(document.session, page) and page != "home":
            document.add_page_introduction(page, text)
        elif text:
            document.session.record_skipped(document.text_location, f"the text above a list: {text[:90]}")
    elif document.body:
        summary = document.read_line("description", "summary")
        front: EntryData = {"title": title[:1].upper() + title[1:], "summary": summary}
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
        bar = website.child(bar_name)
        bars = [node.child(key) for node in bar.items or (bar,) for key in ("left", "right", "contents")]
        nodes = [item for node in bars for item in node.items]
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
    for item in (*node.child("menu").items, *node.child("contents").items):
        yield from _read_menu_item(item, titles)
