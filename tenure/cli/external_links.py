"""
`check --links external`: report dead links to other sites at their place in the sources.

The hosts are asked at the same time, one request at a time to a host, and only the head of a response is
read. LinkResult is what an answer says about a URL.
"""

import html
import re
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import quote, unquote, urlunsplit

from tenure.build import BuildResult
from tenure.fetch.client import Client, FetchError
from tenure.model.links import parse_url
from tenure.problems import Place, Problem, Problems
from tenure.progress import ProgressCallback, ProgressLine, ignore_progress
from tenure.record import Record

_EXTERNAL_LINK = re.compile(r'<a\s[^>]*?href="(https?://[^"]+)"')
"""<a class="link" href="https://example.org/">."""

PURPOSE = "checks the links of its own pages"
"""The reason for the requests, in the User-Agent."""

REQUEST_DELAY = 0.5
"""Seconds between two requests to one host."""

REQUEST_TIMEOUT = 15.0
"""Seconds to wait for a response."""

MAX_PARALLEL_HOSTS = 8
"""The number of hosts that are checked at the same time."""

RESOLVER_HOSTS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net"})
"""Hosts whose redirect counts as success, because the target often refuses programs."""

HINTS = {
    "gone": "correct the URL, or delete the link",
    "silent": "check whether the page still exists, or try again later",
}


class LinkResult(Record, order=True):
    """The state of a URL, and the reason as text; "silent" is without a response."""

    url: str
    state: Literal["reachable", "gone", "silent", "unclear"]
    reason: str = ""


def check_external_links(build: BuildResult, root: Path) -> Sequence[Problem]:
    """The problems of the external links of a build; links with an unclear result are printed on stderr."""
    source_by_url = find_external_links(build)
    progress_line = ProgressLine(sys.stderr)
    results = check_urls(source_by_url, progress_line)
    progress_line.clear()
    # then the fault is in the connection, and not in each link
    if len(results) > 2 and all(result.state == "silent" for result in results):
        print("no host answers; check the connection, and try again", file=sys.stderr)
        return ()

    problems = Problems()
    _add_sources(problems, root)
    for result in results:
        if result.state == "unclear":
            print(f"{result.url} {result.reason}: look yourself", file=sys.stderr)
        elif result.state != "reachable":
            message = f"{result.url} is {result.state}: {result.reason}"
            for place in _find_places(result.url, problems) or [Place(source_by_url[result.url])]:
                problems.report("dead-link", place, message, HINTS[result.state])
    ignored = build.site.settings.checks.ignore if build.site else ()
    return problems.sorted_problems(ignored)


def _add_sources(problems: Problems, root: Path) -> None:
    """Add the texts of the sources, in which the places of links are searched."""
    content = sorted(root.glob("content/**/*"))
    bibliographies = sorted(root.glob("bib/**/*.bib"))
    for path in (root / "site.yaml", *content, *bibliographies):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".md", ".bib"):
            text = path.read_text(encoding="utf-8", errors="replace")
            problems.add_source(path.relative_to(root).as_posix(), text)


def find_external_links(build: BuildResult) -> dict[str, str]:
    """
    Every URL on another site that a page links to, with the source file of the first such page.

    Without its fragment, so that a page is requested once; the site's own address is no other site.
    """
    own_urls: tuple[str, ...] = ()
    if build.site and build.site.settings.url:
        own_urls = (f"{build.site.settings.url.rstrip('/')}/",)

    source_by_url: dict[str, str] = {}
    for artifact in build.artifacts:
        if not artifact.path.endswith(".html"):
            continue
        for href in _EXTERNAL_LINK.findall(artifact.read().decode("utf-8")):
            url = html.unescape(href).partition("#")[0]
            # without own_urls, nothing starts with one
            if not f"{url.rstrip('/')}/".startswith(own_urls):
                source_by_url.setdefault(url, artifact.source.file or artifact.path)
    return source_by_url


def _find_places(url: str, problems: Problems) -> list[Place]:
    """The places in the sources that have a URL, or else the DOI or user name in it."""
    path = unquote(parse_url(url).path).strip("/")
    for spelling in filter(None, (url, url.rstrip("/"), path, path.rpartition("/")[2])):
        places = [*problems.find_places(rf"(?<![\w/])({re.escape(spelling)})(?![\w-])")]
        if places:
            return places
    return []


def check_urls(urls: Iterable[str], progress: ProgressCallback = ignore_progress) -> tuple[LinkResult, ...]:
    """Check http and https URLs; returns the results sorted by URL."""
    unique_urls = sorted({url.partition("#")[0] for url in urls})
    hosts: dict[str, list[str]] = {}
    for url in unique_urls:
        hosts.setdefault(parse_url(url).netloc.casefold(), []).append(url)
    results: list[LinkResult] = []
    with ThreadPoolExecutor(max_workers=MAX_PARALLEL_HOSTS) as pool:
        for host_results in pool.map(partial(_check_host, Client(None, PURPOSE)), hosts.values()):
            results += host_results
            progress("checking links", len(results), len(unique_urls))
    return tuple(sorted(results))


def _check_host(client: Client, urls: Sequence[str]) -> list[LinkResult]:
    """Check the URLs of one host one after the other; after two without a response, no other is requested."""
    results: list[LinkResult] = []
    for url in urls:
        if len(results) >= 2 and all(result.state == "silent" for result in results):
            results.append(LinkResult(url, "silent", results[0].reason))
            continue
        if results:
            time.sleep(REQUEST_DELAY)
        result = _send_request(client, url, "HEAD")
        if result.state not in ("reachable", "silent"):
            # some servers require GET
            time.sleep(REQUEST_DELAY)
            result = _send_request(client, url, "GET")
        results.append(result)
    return results


def _send_request(client: Client, url: str, method: str) -> LinkResult:
    """Send one request and return its result; the redirect of a resolver is not followed."""
    is_followed = parse_url(url).netloc.casefold() not in RESOLVER_HOSTS
    try:
        status = client.request_status(
            _to_ascii_url(url), method, timeout=REQUEST_TIMEOUT, follows_redirects=is_followed
        )
    except FetchError as error:
        return LinkResult(url, "silent", str(error))
    except UnicodeError:
        return LinkResult(url, "silent", "there is no such host")
    if status < 400:
        return LinkResult(url, "reachable")
    if status in (404, 410):
        return LinkResult(url, "gone", str(status))
    return LinkResult(url, "unclear", f"answers {status} to programs")


def _to_ascii_url(url: str) -> str:
    """A URL in ASCII; raises UnicodeError if the host cannot be encoded."""
    split_url = parse_url(url)
    host = split_url.netloc
    if not host.isascii():
        host = host.encode("idna").decode()
    path, query = (quote(part, "/:?#[]@!$&'()*+,;=%~") for part in (split_url.path, split_url.query))
    return urlunsplit((split_url.scheme, host, path, query, ""))
