"""A site while it is being written: built again with every change, served from memory, renewed in the browser."""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from socket import socket
from threading import Thread
from urllib.parse import quote, unquote, urlsplit

from livereload import Server
from livereload.handlers import LiveReloadHandler
from livereload.watcher import Watcher
from tornado import netutil, web
from tornado.escape import json_decode
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop

from tenure.live import CLIENT, SCRIPT, SOCKET, WAITING, alive
from tenure.output import Artifact
from tenure.pipeline import Build
from tenure.problems import Place
from tenure.watch import Watch
from tenure.web.pages import Page

HOST = "127.0.0.1"
NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names by which a browser on this machine asks for the preview; any other is a foreign page's way in (DNS rebinding)."""

PORTS = 100
"""How many ports are tried, from the one asked for."""

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
"""Kinds of files that Python does not know on every machine, or that a browser should show."""


@dataclass(frozen=True, slots=True)
class Edition:
    """
    The site as it is served: its files by path, the drafts on each page, and the path of its address.

    `number` is unlike that of any other edition, also of another server's at the same address; 0 where there is no site.
    """

    number: int = 0
    files: Mapping[str, Artifact] = field(default_factory=dict)
    drafts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    base: str = ""

    def after(self, build: Build) -> "Edition":
        """The edition that a sound build makes of this one."""
        base = urlsplit(build.site.settings.url).path.rstrip("/") if build.site else ""
        files = {artifact.path: artifact for artifact in build.artifacts}
        number = max(self.number + 1, time.time_ns() // 1_000_000)
        return Edition(number, files, _drafts(build.pages), base)

    def differing(self, other: "Edition", sources: Iterable[str]) -> tuple[str, ...]:
        """The paths whose files differ between two editions, where these sources have changed, sorted."""
        changed = frozenset(sources)

        def same(path: str) -> bool:
            one, two = self.files.get(path), other.files.get(path)
            if (
                one is None
                or two is None
                or one.body != two.body
                or self.drafts.get(path) != other.drafts.get(path)
            ):
                return False
            return isinstance(one.body, bytes) or one.source not in changed

        return tuple(path for path in sorted(self.files.keys() | other.files.keys()) if not same(path))

    def file(self, address: str) -> str:
        """The path of the file that answers to an address below the site's own; "" for none."""
        if any(part.startswith(".") and part != ".well-known" for part in address.split("/")):
            return ""
        wanted = f"{address}index.html" if address.endswith("/") or not address else address
        return next((path for path in (wanted, f"{wanted}.html") if path in self.files), "")


def _drafts(pages: Iterable[Page]) -> dict[str, tuple[str, ...]]:
    """The names of the drafts that each page shows, by its file."""
    found = {}
    for page in pages:
        listed = [item.entry for section in page.sections for item in section.items]
        drafts = [entry.name for entry in (page.entry, *listed) if entry is not None and entry.draft]
        if drafts:
            found[page.file] = tuple(dict.fromkeys(drafts))
    return found


def nearest(files: Iterable[str], edition: Edition, sources: Sequence[str]) -> str:
    """The page, of those that differ, that is most about these sources; "" where none is."""
    stems = {PurePosixPath(source).stem for source in sources}

    def rank(path: str) -> tuple[bool, bool, int, str]:
        about = Place.at(edition.files[path].source).file in sources
        return not about, path.partition("/")[0] not in stems, len(path), path

    pages = [path for path in files if path.endswith("index.html") and path in edition.files]
    return min(pages, key=rank, default="").removesuffix("index.html") if pages else ""


@dataclass(frozen=True, slots=True)
class Voice:
    """How the preview speaks: the problems of a build as lines, a fault of ours in one, and a line to the terminal."""

    problems: Callable[[Build], str]
    fault: Callable[[BaseException], str]
    say: Callable[[str], None]


class Preview:
    """
    What is served, and how it comes about.

    `make` builds the site anew, given the paths that have changed; `root` is its folder. A failed build leaves the last sound edition in place, and what was
    wrong with it in `told`, until one succeeds.
    """

    def __init__(
        self, make: Callable[[Sequence[str]], Build], root: Path, voice: Voice, *, follow: bool = False
    ) -> None:
        self.edition = Edition()
        self.told = ""
        self._make = make
        self._root = root
        self._voice = voice
        self._follow = follow
        self._builder = ThreadPoolExecutor(1)

    def renew(self, changed: Sequence[str]) -> dict[str, object]:
        """Build with these paths changed; what the browsers are to hear."""
        started = time.perf_counter()
        sources = [Path(path).relative_to(self._root).as_posix() for path in changed if self._owns(path)]
        before, made = self.edition, self._attempt(changed)
        error = made.exception()
        if error is not None:
            self.told = self._voice.fault(error)
            return self.message(())
        build = made.result()
        words = self._voice.problems(build)
        self.told = words if build.failed else ""
        if not build.failed:
            self.edition = before.after(build)
        took = 1000 * (time.perf_counter() - started)
        if changed:
            self._voice.say(
                f"{_named(sources or changed)}: {f'{took:.0f} ms' if not build.failed else 'not built'}"
            )
        files = self.edition.differing(before, sources) if self.edition is not before else ()
        return self.message(files, nearest(files, self.edition, sources) if self._follow else None)

    def message(self, files: Sequence[str] | None, page: str | None = None) -> dict[str, object]:
        """What a browser hears: the number of the edition, the files that differ (None: any may), a page to go to."""
        address = None if page is None else quote(f"{self.edition.base}/{page}")
        number = self.edition.number
        return {"command": "reload", "build": number, "files": files, "page": address, "told": self.told}

    def _attempt(self, changed: Sequence[str]) -> "Future[Build]":
        """A finished build, or the fault that ended it: whatever is raised, the preview goes on."""
        made = self._builder.submit(self._make, changed)
        made.exception()
        return made

    def _owns(self, path: str) -> bool:
        return Path(path).is_relative_to(self._root)


def _named(changed: Sequence[str]) -> str:
    """The files that have changed, in a few words."""
    more = f" and {len(changed) - 2} more" if len(changed) > 3 else ""
    return ", ".join(changed[: 2 if more else 3]) + more


class _Guarded(web.RequestHandler):
    """Answers to this machine's own names alone."""

    preview: Preview

    def initialize(self, preview: Preview) -> None:
        self.preview = preview

    def prepare(self) -> None:
        if urlsplit(f"//{self.request.host}").hostname not in NAMES:
            raise web.HTTPError(403)

    def set_default_headers(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")


class _Script(_Guarded):
    def get(self) -> None:
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.finish(CLIENT)


class _File(_Guarded):
    """A file of the edition, as the hosts of static sites serve it."""

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
        """Send a file; a page is told under which name it was wanted."""
        found = edition.files.get(file)
        try:
            body = found.read() if found else WAITING
        except OSError as error:
            raise web.HTTPError(404) from error
        if file.endswith(".html"):
            facts = {"build": edition.number, "file": wanted or file, "drafts": edition.drafts.get(file, ())}
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.finish(alive(body, facts))
            return
        kind = TEXTS.get(PurePosixPath(file).suffix) or guess_type(file)[0] or "application/octet-stream"
        is_text = kind.startswith("text/") or kind.endswith(("json", "xml"))
        self.set_header("Content-Type", f"{kind}; charset=utf-8" if is_text else kind)
        self.finish(self._part(body))

    def _part(self, body: bytes) -> bytes:
        """The bytes that are asked for: a film is watched in parts (RFC 9110, 14.2)."""
        self.set_header("Accept-Ranges", "bytes")
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.request.headers.get("Range", ""))
        if asked is None or int(asked[1]) >= len(body):
            return body
        start, end = int(asked[1]), min(int(asked[2] or len(body)), len(body) - 1)
        self.set_status(206)
        self.set_header("Content-Range", f"bytes {start}-{end}/{len(body)}")
        return body[start : end + 1]


class _Socket(_Guarded, LiveReloadHandler):  # type: ignore[misc]
    """The socket on which the browsers hear of changes; from pages of the preview alone."""

    def check_origin(self, origin: str) -> bool:
        return urlsplit(origin).netloc == self.request.host

    def open(self) -> None:
        self.set_nodelay(True)

    def on_message(self, message: str) -> None:
        """Shake hands; whoever has another edition than this one is told."""
        super().on_message(message)
        said = json_decode(message)
        if said.get("command") == "info":
            same = said.get("build") == self.preview.edition.number
            self.send_message(self.preview.message(() if same else None))


class _Still(Watcher):  # type: ignore[misc]
    """Livereload's watcher, which has nothing to do here."""

    def start(self, callback: object) -> bool:
        del callback
        return True


class _Server(Server):  # type: ignore[misc]
    """Livereload's server, with the preview's answers."""

    def __init__(self, preview: Preview, port: int) -> None:
        super().__init__(watcher=_Still())
        self.preview = preview
        self.sockets = bound(port)
        self.port = self.sockets[0].getsockname()[1]

    def application(
        self, port: int, host: str, liveport: None = None, debug: None = None, live_css: bool = True
    ) -> None:
        del port, host, liveport, debug, live_css
        LiveReloadHandler.watcher = self.watcher
        given = {"preview": self.preview}
        routes = [(SOCKET, _Socket, given), (SCRIPT, _Script, given), (".*", _File, given)]
        server = HTTPServer(web.Application(routes, log_function=lambda _: None))
        server.add_sockets(self.sockets)

    def _setup_logging(self) -> None:
        """Nothing but faults is logged."""


def bound(port: int) -> list[socket]:
    """Sockets on loopback, at a port or the next that is free; 0 is any. Raises OSError where none is."""
    for candidate in range(port, min(port + PORTS, 65536)):
        try:
            return netutil.bind_sockets(candidate, HOST)
        except OSError:
            continue
    return netutil.bind_sockets(port, HOST)


def serve(preview: Preview, watch: Watch, port: int, opened: Callable[[str], None]) -> None:
    """
    Serve until the keyboard interrupts; `opened` hears the address once it answers.

    Raises OSError where no port is free.
    """
    server = _Server(preview, port)
    loop = IOLoop.current()

    def tell(message: Mapping[str, object]) -> None:
        for waiter in tuple(LiveReloadHandler.waiters):
            waiter.send_message(message)

    def follow() -> None:
        while True:
            loop.add_callback(tell, preview.renew(watch.wait()))

    preview.renew(())
    Thread(target=follow, daemon=True).start()
    loop.add_callback(opened, f"http://{HOST}:{server.port}{preview.edition.base}/")
    server.serve(port=server.port, host=HOST)
