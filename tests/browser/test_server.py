"""The answers of the preview's server, also to requests that no browser of its user sends: it refuses them and prints nothing."""

import base64
import json
import os
import re
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from conftest import Sources, read_site, write_files
from preview_process import PreviewProcess, start_preview

SITE = read_site("server")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    write_files(root, SITE)
    return root


@pytest.fixture(scope="module")
def preview(folder: Path) -> Iterator[PreviewProcess]:
    """Start a preview; after all tests of this file it has printed only its first lines, and written nothing."""
    with start_preview(folder) as running_preview:
        first_lines = list(running_preview.printed)
        yield running_preview
        assert running_preview.printed == first_lines
        assert not (folder / "output").exists()


@pytest.fixture(scope="module")
def open_preview(folder: Path) -> Iterator[PreviewProcess]:
    """Start a preview for the local network."""
    with start_preview(folder, "--host") as running_preview:
        yield running_preview


def test_the_site_is_served_below_the_path_of_its_url(preview: PreviewProcess) -> None:
    assert preview.address.endswith("/~ada/")
    status, headers, body = preview.send_request("/~ada/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"Ada Example" in body
    for path, target in {"/": "/~ada/", "/~ada": "/~ada/", "/~ada/talks": "/~ada/talks/"}.items():
        status, headers, _ = preview.send_request(path)
        assert (status, headers["location"]) == (302, target)
    status, _, body = preview.send_request("/~ada/nowhere/")
    assert (status, b"404" in body, b"tornado" in body.lower()) == (404, True, False)
    assert b'href="/~ada/' in body
    for path in ("/elsewhere/", "/forcereload?path=x"):
        assert preview.send_request(path)[0] == 404
    for path in ("/~ada/", "/~ada/files/slides.pdf", "/livereload.js", "/~ada/nowhere/"):
        _, headers, _ = preview.send_request(path)
        assert headers["cache-control"] == "no-store", path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["cross-origin-resource-policy"] == "same-origin", path
        assert "access-control-allow-origin" not in headers, path


def test_the_documentation_is_built_at_the_first_request(folder: Path, preview: PreviewProcess) -> None:
    """It is built from the Markdown alone, as an installed Tenure has it, and can only be read."""
    assert not (folder / ".cache/documentation").exists()
    status, headers, body = preview.send_request("/livereload/docs/problems/")
    assert (status, headers["content-type"]) == (200, "text/html")
    assert b'id="unknown-key-error"' in body
    assert b"The form of a profile beside the site" in preview.send_request("/livereload/docs/editor/")[2]
    for address in re.findall(rb'(?:src|href)="((?:\.\./)+assets/[^"]+)', body):
        name = address.decode().replace("../", "").partition("?")[0]
        assert preview.send_request(f"/livereload/docs/{name}")[0] == 200, name
    for path in ("/livereload/docs/../../site.yaml", "/livereload/docs/%2e%2e/sources/site.yaml"):
        assert preview.send_request(path)[0] == 404


def send_bytes(preview: PreviewProcess, request: bytes) -> bytes:
    """Send bytes and return the answer; b"" if the server closes the connection without an answer."""
    answer = b""
    with connect(preview) as connection:
        try:
            connection.sendall(request)
            while part := connection.recv(65536):
                answer += part
        except ConnectionError:
            pass  # the server does not read a request that it refuses
    return answer


def connect(preview: PreviewProcess) -> socket.socket:
    name, _, port = preview.host.partition(":")
    return socket.create_connection((name, int(port)), timeout=30)


def request_page(
    preview: PreviewProcess, start: str = "GET /~ada/", *lines: str, host: str = ""
) -> tuple[int, bytes]:
    """Send a request; return the status, 0 for none, and the body."""
    headers = "\r\n".join((f"Host: {host or preview.host}", *lines, "Connection: close"))
    answer = send_bytes(preview, f"{start} HTTP/1.1\r\n{headers}\r\n\r\n".encode("latin-1"))
    return int(answer.split(b" ", 2)[1]) if answer else 0, answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    "path",
    [
        *("/~ada/.nojekyll", "/~ada/.secret", "/~ada/content/.secret", "/~ada/.git/config", "/.env", "//etc/passwd"),
        *("/~ada/../content/profile.yaml", "/~ada/%2e%2e/site.yaml", "/~ada/..%2fsite.yaml", "/~ada/..%5csite.yaml"),
        *("/~ada/%2esecret", "/~ada/.well-known/../.secret", "/~ada/%00", "/~ada/site.yaml", "/~ada/%ff%fe"),
        *("/~ada/%252e%252e%252fsite.yaml", "/~ada/%c0%ae%c0%ae/site.yaml", "/~ada/%0d%0aX-Evil:1"),
        *("/~ada/files/slides.pdf%00.html", "/%2e%2e/%2e%2e/etc/passwd"),
    ],
)  # fmt: skip
def test_files_outside_the_site_are_refused(preview: PreviewProcess, path: str) -> None:
    status, body = request_page(preview, f"GET {path}")
    assert status == 404
    assert not re.search(rb"password|root:|url: https", body)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "localhost.evil", "10.0.0.1"),
        *("localhost.:{port}", "127.1:{port}", "2130706433:{port}", "0x7f.1:{port}", "0.0.0.0:{port}", ":{port}"),
        *("127.0.0.1@evil.example", "[::1", "[::1]evil:{port}", "[::ffff:127.0.0.1]:{port}", "localhost, evil.example"),
    ],
)  # fmt: skip
def test_a_name_that_dns_can_rebind_is_refused(preview: PreviewProcess, host: str) -> None:
    name = host.format(port=preview.host.split(":")[1])
    for start in ("GET /~ada/", "GET /livereload.js", "GET /livereload"):
        status, body = request_page(preview, start, "X-Forwarded-Host: 127.0.0.1", host=name)
        assert status in (400, 403), start
        assert b"Ada" not in body
    for name in ("localhost", "127.0.0.1", "[::1]"):
        assert request_page(preview, host=f"{name}:{preview.host.split(':')[1]}")[0] == 200


