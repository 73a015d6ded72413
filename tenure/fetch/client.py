"""
The HTTP client: the only module that requests data from other hosts.

It sends one request at a time. It limits time and size, accepts redirects to https only, sends no cookie,
repeats a request after a temporary error, and stores answers so that the next call continues where an
interrupted one ended.
"""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.util import Retry, Timeout

from tenure import __version__
from tenure.cache.store import CacheStore
from tenure.model.links import parse_url
from tenure.record import Record

MAX_ANSWER_TIME = 120.0
"""Seconds for one answer: from the first request, with its redirects and repetitions, to the last byte."""

TIMEOUT = Timeout(connect=10.0, read=30.0)
REQUEST_DELAY = 0.2
"""Seconds between two requests to one host; Crossref allows 5 in a second to programs without a key."""

RETRY_COUNT = 3
"""Repetitions of a request after a temporary error."""

BACKOFF_FACTOR = 0.5
"""Seconds before the second repetition; each further one waits twice as long."""

MAX_RETRY_DELAY = 60
"""Seconds that `Retry-After` may demand."""

MAX_REDIRECTS = 5
"""Redirects of one request that are followed."""

MAX_FAILURES = 3
"""Requests without an answer, one after another, after which a host is not asked again."""

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
SMALL_BODY_SIZE = 65_536
"""Bytes of a body that is read at once, or read only to use its connection again."""

TEMPORARY_STATUSES = frozenset({429, 500, 502, 503, 504})
"""Too many requests, and errors of the server, after which a request is repeated."""

SAVE_INTERVAL = 20
"""Requests after which the answers are saved."""


_Result = TypeVar("_Result")


class FetchError(Exception):
    """A service gave no usable answer; if `is_temporary` is true, the same request can succeed later."""

    def __init__(self, message: str, *, is_temporary: bool = False) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary


class _Answer(Record):
    """A stored answer: when it came, its status and its body."""

    received: float
    status: int
    body: bytes


