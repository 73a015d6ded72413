"""Import RenderCV: a CV in YAML whose sections are lists of entries of one type."""

import re
from collections.abc import Set as AbstractSet
from pathlib import Path

from tenure.importers.bibliography.bibtex_writer import BibWriter, clean_names, join_author_names
from tenure.importers.cv_entries import (
    MAIN_FIELDS,
    SOURCE_KEYS,
    MarkdownFunction,
    collection_for_heading,
    escape_plain_text,
    import_entry,
    parse_web_url,
    read_bullet_points,
)
from tenure.importers.profile import import_cv_profile
from tenure.importers.publications import is_known_publication
from tenure.importers.session import ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.source_folder import list_source_files, location_of
from tenure.markdown.html import make_slug
from tenure.sources.node import Node

INTRODUCTION_HEADINGS = re.compile(
    r"(?:\w+ )?(?:summary|profile|about(?: me)?|objective|welcome.*)", re.IGNORECASE
)
LAYOUT_KEYS = ("design", "locale", "locale_catalog", "settings", "rendercv_settings")
RESERVED_NAMES = frozenset(
    ["profile", "publications", "coauthors", "about", "pages", "posts", "news", "files", "images"]
)  # fmt: skip
ENTRY_KEYS = {
    "experience": frozenset({"company", "position"}),
    "education": frozenset({"institution", "area"}),
}
"""The keys that RenderCV requires of these entries, also in a section with a heading in another language."""
MAIN_TEXT_KEYS = {
    collection: MAIN_FIELDS.get(collection, "title")
    for collection in ("awards", "talks", "projects", "service", "teaching")
}
"""The field of an entry that is only a text; "text" in other collections."""


def import_rendercv(source: Path) -> ImportResult:
    """Import a RenderCV file as a profile, collections and BibTeX publications."""
    session = ImportSession(source)
    paths = [source] if source.is_file() else find_cv_files(source)
    for path in paths[1:]:
        reason = f"another CV; import {path.name} separately into its own site"
        session.record_skipped(session.relative_path(path), reason)
    node = session.read_data_file(paths[0]) if paths else None
    if node is not None:
        for key in LAYOUT_KEYS:
            if key in node.mapping:
                location = Node(None, node.key_place(key))
                session.record_skipped(location, f"{key}: the look of the CV; see “CVs” in the documentation")
        if "cv" in node.mapping:
            import_cv(session, MappingReader(node.mapping["cv"], session), escape_plain_text)
    return session.build_result("RenderCV")


SINGLE_TEXT_KEYS = ("bullet", "number", "reversed_number")
"""The keys of the entries of RenderCV that are one text."""


