"""Import JSON Resume, version 1 and the drafts before it."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tenure.importers.bibliography.bibtex_writer import join_author_names
from tenure.importers.bibliography.csl_json import add_item
from tenure.importers.cv_entries import (
    MAIN_FIELDS,
    SOURCE_KEYS,
    escape_plain_text,
    import_entry,
    parse_web_url,
)
from tenure.importers.profile import import_cv_profile, import_network
from tenure.importers.publications import PublicationWriter, read_author_names, read_new_title
from tenure.importers.resume.rendercv import RESERVED_NAMES
from tenure.importers.session import ImportResult, ImportSession, MappingReader, node_to_text
from tenure.importers.source_folder import list_source_files, location_of
from tenure.sources.node import Node

COLLECTION_BY_SECTION: Mapping[str, str] = {
    "work": "experience",
    "volunteer": "service",
    "education": "education",
    "awards": "awards",
    "projects": "projects",
    "talks": "talks",
    "service": "service",
    "teaching": "teaching",
}
"""Sections of a resume and their collections; other sections keep their name. Source: jsonresume.org/schema."""

SECTION_TITLES: Mapping[str, str] = {"languages": "Languages", "skills": "Skills", "references": "References"}
_NAME_KEYS = frozenset(["name", "title", "position", "institution", "company", "organization", "label"])
IGNORED_SECTIONS = frozenset({"$schema", "meta"})


def import_json_resume(source: Path) -> ImportResult:
    """Import a resume.json as a profile, an introduction, collections and BibTeX publications."""
    session = ImportSession(source)
    node = session.read_data_file(source if source.is_file() else find_resume(source))
    if node is not None:
        content = node.mapping.get("content", node)
        import_resume(session, content if "basics" in content.mapping else node)
    return session.build_result("JSON Resume")


def find_resume(folder: Path) -> Path | None:
    """The resume in a folder: resume.json, or else the first JSON or YAML file with "resume" in its name."""
    files = list_source_files(folder, ".json", ".yaml", ".yml")
    named_files = [path for path in files if "resume" in path.stem.casefold()]
    paths = [path for path in named_files if path.suffix == ".json" or has_basics(path)]
    ranks = {path: (path.name != "resume.json", len(path.parts), path.as_posix()) for path in paths}
    return min(paths, key=ranks.__getitem__, default=None)


def has_basics(path: Path) -> bool:
    """Whether a YAML file has the section `basics` of JSON Resume, also within the `content` of YAMLResume."""
    text = path.read_text(encoding="utf-8", errors="replace")
    pattern = r"^basics:|^content:[ \t]*\n(?:[ \t]*(?:#.*)?\n)*[ \t]+basics:"
    return re.search(pattern, text, re.MULTILINE) is not None


def import_resume(session: ImportSession, node: Node) -> None:
    """Import all sections of a resume."""
    publications = PublicationWriter(session)
    parts_of_basics = {key: node.mapping[key] for key in ("location", "profiles") if key in node.mapping}
    for name, section in node.mapping.items():
        if name in (*IGNORED_SECTIONS, *parts_of_basics) or section.value in (None, "", ()):
            continue
        items = _list_items(section)
        if name == "basics":
            basics = section.items[0] if section.items else section
            basics = Node({**parts_of_basics, **basics.mapping}, basics.place, basics.keys)
            _import_basics(session, MappingReader(basics, session))
        elif name == "interests":
            _import_interests(session, items)
        elif section.text:
            session.record_skipped(section, f"{name}: {section.text[:70]}")
        elif name == "publications":
            for item in items:
                import_publication(MappingReader(item, session), publications)
        else:
            _import_list(session, name, items)
    publications.write_files()


def _list_items(section: Node) -> tuple[Node, ...]:
    """The entries of a section: of a list with all lists in it, of groups such as {tools: [Git, R]}, or a single one."""
    if section.items:
        return tuple(
            item for child in section.items for item in (_list_items(child) if child.items else (child,))
        )
    has_name = not section.mapping.keys().isdisjoint(_NAME_KEYS)
    if has_name or not any(child.items for child in section.mapping.values()):
        return (section,)
    items: list[Node] = []
    for key, child in section.mapping.items():
        if any(item.mapping for item in child.items):
            items += _list_items(child)
        elif child.value not in (None, "", ()):
            name, text = Node(_format_title(key), child.place), Node(node_to_text(child), child.place)
            items.append(Node({"name": name, "text": text}, child.place))
    return tuple(items)


def _format_title(key: str) -> str:
    """A heading from a key: "Soft skills" for "softSkills" or "soft_skills"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", key.replace("_", " "))
    return f"{words[:1].upper()}{words[1:].lower() if words != key else words[1:]}"


