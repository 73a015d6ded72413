"""Import RenderCV: a CV in YAML whose sections are lists of entries of one type."""

import re
from pathlib import Path

from tenure.importers.bibliography.bibtex_writer import BibWriter, clean_names
from tenure.importers.bibliography.latex_writer import join_author_names
from tenure.importers.cv_entries import (
    SOURCE_KEYS,
    MarkdownFunction,
    collection_for_heading,
    escape_plain_text,
    import_entry,
    parse_web_url,
    read_bullet_points,
)
from tenure.importers.paths import list_source_files
from tenure.importers.resume.profile import import_profile
from tenure.importers.session import ImportResult, ImportSession, MappingReader, node_to_text
from tenure.markdown.html import make_slug
from tenure.sources.node import Node

INTRODUCTION_HEADINGS = re.compile(
    r"(?:\w+ )?(?:summary|profile|about(?: me)?|objective|welcome.*)", re.IGNORECASE
)
LAYOUT_KEYS = ("design", "locale", "locale_catalog", "settings", "rendercv_settings")
RESERVED_NAMES = frozenset(
    {"profile", "publications", "coauthors", "about", "pages", "posts", "news", "files", "images"}
)


def import_rendercv(source: Path) -> ImportResult:
    """Import a RenderCV file as a profile, collections and BibTeX publications."""
    session = ImportSession(source)
    paths = [source] if source.is_file() else find_cv_files(source)
    for i, path in enumerate(paths):
        if i:
            session.record_skipped(
                session.relative_path(path), f"another CV; import {path.name} separately into its own site"
            )
            continue
        node = session.read_data_file(path)
        for key in LAYOUT_KEYS:
            if node is not None and key in node.mapping:
                session.record_skipped(
                    f"{node.keys[key].file}:{node.keys[key].line}",
                    f"{key}: the look of the CV; see “CVs” in the documentation",
                )
        if node is not None and "cv" in node.mapping:
            import_cv(session, MappingReader(node.mapping["cv"], session), escape_plain_text)
    return session.build_result("RenderCV")


