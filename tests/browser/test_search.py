"""The search in a browser: from a server and a disk, by keyboard, in text without spaces, and without JavaScript."""

from pathlib import Path

import pytest
from chromium import Server
from conftest import read_site, write_files
from matrix import THEMES_WITH_TEMPLATES
from npm_tools import AXE
from playwright.sync_api import Browser, expect
from test_pages import CHECK, RULES, SETTLED

from tenure.build import BuildResult, build_site
from tenure.cache.store import CacheStore
from tenure.publish import publish_artifacts
from tenure.record import replace

SOURCES = read_site("lab")


def publish_site(folder: Path, theme: str) -> BuildResult:
    """Build the site in a theme, and write its files to a folder."""
    write_files(folder, SOURCES.replace("THEME", theme))
    result = build_site(folder, store=CacheStore())
    assert [problem.message for problem in result.problems] == []
    publish_artifacts(result.artifacts, folder / "output")
    return result


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_a_search_finds_words_by_their_beginning(
    theme: str, tmp_path: Path, chromium: Browser, server: Server
) -> None:
    home = server.add_site(f"found-{theme}", publish_site(tmp_path, theme).artifacts)
    page = chromium.new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(home)
    assert not [url for url in requested if "search" in url], "it is loaded when it is opened"
    page.click("#search-open")
    page.fill("#search input", "gerate serv")
    expect(page.locator("#search a")).to_contain_text("The lab › Geräte und Räume")
    address = page.locator("#search a").get_attribute("href") or ""
    assert address == f"{home}lab/#gerate-und-raume"
    assert page.locator("#search mark").all_inner_texts() == ["Geräte", "servers"]
    page.fill("#search input", "evers")
    expect(page.locator("#search a")).to_have_count(0)
    assert requested
    assert all(url.startswith(home) for url in requested), "no other host is asked"


def test_search_works_from_disk_and_by_keyboard(tmp_path: Path, chromium: Browser) -> None:
    publish_site(tmp_path, "folio")
    page = chromium.new_page()
    page.goto((tmp_path / "output/index.html").as_uri())
    page.keyboard.press("/")
    expect(page.locator("#search input")).to_be_focused()
    page.keyboard.type("ueberb")
    expect(page.locator("#search a")).to_have_count(0)
    page.fill("#search input", "uberb")
    expect(page.locator("#search a")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#search a")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    expect(page.locator("#search")).to_be_hidden()
    expect(page.locator("#search-open")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator("#search input")).to_be_focused()
    page.keyboard.type("coffee")
    expect(page.locator("#search a")).to_contain_text("The lab")
    page.press("#search input", "Enter")
    expect(page.locator("h1")).to_have_text("The lab", timeout=20_000)
    assert page.url.partition("#")[0].endswith("/lab/index.html")


def test_text_without_spaces_is_searched_by_pairs_of_characters(tmp_path: Path, chromium: Browser) -> None:
    publish_site(tmp_path, "plain")
    page = chromium.new_page()
    page.goto((tmp_path / "output/lab/index.html").as_uri())
    page.click("#search-open")
    for words, count in (("机器学习", 1), ("分布式", 1), ("系", 1), ("学机", 0)):
        page.fill("#search input", words)
        expect(page.locator("#search a")).to_have_count(count)


def test_without_javascript_there_is_no_search_button(tmp_path: Path, chromium: Browser) -> None:
    publish_site(tmp_path, "classic")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "output/index.html").as_uri())
    expect(page.locator("#search-open")).to_be_hidden()


def test_a_search_that_cannot_be_loaded_says_so(tmp_path: Path, chromium: Browser) -> None:
    publish_site(tmp_path, "folio")
    for path in (tmp_path / "output/assets").glob("search-pages.*"):
        path.unlink()
    page = chromium.new_page()
    page.goto((tmp_path / "output/index.html").as_uri())
    page.click("#search-open")
    expect(page.locator("#search output")).to_have_text("The search could not be loaded.")


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_axe_reports_nothing_in_the_open_search(theme: str, tmp_path: Path, chromium: Browser) -> None:
    publish_site(tmp_path, theme)
    page = chromium.new_page(bypass_csp=True, reduced_motion="reduce")
    for width, scheme in ((1280, "light"), (320, "dark")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto((tmp_path / "output/index.html").as_uri())
        page.click("#search-open")
        page.fill("#search input", "we")
        expect(page.locator("#search a")).to_have_count(1)
        page.add_script_tag(content=AXE.find_file().read_text(encoding="utf-8"))
        page.evaluate(SETTLED)
        assert page.evaluate(CHECK, RULES) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_unknown_address_is_searched_for_the_nearest_pages(
    tmp_path: Path, chromium: Browser, server: Server
) -> None:
    artifacts = publish_site(tmp_path, "folio").artifacts
    missing = next(artifact for artifact in artifacts if artifact.path == "404.html")
    home = server.add_site("lost", [*artifacts, replace(missing, path="gerate_raume%.html")])
    page = chromium.new_page()
    page.goto(f"{home}gerate_raume%25.html")
    expect(page.locator("#lost input")).to_have_value("gerate raume")
    expect(page.locator("ul.lost a")).to_have_text(["The lab", "Ada Example"])
    page.press("#lost input", "Enter")
    expect(page.locator("#search a")).to_contain_text("The lab › Geräte und Räume")
