"""Pages at old URLs that redirect to the new ones."""

import html
import re
from collections.abc import Iterator, Mapping
from posixpath import normpath
from urllib.parse import quote, unquote, urlsplit

from tenure.model.files import Files
from tenure.model.site import Site
from tenure.problems import Place, Problems
from tenure.web.finish import ELSEWHERE, Finish, Finished
from tenure.web.pages import Plan, is_path, path_of, told_path


def redirects(site: Site, plan: Plan, files: Files, problems: Problems) -> Iterator[Finished]:
    """
    One page per line of `redirects`, with an immediate refresh and a link.

    Search engines treat a refresh without delay as a permanent redirect (Google Search Central, "Redirects and Google
    Search"); WCAG allows one (technique H76).
    """
    wish = site.settings.redirects
    titles = {page.path: page.title for page in plan}
    taken = {path.casefold() for path in titles}
    for old, written in wish.ways.items():
        path = unquote(path_of(old))
        if told_path(unquote(old), wish.source, problems, _instead(unquote(old))):
            continue
        if path.casefold() in taken:
            place = next(problems.places(_LINE.format(re.escape(old)), "site.yaml"), Place.at(wish.source))
            problems.tell("duplicate-path", place, f"there is already a page at {path}", "delete this line")
            continue
        if _leads_back(path, wish.ways):
            place = next(problems.places(_LINE.format(re.escape(old)), "site.yaml"), Place.at(wish.source))
            problems.tell(
                "broken-link", place, f"{old} is part of a loop of redirects", "write the URL of a page"
            )
            continue
        new = written if ELSEWHERE.match(written) or written.startswith("/") else f"/{written}"
        finish = Finish(path, files)
        root = site.settings.url.rstrip("/")
        final = new if ELSEWHERE.match(new) or not root else f"{root}{quote(new, safe='/#?=&%')}"
        title = html.escape(titles.get(new.partition("#")[0], new))
        page = (
            f'<!DOCTYPE html>\n<html lang="{site.settings.language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="refresh" content="0; url={html.escape(finish.address(new))}">\n<title>{title}</title>\n'
            f'<link rel="canonical" href="{html.escape(final)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n'
            f'<body><main><h1><a href="{html.escape(new)}">{title}</a></h1></main></body>\n</html>\n'
        )
        file = f"{path[1:]}index.html" if path.endswith("/") else path[1:]
        yield finish.page_html(file, page, wish.source)


_LINE = r"""(?m)^[ \t{{,]*["']?({})["']?\s*:"""


def _instead(old: str) -> str:
    """The repair for an old URL that is not a valid path."""
    path = normpath(f"/{urlsplit(old).path.lstrip('/')}")
    return f"write {path_of(path)}" if is_path(path) else "delete this line: no page can have this URL"


def _leads_back(path: str, ways: Mapping[str, str]) -> bool:
    """Whether the redirects starting at a path form a loop."""
    nexts = {unquote(path_of(old)): unquote(path_of(new.partition("#")[0])) for old, new in ways.items()}
    seen = {path}
    at = nexts.get(path, "")
    while at in nexts and at not in seen:
        seen.add(at)
        at = nexts[at]
    return at in seen
