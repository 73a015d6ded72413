"""Imports the members, the citations and the projects of lab-website-template, and the profiles of al-folio."""

import re

from tenure.importers.bibliography.bibtex_writer import join_author_names
from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import (
    SourceDocument,
    import_image,
    iterate_documents,
    read_source_document,
)
from tenure.importers.jekyll.collections import list_own_folders
from tenure.importers.jekyll.data_lists import iterate_data_entries
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.liquid_includes import expand_account
from tenure.importers.profile import ROLE_WORDS, add_member, make_group_profile, read_member_links
from tenure.importers.publications import PublicationWriter, guess_entry_type, is_known_publication
from tenure.importers.samples import is_sample_person, is_sample_text
from tenure.importers.session import EntryData, ImportSession, MappingReader, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.importers.yaml_writer import YamlData
from tenure.sources.node import Node

MEMBER_FOLDERS = ("_members", "_alumni", "_people", "_team")
IGNORED_MEMBER_KEYS = ("layout", "permalink", "redirect_from", "slug", "order", "weight", "published")


def import_members(converter: SourceTextConverter) -> None:
    """Import _members/*.md and similar folders to content/people/. The site of several members is that of a group."""
    session = converter.session
    role_words = _read_role_words(session)
    own_folders = [folder for folder, name in list_own_folders(session).items() if name == "people"]
    members = [
        _import_member(converter, document, role_words, folder)
        for folder in (*MEMBER_FOLDERS, *own_folders)
        for document in iterate_documents(converter, folder)
    ]
    if len(members) > 1:
        make_group_profile(session, str(session.profile.get("name", "")))


def _read_role_words(session: ImportSession) -> dict[str, str]:
    """The words for the roles: those of the template, and those of _data/types.yaml."""
    path = session.find_first_file("_data/types.yaml", "_data/types.yml", "_data/roles.yaml")
    types = (session.read_data_file(path) or EMPTY_NODE).mapping
    own_words = {key: node_to_text(value.mapping.get("description")) for key, value in types.items()}
    return {**ROLE_WORDS, **{key: words for key, words in own_words.items() if words}}


def _import_member(
    converter: SourceTextConverter, document: SourceDocument, role_words: dict[str, str], folder: str
) -> str:
    role = document.read_text("role", "position")
    links = document.read_mapping("links")
    urls = {key: links.read_text(key) for key in [*links.node.mapping]}
    urls |= {
        key: text for key in ("email", "website", "orcid", "github") if (text := document.read_text(key))
    }
    urls = {key: expand_account(key, text) for key, text in urls.items()}
    front: EntryData = {
        "name": document.read_plain_text("name", "title"),
        "role": document.read_line("description") or role_words.get(role.casefold(), role),
        "photo": import_image(converter, document, "image", "img", "photo"),
        "aliases": document.read_texts("aliases"),
        "organization": document.read_line("affiliation"),
        "start": normalize_date(document.read_text("start", "start_date", "joined")),
        "end": normalize_date(document.read_text("end", "end_date", "left")),
        "interests": document.read_texts("interests", "tags"),
        **read_member_links(converter.session, urls, document.location),
    }
    group = document.read_text("group", "status")
    if not front["end"]:
        front["group"] = "alumni" if folder == "_alumni" else group
    body = document.body
    document.report_unread_keys(*IGNORED_MEMBER_KEYS)
    name = add_member(converter.session, document.path.stem, front, body, document.file_name)
    old_urls = document.read_old_urls(f"/members/{document.path.stem}/")
    document.record_moved(old_urls, f"/people/{name}/" if body else "/people/")
    return name


def import_lab_citations(converter: SourceTextConverter) -> None:
    """Import _data/citations.yaml, which lab-website-template generates, to bib/papers.bib."""
    session = converter.session
    path = session.find_first_file("_data/citations.yaml", "_data/citations.yml")
    writer = PublicationWriter(session)
    for item in (session.read_data_file(path) or EMPTY_NODE).items:
        reader = MappingReader(item, session)
        title = converter.convert_line(reader.read_text("title"), reader.location)
        if not title or is_known_publication(reader, title):
            continue
        kind, _, number = reader.read_text("id").partition(":")
        venue = reader.read_text("publisher", "journal")
        fields = {
            "title": title,
            "author": join_author_names(reader.read_texts("authors")),
            "date": normalize_date(reader.read_text("date")),
            "doi": number if kind == "doi" else "",
            "eprint": number if kind == "arxiv" else "",
            "archiveprefix": "arXiv" if kind == "arxiv" else "",
            "pmid": number if kind == "pubmed" else "",
            "issn": reader.read_text("issn"),
            "keywords": ", ".join(reader.read_texts("tags")),
            "url": "" if kind == "doi" else parse_web_url(reader.read_text("link")),
        }
        entry_type = guess_entry_type(venue, title)
        fields[{"article": "journal", "inproceedings": "booktitle"}.get(entry_type, "publisher")] = venue
        links: dict[str, YamlData] = {
            button.read_text("text") or button.read_text("type").capitalize() or "Link": url
            for button in reader.read_mappings("buttons")
            if (url := converter.resolve_url(button.read_text("link"), button.location))
        }
        repository = reader.read_text("repo")
        if repository:
            links.setdefault("Code", f"https://github.com/{repository}")
        overlay: EntryData = {
            "image": import_image(converter, reader, "image"),
            "text": converter.convert_line(reader.read_text("description"), reader.location),
            "links": links,
        }
        reader.report_unread_keys("link", "plugin", "file", "type", "orcid")
        writer.add_publication(entry_type, fields, overlay, reader.location)
    writer.write_files()


