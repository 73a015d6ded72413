"""The Content-Security-Policy of a page admits what the theme has, and nothing that was injected."""

import base64
import hashlib
import re
from collections.abc import Callable

import pytest
from conftest import ROOT, Sources

from tenure.pipeline import build
from tenure.web.policy import with_policy

THEMES = sorted(path.name for path in (ROOT / "themes").iterdir() if (path / "theme.yaml").is_file())
Make = Callable[[str], Sources]


def rules(page: str) -> dict[str, list[str]]:
    (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    parts = [rule.split() for rule in content.split(";")]
    return {name: values for name, *values in parts}


def digest(body: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'"


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_has_a_policy_that_fits_what_its_head_holds(theme: str) -> None:
    made = build(ROOT, theme=theme)
    pages = [a.read().decode() for a in made.artifacts if a.path.endswith(".html")]
    assert len(pages) > 40
    for page in pages:
        found = rules(page)
        head, _, body = page.partition("</head>")
        before = head.partition("Content-Security-Policy")[0]
        assert not re.search(r"<(?:script|style|link)\b", before)
        assert found["default-src"] == ["'self'"]
        assert found["object-src"] == found["base-uri"] == ["'none'"]
        assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"} & set(found["script-src"])
        assert "'unsafe-inline'" not in found["style-src"]
        scripts = re.findall(r"<script>(.*?)</script>", head, re.DOTALL)
        styles = re.findall(r"<style>(.*?)</style>", head, re.DOTALL)
        assert found["script-src"] == ["'self'", *map(digest, scripts)]
        assert found["style-src"] == ["'self'", "file:", *map(digest, styles)]
        assert not re.search(r"<script\b(?![^>]*\bsrc=)", body)
        assert not re.search(r"<style\b", body)
        assert not re.search(r"<[^>]*\sstyle=", page), "the policy admits no style within a tag"


def test_what_a_text_injects_is_not_admitted(site: Make) -> None:
    built = site(
        "-- content/about.md --\nHello. <script>alert(1)</script> <style>p{color:red}</style>\n"
        "-- site.yaml --\ntitle: '</title><script>alert(2)</script>'\n"
    ).build()
    found = rules(built.page("/"))
    for body in ("alert(1)", "alert(2)", "p{color:red}"):
        assert digest(body) not in found["script-src"] + found["style-src"]


def test_a_page_without_a_head_is_left_alone() -> None:
    assert with_policy("<p>x</p>") == "<p>x</p>"


def test_data_and_files_need_no_digest() -> None:
    page = '<head><meta charset="utf-8"><script src="x.js"></script><script type="application/ld+json">{}</script></head>'
    assert rules(with_policy(page))["script-src"] == ["'self'"]
