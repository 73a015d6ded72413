"""Imports academicpages and similar Jekyll sites: _config.yml, _publications, _talks, _teaching, _portfolio, _posts, pages."""

import re
from collections.abc import Mapping
from pathlib import Path

from tenure.importers.cv_markdown import read_cv_page
from tenure.importers.entries import date_of
from tenure.importers.gathering import Entry, Gathering, Imported, Taken, words_of
from tenure.importers.jekyll import Texts
from tenure.importers.jekyll_pages import LOOKS, Text, put_pages, put_posts
from tenure.importers.jekyll_settings import put_settings
from tenure.importers.jekyll_works import put_works
from tenure.importers.json_resume import read_resume
from tenure.importers.menu import Item, known_pages, put_menu, put_redirects
from tenure.importers.proses import date_in, image_in, other_links, paragraph, proses, write_prose
from tenure.importers.samples import is_sample, is_sample_address
from tenure.problems import Place
from tenure.sources.tree import Node
from tenure.text import slug


def academicpages(source: Path) -> Imported:
    """Import a Jekyll site. The import runs twice because links need the new URLs of all pages."""
    before = _gathered(source, {})  # gives the new URLs of the pages
    return _gathered(source, known_pages(before)).done("academicpages")


def _gathered(source: Path, pages: Mapping[str, str]) -> Gathering:
    gathering = Gathering(source)
    path = gathering.path("_config.yml", "_config.yaml", "_config.toml")
    settings = gathering.yaml(path) if path is not None else None
    put_settings(gathering, settings or Node({}, Place("_config.yml", 1, 1)))
    url = str(gathering.settings.get("url", ""))
    texts = Texts(
        gathering, pages, frozenset(), url, ("", "images", "files", "assets", "assets/images", "assets/img")
    )
    put_works(gathering, texts)
    _put_talks(gathering, texts)
    _put_teaching(gathering, texts)
    _put_portfolio(gathering, texts)
    put_posts(gathering, texts, "/posts/{year}/{month}/{stem}/")
    _put_pages(gathering, texts)
    put_menu(gathering, _menu(gathering))
    put_redirects(gathering)
    gathering.name_the_rest(MACHINERY, ASSETS)
    return gathering


def _put_talks(gathering: Gathering, texts: Texts) -> None:
    """Import _talks to content/talks.yaml, newest first."""
    for path, prose, taken in reversed([*proses(gathering, "_talks"), *proses(gathering, "_presentations")]):
        name = gathering.name_of(path)
        entry: Entry = {
            "title": texts.line(taken.words("title"), taken.place) or path.stem,
            "event": texts.line(taken.words("venue", "event", "conference"), taken.place),
            "place": texts.plain(taken.words("location")),
            "date": date_in(gathering, taken, path),
            "kind": texts.plain(taken.words("type", "talk_type")),
            "summary": paragraph(texts.body(prose.body, f"{name}:{prose.line}")),
        }
        entry |= _handouts(
            texts,
            taken,
            {
                "slides": ("slides", "slidesurl", "slides_url", "ppt"),
                "video": ("video", "videourl", "recording", "youtubelink", "youtube"),
            },
        )
        _finish(texts, taken, path, entry, "talks")


def _put_teaching(gathering: Gathering, texts: Texts) -> None:
    """Import _teaching to content/teaching.yaml; 1 January is read as the year alone."""
    for path, prose, taken in reversed([*proses(gathering, "_teaching"), *proses(gathering, "_teachings")]):
        name = gathering.name_of(path)
        when = date_in(gathering, taken, path)
        kind, where = texts.plain(taken.words("type")), texts.plain(taken.words("location"))
        entry: Entry = {
            "course": texts.line(taken.words("title"), taken.place) or path.stem,
            "role": taken.words("role"),
            "term": date_of(taken.words("term", "semester")) or re.sub(r"-01-01$", "", when),
            "institution": texts.plain(taken.words("venue", "institution")),
            "note": ", ".join(part for part in (kind, where) if part),
            "summary": paragraph(texts.body(prose.body, f"{name}:{prose.line}")),
        }
        _finish(texts, taken, path, entry, "teaching")


