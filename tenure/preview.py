"""The preview server: builds the site after every change, serves it from memory, and reloads the browsers."""

import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from socket import socket
from threading import Event, Lock, Thread
from typing import cast
from urllib.parse import quote, unquote, urlsplit

from livereload import Server
from livereload.handlers import LiveReloadHandler
from livereload.watcher import Watcher
from tornado import netutil, web
from tornado.escape import json_decode
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.platform.asyncio import BaseAsyncIOLoop

from tenure.access import LOOPBACK, NAMES, Access, is_loopback
from tenure.edition import Edition, nearest
from tenure.frozen import dataclass
from tenure.live import CLIENT, SCRIPT, SOCKET, WAITING, alive
from tenure.overlay import NOTHING, Overlay
from tenure.pipeline import Ahead, Build, Draw
from tenure.progress import Progress
from tenure.watch import Watch
from tenure.web.pages import Page

PORTS = 100
"""The number of ports that are tried, from the requested one."""

CALM, LONGEST_CALM = 0.15, 1.0
"""
Seconds without a change, after the visible pages are served, before the other pages are rendered.

The delay grows with the time of a build, up to the maximum, so that a user who continues to type does not wait.
"""

RECENT, MOST_RECENT = 60, 4
"""Seconds for which a requested page counts as visible, and the maximum number of such pages."""

