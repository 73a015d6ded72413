"""Import JSON Resume, version 1 and the drafts before it."""

from collections.abc import Mapping
from pathlib import Path

from tenure.importers.bibliography.bibtex_writer import join_author_names
from tenure.importers.bibliography.csl_json import add_item
from tenure.importers.cv_entries import escape_plain_text, import_entry, parse_web_url
from tenure.importers.profile import import_cv_profile
from tenure.importers.publications import PublicationWriter, is_known_publication
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
IGNORED_SECTIONS = frozenset({"$schema", "meta"})


def import_json_resume(source: Path) -> ImportResult:
    """Import a resume.json as a profile, an introduction, collections and BibTeX publications."""
    session = ImportSession(source)
    path = source if source.is_file() else find_resume(source)
    node = session.read_data_file(path) if path is not None else None
    if node is not None:
        import_resume(session, node)
    return session.build_result("JSON Resume")


def find_resume(folder: Path) -> Path | None:
    """The resume in a folder: resume.json, or else the first JSON file with "resume" in its name."""
    paths = [path for path in list_source_files(folder, ".json") if "resume" in path.stem.casefold()]
    return min(
        paths, key=lambda path: (path.name != "resume.json", len(path.parts), path.as_posix()), default=None
    )


def import_resume(session: ImportSession, node: Node) -> None:
    """Import all sections of a resume."""
    publications = PublicationWriter(session)
    for name, section in node.mapping.items():
        if name in IGNORED_SECTIONS or section.value in (None, "", ()):
            continue
        if name == "basics":
            _import_basics(session, MappingReader(section, session))
        elif name == "interests":
            _import_interests(session, section)
        elif name == "publications":
            for item in section.items:
                import_publication(MappingReader(item, session), publications)
        elif not isinstance(section.value, tuple):
            session.record_skipped(section, f"{name}: {node_to_text(section)[:70]}")
        else:
            _import_list(session, name, section)
    publications.write_files()


def _import_list(session: ImportSession, name: str, section: Node) -> None:
    for item in section.items:
        collection = COLLECTION_BY_SECTION.get(name, name.casefold())
        kind = node_to_text(item.mapping.get("type")).casefold()
        if name == "projects" and kind in ("talk", "presentation"):
            collection = "talks"
        title = "" if name in COLLECTION_BY_SECTION else SECTION_TITLES.get(name, name.capitalize())
        import_entry(session, collection, MappingReader(item, session), escape_plain_text, title=title)


def _import_basics(session: ImportSession, reader: MappingReader) -> None:
    url = parse_web_url(reader.read_text("url"))
    if url and session.settings.setdefault("url", url) == url:
        session.settings = {"schema": "1", **session.settings}
        session.record_imported(reader.location, f"the URL of the site, {url}")
    elif url:
        session.profile_links["website"] = url
    import_cv_profile(reader, escape_plain_text)
    for profile in reader.read_mappings("profiles"):
        network, user = profile.read_text("network"), profile.read_text("username")
        url = parse_web_url(profile.read_text("url"))
        if url or user:
            session.profile_links[network or url] = url or user
        else:
            profile.skip_all("profiles")
        profile.report_unread_keys()
    summary = reader.read_text("summary")
    if summary:
        session.add_introduction(escape_plain_text(summary, reader.location), reader.location)
    reader.report_unread_keys()


def _import_interests(session: ImportSession, section: Node) -> None:
    interests = []
    for item in section.items:
        reader = MappingReader(item, session)
        name, keywords = reader.read_text("name"), reader.read_text("keywords")
        interests.append(f"{name} ({keywords})" if name and keywords else name or keywords or item.text)
        reader.report_unread_keys()
    session.profile["interests"] = [interest for interest in interests if interest]
    session.record_imported(location_of(section), "interests")


def import_publication(reader: MappingReader, publications: PublicationWriter) -> None:
    """Import a publication as BibTeX; its type and authors are not in the schema, so that they must be added is reported."""
    title = reader.read_text("name", "title")
    if not title:
        reader.record_skipped("a publication without a title")
        return
    if is_known_publication(reader, title):
        return
    csl = reader.read_node("csl")
    authors = join_author_names(reader.read_texts("authors"))
    fields = {
        "author": authors,
        "title": title,
        "howpublished": reader.read_text("publisher", "journal"),
        "date": reader.read_text("releaseDate", "date"),
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
        missing = "its kind" if authors else "its kind and authors"
        reader.record_converted(
            f"bib/papers.bib: {key} is @misc; add {missing}, which JSON Resume does not contain"
        )
    reader.report_unread_keys()