def find_cv_files(folder: Path) -> list[Path]:
    """The YAML files of a folder that contain a CV, the largest first."""
    candidates = []
    for path in (path for path in list_source_files(folder) if path.suffix in (".yaml", ".yml")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if re.search(r"^cv:", text, re.MULTILINE) and re.search(
            r"^\s+(?:name|sections):", text, re.MULTILINE
        ):
            candidates.append((-len(text), path.as_posix(), path))
    return [path for _, _, path in sorted(candidates)]


def import_cv(session: ImportSession, reader: MappingReader, phrase: MarkdownFunction) -> None:
    """Import the value of `cv:`, the format of RenderCV and al-folio 1."""
    import_profile(session, reader, phrase)
    for node in reader.read_items("social_networks", "profiles"):
        network = MappingReader(node, session)
        label, user = network.read_text("network"), network.read_text("username")
        url = parse_web_url(network.read_text("url"))
        if label and (user or url):
            session.profile_links[label.replace(" ", "").casefold() if user else label] = url or user
        else:
            network.skip_all("social_networks")
        network.report_unread_keys()
    for node in reader.read_items("custom_connections"):
        connection = MappingReader(node, session)
        url = parse_web_url(connection.read_text("url"))
        if url:
            session.profile_links[connection.read_text("placeholder", "label") or url] = url
        else:
            connection.skip_all("custom_connections")
        connection.ignore_keys("fontawesome_icon")
        connection.report_unread_keys()
    summary = reader.read_text("summary")
    if summary:
        add_introduction(session, [phrase(summary, reader.location)], reader.location)
    sections = reader.read_node("sections")
    bib = BibWriter()
    for title, section in (sections.mapping if sections is not None else {}).items():
        import_section(session, title, section, phrase, bib)
    bib.write_file(session)
    reader.report_unread_keys()


def add_introduction(session: ImportSession, paragraphs: list[str], location: str) -> None:
    """Append paragraphs to about.md."""
    existing = session.files.get("content/about.md", "")
    text = "\n\n".join(paragraphs) + "\n"
    session.files["content/about.md"] = (
        f"{existing}\n{text}" if isinstance(existing, str) and existing else text
    )
    session.record_imported(location, "introduction")


def import_section(
    session: ImportSession, title: str, section: Node, phrase: MarkdownFunction, bib: BibWriter
) -> None:
    """Import a section into the collection that its heading and the keys of its entries determine."""
    items = section.items if isinstance(section.value, tuple) else (section,)
    heading = title.replace("_", " ").strip() if "_" in title or title.islower() else title.strip()
    heading = heading[:1].upper() + heading[1:]
    if all(item.text for item in items) and INTRODUCTION_HEADINGS.fullmatch(heading):
        location = f"{section.place.file}:{section.place.line}"
        add_introduction(session, [phrase(node_to_text(item), location) for item in items], location)
        return
    collection = _choose_collection(heading, items)
    new_title = "" if collection in SOURCE_KEYS else heading
    _report_renamed_section(session, title, section, collection)
    for item in items:
        if item.value in (None, ""):
            continue
        location = f"{item.place.file}:{item.place.line}"
        if item.text:
            _add_text_entry(session, collection, phrase(item.text, location), location, new_title)
        elif "authors" in item.mapping and "title" in item.mapping:
            _add_publication(session, MappingReader(item, session), phrase, bib)
        elif isinstance(item.value, tuple):
            for point in read_bullet_points(item, phrase):
                if isinstance(point, str):
                    _add_text_entry(session, collection, point, location, new_title)
        elif collection == "publications":
            add_publication_without_authors(session, MappingReader(item, session), bib)
        else:
            reader = MappingReader(item, session)
            reader.ignore_keys("icon")
            import_entry(session, collection, reader, phrase, title=new_title)


def _report_renamed_section(session: ImportSession, title: str, section: Node, collection: str) -> None:
    """Report a section that has the name of a known collection but not its keys."""
    if collection.endswith("-list"):
        message = f"{title} is not a list of such entries and was written to content/{collection}.yaml"
        session.record_converted(f"{section.place.file}:{section.place.line}", message)


def _choose_collection(heading: str, items: tuple[Node, ...]) -> str:
    """The collection of a section: a known one if its entries have the required keys."""
    known_collection = collection_for_heading(heading)
    keys = {key for item in items for key in item.mapping}
    if known_collection == "education" and not keys & set(SOURCE_KEYS["education"]["institution"]):
        known_collection = ""
    if known_collection == "experience" and not keys & set(SOURCE_KEYS["experience"]["organization"]):
        known_collection = ""
    if known_collection == "publications" and not keys:
        known_collection = ""
    name = known_collection or make_slug(heading) or "more"
    return f"{name}-list" if not known_collection and name in RESERVED_NAMES | SOURCE_KEYS.keys() else name


def _add_text_entry(session: ImportSession, collection: str, text: str, location: str, title: str) -> None:
    main_keys = {
        "awards": "title",
        "talks": "title",
        "projects": "title",
        "service": "role",
        "teaching": "course",
    }
    session.add_entry(collection, {main_keys.get(collection, "text"): text}, location, title)


def _add_publication(
    session: ImportSession, reader: MappingReader, phrase: MarkdownFunction, bib: BibWriter
) -> None:
    del phrase
    authors = [clean_names(node_to_text(node)) for node in reader.read_items("authors")]
    journal = reader.read_text("journal", "publisher")
    fields = {
        "author": join_author_names(authors),
        "title": reader.read_text("title"),
        "journal": journal,
        "date": reader.read_text("date", "releaseDate"),
        "doi": reader.read_text("doi"),
        "url": parse_web_url(reader.read_text("url")),
        "note": reader.read_text("summary"),
    }
    key = bib.add_entry("article" if journal else "misc", fields)
    session.record_imported(reader.location, f"publications: {key}")
    reader.report_unread_keys()


def add_publication_without_authors(session: ImportSession, reader: MappingReader, bib: BibWriter) -> None:
    """Import a publication without authors as BibTeX, and report that they must be added."""
    title = reader.read_text("title", "name", "label")
    if not title:
        session.record_skipped(reader.location, "a publication without a title")
        return
    fields = {
        "title": title,
        "howpublished": reader.read_text("publisher", "journal", "details"),
        "date": reader.read_text("date", "releaseDate"),
        "url": parse_web_url(reader.read_text("url")),
        "note": reader.read_text("summary"),
    }
    key = bib.add_entry("misc", fields)
    session.record_imported(reader.location, f"publications: {key}")
    session.record_converted(reader.location, f"bib/papers.bib: {key} has no authors in the source; add them")
    reader.report_unread_keys()
