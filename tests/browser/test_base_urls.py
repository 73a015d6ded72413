"""A site works at every location: at the root of a host, in a subfolder, and on a disk."""

from pathlib import Path

import pytest
from chromium import Server
from matrix import THEMES_WITH_TEMPLATES, folder, one_of_each_kind, pages
from playwright.sync_api import Browser, Page

from tenure.build import build_site
from tenure.publish import publish_artifacts


def open_pages(page: Page, home: str, paths: list[str]) -> list[str]:
    """Open pages by their URL and by the first link of the menu; return failed requests and requests to other hosts."""
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.on(
        "response",
        lambda received: None if received.ok else failed.append(f"{received.status} {received.url}"),
    )
    page.on(
        "request",
        lambda requested: None if requested.url.startswith((home, "data:")) else failed.append(requested.url),
    )
    for path in paths:
        page.goto(home + path)
        assert page.evaluate("document.styleSheets.length"), path
        broken = "document.fonts.ready.then(all => [...all].filter(one => one.status === 'error').length)"
        assert page.evaluate(broken) == 0, path
    page.goto(f"{home}publications/index.html")
    page.get_by_role("navigation").get_by_role("link", name="CV").first.click()
    page.wait_for_load_state()
    assert page.locator("h1").is_visible()
    assert page.url.startswith(home + "cv/")
    return failed


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_a_site_in_a_subfolder_of_a_host_works(theme: str, chromium: Browser, server: Server) -> None:
    built = build_site(folder("systems-phd-2026"), theme=theme, base_url="https://example.edu/repo")
    home = server.put(f"{theme}.folder", built.artifacts, under="/repo/")
    page = chromium.new_page(reduced_motion="reduce")
    html = {a.path: a.read().decode() for a in built.artifacts if a.path.endswith(".html")}
    assert open_pages(page, home, one_of_each_kind(html)) == []
    page.close()


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_a_site_opened_from_disk_works(theme: str, chromium: Browser, tmp_path: Path) -> None:
    built = build_site(folder("systems-phd-2026"), theme=theme)
    publish_artifacts(built.artifacts, tmp_path)
    page = chromium.new_page(reduced_motion="reduce")
    paths = [path for path in one_of_each_kind(pages(theme, "systems-phd-2026")) if path != "404.html"]
    home = f"{tmp_path.as_uri()}/"
    failed = open_pages(page, home, paths)
    assert [url for url in failed if not url.endswith(".woff2")] == [], (
        "browsers refuse to load fonts ahead from a disk"
    )
    page.goto(f"{home}publications/index.html")
    page.get_by_role("searchbox").fill("serving")
    assert 0 < page.locator(".pub:visible").count() < page.locator(".pub").count()
    page.close()
