"""The collections of al-folio that are files of Markdown: projects, news, courses, posts and pages."""

import re
from collections.abc import Iterator
from pathlib import Path

from tenure.importers.entries import address_of, date_of
from tenure.importers.gathering import Entry, Gathering, Taken
from tenure.importers.jekyll import Texts, is_made_by_liquid
from tenure.importers.samples import POSTS, is_sample
from tenure.importers.yaml_text import yaml_text
from tenure.sources.files import Prose
from tenure.text import slug

LOOKS = (
    "layout", "permalink", "nav", "nav_order", "nav_rank", "inline", "related_posts", "importance", "horizontal", "toc",
    "giscus_comments", "github_stars", "featured", "thumbnail", "bibliography", "pretty_table", "tabs", "mermaid",
    "chart", "code_diff", "map", "tikzjax", "typograms", "pseudocode", "_styles", "citation", "images", "dropdown",
    "children", "display_categories", "years", "comments", "disqus_comments", "nav_enabled", "collection", "published",
)  # fmt: skip
"""Front matter that steers al-folio's look or its services."""

OURS = frozenset(
    {"publications", "projects", "talks", "teaching", "news", "posts", "cv", "experience", "education"}
)
"""Pages that a site makes for itself."""


def _proses(gathering: Gathering, folder: str) -> Iterator[tuple[Path, Prose, Taken]]:
    """Every text of a folder that is not one of the template's."""
    for path in gathering.below(folder, ".md", ".markdown"):
        prose = gathering.prose(path)
        if prose is None:
            continue
        front = " ".join(node.words for node in prose.front.entries.values())
        if is_sample(prose.body) or is_sample(front) or (folder == "_posts" and POSTS.match(path.stem)):
            gathering.left(gathering.name_of(path), "a sample of the template")
            continue
        yield path, prose, Taken(prose.front, gathering)


def _write(gathering: Gathering, path: Path, to: str, front: Entry, body: str) -> None:
    full = {key: value for key, value in front.items() if value}
    gathering.write(to, f"---\n{yaml_text(full)}---\n{body}\n")
    gathering.came(gathering.name_of(path), to)


def _date(gathering: Gathering, taken: Taken, path: Path) -> str:
    """The date of a text: what it says, or what its name begins with."""
    written = taken.words("date")
    named = re.match(r"\d{4}-\d\d-\d\d", path.name)
    date = date_of(written) or date_of(named[0] if named else "")
    if written and not date:
        gathering.left(taken.place, f'the date "{written}", which cannot be read as one')
    return date


def _image(gathering: Gathering, taken: Taken, *keys: str) -> str:
    written = taken.words(*keys)
    if not written or "://" in written:
        if written:
            gathering.left(taken.place, f"a picture that stands elsewhere: {written[:90]}")
        return ""
    found = gathering.copy(written) or gathering.copy(f"assets/img/{written}")
    if not found:
        gathering.left(taken.place, f"a picture that is not in the source: {written}")
    return found


def put_projects(gathering: Gathering, texts: Texts) -> None:
    """_projects/*.md to content/projects/, its related works by their keys."""
    for path, prose, taken in _proses(gathering, "_projects"):
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
            "date": _date(gathering, taken, path),
            "tagline": texts.line(taken.words("description"), taken.place),
            "image": _image(gathering, taken, "img"),
            "url": redirect
            or address_of(github if "://" in github else f"https://github.com/{github}" if github else ""),
            "tags": [tag for tag in [taken.words("category")] if tag],
            "publications": known,
        }
        taken.drop(*LOOKS)
        taken.finish()
        _write(gathering, path, f"content/projects/{slug(path.stem)}.md", front, texts.body(prose.body, at))
        gathering.moved(gathering.name_of(path), f"/projects/{path.stem}/", f"/projects/{slug(path.stem)}/")


