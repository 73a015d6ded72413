"""Imports Jekyll collections of Markdown files: projects, news, courses, posts and pages."""

import re
from collections.abc import Container, Iterable
from pathlib import Path

from tenure.importers.cv_entries import normalize_date, parse_web_url
from tenure.importers.documents import (
    import_image,
    iterate_documents,
    read_document_date,
    read_tags,
    write_document,
)
from tenure.importers.menu import MenuItem, has_page
from tenure.importers.session import EntryData, ImportSession, MappingReader, node_to_text
from tenure.importers.text_converter import SourceTextConverter, is_made_by_liquid
from tenure.markdown.html import make_slug
from tenure.sources.files import MarkdownFile

IGNORED_KEYS = (
    "layout", "permalink", "nav", "nav_order", "nav_rank", "inline", "related_posts", "importance", "horizontal", "toc",
    "giscus_comments", "github_stars", "featured", "thumbnail", "bibliography", "pretty_table", "tabs", "mermaid",
    "chart", "code_diff", "map", "tikzjax", "typograms", "pseudocode", "_styles", "citation", "images", "dropdown",
    "author_profile", "read_time", "share", "header", "classes", "sidebar", "toc_label", "toc_icon", "toc_sticky",
    "redirect_from", "mathjax", "author", "entries_layout", "taxonomy", "link", "related", "excerpt_separator", "modified",
    "last_modified_at", "sitemap", "feature_row", "gallery", "type", "category", "search_exclude", "nav_exclude",
    "children", "display_categories", "years", "comments", "disqus_comments", "nav_enabled", "collection", "published",
)  # fmt: skip
"""Front matter keys that configure only the theme or its services."""

SourceDocument = tuple[Path, MarkdownFile, MappingReader]
RankedMenuItem = tuple[float, MenuItem]
"""A menu item with its rank."""

GENERATED_PAGES = frozenset(
    {"publications", "projects", "talks", "teaching", "news", "posts", "cv", "experience", "education"}
)
"""Pages that Tenure generates."""