class Client:
    """
    Requests URLs one after another; each request states `contact`, an e-mail address or URL.

    No answer takes more than `max_answer_time` seconds.
    """

    def __init__(
        self, cache_folder: Path | None, contact: str, max_answer_time: float = MAX_ANSWER_TIME
    ) -> None:
        self._max_answer_time = max_answer_time
        self._store = CacheStore(cache_folder)
        # a header has printable ASCII alone
        printable_contact = "".join(letter for letter in contact if " " <= letter <= "~")[:200]
        self._agent = f"Tenure/{__version__} (academic homepage; {printable_contact})"
        self._pools: dict[str, urllib3.PoolManager] = {}
        self._last_request: dict[str, float] = {}
        self._failures: Counter[str] = Counter()
        self._request_count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.save()

    def get(self, url: str, accept: str, *, max_age: float = 0) -> bytes:
        """
        The body of the answer to a GET request of one of the media types `accept`.

        An answer that is younger than `max_age` seconds is not requested again. Raises FetchError.
        """
        stored = self._store.find("answers", "2", [url, accept])
        if isinstance(stored, _Answer) and 0 <= time.time() - stored.received < max_age:
            answer = stored
        else:
            answer = self._request_answer(url, accept)
        # a stored answer too: when the store grows too large, it deletes what this run has not put
        self._store.put("answers", "2", [url, accept], answer)
        if answer.status != 200:
            raise FetchError(f"{_shorten_url(url)} answers {answer.status}")
        return answer.body

    def request_status(self, url: str, method: str, *, timeout: float, follows_redirects: bool = True) -> int:
        """
        The status of any web URL after its redirects; no body is read, nothing is repeated or stored.

        Raises FetchError with the reason if there is no answer.
        """
        headers = {"User-Agent": self._agent, "Accept": "*/*"}
        limits = Timeout(connect=timeout, read=timeout)
        send = partial(self._send_request, method, headers=headers, retries=False, timeout=limits)

        def read_status() -> int:
            try:
                with _follow_redirects("it", url, send, lambda _: follows_redirects) as response:
                    if method == "HEAD":
                        # there is no body: the connection can be used again
                        response.drain_conn()
                    return response.status
            except (urllib3.exceptions.HTTPError, OSError, UnicodeError, ValueError) as error:
                raise FetchError(_describe_failure(error), is_temporary=True) from error

        return _run_in_time(read_status, self._max_answer_time, "it takes too long")

    def _request_answer(self, url: str, accept: str) -> _Answer:
        """The answer to a request, repeated after temporary errors; raises FetchError if it is late."""
        host = urlsplit(check_url(url)).netloc.casefold()
        name = _shorten_url(url)
        if self._failures[host] >= MAX_FAILURES:
            raise FetchError(f"{host} gave no answer {MAX_FAILURES} times", is_temporary=True)

        headers = {"User-Agent": self._agent, "Accept": accept, "Accept-Encoding": "gzip"}
        # no redirect here: _follow_redirects checks each address first
        retries = Retry(
            RETRY_COUNT,
            redirect=0,
            status_forcelist=TEMPORARY_STATUSES,
            backoff_factor=BACKOFF_FACTOR,
            retry_after_max=MAX_RETRY_DELAY,
            raise_on_status=False,
        )
        send = partial(self._send_request, "GET", headers=headers, retries=retries, timeout=TIMEOUT)

        def read_answer() -> _Answer:
            try:
                with _follow_redirects(name, url, send, check_url) as response:
                    if response.status in TEMPORARY_STATUSES:
                        raise FetchError(f"{host} answers {response.status}", is_temporary=True)
                    return _Answer(time.time(), response.status, _read_body(name, response, accept))
            except (urllib3.exceptions.HTTPError, OSError, UnicodeError, ValueError) as error:
                raise FetchError(f"{host} does not answer", is_temporary=True) from error

        try:
            answer = _run_in_time(read_answer, self._max_answer_time, f"the answer of {name} takes too long")
        except FetchError as error:
            self._failures[host] += error.is_temporary
            raise
        finally:
            self._request_count += 1
            if self._request_count % SAVE_INTERVAL == 0:
                self._store.save()
        self._failures[host] = 0
        return answer

    def _send_request(
        self, method: str, url: str, *, headers: Mapping[str, str], retries: Retry | bool, timeout: Timeout
    ) -> urllib3.BaseHTTPResponse:
        """The response to one request, directly or through the proxy of the system; its body is not read."""
        scheme = url.partition("://")[0]
        host = urlsplit(url).hostname or ""
        is_loopback = is_loopback_url(url)
        # requests of data, which are repeated, have a distance; a check of a link has none
        if method == "GET" and retries and not is_loopback:
            time.sleep(max(0.0, self._last_request.get(host, 0.0) + REQUEST_DELAY - time.monotonic()))
            self._last_request[host] = time.monotonic()

        proxy = ""
        if not is_loopback and not proxy_bypass(host):
            proxy = getproxies().get(scheme, "")
        if proxy not in self._pools:
            self._pools[proxy] = urllib3.ProxyManager(proxy) if proxy else urllib3.PoolManager()
        return self._pools[proxy].request(
            method,
            url,
            headers=headers,
            retries=retries,
            redirect=False,
            preload_content=False,
            timeout=timeout,
        )


@contextlib.contextmanager
def _follow_redirects(
    name: str,
    url: str,
    send: Callable[[str], urllib3.BaseHTTPResponse],
    is_followed: Callable[[str], object],
) -> Iterator[urllib3.BaseHTTPResponse]:
    """
    The response to a request after at most MAX_REDIRECTS redirects, closed at the end.

    `is_followed` decides about each next URL, or raises FetchError; `name` begins the messages. Raises
    FetchError if an address is not valid, or if it leads from the web to this machine.
    """
    for redirect_count in range(MAX_REDIRECTS + 1):
        # a body that was read completely has returned its connection before
        with contextlib.closing(send(url)) as response:
            location = response.headers.get("Location", "")
            if response.status not in REDIRECT_STATUSES or not location or redirect_count == MAX_REDIRECTS:
                yield response
                return

            try:
                next_url = urljoin(url, location)
            except ValueError as error:
                raise FetchError(f"{name} redirects to an address that is not valid") from error
            # the web must not reach the programs of this machine
            if is_loopback_url(next_url) and not is_loopback_url(url):
                raise FetchError(f"{name} redirects to this machine")
            if not is_followed(next_url):
                yield response
                return
            _discard_body(response)
        url = next_url