def put_news(gathering: Gathering, texts: Texts) -> None:
    """_news/*.md to content/news.yaml, a line each; newest first."""
    for path, prose, taken in reversed([*_proses(gathering, "_news")]):
        at = f"{gathering.name_of(path)}:{prose.line}"
        title = texts.line(taken.words("title"), taken.place)
        inline = taken.words("inline").casefold() in ("true", "yes")
        body = texts.body(prose.body, at)
        entry: Entry = {
            "date": _date(gathering, taken, path),
            "title": "" if inline and body else title,
            "text": body,
            "url": address_of(taken.words("redirect")),
            "image": _image(gathering, taken, "image", "img"),
        }
        taken.drop(*LOOKS, "title")
        taken.finish()
        full = {key: value for key, value in entry.items() if value}
        if set(full) & {"text", "title"}:
            gathering.add("news", full, at)


def put_courses(gathering: Gathering, texts: Texts) -> None:
    """_teachings/*.md, or _teaching/*.md, to content/teaching.yaml; the schedule of a course is noted."""
    courses = (*_proses(gathering, "_teachings"), *_proses(gathering, "_teaching"))
    for path, prose, taken in courses:
        at = f"{gathering.name_of(path)}:{prose.line}"
        term = " ".join(part for part in (taken.words("term"), taken.words("year")) if part)
        body, title = texts.body(prose.body, at), texts.line(taken.words("title"), taken.place)
        if not title and "\n" not in body:
            title, body = body, ""
        entry: Entry = {
            "course": title or path.stem.replace("_", " "),
            "term": date_of(term) or _date(gathering, taken, path),
            "institution": taken.words("location"),
            "summary": texts.line(taken.words("description"), taken.place),
            "note": body,
        }
        taken.drop(*LOOKS)
        taken.finish()
        gathering.add("teaching", {key: value for key, value in entry.items() if value}, at)


def put_posts(gathering: Gathering, texts: Texts) -> None:
    """_posts/YYYY-MM-DD-slug.md to content/posts/."""
    for path, prose, taken in _proses(gathering, "_posts"):
        at = f"{gathering.name_of(path)}:{prose.line}"
        stem = re.sub(r"^\d{4}-\d\d-\d\d-|\.+$", "", path.stem)
        date = _date(gathering, taken, path)
        tags = [*_tags(taken, "tags"), *_tags(taken, "categories")]
        front: Entry = {
            "title": texts.line(taken.words("title"), taken.place) or stem,
            "date": date,
            "summary": texts.line(taken.words("description"), taken.place),
            "tags": [*dict.fromkeys(tags)],
        }
        redirect = address_of(taken.words("redirect"))
        if redirect:
            front["url"] = redirect
        taken.drop(*LOOKS)
        taken.finish()
        _write(gathering, path, f"content/posts/{slug(stem)}.md", front, texts.body(prose.body, at))
        gathering.moved(gathering.name_of(path), f"/blog/{date[:4]}/{stem}/", f"/posts/{slug(stem)}/")


def _tags(taken: Taken, key: str) -> list[str]:
    """Tags in a list, or in one string with spaces, as Jekyll reads them."""
    nodes = taken.list(key)
    return [tag for node in nodes for tag in (node.words.split() if len(nodes) == 1 else [node.words]) if tag]


def put_pages(gathering: Gathering, texts: Texts) -> None:
    """_pages/*.md to content/pages/; those that al-folio makes of other files are noted."""
    for path, prose, taken in _proses(gathering, "_pages"):
        name = gathering.name_of(path)
        if path.stem in ("about", "404"):
            continue
        if is_made_by_liquid(prose.body):
            gathering.left(
                f"{name}:{prose.line}", "a page that Liquid makes of the site's data; its words are left"
            )
            continue
        body = texts.body(prose.body, f"{name}:{prose.line}")
        if not body:
            continue
        wanted = slug(path.stem)
        wanted = f"{wanted}-page" if wanted in OURS else wanted
        title = texts.line(taken.words("title"), taken.place) or path.stem
        front: Entry = {
            "title": title[:1].upper() + title[1:],
            "summary": texts.line(taken.words("description"), taken.place),
        }
        old = taken.words("permalink") or f"/{path.stem}/"
        taken.drop(*LOOKS)
        taken.finish()
        _write(gathering, path, f"content/pages/{wanted}.md", front, body)
        gathering.moved(name, old, f"/{wanted}/")
