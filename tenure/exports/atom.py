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


def collect_feed_entries(site: Site, plan: Plan) -> tuple[FeedEntry, ...]:
    """Entries of the feed, newest first; entries without a year are omitted."""
    feed_entries = [*_iterate_feed_entries(site, plan)]
    feed_entries.sort(key=lambda entry: (entry.updated.sort_key, entry.published.sort_key), reverse=True)
    return tuple(feed_entries[:MAX_FEED_ENTRIES])


def _iterate_feed_entries(site: Site, plan: Plan) -> Iterator[FeedEntry]:
    anchors: dict[int, str] = {}
    for page in sorted(plan, key=lambda page: page.path == "/"):
        for section in page.sections:
            for item in section.items if section.kind == "news" else ():
                anchors.setdefault(id(item.entry), f"{page.path}#{item.id}" if item.id else page.path)
    for collection in site.collections.values():
        for entry in collection.entries:
            published = entry.entry_period.start if entry.entry_period else None
            if published and is_feed_entry(entry):
                path = entry_page_path(entry) or anchors.get(id(entry), "/")
                updated = entry.updated if isinstance(entry, Post) and entry.updated else published
                stable_id = f"{plan.folder}{collection.name}/{entry.id}"
                yield FeedEntry(entry, stable_id, path, published, updated if updated.year else published)


def make_atom_feed(site: Site, plan: Plan) -> str:
    """
    The feed (RFC 4287); requires the site's URL.

    `updated` is the date of the newest entry, not of the build. Identifiers are made of the owner's name and the
    entry's id, so that they do not change when the site moves (RFC 4287, 4.2.6.1).
    """
    home_url, feed_url = map(site.absolute_url, ("/", f"/{EXPORT_FORMATS['atom'].file.path}"))
    converter = SiteTextConverter.for_site(site)
    feed_entries = collect_feed_entries(site, plan)
    newest = max((n.updated for n in feed_entries), key=lambda date: date.sort_key)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{_escape_attribute(site.settings.language)}">',
        f"<title>{_escape_text(site.title)}</title>",
        f"<id>{_make_uuid_urn(site, plan.folder)}</id>",
        f"<updated>{_format_timestamp(newest)}</updated>",
        f"<author><name>{_escape_text(site.profile.name)}</name></author>",
        f'<link rel="alternate" type="text/html" href="{_escape_attribute(home_url)}"/>',
        f'<link rel="self" type="application/atom+xml" href="{_escape_attribute(feed_url)}"/>',
    ]
    if site.settings.description:
        lines.append(f"<subtitle>{_escape_text(site.settings.description)}</subtitle>")
    lines += [line for feed_entry in feed_entries for line in _entry_lines(site, feed_entry, converter)]
    return "\n".join([*lines, "</feed>", ""])


def _entry_lines(site: Site, feed_entry: FeedEntry, converter: SiteTextConverter) -> Iterator[str]:
    entry = feed_entry.entry
    yield "<entry>"
    yield f"<title>{_escape_text(converter.to_plain_text(entry.name))}</title>"
    yield f"<id>{_make_uuid_urn(site, feed_entry.stable_id)}</id>"
    href = converter.resolve_url(feed_entry.path)
    yield f'<link rel="alternate" type="text/html" href="{_escape_attribute(href)}"/>'
    yield f"<published>{_format_timestamp(feed_entry.published)}</published>"
    yield f"<updated>{_format_timestamp(feed_entry.updated)}</updated>"
    if isinstance(entry, Publication):
        names = [author.name.full_name for author in entry.authors.people] or [site.profile.name]
        yield "".join(f"<author><name>{_escape_text(name)}</name></author>" for name in names)
        if entry.abstract:
            yield f"<summary>{_escape_text(converter.to_plain_text(entry.abstract))}</summary>"
    elif entry.summary:
        yield f"<summary>{_escape_text(converter.to_plain_text(entry.summary))}</summary>"
    content_html = _entry_html(entry, converter)
    if content_html:
        page = converter.urls.finish_page("", "/", content_html, UNKNOWN_PLACE, site.settings.url)
        yield f'<content type="html">{_escape_text(page.artifact.read().decode())}</content>'
    yield "</entry>"


def _entry_html(entry: Entry, converter: SiteTextConverter) -> str:
    content_html = ""
    if isinstance(entry, News):
        text = converter.resolve_citations_and_urls(entry.text or entry.body or entry.note)
        content_html = render_inline(text) if "\n" not in text.strip() else render_markdown(text)
    elif isinstance(entry, Post):
        content_html = render_markdown(converter.resolve_citations_and_urls(entry.body), 3)
    if "<img" not in content_html:
        return content_html
    content_html = embed_videos(content_html, frozenset())  # a feed reader shows a video as its link
    return lay_out_galleries(content_html, converter.site.files, "")


def _make_uuid_urn(site: Site, stable_id: str) -> str:
    """A UUID of version 8 made from a digest, with its version and variant bits (RFC 9562, 5.8)."""
    digest = hashlib.sha256(f"{site.profile.name}\n{stable_id}".encode("utf-8", "replace")).hexdigest()
    return f"urn:uuid:{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"


def _format_timestamp(date: Date) -> str:
    """A timestamp of RFC 3339; an unknown month or day is the first."""
    _, month, day = date.sort_key
    return f"{date.year or 1:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00Z"


def _escape_text(text: str) -> str:
    return escape(text.translate(_INVALID_XML_CHARACTERS), quote=False)


def _escape_attribute(text: str) -> str:
    return escape(text.translate(_INVALID_XML_CHARACTERS))
