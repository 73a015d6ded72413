"""Imports Jekyll collections of Markdown files: projects, news, courses, posts, those that the owner has added, and pages."""

import re
from collections.abc import Container, Iterable, Sequence

from tenure.importers.cv_entries import collection_for_heading, normalize_date, parse_web_url
from tenure.importers.documents import (
    SourceDocument,
    import_image,
    iterate_documents,
    sort_newest_first,
    to_single_paragraph,
)
from tenure.importers.liquid_blocks import (
    collection_for_name,
    extract_static_text,
    find_generated_list,
    is_made_by_liquid,
)
from tenure.importers.liquid_includes import find_listed_collection
from tenure.importers.menu import MenuItem, has_page
from tenure.importers.resume.rendercv import import_list
from tenure.importers.session import EntryData, ImportSession, join_filled, node_to_text
from tenure.importers.text_converter import SourceTextConverter
from tenure.markdown.html import make_slug
from tenure.sources.node import Node

IGNORED_KEYS = (
    "layout", "permalink", "nav", "nav_order", "nav_rank", "inline", "related_posts", "importance", "horizontal", "toc",
    "giscus_comments", "github_stars", "featured", "thumbnail", "bibliography", "pretty_table", "tabs", "mermaid",
    "chart", "code_diff", "map", "tikzjax", "typograms", "pseudocode", "_styles", "citation", "images", "dropdown",
    "author_profile", "read_time", "share", "header", "classes", "sidebar", "toc_label", "toc_icon", "toc_sticky",
    "redirect_from", "mathjax", "author", "entries_layout", "taxonomy", "link", "related", "excerpt_separator", "modified",
    "last_modified_at", "sitemap", "feature_row", "gallery", "type", "category", "search_exclude", "nav_exclude",
    "media_subpath", "img_path", "pin", "math", "icon", "order", "children", "display_categories", "years", "comments", "disqus_comments", "nav_enabled", "collection", "published",
)  # fmt: skip
"""Front matter keys that configure only the theme or its services."""

_FIRST_HEADING = re.compile(r"\s*(?:#{1,3}\s+(.+?)[ \t]*#*|(\S.*)\n(?:=+|-+)[ \t]*)(?:\n+|\Z)")

DOCUMENT_SUFFIXES = (".md", ".markdown", ".html")
_KNOWN_FOLDERS = re.compile(
    r"_(?:pages|tabs|posts|drafts|publications|talks|presentations|teachings?|portfolio|projects|news|members|alumni|people|team"
    r"|data|includes|layouts|sass|plugins|site|bibliography|cite|scripts|books|ext|assets|config)"
)
"""The folders that have an importer of their own, or that are no collections."""

RankedMenuItem = tuple[float, MenuItem]
"""A menu item with its rank."""


def import_projects(converter: SourceTextConverter) -> None:
    """Import _projects/*.md to content/projects/, with the keys of their related publications."""
    for document in iterate_documents(converter, "_projects"):
        keys = re.split(r"[,\s]+", document.read_text("related_publications"))
        other_keys = [key for key in keys if key not in converter.citable_keys]
        unknown_keys = [key for key in other_keys if key.casefold() not in ("", "true", "false")]
        if unknown_keys:
            document.record_skipped(f"related works that no .bib file has: {', '.join(unknown_keys)}")
        github, redirect = document.read_text("github"), parse_web_url(document.read_text("redirect"))
        github_url = github if "://" in github or not github else f"https://github.com/{github}"
        category = document.read_text("category")
        front: EntryData = {
            "title": document.read_line("title") or document.path.stem,
            "date": document.read_date(),
            "tagline": document.read_line("description"),
            "image": import_image(converter, document, "img"),
            "url": redirect or parse_web_url(github_url),
            "tags": [category] if category else [],
            "publications": [key for key in keys if key in converter.citable_keys],
        }
        write_project(document, front, "projects")


def write_project(document: SourceDocument, front: EntryData, old_section: str) -> None:
    """Write a document to content/projects/, report its unread front matter, and record its old URL."""
    stem = document.path.stem
    old_url = document.read_text("permalink") or f"/{old_section}/{stem}/"
    front["links"] = document.read_other_links()
    document.report_unread_keys(*IGNORED_KEYS)
    new_stem = document.write(f"content/projects/{make_slug(stem)}.md", front, document.body)
    document.record_moved([old_url], f"/projects/{new_stem}/" if document.body else "/projects/")


