"""Imports the lists in _data/ that the pages of a Jekyll site show: publications, people, news and entries of a CV."""

import re
from collections.abc import Iterator
from pathlib import Path

from tenure.importers.cv_entries import normalize_date
from tenure.importers.documents import SourceDocument, import_image
from tenure.importers.jekyll.config import is_list_of_entries
from tenure.importers.jekyll.publications import import_publication
from tenure.importers.liquid_blocks import collection_for_name
from tenure.importers.profile import add_member, make_group_profile, read_member_links
from tenure.importers.publications import PublicationWriter, is_known_publication
from tenure.importers.resume.rendercv import import_list
from tenure.importers.samples import is_sample_person, is_sample_text
from tenure.importers.session import EntryData, ImportSession, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.sources.files import MarkdownFile
from tenure.sources.node import Node

_DATA_REFERENCE = re.compile(
    r"\bdata\.(\w+)|\bsite\.(?!data\b)(\w+)|\bdata\[['\"]([\w-]+)['\"]\]|\bdata\s*=\s*['\"]?(\w+)"
)
_INNER_LISTS = frozenset(
    {"links", "buttons", "urls", "authors", "author", "social", "education", "positions", "socials"}
)
"""Lists that are part of an entry, and do not make it a group of entries."""

_PLAIN_KEYS = frozenset(
    {"entries", "main", "items", "list", "data", "all", "publications", "papers", "people", "members", "news"}
)
"""Keys of a list that say nothing about its entries."""

_GROUP_KEYS = ("year", "title", "name", "heading", "group", "category", "section")
"""Keys of a group of entries that can name it."""

_GROUP_WORDS = re.compile(
    r"\b(?:lab|labs|laboratory|group|team|cent(?:er|re)|institute|collective|consortium)\b", re.IGNORECASE
)
_MEMBER_KEYS = (
    "layout", "id", "slug", "order", "weight", "number_educ", "alt", "width", "height", "style", "last_name", "lastname",
)  # fmt: skip
_LINK_KEYS = (
    "email", "website", "url", "homepage", "web", "link", "github", "orcid", "scholar", "linkedin", "twitter",
)  # fmt: skip
_PHOTO_KEYS = ("photo", "image", "img", "avatar", "picture")


def import_data_lists(converter: SourceTextConverter, settings: Node) -> None:
    """Import the data files, and the lists of _config.yml, whose name says what they list, if the site shows them."""
    session = converter.session
    shown_names = _find_shown_names(session)
    people: list[str] = []
    for path in session.find_files("_data", ".yml", ".yaml", ".json"):
        name = session.relative_path(path)
        data_name = name.split("/")[1].partition(".")[0]
        collection = collection_for_name(data_name) or collection_for_name(path.stem)
        if name in session.read_files or not collection:
            continue
        if shown_names is not None and data_name not in shown_names:
            session.skip_file(path, "a list that no page of the old site shows")
            continue
        node = session.read_data_file(path)
        people += _import_list(converter, path, node, collection, data_name) if node is not None else []
    for key, node in settings.mapping.items():
        collection = collection_for_name(key)
        if not collection or not is_list_of_entries(node):
            continue
        if shown_names is not None and key not in shown_names:
            session.record_skipped(node, f"{key}: a list that no page of the old site shows")
            continue
        people += _import_list(converter, session.root / "_config.yml", node, collection, key)
    if len(people) > 1 and _GROUP_WORDS.search(str(session.profile.get("name", ""))):
        make_group_profile(session, str(session.profile["name"]))


def _import_list(
    converter: SourceTextConverter, path: Path, node: Node, collection: str, name: str
) -> list[str]:
    """Import the entries of a list. Returns the ids of the current members of a group."""
    session = converter.session
    documents: list[SourceDocument] = []
    groups: list[str] = []
    for entry, group in iterate_data_entries(node):
        file = MarkdownFile(_flatten_link(entry), "", entry.place.line)
        documents.append(SourceDocument(path, file, converter))
        groups.append(group)
    if collection == "publications":
        _import_publications(session, documents, groups)
    elif collection == "people":
        return _import_people(documents, groups, name)
    elif collection == "news":
        _import_news(documents)
    elif documents:
        section = Node(tuple(document.node for document in documents), documents[0].node.place)
        import_list(session, collection, section, converter.convert_line, f"bib/{make_slug(name)}.bib")
    return []


def _find_shown_names(session: ImportSession) -> frozenset[str] | None:
    """The names of the lists that pages, layouts and includes show; None if the source names no data file at all."""
    references = [
        reference
        for path in session.find_files("", ".html", ".md", ".markdown", ".liquid")
        for reference in _DATA_REFERENCE.findall(path.read_text("utf-8", "replace"))
    ]
    names = frozenset(name for reference in references for name in reference if name)
    return names if any(file_name for file_name, *_ in references) else None


