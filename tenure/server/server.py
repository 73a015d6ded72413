"""The preview server: builds the site after every change, serves it from memory, and updates the browsers."""

import contextlib
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address
from mimetypes import guess_type
from pathlib import Path, PurePosixPath
from socket import socket
from threading import Event, Lock, Thread, Timer
from types import TracebackType
from typing import cast
from urllib.parse import quote, unquote

from livereload import Server
from livereload.handlers import LiveReloadHandler
from livereload.watcher import Watcher
from tornado import netutil, web
from tornado.escape import json_decode
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.platform.asyncio import BaseAsyncIOLoop

from tenure.build import BuildResult, PageRenderer, PlanCallback
from tenure.model.files import CONTENT_TYPES
from tenure.plan.pages import Page
from tenure.progress import INITIAL_DELAY, ProgressCallback, ProgressLine
from tenure.record import Record
from tenure.server.access import LOOPBACK_ADDRESS, LOOPBACK_HOSTS, Access
from tenure.server.client_script import (
    CLIENT_SCRIPT,
    PANEL_PATH,
    PLACEHOLDER_PAGE,
    SCRIPT_PATH,
    SOCKET_PATH,
    inject_client,
)
from tenure.server.overlay import EMPTY_OVERLAY, describe_build, describe_failure
from tenure.server.snapshot import Snapshot
from tenure.server.theme_panel import PanelError, ThemePanel
from tenure.server.watcher import SourceWatcher

MAX_PORT_ATTEMPTS = 100
"""The number of ports that are tried, from the requested one."""

MAX_REQUEST_BYTES, REQUEST_SECONDS = 65_536, 60
"""Maximum size of a request's body and of a message to the socket, and seconds in which a request must be complete."""

IDLE_DELAY, MAX_IDLE_DELAY = 0.15, 1.0
"""
Seconds without a change, after the visible pages are served, before the other pages are rendered.

The delay grows with the time of a build, up to the maximum, so that a user who continues to type does not wait.
"""

SUPERSEDING_SECONDS = 10.0
"""
Seconds after the first change that no complete build has shown, or the time of a longer build, in which another change
ends a build, so that its visible pages come first. Then a build is completed: its problems are shown.
"""

MAX_WATCH_FAILURES, WATCH_RETRY_SECONDS = 3, 1.0
"""The failures of the watcher in a row after which it polls, and the seconds until it watches again."""

TEXT_SUFFIXES = frozenset({".bib", ".md", ".ris", ".txt"})
"""Files that a browser shows as text instead of saving them."""


class Console(Record):
    """
    Output to the terminal.

    `print_problems` prints the problems of a build and returns their counts, such as "1 error" ("" for none);
    `save_traceback` saves the traceback of an internal error and returns a line about it; `print_line` prints a line.
    """

    print_problems: Callable[[BuildResult], str]
    save_traceback: Callable[[BaseException], str]
    print_line: Callable[[str], None]


class SupersededError(Exception):
    """Ends a build because the sources have changed again."""


BuildFunction = Callable[[PlanCallback, ProgressCallback], BuildResult]
"""Builds a site; takes the callbacks for the planned pages and for the progress."""


