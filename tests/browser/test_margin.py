"""Sidenotes in a browser: beside their line in a wide window and in print; in a narrow window after a click on the number."""

from chromium import Server
from matrix import build_sample_site
from playwright.sync_api import Browser

PLACE = "one => { const box = one.getBoundingClientRect(); return [box.left, box.top + scrollY, box.right, box.width]; }"
WIDE = "document.documentElement.scrollWidth - innerWidth"


def test_sidenotes_need_no_script(chromium: Browser, server: Server) -> None:
    home = server.add_site("margin.sidenotes", build_sample_site("margin", "montaigne").artifacts)
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(home + "posts/des-cannibales/")
    references, notes = page.locator(".footnote-ref"), page.locator(".sidenote")
    assert references.count() == notes.count() == 4
    page.set_viewport_size({"width": 1280, "height": 900})
    prose = page.locator(".prose").evaluate(PLACE)
    for reference, note in zip(references.all(), notes.all(), strict=True):
        left, top, right, _ = note.evaluate(PLACE)
        assert prose[2] < left < right <= 1280
        assert abs(top - reference.evaluate(PLACE)[1]) < 60
    page.emulate_media(media="print")
    assert all(note.is_visible() for note in notes.all())
    page.emulate_media(media="screen")
    for width in (390, 320):
        page.goto(home + "posts/des-cannibales/")
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(WIDE) <= 0
        assert not any(note.is_visible() for note in notes.all())
        references.nth(1).click()
        assert [note.is_visible() for note in notes.all()] == [False, True, False, False]
        assert notes.nth(1).evaluate(PLACE)[3] > width * 0.7
        notes.nth(1).locator(".footnote-backref").click()
        assert not any(note.is_visible() for note in notes.all())
