"""The policy of a page: it loads what the theme has and what `services` and `allow` of site.yaml name, and nothing that was injected."""

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from conftest import ROOT, Sources, read_site

from tenure.html.external_services import SERVICES
from tenure.html.policy import DEFAULT_POLICY, parse_policy
from tenure.model import services as service_classes
from tenure.model.fields import TextForm
from tenure.model.services import Allow, Services
from tenure.server.client_script import inject_client
from tenure.sources.schema.spec import read_spec

Make = Callable[[str], Sources]
SITE = read_site("embeds")
LINES = Path(__file__).with_name("services.txt").read_text(encoding="utf-8").splitlines()[2:]
VALUES = {line.partition(":")[0]: line.partition(": ")[2].split(" => ") for line in LINES}
"""A value for each service, and the hosts that it needs."""

THEMES = ("classic", "folio", "plain")


def format_settings(services: str = "{}", allow: str = "{}") -> str:
    return f"-- site.yaml --\nservices: {services}\nallow: {allow}\nchecks: {{ignore: [blocked-by-policy]}}\n"


def parse_page_policy(page: str) -> dict[str, tuple[str, ...]]:
    (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    return dict(parse_policy(content))


def list_policy_hosts(page: str) -> set[str]:
    """Return the other hosts in the policy of a page."""
    sources = [source for listed in parse_page_policy(page).values() for source in listed if "://" in source]
    return {f"https://{urlsplit(source).netloc}" for source in sources}


class Loaded(HTMLParser):
    """The other hosts from which a page loads and to which it sends; a link is not one of them, as only a visitor follows it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.hosts: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        named = [values.get("src"), values.get("action"), values.get("data")]
        if tag == "link" and values.get("rel") in ("stylesheet", "preload", "icon"):
            named.append(values.get("href"))
        self.hosts |= {f"https://{urlsplit(url).netloc}" for url in named if url and urlsplit(url).netloc}


def test_the_table_has_a_row_for_each_key() -> None:
    assert [service.key for service in SERVICES] == [*read_spec(Services).fields] == [*VALUES]


@pytest.mark.parametrize("theme", THEMES)
def test_without_services_a_page_names_no_other_host(site: Make, theme: str) -> None:
    built = site(SITE + format_settings()).build(theme=theme)
    assert built.problems == []
    for path in built.paths:
        if path.endswith(".html"):
            page = built.read_page(f"/{path}")
            assert list_policy_hosts(page) == Loaded(page).hosts == set()
            policy = parse_page_policy(page)
            assert policy == {**DEFAULT_POLICY, "script-src": policy["script-src"]}


@pytest.mark.parametrize("key", VALUES)
def test_a_service_adds_its_own_hosts_and_no_others(site: Make, key: str) -> None:
    value, expected = VALUES[key]
    built = site(SITE + format_settings(f"{{{key}: {value}}}")).build()
    assert built.problems == []
    loaded: set[str] = set()
    for path in [path for path in built.paths if path.endswith(".html")]:
        page = built.read_page(f"/{path}")
        assert list_policy_hosts(page) == set(expected.split())
        loaded |= Loaded(page).hosts
    assert loaded
    assert loaded <= set(expected.split())


@pytest.mark.parametrize("theme", THEMES)
def test_all_services_at_once(site: Make, theme: str) -> None:
    every = ", ".join(f"{key}: {value}" for key, (value, _) in VALUES.items())
    built = site(SITE + format_settings(f"{{{every}}}")).build(theme=theme)
    assert built.problems == []
    expected = {host for _, listed in VALUES.values() for host in listed.split()}
    home, post = built.read_page("/"), built.read_page("/posts/one/")
    assert list_policy_hosts(home) == list_policy_hosts(post) == expected
    for page in (home, post):
        assert 'data-goatcounter="https://ada.goatcounter.com/count"' in page
        assert 'data-domain="ada.example.edu"' in page
    assert "giscus" not in home.partition("</head>")[2]
    assert '<div class="giscus"></div>' in post
    assert '<noscript><p><a href="https://github.com/a/b/discussions">' in post


HOSTILE = [
    "https://a.org; object-src *", "https://a.org 'unsafe-inline'", "https://a.org,b", 'https://a.org"><script>',
    "https://*", "*", "https:", "data:", "javascript:alert(1)", "http://a.org", "https://a.org/x?y", "'unsafe-eval'",
    "https://a.org\thttps://b.org", "https://user@a.org",
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_that_could_change_the_policy_or_a_page_is_an_error(site: Make, value: str) -> None:
    allow = [{"allow": {key: [value]}} for key in read_spec(Allow).fields]
    keys = "goatcounter umami cloudflare".split()
    for written in (*allow, *({"services": {key: value}} for key in keys)):
        built = site(f"-- site.yaml --\n{yaml.safe_dump(written)}").build()
        assert built.build.has_errors
        assert built.codes[0] == "bad-value", written


def test_service_values_cannot_contain_markup_or_policy_characters() -> None:
    for form in vars(service_classes).values():
        if not isinstance(form, TextForm) or form.description in ("a kind of pages", "a DOI"):
            continue  # only compared with the paths of pages and with other DOIs
        for sign in " \t\n\";,'<>":
            with pytest.raises(ValueError, match="is not"):
                form.parse(f"{form.example.removeprefix('it like ').split(',')[0].partition('?')[0]}{sign}x")


def test_what_each_service_receives_is_documented() -> None:
    page = (ROOT / "docs/content/pages/services.md").read_text(encoding="utf-8")
    for service in SERVICES:
        assert f"\n| {service.name} |" in page or service.key == "cloudflare"
        assert f"{service.key}:" in page or f"`{service.key}`" in page


def test_scripts_in_a_text_are_blocked(site: Make) -> None:
    built = site(
        "-- content/about.md --\nHello. <script>alert(1)</script> <style>p{color:red}</style>\n"
        "-- site.yaml --\ntitle: '</title><script>alert(2)</script>'\n"
    ).build()
    allowed = parse_page_policy(built.read_page("/"))["script-src"]
    for body in ("alert(1)", "alert(2)"):
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"'sha256-{digest}'" not in allowed


def test_the_preview_adds_its_script_to_the_policy_and_changes_nothing_else(site: Make) -> None:
    page = site("").build().read_page("/")
    served = inject_client(page.encode(), {"build": 1}, "127.0.0.1:8000").decode()
    before, after = parse_page_policy(page), parse_page_policy(served)
    assert after.pop("script-src") == (*before.pop("script-src"), "http://127.0.0.1:8000/livereload.js")
    assert after.pop("connect-src") == ("'self'", "http://127.0.0.1:8000", "ws://127.0.0.1:8000")
    assert before.pop("connect-src") == ("'self'",)
    assert after == before


def test_a_policy_that_a_theme_wrote_itself_also_allows_the_preview() -> None:
    meta = b"""<meta content="default-src 'none'; img-src *" http-equiv=Content-Security-Policy>"""
    page = b"<head>" + meta + b"</head>"
    (content,) = re.findall(r'content="([^"]*)"', inject_client(page, {}, "localhost:1").decode())
    assert parse_policy(content) == {
        "default-src": ("'none'",),
        "img-src": ("*",),
        "script-src": ("http://localhost:1/livereload.js",),
        "connect-src": ("http://localhost:1", "ws://localhost:1"),
    }


def test_a_value_in_bibtex_cannot_add_styles(site: Make) -> None:
    built = site(
        "-- bib/a.bib --\n@misc{a, title={<style>p{color:red}</style><b style='x'>T</b>}, author={Example, Ada}, year=2024,"
        " note={<style>q{}</style>}, abstract={<style>r{}</style> <p style='top:0'>x}}\n"
    ).build()
    for path in ("/", "/publications/", "/publications/a/"):
        body = built.read_page(path).partition("</head>")[2]
        assert "<style" not in body
        assert not re.search(r"<[^>]*\sstyle=", body)