def _import_list(session: ImportSession, name: str, items: Sequence[Node]) -> None:
    for item in items:
        own_name = f"{name}-list" if name.casefold() in RESERVED_NAMES else name
        collection = COLLECTION_BY_SECTION.get(name, own_name.casefold())
        kind = node_to_text(item.mapping.get("type")).casefold()
        if name == "projects" and kind in ("talk", "presentation"):
            collection = "talks"
        title = "" if name in COLLECTION_BY_SECTION else SECTION_TITLES.get(name, _format_title(name))
        reader = MappingReader(item, session)
        if item.text:
            field = MAIN_FIELDS.get(collection, "title") if collection in SOURCE_KEYS else "text"
            entry = {field: escape_plain_text(item.text, reader.location)}
            session.add_entry(collection, entry, reader.location, title)
        elif item.mapping:
            import_entry(collection, reader, escape_plain_text, title=title)


def _import_basics(session: ImportSession, reader: MappingReader) -> None:
    url = parse_web_url(reader.read_text("url"))
    if url and session.settings.setdefault("url", url) == url:
        session.settings = {"schema": "1", **session.settings}
        session.record_imported(reader.location, f"the URL of the site, {url}")
    elif url:
        session.profile_links["website"] = url
    import_cv_profile(reader, escape_plain_text)
    for profile in reader.read_mappings("profiles"):
        import_network(profile, "profiles")
    summary = "\n\n".join(filter(None, reader.read_texts("summary")))
    if summary:
        session.add_introduction(escape_plain_text(summary, reader.location), reader.location)
    reader.report_unread_keys()


def _import_interests(session: ImportSession, items: Sequence[Node]) -> None:
    interests = []
    for item in items:
        reader = MappingReader(item, session)
        name, keywords = reader.read_text("name"), reader.read_text("keywords", "text")
        interests.append(f"{name} ({keywords})" if name and keywords else name or keywords or item.text)
        reader.report_unread_keys()
    session.profile["interests"] = [interest for interest in interests if interest]
    session.record_imported(location_of(items[0]), "interests")


def import_publication(reader: MappingReader, publications: PublicationWriter) -> None:
    """Import a publication as BibTeX; its type and authors are not in the schema, so that they must be added is reported."""
    title = read_new_title(reader, "name", "title")
    if not title:
        return
    csl = reader.read_node("csl")
    authors = join_author_names(read_author_names(reader, "authors"))
    fields = {
        "author": authors,
        "title": title,
        "howpublished": reader.read_text("publisher", "journal"),
        "date": reader.read_text("releaseDate", "date"),
        "doi": reader.read_text("doi"),
        "url": parse_web_url(reader.read_text("url", "website")),
        "abstract": reader.read_text("summary"),
        "award": "; ".join(reader.read_texts("awards")),
    }
    if csl is not None and csl.mapping:
        known_fields = {name: fields[name] for name in ("title", "url", "abstract", "award")}
        item = Node({**csl.mapping, "title": Node(title, csl.place)}, csl.place, csl.keys)
        add_item(publications, MappingReader(item, reader.session), known_fields)
    else:
        key = publications.add_publication("misc", fields, {}, reader.location)
        missing = f"add its kind{'' if authors else ' and authors'}, which JSON Resume does not contain"
        reader.record_converted(f"bib/papers.bib: {key} is @misc; {missing}")
    reader.report_unread_keys()
