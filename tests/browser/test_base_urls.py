"""A site works at every location: at the root of a host, in a subfolder, and on a disk."""

from pathlib import Path
from urllib.request import url2pathname

import pytest
from chromium import Server, collect_page_errors
from matrix import LAB, THEMES_WITH_TEMPLATES, build_sample_site, one_of_each_kind, read_sample_pages
from playwright.sync_api import Browser, Page

from tenure.publish import publish_artifacts


def open_pages(page: Page, home: str, paths: list[str]) -> list[str]:
    """Open pages by their URL and by the first link of the menu; return failed requests and requests to other hosts."""
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    collect_page_errors(page, failed)
    page.on("response", lambda one: None if one.ok else failed.append(f"{one.status} {one.url}"))
    page.on("request", lambda one: None if one.url.startswith((home, "data:")) else failed.append(one.url))
    for path in paths:
        page.goto(home + path)
        assert page.evaluate("document.styleSheets.length"), path
        broken = "document.fonts.ready.then(all => [...all].filter(one => one.status === 'error').length)"
        assert page.evaluate(broken) == 0, path
    page.goto(f"{home}publications/index.html")
    page.get_by_role("navigation").get_by_role("link", name="CV").first.click()
    page.wait_for_load_state()
    assert page.locator("#page-main h1").is_visible(), "the page, and not the list of files of a folder"
    assert page.url.startswith(home + "cv/")
    return failed


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_a_site_in_a_subfolder_of_a_host_works(theme: str, chromium: Browser, server: Server) -> None:
    result = build_sample_site(theme, "systems-phd-2026", "https://example.edu/repo")
    home = server.add_site(f"{theme}.folder", result.artifacts, under="/repo/")
    page = chromium.new_page(reduced_motion="reduce")
    html = {a.path: a.read().decode() for a in result.artifacts if a.path.endswith(".html")}
    assert open_pages(page, home, one_of_each_kind(html)) == []


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_a_site_opened_from_disk_works(theme: str, chromium: Browser, tmp_path: Path) -> None:
    result = build_sample_site(theme, "systems-phd-2026")
    publish_artifacts(result.artifacts, tmp_path)
    page = chromium.new_page(reduced_motion="reduce")
    paths = one_of_each_kind(read_sample_pages(theme, "systems-phd-2026"))
    home = f"{tmp_path.as_uri()}/"
    failed = open_pages(page, home, [path for path in paths if path != "404.html"])
    # Browsers refuse to load fonts ahead from a disk.
    assert [url for url in failed if not url.endswith(".woff2")] == []
    page.goto(f"{home}publications/index.html")
    page.get_by_role("searchbox").fill("serving")
    assert 0 < page.locator(".pub:visible").count() < page.locator(".pub").count()


def test_the_languages_of_a_site_opened_from_disk(chromium: Browser, tmp_path: Path) -> None:
    publish_artifacts(build_sample_site("folio", LAB).artifacts, tmp_path)
    page = chromium.new_page()
    home = f"{tmp_path.as_uri()}/"
    paths = [path for path in read_sample_pages("folio", LAB) if not path.endswith("404.html")]
    checked = 0
    for path in paths[:: len(paths) // 12]:
        page.goto(home + path)
        assert page.locator(".languages a").count() == 2, path
        links: list[str] = page.evaluate("[...document.links].map(link => link.href)")
        files = {link.partition("#")[0].partition("?")[0] for link in links if link.startswith("file:")}
        targets = [Path(url2pathname(link.removeprefix("file://"))) for link in files]
        missing = [target for target in targets if not target.is_file()]
        assert missing == [], path
        checked += len(files)
    assert checked > 100
    page.goto(f"{home}people/ines/index.html")
    page.locator(".languages a[hreflang=de]").click()
    assert page.url == f"{home}de/people/ines/index.html"
    assert "Sturmfluten" in page.locator("main").inner_text()
