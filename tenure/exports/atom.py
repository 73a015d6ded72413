"""The Atom feed of posts, news and publications."""

import hashlib
from collections.abc import Iterator
from html import escape

from tenure.exports.plain_text import SiteTextConverter
from tenure.html.embeds import embed_videos, lay_out_galleries
from tenure.markdown.html import render_inline, render_markdown
from tenure.model.dates import Date
from tenure.model.entries import Entry, News, Post, Publication
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Site
from tenure.plan.export_formats import is_feed_entry
from tenure.plan.pages import Plan, entry_page_path
from tenure.record import Record

MAX_FEED_ENTRIES = 30
"""Maximum number of entries in the feed."""

_INVALID_XML_CHARACTERS = dict.fromkeys(
    {*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF}.difference(map(ord, "\t\n\r")), ""
)
"""Characters that XML does not allow. Source: XML 1.0, production 2."""


class FeedEntry(Record):
    """An entry of the feed: its stable identifier, its path, and its dates of publication and last change."""

    entry: Entry
    stable_id: str
    path: str
    published: Date
    updated: Date


def _iterate_feed_entries(site: Site, plan: Plan) -> Iterator[FeedEntry]:
    """All entries with a year; a news item without a page is on the first page that lists it, at best not the homepage."""
    anchors: dict[int, str] = {}
    for page in sorted(plan, key=lambda page: page.path == "/"):
        for section in page.sections:
            for item in section.items if section.kind == "news" else ():
                anchors.setdefault(id(item.entry), f"{page.path}#{item.id}" if item.id else page.path)
    for collection in site.collections.values():
        for entry in filter(is_feed_entry, collection.entries):
            published = entry.entry_period.start if entry.entry_period else None
            if published:
                path = entry_page_path(entry) or anchors.get(id(entry), "/")
                updated = entry.updated if isinstance(entry, Post) and entry.updated else published
                stable_id = f"{plan.folder}{collection.name}/{entry.id}"
                yield FeedEntry(entry, stable_id, path, published, updated if updated.year else published)


def make_atom_feed(converter: SiteTextConverter, plan: Plan) -> str:
    """
    The feed (RFC 4287), newest entries first; requires the site's URL.

    `updated` is the date of the newest entry, not of the build. Identifiers are made of the owner's name and the
    entry's id, so that they do not change when the site moves (RFC 4287, 4.2.6.1).
    """
    site = converter.site
    feed_entries = sorted(
        _iterate_feed_entries(site, plan),
        key=lambda entry: (entry.updated.sort_key, entry.published.sort_key),
        reverse=True,
    )[:MAX_FEED_ENTRIES]
    feed_url = site.absolute_url(f"/{EXPORT_FORMATS['atom'].file.path}")
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{_escape(site.settings.language)}">',
        _element("title", site.title),
        _element("id", _make_uuid_urn(site, plan.folder)),
        _element("updated", format_timestamp(feed_entries[0].updated)),
        f"<author>{_element('name', site.profile.name)}</author>",
        f'<link rel="alternate" type="text/html" href="{_escape(site.absolute_url("/"))}"/>',
        f'<link rel="self" type="application/atom+xml" href="{_escape(feed_url)}"/>',
    ]
    if site.settings.description:
        lines.append(_element("subtitle", site.settings.description))
    for feed_entry in feed_entries:
        lines += _entry_lines(converter, feed_entry)
    return "\n".join([*lines, "</feed>", ""])


def _entry_lines(converter: SiteTextConverter, feed_entry: FeedEntry) -> Iterator[str]:
    site, entry, summary = converter.site, feed_entry.entry, feed_entry.entry.summary
    yield "<entry>"
    yield _element("title", converter.to_plain_text(entry.name))
    yield _element("id", _make_uuid_urn(site, feed_entry.stable_id))
    yield f'<link rel="alternate" type="text/html" href="{_escape(converter.resolve_url(feed_entry.path))}"/>'
    yield _element("published", format_timestamp(feed_entry.published))
    yield _element("updated", format_timestamp(feed_entry.updated))
    if isinstance(entry, Publication):
        names = [author.name.full_name for author in entry.authors.people] or [site.profile.name]
        yield "".join(f"<author>{_element('name', name)}</author>" for name in names)
        summary = entry.abstract
    if summary:
        yield _element("summary", converter.to_plain_text(summary))
    content = ""
    if isinstance(entry, News):
        text = converter.resolve_citations_and_urls(entry.text or entry.body or entry.note)
        content = render_inline(text) if "\n" not in text.strip() else render_markdown(text)
    elif isinstance(entry, Post):
        content = render_markdown(converter.resolve_citations_and_urls(entry.body), 3)
    if content:
        # A feed reader shows a video as its link.
        content = lay_out_galleries(embed_videos(content, frozenset()), site.files, "")
        page = converter.urls.finish_page("", "/", content, UNKNOWN_PLACE, site.settings.url)
        yield f'<content type="html">{_escape(page.artifact.read().decode(), False)}</content>'
    yield "</entry>"


def _make_uuid_urn(site: Site, stable_id: str) -> str:
    """A UUID of version 8 made from a digest, with its version and variant bits (RFC 9562, 5.8)."""
    digest = hashlib.sha256(f"{site.profile.name}\n{stable_id}".encode("utf-8", "replace")).hexdigest()
    return f"urn:uuid:{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"


def format_timestamp(date: Date) -> str:
    """A timestamp of RFC 3339; an unknown month or day is the first."""
    _, month, day = date.sort_key
    return f"{date.year or 1:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00Z"


def _element(name: str, text: str) -> str:
    return f"<{name}>{_escape(text, False)}</{name}>"


def _escape(text: str, quote: bool = True) -> str:
    return escape(text.translate(_INVALID_XML_CHARACTERS), quote)
