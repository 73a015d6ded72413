"""What a site needs around its pages: sitemap, robots, CNAME, .nojekyll."""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote, urlsplit

from tenure.model.scholar import Post
from tenure.model.site import Site
from tenure.output import Artifact
from tenure.web.pages import Page, Plan

PROJECT_HOSTS = (".github.io", ".gitlab.io", ".netlify.app", ".pages.dev")


def sitemap(site: Site, pages: Plan) -> Iterator[Artifact]:
    """
    The addresses of all pages for search engines; only for a site that knows its own address.

    When a page was last changed is what its source says, or that of the site. Source: sitemaps.org protocol 0.9.
    robots.txt is read at a host's root only (RFC 9309, 2.3).
    """
    root = site.settings.url.rstrip("/")
    if not root:
        return
    lines = [
        f"<url><loc>{escape(root + quote(page.path))}</loc>{_changed(site, page)}</url>"
        for page in pages
        if page.kind != "404"
    ]
    body = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    body += "\n".join(lines) + "\n</urlset>\n"
    yield from _own("sitemap.xml", body, site)
    if not urlsplit(root).path:
        yield from _own("robots.txt", f"User-agent: *\nAllow: /\nSitemap: {root}/sitemap.xml\n", site)


def _changed(site: Site, page: Page) -> str:
    """When a page was last changed, as exact as the sources are (W3C, "Date and Time Formats")."""
    entry = page.entry
    own = (entry.updated or (entry.date.start if entry.date else None)) if isinstance(entry, Post) else None
    date = own or site.settings.updated
    return f"<lastmod>{date.iso}</lastmod>" if date and date.iso else ""


def _own(path: str, body: str, site: Site) -> Iterator[Artifact]:
    """A file, unless content/ has one of its name."""
    if path not in site.files:
        yield Artifact(path, body.encode(), "site.yaml")


def hosting(site: Site, pages: Plan) -> Iterator[Artifact]:
    """Files that hosts look for: .nojekyll keeps GitHub Pages from leaving files out, CNAME names a domain."""
    del pages
    yield Artifact(".nojekyll", b"", "site.yaml")
    host = urlsplit(site.settings.url).hostname or ""
    if "." in host and not host.endswith(PROJECT_HOSTS) and not urlsplit(site.settings.url).path.strip("/"):
        yield from _own("CNAME", f"{host}\n", site)
