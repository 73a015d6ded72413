"""
`check --links external`: report dead links to other sites at their place in the sources.

The hosts are asked at the same time, one request at a time to a host, and only the head of a response is read.
"""

import html
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import quote, unquote, urlunsplit

from tenure.build import BuildResult
from tenure.fetch.client import Client, FetchError
from tenure.fetch.services import request_archived_copy
from tenure.model.links import parse_url
from tenure.problems import Place, Problem, Problems
from tenure.record import Record, replace

_EXTERNAL_LINK = re.compile(r'<a\s[^>]*?href="(https?://[^"]+)"')
PURPOSE = "checks the links of its own pages"
"""The reason for the requests, in the User-Agent."""

REQUEST_DELAY = 0.5
"""Seconds between two requests to one host."""

REQUEST_TIMEOUT = 15.0
"""Seconds to wait for a response."""

MAX_PARALLEL_HOSTS = 8
"""The number of hosts that are checked at the same time."""

GONE_STATUSES = frozenset({404, 410})
RESOLVER_HOSTS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net"})
"""Hosts whose redirect counts as success, because the target often refuses programs."""


class LinkResult(Record):
    """The state of a URL: "reachable", "gone", "silent" (no response) or "unclear", and the reason as text."""

    url: str
    state: Literal["reachable", "gone", "silent", "unclear"]
    reason: str = ""


def check_external_links(build: BuildResult, root: Path) -> BuildResult:
    """A copy of a build with the problems of its external links; links with an unclear result are printed on stderr."""
    source_by_url = find_external_links(build)
    results = check_urls(source_by_url, partial(_show_progress, len(source_by_url)))
    for result in results:
        if result.state == "unclear":
            print(f"{result.url} {result.reason}: look yourself", file=sys.stderr)
    copies = find_archived_copies(result.url for result in results if result.state in ("gone", "silent"))
    ignored_codes = build.site.settings.checks.ignore if build.site is not None else ()
    problems = [
        p for p in _report_dead_links(results, copies, source_by_url, root) if p.code not in ignored_codes
    ]
    return replace(build, problems=tuple(sorted((*build.problems, *problems))))


def find_external_links(build: BuildResult) -> dict[str, str]:
    """Every URL on another site that a page links to, with the source file of the first such page."""
    site_urls = tuple(f"{url}/" for url in build.site.roots.values() if url) if build.site else ()
    source_by_url: dict[str, str] = {}
    for artifact in build.artifacts:
        if artifact.path.endswith(".html"):
            for href in _EXTERNAL_LINK.findall(artifact.read().decode("utf-8")):
                url = html.unescape(href).partition("#")[0]
                if not f"{url.rstrip('/')}/".startswith(site_urls):
                    source_by_url.setdefault(url, artifact.source.file or artifact.path)
    return source_by_url


def find_archived_copies(urls: Iterable[str]) -> dict[str, str]:
    """The Internet Archive's copy of each dead link, as text; if it does not answer, that is printed on stderr."""
    copies: dict[str, str] = {}
    with Client(None, PURPOSE) as client:
        for url in urls:
            try:
                day, copy_url = request_archived_copy(client, url)
            except FetchError as error:
                print(f"archived copies are not looked up: {error}", file=sys.stderr)
                return copies
            if copy_url:
                copies[url] = f"copy of {day}: {copy_url}"
    return copies


def _report_dead_links(
    results: Sequence[LinkResult], copies: Mapping[str, str], source_by_url: Mapping[str, str], root: Path
) -> tuple[Problem, ...]:
    """The problems of dead links, each with its archived copy."""
    problems = Problems()
    for path in (root / "site.yaml", *sorted(root.glob("content/**/*")), *sorted(root.glob("bib/**/*.bib"))):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".md", ".bib"):
            text = path.read_text(encoding="utf-8", errors="replace")
            problems.add_source(path.relative_to(root).as_posix(), text)
    hints = {
        "gone": "correct the URL, or delete the link",
        "archived": "link to the copy if its content is what you mean, or correct the URL",
        "silent": "check whether the page still exists, or try again later",
    }
    for result in results:
        if result.state in ("gone", "silent"):
            archived = f"; {copies[result.url]}" if result.url in copies else ""
            message = f"{result.url} is {result.state}: {result.reason}{archived}"
            for place in _find_places(result.url, problems) or [Place(source_by_url[result.url])]:
                problems.report(
                    "dead-link", place, message, hints[result.state if not archived else "archived"]
                )
    return problems.sorted_problems()


