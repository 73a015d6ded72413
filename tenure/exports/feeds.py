"""Files for programs, written by the templates beside this module: feed, calendar, sitemap, llms.txt; and files for hosts."""

import hashlib
import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tenure.exports.plain_text import SiteTextConverter
from tenure.html.embeds import embed_videos, lay_out_galleries
from tenure.html.theme import load_plain_template
from tenure.markdown.html import make_slug, render_inline, render_markdown
from tenure.model.dates import Date, days_in_month
from tenure.model.entries import Entry, News, Post, Publication, Talk
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.links import parse_url
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Site
from tenure.plan.pages import Plan, entry_page_path
from tenure.plan.site_exports import SiteExports, is_feed_entry
from tenure.problems import Place
from tenure.publish import Artifact

MAX_FEED_ENTRIES = 30
"""Maximum number of entries in the feed."""

MAX_LINE_OCTETS = 75
"""Maximum length of a line of a calendar without its line end. Source: RFC 5545, 3.1."""

HOSTING_DOMAINS = (".github.io", ".gitlab.io", ".netlify.app", ".pages.dev")

_INVALID_XML_CHARACTERS = dict.fromkeys(
    {*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF}.difference(map(ord, "\t\n\r")), ""
)
"""Characters that XML does not allow. Source: XML 1.0, production 2."""

_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\n-\x1f\x7f\x85\u2028\u2029]")


def escape_xml(text: str, quotes: bool = False) -> str:
    """A text in XML; that of an attribute has escaped quotes."""
    return escape(text.translate(_INVALID_XML_CHARACTERS), quotes)


def escape_value(text: str) -> str:
    r"""Escape a text value: `\`, `;`, `,` and line ends become `\\`, `\;`, `\,` and `\n` (RFC 5545, 3.3.11)."""
    lines = re.sub(r"([\\;,])", r"\\\1", text).splitlines()
    return r"\n".join(_CONTROL_CHARACTER.sub("", line) for line in lines)


def _render(name: str, site: Site, values: dict[str, Any]) -> str:
    path = Path(__file__).with_name("templates") / name
    return load_plain_template(site, path).render(values, site=site)


def make_atom_feed(converter: SiteTextConverter, plan: Plan) -> str:
    """
    The feed (RFC 4287) of posts, news and publications with a year, newest first; requires the site's URL.

    `updated` is the date of the newest entry, not of the build. Identifiers are made of the owner's name and the entry's id, so that they
    do not change when the site moves (RFC 4287, 4.2.6.1). A news item without a page is on the first page that lists it, at best not the
    homepage.
    """
    site = converter.site
    anchors = dict[int, str]()
    for page in sorted(plan, key=lambda page: page.path == "/"):
        for section in page.sections:
            for item in section.items if section.kind == "news" else ():
                anchors.setdefault(id(item.entry), f"{page.path}#{item.id}" if item.id else page.path)
    rows: list[dict[str, Any]] = []
    for collection in site.collections.values():
        for entry in filter(is_feed_entry, collection.entries):
            published = entry.entry_period.start if entry.entry_period else None
            changed = entry.updated if isinstance(entry, Post) else None
            authors: list[str] = []
            if isinstance(entry, Publication):
                authors = [author.name.full_name for author in entry.authors.people] or [site.profile.name]
            row = {
                "entry": entry,
                "id": f"{plan.folder}{collection.name}/{entry.id}",
                "path": entry_page_path(entry) or anchors.get(id(entry), "/"),
                "published": published,
                "updated": changed if changed and changed.year else published,
                "authors": authors,
            }
            rows.append(row)
    rows.sort(key=lambda row: (row["updated"].sort_key, row["published"].sort_key), reverse=True)
    values = {
        "rows": rows[:MAX_FEED_ENTRIES],
        "folder": plan.folder,
        "feed_path": f"/{EXPORT_FORMATS['atom'].file.path}",
        "xml": escape_xml,
        "text": converter.to_plain_text,
        "content_of": partial(_render_content, converter),
        "locate": converter.resolve_url,
        "timestamp": format_timestamp,
        "urn": partial(_make_uuid_urn, site),
    }
    return _render("feed.xml", site, values)


def _render_content(converter: SiteTextConverter, entry: Entry) -> str:
    """The text of a post or a news item in HTML; a feed reader shows a video as its link."""
    if isinstance(entry, News):
        text = converter.resolve_citations_and_urls(entry.text or entry.body or entry.note)
        content = render_inline(text) if "\n" not in text.strip() else render_markdown(text)
    elif isinstance(entry, Post):
        content = render_markdown(converter.resolve_citations_and_urls(entry.body), 3)
    else:
        return ""
    content = lay_out_galleries(embed_videos(content, frozenset()), converter.site.files, "")
    page = converter.urls.finish_page("", "/", content, UNKNOWN_PLACE, converter.site.settings.url)
    return page.artifact.read().decode()


def _make_uuid_urn(site: Site, stable_id: str) -> str:
    """A UUID of version 8 made from a digest, with its version and variant bits (RFC 9562, 5.8)."""
    digest = hashlib.sha256(f"{site.profile.name}\n{stable_id}".encode("utf-8", "replace")).hexdigest()
    return f"urn:uuid:{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"


def format_timestamp(date: Date) -> str:
    """A timestamp of RFC 3339; an unknown month or day is the first."""
    _, month, day = date.sort_key
    return f"{date.year or 1:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00Z"