class Preview:
    """
    The served snapshot of the site, and the builds that update it.

    `root` is the folder of the site that `build_site` builds; `broadcast` sends a message to all browsers. Visible
    pages are served as soon as they are rendered. A complete build is served even with errors; an incomplete one does
    not change the snapshot. `overlay` is for the last build, `last_page` the file of the page requested last.
    """

    def __init__(
        self,
        build_site: BuildFunction,
        root: Path,
        console: Console,
        panel: ThemePanel | None = None,
        editor_link: str = "",
    ) -> None:
        self.snapshot = Snapshot()
        self.overlay = EMPTY_OVERLAY
        self.broadcast: Callable[[Mapping[str, object]], None] = lambda _: None
        self.panel = panel
        self.last_page = ""
        self._is_building = False
        self._build_site = build_site
        self.root = root
        self.editor_link = editor_link
        self._console = console
        self._builder = ThreadPoolExecutor(1)
        self._pending_changes: dict[str, None] = {}
        self._has_changes = Event()
        self._superseding_end: float | None = None
        self._watch_notice = ""
        self._build_seconds = self._idle_seconds = 0.0
        self._lock = Lock()

    def add_changes(self, changed_paths: Sequence[str]) -> None:
        """Add changed paths for the next build."""
        with self._lock:
            self._pending_changes |= dict.fromkeys(changed_paths)
            self._has_changes.set()

    def watch_forever(self, watcher: SourceWatcher) -> None:
        """Add each change that the watcher reports; never returns. After an exception it is reported, and watching goes on."""
        failures = 0
        while True:
            try:
                if failures:
                    watcher.watch_anew(force_polling=failures >= MAX_WATCH_FAILURES)
                changed = watcher.wait()
            except Exception as error:  # any kind: without the watcher, no edit is shown any more
                failures += 1
                self._report_watch_failure(error, failures)
                self.add_changes(())  # what has changed meanwhile is not known
                time.sleep(WATCH_RETRY_SECONDS)
                continue

            failures = 0
            self._watch_notice = ""
            self.add_changes(changed)

    def _report_watch_failure(self, error: Exception, failures: int) -> None:
        """Show a failure of the watcher in the terminal and, with the next build, in the overlay."""
        self._watch_notice = f"a change of the files could not be followed: {error}"
        self._console.print_line(self._watch_notice)
        if failures == MAX_WATCH_FAILURES:
            self._console.print_line(
                "From now on, all files are compared again and again; this needs more time."
            )

    def build_forever(self) -> None:
        """Build after every change; never returns."""
        while True:
            self._has_changes.wait()
            self.rebuild()

    def rebuild(self) -> None:
        """Build with the pending changes; an exception is reported, and the preview continues."""
        with self._lock:
            changed, self._pending_changes = tuple(self._pending_changes), {}
            self._has_changes.clear()
        self._idle_seconds = 0.0
        if self._superseding_end is None:
            self._superseding_end = time.monotonic() + max(SUPERSEDING_SECONDS, self._build_seconds)
        self._is_building = True
        self.broadcast(self.make_reload_message(()))
        started = time.perf_counter()
        line = ProgressLine(sys.stderr)
        timer = Timer(INITIAL_DELAY, _show_activity, [line])
        timer.start()
        future = self._builder.submit(self._build_site, self._build_visible_pages, self._stop_if_superseded)
        error = future.exception()
        timer.cancel()
        with contextlib.suppress(OSError, ValueError):  # the terminal was closed
            line.clear()
        self._is_building = False
        if isinstance(error, SupersededError):
            self.add_changes(changed)
            return
        self._superseding_end = None
        if error is not None:
            message = self._console.save_traceback(error)
            self._console.print_line(message)
            self.overlay = describe_failure(message)
            self.broadcast(self.make_reload_message(()))
        else:
            self._build_seconds = time.perf_counter() - started - self._idle_seconds
            self._serve_build(future.result(), changed)

    def make_reload_message(self, files: Sequence[str] | None) -> dict[str, object]:
        """The message to browsers: the number of the snapshot, the files to reload (None: all), and whether a build is running."""
        number = self.snapshot.number
        return {"command": "reload", "build": number, "files": files, "building": self._is_building}

    def _serve_build(self, build: BuildResult, changed: Sequence[str]) -> None:
        """Serve the result of a build, print its problems and notify the browsers."""
        own_paths = (Path(path) for path in changed if Path(path).is_relative_to(self.root))
        sources = [path.relative_to(self.root).as_posix() for path in own_paths]
        counts = self._console.print_problems(build)
        has_previous_build = bool(self.snapshot.number)
        self.overlay = describe_build(build, has_previous_build=has_previous_build, notice=self._watch_notice)
        if changed:
            outcome = f"{1000 * self._build_seconds:.0f} ms" if build.is_complete else "not built"
            names = _summarize_paths(sources or changed)
            self._console.print_line(f"{names}: {outcome}{f', {counts}' if counts else ''}")
        elif counts:
            self._console.print_line(counts)
        changed_files: Sequence[str] = ()
        if build.is_complete:
            previous_snapshot, self.snapshot = self.snapshot, self.snapshot.with_build(build)
            changed_files = self.snapshot.find_changed_paths(previous_snapshot, sources)
        self.broadcast(self.make_reload_message(changed_files))

    def _build_visible_pages(self, pages: Sequence[Page], render_page: PageRenderer) -> None:
        """Render and serve the visible pages first, then wait until the user stops typing."""
        self._stop_if_superseded()
        by_file = {page.output_path: page for page in pages}
        first_snapshot = self.snapshot
        for page in [by_file[file] for file in self._find_visible_pages() if file in by_file]:
            if artifacts := render_page(page):
                previous_snapshot, self.snapshot = self.snapshot, self.snapshot.with_page(page, artifacts)
                message = self.make_reload_message(self.snapshot.find_changed_paths(previous_snapshot, ()))
                self.broadcast(message | self.snapshot.describe_change(page, previous_snapshot))
        if self.snapshot is not first_snapshot:
            started = time.perf_counter()
            self._has_changes.wait(min(max(IDLE_DELAY, self._build_seconds / 2), MAX_IDLE_DELAY))
            self._idle_seconds = time.perf_counter() - started
            self._stop_if_superseded()

    def _stop_if_superseded(self, activity: str = "", done_count: int = 0, total: int = 0) -> None:
        """Raise SupersededError if the sources have changed again before the end of SUPERSEDING_SECONDS."""
        del activity, done_count, total
        if self._has_changes.is_set() and time.monotonic() < (self._superseding_end or 0.0):
            raise SupersededError

    def _find_visible_pages(self) -> Iterable[str]:
        """The files that browsers show or requested last; empty before the first complete build."""
        displayed = [handler.file for handler in tuple(LiveReloadHandler.waiters)]
        return dict.fromkeys((*displayed, self.last_page)) if self.snapshot.number else ()


