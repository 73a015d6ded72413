"""Imports al-folio's _data/cv.yml: a list of tables in version 0, RenderCV's format in version 1."""

import re
from collections.abc import Callable, Mapping

from tenure.importers.cv_entries import (
    SOURCE_KEYS,
    MarkdownFunction,
    collection_for_heading,
    normalize_date,
    read_bullet_points,
    split_name_and_link,
)
from tenure.importers.publications import PublicationWriter
from tenure.importers.resume.json_resume import import_resume
from tenure.importers.resume.rendercv import add_publication_without_authors, import_cv, name_own_collection
from tenure.importers.samples import is_einstein_entry, is_sample_text
from tenure.importers.session import (
    EntryData,
    ImportSession,
    MappingReader,
    filled,
    join_filled,
    node_to_text,
)
from tenure.importers.source_folder import location_of
from tenure.sources.node import Node

ItemImporter = Callable[[MappingReader, str, MarkdownFunction], None]
"""Imports an item of the section with a heading."""


def import_cv_data(session: ImportSession, node: Node, to_markdown: MarkdownFunction, owner: str) -> None:
    """Import a CV of either version, or one whose keys are the names of its lists."""
    if "cv" in node.mapping:
        name, links = session.profile.get("name", ""), dict(session.profile_links)
        import_cv(MappingReader(node.mapping["cv"], session), to_markdown)
        session.profile["name"] = name or session.profile["name"]
        new_links = {label: url for label, url in session.profile_links.items() if url not in links.values()}
        session.profile_links = {**links, **new_links}
        return
    if node.mapping:
        import_resume_keeping_profile(session, node)
        return
    publications = PublicationWriter(session, "bib/cv.bib")
    for section_node in node.items:
        section_reader = MappingReader(section_node, session)
        title, section_type = section_reader.read_text("title"), section_reader.read_text("type")
        contents = section_reader.read_items("contents")
        section_reader.report_unread_keys()
        for item in contents:
            if item.value in (None, ""):
                continue
            text, reader = node_to_text(item), MappingReader(item, session)
            is_publication = collection_for_heading(title) == "publications" and item.mapping
            if is_sample_text(text) or is_einstein_entry(text, owner):
                session.record_sample(item, text[:70])
            elif section_type == "time_table" and is_publication:
                add_publication_without_authors(reader, publications)
            else:
                import_item = ITEM_IMPORTERS.get(section_type, _import_list_item)
                import_item(reader, title, to_markdown)
    publications.write_files()


def import_resume_keeping_profile(session: ImportSession, node: Node) -> None:
    """Import a CV as JSON Resume; the profile and the introduction that the site has elsewhere have priority."""
    profile_before = filled(session.profile)
    about_before = session.files.get("content/about.md")
    import_resume(session, node)
    session.profile.update(profile_before)
    if about_before is not None:
        for name in [name for name in session.files if re.fullmatch(r"content/about-\d+\.md", name)]:
            del session.files[name]
            session.record_skipped(node.place.file, "its summary: about.md exists already")


def _import_time_table_row(reader: MappingReader, title: str, to_markdown: MarkdownFunction) -> None:
    """Import a row of a time table: a degree, a position, an award, or a year with lines of text."""
    session, location = reader.session, reader.location
    collection = collection_for_heading(title)
    heading = to_markdown(reader.read_text("title"), location)
    institution = to_markdown(reader.read_text("institution"), location)
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
    lines += [
        to_markdown(f"[{link.read_text('linkname')}]({link.read_text('link')})", location)
        for link in reader.read_mappings("linkitems")
    ]
    if lines and not heading and not institution:
        is_award = collection == "awards"
        field, name = ("title", "awards") if is_award else ("text", name_own_collection(title))
        for line in filter(None, lines):
            session.add_entry(name, {field: line, "date": date}, location, "" if is_award else title)
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
        reader.record_converted(f'the date "{date_text}" cannot be read and is kept in the note')
    session.add_entry(collection, entry, location, "" if collection in SOURCE_KEYS else title)
    reader.report_unread_keys()


def _build_row_entry(collection: str, title: str, heading: str, institution: str) -> tuple[str, EntryData]:
    """Return the collection of a row and its naming fields: school and degree, organization and role, or title."""
    if collection in ("education", "experience") and institution:
        name, url = split_name_and_link(institution)
        if collection == "education":
            return collection, {"institution": name, "degree": heading, "url": url}
        return collection, {"organization": name, "unit": "", "role": heading, "url": url}
    collection = collection if collection in ("awards", "projects") else name_own_collection(title)
    organization = institution if heading and collection != "projects" else ""
    return collection, {"title": heading or institution, "organization": organization}


def _import_map_item(reader: MappingReader, title: str, to_markdown: MarkdownFunction) -> None:
    """Import a name and value of a map section."""
    name, value_text = reader.read_text("name"), to_markdown(reader.read_text("value"), reader.location)
    links = [
        to_markdown(f"[{link.read_text('name')}]({link.read_text('link')})", reader.location)
        for link in reader.read_mappings("links")
    ]
    value_text = value_text or ", ".join(links)
    reader.report_unread_keys()
    if name.casefold() in ("full name", "name"):
        return
    if value_text and "birth" not in name.casefold():
        entry = {"title": name, "text": value_text}
        reader.session.add_entry(name_own_collection(title), entry, reader.location, title)
    else:
        reader.record_skipped(f"{name}: a homepage does not need it")


def _import_list_item(reader: MappingReader, title: str, to_markdown: MarkdownFunction) -> None:
    """Import an item of a list, or a heading with items."""
    session, location, collection = reader.session, reader.location, name_own_collection(title)
    if not reader.node.mapping:
        for point in read_bullet_points(reader.node, to_markdown):
            if isinstance(point, str):
                session.add_entry(collection, {"text": point}, location, title)
        return
    heading = to_markdown(reader.read_text("title", "category", "name", "label"), location)
    points = [
        point
        for node in reader.read_items("items", "contents", "description")
        for point in _convert_group_item(node, to_markdown)
    ]
    text = to_markdown(reader.read_text("value", "details", "summary"), location)
    entry: EntryData = {"title": heading, "text": text, "details": points}
    if any(entry.values()):
        session.add_entry(collection, entry, location, title)
    reader.report_unread_keys("icon")


def _convert_group_item(node: Node, to_markdown: MarkdownFunction) -> list[str]:
    """Return an item of a group as one line: its name, then its other values."""
    if not node.mapping:
        return [to_markdown(node_to_text(node), location_of(node))] if node.value else []
    values = {key: node_to_text(child) for key, child in node.mapping.items() if key != "icon"}
    name, link = values.pop("name", values.pop("title", values.pop("linkname", ""))), values.pop("link", "")
    name_markdown = f"[{name}]({link})" if link and name else name or link
    return [to_markdown(join_filled(name_markdown, *values.values()), location_of(node))]


ITEM_IMPORTERS: Mapping[str, ItemImporter] = {"time_table": _import_time_table_row, "map": _import_map_item}
"""The importer for each section type; `_import_list_item` is used for all others."""
