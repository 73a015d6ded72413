"""Imports talks, projects, posts and free pages of a Hugo site."""

import re
from collections.abc import Mapping, Sequence

from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import to_single_paragraph, write_document
from tenure.importers.hugo.bundles import (
    IGNORED_KEYS,
    PageBundle,
    find_featured_image,
    iterate_bundles,
    list_old_urls,
    read_links,
)
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.menu import has_page
from tenure.importers.samples import is_sample_text
from tenure.importers.session import EntryData, MappingReader, node_to_text
from tenure.markdown.html import make_slug, plain_text

TALK_FOLDERS = ("event", "events", "talk", "talks")
PROJECT_FOLDERS = ("project", "projects", "portfolio")
POST_FOLDERS = ("post", "posts", "blog", "news", "article", "articles")
NON_PAGE_NAMES = frozenset(
    {
        "home",
        "authors",
        "author",
        "slides",
        "_index.md",
        "index.md",
        "privacy.md",
        "terms.md",
        "admin",
        "tags",
        "categories",
        "publication_types",
    }
)
"""Folders and files of content/ that are not the author's pages."""


GENERATED_PAGES = frozenset(
    {"home", "cv", "publications", "projects", "talks", "teaching", "news", "posts", "awards", "service"}
)
"""Pages that Tenure generates."""


def import_talks(converter: HugoTextConverter, config: HugoConfig) -> None:
    """Import talks and events to content/talks.yaml, newest first."""
    talk_bundles = [*iterate_bundles(converter, config, TALK_FOLDERS)]
    for bundle in sorted(
        talk_bundles, key=lambda one: _read_sort_date(one.reader.node.mapping), reverse=True
    ):
        reader, bundle_converter, session = bundle.reader, bundle.converter, bundle.converter.session
        start = reader.read_text("event_start") or reader.read_text("date") or reader.read_text("time_start")
        end = reader.read_text("event_end") or reader.read_text("date_end") or reader.read_text("time_end")
        reader.ignore_keys("date", "time_start", "date_end", "time_end")
        dates = (normalize_date(start), normalize_date(end))
        links = read_links(bundle_converter, reader, session)
        entry: EntryData = {
            "title": bundle_converter.convert_line(reader.read_text("title"), reader.location),
            "event": bundle_converter.convert_line(reader.read_text("event", "event_name"), reader.location),
            "place": bundle_converter.to_plain_text(_read_talk_place(reader)),
            "date": f"{dates[0]} - {dates[1]}" if all(dates) and dates[0] < dates[1] else dates[0],
            "slides": links.pop("slides", ""),
            "video": links.pop("video", ""),
            "url": parse_web_url(reader.read_text("event_url")) or links.pop("url", ""),
            "links": {
                ("PDF" if label == "pdf" else label[:1].upper() + label[1:]): url
                for label, url in links.items()
            },
            "summary": _read_talk_summary(bundle),
            "tags": _read_tags(reader),
            "draft": "true" if reader.read_text("draft").casefold() == "true" else "",
        }
        reader.ignore_keys(*IGNORED_KEYS, "event_all_day", "location", "address", "abstract_short")
        reader.report_unread_keys()
        name = session.relative_path(bundle.path)
        if not entry["title"] and not entry["event"] and not entry["place"]:
            session.record_skipped(name, "a talk without a title, an event or a place")
            continue
        draft = entry["draft"]
        session.add_entry("talks", {key: value for key, value in entry.items() if value}, name)
        for old_url in () if draft else list_old_urls(config, bundle):
            session.record_moved(name, old_url, "/talks/")


def _read_sort_date(front_matter: Mapping[str, object]) -> str:
    node = front_matter.get("event_start") or front_matter.get("date") or front_matter.get("time_start")
    return str(getattr(node, "text", ""))


