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
from tenure.frozen import dataclass

AGENT = f"Tenure/{__version__} (checks the links of a researcher's own site)"
PAUSE = 0.5
"""Seconds between two requests to one host."""

TIMEOUT = 15.0
"""Seconds to wait for a response."""

HOSTS = 8
"""The number of hosts that are checked at the same time."""

GONE = frozenset({404, 410})
RESOLVERS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net"})
"""Hosts whose redirect counts as success, because the target often refuses programs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The state of a URL: "there", "gone", "silent" (no response) or "unclear", and the reason as text."""

    address: str
    state: Literal["there", "gone", "silent", "unclear"]
    words: str = ""


def tried(
    addresses: Iterable[str], say: Callable[[int], None], *, pause: float = PAUSE, timeout: float = TIMEOUT
) -> tuple[Answer, ...]:
    """
    Check all http and https URLs; returns the results sorted by URL. `on_progress` gets the number of checked URLs.

    `delay` (between two requests to one host) and `timeout` are in seconds. HEAD is sent first; if it fails, GET.
    """
    wanted = sorted({a.partition("#")[0] for a in addresses if a.startswith(("http://", "https://"))})
    hosts: dict[str, list[str]] = {}
    for address in wanted:
        hosts.setdefault(urlsplit(address).netloc.casefold(), []).append(address)
    done: list[Answer] = []
    ask = partial(_host, pause=pause, timeout=timeout)
    with ThreadPoolExecutor(max_workers=HOSTS) as pool:
        for answers in pool.map(ask, hosts.values()):
            done += answers
            say(len(done))
    return tuple(sorted(done, key=lambda answer: answer.address))


def _host(addresses: Sequence[str], *, pause: float, timeout: float) -> list[Answer]:
    """Check the URLs of one host one by one; if the first two get no response, the others are not requested."""
    found: list[Answer] = []
    for address in addresses:
        silent = [answer for answer in found if answer.state == "silent"]
        if len(silent) == len(found) == 2:
            found += [Answer(other, "silent", silent[0].words) for other in addresses[len(found) :]]
            break
        if found:
            time.sleep(pause)
        found.append(_one(address, pause=pause, timeout=timeout))
    return found


def _one(address: str, *, pause: float, timeout: float) -> Answer:
    answer = _asked(address, "HEAD", timeout)
    if answer.state in ("there", "silent"):
        return answer
    time.sleep(pause)
    return _asked(address, "GET", timeout)


def _asked(address: str, method: str, timeout: float) -> Answer:
    """Send one request and return its result."""
    try:
        headers = {"User-Agent": AGENT, "Accept": "*/*"}
        request = urllib.request.Request(_plain(address), headers=headers, method=method)  # noqa: S310 - check_urls() only accepts http
        opener = _STAYING if request.host in RESOLVERS else _FOLLOWING
        with opener.open(request, timeout=timeout) as response:
            status = int(response.status)
    except urllib.error.HTTPError as error:
        error.close()
        status = error.code
    except (OSError, http.client.HTTPException, UnicodeError, ValueError) as error:
        return Answer(address, "silent", _reason(error))
    if status < 400:
        return Answer(address, "there")
    if status in GONE:
        return Answer(address, "gone", str(status))
    return Answer(address, "unclear", f"answers {status} to programs")


def _plain(address: str) -> str:
    """A URL in ASCII; raises UnicodeError if the host cannot be encoded."""
    parts = urlsplit(address)
    host = parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc
    kept = "/:?#[]@!$&'()*+,;=%~"
    return urlunsplit((parts.scheme, host, quote(parts.path, kept), quote(parts.query, kept), ""))


def _reason(error: Exception) -> str:
    """The reason for a missing response, as text."""
    inner = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(inner, ssl.SSLCertVerificationError):
        return "its certificate is not valid"
    if isinstance(inner, socket.gaierror | UnicodeError):
        return "there is no such host"
    if isinstance(inner, TimeoutError):
        return "it does not answer"
    if isinstance(inner, ConnectionRefusedError):
        return "it refuses the connection"
    return "the connection breaks off"


class _Stay(urllib.request.HTTPRedirectHandler):
    """Returns a redirect as the response."""

    def redirect_request(self, *_: object) -> None:
        """Follow no redirect."""


_FOLLOWING = urllib.request.build_opener()
_STAYING = urllib.request.build_opener(_Stay())
