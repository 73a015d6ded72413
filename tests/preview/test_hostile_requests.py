"""The preview and requests that no browser of its user sends: it refuses them, continues to run, and prints nothing."""

import base64
import contextlib
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from conftest import write_files
from preview_process import PreviewProcess, start_preview

SITE = """-- site.yaml --
url: https://example.edu/~ada/
-- content/profile.yaml --
name: Ada Example
-- content/files/slides.pdf --
%PDF-1.4 ten bytes
-- content/.secret --
password
"""


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreviewProcess]:
    """Start a preview; after all tests of this file it has printed only its first lines."""
    root = tmp_path_factory.mktemp("site")
    write_files(root, SITE)
    with start_preview(root) as running_preview:
        first_lines = list(running_preview.printed)
        yield running_preview
        assert running_preview.printed == first_lines


def connect_to_preview(preview: PreviewProcess) -> socket.socket:
    name, _, port = preview.host.partition(":")
    return socket.create_connection((name, int(port)), timeout=30)


def send_bytes(preview: PreviewProcess, request: bytes, *, is_complete: bool = True) -> bytes:
    """Send bytes and return the answer until the server closes the connection; b"" if it closes it without an answer."""
    answer = b""
    with connect_to_preview(preview) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(request)
        if not is_complete:
            connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65536):
            answer += part
    return answer


def format_request(
    preview: PreviewProcess, target: str = "/~ada/", method: str = "GET", *lines: str, host: str | None = None
) -> bytes:
    host_lines = [f"Host: {preview.host if host is None else host}", *lines, "Connection: close"]
    return "\r\n".join([f"{method} {target} HTTP/1.1", *host_lines, "", ""]).encode("latin-1")


def read_status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "evil.example@127.0.0.1:x"),
        *(
            "localhost.:{port}",
            "localhost.evil.example",
            "127.1:{port}",
            "2130706433:{port}",
            "0x7f.1:{port}",
        ),
        *(
            "127.0.0.1@evil.example",
            "[::1",
            "[::1]evil:{port}",
            "[::ffff:127.0.0.1]:{port}",
            "0.0.0.0:{port}",
        ),
        *("10.0.0.1:{port}", "", ":{port}", "[", "localhost, evil.example"),
    ],
)
def test_a_name_that_dns_can_rebind_is_refused(preview: PreviewProcess, host: str) -> None:
    port = preview.host.split(":")[1]
    answer = send_bytes(preview, format_request(preview, host=host.format(port=port)))
    assert read_status(answer) in (400, 403), answer[:200]
    assert b"Ada" not in answer


def test_two_host_names_and_absolute_urls_are_refused(preview: PreviewProcess) -> None:
    twice = format_request(preview, "/~ada/", "GET", "Host: evil.example")
    elsewhere = format_request(preview, "http://evil.example/~ada/")
    for request in (twice, elsewhere):
        answer = send_bytes(preview, request)
        assert read_status(answer) in (400, 403, 404), answer[:200]
        assert b"<h1>Ada Example" not in answer
    forwarded = format_request(preview, "/~ada/", "GET", "X-Forwarded-Host: 127.0.0.1", host="evil.example")
    assert read_status(send_bytes(preview, forwarded)) == 403


