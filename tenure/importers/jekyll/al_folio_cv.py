"""Imports al-folio's _data/cv.yml: a list of tables in version 0, RenderCV's format in version 1."""

from collections.abc import Callable, Mapping

from tenure.importers.bibliography.bibtex_writer import BibWriter
from tenure.importers.cv_entries import (
    SOURCE_KEYS,
    MarkdownFunction,
    collection_for_heading,
    normalize_date,
    read_bullet_points,
    split_name_and_link,
)
from tenure.importers.resume.rendercv import RESERVED_NAMES, add_publication_without_authors, import_cv
from tenure.importers.samples import is_einstein_entry, is_sample_text
from tenure.importers.session import EntryData, ImportSession, MappingReader, node_to_text
from tenure.markdown.html import make_slug
from tenure.sources.node import Node

ItemImporter = Callable[[ImportSession, str, str, Node, MarkdownFunction], None]


def import_cv_data(session: ImportSession, node: Node, to_markdown: MarkdownFunction, owner: str) -> None:
    """Import a CV of either version."""
    if "cv" in node.mapping:
        name, links = session.profile.get("name", ""), dict(session.profile_links)
        import_cv(session, MappingReader(node.mapping["cv"], session), to_markdown)
        session.profile["name"] = name or session.profile["name"]
        session.profile_links = {
            **links,
            **{k: v for k, v in session.profile_links.items() if v not in links.values()},
        }
        return
    bib_writer = BibWriter()
    for section_node in node.items:
        section_reader = MappingReader(section_node, session)
        title, section_type = section_reader.read_text("title"), section_reader.read_text("type")
        contents = section_reader.read_items("contents")
        section_reader.report_unread_keys()
        for item in contents:
            if item.value in (None, ""):
                continue
            location = f"{item.place.file}:{item.place.line}"
            if is_sample_text(node_to_text(item)) or is_einstein_entry(node_to_text(item), owner):
                session.record_skipped(location, f"sample content of the template: {node_to_text(item)[:70]}")
            elif (
                section_type == "time_table"
                and collection_for_heading(title) == "publications"
                and item.mapping
            ):
                add_publication_without_authors(session, MappingReader(item, session), bib_writer)
            else:
                ITEM_IMPORTERS.get(section_type, _import_list_item)(
                    session, title, location, item, to_markdown
                )
    bib_writer.write_file(session, "bib/cv.bib")


def _custom_collection_name(title: str) -> str:
    """Return the collection name of a custom heading."""
    name = make_slug(title) or "more"
    return f"{name}-list" if name in RESERVED_NAMES | SOURCE_KEYS.keys() else name


def _import_time_table_row(
    session: ImportSession, title: str, location: str, item: Node, to_markdown: MarkdownFunction
) -> None:
    """Import a row of a time table: a degree, a position, an award, or a year with lines of text."""
    reader = MappingReader(item, session)
    collection = collection_for_heading(title)
    heading, institution = (
        to_markdown(reader.read_text("title"), location),
        to_markdown(reader.read_text("institution"), location),
    )
    date_text = reader.read_text("year", "date")
    date = normalize_date(date_text)
    main_text = to_markdown(reader.read_text("maindescription"), location)
    points = [
        point
        for key in ("description", "courses")
        for node in reader.read_items(key)
        for point in read_bullet_points(node, to_markdown)
    ]
    lines = [to_markdown(node_to_text(node), location) for node in reader.read_items("items")]
    for node in reader.read_items("linkitems"):
        link = MappingReader(node, session)
        lines.append(to_markdown(f"[{link.read_text('linkname')}]({link.read_text('link')})", location))
    if lines and not heading and not institution:
        field, line_collection = (
            ("title", "awards") if collection == "awards" else ("text", _custom_collection_name(title))
        )
        for line in filter(None, lines):
            session.add_entry(
                line_collection,
                {field: line} | ({"date": date} if date else {}),
                location,
                "" if line_collection == "awards" else title,
            )
        reader.report_unread_keys()
        return
    collection, entry = _build_row_entry(collection, title, heading, institution)
    if "unit" in entry:
        entry["unit"] = reader.read_text("department")
    entry |= {
        "location": reader.read_text("location") if collection not in ("awards", "projects") else "",
        ("period" if collection in ("education", "experience") else "date"): date,
        "summary": main_text,
        "details": [*points, *lines],
        "note": "" if date else date_text,
    }
    if date_text and not date:
        session.record_converted(location, f'the date "{date_text}" cannot be read and is kept in the note')
    title = "" if collection in SOURCE_KEYS else title
    session.add_entry(collection, {key: value for key, value in entry.items() if value}, location, title)
    reader.report_unread_keys()


