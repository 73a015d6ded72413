"""
Files for programs, by the templates beside this module: feed, calendar, sitemap, llms.txt; files for hosts.

Each function makes the rows that a template writes.
"""

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
from tenure.model.export_formats import EXPORT_FORMATS, is_feed_entry
from tenure.model.links import parse_url
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Site
from tenure.plan.pages import Plan, entry_page_path
from tenure.plan.site_exports import SiteExports
from tenure.problems import Place
from tenure.publish import Artifact

MAX_FEED_ENTRIES = 30
"""Maximum number of entries in the feed."""


_INVALID_XML_CHARACTERS = dict.fromkeys(
    {*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF}.difference(map(ord, "\t\n\r")), ""
)
"""Characters that XML does not allow. Source: XML 1.0, production 2."""

_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\n-\x1f\x7f\x85\u2028\u2029]")
"""Characters that iCalendar does not allow in a text; a tab is allowed."""


def escape_xml(text: str, quotes: bool = False) -> str:
    """A text in XML; that of an attribute has escaped quotes."""
    return escape(text.translate(_INVALID_XML_CHARACTERS), quotes)


def escape_value(text: str) -> str:
    r"""Escape a text value: `\`, `;`, `,`, line ends become `\\`, `\;`, `\,` and `\n` (RFC 5545, 3.3.11)."""
    lines = re.sub(r"([\\;,])", r"\\\1", text).splitlines()
    return r"\n".join(_CONTROL_CHARACTER.sub("", line) for line in lines)


def _render(name: str, site: Site, values: dict[str, Any]) -> str:
    """The text of a template beside this module."""
    path = Path(__file__).with_name("templates") / name
    return load_plain_template(site, path).render(values, site=site)


