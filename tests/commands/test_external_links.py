"""`check --links external`: the requests to other hosts, their rate, and the problems that are reported."""

import pytest
from conftest import Capture, Make, Patch
from loopback import Reply, Services

from tenure import __version__
from tenure.cli import external_links
from tenure.cli.app import main
from tenure.cli.external_links import PURPOSE, check_urls

SITE = """-- content/talks.yaml --
- title: One
  slides: {0}/gone
- title: Two
  links: {{code: "{0}/there", site: "{0}/shy"}}
-- content/about.md --
See [there]({0}/gone).
"""


@pytest.fixture(autouse=True)
def use_this_machine_without_delay(services: Services, monkeypatch: Patch) -> None:
    """The server refuses HEAD, as some real ones do; then GET is sent."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(external_links, "REQUEST_DELAY", 0.0)
    replies = {"there": 200, "gone": 410, "missing": 404, "shy": 403, "broken": 500, "über": 200}
    services.replies |= {f"/{path}": Reply(status=status) for path, status in replies.items()}
    services.replies["/moved"] = Reply(status=301, headers={"Location": "/there"})


def test_each_response_has_one_of_four_states(services: Services, monkeypatch: Patch) -> None:
    states = {
        **dict.fromkeys(("there", "there#a", "moved", "über?q=ä b"), "reachable"),
        **dict.fromkeys(("gone", "missing"), "gone"),
        **dict.fromkeys(("shy", "broken"), "unclear"),
    }
    results = check_urls([f"{services.home}/{path}" for path in states])
    expected = {path: state for path, state in states.items() if "#" not in path}
    assert {result.url.rpartition("/")[2]: result.state for result in results} == expected
    assert services.most == 1, "a host gets one request at a time"
    assert services.headers["/there"]["User-Agent"] == f"Tenure/{__version__} (academic homepage; {PURPOSE})"
    monkeypatch.setattr(external_links, "RESOLVER_HOSTS", {services.home.removeprefix("http://")})
    before = services.counts["/there"]
    assert check_urls([f"{services.home}/moved"])[0].state == "reachable"
    assert services.counts["/there"] == before, "the redirect of a resolver of DOIs is its answer"


def test_a_host_without_response_has_a_reason_in_plain_words() -> None:
    urls = """http://127.0.0.1:9/a http://127.0.0.1:9/b http://127.0.0.1:9/c http://nowhere.invalid/ http://a..b/""".split()
    reasons = [result.reason for result in check_urls(urls) if result.state == "silent"]
    assert sorted(reasons) == ["it refuses the connection"] * 3 + ["there is no such host"] * 2


def test_a_dead_link_is_reported_at_each_place(services: Services, site: Make, capsys: Capture) -> None:
    sources = site(SITE.format(services.home))
    assert main(["check", "--links", "external"], folder=sources.root) == 0
    output = capsys.readouterr()
    assert f"content/about.md:1:13: warning: {services.home}/gone is gone: 410" in output.err
    assert f"content/talks.yaml:2:11: warning: {services.home}/gone is gone: 410" in output.err
    assert f"{services.home}/shy answers 403 to programs: look yourself" in output.err
    assert output.out.splitlines()[0] == "2 warnings."
    assert main(["check", "--links", "external", "--strict"], folder=sources.root) == 1
    capsys.readouterr()
    sources.edit_files("-- site.yaml --\nchecks: {ignore: [dead-link]}\n")
    assert main(["check", "--links", "external"], folder=sources.root) == 0
    assert capsys.readouterr().out == "0 problems.\n"


def test_pages_of_the_site_are_not_checked(services: Services, site: Make) -> None:
    sources = site(f"{SITE.format(services.home)}-- site.yaml --\nurl: {services.home}\n")
    for call in (["check", "--links", "external"], ["check"], ["build"]):
        assert main(call, folder=sources.root) == 0
    assert not services.counts


def test_without_a_connection_one_line_is_printed(site: Make, capsys: Capture) -> None:
    links = "".join(f"[a](http://host{number}.invalid/) " for number in range(3))
    sources = site(f"-- content/about.md --\n{links}\n")
    assert main(["check", "--links", "external", "--strict"], folder=sources.root) == 0
    assert capsys.readouterr().err == "no host answers; check the connection, and try again\n"


def test_a_dead_doi_and_user_name_have_their_places(site: Make, capsys: Capture, monkeypatch: Patch) -> None:
    sources = site(
        "-- content/profile.yaml --\nname: Ada\nlinks: {github: adaexample}\n"
        "-- bib/a.bib --\n@article{a, title={A}, author={Ada}, journal={J}, year=2025,\n  doi={10.1234/abc}}\n"
    )
    monkeypatch.setattr("tenure.fetch.client.Client.request_status", lambda *_, **__: 404)
    main(["check", "--links", "external"], folder=sources.root)
    stderr = capsys.readouterr().err
    assert "bib/a.bib:2:8: warning: https://doi.org/10.1234/abc is gone: 404" in stderr
    assert "content/profile.yaml:2:17: warning: https://github.com/adaexample is gone: 404" in stderr