def make_calendar(converter: SiteTextConverter) -> str:
    """
    The talks with a known month as events of iCalendar (RFC 5545); a talk without a day lasts the whole month.

    DTSTAMP is the last change of the source (RFC 5545, 3.8.7.2): the site's `updated`, or the talk's date. DTEND is exclusive
    (RFC 5545, 3.6.1).
    """
    site = converter.site
    rows = []
    for talk in site.iterate_entries():
        if not isinstance(talk, Talk) or not talk.date:
            continue
        first = _find_days(talk.date.start)
        last = _find_days(talk.date.end or talk.date.start)
        if first is None or last is None or last[1] == date.max:
            continue
        changed = _find_days(site.settings.updated) or first
        url = talk.url or talk.slides or talk.video
        is_located = url and (site.settings.url or url.startswith("http"))
        row = {
            "talk": talk,
            "changed": changed[0],
            "start": first[0],
            "end": last[1] + timedelta(1),
            # A line end in a URL must not start a line.
            "url": _CONTROL_CHARACTER.sub("", converter.resolve_url(url)) if is_located else "",
        }
        rows.append(row)
    values = {"rows": rows, "host": make_slug(site.profile.name) or "tenure"}
    functions = {"value": escape_value, "text": converter.to_plain_text}
    lines = _render("talks.ics", site, values | functions).split("\n")[:-1]
    return "".join(f"{part}\r\n" for line in lines for part in _fold_line(line))


def _find_days(partial_date: Date | None) -> tuple[date, date] | None:
    """The first and the last day of a date; None if its year or month is unknown."""
    if partial_date is None or not partial_date.year or not partial_date.month:
        return None
    year = partial_date.year
    month = partial_date.month
    day = partial_date.day
    return date(year, month, day or 1), date(year, month, day or days_in_month(year, month))


def _fold_line(line: str) -> Iterator[str]:
    """A line as lines that continue after a space; no character is split (RFC 5545, 3.1)."""
    octets = line.encode("utf-8", "replace")
    while len(octets) > MAX_LINE_OCTETS:
        end = MAX_LINE_OCTETS
        while octets[end] & 0xC0 == 0x80:
            end -= 1
        yield octets[:end].decode()
        octets = b" " + octets[end:]
    yield octets.decode()


def make_sitemap(site: Site, plan: Plan) -> Iterator[Artifact]:
    """
    sitemap.xml and robots.txt; nothing for a site without a URL.

    The date of the last change is that of the page's source or of the site. Sources: sitemaps.org protocol 0.9; Google Search
    Central, "Localized versions of your pages".
    Crawlers read robots.txt only at a host's root (RFC 9309, 2.3).
    """
    if not site.settings.url:
        return
    pages = []
    for page in (page for own_plan in (plan, *plan.translations) for page in own_plan if page.kind != "404"):
        changed = site.settings.updated
        if isinstance(page.entry, Post):
            changed = page.entry.updated or (page.entry.date and page.entry.date.start) or changed
        url = site.locate_path(quote(page.url_path))
        pages.append({"url": url, "versions": page.versions, "date": changed.iso if changed else ""})
    values = {"pages": pages, "has_translations": bool(plan.translations), "xml": escape_xml}
    yield from _generate_file("sitemap.xml", _render("sitemap.xml", site, values), site)
    root = site.settings.url.rstrip("/")
    if not parse_url(root).path:
        rules = f"User-agent: *\nAllow: /\nSitemap: {root}/sitemap.xml\n"
        yield from _generate_file("robots.txt", rules, site)


def _generate_file(path: str, body: str, site: Site) -> Iterator[Artifact]:
    """Yield the file, unless content/ has a file with the same name."""
    if path not in site.files:
        yield Artifact(path, body.encode(), Place("site.yaml"))


def make_hosting_files(site: Site, plan: Plan) -> Iterator[Artifact]:
    """Files for hosts: .nojekyll makes GitHub Pages publish all files, CNAME names a custom domain."""
    del plan
    yield Artifact(".nojekyll", b"", Place("site.yaml"))
    url = parse_url(site.settings.url)
    host = url.hostname or ""
    if "." in host and not host.endswith(HOSTING_DOMAINS) and not url.path.strip("/"):
        yield from _generate_file("CNAME", f"{host}\n", site)


def make_llms_txt(converter: SiteTextConverter, plan: Plan) -> str:
    """
    The title, a description, and lists of pages and exported files with their URLs.

    Source: llmstxt.org: H1, a quotation with the summary, H2 sections of links, "Optional" for skippable pages.
    """
    site = converter.site
    menu_paths = {item.path for item in plan.menu}
    has_cv = any(page.kind == "cv" for page in plan)
    formats = SiteExports.for_site(site).formats
    lists: dict[str, list[tuple[str, str, str]]] = {"Pages": [], "Data": [], "Optional": []}
    for page in plan:
        if page.path in menu_paths:
            lists["Pages"].append((page.title, page.path, page.description))
        elif page.kind in ("project", "post", "page", "news"):
            lists["Optional"].append((page.title, page.path, page.description))
    for name, form in EXPORT_FORMATS.items():
        if name in formats and form.description and (has_cv or form.page_kind != "cv"):
            lists["Data"].append((form.file.label, f"/{form.file.path}", form.description))
    resolved = {
        title: [
            (" ".join(label.replace("[", "(").replace("]", ")").split()), converter.resolve_url(path), text)
            for label, path, text in links
        ]
        for title, links in lists.items()
    }
    description = next(page.description for page in plan if page.path == "/")
    return _render("llms.txt", site, {"description": description, "lists": resolved.items()})
