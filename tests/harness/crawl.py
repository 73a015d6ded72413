"""Serves sites in folders of a host with an ordinary web server, and checks them with LinkChecker."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SETTINGS = """[checking]
maxrequestspersecond=10000
threads=4
[filtering]
ignore=^mailto:
[AnchorCheck]
"""


class _Silent(SimpleHTTPRequestHandler):
    """
    The server of Python's standard library without log messages.

    One header removes LinkChecker's limit of ten requests a second; the other is that of GitHub Pages.
    """

    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        **dict.fromkeys((".js", ".mjs"), "text/javascript"),
    }

    def end_headers(self) -> None:
        self.send_header("LinkChecker", "as fast as it can")
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the library gives
        """Print nothing."""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve a folder on the loopback interface, and yield the URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def check_links(folder: Path, *addresses: str) -> str:
    """Run LinkChecker from the given URLs, and return its report; its settings are written to `folder`."""
    settings = folder / "linkcheckerrc"
    settings.write_text(SETTINGS, encoding="utf-8")
    result = subprocess.run(
        [Path(sys.executable).parent / "linkchecker", "--config", settings, "--no-status", *addresses],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return result.stdout + result.stderr
