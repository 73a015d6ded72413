"""A menu at the side in a browser: the text keeps its width, and no page scrolls sideways."""

from collections.abc import Callable

import pytest
from chromium import Server
from conftest import Sources, select_daily
from matrix import PORTRAIT
from playwright.sync_api import Browser

SETTINGS = "-- site.yaml --\ntheme: {name: %s, menu: side}\n"
WIDER = "document.documentElement.scrollWidth - innerWidth"
TEXT = "one => one.getBoundingClientRect().width"


@pytest.mark.parametrize("theme", select_daily(["margin", "plate", "stage"], lambda theme: theme == "margin"))
def test_the_text_keeps_its_width_beside_the_menu(
    site: Callable[[str], Sources], theme: str, chromium: Browser, server: Server
) -> None:
    sources = site(PORTRAIT).edit_files(SETTINGS % theme)
    home = server.add_site(f"{theme}.side", sources.build().build.artifacts)
    page = chromium.new_page()
    for width, narrowest in ((1280, 520), (768, 480), (390, 320)):
        page.set_viewport_size({"width": width, "height": 900})
        for path in ("", "posts/shapes/", "talks/"):
            page.goto(home + path)
            assert page.evaluate(WIDER) <= 0, (path, width)
            assert page.locator("#side-menu").is_visible() == (width == 1280)
        page.goto(home + "posts/shapes/")
        assert page.locator(".prose > p").first.evaluate(TEXT) >= narrowest
    page.close()
