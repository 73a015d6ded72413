"""Themes and sites in a browser: accessible, no horizontal scrolling, complete without JavaScript, no third-party requests."""

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Literal
from urllib.parse import urlsplit

import pytest
from chromium import Server, collect_page_errors
from conftest import IS_FULL_RUN, read_script
from matrix import BROWSER_CASES, build_sample_site, one_of_each_kind, read_sample_pages
from npm_tools import AXE
from playwright.sync_api import Browser, Page

WIDTHS = (1280, 390, 320)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
STATES: tuple[tuple[int, str], ...] = (
    tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)
    if IS_FULL_RUN
    else ((1280, "light"), (390, "dark"), (320, "light"))
)
"""The states in which axe checks a page: each width in one colour scheme, or in both in a full run."""
ALL_RULES_WIDTHS = WIDTHS if IS_FULL_RUN else (WIDTHS[0], WIDTHS[-1])
"""The widths at which axe checks all its rules; at the widths between them it checks only colours."""
LONG = 100_000
"""The number of characters of HTML above which axe takes seconds for one check."""

RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
STYLE_RULES = {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]}
"""The rules whose result depends on the style sheet: it can differ between themes, widths and color schemes."""

CHECK = read_script("axe")
OPENED = "document.querySelectorAll('details:not(.menu-rest>*)').forEach(one => { one.open = true })"
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
WIDER = read_script("elements that are too wide")
CONTROLS = "form, button"
READ = read_script("the text without controls").replace("CONTROLS", CONTROLS)


SHAPES: dict[str, set[str]] = {"": set()}
"""The elements and classes of the pages that were visited in each theme, and of all of them below ""."""


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_a_page_is_accessible_fits_and_needs_neither_script_nor_another_host(
    theme: str, site: str, chromium: Browser, server: Server
) -> None:
    """
    Visit one page of each kind, in a context with scripts and in one without.

    Axe checks a page with an element or class that is new in the theme in all states, or in the first and the
    last state if the page is long; rules that do not depend on the style are checked only if it is new in all themes.
    A page with nothing new is checked only in a full run: in the first and the last state, or in the
    last state if it is long. The width of each page is always checked.
    """
    result, html = build_sample_site(theme, site), read_sample_pages(theme, site)
    base = urlsplit(result.site.settings.url).path if result.site else ""
    home = server.add_site(f"{theme}.{site}", result.artifacts, under=base.rstrip("/") + "/")
    full = chromium.new_context()
    full.add_init_script(path=AXE.find_file())
    page, bare = full.new_page(), chromium.new_context(java_script_enabled=False).new_page()
    found: list[str] = []
    for view in (page, bare):
        record_events(view, home, found)
    shapes = SHAPES.setdefault(theme, set())
    for path in one_of_each_kind(html):
        page.set_viewport_size({"width": WIDTHS[0], "height": 800})
        page.goto(home + path)
        bare.goto(home + path)
        found += [f"{path} without script: {line}" for line in list_differences(page, bare)]
        shapes_of_page = find_shapes(html[path])
        states = axe_states(is_new=bool(shapes_of_page - shapes), is_short=len(html[path]) < LONG)
        all_rules_widths = ALL_RULES_WIDTHS if IS_FULL_RUN or shapes_of_page - SHAPES[""] else ()
        shapes |= shapes_of_page
        SHAPES[""] |= shapes_of_page
        found += check_widths(page, path, states, all_rules_widths)
    assert found == [], "\n".join(found)


def find_shapes(html: str) -> set[str]:
    """Return the elements of a page, each with its class."""
    return set(re.findall(r"<[a-z][^ >]*(?: class=\"[^\"]*\")?", html))


def axe_states(*, is_new: bool, is_short: bool) -> Sequence[tuple[int, str]]:
    """Return the states in which axe checks a page."""
    first, last = STATES[0], STATES[-1]
    if not is_new and not IS_FULL_RUN:
        return ()
    return STATES if is_new and is_short else (first, last) if is_new or is_short else (last,)


def record_events(page: Page, home: str, found: list[str]) -> None:
    """Record requests to other hosts, and everything that fails."""

    def record(text: str, *, is_fault: bool = True) -> None:
        if is_fault:
            found.append(text)

    page.on("request", lambda one: record(one.url, is_fault=not one.url.startswith((home, "data:"))))
    page.on("response", lambda one: record(f"{one.status} {one.url}", is_fault=not one.ok))
    page.on("console", lambda one: record(one.text, is_fault=one.type in ("error", "warning")))
    collect_page_errors(page, found)


def list_differences(page: Page, bare: Page) -> list[str]:
    """Return the differences between the text with JavaScript and without, and visible controls that need JavaScript."""
    control_count = bare.evaluate(
        f"[...document.querySelectorAll({CONTROLS!r})].filter(one => one.checkVisibility()).length"
    )
    without, read = (str(view.evaluate(READ)).splitlines() for view in (bare, page))
    lines = [
        line
        for line in difflib.unified_diff(without, read, lineterm="", n=0)
        if re.match(r"[-+](?!--|\+\+)", line)
    ]
    return lines + ([f"{control_count} controls that do nothing without script"] if control_count else [])


def check_widths(
    page: Page, path: str, states: Sequence[tuple[int, str]], all_rules_widths: Sequence[int]
) -> Iterator[str]:
    """Resize the page from wide to narrow and run axe in the given states; at the narrowest width every fold is open."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if width == WIDTHS[-1]:
            page.evaluate(OPENED)
        page.evaluate(SETTLED)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            yield f"{path} at {width} is too wide: {page.evaluate(WIDER)}"
        rules = RULES if width in all_rules_widths else STYLE_RULES
        for scheme in SCHEMES:
            if (width, scheme) in states:
                page.emulate_media(color_scheme=scheme)
                yield from (f"{path} at {width}, {scheme}: {fault}" for fault in page.evaluate(CHECK, rules))
                rules = STYLE_RULES