def _show_activity(line: ProgressLine) -> None:
    """Show in the terminal that a build is running."""
    with contextlib.suppress(OSError, ValueError):  # the terminal was closed
        line("Building", 0, 0)


def _summarize_paths(paths: Sequence[str]) -> str:
    """At most three of the changed paths as text, with the number of the others."""
    more = f" and {len(paths) - 2} more" if len(paths) > 3 else ""
    return ", ".join(paths[: 2 if more else 3]) + more


class _GuardedHandler(web.RequestHandler):
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
        host = re.fullmatch(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::[0-9]+)?", self.request.host.lower())
        name = (host[1] or host[2]) if host else ""
        if not self.access.is_allowed_host(name):
            raise web.HTTPError(403)
        self.is_local = name in LOOPBACK_HOSTS and ip_address(str(self.request.remote_ip)).is_loopback
        cookie = f"tenure-preview-{self.request.host.rpartition(':')[2]}"
        if (
            not self.access.token
            or self.is_local
            or self.access.is_valid_token(self.get_cookie(cookie) or "")
        ):
            return
        if self.access.is_valid_token(self.get_query_argument("token", "")):
            # Lax, because a link in an e-mail must open the page; requests from within other sites do not send the cookie.
            self.set_cookie(cookie, self.access.token, httponly=True, samesite="Lax")
            # A path of two slashes, or of a slash and a backslash, is a URL of another host for browsers.
            self.redirect(re.sub(r"^[/\\]+", "/", self.request.path))
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

    def log_exception(
        self, typ: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Log errors of the program only: any web page can send a request that is refused, and print lines so."""
        if not isinstance(value, web.HTTPError):
            super().log_exception(typ, value, tb)

    def read_json(self, text: str | bytes) -> Mapping[str, object]:
        """The JSON object in a text; an empty one for anything else."""
        try:
            data = json_decode(text)
        except (ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}


class _ScriptHandler(_GuardedHandler):
    def get(self) -> None:
        self.set_header("Content-Type", "text/javascript; charset=utf-8")
        self.finish(CLIENT_SCRIPT)


class _PanelHandler(_GuardedHandler):
    """The panel of themes, only for a browser on this machine. It writes no file: a script of the site could ask for it."""

    def prepare(self) -> None:
        """Refuse other devices, and requests to change something that no page of the preview has sent."""
        super().prepare()
        is_own_page = self.request.headers.get("Origin") == f"http://{self.request.host}"
        media_type = self.request.headers.get("Content-Type", "").partition(";")[0]
        is_allowed = self.request.method == "GET" or (is_own_page and media_type == "application/json")
        if not self._finished and not (self.is_local and self.preview.panel and is_allowed):
            raise web.HTTPError(403)

    def get(self) -> None:
        self.finish(dict(cast(ThemePanel, self.preview.panel).describe()))

    def post(self) -> None:
        """Show a choice; "choice": null ends the trial. The answer is the new state."""
        panel = cast(ThemePanel, self.preview.panel)
        data = self.read_json(self.request.body)
        if not data:
            raise web.HTTPError(400)

        try:
            panel.try_choice(data.get("choice"))
        except PanelError as error:
            self.set_status(409)
            self.finish({"error": str(error)})
            return

        self.preview.add_changes(())
        self.finish(dict(panel.describe()))


class _FileHandler(_GuardedHandler):
    """Serves a file of the snapshot as hosts of static sites do."""

    def get(self) -> None:
        snapshot, path = self.preview.snapshot, unquote(self.request.path)
        base_path = f"{snapshot.base_path}/"
        url_path = path.removeprefix(base_path)
        if not path.startswith(base_path):
            if path == "/" or f"{path}/" == base_path:
                self.redirect(quote(base_path))
            else:
                self._send_not_found(snapshot, path.lstrip("/"))
        elif file := snapshot.find_file(url_path):
            self._send_file(snapshot, file)
        elif snapshot.find_file(f"{url_path}/"):
            self.redirect(quote(f"{path}/"))
        else:
            self._send_not_found(snapshot, f"{url_path}index.html" if path.endswith("/") else url_path)

    head = get

    def _send_not_found(self, snapshot: Snapshot, requested: str) -> None:
        self.set_status(404 if snapshot.number else 503)
        self._send_file(snapshot, "404.html", requested)

    def _send_file(self, snapshot: Snapshot, file: str, requested: str = "") -> None:
        """Send a file; the script in a page gets the requested path."""
        artifact = snapshot.files.get(file)
        try:
            body = artifact.read() if artifact else PLACEHOLDER_PAGE
        except OSError as error:
            raise web.HTTPError(404) from error
        suffix = PurePosixPath(file).suffix
        content_type = CONTENT_TYPES.get(suffix) or guess_type(file)[0] or "application/octet-stream"
        if suffix in TEXT_SUFFIXES:
            content_type = "text/plain"
        is_text = content_type.startswith("text/") or content_type.endswith(("json", "xml"))
        self.set_header("Content-Type", f"{content_type}; charset=utf-8" if is_text else content_type)
        if suffix != ".html":
            self.finish(self._select_range(body))
            return
        self.preview.last_page = requested or file
        drafts = snapshot.drafts.get(file, ())
        page_data = {"build": snapshot.number, "file": requested or file, "drafts": drafts}
        if self.is_local:
            page_data |= {"panel": self.preview.panel and PANEL_PATH, "editor": self.preview.editor_link}
        self.finish(inject_client(body, page_data, self.request.host))

    def _select_range(self, body: bytes) -> bytes:
        """The requested byte range; browsers load videos in parts (RFC 9110, 14.2)."""
        self.set_header("Accept-Ranges", "bytes")
        match = re.fullmatch(r"bytes=([0-9]{1,18})-([0-9]{0,18})", self.request.headers.get("Range", ""))
        if match is None or int(match[1]) >= len(body):
            return body
        start, end = int(match[1]), min(int(match[2] or len(body)), len(body) - 1)
        if end < start:
            return body
        self.set_status(206)
        self.set_header("Content-Range", f"bytes {start}-{end}/{len(body)}")
        return body[start : end + 1]


class _SocketHandler(_GuardedHandler, LiveReloadHandler):  # type: ignore[misc]
    """The WebSocket that notifies a page of the preview of changes; `file` is the file of the page."""

    file = ""

    def prepare(self) -> None:
        """Refuse pages of other sites, before Tornado reads the origin: it fails for an origin that is no URL."""
        super().prepare()
        if not self.check_origin(self.request.headers.get("Origin", f"http://{self.request.host}")):
            raise web.HTTPError(403)

    def check_origin(self, origin: str) -> bool:
        return origin == f"http://{self.request.host}"

    def open(self) -> None:
        self.set_nodelay(True)

    def on_message(self, message: str) -> None:
        """Answer the handshake; a browser with another snapshot reloads. Any other message closes the socket."""
        data = self.read_json(message)
        if data.get("command") not in ("hello", "info"):
            self.close(1003, "this is no message of a page of the preview")
            return
        super().on_message(message)
        if data["command"] == "info":
            self.file = str(data.get("file", ""))
            is_current = data.get("build") == self.preview.snapshot.number
            self.send_report(self.preview.make_reload_message(() if is_current else None))

    def send_report(self, message: Mapping[str, object]) -> None:
        """Send a message with the overlay of the last build."""
        self.send_message({**message, "report": self.preview.overlay})


class _NullWatcher(Watcher):  # type: ignore[misc]
    """Replaces livereload's watcher; SourceWatcher does its work."""

    def start(self, callback: object) -> bool:
        del callback
        return True


class _PreviewServer(Server):  # type: ignore[misc]
    """Livereload's server with the preview's request handlers."""

    def __init__(self, preview: Preview, port: int, access: Access) -> None:
        super().__init__(watcher=_NullWatcher())
        self.preview = preview
        self.access = access
        self.sockets = bind_free_port(port, access.listen_address)
        self.port = self.sockets[0].getsockname()[1]

    def application(
        self, port: int, host: str, liveport: None = None, debug: None = None, live_css: bool = True
    ) -> None:
        del port, host, liveport, debug, live_css
        LiveReloadHandler.watcher = self.watcher
        arguments = {"preview": self.preview, "access": self.access}
        handlers = {
            SOCKET_PATH: _SocketHandler,
            SCRIPT_PATH: _ScriptHandler,
            PANEL_PATH: _PanelHandler,
            ".*": _FileHandler,
        }
        application = web.Application(
            [(path, handler, arguments) for path, handler in handlers.items()],
            log_function=lambda _: None,
            websocket_max_message_size=MAX_REQUEST_BYTES,
        )
        server = HTTPServer(
            application,
            max_body_size=MAX_REQUEST_BYTES,
            idle_connection_timeout=REQUEST_SECONDS,
            body_timeout=REQUEST_SECONDS,
        )
        server.add_sockets(self.sockets)

    def _setup_logging(self) -> None:
        """Configure no logging, so that only errors are logged."""


def bind_free_port(port: int, address: str) -> list[socket]:
    """A socket at `port` or the next free one (0: any); raises OSError if none is free."""
    last_port = min(port + MAX_PORT_ATTEMPTS, 65536) - 1
    while port and port < last_port:
        with contextlib.suppress(OSError):
            return netutil.bind_sockets(port, address)
        port += 1
    return netutil.bind_sockets(port, address)


def serve_preview(
    preview: Preview,
    watcher: SourceWatcher,
    port: int,
    on_ready: Callable[[str, Sequence[str]], None],
    access: Access,
) -> None:
    """
    Serve the preview until Ctrl+C; `on_ready` gets the URL for this machine and the URLs for other devices.

    Raises OSError if no port is free.
    """
    server = _PreviewServer(preview, port, access)
    loop = cast(BaseAsyncIOLoop, IOLoop.current())  # the only kind of loop in this version of Tornado

    def send_to_browsers(message: Mapping[str, object]) -> None:
        for handler in tuple(LiveReloadHandler.waiters):
            handler.send_report(message)

    preview.rebuild()
    preview.broadcast = partial(loop.add_callback, send_to_browsers)
    sys.setswitchinterval(0.001)  # so that a request does not wait for the build
    for task in (partial(preview.watch_forever, watcher), preview.build_forever):
        Thread(target=task, daemon=True).start()
    # Stop the loop instead of raising KeyboardInterrupt: Python discards an exception that is raised in a finaliser.
    signal.signal(signal.SIGINT, lambda *_: loop.asyncio_loop.call_soon_threadsafe(loop.stop))
    url_suffix = f":{server.port}{preview.snapshot.base_path}/"
    remote_urls = [
        f"http://{address}{url_suffix}?token={access.token}" for address in access.reachable_addresses()
    ]
    loop.add_callback(on_ready, f"http://{LOOPBACK_ADDRESS}{url_suffix}", remote_urls)
    server.serve(port=server.port, host=access.listen_address)