@pytest.mark.parametrize(
    "target",
    [
        *("/~ada/%2e%2e/site.yaml", "/~ada/..%2fsite.yaml", "/~ada/%252e%252e%252fsite.yaml", "/~ada/..;/site.yaml"),
        *("/~ada/..%5csite.yaml", "/~ada/%c0%ae%c0%ae/site.yaml", "/~ada/files/..%2f..%2fsite.yaml", "//etc/passwd"),
        *("/~ada/%2e/.secret", "/~ada/content/.secret", "/~ada/%2esecret", "/~ada/%00", "/~ada/%0d%0aX-Evil:1"),
        *("/~ada/C:/Windows/win.ini", "/~ada/files/slides.pdf%00.html", "/~ada/%ff%fe", "/" + "a" * 20_000, "*"),
        *("/~ada/?token=%ff", "/~ada/.git/config", "/%2e%2e/%2e%2e/etc/passwd"),
    ],
)  # fmt: skip
def test_encoded_traversal_finds_no_file(preview: PreviewProcess, target: str) -> None:
    answer = send_bytes(preview, format_request(preview, target))
    assert not answer or read_status(answer) in (200, 400, 404), answer[:200]
    for secret in (b"password", b"root:", b"url: https", b"X-Evil"):
        assert secret not in answer.partition(b"\r\n\r\n")[0 if secret == b"X-Evil" else 2], target


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"]
)
def test_other_methods_are_refused(preview: PreviewProcess, method: str) -> None:
    assert read_status(send_bytes(preview, format_request(preview, "/~ada/", method))) in (400, 403, 405)


