"""Imports talks, projects, posts and free pages of a Hugo site."""

import re
from collections.abc import Mapping, Sequence

from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import SourceDocument, read_source_document, to_single_paragraph
from tenure.importers.hugo.bundles import IGNORED_KEYS, IMAGE_KEYS, PageBundle, iterate_bundles
from tenure.importers.hugo.config import HugoConfig
from tenure.importers.hugo.markdown import HugoTextConverter
from tenure.importers.hugo.publications import PUBLICATION_FOLDERS
from tenure.importers.json_data import EMPTY_NODE
from tenure.importers.menu import has_page
from tenure.importers.samples import is_sample_text
from tenure.importers.session import EntryData, MappingReader, join_filled, node_to_text
from tenure.importers.source_folder import location_of
from tenure.importers.yaml_writer import format_yaml
from tenure.markdown.html import make_slug, plain_text
from tenure.sources.node import Node

TALK_FOLDERS = ("event", "events", "talk", "talks")
PROJECT_FOLDERS = ("project", "projects", "portfolio")
POST_FOLDERS = ("post", "posts", "blog", "blogs", "news", "article", "articles")
NON_PAGE_NAMES = frozenset(
    ["home", "authors", "author", "slides", "_index.md", "index.md", "privacy.md", "terms.md", "admin", "tags", "categories", "publication_types"]
)  # fmt: skip
"""Folders and files of content/ that are not the author's pages."""

LINK_NAMES = {name.casefold(): name for name in ("PDF", "Code", "Slides", "Video", "Poster", "Website")}


def import_talks(converter: HugoTextConverter, config: HugoConfig) -> None:
    """Import talks and events to content/talks.yaml, newest first."""
    session = converter.session
    bundles = [*iterate_bundles(converter, config, TALK_FOLDERS)]
    for bundle in sorted(bundles, key=_read_sort_date, reverse=True):
        start = bundle.read_text("event_start") or bundle.read_text("time_start") or bundle.read_text("date")
        end = bundle.read_text("event_end") or bundle.read_text("date_end") or bundle.read_text("time_end")
        bundle.ignore_keys("date", "time_start", "date_end", "time_end")
        first_day, last_day = normalize_date(start), normalize_date(end)
        has_period = first_day and last_day and first_day < last_day
        links = bundle.read_links()
        entry: EntryData = {
            "title": bundle.read_line("title"),
            "event": bundle.read_line("event", "event_name"),
            "place": bundle.converter.to_plain_text(_read_talk_place(bundle), bundle.location),
            "date": f"{first_day} - {last_day}" if has_period else first_day,
            "slides": links.pop("slides", ""),
            "video": links.pop("video", ""),
            "url": parse_web_url(bundle.read_text("event_url")) or links.pop("url", ""),
            "links": {
                "PDF" if label == "pdf" else label[:1].upper() + label[1:]: url
                for label, url in links.items()
            },
            "summary": _read_talk_summary(bundle),
            "tags": bundle.read_all_tags(),
            "draft": bundle.read_draft(),
        }
        bundle.report_unread_keys(
            *IGNORED_KEYS, "event_all_day", "location", "address", "abstract_short", "selected"
        )
        if not entry["title"] and not entry["event"] and not entry["place"]:
            session.record_skipped(bundle.file_name, "a talk without a title, an event or a place")
            continue
        session.add_entry("talks", entry, bundle.file_name)
        if not entry["draft"]:
            bundle.record_moved(bundle.list_old_urls(config), "/talks/")


def _read_sort_date(bundle: PageBundle) -> str:
    front = bundle.node.mapping
    node = front.get("event_start") or front.get("time_start") or front.get("date", EMPTY_NODE)
    return node.text


def _read_talk_place(reader: MappingReader) -> str:
    address = reader.read_mapping("address").node.mapping
    location = reader.read_text("location")
    parts = (node_to_text(address.get(key)) for key in ("city", "region", "country"))
    return join_filled(location, *(part for part in parts if part.casefold() not in location.casefold()))


def _read_talk_summary(bundle: PageBundle) -> str:
    """Return the longest of abstract, summary and text as one paragraph; the others are reported as skipped if they differ."""
    front_texts = [
        bundle.converter.convert_inner_text(bundle.read_text(key), bundle.location)
        for key in ("abstract", "summary")
    ]
    body = "" if bundle.has_sample_text else bundle.body
    texts = [to_single_paragraph(text) for text in (body, *front_texts) if text and not is_sample_text(text)]
    longest = max(texts, key=len, default="")
    for text in texts:
        if text != longest and plain_text(text)[:50] not in plain_text(longest):
            bundle.session.record_skipped(bundle.text_location, f"more about the talk: {text[:90]}")
    return longest


