"""What a site needs around its pages: sitemap, robots, CNAME, .nojekyll."""

from collections.abc import Iterator
from html import escape
from urllib.parse import urlsplit

from tenure.model.site import Site
from tenure.output import Artifact
from tenure.web.pages import Plan

PROJECT_HOSTS = (".github.io", ".gitlab.io", ".netlify.app", ".pages.dev")


def sitemap(site: Site, pages: Plan) -> Iterator[Artifact]:
    """
    The addresses of all pages for search engines; only for a site that knows its own address.

    Source: sitemaps.org protocol 0.9. robots.txt is read at a host's root only (RFC 9309, 2.3).
    """
    root = site.settings.url.rstrip("/")
    if not root:
        return
    modified = site.settings.updated.iso if site.settings.updated else ""
    stamp = f"<lastmod>{modified}</lastmod>" if modified else ""
    lines = [
        f"<url><loc>{escape(root + page.path)}</loc>{stamp}</url>" for page in pages if page.kind != "404"
    ]
    body = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    body += "\n".join(lines) + "\n</urlset>\n"
    yield Artifact("sitemap.xml", body.encode(), "site.yaml")
    if not urlsplit(root).path:
        yield Artifact(
            "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {root}/sitemap.xml\n".encode(), "site.yaml"
        )


def hosting(site: Site, pages: Plan) -> Iterator[Artifact]:
    """Files that hosts look for: .nojekyll keeps GitHub Pages from leaving files out, CNAME names a domain."""
    del pages
    yield Artifact(".nojekyll", b"", "site.yaml")
    host = urlsplit(site.settings.url).hostname or ""
    if "." in host and not host.endswith(PROJECT_HOSTS) and not urlsplit(site.settings.url).path.strip("/"):
        yield Artifact("CNAME", f"{host}\n".encode(), "site.yaml")