def import_news(converter: SourceTextConverter, folder: str = "_news") -> None:
    """Import _news/*.md to content/news.yaml, newest first."""
    for document in sort_newest_first(iterate_documents(converter, folder)):
        title = document.read_line("title")
        entry: EntryData = {
            "date": document.read_date(),
            "title": "" if document.read_flag("inline") and document.body else title,
            "text": document.body,
            "url": parse_web_url(document.read_text("redirect")),
            "image": import_image(converter, document, "image", "img"),
        }
        document.report_unread_keys(*IGNORED_KEYS, "title")
        if entry["text"] or entry["title"]:
            converter.session.add_entry("news", entry, document.text_location)


def import_courses(converter: SourceTextConverter) -> None:
    """Import _teachings/*.md and _teaching/*.md to content/teaching.yaml; a course's schedule is reported as skipped."""
    for document in (*iterate_documents(converter, "_teachings"), *iterate_documents(converter, "_teaching")):
        term = f"{document.read_text('term')} {document.read_text('year')}".strip()
        body, title = document.body, document.read_line("title")
        if not title and "\n" not in body:
            title, body = body, ""
        entry: EntryData = {
            "course": title or document.path.stem.replace("_", " "),
            "term": normalize_date(term) or document.read_date(),
            "institution": document.read_text("location"),
            "summary": document.read_line("description"),
            "note": body,
        }
        document.report_unread_keys(*IGNORED_KEYS)
        converter.session.add_entry("teaching", entry, document.text_location)


def import_posts(converter: SourceTextConverter, url_pattern: str = "/blog/{year}/{stem}/") -> None:
    """Import _posts/YYYY-MM-DD-slug.md to content/posts/; `url_pattern` is the old URL of a post without `permalink`."""
    for document in iterate_documents(converter, "_posts"):
        stem = re.sub(r"^\d{4}-\d\d?-\d\d?-|\.+$", "", document.path.stem)
        date = document.read_date()
        front: EntryData = {
            "title": document.read_line("title") or stem,
            "date": date,
            "summary": document.read_line("description"),
            "tags": [*dict.fromkeys([*document.read_tags("tags"), *document.read_tags("categories")])],
            "image": import_image(document.converter, document, "image"),
            "url": parse_web_url(document.read_text("redirect")),
        }
        default_url = url_pattern.format(year=date[:4], month=date[5:7], day=date[8:10], stem=stem)
        old_url = document.read_text("permalink") or default_url
        document.report_unread_keys(*IGNORED_KEYS)
        new_stem = document.write(f"content/posts/{make_slug(stem)}.md", front, document.body)
        document.record_moved([old_url], f"/posts/{new_stem}/")


def list_own_folders(session: ImportSession) -> dict[str, str]:
    """The folders of other collections with the list of Tenure that each one is by its name; "" for a list of its own."""
    names = map(session.relative_path, session.find_files("", *DOCUMENT_SUFFIXES))
    folders = {name.partition("/")[0] for name in names if name.startswith("_") and "/" in name}
    own_folders = sorted(folder for folder in folders if not _KNOWN_FOLDERS.fullmatch(folder))
    return {folder: collection_for_name(folder) for folder in own_folders}


def import_own_collections(converter: SourceTextConverter) -> None:
    """Import each other collection, as entries of a CV if its name says so, else as a list with its own page."""
    for folder, collection in list_own_folders(converter.session).items():
        if collection in ("people", "publications"):
            continue  # imported with the members and the publications
        documents = [
            document
            for document in sort_newest_first(iterate_documents(converter, folder, *DOCUMENT_SUFFIXES))
            if document.node.mapping
        ]
        for path in converter.session.find_files(folder, *DOCUMENT_SUFFIXES):
            if path not in {document.path for document in documents}:
                converter.session.read_files.discard(converter.session.relative_path(path))
        if documents and collection == "news":
            import_news(converter, folder)
        elif documents and collection:
            _import_known_list(documents, collection)
        elif documents:
            _import_own_list(documents, folder, make_slug(folder.strip("_")))


