"""The contract of all themes with all sites: every fact is shown, the HTML is valid, no other host is used."""

import gzip
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import html5lib
import pytest
from conftest import ROOT, visible_text
from matrix import CASES, EDGES, THEMES, build_sample_site, read_sample_pages

from tenure.markdown.html import plain_text
from tenure.model.entries import Entry, Markdown
from tenure.model.names import Authors, Name
from tenure.record import Record, field_names

NOT_WORDS = {"id", "source", "places", "key", "kind", "bibtex", "eprint", "image", "image_alt", "url", "draft", "publications", "status",
             "printed_bibtex", "media", "compare", "photo", "slides", "video", "doi", "cv", "marks", "ror", "label", "tags", "updated", "aliases",
             "language", "photo_alt", "path", "site", "layout"}  # fmt: skip
"""Fields that are URLs or internal names, or that are shown in other words; another test checks URLs."""


def normalize_text(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def list_facts(value: Any, field: str = "") -> Iterator[str]:
    """Yield every text of the model that must be on a page."""
    if field in NOT_WORDS or value is None:
        return
    if isinstance(value, Name):
        yield value.full_name
    elif isinstance(value, Authors):
        yield from (author.name.full_name for author in value.people)
    elif isinstance(value, str):
        yield from list_paragraphs(value)
    elif isinstance(value, tuple):
        for child in value:
            yield from list_facts(child, field)
    elif isinstance(value, Record) and type(value).__module__ == "tenure.model.entries":
        for name in field_names(type(value)):
            yield from list_facts(getattr(value, name), name)


def list_paragraphs(text: str) -> Iterator[str]:
    """Yield the text of each plain paragraph; tables, code, citations, lists and quotations have another form on the page."""
    for part in re.split(r"\n\s*\n", text):
        if not re.search(r"```|\||\[@", part) and not re.match(r"\s*(\[\^|:|!|>|\$\$|[-*] |\d+\. )", part):
            yield plain_text(Markdown(re.sub(r"\[\^\w+\]|^Table: ", "", part)))


def list_entry_urls(entry: Entry) -> Iterator[str]:
    for name in ("url", "slides", "video"):
        if getattr(entry, name, ""):
            yield getattr(entry, name)
    yield from (link.url for link in entry.links)


@pytest.mark.parametrize(("theme", "site"), CASES)
def test_builds_without_a_problem(theme: str, site: str) -> None:
    assert build_sample_site(theme, site).problems == ()


@pytest.mark.parametrize(("theme", "site"), CASES)
def test_every_fact_is_shown(theme: str, site: str) -> None:
    loaded_site = build_sample_site(theme, site).site
    assert loaded_site is not None
    words = normalize_text(" ".join(visible_text(page) for page in read_sample_pages(theme, site).values()))
    expected = [
        *list_facts(loaded_site.profile),
        *(f for c in loaded_site.collections.values() for e in c.entries for f in list_facts(e)),
    ]
    assert len(expected) > (5 if site in EDGES else 20)
    missing = [fact for fact in expected if normalize_text(fact) not in words]
    assert missing == [], "\n".join(missing)


@pytest.mark.parametrize(("theme", "site"), CASES)
def test_every_url_is_linked(theme: str, site: str) -> None:
    loaded_site = build_sample_site(theme, site).site
    assert loaded_site is not None
    hrefs = " ".join(
        matches
        for page in read_sample_pages(theme, site).values()
        for matches in re.findall(r'href="([^"]*)"', page)
    )
    expected = {
        url for c in loaded_site.collections.values() for e in c.entries for url in list_entry_urls(e)
    }
    expected |= {link.url for link in loaded_site.profile.links}
    assert [
        url for url in sorted(expected) if url.rpartition("/")[2].replace("&", "&amp;") not in hrefs
    ] == []


@pytest.mark.parametrize(("theme", "site"), CASES)
def test_html_is_valid_and_shaped(theme: str, site: str) -> None:
    loaded_site = build_sample_site(theme, site).site
    assert loaded_site is not None
    titles: dict[tuple[str, str], str] = {}
    languages = {
        e.language or loaded_site.settings.language
        for c in loaded_site.collections.values()
        for e in c.entries
    }
    for path, page in read_sample_pages(theme, site).items():
        parser = html5lib.HTMLParser(strict=False)
        parser.parse(page)
        assert [(position, code) for position, code, _ in parser.errors] == [], path
        assert page.count("<h1") == 1, path
        assert page.count("<main") == 1, path
        match = re.search(r'<html lang="([\w-]+)"', page)
        assert match, path
        assert match[1] in {*loaded_site.settings.all_languages, *languages}, path
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", page)]
        assert all(b <= a + 1 for a, b in pairwise(levels)), f"{path} skips a heading: {levels}"
        title = re.findall(r"<title>(.*?)</title>", page)[0]
        assert titles.setdefault((match[1], title), path) == path, f"{path} and another page have one title"
        assert re.search(r'<meta name="description" content="[^"]{5,}"', page), path
        first = re.search(r"<body[^>]*>\s*<a [^>]*href=\"#([^\"]+)\"", page)
        assert first, f"{path} does not begin with a link to its content"
        assert f'id="{first[1]}"' in page


@pytest.mark.parametrize(("theme", "site"), CASES)
def test_s09_no_page_loads_anything_from_another_host(theme: str, site: str) -> None:
    for artifact in build_sample_site(theme, site).artifacts:
        if artifact.path.endswith(".css"):
            assert not re.search(r"@import|url\(\s*[\"']?(?:https?:)?//", artifact.read().decode()), (
                artifact.path
            )
        if artifact.path.endswith(".html"):
            page = artifact.read().decode()
            for tag in re.findall(r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*>", page):
                assert not re.search(r'(?:src|data|poster)="(?:https?:)?//', tag), f"{artifact.path}: {tag}"
            for tag in re.findall(r"<link\b[^>]*>", page):
                if re.search(r'rel="(?:stylesheet|preload|icon|preconnect|dns-prefetch)"', tag):
                    assert not re.search(r'href="(?:https?:)?//', tag), f"{artifact.path}: {tag}"


CSS_LIMITS = (40_960, 11_776)
"""Limits in bytes of the style of a site, and of the compressed style."""
SCRIPT_LIMIT, FONT_LIMIT, RARE_FONT_LIMIT, REQUEST_LIMIT = 10_240, 81_920, 18_432, 8


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_is_within_its_budgets(theme: str) -> None:
    """The sites have most kinds of pages; requests of the homepage are counted without images and videos."""
    for site in ("turing", "group", "portrait"):
        files = {a.path.rpartition("/")[2]: a.read() for a in build_sample_site(theme, site).artifacts}
        for path, page in read_sample_pages(theme, site).items():
            named = {
                url.rpartition("/")[2]
                for url in re.findall(r'(?:src|href)="([^"]+\.(?:css|js|woff2))"', page)
            }
            styles = [text.encode() for text in re.findall(r"<style>(.*?)</style>", page, re.DOTALL)]
            styles += [files[name] for name in named if name.endswith(".css")]
            sizes = (sum(map(len, styles)), sum(len(gzip.compress(text)) for text in styles))
            assert sizes <= CSS_LIMITS, (site, path, sizes)
            assert sizes[1] <= CSS_LIMITS[1], (site, path, sizes)
            scripts = sum(len(files[name]) for name in named if name.endswith(".js"))
            assert 0 < scripts <= SCRIPT_LIMIT, (site, path, scripts)
            fonts = {f"{name}.woff2" for name in re.findall(r"([\w.-]+)\.woff2", b"".join(styles).decode())}
            assert sum(len(files[name]) for name in fonts if not name.startswith("ext")) <= FONT_LIMIT
            assert all(len(files[name]) <= RARE_FONT_LIMIT for name in fonts if name.startswith("ext"))
            if path == "index.html":
                assert (
                    1 + len(named | {name for name in fonts if not name.startswith("ext")}) <= REQUEST_LIMIT
                )


@pytest.mark.parametrize("theme", THEMES)
def test_the_style_of_a_homepage_about_one_paper_is_within_its_budget(theme: str) -> None:
    files = {a.path: a.read() for a in build_sample_site(theme, "eclipse-1919").artifacts}
    page = files["index.html"].decode()
    styles = [text.encode() for text in re.findall(r"<style>(.*?)</style>", page, re.DOTALL)]
    styles += [files[path] for path in {*re.findall(r'href="(assets/[^"]+\.css)"', page)}]
    assert styles
    assert sum(map(len, styles)) <= CSS_LIMITS[0]
    assert sum(len(gzip.compress(text)) for text in styles) <= CSS_LIMITS[1]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["systems-phd-2026", "masters"])
def test_the_homepage_is_small(theme: str, name: str) -> None:
    """The limit is for compressed files: 26 KB without the fonts and the photo, which have their own limits."""
    files = {a.path: a.read() for a in build_sample_site(theme, name).artifacts}
    page = files["index.html"].decode()
    named = {*re.findall(r'(?:src|href)="(assets/[^"]+\.(?:css|js))"', page)}
    sent = [page.encode(), *(files[path] for path in named)]
    assert sum(len(gzip.compress(body)) for body in sent) <= 26_624


@pytest.mark.parametrize("theme", ["classic", "folio"])
def test_fonts_for_rare_characters_are_loaded_only_for_them(theme: str) -> None:
    css = "".join(
        a.read().decode() for a in build_sample_site(theme, "masters").artifacts if a.path.endswith(".css")
    )
    faces = {*re.findall(r"@font-face\{[^}]*url\([^}]*\}", css)}
    assert len([face for face in faces if "/ext" in face]) == 2
    for face in faces:
        ranges = re.findall(r"U\+([0-9A-F]+)-([0-9A-F]+)", face)
        covered = {code for first, last in ranges for code in range(int(first, 16), int(last, 16) + 1)}
        expected = {*map(ord, "ĀąČđĒğİıŁłŃőŘşŠšŤůŹžȘșȚț")} if "/ext" in face else set()
        assert expected <= covered
        assert not covered & {*range(0x100), *map(ord, "Œœ")}, "the other fonts have these"


def test_optional_style_sheets_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in (ROOT / "themes/base/assets").glob("*.css")}
    assert {"code.css", "figures.css"} <= set(sizes)
    assert all(
        size <= 2_048 for name, size in sizes.items() if name not in ("style.css", "themed.css", "common.css")
    ), sizes


def test_there_are_themes() -> None:
    assert {"base", "classic"} <= set(THEMES)
