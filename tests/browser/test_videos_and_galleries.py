"""Videos that play when they become visible, and galleries whose images open over the page."""

from collections.abc import Callable

from chromium import Server, wait_for_expression
from conftest import Sources
from matrix import build_sample_site
from playwright.sync_api import Browser

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400"/>'
GALLERY = "-- content/pages/g.md --\n---\ntitle: G\n---\n![A talk](talks/*.svg)\n" + "".join(
    f"-- content/talks/{name}.svg --\n{DRAWING}\n" for name in "abc"
)
PLAYS = "!document.querySelector('video').paused && document.querySelector('video').currentTime > 0"


def test_a_video_plays_when_it_is_seen(chromium: Browser, server: Server) -> None:
    home = server.add_site("folio.turing.media", build_sample_site("folio", "turing").artifacts)
    page = chromium.new_page(viewport={"width": 1280, "height": 300})
    page.goto(f"{home}publications/turing1952morphogenesis/")
    assert page.evaluate("document.querySelector('video').paused"), "it is below the window"
    page.locator("video").evaluate("one => one.scrollIntoView({block: 'center'})")
    page.set_viewport_size({"width": 1280, "height": 1200})
    wait_for_expression(page, PLAYS)


def test_no_video_plays_if_the_reader_asks_for_less_motion(chromium: Browser, server: Server) -> None:
    home = server.add_site("folio.turing.media", build_sample_site("folio", "turing").artifacts)
    page = chromium.new_page(viewport={"width": 1280, "height": 1200}, reduced_motion="reduce")
    page.goto(f"{home}publications/turing1952morphogenesis/")
    assert page.locator("video").is_visible()
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('video').paused")
    page.locator("video").evaluate("one => one.play()")
    wait_for_expression(page, PLAYS)


def test_a_gallery_works_by_keyboard(
    chromium: Browser, server: Server, site: Callable[[str], Sources]
) -> None:
    home = server.add_site("folio.gallery", site(GALLERY).build(theme="folio").build.artifacts)
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{home}g/")
    box = page.locator("dialog.lightbox")
    page.locator(".gallery a").nth(1).press("Enter")
    wait_for_expression(page, "document.querySelector('dialog.lightbox')?.open")
    assert box.locator("img").get_attribute("alt") == "A talk (2)"
    page.keyboard.press("ArrowRight")
    assert box.locator("img").get_attribute("alt") == "A talk (3)"
    page.keyboard.press("ArrowRight")
    assert box.locator("img").get_attribute("alt") == "A talk (1)"
    assert page.evaluate("document.activeElement.ariaLabel") == "Close"
    page.keyboard.press("Escape")
    assert not box.is_visible()
    wait_for_expression(page, "document.activeElement.firstChild?.alt === 'A talk (1)'")  # the event follows


def test_a_gallery_without_a_script_is_links(
    chromium: Browser, server: Server, site: Callable[[str], Sources]
) -> None:
    home = server.add_site("folio.gallery", site(GALLERY).build(theme="folio").build.artifacts)
    page = chromium.new_page(java_script_enabled=False)
    page.goto(f"{home}g/")
    page.locator(".gallery a").first.click()
    assert page.url.endswith(".svg")