def _finish(texts: Texts, taken: Taken, path: Path, entry: Entry, collection: str) -> None:
    """Add an entry with its remaining front matter, and record the moved URLs of its page."""
    gathering = texts.gathering
    entry |= _handouts(texts, taken, {"url": ("link", "url", "paperurl", "website")})
    links = other_links(texts, taken)
    entry |= {"links": links} if links else {}
    name, old = gathering.name_of(path), taken.words("permalink")
    moved = [words_of(node) for node in taken.list("redirect_from")]
    taken.drop(*LOOKS, "excerpt", "header")
    taken.finish()
    gathering.add(collection, {key: value for key, value in entry.items() if value}, name)
    for address in (old or f"/{collection}/{path.stem}/", *moved):
        gathering.moved(name, address, f"/{collection}/")


def _handouts(texts: Texts, taken: Taken, names: Mapping[str, tuple[str, ...]]) -> Entry:
    """Return URLs and copied files by Tenure's field names."""
    found: Entry = {}
    for field, keys in names.items():
        written = taken.words(*keys)
        address = texts.address(written, taken.place) if written and not is_sample_address(written) else ""
        if address:
            found[field] = address
    return found


def _put_portfolio(gathering: Gathering, texts: Texts) -> None:
    """Import _portfolio and _projects to content/projects/."""
    both = [
        *proses(gathering, "_portfolio", ".md", ".markdown", ".html"),
        *proses(gathering, "_projects", ".md", ".markdown", ".html"),
    ]
    for path, prose, taken in both:
        name = gathering.name_of(path)
        excerpt = taken.words("excerpt", "description", "summary")
        shown = re.search(r"<img\b[^>]*?\bsrc\s*=\s*[\"']?([^\"'\s>]+)", excerpt)
        header = taken.node_of("header")
        head = Taken(header, gathering) if header is not None and header.entries else None
        image = image_in(texts, head, "teaser", "image") if head is not None else ""
        front: Entry = {
            "title": texts.line(taken.words("title"), taken.place) or path.stem,
            "date": date_in(gathering, taken, path),
            "tagline": texts.line(re.sub(r"<img\b[^>]*>|<br\s*/?>", " ", excerpt), taken.place),
            "image": image or (texts.file(shown[1]) if shown else ""),
            "tags": [words_of(node) for node in taken.list("tags")],
        }
        front |= _handouts(texts, taken, {"url": ("link", "url", "website", "paperurl")})
        old = taken.words("permalink") or f"/portfolio/{path.stem}/"
        taken.drop(*LOOKS)
        taken.finish()
        body = texts.body(prose.body, f"{name}:{prose.line}")
        made = write_prose(gathering, path, f"content/projects/{slug(path.stem)}.md", front, body)
        gathering.moved(name, old, f"/projects/{made}/" if body else "/projects/")


def _put_pages(gathering: Gathering, texts: Texts) -> None:
    """Import the pages: home to about.md, the CV to collections, others to content/pages/."""
    found = [*proses(gathering, "_pages", ".md", ".markdown", ".html", mixed=CVS)]
    roots = [
        path for path in gathering.below("", ".md", ".markdown", ".html") if path.parent == gathering.root
    ]
    front = [
        path
        for path in roots
        if not re.match(r"(?:README|CHANGELOG|CONTRIBUTING|LICENSE|404|Gemfile)", path.name, re.IGNORECASE)
    ]
    for path in front:
        prose = gathering.prose(path)
        if prose is not None and (prose.front.entries or path.stem in ("index", "about")):
            if is_sample(prose.body):
                gathering.left(gathering.name_of(path), "sample content of the template")
                continue
            found.append((path, prose, Taken(prose.front, gathering)))
    rest = []
    for path, prose, taken in found:
        home = (
            words_of(taken.node.entries["permalink"]) == "/"
            if "permalink" in taken.node.entries
            else path.stem == "index"
        )
        if home and "content/about.md" not in gathering.files:
            _put_home(texts, (path, prose, taken))
        elif path.stem in CVS:
            _put_cv(texts, (path, prose, taken))
        else:
            rest.append((path, prose, taken))
    put_pages(gathering, texts, rest, ("404", "sitemap", "cv-json"))
    data = gathering.path("_data/cv.json", "_data/resume.json")
    if data is not None:
        _put_data(gathering, data)


