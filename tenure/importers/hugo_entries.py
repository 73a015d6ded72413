"""Imports talks, projects, posts and free pages of a Hugo site."""

import re
from collections.abc import Mapping, Sequence

from tenure.importers.entries import address_of, date_of
from tenure.importers.gathering import Entry, Taken, words_of
from tenure.importers.hugo_bundles import LOOKS, Bundle, bundles, links_of, old_addresses, picture_of
from tenure.importers.hugo_config import Hugo
from tenure.importers.hugo_texts import HugoTexts
from tenure.importers.menu import is_there
from tenure.importers.proses import paragraph, write_prose
from tenure.importers.samples import is_sample
from tenure.text import plain, slug

TALKS = ("event", "events", "talk", "talks")
PROJECTS = ("project", "projects", "portfolio")
POSTS = ("post", "posts", "blog", "news", "article", "articles")
OTHERS = frozenset(
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


OURS = frozenset(
    {"home", "cv", "publications", "projects", "talks", "teaching", "news", "posts", "awards", "service"}
)
"""Pages that Tenure generates."""


def put_talks(texts: HugoTexts, site: Hugo) -> None:
    """Import talks and events to content/talks.yaml, newest first."""
    found = [*bundles(texts, site, TALKS)]
    for bundle in sorted(found, key=lambda one: _when(one.taken.node.entries), reverse=True):
        taken, here, gathering = bundle.taken, bundle.texts, bundle.texts.gathering
        start = taken.words("event_start") or taken.words("date") or taken.words("time_start")
        end = taken.words("event_end") or taken.words("date_end") or taken.words("time_end")
        taken.drop("date", "time_start", "date_end", "time_end")
        both = (date_of(start), date_of(end))
        links = links_of(here, taken, gathering)
        entry: Entry = {
            "title": here.line(taken.words("title"), taken.place),
            "event": here.line(taken.words("event", "event_name"), taken.place),
            "place": here.plain(_place(taken)),
            "date": f"{both[0]} - {both[1]}" if all(both) and both[0] < both[1] else both[0],
            "slides": links.pop("slides", ""),
            "video": links.pop("video", ""),
            "url": address_of(taken.words("event_url")) or links.pop("url", ""),
            "links": {
                ("PDF" if label == "pdf" else label[:1].upper() + label[1:]): url
                for label, url in links.items()
            },
            "summary": _summary(bundle),
            "tags": _tags(taken),
            "draft": "true" if taken.words("draft").casefold() == "true" else "",
        }
        taken.drop(*LOOKS, "event_all_day", "location", "address", "abstract_short")
        taken.finish()
        name = gathering.name_of(bundle.path)
        if not entry["title"] and not entry["event"] and not entry["place"]:
            gathering.left(name, "a talk without a title, an event or a place")
            continue
        draft = entry["draft"]
        gathering.add("talks", {key: value for key, value in entry.items() if value}, name)
        for address in () if draft else old_addresses(site, bundle):
            gathering.moved(name, address, "/talks/")


def _when(front: Mapping[str, object]) -> str:
    node = front.get("event_start") or front.get("date") or front.get("time_start")
    return str(getattr(node, "words", ""))


def _place(taken: Taken) -> str:
    address = taken.node_of("address")
    location = taken.words("location")
    parts = [
        words_of(address.entries[key])
        for key in ("city", "region", "country")
        if address is not None and key in address.entries
    ]
    more = ", ".join(part for part in parts if part and part.casefold() not in location.casefold())
    return ", ".join(part for part in (location, more) if part)


def _summary(bundle: Bundle) -> str:
    """Return the longest of abstract, summary and text as one paragraph; the others are reported as skipped if they differ."""
    taken = bundle.taken
    found = [bundle.texts.inner(taken.words(key), taken.place) for key in ("abstract", "summary")]
    body = "" if is_sample(bundle.prose.body) else bundle.body()
    words = [paragraph(part) for part in (body, *found) if part and not is_sample(part)]
    first = max(words, key=len, default="")
    for other in words:
        if other != first and plain(other)[:50] not in plain(first):
            bundle.texts.gathering.left(bundle.place, f"more about the talk: {other[:90]}")
    return first


def _tags(taken: Taken) -> list[str]:
    both = [words_of(node) for key in ("tags", "categories") for node in taken.list(key)]
    return [*dict.fromkeys(tag for tag in both if tag)]


def put_projects(texts: HugoTexts, site: Hugo, related: Mapping[str, list[str]]) -> None:
    """Import projects to content/projects/, each with the publications that refer to it."""
    for bundle in bundles(texts, site, PROJECTS):
        taken, here, gathering = bundle.taken, bundle.texts, bundle.texts.gathering
        links = links_of(here, taken, gathering)
        own = bundle.name.casefold()
        named = [key for name, keys in related.items() if name.rpartition("/")[2] == own for key in keys]
        front: Entry = {
            "title": here.line(taken.words("title"), taken.place) or bundle.name,
            "date": _start(taken),
            "tagline": here.line(taken.words("summary", "subtitle", "description"), taken.place),
            "image": picture_of(here, taken, bundle.path),
            "url": links.pop("url", ""),
            "links": _labelled(links),
            "tags": _tags(taken),
            "publications": named,
            "draft": "true" if taken.words("draft").casefold() == "true" else "",
        }
        taken.drop(*LOOKS, "tag", "pdf", "code", "date_end", "end_date", "period")
        _write(site, bundle, "projects", front, "" if is_sample(bundle.prose.body) else bundle.body())


def _start(taken: Taken) -> str:
    """Return a project's date; "" for the default dates of the templates."""
    when = date_of(taken.words("period") or taken.words("date"))
    return "" if re.match(r"2016-04-27|2016-04-20|2022-10-24|2023-10-24|2024-05-19|0001|1970", when) else when


def _labelled(links: Mapping[str, str]) -> dict[str, str]:
    names = {
        "pdf": "PDF",
        "code": "Code",
        "slides": "Slides",
        "video": "Video",
        "poster": "Poster",
        "website": "Website",
    }
    return {names.get(label, label): url for label, url in links.items()}


def put_posts(texts: HugoTexts, site: Hugo) -> None:
    """Import posts to content/posts/ without the template's sample posts."""
    for bundle in bundles(texts, site, POSTS):
        taken, here, gathering = bundle.taken, bundle.texts, bundle.texts.gathering
        links = links_of(here, taken, gathering)
        front: Entry = {
            "title": here.line(taken.words("title"), taken.place) or bundle.name,
            "date": date_of(taken.words("date")) or _named(bundle.name),
            "summary": here.line(taken.words("summary", "subtitle", "description", "excerpt"), taken.place),
            "tags": _tags(taken),
            "image": picture_of(here, taken, bundle.path),
            "url": address_of(taken.words("link")) or links.pop("url", ""),
            "links": _labelled(links),
            "draft": "true" if taken.words("draft").casefold() == "true" else "",
        }
        taken.drop(*LOOKS, "date")
        _write(site, bundle, "posts", front, bundle.body())


def _named(name: str) -> str:
    found = re.match(r"\d{4}-\d\d-\d\d", name)
    return date_of(found[0]) if found else ""


def put_pages(texts: HugoTexts, site: Hugo, known: Sequence[str]) -> None:
    """Import every other document of content/ that has text to content/pages/."""
    gathering = texts.gathering
    sections: dict[str, None] = {}
    for path in gathering.below(site.content, ".md", ".markdown", ".rmd", ".html"):
        first = gathering.name_of(path).removeprefix(f"{site.content}/").partition("/")[0]
        language = site.content == "content" and re.fullmatch(r"[a-z]{2}", first)
        if first not in known and first not in OTHERS and not language:
            sections[first] = None
    for bundle in bundles(texts, site, [*sections]):
        taken, here = bundle.taken, bundle.texts
        blocks = taken.node_of("sections")
        parts = (bundle.body(), _blocks(here, blocks.items if blocks is not None else ()))
        text = "\n\n".join(part for part in parts if part)
        title = here.line(taken.words("title"), taken.place) or re.sub(r"[-_]+", " ", bundle.name)
        front: Entry = {
            "title": title[:1].upper() + title[1:],
            "summary": here.line(taken.words("summary", "description"), taken.place),
        }
        taken.drop(*LOOKS, "date", "tags", "categories")
        if text:
            _write(site, bundle, "pages", front, text)
        else:
            gathering.left(gathering.name_of(bundle.path), "a page without a text of its own")


def _blocks(texts: HugoTexts, blocks: Sequence[object]) -> str:
    """Return the texts of a page's blocks as Markdown, under their titles."""
    found: list[str] = []
    for block in blocks:
        content = getattr(block, "entries", {}).get("content")
        if content is None:
            continue
        title, text = (
            words_of(content.entries[key]) if key in content.entries else "" for key in ("title", "text")
        )
        place = f"{content.place.file}:{content.place.line}"
        if text and not is_sample(text):
            found.append(
                "\n\n".join(
                    part for part in (f"## {title}" if title else "", texts.body(text, place)) if part
                )
            )
    return "\n\n".join(found)


def _write(site: Hugo, bundle: Bundle, collection: str, front: Entry, body: str) -> None:
    """Write a file of content/, report its unread front matter, and record its old URLs."""
    gathering = bundle.texts.gathering
    bundle.taken.finish()
    wanted = slug(bundle.name) or slug(str(front.get("title", ""))) or collection
    if collection == "pages" and wanted in OURS and is_there(gathering, wanted):
        wanted = f"{wanted}-page"
    made = write_prose(gathering, bundle.path, f"content/{collection}/{wanted}.md", front, body)
    if front.get("draft"):
        return
    where = {"pages": f"/{made}/", "projects": f"/projects/{made}/" if body else "/projects/"}
    for address in old_addresses(site, bundle):
        gathering.moved(
            gathering.name_of(bundle.path), address, where.get(collection, f"/{collection}/{made}/")
        )