TEXTS = {
    ".bib": "text/plain",
    ".ics": "text/calendar",
    ".json": "application/json",
    ".md": "text/plain",
    ".ris": "text/plain",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".vcf": "text/vcard",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
"""Content types that Python does not know on every machine, or that make a browser show the file."""


@dataclass(frozen=True, slots=True)
class Voice:
    """
    Output to the terminal.

    `print_problems` prints the problems of a build and returns their counts, such as "1 error" ("" for none);
    `save_traceback` saves the traceback of an internal error and returns a line about it; `print_line` prints a line.
    """

    problems: Callable[[Build], str]
    fault: Callable[[BaseException], str]
    say: Callable[[str], None]


class SupersededError(Exception):
    """Ends a build because the sources have changed again."""


Make = Callable[[Sequence[str], Ahead, Progress], Build]
"""Builds a site; takes the changed paths and the callbacks for the planned pages and for the progress."""


class Preview:
    """
    The served snapshot of the site, and the builds that update it.

    `overlay` has the folder of the site that `build_site` builds; `broadcast` sends a message to all browsers. Visible
    pages are served as soon as they are rendered. A complete build is served even with errors; an incomplete one does
    not change the snapshot. `report` is the overlay's content for the last build.
    """

    def __init__(self, make: Make, overlay: Overlay, voice: Voice, *, follow: bool = False) -> None:
        self.edition = Edition()
        self.report = NOTHING
        self.tell: Callable[[Mapping[str, object]], None] = lambda _: None
        self._whole = self.edition
        self._make = make
        self._root = overlay.root
        self._overlay = overlay
        self._voice = voice
        self._follow = follow
        self._builder = ThreadPoolExecutor(1)
        self._asked: tuple[tuple[str, float], ...] = ()
        self._changed: dict[str, None] = {}
        self._newer = Event()
        self._took = 0.0
        self._lock = Lock()

    def note(self, changed: Sequence[str]) -> None:
        """Add changed paths; a running build is superseded."""
        with self._lock:
            self._changed |= dict.fromkeys(changed)
            self._newer.set()

    def work(self) -> None:
        """Build after every change; never returns."""
        while True:
            self._newer.wait()
            self.renew()

    def renew(self) -> None:
        """Build with the pending changes; an exception is reported, and the preview continues."""
        with self._lock:
            changed, self._changed = tuple(self._changed), {}
            self._newer.clear()
        started = time.perf_counter()
        made = self._builder.submit(self._make, changed, self._ahead, self._meanwhile)
        error = made.exception()
        if isinstance(error, SupersededError):
            self.note(changed)
        elif error is not None:
            line = self._voice.fault(error)
            self._voice.say(line)
            self.report = self._overlay.of_fault(line)
            self.tell(self.message(()))
        else:
            self._took = time.perf_counter() - started
            self._publish(made.result(), changed)

    def message(self, files: Sequence[str] | None) -> dict[str, object]:
        """The message to browsers: the number of the snapshot, and the files to reload (None: all)."""
        return {"command": "reload", "build": self.edition.number, "files": files}

    def asked_for(self, file: str) -> None:
        """Record that a browser requested a page."""
        others = [one for one in self._asked if one[0] != file]
        self._asked = ((file, time.monotonic()), *others[: MOST_RECENT - 1])

    def _publish(self, build: Build, changed: Sequence[str]) -> None:
        """Serve the result of a build, print its problems and notify the browsers."""
        sources = [Path(path).relative_to(self._root).as_posix() for path in changed if self._owns(path)]
        counts = self._voice.problems(build)
        self.report = self._overlay.of_build(build, has_earlier=bool(self.edition.number))
        if changed:
            how = f"{1000 * self._took:.0f} ms" if build.is_complete else "not built"
            self._voice.say(f"{_named(sources or changed)}: {how}{f', {counts}' if counts else ''}")
        elif counts:
            self._voice.say(counts)
        if not build.is_complete:
            self.tell(self.message(()))
            return
        ahead, before = self.edition, self._whole
        self.edition = self._whole = ahead.after(build)
        message = self.message(self.edition.differing(ahead, sources))
        if self._follow:
            files = self.edition.differing(before, sources)
            page = nearest(files, self.edition, sources)
            message |= {"page": page and quote(f"{self.edition.base}{page}"), "changed": files}
        self.tell(message)

    def _ahead(self, pages: Sequence[Page], draw: Draw) -> None:
        """Render and serve the visible pages first, then wait until the user stops typing."""
        self._meanwhile()
        by_file = {page.file: page for page in pages}
        before = self.edition
        for page in [by_file[file] for file in self._looked_at() if file in by_file]:
            if drawn := draw(page):
                one, self.edition = self.edition, self.edition.with_page(page, drawn)
                self.tell(self.message(self.edition.differing(one, ())))
        calm = min(max(CALM, self._took / 2), LONGEST_CALM)
        if self.edition is not before and self._newer.wait(calm):
            raise SupersededError

    def _meanwhile(self, what: str = "", begun: int = 0, of: int = 0) -> None:
        """Raise SupersededError if the sources have changed again."""
        del what, begun, of
        if self._newer.is_set():
            raise SupersededError

    def _looked_at(self) -> Iterable[str]:
        """The files that browsers show or requested recently; empty before the first complete build."""
        if not self.edition.number:
            return ()
        now = time.monotonic()
        asked = [file for file, when in self._asked if now - when < RECENT]
        shown = [waiter.file for waiter in tuple(LiveReloadHandler.waiters)]
        return dict.fromkeys((*shown, *asked))

    def _owns(self, path: str) -> bool:
        return Path(path).is_relative_to(self._root)


def _named(changed: Sequence[str]) -> str:
    """At most three of the changed paths as text, with the number of the others."""
    more = f" and {len(changed) - 2} more" if len(changed) > 3 else ""
    return ", ".join(changed[: 2 if more else 3]) + more


class _Guarded(web.RequestHandler):
    """
    Answers requests from this machine, and from devices that have sent the token once; a cookie stores it.

    `is_local` is true if a request comes from this machine and uses a loopback name.
    """

    preview: Preview
    access: Access
    is_local = False

    def initialize(self, preview: Preview, access: Access) -> None:
        self.preview = preview
        self.access = access

    def prepare(self) -> None:
        name = urlsplit(f"//{self.request.host}").hostname or ""
        if not self.access.knows(name):
            raise web.HTTPError(403)
        self.is_local = name in NAMES and is_loopback(str(self.request.remote_ip))
        cookie = f"tenure-preview-{self.request.host.rpartition(':')[2]}"
        if not self.access.token or self.is_local or self.access.admits(self.get_cookie(cookie) or ""):
            return
        if self.access.admits(self.get_query_argument("token", "")):
            # Lax, because a link in a message must open the page; requests from within other sites do not send the cookie.
            self.set_cookie(cookie, self.access.token, httponly=True, samesite="Lax")
            self.redirect(self.request.path)
            return
        self.set_status(403)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(
            "This preview needs its token. Open the whole address that “serve --host” shows, with ?token=….\n"
        )

    def set_default_headers(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")


class _Script(_Guarded):
    def get(self) -> None:
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.finish(CLIENT)


class _File(_Guarded):
    """Serves a file of the snapshot as hosts of static sites do."""

    def get(self) -> None:
        edition, path = self.preview.edition, unquote(self.request.path)
        base = f"{edition.base}/"
        if not path.startswith(base):
            if path == "/" or f"{path}/" == base:
                self.redirect(quote(base))
            else:
                self._missing(edition, path.lstrip("/"))
            return
        address = path.removeprefix(base)
        file = edition.file(address)
        if file:
            self._send(edition, file)
        elif edition.file(f"{address}/"):
            self.redirect(quote(f"{path}/"))
        else:
            self._missing(edition, f"{address}index.html" if path.endswith("/") else address)

    head = get

    def _missing(self, edition: Edition, wanted: str) -> None:
        self.set_status(404 if edition.number else 503)
        self._send(edition, "404.html", wanted)

    def _send(self, edition: Edition, file: str, wanted: str = "") -> None:
        """Send a file; the script in a page gets the requested path."""
        found = edition.files.get(file)
        try:
            body = found.read() if found else WAITING
        except OSError as error:
            raise web.HTTPError(404) from error
        if file.endswith(".html"):
            self.preview.asked_for(wanted or file)
            facts = {"build": edition.number, "file": wanted or file, "drafts": edition.drafts.get(file, ())}
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.finish(alive(body, facts, self.request.host))
            return
        kind = TEXTS.get(PurePosixPath(file).suffix) or guess_type(file)[0] or "application/octet-stream"
        is_text = kind.startswith("text/") or kind.endswith(("json", "xml"))
        self.set_header("Content-Type", f"{kind}; charset=utf-8" if is_text else kind)
        self.finish(self._part(body))

    def _part(self, body: bytes) -> bytes:
        """The requested byte range; browsers load videos in parts (RFC 9110, 14.2)."""
        self.set_header("Accept-Ranges", "bytes")
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.request.headers.get("Range", ""))
        if asked is None or int(asked[1]) >= len(body):
            return body
        start, end = int(asked[1]), min(int(asked[2] or len(body)), len(body) - 1)
        self.set_status(206)
        self.set_header("Content-Range", f"bytes {start}-{end}/{len(body)}")
        return body[start : end + 1]


class _Socket(_Guarded, LiveReloadHandler):  # type: ignore[misc]
    """The WebSocket that notifies a page of the preview of changes; `file` is the file of the page."""

    file = ""

    def check_origin(self, origin: str) -> bool:
        return urlsplit(origin).netloc == self.request.host

    def open(self) -> None:
        self.set_nodelay(True)

    def on_message(self, message: str) -> None:
        """Answer the handshake; a browser with another snapshot reloads."""
        super().on_message(message)
        said = json_decode(message)
        if said.get("command") == "info":
            self.file = str(said.get("file", ""))
            same = said.get("build") == self.preview.edition.number
            self.show(self.preview.message(() if same else None))

    def show(self, message: Mapping[str, object]) -> None:
        """Send a message with the report of the last build."""
        report = self.preview.report.here if self.is_local else self.preview.report.elsewhere
        self.send_message({**message, "report": report})


class _Still(Watcher):  # type: ignore[misc]
    """Replaces livereload's watcher; SourceWatcher does its work."""

    def start(self, callback: object) -> bool:
        del callback
        return True


class _Server(Server):  # type: ignore[misc]
    """Livereload's server with the preview's request handlers."""

    def __init__(self, preview: Preview, port: int, access: Access) -> None:
        super().__init__(watcher=_Still())
        self.preview = preview
        self.access = access
        self.sockets = bound(port, access.listens_at)
        self.port = self.sockets[0].getsockname()[1]

    def application(
        self, port: int, host: str, liveport: None = None, debug: None = None, live_css: bool = True
    ) -> None:
        del port, host, liveport, debug, live_css
        LiveReloadHandler.watcher = self.watcher
        given = {"preview": self.preview, "access": self.access}
        routes = [(SOCKET, _Socket, given), (SCRIPT, _Script, given), (".*", _File, given)]
        server = HTTPServer(web.Application(routes, log_function=lambda _: None))
        server.add_sockets(self.sockets)

    def _setup_logging(self) -> None:
        """Configure no logging, so that only errors are logged."""


def bound(port: int, addresses: Sequence[str]) -> list[socket]:
    """Sockets at these addresses, at `port` or the next free one (0: any); raises OSError if none is free."""
    last = min(port + PORTS, 65536) - 1
    for candidate in range(port, last):
        try:
            return _bound_at(candidate, addresses)
        except OSError:
            continue
    return _bound_at(last if port else 0, addresses)


def _bound_at(port: int, addresses: Sequence[str]) -> list[socket]:
    """Sockets at one port of each address; raises OSError and closes all if one cannot be bound."""
    sockets: list[socket] = []
    try:
        for address in addresses:
            sockets += netutil.bind_sockets(port, address)
            port = port or sockets[0].getsockname()[1]
    except OSError:
        for one in sockets:
            one.close()
        raise
    return sockets


def serve(
    preview: Preview,
    watch: Watch,
    port: int,
    opened: Callable[[str, Sequence[str]], None],
    access: Access,
) -> None:
    """
    Serve the preview until Ctrl+C; `on_ready` gets the URL for this machine and the URLs for other devices.

    Raises OSError if no port is free.
    """
    server = _Server(preview, port, access)
    loop = cast(BaseAsyncIOLoop, IOLoop.current())  # the only kind of loop in this version of Tornado

    def tell(message: Mapping[str, object]) -> None:
        for waiter in tuple(LiveReloadHandler.waiters):
            waiter.show(message)

    def look() -> None:
        while True:
            preview.note(watch.wait())

    preview.renew()
    preview.tell = partial(loop.add_callback, tell)
    sys.setswitchinterval(0.001)  # so that a request does not wait for the build
    for work in (look, preview.work):
        Thread(target=work, daemon=True).start()
    # Not as an exception, which would be lost if it were raised in a finaliser.
    signal.signal(signal.SIGINT, lambda *_: loop.asyncio_loop.call_soon_threadsafe(loop.stop))
    tail = f":{server.port}{preview.edition.base}/"
    others = [f"http://{address}{tail}?token={access.token}" for address in access.addresses()]
    loop.add_callback(opened, f"http://{LOOPBACK}{tail}", others)
    server.serve(port=server.port, host=access.host)
