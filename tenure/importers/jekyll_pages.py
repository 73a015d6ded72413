"""Imports Jekyll collections of Markdown files: projects, news, courses, posts and pages."""

import re
from collections.abc import Container, Iterable
from pathlib import Path

from tenure.importers.entries import address_of, date_of
from tenure.importers.gathering import Entry, Gathering, Taken, words_of
from tenure.importers.jekyll import Texts, is_made_by_liquid
from tenure.importers.menu import Item, is_there
from tenure.importers.proses import date_in, image_in, proses, words_in, write_prose
from tenure.sources.files import Prose
from tenure.text import slug

LOOKS = (
    "layout", "permalink", "nav", "nav_order", "nav_rank", "inline", "related_posts", "importance", "horizontal", "toc",
    "giscus_comments", "github_stars", "featured", "thumbnail", "bibliography", "pretty_table", "tabs", "mermaid",
    "chart", "code_diff", "map", "tikzjax", "typograms", "pseudocode", "_styles", "citation", "images", "dropdown",
    "author_profile", "read_time", "share", "header", "classes", "sidebar", "toc_label", "toc_icon", "toc_sticky",
    "redirect_from", "mathjax", "author", "entries_layout", "taxonomy", "link", "related", "excerpt_separator", "modified",
    "last_modified_at", "sitemap", "feature_row", "gallery", "type", "category", "search_exclude", "nav_exclude",
    "children", "display_categories", "years", "comments", "disqus_comments", "nav_enabled", "collection", "published",
)  # fmt: skip
"""Front matter keys that configure only the theme or its services."""

Text = tuple[Path, Prose, Taken]
Listed = tuple[float, Item]
"""A menu item with its rank."""

OURS = frozenset(
    {"publications", "projects", "talks", "teaching", "news", "posts", "cv", "experience", "education"}
)
"""Pages that Tenure generates."""


def put_projects(gathering: Gathering, texts: Texts) -> None:
    """Import _projects/*.md to content/projects/, with the keys of their related publications."""
    for path, prose, taken in proses(gathering, "_projects"):
        at = f"{gathering.name_of(path)}:{prose.line}"
        related = re.split(r"[,\s]+", taken.words("related_publications"))
        known = [key for key in related if key in texts.keys]
        lost = [
            key for key in related if key not in texts.keys and key.casefold() not in ("", "true", "false")
        ]
        if lost:
            gathering.left(taken.place, f"related works that no .bib file has: {', '.join(lost)}")
        github, redirect = taken.words("github"), address_of(taken.words("redirect"))
        front: Entry = {
            "title": texts.line(taken.words("title"), taken.place) or path.stem,
            "date": date_in(gathering, taken, path),
            "tagline": texts.line(taken.words("description"), taken.place),
            "image": image_in(texts, taken, "img"),
            "url": redirect
            or address_of(github if "://" in github else f"https://github.com/{github}" if github else ""),
            "tags": [tag for tag in [taken.words("category")] if tag],
            "publications": known,
        }
        old = taken.words("permalink") or f"/projects/{path.stem}/"
        taken.drop(*LOOKS)
        taken.finish()
        body = texts.body(prose.body, at)
        made = write_prose(gathering, path, f"content/projects/{slug(path.stem)}.md", front, body)
        gathering.moved(gathering.name_of(path), old, f"/projects/{made}/" if body else "/projects/")


def put_news(gathering: Gathering, texts: Texts) -> None:
    """Import _news/*.md to content/news.yaml, newest first."""
    for path, prose, taken in reversed([*proses(gathering, "_news")]):
        at = f"{gathering.name_of(path)}:{prose.line}"
        title = texts.line(taken.words("title"), taken.place)
        inline = taken.words("inline").casefold() in ("true", "yes")
        body = texts.body(prose.body, at)
        entry: Entry = {
            "date": date_in(gathering, taken, path),
            "title": "" if inline and body else title,
            "text": body,
            "url": address_of(taken.words("redirect")),
            "image": image_in(texts, taken, "image", "img"),
        }
        taken.drop(*LOOKS, "title")
        taken.finish()
        full = {key: value for key, value in entry.items() if value}
        if set(full) & {"text", "title"}:
            gathering.add("news", full, at)


