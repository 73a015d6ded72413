"""
The preview server: builds the site after every change, serves it from memory, and updates the browsers.

A Snapshot has the files that are served; the overlay is what the preview shows on a page: problems, first
steps. A build is superseded if the sources change again before its end. The editor is at a port of its own.
"""

import asyncio
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
from typing import Any, cast
from urllib.parse import quote, unquote

from livereload.handlers import LiveReloadHandler
from tornado import netutil, web
from tornado.escape import json_decode
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.platform.asyncio import BaseAsyncIOLoop

from tenure.build import BuildResult, PageRenderer, PlanCallback
from tenure.model.files import CONTENT_TYPES
from tenure.plan.pages import Page
from tenure.progress import INITIAL_DELAY, ProgressCallback, ProgressLine
from tenure.record import Record, encode_json
from tenure.server.access import KEY_PARAMETER, LOOPBACK_ADDRESS, LOOPBACK_HOSTS, Access, EditorKey
from tenure.server.client_script import (
    CLIENT_SCRIPT,
    PLACEHOLDER_PAGE,
    SCRIPT_PATH,
    SOCKET_PATH,
    inject_client,
)
from tenure.server.documentation import DOCUMENTATION_PATH, DocumentationError, DocumentationSite
from tenure.server.editor import SourceEditor
from tenure.server.editor_files import EDITOR_FILES, EDITOR_POLICY, PICTURE_PATH
from tenure.server.late_documents import LateDocuments
from tenure.server.overlay import EMPTY_OVERLAY, describe_build, describe_failure
from tenure.server.snapshot import Snapshot
from tenure.server.watcher import SourceWatcher, is_installed_file
from tenure.sources.editing.edits import UneditableError

MAX_PORT_ATTEMPTS = 100
"""The number of ports that are tried, from the requested one."""

MAX_REQUEST_BYTES = 65_536
REQUEST_SECONDS = 60
"""
Maximum size of a request's body and of a message to the socket, and seconds in which a request must be
complete.
"""

MAX_EDIT_BYTES = 30_000_000
"""Maximum size of a request to the editor: a picture or a PDF."""

IDLE_DELAY = 0.15
MAX_IDLE_DELAY = 1.0
"""
Seconds without a change, after the visible pages are served, before the other pages are rendered.

The delay grows with the time of a build, up to the maximum, so that a user who continues to type does not
wait.
"""

DOCUMENTS_DELAY = 3.0
POLL_SECONDS = 0.05
MAX_DOCUMENT_SECONDS = 30.0
"""
Seconds without a change after which the CVs are made that nobody has asked for, seconds between two looks for
somebody who asks, and seconds after which the last CV is sent in place of a new one.
"""

SUPERSEDING_SECONDS = 10.0
"""
Seconds after the first change that no complete build has shown, or the time of a longer build, in which
another change ends a build, so that its visible pages come first. Then a build is completed: its problems are
shown.
"""

MAX_WATCH_FAILURES = 3
WATCH_RETRY_SECONDS = 1.0
"""The failures of the watcher in a row after which it polls, and the seconds until it watches again."""

TEXT_SUFFIXES = frozenset({".bib", ".md", ".ris", ".txt"})
"""Files that a browser shows as text instead of saving them."""


