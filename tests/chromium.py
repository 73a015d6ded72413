"""Tools for tests in a browser: Chromium, Java, tools of the npm registry, and a server for built sites."""

import base64
import hashlib
import io
import os
import shutil
import sys
import tarfile
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from tenure.publish import Artifact

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
JAVA = shutil.which("java") or ""


class Tool(NamedTuple):
    """A file of a package in the npm registry, or the whole package if `file` is empty, and the digest of the package."""

    name: str
    version: str
    file: str
    sha512: str

    def find_file(self) -> Path:
        """Return the path of the file in the folder of the Python environment; download it on the first call."""
        path = (
            Path(sys.prefix)
            / "share"
            / "tenure-tests"
            / f"{self.name}-{self.version}{Path(self.file or '.tgz').suffix or '.tgz'}"
        )
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            half = path.with_suffix(".half")
            half.write_bytes(self._download_package())
            half.replace(path)
        return path

    def _download_package(self) -> bytes:
        registry = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")
        with urllib.request.urlopen(
            f"{registry}/{self.name}/-/{self.name}-{self.version}.tgz", timeout=120
        ) as answer:
            package: bytes = answer.read()
        digest = base64.b64encode(hashlib.sha512(package).digest()).decode()
        assert digest == self.sha512, f"{self.name} {self.version} is not what it was"
        if not self.file:
            return package
        with tarfile.open(fileobj=io.BytesIO(package)) as files:
            file = files.extractfile(self.file)
            assert file is not None
            return file.read()


AXE = Tool(
    "axe-core", "4.14.1", "package/axe.min.js",
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
)  # fmt: skip
NU = Tool(
    "vnu-jar", "26.9.27", "package/build/dist/vnu.jar",
    "TkQd5DFfOaWC9ebtvozTsrH2Vaod3jYg+vrOeREzIXxBexLz9+rS2DNtjn7+RPUiZhgli0SghgBX6RJRNea0KA==",
)  # fmt: skip


TYPESCRIPT = Tool(
    "typescript", "5.9.3", "",
    "jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
)  # fmt: skip

WAIT = 30_000
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
