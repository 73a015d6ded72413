"""The HTTP client with a server on this machine: limits, repetition, conditions, redirects, and broken responses."""

import contextlib
import gzip
import itertools
import socket
import time
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from conftest import Patch
from loopback import JSON, Reply, Services

from tenure import __version__
from tenure.fetch import client as client_module
from tenure.fetch.client import Client, FetchError, check_url

BODY = b'{"a": 1}'


def fetch_once(services: Services, path: str, accept: str = JSON, folder: Path | None = None) -> bytes:
    """Send one request with a new client."""
    with Client(folder, "mailto:ada@example.edu") as client:
        return client.get(services.home + path, accept)


def read_error(services: Services, path: str, accept: str = JSON) -> FetchError:
    with pytest.raises(FetchError) as error:
        fetch_once(services, path, accept)
    return error.value


def test_a_request_names_the_program_and_a_contact_and_sends_no_cookie(services: Services) -> None:
    services.replies["/a"] = Reply(BODY, headers={"Set-Cookie": "track=1"})
    with Client(None, "mailto:ada@example.edu\r\nX-Other: 1") as client:
        assert client.get(f"{services.home}/a", JSON) == BODY
        client.get(f"{services.home}/a", JSON)
    agent = f"Tenure/{__version__} (academic homepage; mailto:ada@example.eduX-Other: 1)"
    assert services.headers["/a"]["User-Agent"] == agent
    assert "Cookie" not in services.headers["/a"]


def test_a_status_without_data_is_reported_and_not_repeated(services: Services) -> None:
    for status in (404, 410, 401, 204):
        services.replies[f"/{status}"] = Reply(BODY, status)
        error = read_error(services, f"/{status}")
        assert not error.is_temporary
        assert str(status) in str(error)
        assert services.counts[f"/{status}"] == 1


def fail_twice(status: int, count: int) -> Reply:
    return Reply(BODY, 200 if count == 3 else status)


def test_a_temporary_error_is_repeated_until_the_service_answers(services: Services) -> None:
    for status in (429, 500, 502, 503, 504):
        services.replies[f"/{status}"] = partial(fail_twice, status)
        assert fetch_once(services, f"/{status}") == BODY
        assert services.counts[f"/{status}"] == 3


def delay_once(seconds: str, count: int) -> Reply:
    return Reply(BODY, 429, {"Retry-After": seconds}) if count == 1 else Reply(BODY)


def test_retry_after_is_obeyed_and_limited(services: Services, monkeypatch: Patch) -> None:
    services.replies["/a"] = partial(delay_once, "1")
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    assert fetch_once(services, "/a") == BODY
    assert 1 in waits
    monkeypatch.setattr(client_module, "MAX_RETRY_DELAY", 0)
    services.replies["/b"] = partial(delay_once, "86400")
    assert fetch_once(services, "/b") == BODY


def test_a_host_that_fails_repeatedly_is_not_requested_again(services: Services) -> None:
    for path in "abcdef":
        services.replies[f"/{path}"] = Reply(BODY, 500)
    with Client(None, "") as client:
        for path in "abcdef":
            with pytest.raises(FetchError) as error:
                client.get(f"{services.home}/{path}", JSON)
            assert error.value.is_temporary
    assert services.counts.keys() == {"/a", "/b", "/c"}
    assert all(count == client_module.RETRY_COUNT + 1 for count in services.counts.values())


def test_a_gigantic_answer_is_refused(services: Services, monkeypatch: Patch) -> None:
    monkeypatch.setattr(client_module, "MAX_ANSWER_SIZE", 100_000)
    services.replies["/a"] = Reply(b" " * 300_000)
    services.replies["/b"] = Reply(gzip.compress(b" " * 5_000_000), headers={"Content-Encoding": "gzip"})
    assert "MB" in str(read_error(services, "/a"))
    assert "MB" in str(read_error(services, "/b"))


_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("first_bytes", "repeated_bytes"),
    [
        (b"", _OK),
        (_OK + b"Content-Length: 9999\r\n\r\n", b" "),
        (_OK + b"Transfer-Encoding: chunked\r\n\r\n3e8\r\n", b" "),
        (_OK.replace(b"200 OK", b"404 Not Found") + b"Content-Length: 9999\r\n\r\n", b" "),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["headers", "body", "one chunk", "body after 404", "100 Continue"],
)
def test_an_answer_that_never_ends_is_refused(first_bytes: bytes, repeated_bytes: bytes) -> None:
    """The server sends one byte after another, so that no wait for the next byte is long."""

    def send_for_ever(listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                Thread(target=drip, args=(listener.accept()[0],), daemon=True).start()

    def drip(connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            connection.sendall(first_bytes)
            for byte in itertools.cycle(repeated_bytes):
                connection.sendall(bytes([byte]))
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listener, Client(None, "", 0.5) as client:
        Thread(target=send_for_ever, args=(listener,), daemon=True).start()
        with pytest.raises(FetchError) as error:
            client.get(f"http://127.0.0.1:{listener.getsockname()[1]}/a", JSON)
    assert error.value.is_temporary
    assert "takes too long" in str(error.value)


def test_a_wrong_type_is_refused(services: Services) -> None:
    services.replies["/a"] = Reply(b"<html>Log in</html>", media_type="text/html; charset=utf-8")
    assert "text/html" in str(read_error(services, "/a"))
    assert "text/html" in str(read_error(services, "/a", "text/plain"))


def test_a_redirect_to_another_scheme_or_an_invalid_address_is_refused(services: Services) -> None:
    reasons = {
        "is not an https:// address": "http://example.org/ file:///etc/passwd //user@example.org/ javascript:1",
        "an address that is not valid": "//[x https://[redacted]/x",
    }
    for reason, targets in reasons.items():
        for target in targets.split():
            services.replies["/a"] = Reply(status=301, headers={"Location": target})
            assert reason in str(read_error(services, "/a")), target


def test_a_redirect_loop_ends(services: Services) -> None:
    services.replies["/a"] = Reply(status=302, headers={"Location": "/b"})
    services.replies["/b"] = Reply(status=302, headers={"Location": "/a"})
    assert "redirects more than 5 times" in str(read_error(services, "/a"))


def test_a_recent_answer_is_not_requested_again(services: Services, tmp_path: Path) -> None:
    services.replies["/a"] = Reply(BODY)
    for _ in range(3):
        with Client(tmp_path, "") as client:
            assert client.get(f"{services.home}/a", JSON, max_age=60) == BODY
            with pytest.raises(FetchError):
                client.get(f"{services.home}/none", JSON, max_age=60)
    assert services.counts == {"/a": 1, "/none": 1}


def test_only_https_addresses_are_requested() -> None:
    refused = ["http://example.org/", "file:///etc/passwd", "https://", "https://[", "gopher://x/"]
    for url in (*refused, "https://a@example.org/", "https://example.org/\n"):
        with pytest.raises(FetchError):
            check_url(url)


def test_one_connection_serves_all_requests_also_after_errors(services: Services, monkeypatch: Patch) -> None:
    connections: list[object] = []
    accept = services.get_request

    def accept_and_count() -> Any:
        connections.append(None)
        return accept()

    monkeypatch.setattr(services, "get_request", accept_and_count)
    services.replies |= {f"/{i}": Reply(BODY, 404 if i % 2 else 200) for i in range(20)}
    with Client(None, "") as client:
        for i in range(20):
            with contextlib.suppress(FetchError):
                client.get(f"{services.home}/{i}", JSON)
    assert len(connections) == 1
