"""Tools for tests in a browser: Chromium, Java, and a server for built sites."""

import shutil
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tenure.publish import Artifact

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
JAVA = shutil.which("java") or ""


WAIT = 120_000
"""The time limit in milliseconds for a page to show the expected state; a busy machine may need long."""


@contextmanager
def launch_chromium() -> "Iterator[Browser]":
    """Start Chromium without a window."""
    from playwright.sync_api import expect, sync_playwright

    assert CHROMIUM, "Chromium is missing (Debian, Ubuntu: apt install chromium)"
    expect.set_options(timeout=WAIT)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


def collect_page_errors(page: "Page", errors: list[str]) -> None:
    """
    Add the errors of the scripts of a page to a list.

    A transition to a page that a later page replaces is no error of a script, although Chromium reports it as one
    (https://github.com/w3c/csswg-drafts/issues/13726).
    """

    def add(error: Exception) -> None:
        if "Transition was skipped" not in str(error):
            errors.append(str(error))

    page.on("pageerror", add)


def wait_for_expression(page: "Page", expression: str) -> None:
    """
    Wait until a JavaScript expression is true on a page.

    Playwright's `wait_for_function` evaluates strings within the page, which the policy of the pages forbids.
    """
    from playwright.sync_api import Error

    end = time.monotonic() + WAIT / 1000
    while time.monotonic() < end:
        try:
            if page.evaluate(expression):
                return
        except Error as error:
            if "navigation" not in str(error) and "context was destroyed" not in str(error):
                raise
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {expression}")


TYPES = {
    "css": "text/css",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webp": "image/webp",
    "woff2": "font/woff2",
}


class Server:
    """A server of built sites. Each has its own host name, http://NAME.localhost:PORT/, which needs no network."""

    def __init__(self, port: int, hosts: dict[str, Mapping[str, Artifact]]) -> None:
        self._port = port
        self._hosts = hosts

    def add_site(self, name: str, artifacts: Iterable[Artifact], under: str = "/") -> str:
        """Add a site, and return the URL of its homepage."""
        host = f"{name}.localhost:{self._port}"
        self._hosts[host] = {f"{under}{artifact.path}": artifact for artifact in artifacts}
        return f"http://{host}{under}"

    def add_folder(self, name: str, artifacts: Iterable[Artifact]) -> str:
        """Add a site in a folder of 127.0.0.1, for programs that do not know names below localhost; return its URL."""
        host = f"127.0.0.1:{self._port}"
        files = {f"/{name}/{artifact.path}": artifact for artifact in artifacts}
        self._hosts[host] = {**self._hosts.get(host, {}), **files}
        return f"http://{host}/{name}/"


@contextmanager
def serve_sites() -> Iterator[Server]:
    """Start a server on the loopback interface in a thread."""
    hosts: dict[str, Mapping[str, Artifact]] = {}

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = unquote(self.path.partition("?")[0])
            path += "index.html" if path.endswith("/") else ""
            result = hosts.get(self.headers["Host"], {}).get(path)
            body = result.read() if result else b""
            self.send_response(200 if result else 404)
            self.send_header("Content-Type", TYPES.get(path.rpartition(".")[2], "application/octet-stream"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Server(server.server_port, hosts)
        server.shutdown()
        thread.join()
