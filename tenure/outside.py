"""Links to other sites, tried politely: one request at a time to a host, and nothing read but the head of its answer."""

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
"""Seconds that a host has to answer."""

HOSTS = 8
"""How many hosts are asked at the same time."""

GONE = frozenset({404, 410})
RESOLVERS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net"})
"""Hosts whose redirect is the answer: what it leads to often refuses programs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an address: it is there, gone, silent (nothing answers), or unclear; with the reason in words."""

    address: str
    state: Literal["there", "gone", "silent", "unclear"]
    words: str = ""


def tried(
    addresses: Iterable[str], say: Callable[[int], None], *, pause: float = PAUSE, timeout: float = TIMEOUT
) -> tuple[Answer, ...]:
    """
    Every http and https address, tried; in the order of the addresses. `say` hears how many are done.

    `pause` and `timeout` are in seconds. A host is asked HEAD first, and GET where it refuses that.
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
    """The addresses of one host, one after the other; a host that is silent twice is not asked again."""
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
    """What one request comes to."""
    try:
        headers = {"User-Agent": AGENT, "Accept": "*/*"}
        request = urllib.request.Request(_plain(address), headers=headers, method=method)  # noqa: S310 - `tried` takes http alone
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
    """An address in ASCII; raises UnicodeError for a host that cannot be written so."""
    parts = urlsplit(address)
    host = parts.netloc.encode("idna").decode() if not parts.netloc.isascii() else parts.netloc
    kept = "/:?#[]@!$&'()*+,;=%~"
    return urlunsplit((parts.scheme, host, quote(parts.path, kept), quote(parts.query, kept), ""))


def _reason(error: Exception) -> str:
    """Why a host did not answer, in words."""
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
    """Takes a redirect for an answer."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


_FOLLOWING = urllib.request.build_opener()
_STAYING = urllib.request.build_opener(_Stay())
