"""Files for search engines, language models and hosts: sitemap.xml, robots.txt, llms.txt, CNAME, .nojekyll."""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from tenure.exports.plain_text import SiteTextConverter
from tenure.model.entries import Post
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.links import parse_url
from tenure.model.site import Site
from tenure.plan.export_formats import SiteExports
from tenure.plan.pages import Page, Plan
from tenure.problems import Place
from tenure.publish import Artifact

HOSTING_DOMAINS = (".github.io", ".gitlab.io", ".netlify.app", ".pages.dev")


def make_sitemap(site: Site, plan: Plan) -> Iterator[Artifact]:
    """
    sitemap.xml and robots.txt; nothing for a site without a URL.

    The date of the last change is that of the page's source or of the site. Source: sitemaps.org protocol 0.9.
    Crawlers read robots.txt only at a host's root (RFC 9309, 2.3).
    """
    if not site.settings.url:
        return
    root = site.settings.url.rstrip("/")
    pages = [page for own_plan in (plan, *plan.translations) for page in own_plan]
    lines = [
        f"<url><loc>{escape(site.locate_path(quote(page.url_path)))}</loc>{_alternate_links(site, page)}{_lastmod_element(site, page)}</url>"
        for page in pages
        if page.kind != "404"
    ]
    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    if plan.translations:
        namespaces += ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    body = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset {namespaces}>\n'
    body += "\n".join(lines) + "\n</urlset>\n"
    yield from _generate_file("sitemap.xml", body, site)
    if not parse_url(root).path:
        rules = f"User-agent: *\nAllow: /\nSitemap: {root}/sitemap.xml\n"
        yield from _generate_file("robots.txt", rules, site)


def _alternate_links(site: Site, page: Page) -> str:
    """The links to a page in all languages (Google Search Central, "Localized versions of your pages"), or ""."""
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{version.language}" href="{escape(site.absolute_url(version.path))}"/>'
        for version in page.versions
    )


def _lastmod_element(site: Site, page: Page) -> str:
    """The <lastmod> element of a page, as precise as its source (W3C, "Date and Time Formats"), or ""."""
    entry = page.entry
    post_date = (
        (entry.updated or (entry.date.start if entry.date else None)) if isinstance(entry, Post) else None
    )
    date = post_date or site.settings.updated
    return f"<lastmod>{date.iso}</lastmod>" if date and date.iso else ""


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


def make_llms_txt(site: Site, plan: Plan) -> str:
    """
    The title, a description, and lists of pages and exported files with their URLs.

    Source: llmstxt.org: H1, a quotation with the summary, H2 sections of links, "Optional" for skippable pages.
    """
    converter = SiteTextConverter.for_site(site)
    menu_pages = [page for page in plan if any(item.path == page.path for item in plan.menu)]
    optional_kinds = ("project", "post", "page", "news")
    optional_pages = [page for page in plan if page not in menu_pages and page.kind in optional_kinds]
    home = plan.page_at("/")
    blocks = [f"# {site.title}", f"> {home.description}" if home.description else ""]
    exports = SiteExports.for_site(site)
    has_cv = any(page.kind == "cv" for page in plan)
    files = [
        _link_line(form.file.label, converter.resolve_url(f"/{form.file.path}"), form.description)
        for name, form in EXPORT_FORMATS.items()
        if name in exports.formats and form.description
        if has_cv or form.page_kind != "cv"
    ]
    main_lines, optional_lines = (
        [_link_line(p.title, converter.resolve_url(p.path), p.description) for p in pages]
        for pages in (menu_pages, optional_pages)
    )
    for title, lines in (("Pages", main_lines), ("Data", files), ("Optional", optional_lines)):
        blocks += [f"## {title}", "\n".join(lines)] if lines else []
    return "\n\n".join(block for block in blocks if block) + "\n"


def _link_line(title: str, url: str, description: str) -> str:
    name = " ".join(title.replace("[", "(").replace("]", ")").split())
    return f"- [{name}]({url}): {description}" if description else f"- [{name}]({url})"
