"""The page “Try it”, packed once for all tests, and again when one of its files has changed."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tenure.atomic import lock_folder

ROOT = Path(__file__).resolve().parent.parent.parent

PACKED = ROOT / "browser" / "output"
PACKED_FOLDERS = ("browser", "tenure", "tenure_import", "themes", "examples")
UNUSED_FOLDERS = {"node_modules", ".wheels", "output", "__pycache__", ".cache"}


def compute_digest() -> str:
    """Return the digest of all files from which the page is packed."""
    digest = hashlib.sha256()
    for folder in PACKED_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and not UNUSED_FOLDERS & set(path.parts):
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def pack_page(node: str) -> Path:
    """Return the folder of the packed page; one process packs it, and the others wait."""
    PACKED.mkdir(exist_ok=True)
    with lock_folder(PACKED):
        mark, digest = PACKED / ".digest", compute_digest()
        if not mark.is_file() or mark.read_text() != digest:
            command = [node, str(ROOT / "browser" / "pack.mjs"), str(PACKED / "try")]
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(PACKED / "try")
            environment = {**os.environ, "PYTHON": sys.executable}
            result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
            assert result.returncode == 0, (result.stdout + result.stderr)[-3000:]
            mark.write_text(digest)
    return PACKED / "try"


class Answer(SimpleHTTPRequestHandler):
    """Answers as GitHub Pages does."""

    protocol_version = "HTTP/1.1"
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
    }

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextlib.contextmanager
def serve_page(page: Path) -> Iterator[str]:
    """Serve the packed page, and yield its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Answer, directory=page.parent)) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}/try/"
        server.shutdown()
        thread.join()
