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
from tenure.plan.pages import Plan
from tenure.problems import Place
from tenure.publish import Artifact

HOSTING_DOMAINS = (".github.io", ".gitlab.io", ".netlify.app", ".pages.dev")


def make_sitemap(site: Site, plan: Plan) -> Iterator[Artifact]:
    """
    sitemap.xml and robots.txt; nothing for a site without a URL.

    The date of the last change is that of the page's source or of the site. Sources: sitemaps.org protocol 0.9; Google Search
    Central, "Localized versions of your pages".
    Crawlers read robots.txt only at a host's root (RFC 9309, 2.3).
    """
    if not site.settings.url:
        return
    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    if plan.translations:
        namespaces += ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<urlset {namespaces}>"]
    for page in (page for own_plan in (plan, *plan.translations) for page in own_plan):
        if page.kind == "404":
            continue
        text = f"<loc>{escape(site.locate_path(quote(page.url_path)))}</loc>"
        for version in page.versions:
            url = escape(site.absolute_url(version.path))
            text += f'<xhtml:link rel="alternate" hreflang="{version.language}" href="{url}"/>'
        date = site.settings.updated
        if isinstance(page.entry, Post):
            date = page.entry.updated or (page.entry.date and page.entry.date.start) or date
        lastmod = f"<lastmod>{date.iso}</lastmod>" if date and date.iso else ""
        lines.append(f"<url>{text}{lastmod}</url>")
    yield from _generate_file("sitemap.xml", "\n".join([*lines, "</urlset>", ""]), site)
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
    menu_pages = [page for page in plan if page.path in menu_paths]
    optional_kinds = ("project", "post", "page", "news")
    optional_pages = [page for page in plan if page not in menu_pages and page.kind in optional_kinds]
    formats = SiteExports.for_site(site).formats
    has_cv = any(page.kind == "cv" for page in plan)
    files = [
        (form.file.label, f"/{form.file.path}", form.description)
        for name, form in EXPORT_FORMATS.items()
        if name in formats and form.description and (has_cv or form.page_kind != "cv")
    ]
    description = next(page.description for page in plan if page.path == "/")
    blocks = [f"# {site.title}", *([f"> {description}"] if description else [])]
    for title, links in (
        ("Pages", [(page.title, page.path, page.description) for page in menu_pages]),
        ("Data", files),
        ("Optional", [(page.title, page.path, page.description) for page in optional_pages]),
    ):
        lines = []
        for label, path, text in links:
            name = " ".join(label.replace("[", "(").replace("]", ")").split())
            line = f"- [{name}]({converter.resolve_url(path)})"
            lines.append(f"{line}: {text}" if text else line)
        blocks += [f"## {title}", "\n".join(lines)] if lines else []
    return "\n\n".join(blocks) + "\n"