def import_projects(
    converter: HugoTextConverter, config: HugoConfig, related: Mapping[str, list[str]]
) -> None:
    """Import projects to content/projects/, each with the publications that refer to it."""
    for bundle in iterate_bundles(converter, config, PROJECT_FOLDERS):
        image = bundle.find_featured_image()
        links = bundle.read_links()
        names = [name for name in related if name.rpartition("/")[2] == bundle.name.casefold()]
        publications = [key for name in names for key in related[name]]
        front: EntryData = {
            "title": bundle.read_line("title") or bundle.name,
            "date": _read_project_date(bundle),
            "tagline": bundle.read_line("summary", "subtitle", "description"),
            **image,
            "url": links.pop("url", ""),
            "links": _capitalize_labels(links),
            "tags": bundle.read_all_tags(),
            "publications": publications,
            "draft": bundle.read_draft(),
        }
        bundle.ignore_keys("tag", "pdf", "code", "date_end", "end_date", "period")
        _write_content_file(config, bundle, "projects", front, "" if bundle.has_sample_text else bundle.body)


def _read_project_date(reader: MappingReader) -> str:
    """Return a project's date; "" for the default dates of the templates."""
    date = normalize_date(reader.read_text("period") or reader.read_text("date"))
    return "" if re.match(r"2016-04-27|2016-04-20|2022-10-24|2023-10-24|2024-05-19|0001|1970", date) else date


def _capitalize_labels(links: Mapping[str, str]) -> dict[str, str]:
    return {LINK_NAMES.get(label, label): url for label, url in links.items()}


def import_posts(converter: HugoTextConverter, config: HugoConfig) -> None:
    """Import posts to content/posts/ without the template's sample posts."""
    for bundle in iterate_bundles(converter, config, POST_FOLDERS):
        image = bundle.find_featured_image()
        links = bundle.read_links()
        front: EntryData = {
            "title": bundle.read_line("title") or bundle.name,
            "date": bundle.read_post_date(),
            "summary": bundle.read_line("summary", "subtitle", "description", "excerpt"),
            "tags": bundle.read_all_tags(),
            **image,
            "url": parse_web_url(bundle.read_text("link")) or links.pop("url", ""),
            "links": _capitalize_labels(links),
            "draft": bundle.read_draft(),
        }
        bundle.ignore_keys("date")
        _write_content_file(config, bundle, "posts", front, bundle.body)


def import_free_pages(
    converter: HugoTextConverter, config: HugoConfig, imported_folders: Sequence[str]
) -> None:
    """Import every other document of content/ that has text to content/pages/."""
    session = converter.session
    links: dict[str, list[str]] = {}
    for path in session.find_files(config.content_folder, ".md", ".markdown", ".rmd", ".html"):
        section = session.relative_path(path).removeprefix(f"{config.content_folder}/").partition("/")[0]
        is_language = config.content_folder == "content" and re.fullmatch(
            r"[a-z]{2}(?:-[a-z]{2,4})?", section
        )
        if section not in imported_folders and section not in NON_PAGE_NAMES and not is_language:
            links.setdefault(section, [])
    for bundle in iterate_bundles(converter, config, [*links], has_nested_lists=True):
        section = bundle.file_name.removeprefix(f"{config.content_folder}/").split("/")[0]
        is_alone = section == bundle.path.name or (bundle.is_folder and bundle.path.parent.name == section)
        link = _import_free_page(config, bundle)
        if link and not is_alone:
            links[section].append(link)
    for section, section_links in links.items():
        _import_section_page(converter, config, section, "\n".join(section_links))


