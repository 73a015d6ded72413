"""The answers of the preview's server, without a browser."""

import base64
import http.client
import json
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import Sources, write_files
from preview_process import PreviewProcess, start_preview

from tenure.cli.serve import _select_editor_template
from tenure.server.editor_links import EDITOR_LINK_TEMPLATES
from tenure.server.overlay import OverlayBuilder

SITE = """-- site.yaml --
url: https://example.edu/~ada/
-- content/profile.yaml --
name: Ada Example
-- content/talks.yaml --
- title: A talk
  date: 2024
  slides: slides.pdf
- {title: A secret talk, date: 2025, draft: true}
-- content/posts/secret.md --
---
title: A secret post
date: 2025
draft: true
---
Words.
-- content/posts/open.md --
---
title: An open post
date: 2024
---
Words.
-- content/slides.pdf --
%PDF-1.4 ten bytes
-- content/.secret --
password
-- bib/papers.bib --
@misc{concealed, title = {A concealed paper}, author = {Example, Ada}, year = 2024}
-- content/publications.yaml --
- {key: concealed, draft: true}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    write_files(root, SITE)
    return root


@pytest.fixture(scope="module")
def preview(folder: Path) -> Iterator[PreviewProcess]:
    with start_preview(folder) as running_preview:
        yield running_preview


def test_the_site_is_served_below_the_path_of_its_url(preview: PreviewProcess) -> None:
    assert preview.address.endswith("/~ada/")
    status, headers, body = preview.send_request("/~ada/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"Ada Example" in body
    for path in ("/", "/~ada"):
        status, headers, _ = preview.send_request(path)
        assert (status, headers["location"]) == (302, "/~ada/")


def test_a_folder_without_a_slash_redirects(preview: PreviewProcess) -> None:
    status, headers, _ = preview.send_request("/~ada/talks")
    assert (status, headers["location"]) == (302, "/~ada/talks/")


def test_nothing_is_stored_by_the_browser(preview: PreviewProcess) -> None:
    for path in ("/~ada/", "/~ada/slides.pdf", "/livereload.js", "/~ada/nowhere/"):
        _, headers, _ = preview.send_request(path)
        assert headers["cache-control"] == "no-store", path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["cross-origin-resource-policy"] == "same-origin", path
        assert "access-control-allow-origin" not in headers, path


def test_the_404_page_is_served_for_missing_paths(preview: PreviewProcess) -> None:
    status, _, body = preview.send_request("/~ada/nowhere/")
    assert (status, b"404" in body, b"tornado" in body.lower()) == (404, True, False)
    assert b'href="/~ada/' in body
    assert preview.send_request("/elsewhere/")[0] == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/~ada/.nojekyll", "/~ada/.secret", "/~ada/content/.secret", "/~ada/.git/config", "/.env"),
        *("/~ada/../content/profile.yaml", "/~ada/%2e%2e/site.yaml", "/~ada/..%2fsite.yaml", "//etc/passwd"),
        *("/~ada/%2esecret", "/~ada/.well-known/../.secret", "/~ada/%00", "/~ada/site.yaml"),
    ],
)
def test_files_outside_the_site_are_refused(preview: PreviewProcess, path: str) -> None:
    status, _, body = preview.send_request(path)
    assert status == 404
    assert b"password" not in body
    assert b"root:" not in body


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.1", ""]
)
def test_a_request_with_another_host_name_is_refused(preview: PreviewProcess, host: str) -> None:
    for path in ("/~ada/", "/livereload.js", "/livereload"):
        assert preview.send_request(path, Host=host)[0] in (400, 403), path


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_the_host_names_of_this_machine_are_accepted(preview: PreviewProcess, name: str) -> None:
    assert preview.send_request("/~ada/", Host=f"{name}:{preview.host.split(':')[1]}")[0] == 200


def request_socket(preview: PreviewProcess, **headers: str) -> str:
    """Return the first line of the answer to a request for a WebSocket."""
    with socket.create_connection((preview.host.split(":")[0], int(preview.host.split(":")[1]))) as wire:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = {
            "Host": preview.host, "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **headers,
        }  # fmt: skip
        wire.sendall(
            (
                "GET /livereload HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in lines.items()) + "\r\n"
            ).encode()
        )
        return wire.recv(4096).decode().split("\r\n")[0]


def test_the_socket_accepts_only_pages_of_the_preview(preview: PreviewProcess) -> None:
    assert " 101 " in request_socket(preview, Origin=f"http://{preview.host}")
    for origin in (
        "https://evil.example",
        "http://localhost:1",
        "null",
        f"http://{preview.host}.evil.example",
    ):
        assert " 403 " in request_socket(preview, Origin=origin), origin
    assert " 403 " in request_socket(preview, Host="evil.example", Origin="http://evil.example")


@pytest.fixture(scope="module")
def open_preview(folder: Path) -> Iterator[PreviewProcess]:
    """Start a preview for the local network."""
    with start_preview(folder, "--host") as running_preview:
        yield running_preview


def token_of(preview: PreviewProcess) -> str:
    """Return the token that the preview prints, with or without a URL."""
    line = preview.wait_for_line("oken")
    return line.rpartition("=" if "=" in line else " ")[2].rstrip(".")


def test_another_device_needs_the_token_once(open_preview: PreviewProcess) -> None:
    port = open_preview.host.split(":")[1]
    elsewhere = f"192.168.7.9:{port}"
    token = token_of(open_preview)
    assert len(token) == 10
    for path in (
        "/~ada/",
        "/livereload.js",
        "/livereload",
        "/~ada/?token=",
        "/~ada/?token=wrong",
        "/~ada/slides.pdf",
    ):
        status, headers, body = open_preview.send_request(path, Host=elsewhere)
        assert (status, "set-cookie" in headers, b"Ada" in body) == (403, False, False), path
    status, headers, body = open_preview.send_request(f"/~ada/?token={token}", Host=elsewhere)
    assert (status, headers["location"]) == (302, "/~ada/")
    cookie, *attributes = headers["set-cookie"].split("; ")
    assert cookie == f"tenure-preview-{port}={token}"
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(attributes)
    for path in ("/~ada/", "/~ada/slides.pdf", "/livereload.js"):
        assert open_preview.send_request(path, Host=elsewhere, Cookie=cookie)[0] == 200, path
        wrong = f"tenure-preview-{port}={'a' * 10}"
        assert open_preview.send_request(path, Host=elsewhere, Cookie=wrong)[0] == 403, path
    assert open_preview.send_request("/~ada/")[0] == 200, "this machine needs none"


@pytest.mark.parametrize(
    "path", ["//evil.example/", "///evil.example", "/\\evil.example/", "//evil.example/%2e%2e"]
)
def test_the_token_does_not_lead_to_another_host(open_preview: PreviewProcess, path: str) -> None:
    elsewhere = f"192.0.2.7:{open_preview.host.rpartition(':')[2]}"
    status, headers, _ = open_preview.send_request(f"{path}?token={token_of(open_preview)}", Host=elsewhere)
    assert status == 302
    assert re.match(r"/[^/\\]", headers["location"])


def test_in_a_network_host_names_are_refused_even_with_the_token(open_preview: PreviewProcess) -> None:
    port = open_preview.host.split(":")[1]
    cookie = f"tenure-preview-{port}={token_of(open_preview)}"
    for host in ("evil.example", f"evil.example:{port}", "192.168.7.9.evil.example"):
        assert open_preview.send_request("/~ada/", Host=host, Cookie=cookie)[0] == 403, host
        assert open_preview.send_request(f"/~ada/?token={token_of(open_preview)}", Host=host)[0] == 403, host


def test_the_socket_of_another_device_needs_cookie_and_origin(open_preview: PreviewProcess) -> None:
    port = open_preview.host.split(":")[1]
    here = {"Host": f"192.168.7.9:{port}", "Origin": f"http://192.168.7.9:{port}"}
    cookie = {"Cookie": f"tenure-preview-{port}={token_of(open_preview)}"}
    assert " 403 " in request_socket(open_preview, **here)
    assert " 101 " in request_socket(open_preview, **here, **cookie)
    assert " 403 " in request_socket(open_preview, **{**here, "Origin": "https://evil.example"}, **cookie)
    assert " 101 " in request_socket(open_preview, Origin=f"http://{open_preview.host}")


def test_the_url_for_other_devices_is_shown_and_answers(open_preview: PreviewProcess) -> None:
    line = open_preview.wait_for_line("oken")
    if "http" not in line:
        assert line.startswith("This machine has no address in a network.")
        return
    url = urlsplit(line.rpartition(" ")[2])
    assert url.path == "/~ada/"
    connection = http.client.HTTPConnection(url.netloc, timeout=30)
    connection.request("GET", f"{url.path}?{url.query}")
    assert connection.getresponse().status == 302
    connection.close()


def test_a_wrong_host_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tenure.cli.app import main

    for host in ("my-laptop", "192.0.2.1"):
        assert main(["serve", "--site", str(folder), "--host", host]) == 2
        assert f"this machine has no IP address {host}" in capsys.readouterr().err


def test_other_devices_get_no_editor_links(folder: Path) -> None:
    site = Sources(folder)
    site.edit_files("-- content/awards.yaml --\n- tilte: A prize\n")
    report = OverlayBuilder(folder, "vscode://file{path}:{line}:{column}").report_build(site.build().build)
    (folder / "content/awards.yaml").unlink()
    assert str(folder) in str(report.local_data)
    assert str(folder) not in str(report.remote_data)
    assert "content/awards.yaml:1:3" in str(report.remote_data)


@pytest.mark.parametrize(("name", "chosen"), [("", "vscode"), ("zed", "zed"), ("none", "none")])
def test_the_editor_is_set_by_the_environment(
    name: str, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENURE_EDITOR", name)
    assert _select_editor_template() == EDITOR_LINK_TEMPLATES[chosen]


def test_no_page_can_be_forced_to_reload(preview: PreviewProcess) -> None:
    assert preview.send_request("/forcereload?path=x")[0] == 404


def test_only_loopback_is_bound(preview: PreviewProcess) -> None:
    port = int(preview.host.split(":")[1])
    others = {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)}
    for address in sorted(others - {"127.0.0.1", "127.0.1.1"}):
        with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
            socket.create_connection((address, port), timeout=2)


def test_byte_ranges_are_served(preview: PreviewProcess) -> None:
    status, headers, body = preview.send_request("/~ada/slides.pdf", Range="bytes=1-3")
    assert (status, body, headers["content-range"]) == (206, b"PDF", "bytes 1-3/19")
    assert preview.send_request("/~ada/slides.pdf", Range="bytes=5-")[2] == b"1.4 ten bytes\n"
    assert preview.send_request("/~ada/slides.pdf", Range="bytes=99-")[0] == 200
    assert preview.send_request("/~ada/", "HEAD")[2] == b""


def test_drafts_are_served_and_marked(preview: PreviewProcess, folder: Path) -> None:
    def read_drafts(path: str) -> object:
        status, _, body = preview.send_request(path)
        assert status == 200, path
        facts = body.decode().split('data-preview="')[1].split('"')[0].replace("&quot;", '"')
        return json.loads(facts)["drafts"]

    assert read_drafts("/~ada/talks/") == ["A secret talk"]
    assert read_drafts("/~ada/posts/secret/") == ["A secret post"]
    assert read_drafts("/~ada/publications/concealed/") == ["A concealed paper"]
    assert read_drafts("/~ada/posts/open/") == []
    published = " ".join(
        artifact.read().decode("latin-1") for artifact in Sources(folder).build().build.artifacts
    )
    assert "secret" not in published
    assert "concealed" not in published


def test_the_output_folder_is_not_written(preview: PreviewProcess, folder: Path) -> None:
    assert preview.send_request("/~ada/")[0] == 200
    assert not (folder / "output").exists()


def test_the_next_free_port_is_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start_preview(folder, port=port) as preview:
            assert port < int(preview.host.split(":")[1]) < port + 100


def test_a_build_contains_no_script_of_the_preview(folder: Path) -> None:
    for artifact in Sources(folder).build().build.artifacts:
        assert b"livereload" not in artifact.read().lower(), artifact.path
        assert b"data-preview" not in artifact.read().lower(), artifact.path