def _find_places(url: str, problems: Problems) -> list[Place]:
    """The places in the sources that have a URL, or else the DOI or user name in it."""
    path = unquote(parse_url(url).path).strip("/")
    for spelling in dict.fromkeys((url, url.rstrip("/"), path, path.rpartition("/")[2])):
        places = [*problems.find_places(rf"(?<![\w/])({re.escape(spelling)})(?![\w-])")] if spelling else []
        if places:
            return places
    return []


def _show_progress(total: int, count: int) -> None:
    """Show the number of checked links if stderr is a terminal; the next line overwrites it."""
    if sys.stderr.isatty():
        print(f"checked {count} of {total} links\r", end="", file=sys.stderr, flush=True)


def check_urls(urls: Iterable[str], on_progress: Callable[[int], None]) -> tuple[LinkResult, ...]:
    """Check all http and https URLs; returns the results sorted by URL. `on_progress` gets the number of checked URLs."""
    web_urls = (url for url in urls if url.startswith(("http://", "https://")))
    unique_urls = sorted({url.partition("#")[0] for url in web_urls})
    hosts: dict[str, list[str]] = {}
    for url in unique_urls:
        hosts.setdefault(parse_url(url).netloc.casefold(), []).append(url)
    results: list[LinkResult] = []
    check_host = partial(_check_host, Client(None, PURPOSE))
    with ThreadPoolExecutor(max_workers=MAX_PARALLEL_HOSTS) as pool:
        for host_results in pool.map(check_host, hosts.values()):
            results += host_results
            on_progress(len(results))
    return tuple(sorted(results, key=lambda result: result.url))


def _check_host(client: Client, urls: Sequence[str]) -> list[LinkResult]:
    """Check the URLs of one host one after the other; if the first two get no response, the others are not requested."""
    results: list[LinkResult] = []
    for url in urls:
        unanswered = [result for result in results if result.state == "silent"]
        if len(unanswered) == len(results) == 2:
            results += [LinkResult(url, "silent", unanswered[0].reason) for url in urls[2:]]
            break
        if results:
            time.sleep(REQUEST_DELAY)
        results.append(_check_url(client, url))
    return results


def _check_url(client: Client, url: str) -> LinkResult:
    """Request the head of a response; if the answer is an error, repeat with GET, which some servers require."""
    result = _send_request(client, url, "HEAD")
    if result.state in ("reachable", "silent"):
        return result
    time.sleep(REQUEST_DELAY)
    return _send_request(client, url, "GET")


def _send_request(client: Client, url: str, method: str) -> LinkResult:
    """Send one request and return its result; the redirect of a resolver is not followed."""
    host = parse_url(url).netloc.casefold()
    try:
        is_followed = host not in RESOLVER_HOSTS
        ascii_url = _to_ascii_url(url)
        status = client.request_status(
            ascii_url, method, timeout=REQUEST_TIMEOUT, follows_redirects=is_followed
        )
    except FetchError as error:
        return LinkResult(url, "silent", str(error))
    except UnicodeError:
        return LinkResult(url, "silent", "there is no such host")
    if status < 400:
        return LinkResult(url, "reachable")
    if status in GONE_STATUSES:
        return LinkResult(url, "gone", str(status))
    return LinkResult(url, "unclear", f"answers {status} to programs")


def _to_ascii_url(url: str) -> str:
    """A URL in ASCII; raises UnicodeError if the host cannot be encoded."""
    split_url = parse_url(url)
    host = split_url.netloc.encode("idna").decode() if not split_url.netloc.isascii() else split_url.netloc
    path, query = (quote(part, "/:?#[]@!$&'()*+,;=%~") for part in (split_url.path, split_url.query))
    return urlunsplit((split_url.scheme, host, path, query, ""))