def make_atom_feed(converter: SiteTextConverter, plan: Plan) -> str:
    """
    The feed (RFC 4287) of posts, news and publications with a year, newest first; requires the site's URL.

    `updated` is the date of the newest entry, not of the build. Identifiers are made of the owner's name and
    the entry's id, so that they do not change when the site moves (RFC 4287, 4.2.6.1).
    """
    site = converter.site
    news_paths = _find_news_paths(plan)
    rows: list[dict[str, Any]] = []
    for collection in site.collections.values():
        for entry in filter(is_feed_entry, collection.entries):
            row = {
                "entry": entry,
                "id": f"{plan.folder}{collection.name}/{entry.id}",
                "path": entry_page_path(entry) or news_paths.get(id(entry), "/"),
                "authors": _list_authors(entry, site.profile.name),
                **_find_feed_dates(entry),
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


def _find_news_paths(plan: Plan) -> dict[int, str]:
    """Where each news item is, by id(): on the first page that lists it, at best not the homepage."""
    paths: dict[int, str] = {}
    for page in sorted(plan, key=lambda page: page.path == "/"):
        for section in page.sections:
            if section.kind == "news":
                for item in section.items:
                    anchor = f"#{item.id}" if item.id else ""
                    paths.setdefault(id(item.entry), f"{page.path}{anchor}")
    return paths


def _list_authors(entry: Entry, owner: str) -> list[str]:
    """The authors of a publication; other entries are by the author of the feed."""
    if not isinstance(entry, Publication):
        return []
    return [author.name.full_name for author in entry.authors.people] or [owner]


def _find_feed_dates(entry: Entry) -> dict[str, Date | None]:
    """When an entry was published and changed; both are known, because `is_feed_entry` is true for it."""
    published = entry.entry_period.start if entry.entry_period else None
    changed = entry.updated if isinstance(entry, Post) else None
    return {"published": published, "updated": changed if changed and changed.year else published}


def _render_content(converter: SiteTextConverter, entry: Entry) -> str:
    """The text of a post or a news item in HTML; the feed has only the abstract of a publication."""
    if isinstance(entry, News):
        text = converter.resolve_citations_and_urls(entry.text or entry.body or entry.note)
        is_one_line = "\n" not in text.strip()
        content = render_inline(text) if is_one_line else render_markdown(text)
    elif isinstance(entry, Post):
        # headings begin at level 3: those of level 2 have anchors, and a feed has several posts
        content = render_markdown(converter.resolve_citations_and_urls(entry.body), 3)
    else:
        return ""
    # a feed reader runs no script: a video is a link, and no picture opens in a window with a close button
    linked = embed_videos(content, frozenset())
    content = lay_out_galleries(linked, converter.site.files, close_label="")
    # it is no page of its own, but its URLs must be absolute: "/talks/" -> "https://example.org/talks/"
    page = converter.urls.finish_page("", "/", content, UNKNOWN_PLACE, base_path=converter.site.settings.url)
    return page.artifact.read().decode()


def _make_uuid_urn(site: Site, stable_id: str) -> str:
    """A UUID of version 8 made from a digest, with its version and variant bits (RFC 9562, 5.8)."""
    digest = hashlib.sha256(f"{site.profile.name}\n{stable_id}".encode("utf-8", "replace")).hexdigest()
    return f"urn:uuid:{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"


def format_timestamp(date: Date) -> str:
    """A timestamp of RFC 3339; an unknown month or day is the first: Spring 2024 -> 2024-03-01T00:00:00Z."""
    # its month is that of the season
    year, month, day = date.sort_key
    return f"{year:04d}-{month or 1:02d}-{day or 1:02d}T00:00:00Z"


def make_calendar(converter: SiteTextConverter) -> str:
    """
    The talks with a known month as events of iCalendar (RFC 5545); one without a day lasts the month.

    DTSTAMP is the last change of the source (RFC 5545, 3.8.7.2): the site's `updated`, or the talk's date.
    DTEND is exclusive (RFC 5545, 3.6.1).
    """
    site = converter.site
    changed = _find_days(site.settings.updated)
    rows = []
    for talk in site.iterate_entries():
        if not isinstance(talk, Talk) or not talk.date:
            continue
        first = _find_days(talk.date.start)
        last = _find_days(talk.date.end or talk.date.start)
        # a date without a month is no day of a calendar; and no day follows the last one of Python
        if first is None or last is None or last[1] == date.max:
            continue
        row = {
            "talk": talk,
            "changed": (changed or first)[0],
            "start": first[0],
            "end": last[1] + timedelta(1),
            "url": _find_talk_url(talk, converter),
        }
        rows.append(row)

    values = {"rows": rows, "host": make_slug(site.profile.name) or "tenure"}
    functions = {"value": escape_value, "text": converter.to_plain_text}
    # without the empty line behind the last line break
    lines = _render("talks.ics", site, values | functions).split("\n")[:-1]
    return "".join(f"{part}\r\n" for line in lines for part in _fold_line(line))


def _find_talk_url(talk: Talk, converter: SiteTextConverter) -> str:
    """The page of a talk, its slides or its video; "" for a file of a site without a URL."""
    url = talk.url or talk.slides or talk.video
    if not converter.site.settings.url and not url.startswith("http"):
        return ""
    # a line end in a URL must not start a line
    return _CONTROL_CHARACTER.sub("", converter.resolve_url(url)) if url else ""


def _find_days(partial_date: Date | None) -> tuple[date, date] | None:
    """The first and the last day of a date; None if its year or month is unknown."""
    if partial_date is None or not partial_date.year or not partial_date.month:
        return None
    year = partial_date.year
    month = partial_date.month
    day = partial_date.day
    return date(year, month, day or 1), date(year, month, day or days_in_month(year, month))


MAX_LINE_OCTETS = 75
"""Maximum length of a line of a calendar without its line end. Source: RFC 5545, 3.1."""


def _fold_line(line: str) -> Iterator[str]:
    """A line as lines that continue after a space; no character is split (RFC 5545, 3.1)."""
    octets = line.encode("utf-8", "replace")
    while len(octets) > MAX_LINE_OCTETS:
        end = MAX_LINE_OCTETS
        # an octet that continues a character
        while octets[end] & 0xC0 == 0x80:
            end -= 1
        yield octets[:end].decode()
        octets = b" " + octets[end:]
    yield octets.decode()


def make_sitemap(site: Site, plan: Plan) -> Iterator[Artifact]:
    """
    sitemap.xml and robots.txt; nothing for a site without a URL.

    Sources: sitemaps.org protocol 0.9; Google Search Central, "Localized versions of your pages".
    """
    if not site.settings.url:
        return
    pages = []
    for page in (page for own_plan in (plan, *plan.translations) for page in own_plan):
        if page.kind == "404":
            continue
        # the last change of the post, or of the site
        changed = site.settings.updated
        if isinstance(page.entry, Post):
            published = page.entry.date.start if page.entry.date else None
            changed = page.entry.updated or published or changed
        url = site.locate_path(quote(page.url_path))
        pages.append({"url": url, "versions": page.versions, "date": changed.iso if changed else ""})

    values = {"pages": pages, "has_translations": bool(plan.translations), "xml": escape_xml}
    yield from _generate_file("sitemap.xml", _render("sitemap.xml", site, values), site)
    # crawlers read robots.txt only at the root of a host (RFC 9309, 2.3)
    root = site.settings.url.rstrip("/")
    if not parse_url(root).path:
        rules = f"User-agent: *\nAllow: /\nSitemap: {root}/sitemap.xml\n"
        yield from _generate_file("robots.txt", rules, site)


def _generate_file(path: str, body: str, site: Site) -> Iterator[Artifact]:
    """Yield the file, unless content/ has a file with the same name."""
    if path not in site.files:
        yield Artifact(path, body.encode(), Place("site.yaml"))


HOSTING_DOMAINS = (".github.io", ".gitlab.io", ".netlify.app", ".pages.dev")


def make_hosting_files(site: Site, plan: Plan) -> Iterator[Artifact]:
    """Files for hosts: .nojekyll makes GitHub Pages publish all files, CNAME names a custom domain."""
    del plan
    yield Artifact(".nojekyll", b"", Place("site.yaml"))
    # a host knows the names that it gives itself; a site in a folder of a host is not the domain
    url = parse_url(site.settings.url)
    host = url.hostname or ""
    if "." in host and not host.endswith(HOSTING_DOMAINS) and not url.path.strip("/"):
        yield from _generate_file("CNAME", f"{host}\n", site)


def make_llms_txt(converter: SiteTextConverter, plan: Plan) -> str:
    """
    The title, a description, and lists of pages and exported files with their URLs.

    Source: llmstxt.org: H1, a quotation with the summary, H2 sections of links; "Optional" can be skipped.
    """

    # "Looms [draft]" -> "Looms (draft)", as brackets would end the label of a link
    def describe_link(label: str, path: str, text: str) -> tuple[str, str, str]:
        label = label.replace("[", "(").replace("]", ")")
        return " ".join(label.split()), converter.resolve_url(path), text

    site = converter.site
    menu_paths = {item.path for item in plan.menu}
    lists: dict[str, list[tuple[str, str, str]]] = {"Pages": [], "Data": [], "Optional": []}
    for page in plan:
        link = describe_link(page.title, page.path, page.description)
        # without the pages of single publications and people, and of tags
        if page.path in menu_paths:
            lists["Pages"].append(link)
        elif page.kind in ("project", "post", "page", "news"):
            lists["Optional"].append(link)
    for _, form in SiteExports.for_site(site).list_formats(plan):
        if form.description:
            lists["Data"].append(describe_link(form.file.label, f"/{form.file.path}", form.description))

    description = next(page.description for page in plan if page.path == "/")
    return _render("llms.txt", site, {"description": description, "lists": lists.items()})