def _put_home(texts: Texts, text: Text) -> None:
    gathering, (path, prose, taken) = texts.gathering, text
    name = gathering.name_of(path)
    for address in [words_of(node) for node in taken.list("redirect_from")]:
        gathering.moved(name, address, "/")
    taken.drop(*LOOKS, "title", "excerpt", "description")
    taken.finish()
    body = texts.body(prose.body, f"{name}:{prose.line}")
    if body:
        gathering.write("content/about.md", f"{body}\n")
        gathering.came(f"{name}:{prose.line}", "introduction")


def _put_cv(texts: Texts, text: Text) -> None:
    """Import the CV page: its lists to collections, the rest to a free page."""
    gathering, (path, prose, taken) = texts.gathering, text
    name = gathering.name_of(path)
    title = texts.line(taken.words("title"), taken.place) or "CV"
    old = [
        taken.words("permalink") or f"/{path.stem}/",
        *(words_of(node) for node in taken.list("redirect_from")),
    ]
    taken.drop(*LOOKS, "excerpt")
    taken.finish()
    rest = read_cv_page(texts, prose.body, name, prose.line)
    new = "/cv/"
    if rest:
        new = f"/{write_prose(gathering, path, 'content/pages/vita.md', {'title': title}, rest)}/"
    for address in old:
        gathering.moved(name, address, new)


def _put_data(gathering: Gathering, path: Path) -> None:
    """Import _data/cv.json, which repeats the CV page, if that page gave no entries."""
    node = gathering.yaml(path)
    if node is None:
        return
    name = gathering.name_of(path)
    if is_sample(words_of(node)) or any(map(gathering.has, ("education", "experience"))):
        gathering.left(name, "the CV as data; the page of the CV has the same entries and was imported")
        return
    parts = {
        key: value
        for key, value in node.entries.items()
        if key not in ("basics", "publications", "portfolio")
    }
    parts = {"talks" if key == "presentations" else key: value for key, value in parts.items()}
    kept = {key: value for key, value in parts.items() if not gathering.has(key)}
    read_resume(gathering, Node(kept, node.place, node.keys))
    gathering.changed(
        name, "basics, publications and portfolio: _config.yml, _publications and _portfolio say the same"
    )


def _menu(gathering: Gathering) -> list[Item]:
    """Return the items of _data/navigation.yml in order, submenu items after their parent."""
    path = gathering.path("_data/navigation.yml", "_data/navigation.yaml", "_data/nav.yml")
    node = gathering.yaml(path) if path is not None else None
    main = node.entries.get("main", node) if node is not None else None
    found: list[Item] = []
    for item in main.items if main is not None else ():
        entries = [item, *(item.entries["children"].items if "children" in item.entries else ())]
        for entry in entries:
            title, url = (
                words_of(entry.entries[key]) if key in entry.entries else "" for key in ("title", "url")
            )
            if url and "academicpages.github.io" not in url and title != "Guide":
                found.append((title, url, f"{entry.place.file}:{entry.place.line}"))
    return found


CVS = frozenset({"cv", "resume", "vita"})
MACHINERY = re.compile(
    r"_(?:layouts|includes|sass|plugins|site|drafts)/|assets/(?:css|js|fonts|webfonts)/|markdown_generator/.*\.(?:py|ipynb|md|sh)$"
    r"|talkmap|scripts/|node_modules/|bin/|package|Gemfile|Docker|docker|LICENSE|README|CONTRIBUTING|CHANGELOG|CNAME$|robots\.txt$"
    r"|_config\w*|_data/(?:ui-text|authors|comments)|images/(?:favicon|apple-touch|android-chrome|mstile|safari-pinned|site-logo)"
    r"|.*\.(?:js|css|scss|rb|sh|lock|ico|webmanifest|xml|gemspec|map)$|staticman|_pages/(?:404|sitemap)"
)
"""Files of the theme, which are not reported."""

ASSETS = re.compile(r"^(?:files|images|assets|img|pdfs?|docs|downloads|media|static)/")
"""Images and papers, which are reported by folder."""
