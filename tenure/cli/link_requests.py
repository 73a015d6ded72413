"""Requests that check links to other sites: one at a time to a host, and only the head of a response is read."""

import http.client
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal
from urllib.parse import quote, urlsplit, urlunsplit

from tenure import __version__
from tenure.record import Record

USER_AGENT = f"Tenure/{__version__} (checks the links of a researcher's own site)"
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
    """The state of a URL: "there", "gone", "silent" (no response) or "unclear", and the reason as text."""

    url: str
    state: Literal["there", "gone", "silent", "unclear"]
    reason: str = ""


def check_urls(
    urls: Iterable[str],
    on_progress: Callable[[int], None],
    *,
    delay: float = REQUEST_DELAY,
    timeout: float = REQUEST_TIMEOUT,
) -> tuple[LinkResult, ...]:
    """
    Check all http and https URLs; returns the results sorted by URL. `on_progress` gets the number of checked URLs.

    `delay` (between two requests to one host) and `timeout` are in seconds. HEAD is sent first; if it fails, GET.
    """
    unique_urls = sorted(
        {link.partition("#")[0] for link in urls if link.startswith(("http://", "https://"))}
    )
    hosts: dict[str, list[str]] = {}
    for url in unique_urls:
        hosts.setdefault(urlsplit(url).netloc.casefold(), []).append(url)
    results: list[LinkResult] = []
    check_host = partial(_check_host, delay=delay, timeout=timeout)
    with ThreadPoolExecutor(max_workers=MAX_PARALLEL_HOSTS) as pool:
        for host_results in pool.map(check_host, hosts.values()):
            results += host_results
            on_progress(len(results))
    return tuple(sorted(results, key=lambda result: result.url))


def _check_host(urls: Sequence[str], *, delay: float, timeout: float) -> list[LinkResult]:
    """Check the URLs of one host one by one; if the first two get no response, the others are not requested."""
    results: list[LinkResult] = []
    for url in urls:
        unanswered = [result for result in results if result.state == "silent"]
        if len(unanswered) == len(results) == 2:
            results += [
                LinkResult(remaining_url, "silent", unanswered[0].reason)
                for remaining_url in urls[len(results) :]
            ]
            break
        if results:
            time.sleep(delay)
        results.append(_check_url(url, delay=delay, timeout=timeout))
    return results


def _check_url(url: str, *, delay: float, timeout: float) -> LinkResult:
    result = _send_request(url, "HEAD", timeout)
    if result.state in ("there", "silent"):
        return result
    time.sleep(delay)
    return _send_request(url, "GET", timeout)


def _send_request(url: str, method: str, timeout: float) -> LinkResult:
    """Send one request and return its result."""
    try:
        headers = {"User-Agent": USER_AGENT, "Accept": "*/*"}
        request = urllib.request.Request(_to_ascii_url(url), headers=headers, method=method)  # noqa: S310 - check_urls() only accepts http
        opener = _NO_REDIRECT_OPENER if request.host in RESOLVER_HOSTS else _FOLLOWING_OPENER
        with opener.open(request, timeout=timeout) as response:
            status = int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        status = error.code
    except (OSError, http.client.HTTPException, UnicodeError, ValueError) as error:
        return LinkResult(url, "silent", _describe_error(error))
    if status < 400:
        return LinkResult(url, "there")
    if status in GONE_STATUSES:
        return LinkResult(url, "gone", str(status))
    return LinkResult(url, "unclear", f"answers {status} to programs")


def _to_ascii_url(url: str) -> str:
    """A URL in ASCII; raises UnicodeError if the host cannot be encoded."""
    split_url = urlsplit(url)
    host = split_url.netloc.encode("idna").decode() if not split_url.netloc.isascii() else split_url.netloc
    safe_characters = "/:?#[]@!$&'()*+,;=%~"
    return urlunsplit(
        (
            split_url.scheme,
            host,
            quote(split_url.path, safe_characters),
            quote(split_url.query, safe_characters),
            "",
        )
    )


def _describe_error(error: Exception) -> str:
    """The reason for a missing response, as text."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return "its certificate is not valid"
    if isinstance(cause, socket.gaierror | UnicodeError):
        return "there is no such host"
    if isinstance(cause, TimeoutError):
        return "it does not answer"
    if isinstance(cause, ConnectionRefusedError):
        return "it refuses the connection"
    return "the connection breaks off"


class _NoRedirectHandler(urllib.request.HTTPRedirectHandler):
    """Returns a redirect as the response."""

    def redirect_request(self, *_: object) -> None:
        """Follow no redirect."""


_FOLLOWING_OPENER = urllib.request.build_opener()
_NO_REDIRECT_OPENER = urllib.request.build_opener(_NoRedirectHandler())
