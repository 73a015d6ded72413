"""A server on this machine with the interfaces of ORCID, doi.org, Crossref and others, as they are documented."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

JSON = "application/json"
CSL = "application/vnd.citationstyles.csl+json"
Json = Any


@dataclass
class Reply:
    """An answer of the server; a body that is not bytes is sent as JSON."""

    body: Json = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = JSON
    promised: int = 0
    delay: float = 0

    @property
    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class Services(ThreadingHTTPServer):
    """A server with all services; `replies` has the answer to each path, or a function of the request's number."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: dict[str, Reply | Callable[[int], Reply]] = {}
        self.counts: Counter[str] = Counter()
        self.headers: dict[str, Mapping[str, str]] = {}
        self.now = self.most = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def list_variables(self) -> dict[str, str]:
        """Return the environment variables with which a program uses this server."""
        return {
            f"TENURE_{name.upper()}_URL": f"{self.home}/{name}"
            for name in ("orcid", "doi", "openalex", "crossref", "archive")
        }

    def add_person(
        self, record: Json, items: Mapping[str, Json], works: Mapping[str, Json] | None = None
    ) -> str:
        """Add a record, the metadata of its DOIs, and its works with contributors by put-code."""
        orcid: str = record["orcid-identifier"]["path"]
        self.replies[f"/orcid/{orcid}/record"] = Reply(record)
        for doi, item in items.items():
            self.replies[f"/doi/{doi}"] = Reply(item, media_type=CSL)
        self.works = works or {}
        return orcid


class Handler(BaseHTTPRequestHandler):
    """A handler for the requests of one connection; it keeps the connection open between requests."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Services

    def do_GET(self) -> None:
        path = unquote(self.path.partition("?")[0])
        with self.server.lock:
            self.server.counts[path] += 1
            count = self.server.counts[path]
            self.server.headers[path] = dict(self.headers)
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
        try:
            self._send_reply(self._find_reply(path, count))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _find_reply(self, path: str, count: int) -> Reply:
        reply = self.server.replies.get(path)
        if reply is None and "/works/" in path and path.startswith("/orcid/"):
            codes = path.rpartition("/")[2].split(",")
            works = [{"work": self.server.works[code]} for code in codes if code in self.server.works]
            return Reply({"bulk": works or [{"error": {"response-code": 404}}]})
        if reply is None:
            return Reply({"error": "not found"}, 404)
        return reply if isinstance(reply, Reply) else reply(count)

    def _send_reply(self, reply: Reply) -> None:
        with self.server.lock:
            self.server.now -= 1
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.media_type)
        self.send_header("Content-Length", str(reply.promised or len(reply.bytes)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.delay:
            time.sleep(reply.delay)
        self.wfile.write(reply.bytes)
        if reply.promised:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Print nothing."""