def _build_row_entry(collection: str, title: str, heading: str, institution: str) -> tuple[str, EntryData]:
    """Return the collection of a row and its naming fields: school and degree, organization and role, or title."""
    if collection in ("education", "experience") and institution:
        name, url = split_name_and_link(institution)
        if collection == "education":
            return collection, {"institution": name, "degree": heading, "url": url}
        return collection, {"organization": name, "unit": "", "role": heading, "url": url}
    target_collection = collection if collection in ("awards", "projects") else _custom_collection_name(title)
    return target_collection, {
        "title": heading or institution,
        "organization": institution if heading and target_collection != "projects" else "",
    }


def _import_map_item(
    session: ImportSession, title: str, location: str, item: Node, to_markdown: MarkdownFunction
) -> None:
    """Import a name and value of a map section."""
    reader = MappingReader(item, session)
    name, value_text = reader.read_text("name"), to_markdown(reader.read_text("value"), location)
    links = [MappingReader(node, session) for node in reader.read_items("links")]
    value_text = value_text or ", ".join(
        to_markdown(f"[{link.read_text('name')}]({link.read_text('link')})", location) for link in links
    )
    if name.casefold() in ("full name", "name"):
        reader.report_unread_keys()
        return
    if value_text and "birth" not in name.casefold():
        session.add_entry(
            _custom_collection_name(title), {"title": name, "text": value_text}, location, title
        )
    else:
        session.record_skipped(location, f"{name}: a homepage does not need it")
    reader.report_unread_keys()


def _import_list_item(
    session: ImportSession, title: str, location: str, item: Node, to_markdown: MarkdownFunction
) -> None:
    """Import an item of a list, or a heading with items."""
    if not item.mapping:
        for point in read_bullet_points(item, to_markdown):
            if isinstance(point, str):
                session.add_entry(_custom_collection_name(title), {"text": point}, location, title)
        return
    reader = MappingReader(item, session)
    heading = to_markdown(reader.read_text("title", "category", "name", "label"), location)
    points = [
        point
        for node in reader.read_items("items", "contents", "description")
        for point in _convert_group_item(node, to_markdown)
    ]
    text = to_markdown(reader.read_text("value", "details", "summary"), location)
    entry: EntryData = {"title": heading, "text": text, "details": points}
    filled_entry = {key: value for key, value in entry.items() if value}
    reader.ignore_keys("icon")
    if filled_entry:
        session.add_entry(_custom_collection_name(title), filled_entry, location, title)
    reader.report_unread_keys()


def _convert_group_item(node: Node, to_markdown: MarkdownFunction) -> list[str]:
    """Return an item of a group as one line: its name, then its other values."""
    location = f"{node.place.file}:{node.place.line}"
    if not node.mapping:
        return [to_markdown(node_to_text(node), location)] if node.value else []
    values = {key: node_to_text(child) for key, child in node.mapping.items() if key != "icon"}
    name, link = values.pop("name", values.pop("title", values.pop("linkname", ""))), values.pop("link", "")
    name_markdown = f"[{name}]({link})" if link and name else name or link
    return [to_markdown(", ".join(part for part in (name_markdown, *values.values()) if part), location)]


ITEM_IMPORTERS: Mapping[str, ItemImporter] = {"time_table": _import_time_table_row, "map": _import_map_item}
"""The importer for each section type; `_import_list_item` is used for all others."""
