"""Firefox and WebKit for tests: each opens a page and evaluates a script, by the protocols that they have for it."""

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import urlsplit

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), "")
WEBKIT_DRIVER = (shutil.which("WebKitWebDriver") or "") if shutil.which("Xvfb") else ""
"""The driver of WebKitGTK (Debian: webkit2gtk-driver), which needs a display (xvfb)."""

MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
TIMEOUT = 150


class Engine(Protocol):
    """A browser with one window."""

    def open_page(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression, or of its promise."""

    def take_screenshot(self) -> bytes:
        """Return a picture of what the window shows, as PNG."""


class WebSocket:
    """A connection that sends and receives texts (RFC 6455), without an event loop: that of Playwright runs in this process."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname
        assert parts.port
        self._socket = socket.create_connection((parts.hostname, parts.port), TIMEOUT)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._file: IO[bytes] = self._socket.makefile("rb")
        assert b" 101 " in self._file.readline()
        while self._file.readline().strip():
            pass

    def send_text(self, text: str) -> None:
        body, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))
        self._socket.sendall(b"\x81" + size + mask + masked)

    def receive_text(self) -> str:
        """Return the next message, which may have several frames."""
        message, is_last = b"", False
        while not is_last:
            first, size = self._file.read(2)
            is_last = bool(first & 0x80)
            if size >= 126:
                form, width = (">H", 2) if size == 126 else (">Q", 8)
                (size,) = struct.unpack(form, self._file.read(width))
            message += self._file.read(size)
        return message.decode()

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Firefox:
    """Firefox by WebDriver BiDi (W3C, Working Draft), which it has without another program."""

    def __init__(self, url: str) -> None:
        self._connection = WebSocket(f"{url}/session")
        self._number = 0
        self._call("session.new", {"capabilities": {}})
        tree = self._call("browsingContext.getTree", {})
        self._context = tree["contexts"][0]["context"]

    def _call(self, method: str, parameters: Mapping[str, Any]) -> Any:
        self._number += 1
        self._connection.send_text(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._connection.receive_text())
            if answer.get("id") == self._number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open_page(self, url: str) -> None:
        self._call("browsingContext.navigate", {"context": self._context, "url": url, "wait": "complete"})

    def evaluate(self, expression: str) -> Any:
        answer = self._call(
            "script.evaluate",
            {
                "expression": f"Promise.resolve({expression}).then(one => JSON.stringify(one) ?? 'null')",
                "target": {"context": self._context},
                "awaitPromise": True,
            },
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def take_screenshot(self) -> bytes:
        answer = self._call("browsingContext.captureScreenshot", {"context": self._context})
        return base64.b64decode(answer["data"])

    def close(self) -> None:
        self._connection.close()


class WebKit:
    """WebKitGTK by WebDriver (W3C, Recommendation 2018)."""

    def __init__(self, port: int) -> None:
        self._home = f"http://127.0.0.1:{port}"
        binary = str(next(Path("/").glob(MINI_BROWSERS[1:])))
        options = {"binary": binary, "args": ["--automation"]}
        session = self._call(
            "POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        )
        self._session = f"/session/{session['sessionId']}"
        self._call("POST", f"{self._session}/timeouts", {"script": 120_000})
        self._call("POST", f"{self._session}/window/rect", {"width": 1400, "height": 1000})

    def _call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            self._home + path, None if body is None else json.dumps(body).encode(), method=method
        )
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return json.load(answer)["value"]

    def open_page(self, url: str) -> None:
        self._call("POST", f"{self._session}/url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        script = f"const done = arguments[0]; Promise.resolve({expression}).then(one => done(JSON.stringify(one) ?? 'null'))"
        text = self._call("POST", f"{self._session}/execute/async", {"script": script, "args": []})
        return json.loads(text)

    def take_screenshot(self) -> bytes:
        return base64.b64decode(self._call("GET", f"{self._session}/screenshot"))

    def close(self) -> None:
        self._call("DELETE", self._session)


@contextmanager
def run_program(command: list[str], **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program until the end of the block; its output is read from `stdout`."""
    process = subprocess.Popen(
        command, env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()
        assert process.stdout
        process.stdout.close()


@contextmanager
def launch_firefox(*, dark: bool = False) -> Iterator[Engine]:
    """Start Firefox without a window, with a profile of its own."""
    with tempfile.TemporaryDirectory(prefix="tenure-firefox-", ignore_cleanup_errors=True) as profile:
        scheme = f'user_pref("layout.css.prefers-color-scheme.content-override", {0 if dark else 1});\n'
        Path(profile, "user.js").write_text(scheme, encoding="utf-8")
        command = [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with run_program(command, HOME=profile) as process:
            assert process.stdout
            address = next(
                match[1]
                for line in process.stdout
                if (match := re.search(r"WebDriver BiDi listening on (ws://\S+)", line))
            )
            engine = Firefox(address)
            yield engine
            engine.close()


@contextmanager
def launch_webkit(*, dark: bool = False) -> Iterator[Engine]:
    """Start WebKit on a display of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    read_end, write_end = os.pipe()
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
        pass_fds=[write_end],
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()
        theme = "Adwaita:dark" if dark else "Adwaita"
        command = [WEBKIT_DRIVER, f"--port={port}"]
        with run_program(command, DISPLAY=f":{number}", GTK_THEME=theme, LIBGL_ALWAYS_SOFTWARE="1"):
            wait_for_port(port)
            engine = WebKit(port)
            yield engine
            engine.close()
    finally:
        display.terminate()
        display.wait()


def wait_for_port(port: int) -> None:
    """Wait until a program listens on a port of this machine."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")
