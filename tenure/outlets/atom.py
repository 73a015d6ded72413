"""The Atom feed of posts, news and publications."""

import hashlib
from collections.abc import Iterator
from html import escape

from tenure.frozen import dataclass
from tenure.model.dates import Date
from tenure.model.scholar import Entry, News, Post, Publication
from tenure.model.site import Site
from tenure.outlets.words import Words
from tenure.text import inline, to_html
from tenure.web.downloads import RECORDS, is_news
from tenure.web.pages import Plan, address
from tenure.web.videos import with_players

MOST = 30
"""Maximum number of entries in the feed."""

_NO_XML = dict.fromkeys(
    {*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF}.difference(map(ord, "\t\n\r")), ""
)
"""Characters that XML does not allow. Source: XML 1.0, production 2."""


@dataclass(frozen=True, slots=True)
class Novelty:
    """An entry of the feed: its stable identifier, its path, and its dates of publication and last change."""

    entry: Entry
    name: str
    path: str
    published: Date
    updated: Date


def novelties(site: Site, pages: Plan) -> tuple[Novelty, ...]:
    """Entries of the feed, newest first; entries without a year are omitted."""
    found = sorted(_dated(site, pages), key=lambda n: (n.updated.order, n.published.order), reverse=True)
    return tuple(found[:MOST])


def _dated(site: Site, pages: Plan) -> Iterator[Novelty]:
    anchors: dict[int, str] = {}
    for page in sorted(pages, key=lambda page: page.path == "/"):
        for section in page.sections:
            for item in section.items if section.kind == "news" else ():
                anchors.setdefault(id(item.entry), f"{page.path}#{item.id}" if item.id else page.path)
    for collection in site.collections.values():
        for entry in collection.entries:
            when = entry.when.start if entry.when else None
            if when and is_news(entry):
                path = address(entry) or anchors.get(id(entry), "/")
                changed = entry.updated if isinstance(entry, Post) and entry.updated else when
                name = f"{collection.name}/{entry.id}"
                yield Novelty(entry, name, path, when, changed if changed.year else when)


def feed(site: Site, pages: Plan) -> str:
    """
    The feed (RFC 4287); requires the site's URL.

    `updated` is the date of the newest entry, not of the build. Identifiers are made of the owner's name and the
    entry's id, so that they do not change when the site moves (RFC 4287, 4.2.6.1).
    """
    root = site.settings.url.rstrip("/")
    words = Words.of(site)
    found = novelties(site, pages)
    newest = max((n.updated for n in found), key=lambda date: date.order)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{_attribute(site.settings.language)}">',
        f"<title>{_text(site.title)}</title>",
        f"<id>{_id(site, '')}</id>",
        f"<updated>{_timestamp(newest)}</updated>",
        f"<author><name>{_text(site.profile.name)}</name></author>",
        f'<link rel="alternate" type="text/html" href="{_attribute(root)}/"/>',
        f'<link rel="self" type="application/atom+xml" href="{_attribute(root)}/{RECORDS["atom"].path}"/>',
    ]
    if site.settings.description:
        lines.append(f"<subtitle>{_text(site.settings.description)}</subtitle>")
    lines += [line for novelty in found for line in _entry(site, novelty, words)]
    return "\n".join([*lines, "</feed>", ""])


def _entry(site: Site, novelty: Novelty, words: Words) -> Iterator[str]:
    entry = novelty.entry
    yield "<entry>"
    yield f"<title>{_text(words.plain(entry.name))}</title>"
    yield f"<id>{_id(site, novelty.name)}</id>"
    href = words.address(novelty.path)
    yield f'<link rel="alternate" type="text/html" href="{_attribute(href)}"/>'
    yield f"<published>{_timestamp(novelty.published)}</published>"
    yield f"<updated>{_timestamp(novelty.updated)}</updated>"
    if isinstance(entry, Publication):
        authors = [f"<author><name>{_text(a.name.full)}</name></author>" for a in entry.authors.people]
        yield "".join(authors) or f"<author><name>{_text(site.profile.name)}</name></author>"
        if entry.abstract:
            yield f"<summary>{_text(words.plain(entry.abstract))}</summary>"
    elif entry.summary:
        yield f"<summary>{_text(words.plain(entry.summary))}</summary>"
    made = _content(entry, words)
    if made:
        whole = words.addresses.page_html("", made, "").artifact.read().decode()
        yield f'<content type="html">{_text(whole)}</content>'
    yield "</entry>"


def _content(entry: Entry, words: Words) -> str:
    """Content of an entry as HTML."""
    if isinstance(entry, News):
        text = words.markdown(entry.text or entry.body or entry.note)
        made = inline(text) if "\n" not in text.strip() else to_html(text)
    else:
        made = to_html(words.markdown(entry.body), 3) if isinstance(entry, Post) else ""
    return (
        with_players(made, frozenset()) if "<img" in made else made
    )  # a feed reader shows a video as its link


def _id(site: Site, name: str) -> str:
    """A UUID of version 8 made from a digest, with its version and variant bits (RFC 9562, 5.8)."""
    digest = hashlib.sha256(f"{site.profile.name}\n{name}".encode("utf-8", "replace")).hexdigest()
    return f"urn:uuid:{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"


def _timestamp(date: Date) -> str:
    """A timestamp of RFC 3339; an unknown month or day is the first."""
    _, month, day = date.order
    return f"{date.year or 1:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00Z"


def _text(words: str) -> str:
    return escape(words.translate(_NO_XML), quote=False)


def _attribute(words: str) -> str:
    return escape(words.translate(_NO_XML))
