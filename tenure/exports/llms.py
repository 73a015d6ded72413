"""llms.txt: the pages and files of a site that a language model should read."""

from collections.abc import Iterator

from tenure.exports.plain_text import SiteTextConverter
from tenure.model.export_formats import EXPORT_FORMATS
from tenure.model.site import Site
from tenure.plan.export_formats import SiteExports
from tenure.plan.pages import Plan


def make_llms_txt(site: Site, plan: Plan) -> str:
    """
    The title, a description, and lists of pages and exported files with their URLs.

    Source: llmstxt.org: H1, a quotation with the summary, H2 sections of links, "Optional" for skippable pages.
    """
    converter = SiteTextConverter.for_site(site)
    menu_pages = [page for page in plan if any(item.path == page.path for item in plan.menu)]
    optional_pages = [
        page for page in plan if page not in menu_pages and page.kind in ("project", "post", "page", "news")
    ]
    home = plan.page_at("/")
    blocks = [f"# {site.title}", f"> {home.description}" if home.description else ""]
    exports = SiteExports.for_site(site)
    has_cv = any(page.kind == "cv" for page in plan)
    files = [
        _link_line(
            export_format.file.label,
            converter.resolve_url(f"/{export_format.file.path}"),
            export_format.description,
        )
        for name, export_format in EXPORT_FORMATS.items()
        if name in exports.formats and export_format.description
        if has_cv or export_format.page_kind != "cv"
    ]
    blocks += _link_section(
        "Pages", [_link_line(p.title, converter.resolve_url(p.path), p.description) for p in menu_pages]
    )
    blocks += _link_section("Data", files)
    blocks += _link_section(
        "Optional",
        [_link_line(p.title, converter.resolve_url(p.path), p.description) for p in optional_pages],
    )
    return "\n\n".join(block for block in blocks if block) + "\n"


def _link_section(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"## {title}"
        yield "\n".join(lines)


def _link_line(title: str, url: str, description: str) -> str:
    name = " ".join(title.replace("[", "(").replace("]", ")").split())
    return f"- [{name}]({url}): {description}" if description else f"- [{name}]({url})"
