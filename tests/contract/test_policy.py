"""The Content-Security-Policy of a page allows the scripts and styles of the theme, and nothing that was injected."""

import base64
import hashlib
import re
from collections.abc import Callable

import pytest
from conftest import ROOT, Sources
from matrix import build_sample_site

from tenure.html.policy import parse_policy
from tenure.server.client_script import inject_client

THEMES = sorted(path.name for path in (ROOT / "themes").iterdir() if (path / "theme.yaml").is_file())
Make = Callable[[str], Sources]


def parse_rules(page: str) -> dict[str, list[str]]:
    (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    parts = [rule.split() for rule in content.split(";")]
    return {name: values for name, *values in parts}


def compute_digest(body: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_has_a_policy_that_allows_its_head(theme: str) -> None:
    built = build_sample_site(theme, "turing")
    pages = [a.read().decode() for a in built.artifacts if a.path.endswith(".html")]
    assert len(pages) > 40
    for page in pages:
        actual = parse_rules(page)
        head, _, body = page.partition("</head>")
        before = head.partition("Content-Security-Policy")[0]
        assert not re.search(r"<(?:script|style|link)\b", before)
        assert actual["default-src"] == ["'self'"]
        assert actual["base-uri"] == ["'none'"]
        assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"} & set(actual["script-src"])
        assert actual["style-src"] == ["'self'", "file:", "'unsafe-inline'"]
        scripts = re.findall(r"<script>(.*?)</script>", head, re.DOTALL)
        assert actual["script-src"] == ["'self'", *map(compute_digest, scripts)]
        assert not re.search(r"<script\b(?![^>]*\bsrc=)", body)


def test_scripts_in_a_text_are_blocked(site: Make) -> None:
    built = site(
        "-- content/about.md --\nHello. <script>alert(1)</script> <style>p{color:red}</style>\n"
        "-- site.yaml --\ntitle: '</title><script>alert(2)</script>'\n"
    ).build()
    actual = parse_rules(built.read_page("/"))
    for body in ("alert(1)", "alert(2)"):
        assert compute_digest(body) not in actual["script-src"]


def test_the_preview_adds_its_script_to_the_policy_and_changes_nothing_else(site: Make) -> None:
    page = site("").build().read_page("/")
    served = inject_client(page.encode(), {"build": 1}, "127.0.0.1:8000").decode()
    before, after = parse_rules(page), parse_rules(served)
    assert after.pop("script-src") == [*before.pop("script-src"), "http://127.0.0.1:8000/livereload.js"]
    assert after.pop("connect-src") == ["'self'", "http://127.0.0.1:8000", "ws://127.0.0.1:8000"]
    assert before.pop("connect-src") == ["'self'"]
    assert after == before


def test_a_policy_that_a_theme_wrote_itself_also_allows_the_preview() -> None:
    page = (
        b"""<head><meta content="default-src 'none'; img-src *" http-equiv=Content-Security-Policy></head>"""
    )
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