class Console(Record):
    """
    Output to the terminal.

    `print_problems` prints the problems of a build and returns their counts, such as "1 error" ("" for none);
    `save_traceback` saves the traceback of an internal error and returns a line about it; `print_line` prints
    a line.
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

    `root` is the folder of the site that `build_site` builds; `broadcast` sends a message to all browsers.
    Visible pages are served as soon as they are rendered. A complete build is served even with errors; an
    incomplete one does not change the snapshot. `overlay` is for the last build, `last_page` the file of the
    page requested last.
    """

    def __init__(
        self,
        build_site: BuildFunction,
        root: Path,
        console: Console,
        editor_link: str = "",
        editor: SourceEditor | None = None,
        documents: LateDocuments | None = None,
    ) -> None:
        self.snapshot = Snapshot()
        self.overlay = EMPTY_OVERLAY
        self.broadcast: Callable[[Mapping[str, object]], None] = lambda _: None
        self.root = root
        self.port = 0
        self.editor_port = 0
        self.editor_link = editor_link
        self.last_page = ""
        self.documentation = DocumentationSite(root)

        self.editor = editor
        if editor:
            editor.on_trial = partial(self.add_changes, ())

        self.documents = documents or LateDocuments()
        self.are_documents_wanted = False

        self._build: BuildResult | None = None
        self._build_site = build_site
        self._console = console
        self._is_building = False
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
        """
        Add each change that the watcher reports; never returns. After an exception it is reported, and
        watching goes on.
        """
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
        """Build after every change, make the CVs when nobody saves any more; end if Tenure is replaced."""
        while True:
            self._wait_for_work()
            if any(map(is_installed_file, self._pending_changes)):
                self._end_builds()
                return
            if self._has_changes.is_set():
                self.rebuild()
            else:
                self.complete_documents()

    def _end_builds(self) -> None:
        """Say that serve must be started again: the running program does not fit its new files."""
        self.documents.end_waiting()
        heading = "Tenure has been installed anew"
        message = "end serve with Ctrl+C, and start it again"
        self._console.print_line(f"{heading}: {message}")
        self.overlay = describe_failure(heading, message)
        self.broadcast(self.make_reload_message(()))

    def _wait_for_work(self) -> None:
        """Wait for a change, or until CVs that wait are wanted."""
        end = time.monotonic() + DOCUMENTS_DELAY
        while self.documents.are_waiting():
            if self._has_changes.wait(POLL_SECONDS) or self.are_documents_wanted or time.monotonic() > end:
                return
        self._has_changes.wait()

    def complete_documents(self) -> None:
        """Serve the CVs that wait; a change ends this, and they still wait."""
        self.are_documents_wanted = False
        build = self._build
        if build is None:
            self.documents.end_waiting()
            return
        future = self._builder.submit(self.documents.complete_build, build, self._stop_at_change)
        error = future.exception()
        if isinstance(error, SupersededError):
            return
        if error is not None:
            self._report_failure(error)
        elif future.result().problems == build.problems:
            self._show_build(future.result(), ())
        else:
            self._serve_build(future.result(), ())
        self.documents.end_waiting()

    async def wait_for_document(self, file: str) -> None:
        """If a file is a CV that a build has left or will leave, have it made, and wait for it."""
        end = time.monotonic() + MAX_DOCUMENT_SECONDS
        is_document = self.documents.is_document(file)
        while is_document and (self._is_building or self.documents.are_waiting(file)):
            if time.monotonic() > end:
                return
            self.are_documents_wanted = True
            await asyncio.sleep(POLL_SECONDS)

    def rebuild(self) -> None:
        """Build with the pending changes; an exception is reported, and the preview continues."""
        with self._lock:
            changed = tuple(self._pending_changes)
            self._pending_changes = {}
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
            self._report_failure(error)
        else:
            self._build_seconds = time.perf_counter() - started - self._idle_seconds
            self._serve_build(future.result(), changed)

    def _report_failure(self, error: BaseException) -> None:
        """Show an exception of the program in the terminal and in the overlay."""
        self._build = None
        message = self._console.save_traceback(error)
        self._console.print_line(message)
        self.overlay = describe_failure("Tenure has failed", message)
        self.broadcast(self.make_reload_message(()))

    def make_reload_message(self, files: Sequence[str] | None) -> dict[str, object]:
        """
        The message to browsers: the number of the snapshot, the files to reload (None: all), and whether a
        build is running.
        """
        number = self.snapshot.number
        return {"command": "reload", "build": number, "files": files, "building": self._is_building}

    def _serve_build(self, build: BuildResult, changed: Sequence[str]) -> None:
        """Serve the result of a build, print its problems and notify the browsers."""
        own_paths = (Path(path) for path in changed if Path(path).is_relative_to(self.root))
        sources = [path.relative_to(self.root).as_posix() for path in own_paths]
        has_previous_build = bool(self.snapshot.number)
        self.overlay = describe_build(build, has_previous_build=has_previous_build, notice=self._watch_notice)
        if self.editor:
            self.editor.show_build(build)

        counts = self._console.print_problems(build)
        outcome = f"{1000 * self._build_seconds:.0f} ms"
        if not build.is_complete:
            outcome = "not built"
        if changed:
            results = filter(None, (outcome, counts))
            self._console.print_line(f"{_summarize_paths(sources or changed)}: {', '.join(results)}")
        elif counts:
            self._console.print_line(counts)

        self._show_build(build, sources)

    def _show_build(self, build: BuildResult, sources: Sequence[str]) -> None:
        """Serve the files of a build, and notify the browsers of those that differ."""
        changed_files: Sequence[str] = ()
        self._build = build
        if build.is_complete:
            previous_snapshot = self.snapshot
            self.snapshot = previous_snapshot.with_build(build)
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

    def _stop_at_change(self) -> None:
        """Raise SupersededError if the sources have changed."""
        if self._has_changes.is_set():
            raise SupersededError

    def _find_visible_pages(self) -> Iterable[str]:
        """The files that browsers show or requested last; empty before the first complete build."""
        if not self.snapshot.number:
            return ()
        displayed = [handler.file for handler in tuple(LiveReloadHandler.waiters)]
        return dict.fromkeys((*displayed, self.last_page))


