"""llms.txt: the pages and files of a site that a language model should read."""

from collections.abc import Iterator

from tenure.model.site import Site
from tenure.outlets.words import Words
from tenure.web.downloads import RECORDS, Downloads
from tenure.web.pages import Plan

ABOUT = {
    "markdown": "the whole CV in Markdown",
    "json-resume": "the CV as data",
    "bibtex": "all publications in BibTeX",
    "csl-json": "all publications as data",
    "calendar": "talks with their days",
}
"""Descriptions of the formats that a language model can use."""


def llms(site: Site, pages: Plan) -> str:
    """
    The name, a description, and lists of pages and exported files with their URLs.

    Source: llmstxt.org: H1, a quotation with the summary, H2 sections of links, "Optional" for skippable pages.
    """
    words = Words.of(site)
    top = [page for page in pages if any(item.path == page.path for item in pages.menu)]
    rest = [page for page in pages if page not in top and page.kind in ("project", "post", "page", "news")]
    home = pages.page("/")
    blocks = [f"# {site.profile.name}", f"> {home.description}" if home.description else ""]
    downloads = Downloads.of(site)
    chosen = [record for record in RECORDS if record in downloads.chosen and record in ABOUT]
    if not any(page.kind == "cv" for page in pages):
        chosen = [record for record in chosen if record not in ("markdown", "json-resume")]
    files = [_line(RECORDS[r].label, words.address(f"/{RECORDS[r].path}"), ABOUT[r]) for r in chosen]
    blocks += _list("Pages", [_line(p.title, words.address(p.path), p.description) for p in top])
    blocks += _list("Data", files)
    blocks += _list("Optional", [_line(p.title, words.address(p.path), p.description) for p in rest])
    return "\n\n".join(block for block in blocks if block) + "\n"


def _list(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"## {title}"
        yield "\n".join(lines)


def _line(title: str, address: str, about: str) -> str:
    name = " ".join(title.replace("[", "(").replace("]", ")").split())
    return f"- [{name}]({address}): {about}" if about else f"- [{name}]({address})"