def find_cv_files(folder: Path) -> list[Path]:
    """The YAML files of a folder that contain a CV, the largest first."""
    candidates = []
    for path in list_source_files(folder, ".yaml", ".yml"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if re.search(r"^cv:(?:.|\n)*?^\s+(?:name|sections):", text, re.MULTILINE):
            candidates.append((-len(text), path.as_posix(), path))
    return [path for _, _, path in sorted(candidates)]


def import_cv(session: ImportSession, reader: MappingReader, to_markdown: MarkdownFunction) -> None:
    """Import the value of `cv:`, the format of RenderCV and al-folio 1."""
    import_cv_profile(reader, to_markdown)
    for network in reader.read_mappings("social_networks", "profiles"):
        label, user = network.read_text("network"), network.read_text("username")
        url = parse_web_url(network.read_text("url"))
        if label and (user or url):
            session.profile_links[label.replace(" ", "").casefold() if user else label] = url or user
        else:
            network.skip_all("social_networks")
        network.report_unread_keys()
    for connection in reader.read_mappings("custom_connections"):
        url = parse_web_url(connection.read_text("url"))
        if url:
            session.profile_links[connection.read_text("placeholder", "label") or url] = url
        else:
            connection.skip_all("custom_connections")
        connection.report_unread_keys("fontawesome_icon")
    summary = reader.read_text("summary")
    if summary:
        add_introduction(session, [to_markdown(summary, reader.location)], reader.location)
    sections = reader.read_node("sections")
    bib = BibWriter()
    section_nodes = sections.mapping if sections is not None else {}
    headings = {collection_for_heading(title.replace("_", " ").strip()) for title in section_nodes}
    for title, section in section_nodes.items():
        import_section(session, title, section, to_markdown, bib, headings=headings)
    bib.write_file(session)
    reader.report_unread_keys()


def add_introduction(session: ImportSession, paragraphs: list[str], location: str) -> None:
    """Append paragraphs to about.md."""
    existing_text = session.files.get("content/about.md")
    text = "\n\n".join(paragraphs) + "\n"
    session.files["content/about.md"] = f"{existing_text}\n{text}" if isinstance(existing_text, str) else text
    session.record_imported(location, "introduction")


def import_section(  # noqa: PLR0913 - a section and its surroundings
    session: ImportSession,
    title: str,
    section: Node,
    to_markdown: MarkdownFunction,
    bib: BibWriter,
    *,
    headings: AbstractSet[str] = frozenset(),
) -> None:
    """Import a section into the collection that its heading and the keys of its entries determine; `headings` are the collections of all headings."""
    items = tuple(map(_read_single_text, section.items)) if isinstance(section.value, tuple) else (section,)
    heading = title.replace("_", " ").strip() if "_" in title or title.islower() else title.strip()
    heading = heading[:1].upper() + heading[1:]
    if all(item.text for item in items) and INTRODUCTION_HEADINGS.fullmatch(heading):
        location = location_of(section)
        paragraphs = [to_markdown(node_to_text(item), location) for item in items]
        add_introduction(session, paragraphs, location)
        return
    open_collections = ENTRY_KEYS.keys() - headings - session.collections.keys()
    collection = _choose_collection(heading, items, open_collections)
    new_title = "" if collection in SOURCE_KEYS else heading
    if collection.endswith("-list"):
        message = f"{title} is not a list of such entries and was written to content/{collection}.yaml"
        session.record_converted(section, message)
    for item in items:
        reader = MappingReader(item, session)
        if item.text or isinstance(item.value, tuple):
            for point in read_bullet_points(item, to_markdown):
                if isinstance(point, str):
                    entry = {MAIN_TEXT_KEYS.get(collection, "text"): point}
                    session.add_entry(collection, entry, reader.location, new_title)
        elif "authors" in item.mapping and "title" in item.mapping:
            _add_publication(reader, bib)
        elif collection == "publications" and item.mapping:
            add_publication_without_authors(reader, bib)
        elif item.mapping:
            reader.ignore_keys("icon")
            import_entry(session, collection, reader, to_markdown, title=new_title)


def _read_single_text(item: Node) -> Node:
    """The text of an entry that has only a text: `bullet: Gold medal`; other entries unchanged."""
    values = [item.mapping[key] for key in SINGLE_TEXT_KEYS if len(item.mapping) == 1 and key in item.mapping]
    return values[0] if values else item


def _choose_collection(heading: str, items: tuple[Node, ...], open_collections: AbstractSet[str]) -> str:
    """
    The collection of a section: a known one if its entries have the required keys.

    `open_collections` have no section with their English heading; the first section with their keys is in them.
    """
    known_collection = collection_for_heading(heading)
    keys = {key for item in items for key in item.mapping}
    for collection, field in (("education", "institution"), ("experience", "organization")):
        if known_collection == collection and not keys & set(SOURCE_KEYS[collection][field]):
            known_collection = ""
    if known_collection == "publications" and not keys:
        known_collection = ""
    if not known_collection:
        known_collection = next(
            (name for name, needed in ENTRY_KEYS.items() if needed <= keys and name in open_collections), ""
        )
    name = known_collection or make_slug(heading) or "more"
    return f"{name}-list" if not known_collection and name in RESERVED_NAMES | SOURCE_KEYS.keys() else name


def _add_publication(reader: MappingReader, bib: BibWriter) -> None:
    title = reader.read_text("title")
    if is_known_publication(reader, title):
        return
    journal = reader.read_text("journal", "publisher")
    fields = {
        "author": join_author_names([clean_names(name) for name in reader.read_texts("authors")]),
        "title": title,
        "journal": journal,
        "date": reader.read_text("date", "releaseDate"),
        "doi": reader.read_text("doi"),
        "url": parse_web_url(reader.read_text("url")),
        "note": reader.read_text("summary"),
    }
    key = bib.add_entry("article" if journal else "misc", fields)
    reader.session.record_imported(reader.location, f"publications: {key}")
    reader.report_unread_keys()


def add_publication_without_authors(reader: MappingReader, bib: BibWriter) -> None:
    """Import a publication without authors as BibTeX, and report that they must be added."""
    title = reader.read_text("title", "name", "label")
    if not title:
        reader.record_skipped("a publication without a title")
        return
    if is_known_publication(reader, title):
        return
    fields = {
        "title": title,
        "howpublished": reader.read_text("publisher", "journal", "details"),
        "date": reader.read_text("date", "releaseDate"),
        "url": parse_web_url(reader.read_text("url")),
        "note": reader.read_text("summary"),
    }
    key = bib.add_entry("misc", fields)
    reader.session.record_imported(reader.location, f"publications: {key}")
    reader.record_converted(f"bib/papers.bib: {key} has no authors in the source; add them")
    reader.report_unread_keys()