def _import_known_list(documents: list[SourceDocument], collection: str) -> None:
    converter = documents[0].converter
    nodes = []
    for document in documents:
        front = document.node.mapping
        mapping = {key: front[key] for key in front if key not in IGNORED_KEYS or key == "link"}
        text = to_single_paragraph(document.body)
        if text and not {"summary", "description"} & mapping.keys():
            mapping["summary"] = Node(text, document.node.place)
        nodes.append(Node(mapping, document.node.place))
        old_urls = document.read_old_urls(f"/{collection}/{document.path.stem}/")
        document.record_moved(old_urls, f"/{collection}/")
    section = Node(tuple(nodes), nodes[0].place)
    import_list(converter.session, collection, section, converter.convert_line, "bib/papers.bib")


def _import_own_list(documents: list[SourceDocument], folder: str, name: str) -> None:
    """Import a list of its own; a text of several paragraphs becomes a page that its entry links."""
    session = documents[0].session
    title = folder.strip("_").replace("_", " ").replace("-", " ").capitalize()
    session.list_pages[name] = title
    for document in documents:
        permalink = document.read_text("permalink")
        url = parse_web_url(permalink)
        old_urls = [f"/{name}/{document.path.stem}/" if url or not permalink else permalink]
        url = url or parse_web_url(document.read_text("link", "url", "external_url", "website", "paperurl"))
        body = document.body
        entry: EntryData = {
            "title": document.read_line("title", "name") or document.path.stem,
            "date": document.read_date() or normalize_date(document.read_text("year")),
            "organization": document.read_line("venue", "organization", "publisher", "institution"),
            "role": document.read_line("role", "position"),
            "location": document.read_plain_text("location"),
            "summary": document.read_line("description", "summary", "excerpt", "subtitle"),
            "image": import_image(document.converter, document, "image", "img", "photo"),
        }
        notes = [document.read_line(key) for key in ("status", "coauthors", "note")]
        entry["note"] = join_filled(*notes, separator=" · ")
        old_urls += document.read_texts("redirect_from")
        links = document.read_other_links()
        document.report_unread_keys(*IGNORED_KEYS)
        if "\n\n" in body:
            front: EntryData = {"title": entry["title"], "date": entry["date"], "menu": "false"}
            new_url = f"/{document.write_page(f'{name}-{document.path.stem}', front, body)}/"
            entry |= {"links": links, "url": new_url}
        else:
            new_url = f"/{name}/"
            summary = entry["summary"] or to_single_paragraph(body)
            entry |= {"summary": summary, "url": url, "links": links}
        document.record_moved(old_urls, new_url)
        session.add_entry(name, entry, document.file_name, title)


def import_free_pages(
    documents: Iterable[SourceDocument], skipped_stems: Container[str] = ()
) -> list[RankedMenuItem]:
    """
    Import free pages to content/pages/; pages generated by Liquid are reported as skipped.

    Returns the menu items of the pages in menu order.
    """
    ranked_items: list[RankedMenuItem] = []
    for document in documents:
        name = document.page_name
        old_urls = document.read_old_urls("/" if name == "about" else document.default_url)
        title = remove_site_name(document.session, document.read_line("title"))
        title = title or _read_first_heading(document)
        rank = _read_menu_rank(document)
        if rank is not None:
            ranked_items.append((rank, (title or name, old_urls[0], document.file_name)))
        cv = document.read_text("cv_pdf")
        if cv and "cv" not in document.session.profile:
            document.session.profile["cv"] = document.session.copy_first_file((cv, f"assets/pdf/{cv}"))
        if name not in skipped_stems:
            _import_free_page(document, title, old_urls)
    return sorted(ranked_items)


def remove_site_name(session: ImportSession, title: str) -> str:
    """The title of a page without the name of the site in front of it or behind it: "Tidal Lab - Team"."""
    site_words = {*make_slug(str(session.profile.get("name", ""))).split("-")}
    parts = re.split(r"\s+[-–—|·]+\s+|:\s+", title)
    own_parts = [part for part in parts if not {*make_slug(part).split("-")} <= site_words]
    return own_parts[0] if len(parts) == 2 and len(own_parts) == 1 else title