def import_lab_projects(converter: SourceTextConverter) -> None:
    """Import _data/projects.yaml of lab-website-template to content/projects.yaml."""
    session = converter.session
    path = session.find_first_file("_data/projects.yaml", "_data/projects.yml")
    for item, _ in iterate_data_entries(session.read_data_file(path) or EMPTY_NODE):
        reader = MappingReader(item, session)
        repository = reader.read_text("repo")
        url = parse_web_url(reader.read_text("link", "url", "website"))
        entry: EntryData = {
            "title": converter.convert_line(reader.read_text("title", "name"), reader.location),
            "tagline": converter.convert_line(reader.read_text("subtitle", "description"), reader.location),
            "image": import_image(converter, reader, "image"),
            "url": url or (f"https://github.com/{repository}" if repository else ""),
            "tags": reader.read_texts("tags", "languages", "technologies"),
            "links": {"Code": f"https://github.com/{repository}"} if url and repository else {},
        }
        reader.report_unread_keys("group", "repo", "style")
        if entry["title"] and not is_sample_text(str(entry["tagline"])):
            session.add_entry("projects", entry, reader.location)


def import_profile_pages(converter: SourceTextConverter) -> frozenset[str]:
    """
    Import the people of al-folio's pages with the layout `profiles` to content/people/.

    Returns the stems of the pages that were read: those with the layout, and those with the texts of the people.
    """
    session = converter.session
    read_stems: set[str] = set()
    for path in session.find_files("_pages", ".md", ".markdown"):
        file = session.read_document(path)
        front = file.front_matter.mapping if file is not None else {}
        nodes = front["profiles"].items if "profiles" in front else ()
        if node_to_text(front.get("layout")) != "profiles":
            continue
        people = [*filter(None, (_import_profile(converter, node) for node in nodes))]
        if people:
            read_stems |= {path.stem, *people}
            permalink = node_to_text(front.get("permalink")) or f"/{path.stem}/"
            session.record_moved(session.relative_path(path), permalink, "/people/")
    return frozenset(read_stems)


def _import_profile(converter: SourceTextConverter, node: Node) -> str:
    """Import one person. Returns the stem of the file with the text; "" for a sample, or without a text."""
    session, reader = converter.session, MappingReader(node, converter.session)
    path = session.find_first_file(f"_pages/{reader.read_text('content')}")
    document = read_source_document(converter, path)
    if document is None:
        reader.skip_all("a profile without a text")
        return ""
    heading = re.match(r"#+\s+(.+)\n*", document.source_text)
    file_stem = document.path.stem
    stem = re.sub(r"^about[_-]?", "", file_stem) or file_stem
    name = document.read_plain_text("name", "title") or (heading[1].strip() if heading else "")
    name = name or re.sub(r"[_-]+", " ", stem).title()
    if is_sample_person(name) or document.has_sample_text or re.search(r"einstein", stem):
        session.record_sample(document.file_name)
        return file_stem
    if not heading and "name" not in document.node.mapping and "title" not in document.node.mapping:
        document.record_converted(f"the file gives no name; it is taken from the name of the file: {name}")
    body = document.body[document.body.find("\n") + 1 :].strip() if heading else document.body
    front: EntryData = {"name": name, "photo": import_image(converter, reader, "image")}
    contact = converter.to_plain_text(reader.read_text("more_info"), reader.location)
    if contact:
        reader.record_skipped(f"more_info: {contact[:90]} (write it as email: or office: of the person)")
    reader.report_unread_keys("align", "image_circular")
    document.report_unread_keys("layout", "permalink", "nav")
    add_member(session, stem, front, body, document.file_name)
    return file_stem