def _show_activity(line: ProgressLine) -> None:
    """Show in the terminal that a build is running."""
    with contextlib.suppress(OSError, ValueError):  # the terminal was closed
        line("Building", 0, 0)


def _summarize_paths(paths: Sequence[str]) -> str:
    """At most three of the changed paths as text, with the number of the others."""
    if len(paths) <= 3:
        return ", ".join(paths)
    return f"{', '.join(paths[:2])} and {len(paths) - 2} more"


class _GuardedHandler(web.RequestHandler):
    """
    Answers requests from this machine, and from devices that have sent the token once; a cookie stores it.

    `is_local` is true if a request comes from this machine and uses a loopback name.
    """

    preview: Preview
    access: Access
    key: EditorKey
    is_local = False

    def initialize(self, preview: Preview, access: Access, key: EditorKey) -> None:
        self.preview = preview
        self.access = access
        self.key = key

    def prepare(self) -> None:
        """
        Refuse a request for a wrong host, or of another device without the token.

        The token comes once in the address, "?token=…", and then in the cookie that this sets.
        """
        # "[::1]:8000" -> "::1", "localhost:8000" -> "localhost"
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
            # Lax, because a link in an e-mail must open the page; requests from within other sites do not
            # send the cookie.
            self.set_cookie(cookie, self.access.token, httponly=True, samesite="Lax")
            # A path of two slashes, or of a slash and a backslash, is a URL of another host for browsers.
            self.redirect(re.sub(r"^[/\\]+", "/", self.request.path))
            return

        self.set_status(403)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(
            "This preview needs its token. Open the whole address that “serve --host” shows, with ?token=….\n"
        )

    @property
    def host_name(self) -> str:
        """The name by which the browser calls this machine, without the port."""
        return self.request.host.rpartition(":")[0] or self.request.host

    def keep_editor_key(self) -> bool:
        """
        Whether the address has the token of the editor, or a ticket; then a cookie keeps the token for both
        ports.
        """
        if not (self.is_local and self.key.accept(self.get_query_argument(KEY_PARAMETER, ""))):
            return False
        cookie = f"tenure-editor-{self.preview.editor_port}"
        self.set_cookie(cookie, self.key.token, httponly=True, samesite="Strict")
        return True

    def set_default_headers(self) -> None:
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")

    def log_exception(
        self, typ: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        """
        Log errors of the program only: any web page can send a request that is refused, and print lines so.
        """
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


class _FileHandler(_GuardedHandler):
    """Serves a file of the snapshot as hosts of static sites do."""

    async def get(self) -> None:
        """
        Answer "/talks/" with talks/index.html, "/talks" with a redirect there, and what is missing with 404.
        """
        if self.keep_editor_key():
            self.redirect(re.sub(r"^[/\\]+", "/", self.request.path))
            return

        snapshot = self.preview.snapshot
        path = unquote(self.request.path)
        base_path = f"{snapshot.base_path}/"
        url_path = path.removeprefix(base_path)
        if not path.startswith(base_path):
            if path == "/" or f"{path}/" == base_path:
                self.redirect(quote(base_path))
            else:
                self._send_not_found(snapshot, path.lstrip("/"))
        elif file := snapshot.find_file(url_path):
            await self.preview.wait_for_document(file)
            self._send_file(self.preview.snapshot, file)
        elif snapshot.find_file(f"{url_path}/"):
            self.redirect(quote(f"{path}/"))
        else:
            self._send_not_found(snapshot, f"{url_path}index.html" if path.endswith("/") else url_path)

    head = get

    def _send_not_found(self, snapshot: Snapshot, requested: str) -> None:
        self.set_status(404 if snapshot.number else 503)
        self._send_file(snapshot, "404.html", requested)

    def _send_file(self, snapshot: Snapshot, file: str, requested: str = "") -> None:
        """
        Send a file, and a placeholder before the first build; a page gets the script of the preview.

        `requested` is the path that was asked for, if that is not `file`: 404.html for a page that is
        missing. The script reloads the page as soon as it is there.
        """
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
            page_data |= {"editor": self.preview.editor_link, "edit": self.preview.editor_port}
        self.finish(inject_client(body, page_data, self.request.host))

    def _select_range(self, body: bytes) -> bytes:
        """The requested byte range; browsers load videos in parts (RFC 9110, 14.2)."""
        self.set_header("Accept-Ranges", "bytes")
        # "bytes=0-1023", or "bytes=1024-" up to the end
        match = re.fullmatch(r"bytes=([0-9]{1,18})-([0-9]{0,18})", self.request.headers.get("Range", ""))
        if match is None or int(match[1]) >= len(body):
            return body
        start = int(match[1])
        end = min(int(match[2] or len(body)), len(body) - 1)
        if end < start:
            return body
        self.set_status(206)
        self.set_header("Content-Range", f"bytes {start}-{end}/{len(body)}")
        return body[start : end + 1]


class _DocumentationHandler(_GuardedHandler):
    """Serves a page of the documentation, or another of its files; it can only be read."""

    async def get(self, path: str) -> None:
        """Answer "problems/" with problems/index.html; the first request waits until all pages are built."""
        try:
            files = await asyncio.wrap_future(self.preview.documentation.request_files())
        except (DocumentationError, OSError) as error:
            self.set_status(503)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(f"The documentation cannot be shown: {error}\n")
            return

        name = unquote(path)
        file = files.get(f"{name}index.html" if not name or name.endswith("/") else name)
        if file is None:
            raise web.HTTPError(404)
        self.set_header("Content-Type", guess_type(file.name)[0] or "application/octet-stream")
        self.finish(file.read_bytes())


class _EditorHandler(_GuardedHandler):
    """
    The editor, which changes sources: at an origin of its own, for a browser on this machine that has the
    token.

    Scripts of the previewed site have another origin. They can send a request here, but not with the `Origin`
    of the editor, and they cannot read an answer.
    """

    def prepare(self) -> None:
        """
        Refuse other devices, other users of this machine, and calls that no page of the editor has sent.
        """
        super().prepare()
        if self._finished:
            return
        is_read = self.request.method == "GET"
        if not self.is_local or not (is_read or self._is_own_call()):
            raise web.HTTPError(403)
        cookie = self.get_cookie(f"tenure-editor-{self.preview.editor_port}") or ""
        if not self.key.is_valid_token(cookie) and not (is_read and self.keep_editor_key()):
            self.set_status(403)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish("To edit, open the address that “serve” prints in its terminal.\n")

    def _is_own_call(self) -> bool:
        """
        Whether a page of the editor has sent this request: a browser lets no other page set these headers.
        """
        headers = self.request.headers
        return (
            self.request.method == "POST"
            and headers.get("Origin") == f"http://{self.request.host}"
            and headers.get("Sec-Fetch-Site") == "same-origin"
            and headers.get("Content-Type", "").partition(";")[0] == "application/json"
        )

    def get(self) -> None:
        """Answer with the page of the editor, one of its files, or a picture in content/ for its field."""
        if self.request.path == PICTURE_PATH:
            self._send_picture()
            return
        file = EDITOR_FILES.get(self.request.path)
        if file is None:
            raise web.HTTPError(404)
        site_origin = f"http://{self.host_name}:{self.preview.port}"
        site_url = f"{site_origin}{self.preview.snapshot.base_path}/"
        self.set_header("Content-Type", f"{file.media_type}; charset=utf-8")
        self.set_header("Content-Security-Policy", f"{EDITOR_POLICY}; frame-src {site_origin}")
        self.set_header("Cross-Origin-Opener-Policy", "same-origin")
        self.set_header("Referrer-Policy", "no-referrer")
        self.finish(file.text.replace("SITE_URL", quote(site_url, safe=":/~%")))

    def _send_picture(self) -> None:
        """Send a picture in content/ for the field that names it; an SVG can run no script in the editor."""
        media_type, picture = self._editor.read_picture(self.get_query_argument("name", ""))
        self.set_header("Content-Type", media_type)
        self.set_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        self.finish(picture)

    def post(self) -> None:
        """
        Answer {"name": …, "values": […]} with {"result": …}, or with {"error": …} if the call is refused.
        """
        data = self.read_json(self.request.body)
        try:
            result = self._editor.answer_call(str(data["name"]), cast(Sequence[Any], data["values"]))
        except (UneditableError, OSError) as error:
            self.set_status(409)
            result = {"error": str(error)}
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            self.set_status(400)
            result = {"error": f"this call is not possible ({type(error).__name__})"}
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.finish(encode_json(result))

    @property
    def _editor(self) -> SourceEditor:
        return cast(SourceEditor, self.preview.editor)


class _SocketHandler(_GuardedHandler, LiveReloadHandler):  # type: ignore[misc]
    """The WebSocket that notifies a page of the preview of changes; `file` is the file of the page."""

    file = ""

    def prepare(self) -> None:
        """
        Refuse pages of other sites, before Tornado reads the origin: it fails for an origin that is no URL.
        """
        super().prepare()
        if not self.check_origin(self.request.headers.get("Origin", f"http://{self.request.host}")):
            raise web.HTTPError(403)

    def check_origin(self, origin: str) -> bool:
        return origin == f"http://{self.request.host}"

    def open(self) -> None:
        self.set_nodelay(True)

    def on_message(self, message: str) -> None:
        """
        Answer the handshake; a browser with another snapshot reloads. Any other message closes the socket.
        """
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


SITE_HANDLERS: Mapping[str, type[_GuardedHandler]] = {
    SOCKET_PATH: _SocketHandler,
    SCRIPT_PATH: _ScriptHandler,
    f"{DOCUMENTATION_PATH}(.*)": _DocumentationHandler,
    ".*": _FileHandler,
}
"""What answers each path of the preview."""


def _listen(
    handlers: Mapping[str, type[_GuardedHandler]],
    arguments: dict[str, Any],
    sockets: list[socket],
    max_body_size: int = MAX_REQUEST_BYTES,
) -> int:
    """Answer the requests to these sockets, each path by its handler; returns their port."""
    application = web.Application(
        [(path, handler, arguments) for path, handler in handlers.items()],
        log_function=lambda _: None,
        websocket_max_message_size=MAX_REQUEST_BYTES,
    )

    server = HTTPServer(
        application,
        max_body_size=max_body_size,
        idle_connection_timeout=REQUEST_SECONDS,
        body_timeout=REQUEST_SECONDS,
    )
    server.add_sockets(sockets)
    return int(sockets[0].getsockname()[1])


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
    on_ready: Callable[[str, str, Sequence[str]], None],
    access: Access,
    key: EditorKey,
) -> None:
    """
    Serve the preview until Ctrl+C; `on_ready` gets the URLs of the site and of the editor, and the URLs for
    other devices.

    Raises OSError if no port is free.
    """
    sockets = bind_free_port(port, access.listen_address)
    preview.rebuild()
    loop = cast(BaseAsyncIOLoop, IOLoop.current())  # the only kind of loop in this version of Tornado
    arguments = {"preview": preview, "access": access, "key": key}
    preview.port = _listen(SITE_HANDLERS, arguments, sockets)
    editor_sockets = bind_free_port(preview.port + 1, LOOPBACK_ADDRESS)
    preview.editor_port = _listen({".*": _EditorHandler}, arguments, editor_sockets, MAX_EDIT_BYTES)

    def send_to_browsers(message: Mapping[str, object]) -> None:
        for handler in tuple(LiveReloadHandler.waiters):
            handler.send_report(message)

    preview.broadcast = partial(loop.add_callback, send_to_browsers)
    sys.setswitchinterval(0.001)  # so that a request does not wait for the build
    for task in (partial(preview.watch_forever, watcher), preview.build_forever):
        Thread(target=task, daemon=True).start()

    # Stop the loop instead of raising KeyboardInterrupt: Python discards an exception that is raised in a
    # finaliser.
    signal.signal(signal.SIGINT, lambda *_: loop.asyncio_loop.call_soon_threadsafe(loop.stop))

    url_suffix = f":{preview.port}{preview.snapshot.base_path}/"
    remote_urls = [
        f"http://{address}{url_suffix}?token={access.token}" for address in access.reachable_addresses()
    ]
    editor_url = f"http://{LOOPBACK_ADDRESS}:{preview.editor_port}/"
    loop.add_callback(on_ready, f"http://{LOOPBACK_ADDRESS}{url_suffix}", editor_url, remote_urls)
    loop.start()
    loop.close(all_fds=True)