def _read_first_heading(document: SourceDocument) -> str:
    """The heading at the start of a text, which is the title of a page without one; "" if the text has none."""
    heading = _FIRST_HEADING.match(document.source_text)
    text = (heading[1] or heading[2]) if heading else ""
    return document.converter.convert_line(text, document.text_location) if text else ""


def _read_menu_rank(document: SourceDocument) -> float | None:
    """The rank of a page in the menu: `nav: true` and `nav_order`, or `nav: {order: 1}`; None if the menu has no such page."""
    nav = document.read_node("nav")
    order = document.read_text("nav_order", "nav_rank")
    if nav is not None and nav.mapping:
        order = node_to_text(nav.mapping.get("order"))
    elif node_to_text(nav).casefold() not in ("true", "yes"):
        return None
    return float(order) if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", order) else 99.0


def _import_free_page(document: SourceDocument, title: str, old_urls: Sequence[str]) -> None:
    title = title or document.page_name.replace("-", " ").replace("_", " ")
    source_text = document.source_text
    is_generated = is_made_by_liquid(source_text)
    listed_collection = find_listed_collection(source_text)
    if is_generated and not listed_collection:
        listed_collection = find_generated_list(source_text, document.session.list_pages)
    body = _convert_static_text(document) if is_generated else document.body
    if listed_collection and has_page(document.session, listed_collection):
        _import_page_of_list(document, listed_collection, title, old_urls, body)
    elif (is_generated or document.body) and not has_text(body):
        reason = "a page that Liquid generates from the site's data; its text is left out"
        document.session.record_skipped(document.text_location, reason)
    elif body:
        summary = document.read_line("description", "excerpt")
        front: EntryData = {"title": title[:1].upper() + title[1:], "summary": summary}
        document.report_unread_keys(*IGNORED_KEYS)
        body = remove_title_heading(body, title)
        new_name = document.write_page(document.page_name, front, body)
        document.record_moved(old_urls, f"/{new_name}/")
    else:
        _import_lists_of_page(document, title, old_urls)


def _convert_static_text(document: SourceDocument) -> str:
    """The text of a page without the lists and the conditional texts that Liquid generates; "" if it has no other text."""
    static_text = extract_static_text(document.source_text)
    return document.converter.convert_body(static_text, document.text_location) if static_text else ""


def _import_lists_of_page(document: SourceDocument, title: str, old_urls: Sequence[str]) -> None:
    """Import the lists in the front matter of a page without a text, such as `talks:`; other values are reported."""
    names: list[str] = []
    for key, node in document.unread_nodes().items():
        if key in IGNORED_KEYS or not node.items or not all(item.mapping for item in node.items):
            continue
        document.ignore_keys(key)
        path = f"bib/{make_slug(key) or 'page'}.bib"
        import_list(document.session, key, node, document.converter.convert_line, path)
        names += filter(document.session.has_collection, (collection_for_heading(key), make_slug(key)))
    document.report_unread_keys(*IGNORED_KEYS, "description", "excerpt")
    if names:
        document.session.page_titles.setdefault(names[0], title)
        document.record_moved(old_urls, f"/{names[0]}/" if has_page(document.session, names[0]) else "/cv/")


def _import_page_of_list(
    document: SourceDocument, collection: str, title: str, old_urls: Sequence[str], body: str
) -> None:
    """Import a page that shows a list and a text: the text becomes a section of the page of the list."""
    document.report_unread_keys(*IGNORED_KEYS, "title", "description", "excerpt")
    document.record_moved(old_urls, f"/{collection}/")
    document.session.page_titles.setdefault(collection, title)
    text = remove_title_heading(body, title)
    if has_text(text):
        document.add_page_introduction(collection, text)


def remove_title_heading(body: str, title: str) -> str:
    """The text without a first heading that repeats the title of its page."""
    heading = _FIRST_HEADING.match(body)
    is_title = heading is not None and make_slug(heading[1] or heading[2]) == make_slug(title)
    return body[heading.end() :] if heading is not None and is_title else body


def has_text(body: str) -> bool:
    """Whether a text has more than headings."""
    body = re.sub(r"<h[1-6]\b[^<>]*>[^<>]*</h[1-6]>", "", body)
    return any(line.strip() and not line.startswith("#") for line in body.split("\n"))
