"""A local package index that has only the dependencies of Tenure."""

import fcntl
import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from conftest import ROOT

from tenure.cli.requirements import pin_dependencies

BUILD_BACKEND = "hatchling>=1.27"


@dataclass(frozen=True)
class Index:
    """The index: the variables that make pip use only this index, and the names that were requested."""

    variables: dict[str, str]
    asked: list[str]


def download_wheels(folder: Path) -> Path:
    """Return a folder with a wheel of each dependency, downloaded once for all tests of a run."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["build-system"]["requires"] == [BUILD_BACKEND]
    pdf = project["project"]["optional-dependencies"]["pdf"]
    pins = pin_dependencies([*project["project"]["dependencies"], *pdf, BUILD_BACKEND])
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            command = [
                sys.executable,
                "-m",
                "pip",
                "wheel",
                "--quiet",
                "--wheel-dir",
                str(folder),
                "--no-deps",
            ]
            subprocess.run([*command, *pins], check=True)
            (folder / "complete").touch()
    return folder


@contextmanager
def serve_index(folder: Path) -> Iterator[Index]:
    """Serve the wheels of a folder by the simple repository API (PEP 503)."""
    requested: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            place, _, name = self.path.strip("/").partition("/")
            if place == "simple":
                requested.append(name)
                files = [p.name for p in folder.glob("*.whl") if normalize_project(p.name) == name]
                body = "".join(f'<a href="/files/{file}">{file}</a>\n' for file in files).encode()
            else:
                body = (folder / name).read_bytes()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html" if place == "simple" else "application/zip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/simple/"
    try:
        yield Index({"PIP_INDEX_URL": url, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}, requested)
    finally:
        server.shutdown()
        server.server_close()


def normalize_project(file: str) -> str:
    """Return the normalized project name of a wheel."""
    return re.sub(r"[-_.]+", "-", file.partition("-")[0]).lower()