@pytest.mark.parametrize(
    "media_type",
    ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=a[31m"],
)
def test_a_form_that_cannot_be_read_is_refused(preview: PreviewProcess, media_type: str) -> None:
    """Any web page can send it without asking the preview before."""
    lines = [f"Content-Type: {media_type}", "Content-Encoding: gzip", "Content-Length: 4"]
    for sent_lines in (lines, [lines[0], lines[2]]):
        request = format_request(preview, "/~ada/", "POST", *sent_lines)
        assert read_status(send_bytes(preview, request + b"text")) in (400, 403, 405)


@pytest.mark.parametrize("digits", [19, 4301, 20_000])
def test_low_a_byte_range_of_any_length_is_answered(preview: PreviewProcess, digits: int) -> None:
    """A number of 4,301 digits was a traceback and status 500. One too long for a header is refused."""
    number = "9" * digits
    many = "bytes=" + "0-0," * (digits // 4)
    for value in (
        f"bytes=0-{number}",
        f"bytes={number}-",
        f"bytes={number}-{number}",
        "bytes=٣-٤",
        many,
        "bytes=-5",
        "bytes=3-1",
    ):
        request = format_request(preview, "/~ada/files/slides.pdf", "GET", "Range: bytes=1-3")
        request = request.replace(b"bytes=1-3", value.encode())
        assert read_status(send_bytes(preview, request)) in (200, 416), value[:30]
    answer = send_bytes(preview, request.replace(b"bytes=3-1", b"bytes=" + b"9" * 70_000 + b"-"))
    assert not answer or read_status(answer) in (200, 400, 416, 431)


def test_a_body_is_not_read(preview: PreviewProcess) -> None:
    for lines in (["Content-Length: 150000000"], ["Content-Length: -1"], ["Content-Length: " + "9" * 5000]):
        answer = send_bytes(preview, format_request(preview, "/~ada/", "GET", *lines) + b"x" * 1000)
        assert not answer or read_status(answer) in (400, 413), lines
    chunked = format_request(preview, "/~ada/", "GET", "Transfer-Encoding: chunked")
    answer = send_bytes(preview, chunked + b"20000\r\n" + b"x" * 0x20000 + b"\r\n0\r\n\r\n")
    assert not answer or read_status(answer) in (400, 413)


@pytest.mark.parametrize(
    "request_bytes",
    [
        *(b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 200, b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n"),
        *(b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"A" * 70_000, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
    ],
)  # fmt: skip
def test_what_is_not_http_is_dropped(preview: PreviewProcess, request_bytes: bytes) -> None:
    answer = send_bytes(preview, request_bytes, is_complete=False)
    assert not answer or read_status(answer) in (400, 403, 431), answer[:100]
    assert preview.send_request("/~ada/")[0] == 200


LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
sys.argv[0] = "tenure"
runpy.run_module("tenure", run_name="__main__")
"""


def test_low_at_the_limit_of_open_files_the_preview_builds_and_prints_nothing(tmp_path: Path) -> None:
    write_files(tmp_path / "site", f"{SITE}-- content/about.md --\nOld text.\n")
    write_files(tmp_path, f"-- limited.py --\n{LIMITED}")
    with start_preview(tmp_path / "site", script=tmp_path / "limited.py") as preview, ExitStack() as stack:
        lines = len(preview.printed)
        for _ in range(100):
            stack.enter_context(connect_to_preview(preview))
        write_files(tmp_path / "site", "-- content/about.md --\nNew text.\n")
        assert preview.wait_for_line("content/about.md") == preview.printed[lines]
        stack.close()
        assert b"New text." in preview.send_request("/~ada/")[2]
        assert len(preview.printed) == lines + 1


def test_many_slow_connections_do_not_stop_the_preview(preview: PreviewProcess) -> None:
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(connect_to_preview(preview)).sendall(b"GET /~ada/ HTTP/1.1\r\nHost: ")
        assert preview.send_request("/~ada/")[0] == 200


def open_socket(preview: PreviewProcess, stack: ExitStack, **headers: str) -> socket.socket:
    """Open a connection, and send the request for a WebSocket."""
    connection = stack.enter_context(connect_to_preview(preview))
    lines = {
        "Host": preview.host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Origin": f"http://{preview.host}", **headers,
    }  # fmt: skip
    request = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    connection.sendall(f"GET /livereload HTTP/1.1\r\n{request}\r\n".encode("latin-1"))
    return connection


@pytest.mark.parametrize(
    "origin", ["http://[", "null", "http://", "file://", "https://{host}", "http://{host}.evil.example", "//{host}", "\xe9"]
)  # fmt: skip
def test_the_socket_refuses_other_origins(preview: PreviewProcess, origin: str) -> None:
    with ExitStack() as stack:
        connection = open_socket(preview, stack, Origin=origin.format(host=preview.host))
        assert b" 403 " in connection.recv(4096).split(b"\r\n")[0]


def build_frame(message: bytes, opcode: int = 1) -> bytes:
    """Return a masked frame of a client (RFC 6455, 5.2); the mask is zero."""
    size = (
        bytes([0x80 | len(message)]) if len(message) < 126
        else b"\xfe" + struct.pack(">H", len(message)) if len(message) < 65_536
        else b"\xff" + struct.pack(">Q", len(message))
    )  # fmt: skip
    return bytes([0x80 | opcode]) + size + bytes(4) + message


@pytest.mark.parametrize(
    "message",
    [
        *(b"", b"{", b"null", b"[]", b"3", b'"hello"', b"{}", b'{"command": 3}', b'{"command": ["hello"]}'),
        *(
            b'{"command": "reload"}',
            b"[" * 50_000,
            b'{"command": "info", "build": ' + b"9" * 5000 + b"}",
            b"\xff",
        ),
        b'{"command": "hello", "x": "' + b"x" * 100_000 + b'"}',
    ],
)
@pytest.mark.parametrize("opcode", [1, 2])
def test_a_message_that_the_client_script_does_not_send_closes_the_socket(
    preview: PreviewProcess, message: bytes, opcode: int
) -> None:
    with ExitStack() as stack:
        connection = open_socket(preview, stack)
        assert b" 101 " in connection.recv(4096)
        connection.sendall(build_frame(message, opcode))
        closing = connection.recv(4096)
        assert not closing or closing[0] == 0x88, closing


def test_a_message_of_the_client_script_is_answered(preview: PreviewProcess) -> None:
    with ExitStack() as stack:
        connection = open_socket(preview, stack)
        assert b" 101 " in connection.recv(4096)
        connection.sendall(build_frame(b'{"command": "hello"}'))
        assert b"protocols" in connection.recv(4096)


def test_two_hundred_sockets_stay_open(preview: PreviewProcess) -> None:
    with ExitStack() as stack:
        connections = [open_socket(preview, stack) for _ in range(200)]
        assert all(b" 101 " in connection.recv(4096) for connection in connections)
        assert preview.send_request("/~ada/")[0] == 200