def _read_talk_place(reader: MappingReader) -> str:
    address_node = reader.read_node("address")
    location = reader.read_text("location")
    address_parts = [
        node_to_text(address_node.mapping[key])
        for key in ("city", "region", "country")
        if address_node is not None and key in address_node.mapping
    ]
    extra_address = ", ".join(
        address_part
        for address_part in address_parts
        if address_part and address_part.casefold() not in location.casefold()
    )
    return ", ".join(address_part for address_part in (location, extra_address) if address_part)


def _read_talk_summary(bundle: PageBundle) -> str:
    """Return the longest of abstract, summary and text as one paragraph; the others are reported as skipped if they differ."""
    reader = bundle.reader
    front_texts = [
        bundle.converter.convert_inner_text(reader.read_text(key), reader.location)
        for key in ("abstract", "summary")
    ]
    body = "" if is_sample_text(bundle.document.body) else bundle.convert_body()
    candidates = [
        to_single_paragraph(part) for part in (body, *front_texts) if part and not is_sample_text(part)
    ]
    longest = max(candidates, key=len, default="")
    for candidate in candidates:
        if candidate != longest and plain_text(candidate)[:50] not in plain_text(longest):
            bundle.converter.session.record_skipped(bundle.location, f"more about the talk: {candidate[:90]}")
    return longest


def _read_tags(reader: MappingReader) -> list[str]:
    all_tags = [node_to_text(node) for key in ("tags", "categories") for node in reader.read_items(key)]
    return [*dict.fromkeys(tag for tag in all_tags if tag)]


def import_projects(
    converter: HugoTextConverter, config: HugoConfig, related: Mapping[str, list[str]]
) -> None:
    """Import projects to content/projects/, each with the publications that refer to it."""
    for bundle in iterate_bundles(converter, config, PROJECT_FOLDERS):
        reader, bundle_converter, session = bundle.reader, bundle.converter, bundle.converter.session
        links = read_links(bundle_converter, reader, session)
        project_name = bundle.name.casefold()
        project_keys = [
            key for name, keys in related.items() if name.rpartition("/")[2] == project_name for key in keys
        ]
        front: EntryData = {
            "title": bundle_converter.convert_line(reader.read_text("title"), reader.location) or bundle.name,
            "date": _read_project_date(reader),
            "tagline": bundle_converter.convert_line(
                reader.read_text("summary", "subtitle", "description"), reader.location
            ),
            "image": find_featured_image(bundle_converter, reader, bundle.path),
            "url": links.pop("url", ""),
            "links": _capitalize_labels(links),
            "tags": _read_tags(reader),
            "publications": project_keys,
            "draft": "true" if reader.read_text("draft").casefold() == "true" else "",
        }
        reader.ignore_keys(*IGNORED_KEYS, "tag", "pdf", "code", "date_end", "end_date", "period")
        _write_content_file(
            config,
            bundle,
            "projects",
            front,
            "" if is_sample_text(bundle.document.body) else bundle.convert_body(),
        )


def _read_project_date(reader: MappingReader) -> str:
    """Return a project's date; "" for the default dates of the templates."""
    date = normalize_date(reader.read_text("period") or reader.read_text("date"))
    return "" if re.match(r"2016-04-27|2016-04-20|2022-10-24|2023-10-24|2024-05-19|0001|1970", date) else date


def _capitalize_labels(links: Mapping[str, str]) -> dict[str, str]:
    names = {
        "pdf": "PDF",
        "code": "Code",
        "slides": "Slides",
        "video": "Video",
        "poster": "Poster",
        "website": "Website",
    }
    return {names.get(label, label): url for label, url in links.items()}


def import_posts(converter: HugoTextConverter, config: HugoConfig) -> None:
    """Import posts to content/posts/ without the template's sample posts."""
    for bundle in iterate_bundles(converter, config, POST_FOLDERS):
        reader, bundle_converter, session = bundle.reader, bundle.converter, bundle.converter.session
        links = read_links(bundle_converter, reader, session)
        front: EntryData = {
            "title": bundle_converter.convert_line(reader.read_text("title"), reader.location) or bundle.name,
            "date": normalize_date(reader.read_text("date")) or _date_from_name(bundle.name),
            "summary": bundle_converter.convert_line(
                reader.read_text("summary", "subtitle", "description", "excerpt"), reader.location
            ),
            "tags": _read_tags(reader),
            "image": find_featured_image(bundle_converter, reader, bundle.path),
            "url": parse_web_url(reader.read_text("link")) or links.pop("url", ""),
            "links": _capitalize_labels(links),
            "draft": "true" if reader.read_text("draft").casefold() == "true" else "",
        }
        reader.ignore_keys(*IGNORED_KEYS, "date")
        _write_content_file(config, bundle, "posts", front, bundle.convert_body())