def iterate_data_entries(node: Node, group: str = "") -> Iterator[tuple[Node, str]]:
    """Yield the entries of a data file with the name of their group: of a list, of groups of lists, or of a mapping of entries."""
    for item in node.items:
        values = (value for key, value in item.mapping.items() if key not in _INNER_LISTS)
        inner_list = next(filter(is_list_of_entries, values), None)
        if inner_list is None and item.mapping:
            yield item, group
        elif inner_list is not None:
            labels = (node_to_text(item.mapping[key]) for key in _GROUP_KEYS if key in item.mapping)
            yield from iterate_data_entries(inner_list, next(labels, group))
    for key, value in node.mapping.items():
        label = group if key in _PLAIN_KEYS else key.replace("_", " ")
        if value.items:
            yield from iterate_data_entries(value, label)
        elif value.mapping:
            yield value, group


def _flatten_link(node: Node) -> Node:
    """The entry with `link: {url: …, display: …}` as a link and a venue."""
    link = node.mapping.get("link")
    if link is None or not link.mapping:
        return node
    mapping = {key: value for key, value in node.mapping.items() if key != "link"}
    url, venue = link.mapping.get("url"), link.mapping.get("display") or link.mapping.get("text")
    if url is not None:
        mapping["link"] = url
    if venue is not None:
        mapping.setdefault("venue", venue)
    return Node(mapping, node.place)


def _import_publications(session: ImportSession, documents: list[SourceDocument], groups: list[str]) -> None:
    writer = PublicationWriter(session)
    for document, group in zip(documents, groups, strict=True):
        title = node_to_text(document.node.mapping.get("title") or document.node.mapping.get("name"))
        line = document.converter.convert_line(title, document.location)
        if title and not is_known_publication(document, line):
            import_publication(writer, document, year=normalize_date(group))
    writer.write_files()


def _import_people(documents: list[SourceDocument], groups: list[str], list_name: str) -> list[str]:
    """Import people to content/people/. Returns their ids without those of former members."""
    current: list[str] = []
    for document, group in zip(documents, groups, strict=True):
        name = document.read_plain_text("name", "title", "fullname")
        if not name or is_sample_person(name):
            document.skip_all("a person without a name" if not name else "sample content of the template")
            continue
        is_former = re.search(r"alumni|former|past", f"{list_name} {group}", re.IGNORECASE) is not None
        person_id = _import_person(document, name, "alumni" if is_former else group)
        current += [] if is_former else [person_id]
    return current


def _import_person(document: SourceDocument, name: str, group: str) -> str:
    converter = document.converter
    period = normalize_date(document.read_text("duration", "period", "date", "dates", "years"))
    role = document.read_line("role", "position", "info", "title", "job", "tagline")
    texts = {key: document.read_text(key) for key in _LINK_KEYS}
    links = {key: text for key, text in texts.items() if (key == "email" and text) or "://" in text}
    front: EntryData = {
        "name": name,
        "role": role or ("" if group == "alumni" else group),
        "photo": import_image(_find_image_folder(document), document, *_PHOTO_KEYS),
        "organization": document.read_line("affiliation", "institution"),
        "date": period,
        "interests": document.read_texts("interests"),
        **read_member_links(document.session, links, document.location),
    }
    if not period:
        front["group"] = group
    paragraphs = [document.read_text(key) for key in ("bio", "description", "about", "text", "content")]
    points = [f"- {text}" for i in range(1, 8) if (text := document.read_text(f"education{i}"))]
    body = converter.convert_body(
        "\n\n".join(filter(None, [*paragraphs, "\n".join(points)])), document.location
    )
    document.report_unread_keys(*_MEMBER_KEYS)
    return add_member(document.session, name, front, body, document.location)


def _find_image_folder(document: SourceDocument) -> SourceTextConverter:
    """The converter that also finds an image whose folder only the layout names."""
    names = {Path(node_to_text(document.node.mapping.get(key))).name for key in _PHOTO_KEYS} - {""}
    paths = [path for path in document.session.find_files("") if path.name in names]
    folders = {document.session.relative_path(path.parent) for path in paths}
    return document.converter.with_folders(*folders) if len(folders) == 1 else document.converter


def _import_news(documents: list[SourceDocument]) -> None:
    for document in documents:
        date_text = document.read_text("date", "year", "time")
        date = normalize_date(date_text)
        keys = ("headline", "text", "content", "news", "body", "description", "details", "title", "item")
        texts = [text for key in keys if (text := document.read_text(key))]
        text = "\n\n".join(texts) if date or not date_text else " ".join([date_text, *texts])
        entry: EntryData = {
            "date": date,
            "text": document.converter.convert_inner_text(text, document.location),
            "url": document.converter.resolve_url(url, document.location)
            if (url := document.read_text("url", "link", "href"))
            else "",
            "image": import_image(_find_image_folder(document), document, "image", "img", "photo"),
        }
        entry["links"] = document.read_other_links()
        document.report_unread_keys("id", "icon", "layout")
        if entry["text"] and not is_sample_text(text):
            document.session.add_entry("news", entry, document.location)
