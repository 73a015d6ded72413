"""Import RenderCV: a CV in YAML whose sections are lists of entries of one type."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path

from tenure.importers.bibliography.bibtex_writer import join_author_names
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
from tenure.importers.profile import import_cv_profile, import_network
from tenure.importers.publications import (
    VENUE_FIELDS,
    PublicationWriter,
    guess_entry_type,
    is_known_publication,
    read_author_names,
    read_new_title,
)
from tenure.importers.session import ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.source_folder import list_source_files, location_of
from tenure.markdown.html import make_slug
from tenure.model.languages import find_language
from tenure.sources.node import Node

INTRODUCTION_HEADINGS = re.compile(
    r"(?:\w+ )?(?:summary|profile|about(?: me)?|objective|welcome.*)", re.IGNORECASE
)
_LATEX_FORMULA = re.compile(r"\$\$(?=\S)((?:(?!\$\$|(?<![\\{A-Za-z])[A-Za-z]{2}).)+?)(?<=\S)\$\$")
"""A formula of RenderCV 1 in LaTeX; one of RenderCV 2 is in Typst, whose words have no backslash."""

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
        _import_language(session, node)
        if "cv" in node.mapping:
            import_cv(MappingReader(node.mapping["cv"], session), convert_text)
    return session.build_result("RenderCV")


def _import_language(session: ImportSession, node: Node) -> None:
    """Import the language of `locale`: a name in English, or a tag."""
    language_node = node.child("locale", "language")
    name = node_to_text(language_node)
    language = find_language(name) or find_language(name.rpartition("_")[2])
    if language and language != "en":
        session.settings |= {"schema": "1", "language": str(language)}
        session.record_imported(language_node, f"the language of the site, {language}")


def convert_text(text: str, location: str) -> str:
    """Convert a text of RenderCV, which is Markdown with formulas between $$, to Markdown."""
    first, *others = _LATEX_FORMULA.split(text)
    texts = [escape_plain_text(part, location) for part in (first, *others[1::2])]
    if others:
        texts = [re.sub(r"(?<!\\)\$", r"\\$", part) for part in texts]
    formulas = zip(others[::2], texts[1:], strict=True)
    return texts[0] + "".join(f"${formula}${part}" for formula, part in formulas)


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


def import_cv(reader: MappingReader, to_markdown: MarkdownFunction) -> None:
    """Import the value of `cv:`, the format of RenderCV and al-folio 1."""
    session = reader.session
    import_cv_profile(reader, to_markdown)
    for network in reader.read_mappings("social_networks", "profiles"):
        import_network(network, "social_networks")
    for connection in reader.read_mappings("custom_connections"):
        url = parse_web_url(connection.read_text("url"))
        if url:
            session.profile_links[connection.read_text("placeholder", "label") or url] = url
        else:
            connection.skip_all("custom_connections")
        connection.report_unread_keys("fontawesome_icon")
    summary = [to_markdown(text, reader.location) for text in reader.read_texts("summary") if text]
    if summary:
        add_introduction(session, summary, reader.location)
    sections = reader.read_node("sections")
    publications = PublicationWriter(session)
    section_nodes = sections.mapping if sections is not None else {}
    if sections is not None and not section_nodes:
        session.record_skipped(sections, f"sections: {node_to_text(sections)[:70]}")
    titles = _choose_standard_sections(section_nodes)
    lists_of_works = [
        section for section in section_nodes.values() if any(map(_is_publication, section.items))
    ]
    for title, section in section_nodes.items():
        import_section(
            title,
            section,
            to_markdown,
            publications,
            headings=titles.keys(),
            is_standard=title in titles.values() or collection_for_heading(title) == "publications",
            keeps_heading=len(lists_of_works) > 1,
        )
    publications.write_files()
    reader.report_unread_keys()


def _is_publication(item: Node) -> bool:
    return "authors" in item.mapping and "title" in item.mapping


def _choose_standard_sections(titles: Iterable[str]) -> dict[str, str]:
    """The section of each standard collection: of several, the one with the shortest heading, so that none loses its heading."""
    titles_by_collection: dict[str, str] = {}
    for title in titles:
        collection = collection_for_heading(title)
        earlier = titles_by_collection.setdefault(collection, title)
        titles_by_collection[collection] = min(earlier, title, key=lambda t: len(re.findall(r"[^\W_]+", t)))
    titles_by_collection.pop("", None)
    return titles_by_collection


def add_introduction(session: ImportSession, paragraphs: list[str], location: str) -> None:
    """Append paragraphs to about.md."""
    existing_text = session.files.get("content/about.md")
    text = "\n\n".join(paragraphs) + "\n"
    session.files["content/about.md"] = f"{existing_text}\n{text}" if isinstance(existing_text, str) else text
    session.record_imported(location, "introduction")


def import_list(
    session: ImportSession, title: str, section: Node, to_markdown: MarkdownFunction, path: str
) -> None:
    """Import a list outside of a CV; its publications are written to the file at this path."""
    publications = PublicationWriter(session, path)
    import_section(title, section, to_markdown, publications)
    publications.write_files()


def import_section(
    title: str,
    section: Node,
    to_markdown: MarkdownFunction,
    publications: PublicationWriter,
    *,
    headings: AbstractSet[str] = frozenset(),
    is_standard: bool = True,
    keeps_heading: bool = False,
) -> None:
    """
    Import a section into the collection that its heading and the keys of its entries determine.

    `headings` are the collections of all headings; `is_standard` is false if another section is the collection of this heading;
    `keeps_heading`: the heading is a keyword of the publications, which are in one list.
    """
    session = publications.session
    items = tuple(map(_read_single_text, section.items)) if isinstance(section.value, tuple) else (section,)
    heading = title.replace("_", " ").strip() if "_" in title or title.islower() else title.strip()
    heading = heading[:1].upper() + heading[1:]
    if all(item.text for item in items) and INTRODUCTION_HEADINGS.fullmatch(heading):
        location = location_of(section)
        paragraphs = [to_markdown(node_to_text(item), location) for item in items]
        add_introduction(session, paragraphs, location)
        return
    open_collections = ENTRY_KEYS.keys() - headings - session.collections.keys()
    collection = _choose_collection(heading, items, open_collections, is_standard=is_standard)
    new_title = "" if collection in SOURCE_KEYS else heading
    if collection.endswith("-list"):
        message = f"{title} is not a list of such entries and was written to content/{collection}.yaml"
        session.record_converted(section, message)
    for item in items:
        reader = MappingReader(_nest_highlights(item), session)
        if item.text or isinstance(item.value, tuple):
            for point in read_bullet_points(item, to_markdown):
                text, details = next(iter(point.items())) if isinstance(point, dict) else (point, "")
                entry = {MAIN_TEXT_KEYS.get(collection, "text"): text, "details": details}
                session.add_entry(collection, entry, reader.location, new_title)
        elif _is_publication(item):
            _add_publication(reader, publications, heading if keeps_heading else "")
        elif item.mapping and (collection == "publications" or {"title", "journal"} <= item.mapping.keys()):
            add_publication_without_authors(reader, publications)
        elif item.mapping:
            reader.ignore_keys("icon")
            import_entry(collection, reader, to_markdown, title=new_title)


def _nest_highlights(item: Node) -> Node:
    """An entry whose highlights have their nested ones, which RenderCV writes into the same text: "Papers - One - Two"."""
    highlights = item.mapping.get("highlights")
    if highlights is None or not highlights.items:
        return item
    bullets = []
    for bullet in highlights.items:
        title, *contents = (Node(t, bullet.place) for t in re.split(r"(?<!\d) - | - (?!\d)", bullet.text))
        parts = {"title": title, "contents": Node(tuple(contents), bullet.place)}
        bullets.append(Node(parts, bullet.place) if len(contents) > 1 else bullet)
    mapping = {**item.mapping, "highlights": Node(tuple(bullets), highlights.place)}
    return Node(mapping, item.place, item.keys)


def _read_single_text(item: Node) -> Node:
    """The text of an entry that has only a text: `bullet: Gold medal`; other entries unchanged."""
    values = [item.mapping[key] for key in SINGLE_TEXT_KEYS if len(item.mapping) == 1 and key in item.mapping]
    return values[0] if values else item


def _choose_collection(
    heading: str, items: tuple[Node, ...], open_collections: AbstractSet[str], *, is_standard: bool
) -> str:
    """
    The collection of a section: a known one if its entries have the required keys.

    `open_collections` have no section with their English heading; the first section with their keys is in them.
    """
    known_collection = collection_for_heading(heading) if is_standard else ""
    keys = {key for item in items for key in item.mapping}
    for collection, field in (("education", "institution"), ("experience", "organization")):
        if known_collection == collection and not keys & set(SOURCE_KEYS[collection][field]):
            known_collection = ""
    if known_collection == "publications" and not keys:
        known_collection = ""
    if known_collection == "teaching" and ENTRY_KEYS["experience"] <= keys:
        return make_slug(heading)
    names = (name for name, needed in ENTRY_KEYS.items() if needed <= keys and name in open_collections)
    known_collection = known_collection or next(names, "")
    return known_collection or name_own_collection(heading)


def name_own_collection(heading: str) -> str:
    """The name of a list that is no collection of Tenure, by its heading."""
    name = make_slug(heading) or "more"
    return f"{name}-list" if name in RESERVED_NAMES | SOURCE_KEYS.keys() else name


def _add_publication(reader: MappingReader, publications: PublicationWriter, keyword: str) -> None:
    title = reader.read_text("title")
    if not title:
        reader.skip_all("a publication without a title")
        return
    if is_known_publication(reader, title):
        return
    venue = reader.read_text("journal", "publisher")
    entry_type = guess_entry_type(venue, title)
    fields = {
        "author": join_author_names(read_author_names(reader, "authors")),
        "title": title,
        VENUE_FIELDS.get(entry_type, "howpublished"): venue,
        "date": reader.read_text("date", "releaseDate"),
        "doi": reader.read_text("doi"),
        "url": parse_web_url(reader.read_text("url")),
        "note": reader.read_text("summary"),
        "keywords": keyword,
    }
    publications.add_publication(entry_type, fields, {}, reader.location)
    reader.report_unread_keys()


def add_publication_without_authors(reader: MappingReader, publications: PublicationWriter) -> None:
    """Import a publication without authors as BibTeX, and report that they must be added."""
    title = read_new_title(reader, "title", "name", "label")
    if not title:
        return
    fields = {
        "title": title,
        "howpublished": reader.read_text("publisher", "journal", "details"),
        "date": reader.read_text("date", "releaseDate"),
        "doi": reader.read_text("doi"),
        "url": parse_web_url(reader.read_text("url")),
        "note": reader.read_text("summary"),
    }
    key = publications.add_publication("misc", fields, {}, reader.location)
    reader.record_converted(f"{publications.path}: {key} has no authors in the source; add them")
    reader.report_unread_keys()
