"""Where things stand on a page: what a phone shows first, cards, formulas and code that are wide."""

from collections.abc import Callable, Iterator

import pytest
from chromium import Server
from matrix import MEMBERS, THEMES, built
from playwright.sync_api import Browser, Page

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
TOP = "one => one.getBoundingClientRect().top + scrollY"
PAGE_HEIGHT = "document.documentElement.scrollHeight"

Visit = Callable[[str, str, dict[str, int]], Page]


@pytest.fixture(params=THEMES)
def visit(request: pytest.FixtureRequest, chromium: Browser, server: Server) -> Iterator[Visit]:
    """Open a page of a site in one theme, in a window of some size."""
    theme = str(request.param)
    page = chromium.new_page()

    def open_page(site: str, path: str, size: dict[str, int]) -> Page:
        home = server.put(f"{theme}.{site}.layout", built(theme, site).artifacts)
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.goto(home + path)
        return page

    yield open_page
    page.close()


def test_a_phone_shows_a_publication_on_the_first_screen(visit: Visit) -> None:
    page = visit("turing", "publications/", PHONE)
    assert page.locator(".pub").count() == 29
    assert page.locator(".pub").first.evaluate(TOP) < 530
    facet = page.locator(".facet").first
    assert not facet.is_visible()
    page.locator(".facets summary").click()
    assert facet.is_visible()
    page.goto(page.url + "?kind=article")
    assert facet.is_visible(), "a filter that is in use is shown"


def test_a_wide_window_shows_the_filters_without_their_button(visit: Visit) -> None:
    page = visit("turing", "publications/", DESK)
    assert not page.locator(".facets summary").is_visible()
    assert page.locator(".facet").count() == 3
    assert all(facet.is_visible() for facet in page.locator(".facet").all())


def test_people_are_cards_with_a_photo_or_initials(visit: Visit) -> None:
    page = visit("group", "people/", DESK)
    assert page.evaluate(PAGE_HEIGHT) <= 1500
    assert page.locator(".card").count() == len(MEMBERS) == 15
    boxes = [box for face in page.locator(".face").all() if (box := face.bounding_box())]
    assert {round(box["width"] / box["height"], 2) for box in boxes} == {1.0}
    assert len({round(box["y"]) for box in boxes}) == 4, "four cards stand in a row"
    assert page.locator("span.face").all_inner_texts() == ["AT", "LF", "IS", "C"]
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(PAGE_HEIGHT) <= 2800


def test_cards_of_projects_show_their_images(visit: Visit) -> None:
    for path in ("", "projects/"):
        page = visit("group", path, DESK)
        boxes = [box for image in page.locator(".teaser").all() if (box := image.bounding_box())]
        assert [round(box["width"] / box["height"], 1) in (1.6, 1.8) for box in boxes] == [True] * 4
        assert page.locator(".toc").count() == 0


CUT = """[...document.querySelectorAll('.formula,math[display=block]')]
  .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent.slice(0, 40))"""
LINES = """new Set([...document.querySelectorAll('.formula math')].map(one => Math.round(one.getBoundingClientRect().bottom / 12))).size"""


def test_a_wide_formula_is_broken_and_not_cut(visit: Visit) -> None:
    page = visit("group", "projects/tool0/", PHONE)
    assert page.locator(".formula math").count() > 3
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(CUT) == []
    assert int(page.evaluate(LINES)) >= 3
    gap = page.locator(".formula").evaluate(
        "one => { const [a, b] = [...one.children].filter(part => part.tagName === 'SPAN' && !part.className)"
        ".map(part => part.getBoundingClientRect()); return b.top - a.bottom; }"
    )
    assert gap >= -1, "the lines do not overlap"


def test_code_scrolls_and_shows_that_it_does(visit: Visit) -> None:
    page = visit("group", "projects/tool0/", PHONE)
    code = page.locator("pre")
    style = code.evaluate(
        "one => (({whiteSpace, overflowX, backgroundImage}) => [whiteSpace, overflowX, backgroundImage])(getComputedStyle(one))"
    )
    assert style[:2] == ["pre", "auto"]
    assert style[2].count("linear-gradient") == 4
    assert code.evaluate("one => one.scrollWidth > one.clientWidth && one.tabIndex === 0")
    page.emulate_media(media="print")
    assert code.evaluate("one => getComputedStyle(one).whiteSpace") == "pre-wrap"


def test_a_formula_stays_with_the_word_that_it_begins(visit: Visit) -> None:
    page = visit("group", "projects/tool0/", PHONE)
    words = page.locator(".prose .nowrap").first
    assert words.evaluate("one => [one.textContent, getComputedStyle(one).whiteSpace]") == [
        "λ\u2060-calculus.",
        "nowrap",
    ]