@pytest.mark.parametrize(
    ("start", "lines"),
    [
        *((f"{method} /~ada/", []) for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND")),
        ("GET /~ada/", ["Host: evil.example"]),
        ("GET http://evil.example/elsewhere/", []),
        *(("GET /~ada/", [f"Content-Length: {size}"]) for size in ("150000000", "-1", "9" * 5000)),
        *(("POST /~ada/", [f"Content-Type: multipart/form-data{rest}", "Content-Length: 0"]) for rest in ("", "; boundary=")),
        ("GET /" + "a" * 70_000, []),
        ("GET /~ada/", [f"Range: bytes={'9' * 70_000}-"]),
        ("GET", []),
        ("\x16\x03\x01\x02", []),
    ],
)  # fmt: skip
def test_requests_that_no_browser_sends_are_refused(
    preview: PreviewProcess, start: str, lines: list[str]
) -> None:
    status, body = request_page(preview, start, *lines)
    assert status in (0, 400, 403, 404, 405, 413, 431), body[:200]
    assert b"<h1>Ada Example" not in body


def test_byte_ranges_are_served(preview: PreviewProcess) -> None:
    path = "/~ada/files/slides.pdf"
    status, headers, body = preview.send_request(path, Range="bytes=1-3")
    assert (status, body, headers["content-range"]) == (206, b"PDF", "bytes 1-3/19")
    assert preview.send_request(path, Range="bytes=5-")[2] == b"1.4 ten bytes\n"
    for value in ("99-", f"0-{'9' * 4301}", f"{'9' * 4301}-", "0-0," * 5000, "-5", "3-1"):
        assert preview.send_request(path, Range=f"bytes={value}")[0] == 200, value[:9]
    assert preview.send_request("/~ada/", "HEAD")[2] == b""


def open_socket(preview: PreviewProcess, stack: ExitStack, **headers: str) -> socket.socket:
    """Open a connection, and send the request for a WebSocket."""
    connection = stack.enter_context(connect(preview))
    lines = {
        "Host": preview.host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Origin": f"http://{preview.host}", **headers,
    }  # fmt: skip
    request = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    connection.sendall(f"GET /livereload HTTP/1.1\r\n{request}\r\n".encode("latin-1"))
    return connection


def read_socket_status(preview: PreviewProcess, **headers: str) -> int:
    with ExitStack() as stack:
        return int(open_socket(preview, stack, **headers).recv(4096).split(b" ", 2)[1])


def test_the_socket_accepts_only_pages_of_the_preview(preview: PreviewProcess) -> None:
    assert read_socket_status(preview) == 101
    for origin in ("https://evil.example", "http://localhost:1", "http://[", "null", "file://", "\xe9",
                   f"https://{preview.host}", f"http://{preview.host}.evil.example", f"//{preview.host}"):  # fmt: skip
        assert read_socket_status(preview, Origin=origin) == 403, origin
    assert read_socket_status(preview, Host="evil.example", Origin="http://evil.example") == 403


@pytest.mark.parametrize(
    "message",
    [
        *(b"", b"{", b"null", b"[]", b'"hello"', b"{}", b'{"command": 3}', b'{"command": ["hello"]}'),
        *(b'{"command": "reload"}', b"[" * 50_000, b'{"command": "info", "build": ' + b"9" * 5000 + b"}", b"\xff"),
        b'{"command": "hello", "x": "' + b"x" * 100_000 + b'"}',
    ],
)  # fmt: skip
def test_only_messages_of_the_client_script_are_answered(preview: PreviewProcess, message: bytes) -> None:
    with ExitStack() as stack:
        connection = open_socket(preview, stack)
        assert b" 101 " in connection.recv(4096)
        connection.sendall(build_frame(b'{"command": "hello"}'))
        assert b"protocols" in connection.recv(4096)
        connection.sendall(build_frame(message))
        closing = connection.recv(4096)
        assert not closing or closing[0] == 0x88, closing


def build_frame(message: bytes) -> bytes:
    """Return a masked frame of a client with a long size (RFC 6455, 5.2); the mask is zero."""
    return b"\x81\xff" + struct.pack(">Q", len(message)) + bytes(4) + message


def test_another_device_needs_the_token_once(open_preview: PreviewProcess) -> None:
    port = open_preview.host.split(":")[1]
    line = open_preview.wait_for_line("oken")
    token = line.rpartition("=" if "=" in line else " ")[2].rstrip(".")
    elsewhere = f"192.168.7.9:{port}"
    assert len(token) == 10
    for path in ("/~ada/", "/livereload.js", "/livereload", "/~ada/?token=", "/~ada/?token=wrong"):
        status, headers, body = open_preview.send_request(path, Host=elsewhere)
        assert (status, "set-cookie" in headers, b"Ada" in body) == (403, False, False), path
    status, headers, _ = open_preview.send_request(f"/~ada/?token={token}", Host=elsewhere)
    assert (status, headers["location"]) == (302, "/~ada/")
    cookie, *attributes = headers["set-cookie"].split("; ")
    assert cookie == f"tenure-preview-{port}={token}"
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(attributes)
    for path in ("/~ada/", "/~ada/files/slides.pdf", "/livereload.js"):
        status, _, body = open_preview.send_request(path, Host=elsewhere, Cookie=cookie)
        assert (status, b"vscode" in body) == (200, False), "no path of this machine"
        assert open_preview.send_request(path, Host=elsewhere, Cookie=f"{cookie}a")[0] == 403
    assert open_preview.send_request("/~ada/")[0] == 200, "this machine needs none"
    for path in ("//evil.example/", "///evil.example", "/\\evil.example/"):
        _, headers, _ = open_preview.send_request(f"{path}?token={token}", Host=elsewhere)
        assert re.match(r"/[^/\\]", headers["location"])
    for host in ("evil.example", f"evil.example:{port}", "192.168.7.9.evil.example"):
        assert open_preview.send_request(f"/~ada/?token={token}", Host=host, Cookie=cookie)[0] == 403, host
    page = {"Host": elsewhere, "Origin": f"http://{elsewhere}"}
    assert read_socket_status(open_preview, **page) == 403
    assert read_socket_status(open_preview, **page, Cookie=cookie) == 101
    page["Origin"] = "https://evil.example"
    assert read_socket_status(open_preview, **page, Cookie=cookie) == 403


def test_drafts_are_served_and_marked_and_not_published(preview: PreviewProcess, folder: Path) -> None:
    pages = ("talks", "posts/secret", "publications/concealed")
    for path, name in zip(pages, ("A secret talk", "A secret post", "A concealed paper"), strict=True):
        status, _, body = preview.send_request(f"/~ada/{path}/")
        assert status == 200, path
        facts = body.decode().split('data-preview="')[1].split('"')[0].replace("&quot;", '"')
        assert json.loads(facts)["drafts"] == [name]
    for artifact in Sources(folder).build().build.artifacts:
        leaked = re.search(rb"secret|concealed|livereload|data-preview", artifact.read().lower())
        assert not leaked, artifact.path


def test_the_next_free_port_is_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start_preview(folder, port=port) as preview:
            assert port < int(preview.host.split(":")[1]) < port + 100


def test_a_file_whose_name_is_not_utf_8_does_not_end_the_watch(tmp_path: Path) -> None:
    write_files(tmp_path, SITE)
    with start_preview(tmp_path) as preview:
        file = os.fsencode(tmp_path) + b"/content/caf\xe9.txt"
        Path(os.fsdecode(file)).touch()
        os.remove(file)
        preview.wait_for_line("a change of the files could not be followed")
        about = tmp_path / "content/about.md"
        for number in range(100):  # until the new watch has begun
            about.write_text(f"Edit {number}\n")
            if any("content/about.md" in line for line in preview.printed):
                break
            time.sleep(0.1)
        preview.wait_for_line("content/about.md")
