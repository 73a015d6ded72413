"""`check --links external`: the requests to other hosts, their rate, and the problems that are reported."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from conftest import Sources
from loopback import Reply, Services

from tenure import __version__
from tenure.cli import external_links
from tenure.cli.app import main
from tenure.cli.external_links import PURPOSE, LinkResult, check_urls

Make = Callable[[str], Sources]


@dataclass
class Log:
    """The requests that a server received, and the largest number of simultaneous requests."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    now: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Other(BaseHTTPRequestHandler):
    """A server of another site, with responses by path."""

    log: ClassVar[Log]

    def _send_answer(self) -> None:
        with self.log.lock:
            self.log.asked.append((self.command, self.path))
            self.log.agents.add(self.headers["User-Agent"])
            self.log.now += 1
            self.log.most = max(self.log.most, self.log.now)
        time.sleep(0.01)
        status = {"/gone": 410, "/missing": 404, "/shy": 403, "/broken": 500, "/moved": 301, "/headless": 405}
        code = status.get(self.path.partition("?")[0], 200)
        if self.path == "/headless" and self.command == "GET":
            code = 200
        if self.path.startswith("/slow"):
            time.sleep(0.6)
        self.send_response(code)
        if code == 301:
            self.send_header("Location", "/there")
        self.send_header("Content-Length", "0")
        with self.log.lock:  # before the response, as the next request may come sooner
            self.log.now -= 1
        self.end_headers()

    def do_GET(self) -> None:
        self._send_answer()

    def do_HEAD(self) -> None:
        self._send_answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the library gives
        """Print nothing."""


@pytest.fixture
def other_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve another site, and yield its URL; the checker sends requests to it without a pause."""
    Other.log = Log()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("no_proxy", "*")
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def remove_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_links, "REQUEST_DELAY", 0.0)
    monkeypatch.setattr(external_links, "REQUEST_TIMEOUT", 5.0)


def check_states(*addresses: str) -> dict[str, str]:
    answers = check_urls(addresses)
    return {answer.url.rpartition("/")[2]: answer.state for answer in answers}


def test_each_response_has_one_of_four_states(other_site: str) -> None:
    paths = ("there", "moved", "gone", "missing", "shy", "broken", "headless", "über?q=ä b")
    assert check_states(*(f"{other_site}/{path}" for path in paths)) == {
        "there": "reachable",
        "moved": "reachable",
        "gone": "gone",
        "missing": "gone",
        "shy": "unclear",
        "broken": "unclear",
        "headless": "reachable",
        "über?q=ä b": "reachable",
    }


def test_a_host_gets_one_request_at_a_time_with_a_user_agent(other_site: str) -> None:
    check_states(*(f"{other_site}/{n}" for n in range(12)))
    assert Other.log.most == 1
    assert Other.log.agents == {f"Tenure/{__version__} (academic homepage; {PURPOSE})"}
    assert [method for method, _ in Other.log.asked] == ["HEAD"] * 12


def test_a_url_is_requested_once_for_all_its_anchors(other_site: str) -> None:
    check_states(f"{other_site}/there#one", f"{other_site}/there#two", f"{other_site}/there")
    assert Other.log.asked == [("HEAD", "/there")]


def test_a_host_without_response_is_requested_twice(other_site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_links, "REQUEST_TIMEOUT", 0.1)
    actual = check_states(*(f"{other_site}/slow?{n}" for n in range(5)))
    assert set(actual.values()) == {"silent"}
    assert len(Other.log.asked) == 2


def test_the_redirect_of_a_doi_resolver_is_its_answer(
    other_site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_links, "RESOLVER_HOSTS", {other_site.removeprefix("http://")})
    assert check_states(f"{other_site}/moved") == {"moved": "reachable"}
    assert Other.log.asked == [("HEAD", "/moved")]


SITE = """-- content/talks.yaml --
- title: One
  slides: {0}/gone
- title: Two
  links: {{code: "{0}/there", site: "{0}/shy"}}
-- content/about.md --
See [there]({0}/gone).
"""


def test_a_dead_link_is_reported_at_each_place(
    other_site: str, site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site(SITE.format(other_site))
    assert main(["check", "--links", "external"], folder=sources.root) == 0
    output = capsys.readouterr()
    assert f"content/about.md:1:13: warning: {other_site}/gone is gone: 410" in output.err
    assert f"content/talks.yaml:2:11: warning: {other_site}/gone is gone: 410" in output.err
    assert f"{other_site}/shy answers 403 to programs: look yourself" in output.err
    assert output.out == "2 warnings.\n"
    assert main(["check", "--links", "external", "--strict"], folder=sources.root) == 1


def test_dead_links_can_be_ignored_like_any_warning(
    other_site: str, site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site(f"{SITE.format(other_site)}-- site.yaml --\nchecks: {{ignore: [dead-link]}}\n")
    assert main(["check", "--links", "external"], folder=sources.root) == 0
    assert capsys.readouterr().out == "0 problems.\n"


def test_pages_of_the_site_and_unrequested_kinds_are_not_checked(
    other_site: str, site: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = site(f"{SITE.format(other_site)}-- site.yaml --\nurl: {other_site}\n")
    assert main(["check", "--links", "external"], folder=sources.root) == 0
    assert main(["check"], folder=sources.root) == 0
    assert main(["build"], folder=sources.root) == 0
    assert Other.log.asked == []
    capsys.readouterr()


def test_dead_doi_and_user_name_links_are_reported_at_their_source(
    site: Make, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = site(
        "-- content/profile.yaml --\nname: Ada Example\nlinks: {github: adaexample}\n"
        "-- bib/a.bib --\n@article{a, title={A}, author={Example, Ada}, journal={J}, year=2025,\n"
        "  doi={10.1234/abc}}\n"
    )

    def report_all_dead(addresses: list[str], _: object) -> tuple[LinkResult, ...]:
        return tuple(LinkResult(address, "gone", "404") for address in sorted(addresses))

    monkeypatch.setattr("tenure.cli.external_links.check_urls", report_all_dead)
    main(["check", "--links", "external"], folder=sources.root)
    stderr = capsys.readouterr().err
    assert "bib/a.bib:2:8: warning: https://doi.org/10.1234/abc is gone: 404" in stderr
    assert "content/profile.yaml:2:17: warning: https://github.com/adaexample is gone: 404" in stderr


def test_a_redirect_to_this_machine_is_refused(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    services.replies["/a"] = Reply(status=302, headers={"Location": f"{services.home}/b"})
    monkeypatch.setattr("tenure.fetch.client.is_loopback_url", lambda url: url.endswith("/b"))
    (result,) = check_urls([f"{services.home}/a"])
    assert (result.state, result.reason) == ("silent", "it redirects to this machine")
    assert "/b" not in services.counts


def test_without_a_connection_one_line_is_printed(site: Make, capsys: pytest.CaptureFixture[str]) -> None:
    links = "".join(f"[a](http://host{number}.invalid/) " for number in range(3))
    sources = site(f"-- content/about.md --\n{links}\n")
    assert main(["check", "--links", "external", "--strict"], folder=sources.root) == 0
    assert capsys.readouterr().err == "no host answers; check the connection, and try again\n"


def test_the_reasons_of_silence_are_in_plain_words() -> None:
    (refused,) = check_urls(["http://127.0.0.1:9/"])
    (unknown,) = check_urls(["http://nowhere.invalid/"])
    (broken,) = check_urls(["http://a..b/"])
    assert [refused.reason, unknown.reason, broken.reason] == [
        "it refuses the connection",
        "there is no such host",
        "there is no such host",
    ]
