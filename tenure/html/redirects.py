"""Pages at old URLs that redirect to the new ones."""

import html
from collections.abc import Iterator, Mapping
from posixpath import normpath
from urllib.parse import quote, unquote

from tenure.html.policy import DEFAULT_POLICY, format_policy_tag
from tenure.html.urls import EXTERNAL_URL, FinishedPage, UrlResolver
from tenure.model.links import parse_url
from tenure.model.site import Settings, Site
from tenure.plan.pages import Plan, is_site_path, normalize_path, report_invalid_path
from tenure.problems import Problems


def make_redirects(site: Site, plan: Plan, urls: UrlResolver, problems: Problems) -> Iterator[FinishedPage]:
    """One page per line of `redirects`, with an immediate refresh and a link."""
    config = site.settings.redirects
    titles_by_path = {page.path: page.title for page in plan}
    used_paths = {path.casefold() for path in titles_by_path}
    ways = {
        unquote(normalize_path(old_url)): unquote(normalize_path(target.partition("#")[0]))
        for old_url, target in config.ways.items()
    }
    for old_url, target in config.ways.items():
        path = unquote(normalize_path(old_url))
        place = config.key_place_of(old_url)
        if report_invalid_path(unquote(old_url), place, problems, _suggest_path(old_url)):
            continue
        if path.casefold() in used_paths:
            problems.report("duplicate-path", place, f"there is already a page at {path}", "delete this line")
            continue
        if _is_in_loop(path, ways):
            message = f"{old_url} is part of a loop of redirects"
            problems.report("broken-link", place, message, "write the URL of a page")
            continue

        new_url = target if EXTERNAL_URL.match(target) or target.startswith("/") else f"/{target}"
        title = titles_by_path.get(new_url.partition("#")[0], new_url)
        page = _format_page(site.settings, urls.locate(new_url, path), new_url, html.escape(title))
        file = f"{path[1:]}index.html" if path.endswith("/") else path[1:]
        yield urls.finish_page(file, path, page, config.source)


def _suggest_path(old_url: str) -> str:
    """How to write an old URL that no page can have: "https://example.edu/cv.html" -> "write /cv.html"."""
    likely_path = normpath(f"/{parse_url(unquote(old_url)).path.lstrip('/')}")
    if is_site_path(likely_path):
        return f"write {normalize_path(likely_path)}"
    return "delete this line: no page can have this URL"


def _is_in_loop(path: str, ways: Mapping[str, str]) -> bool:
    """Whether the redirects from a path never end."""
    visited = {path}
    while path in ways:
        path = ways[path]
        if path in visited:
            return True
        visited.add(path)
    return False


def _format_page(settings: Settings, refresh_url: str, new_url: str, title: str) -> str:
    """
    A page that leads to another one.

    Search engines treat a refresh without delay as a permanent redirect (Google Search Central, "Redirects
    and Google Search"); WCAG allows one (technique H76).
    """
    canonical_url = new_url
    if settings.url and not EXTERNAL_URL.match(new_url):
        canonical_url = f"{settings.url.rstrip('/')}{quote(new_url, safe='/#?=&%')}"
    refresh = f'<meta http-equiv="refresh" content="0; url={html.escape(refresh_url)}">'
    return (
        f'<!DOCTYPE html>\n<html lang="{settings.language}">\n<head>\n<meta charset="utf-8">\n'
        f"{format_policy_tag(DEFAULT_POLICY)}\n{refresh}\n<title>{title}</title>\n"
        f'<link rel="canonical" href="{html.escape(canonical_url)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n'
        f'<body><main><h1><a href="{html.escape(new_url)}">{title}</a></h1></main></body>\n</html>\n'
    )