def check_url(url: str) -> str:
    """
    The URL; raises FetchError unless it begins with https:// and has a host, or is of this machine.

    One with a password, https://ada:x@example.edu, and one with a control character are refused too.
    """
    parts = parse_url(url)
    is_allowed = parts.scheme == "https" or (parts.scheme == "http" and is_loopback_url(url))
    if not is_allowed or not parts.hostname or "@" in parts.netloc or not url.isprintable():
        raise FetchError(f"{_shorten_url(url)} is not an https:// address")
    return url


def is_loopback_url(url: str) -> bool:
    """Whether a URL is an address of this machine."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def service_url(name: str, default: str) -> str:
    """The base URL of a service without a trailing slash: TENURE_ORCID_URL for ORCID, or the default."""
    return os.environ.get(f"TENURE_{name}_URL", default).rstrip("/")


def _run_in_time(action: Callable[[], _Result], limit: float, message: str) -> _Result:
    """
    The result of an action, or its exception; raises FetchError with `message` after `limit` seconds.

    A limit of a socket counts from the last byte, so a slow server could send one byte after another for
    ever. The action runs in a thread that does not keep the process alive.
    """
    future: futures.Future[_Result] = futures.Future()

    def run() -> None:
        try:
            future.set_result(action())
        except BaseException as error:
            # raised in the thread that waits
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    if not futures.wait([future], limit).done:
        raise FetchError(message, is_temporary=True)
    return future.result()


MAX_ANSWER_SIZE = 32_000_000
"""Bytes of an answer after decompression: the record of a person with 10,000 works has about 25 MB."""


def _read_body(name: str, response: urllib3.BaseHTTPResponse, accept: str) -> bytes:
    """The body of a response, b"" for another status than 200; raises FetchError for a wrong one."""
    if response.status in REDIRECT_STATUSES and response.headers.get("Location"):
        raise FetchError(f"{name} redirects more than {MAX_REDIRECTS} times")
    if response.status != 200:
        _discard_body(response)
        return b""
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().casefold()
    is_accepted = media_type.startswith(("text/", "application/")) and "html" not in media_type
    if "json" in accept:
        is_accepted = "json" in media_type
    if not is_accepted:
        raise FetchError(f"{name} answers with {media_type[:60] or 'an unknown type'} instead of {accept}")

    body = bytearray()
    for chunk in response.stream(SMALL_BODY_SIZE):
        body += chunk
        if len(body) > MAX_ANSWER_SIZE:
            raise FetchError(f"the answer of {name} has more than {MAX_ANSWER_SIZE // 1_000_000} MB")
    return bytes(body)


def _discard_body(response: urllib3.BaseHTTPResponse) -> None:
    """Read a short body and ignore it, so that its connection can be used again."""
    with contextlib.suppress(urllib3.exceptions.HTTPError, OSError):
        response.read(SMALL_BODY_SIZE)


def _describe_failure(error: Exception) -> str:
    """The reason for a missing response, as text."""
    reasons = {
        urllib3.exceptions.SSLError: "its certificate is not valid",
        urllib3.exceptions.NameResolutionError: "there is no such host",
        urllib3.exceptions.LocationParseError: "there is no such host",
        UnicodeError: "there is no such host",
        urllib3.exceptions.NewConnectionError: "it refuses the connection",
        urllib3.exceptions.TimeoutError: "it does not answer",
    }
    cause = error
    if isinstance(error, urllib3.exceptions.ProxyError):
        cause = error.original_error
    matches = (text for kind, text in reasons.items() if isinstance(cause, kind))
    return next(matches, "the connection breaks off")


def _shorten_url(url: str) -> str:
    """A URL for a message: without its query, with at most 100 characters."""
    text = "".join(letter for letter in url.partition("?")[0] if letter.isprintable())
    return text if len(text) <= 100 else f"{text[:99]}…"