def _date_from_name(name: str) -> str:
    match = re.match(r"\d{4}-\d\d-\d\d", name)
    return normalize_date(match[0]) if match else ""


def import_free_pages(
    converter: HugoTextConverter, config: HugoConfig, imported_folders: Sequence[str]
) -> None:
    """Import every other document of content/ that has text to content/pages/."""
    session = converter.session
    sections: dict[str, None] = {}
    for path in session.find_files(config.content_folder, ".md", ".markdown", ".rmd", ".html"):
        first = session.relative_path(path).removeprefix(f"{config.content_folder}/").partition("/")[0]
        language = config.content_folder == "content" and re.fullmatch(r"[a-z]{2}", first)
        if first not in imported_folders and first not in NON_PAGE_NAMES and not language:
            sections[first] = None
    for bundle in iterate_bundles(converter, config, [*sections]):
        reader, bundle_converter = bundle.reader, bundle.converter
        blocks = reader.read_node("sections")
        text_parts = (
            bundle.convert_body(),
            _convert_blocks(bundle_converter, blocks.items if blocks is not None else ()),
        )
        text = "\n\n".join(text_part for text_part in text_parts if text_part)
        title = bundle_converter.convert_line(reader.read_text("title"), reader.location) or re.sub(
            r"[-_]+", " ", bundle.name
        )
        front: EntryData = {
            "title": title[:1].upper() + title[1:],
            "summary": bundle_converter.convert_line(
                reader.read_text("summary", "description"), reader.location
            ),
        }
        reader.ignore_keys(*IGNORED_KEYS, "date", "tags", "categories")
        if text:
            _write_content_file(config, bundle, "pages", front, text)
        else:
            session.record_skipped(session.relative_path(bundle.path), "a page without a text of its own")


def _convert_blocks(converter: HugoTextConverter, blocks: Sequence[object]) -> str:
    """Return the texts of a page's blocks as Markdown, under their titles."""
    block_texts: list[str] = []
    for block in blocks:
        content = getattr(block, "mapping", {}).get("content")
        if content is None:
            continue
        title, text = (
            node_to_text(content.entries[key]) if key in content.entries else "" for key in ("title", "text")
        )
        location = f"{content.place.file}:{content.place.line}"
        if text and not is_sample_text(text):
            block_texts.append(
                "\n\n".join(
                    part
                    for part in (f"## {title}" if title else "", converter.convert_body(text, location))
                    if part
                )
            )
    return "\n\n".join(block_texts)


def _write_content_file(
    config: HugoConfig, bundle: PageBundle, collection: str, front: EntryData, body: str
) -> None:
    """Write a file of content/, report its unread front matter, and record its old URLs."""
    session = bundle.converter.session
    bundle.reader.report_unread_keys()
    wanted_name = make_slug(bundle.name) or make_slug(str(front.get("title", ""))) or collection
    if collection == "pages" and wanted_name in GENERATED_PAGES and has_page(session, wanted_name):
        wanted_name = f"{wanted_name}-page"
    file_stem = write_document(session, bundle.path, f"content/{collection}/{wanted_name}.md", front, body)
    if front.get("draft"):
        return
    page_urls = {"pages": f"/{file_stem}/", "projects": f"/projects/{file_stem}/" if body else "/projects/"}
    for url in list_old_urls(config, bundle):
        session.record_moved(
            session.relative_path(bundle.path), url, page_urls.get(collection, f"/{collection}/{file_stem}/")
        )