def _import_free_page(config: HugoConfig, bundle: PageBundle) -> str:
    """Import a document as a page, or as a link if it has no text. Returns its item in the list of its section; "" without one."""
    blocks = bundle.read_items("sections")
    links = _capitalize_labels(bundle.read_links())
    link_texts = [f"[{'Link' if label == 'url' else label}]({url})" for label, url in links.items()]
    text = join_filled(bundle.body, _convert_blocks(bundle, blocks), separator="\n\n")
    title = bundle.read_line("title") or re.sub(r"[-_]+", " ", bundle.name)
    title = title[:1].upper() + title[1:]
    summary = bundle.read_line("summary", "description")
    bundle.ignore_keys("date", "tags", "categories", *IMAGE_KEYS)
    if text:
        text = join_filled(text, " · ".join(link_texts), separator="\n\n")
        url = _write_content_file(config, bundle, "pages", {"title": title, "summary": summary}, text)
        return f"- [{title}]({url})"
    if not links:
        bundle.session.record_skipped(bundle.file_name, "a page without a text of its own")
        return ""
    bundle.report_unread_keys(*IGNORED_KEYS)
    bundle.record_reclassified(
        f"a page without a text, {title}, came over as a link in the list of its section"
    )
    first_link, other_links = f"[{title}]({next(iter(links.values()))})", " · ".join(link_texts[1:])
    return f"- {join_filled(first_link, summary, other_links, separator=': ')}"


def import_list_introductions(converter: HugoTextConverter, config: HugoConfig) -> None:
    """Import the texts of the lists of publications, talks, projects and posts as introductions of their pages."""
    folders_by_page = {
        "publications": PUBLICATION_FOLDERS,
        "talks": TALK_FOLDERS,
        "projects": PROJECT_FOLDERS,
        "posts": POST_FOLDERS,
    }
    for page, folders in folders_by_page.items():
        for folder in folders:
            index = _read_section_index(converter, config, folder)
            if index is not None and index.body and has_page(converter.session, page):
                index.add_page_introduction(page, index.body)


def _read_section_index(
    converter: HugoTextConverter, config: HugoConfig, section: str
) -> SourceDocument | None:
    """The document of a list, _index.md in the folder of a section; None if there is none, or only a sample."""
    session, folder = converter.session, f"{config.content_folder}/{section}"
    paths = [path for path in session.find_files(folder, ".md") if path.stem.partition(".")[0] == "_index"]
    paths = [path for path in paths if session.relative_path(path.parent) == folder]
    path = next(filter(config.has_text, paths), None)
    index = read_source_document(converter.with_folders(folder), path)
    return None if index is None or is_sample_text(index.source_text) else index


def _import_section_page(converter: HugoTextConverter, config: HugoConfig, section: str, links: str) -> None:
    """Import the list of a section as a page: its text, and links to its pages."""
    index = _read_section_index(converter, config, section)
    text = join_filled(index.body if index is not None else "", links, separator="\n\n")
    if not text or f"content/pages/{make_slug(section)}.md" in converter.session.files:
        return
    title = index.read_line("title") if index is not None else ""
    location = index.file_name if index is not None else f"{config.content_folder}/{section}"
    front = format_yaml({"title": title or re.sub(r"[-_]+", " ", section).capitalize()})
    path = f"content/pages/{make_slug(section)}.md"
    path = converter.session.add_text_file(path, f"---\n{front}---\n{text}\n", location)
    converter.session.record_imported(location, path)
    converter.session.record_moved(location, f"/{section}/", f"/{make_slug(section)}/")


def _convert_blocks(bundle: PageBundle, blocks: Sequence[Node]) -> str:
    """Return the texts of a page's blocks as Markdown, under their titles."""
    block_texts: list[str] = []
    for block in blocks:
        content = block.child("content")
        title, text = (node_to_text(content.mapping.get(key)) for key in ("title", "text"))
        if text and not is_sample_text(text):
            markdown = bundle.converter.convert_body(text, location_of(content))
            block_texts.append(join_filled(f"## {title}" if title else "", markdown, separator="\n\n"))
    return "\n\n".join(block_texts)


def _write_content_file(
    config: HugoConfig, bundle: PageBundle, collection: str, front: EntryData, body: str
) -> str:
    """Write a file of content/, report its unread front matter, and record its old URLs. Returns the new URL."""
    bundle.report_unread_keys(*IGNORED_KEYS)
    name = make_slug(bundle.name) or make_slug(str(front.get("title", ""))) or collection
    if collection == "pages":
        new_url = f"/{bundle.write_page(name, front, body)}/"
    else:
        stem = bundle.write(f"content/{collection}/{name}.md", front, body)
        has_page = body or collection == "posts"
        new_url = f"/{collection}/{stem}/" if has_page else f"/{collection}/"
    if not front.get("draft"):
        bundle.record_moved(bundle.list_old_urls(config), new_url)
    return new_url
