"""The keyboard reaches every control of every page in reading order, and the focus is always visible."""

import itertools

import pytest
from chromium import Server
from conftest import read_script, select_daily
from matrix import THEMES, THEMES_WITH_TEMPLATES, build_sample_site
from playwright.sync_api import Browser, Page

PAGES = ["", "publications/", "projects/", "publications/turing1936computable/", "cv/"]
DAILY = (("folio", ""), ("plain", ""))
CASES = select_daily(itertools.product(THEMES, PAGES), lambda case: case[0] == "classic" or case in DAILY)
"""Each day all pages in one theme, and the homepage in the others with templates."""

STOPS = read_script("stops of the Tab key")
HERE = read_script("the element with the focus")

TABLES_ARE_MEASURED = """() => document.fonts.ready.then(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"""
"""A table is a stop only while it scrolls: the page measures it again when its fonts are there."""


def open_page(theme: str, path: str, chromium: Browser, server: Server) -> Page:
    home = server.add_site(f"{theme}.keyboard", build_sample_site(theme, "turing").artifacts)
    page = chromium.new_page()
    page.goto(home + path)
    page.evaluate(TABLES_ARE_MEASURED)
    return page


@pytest.mark.parametrize(("theme", "path"), CASES)
def test_tab_reaches_every_control_in_reading_order(
    theme: str, path: str, chromium: Browser, server: Server
) -> None:
    page = open_page(theme, path, chromium, server)
    expected = page.evaluate(STOPS)
    assert len(expected) > 8
    reached: list[str] = []
    while len(reached) <= len(expected) + 20:
        page.keyboard.press("Tab")
        html, lit, inside, stop = page.evaluate(HERE)
        if not html:
            break
        assert lit, f"one does not see that this has the focus: {html}"
        assert inside, f"what has the focus is out of sight: {html}"
        if stop:
            reached.append(html)
    assert reached == expected


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_the_first_link_skips_the_menu(theme: str, chromium: Browser, server: Server) -> None:
    page = open_page(theme, "publications/", chromium, server)
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    box = skip.bounding_box()
    assert box is not None
    assert box["width"] > 40, "the link to the content stays hidden"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
