"""Sites in folders of a host, served as any server does, and crawled by LinkChecker."""

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
    """The server of Python's own library, without a word; it tells the crawler that it need not wait."""

    def end_headers(self) -> None:
        """Add the header by which LinkChecker's limit of ten requests a second is lifted."""
        self.send_header("LinkChecker", "as fast as it can")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the library gives
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder on loopback; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def crawled(folder: Path, *addresses: str) -> str:
    """What LinkChecker says of the pages at the addresses and all they lead to; it keeps its settings in a folder."""
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