def put_courses(gathering: Gathering, texts: Texts) -> None:
    """Import _teachings/*.md and _teaching/*.md to content/teaching.yaml; a course's schedule is reported as skipped."""
    courses = (*proses(gathering, "_teachings"), *proses(gathering, "_teaching"))
    for path, prose, taken in courses:
        at = f"{gathering.name_of(path)}:{prose.line}"
        term = " ".join(part for part in (taken.words("term"), taken.words("year")) if part)
        body, title = texts.body(prose.body, at), texts.line(taken.words("title"), taken.place)
        if not title and "\n" not in body:
            title, body = body, ""
        entry: Entry = {
            "course": title or path.stem.replace("_", " "),
            "term": date_of(term) or date_in(gathering, taken, path),
            "institution": taken.words("location"),
            "summary": texts.line(taken.words("description"), taken.place),
            "note": body,
        }
        taken.drop(*LOOKS)
        taken.finish()
        gathering.add("teaching", {key: value for key, value in entry.items() if value}, at)


def put_posts(gathering: Gathering, texts: Texts, form: str = "/blog/{year}/{stem}/") -> None:
    """Import _posts/YYYY-MM-DD-slug.md to content/posts/; `url_pattern` is the old URL of a post without `permalink`."""
    for path, prose, taken in proses(gathering, "_posts"):
        at = f"{gathering.name_of(path)}:{prose.line}"
        stem = re.sub(r"^\d{4}-\d\d-\d\d-|\.+$", "", path.stem)
        date = date_in(gathering, taken, path)
        tags = [*words_in(taken, "tags"), *words_in(taken, "categories")]
        front: Entry = {
            "title": texts.line(taken.words("title"), taken.place) or stem,
            "date": date,
            "summary": texts.line(taken.words("description"), taken.place),
            "tags": [*dict.fromkeys(tags)],
        }
        redirect = address_of(taken.words("redirect"))
        if redirect:
            front["url"] = redirect
        old = taken.words("permalink") or form.format(
            year=date[:4], month=date[5:7], day=date[8:10], stem=stem
        )
        taken.drop(*LOOKS)
        taken.finish()
        made = write_prose(
            gathering, path, f"content/posts/{slug(stem)}.md", front, texts.body(prose.body, at)
        )
        gathering.moved(gathering.name_of(path), old, f"/posts/{made}/")


def put_pages(
    gathering: Gathering, texts: Texts, found: Iterable[Text], skipped: Container[str] = ()
) -> list[Listed]:
    """
    Import free pages to content/pages/; pages generated by Liquid are reported as skipped.

    Returns the menu items of the pages in menu order.
    """
    menu: list[Listed] = []
    for path, prose, taken in found:
        name = gathering.name_of(path)
        old = taken.words("permalink") or ("/" if path.stem == "about" else f"/{path.stem}/")
        title = texts.line(taken.words("title"), taken.place)
        order = taken.words("nav_order", "nav_rank")
        if taken.words("nav").casefold() in ("true", "yes"):
            menu.append(
                (
                    float(order) if re.fullmatch(r"\d+(?:\.\d+)?", order) else 99.0,
                    (title or path.stem, old, name),
                )
            )
        if path.stem in skipped:
            continue
        moved = [words_of(node) for node in taken.list("redirect_from")]
        if is_made_by_liquid(prose.body):
            gathering.left(
                f"{name}:{prose.line}",
                "a page that Liquid generates from the site's data; its text is left out",
            )
            continue
        body = texts.body(prose.body, f"{name}:{prose.line}")
        if not body:
            continue
        wanted = slug(path.stem)
        wanted = f"{wanted}-page" if wanted in OURS and is_there(gathering, wanted) else wanted
        spoken = title or path.stem.replace("-", " ").replace("_", " ")
        front: Entry = {
            "title": spoken[:1].upper() + spoken[1:],
            "summary": texts.line(taken.words("description", "excerpt"), taken.place),
        }
        taken.drop(*LOOKS)
        taken.finish()
        made = write_prose(gathering, path, f"content/pages/{wanted}.md", front, body)
        for address in (old, *moved):
            gathering.moved(name, address, f"/{made}/")
    return sorted(menu)