def import_projects(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import _projects/*.md to content/projects/, with the keys of their related publications."""
    for path, document, reader in iterate_documents(session, "_projects"):
        location = f"{session.relative_path(path)}:{document.body_line}"
        related_keys = re.split(r"[,\s]+", reader.read_text("related_publications"))
        known_keys = [key for key in related_keys if key in converter.citable_keys]
        unknown_keys = [
            key
            for key in related_keys
            if key not in converter.citable_keys and key.casefold() not in ("", "true", "false")
        ]
        if unknown_keys:
            session.record_skipped(
                reader.location, f"related works that no .bib file has: {', '.join(unknown_keys)}"
            )
        github, redirect = reader.read_text("github"), parse_web_url(reader.read_text("redirect"))
        front: EntryData = {
            "title": converter.convert_line(reader.read_text("title"), reader.location) or path.stem,
            "date": read_document_date(session, reader, path),
            "tagline": converter.convert_line(reader.read_text("description"), reader.location),
            "image": import_image(converter, reader, "img"),
            "url": redirect
            or parse_web_url(github if "://" in github else f"https://github.com/{github}" if github else ""),
            "tags": [tag for tag in [reader.read_text("category")] if tag],
            "publications": known_keys,
        }
        old_url = reader.read_text("permalink") or f"/projects/{path.stem}/"
        reader.ignore_keys(*IGNORED_KEYS)
        reader.report_unread_keys()
        body = converter.convert_body(document.body, location)
        file_stem = write_document(session, path, f"content/projects/{make_slug(path.stem)}.md", front, body)
        session.record_moved(
            session.relative_path(path), old_url, f"/projects/{file_stem}/" if body else "/projects/"
        )


def import_news(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import _news/*.md to content/news.yaml, newest first."""
    for path, document, reader in reversed([*iterate_documents(session, "_news")]):
        location = f"{session.relative_path(path)}:{document.body_line}"
        title = converter.convert_line(reader.read_text("title"), reader.location)
        is_inline = reader.read_text("inline").casefold() in ("true", "yes")
        body = converter.convert_body(document.body, location)
        entry: EntryData = {
            "date": read_document_date(session, reader, path),
            "title": "" if is_inline and body else title,
            "text": body,
            "url": parse_web_url(reader.read_text("redirect")),
            "image": import_image(converter, reader, "image", "img"),
        }
        reader.ignore_keys(*IGNORED_KEYS, "title")
        reader.report_unread_keys()
        filled_entry = {key: value for key, value in entry.items() if value}
        if set(filled_entry) & {"text", "title"}:
            session.add_entry("news", filled_entry, location)


def import_courses(session: ImportSession, converter: SourceTextConverter) -> None:
    """Import _teachings/*.md and _teaching/*.md to content/teaching.yaml; a course's schedule is reported as skipped."""
    courses = (*iterate_documents(session, "_teachings"), *iterate_documents(session, "_teaching"))
    for path, document, reader in courses:
        location = f"{session.relative_path(path)}:{document.body_line}"
        term = " ".join(part for part in (reader.read_text("term"), reader.read_text("year")) if part)
        body, title = (
            converter.convert_body(document.body, location),
            converter.convert_line(reader.read_text("title"), reader.location),
        )
        if not title and "\n" not in body:
            title, body = body, ""
        entry: EntryData = {
            "course": title or path.stem.replace("_", " "),
            "term": normalize_date(term) or read_document_date(session, reader, path),
            "institution": reader.read_text("location"),
            "summary": converter.convert_line(reader.read_text("description"), reader.location),
            "note": body,
        }
        reader.ignore_keys(*IGNORED_KEYS)
        reader.report_unread_keys()
        session.add_entry("teaching", {key: value for key, value in entry.items() if value}, location)


def import_posts(
    session: ImportSession, converter: SourceTextConverter, url_pattern: str = "/blog/{year}/{stem}/"
) -> None:
    """Import _posts/YYYY-MM-DD-slug.md to content/posts/; `url_pattern` is the old URL of a post without `permalink`."""
    for path, document, reader in iterate_documents(session, "_posts"):
        location = f"{session.relative_path(path)}:{document.body_line}"
        stem = re.sub(r"^\d{4}-\d\d-\d\d-|\.+$", "", path.stem)
        date = read_document_date(session, reader, path)
        tags = [*read_tags(reader, "tags"), *read_tags(reader, "categories")]
        front: EntryData = {
            "title": converter.convert_line(reader.read_text("title"), reader.location) or stem,
            "date": date,
            "summary": converter.convert_line(reader.read_text("description"), reader.location),
            "tags": [*dict.fromkeys(tags)],
        }
        redirect = parse_web_url(reader.read_text("redirect"))
        if redirect:
            front["url"] = redirect
        old_url = reader.read_text("permalink") or url_pattern.format(
            year=date[:4], month=date[5:7], day=date[8:10], stem=stem
        )
        reader.ignore_keys(*IGNORED_KEYS)
        reader.report_unread_keys()
        file_stem = write_document(
            session,
            path,
            f"content/posts/{make_slug(stem)}.md",
            front,
            converter.convert_body(document.body, location),
        )
        session.record_moved(session.relative_path(path), old_url, f"/posts/{file_stem}/")


def import_free_pages(
    session: ImportSession,
    converter: SourceTextConverter,
    documents: Iterable[SourceDocument],
    skipped_stems: Container[str] = (),
) -> list[RankedMenuItem]:
    """
    Import free pages to content/pages/; pages generated by Liquid are reported as skipped.

    Returns the menu items of the pages in menu order.
    """
    ranked_items: list[RankedMenuItem] = []
    for path, document, reader in documents:
        name = session.relative_path(path)
        old_url = reader.read_text("permalink") or ("/" if path.stem == "about" else f"/{path.stem}/")
        title = converter.convert_line(reader.read_text("title"), reader.location)
        order = reader.read_text("nav_order", "nav_rank")
        if reader.read_text("nav").casefold() in ("true", "yes"):
            ranked_items.append(
                (
                    float(order) if re.fullmatch(r"\d+(?:\.\d+)?", order) else 99.0,
                    (title or path.stem, old_url, name),
                )
            )
        if path.stem in skipped_stems:
            continue
        redirected_urls = [node_to_text(node) for node in reader.read_items("redirect_from")]
        if is_made_by_liquid(document.body):
            session.record_skipped(
                f"{name}:{document.body_line}",
                "a page that Liquid generates from the site's data; its text is left out",
            )
            continue
        body = converter.convert_body(document.body, f"{name}:{document.body_line}")
        if not body:
            continue
        wanted_name = make_slug(path.stem)
        wanted_name = (
            f"{wanted_name}-page"
            if wanted_name in GENERATED_PAGES and has_page(session, wanted_name)
            else wanted_name
        )
        page_title = title or path.stem.replace("-", " ").replace("_", " ")
        front: EntryData = {
            "title": page_title[:1].upper() + page_title[1:],
            "summary": converter.convert_line(reader.read_text("description", "excerpt"), reader.location),
        }
        reader.ignore_keys(*IGNORED_KEYS)
        reader.report_unread_keys()
        file_stem = write_document(session, path, f"content/pages/{wanted_name}.md", front, body)
        for url in (old_url, *redirected_urls):
            session.record_moved(name, url, f"/{file_stem}/")
    return sorted(ranked_items)
