"""Pages at old URLs that redirect to the new ones."""

import html
from collections.abc import Iterator
from posixpath import normpath
from urllib.parse import quote, unquote

from tenure.html.policy import DEFAULT_POLICY, format_policy_tag
from tenure.html.urls import EXTERNAL_URL, FinishedPage, UrlResolver
from tenure.model.links import parse_url
from tenure.model.site import Site
from tenure.plan.pages import Plan, is_site_path, normalize_path, report_invalid_path
from tenure.problems import Problems


def make_redirects(site: Site, plan: Plan, urls: UrlResolver, problems: Problems) -> Iterator[FinishedPage]:
    """
    One page per line of `redirects`, with an immediate refresh and a link.

    Search engines treat a refresh without delay as a permanent redirect (Google Search Central, "Redirects and Google
    Search"); WCAG allows one (technique H76).
    """
    config = site.settings.redirects
    titles_by_path = {page.path: page.title for page in plan}
    used_paths = {path.casefold() for path in titles_by_path}
    ways = {
        unquote(normalize_path(old_url)): unquote(normalize_path(target.partition("#")[0]))
        for old_url, target in config.ways.items()
    }
    site_url = site.settings.url.rstrip("/")
    for old_url, target in config.ways.items():
        path, place = unquote(normalize_path(old_url)), config.key_place_of(old_url)
        likely_path = normpath(f"/{parse_url(unquote(old_url)).path.lstrip('/')}")
        hint = "delete this line: no page can have this URL"
        if is_site_path(likely_path):
            hint = f"write {normalize_path(likely_path)}"
        if report_invalid_path(unquote(old_url), place, problems, hint):
            continue
        if path.casefold() in used_paths:
            problems.report("duplicate-path", place, f"there is already a page at {path}", "delete this line")
            continue
        visited = [path]
        while ways.get(visited[-1]) not in (None, *visited):
            visited.append(ways[visited[-1]])
        if visited[-1] in ways:
            message = f"{old_url} is part of a loop of redirects"
            problems.report("broken-link", place, message, "write the URL of a page")
            continue
        new_url = target if EXTERNAL_URL.match(target) or target.startswith("/") else f"/{target}"
        canonical_url = new_url
        if site_url and not EXTERNAL_URL.match(new_url):
            canonical_url = f"{site_url}{quote(new_url, safe='/#?=&%')}"
        title = html.escape(titles_by_path.get(new_url.partition("#")[0], new_url))
        page = (
            f'<!DOCTYPE html>\n<html lang="{site.settings.language}">\n<head>\n<meta charset="utf-8">\n'
            f"{format_policy_tag(DEFAULT_POLICY)}\n"
            f'<meta http-equiv="refresh" content="0; url={html.escape(urls.locate(new_url, path))}">\n<title>{title}</title>\n'
            f'<link rel="canonical" href="{html.escape(canonical_url)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n'
            f'<body><main><h1><a href="{html.escape(new_url)}">{title}</a></h1></main></body>\n</html>\n'
        )
        file = f"{path[1:]}index.html" if path.endswith("/") else path[1:]
        yield urls.finish_page(file, path, page, config.source)
