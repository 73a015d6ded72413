"""
Firefox and WebKit show the pages of each theme as Chromium does: the same order and, within 3 %, the same heights.

A page is opened in a frame of the tested width, high enough for no scroll bar, because the engines differ in their
smallest window and in the width of a scroll bar.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from chromium import Server
from conftest import Sources, read_script, read_site
from engines import Engine, launch_firefox, launch_webkit
from matrix import LAB, THEMES, build_sample_site
from playwright.sync_api import Browser, Page
from preview_process import start_preview

from tenure.publish import Artifact

pytestmark = pytest.mark.scheduled

PAGES = (*(("turing", path) for path in ("", "publications/", "cv/", "projects/")), (LAB, "people/"))
WIDTHS = (1280, 390)
TOLERANCE = 0.03
HIGHER = {("WebKit", "margin", "projects/", 390): 0.05}
"""A page that may differ more: this theme has the letters of the system, with which WebKit breaks more lines."""
CATCH_ERRORS = read_script("catch errors")
"""A script before the policy of the page, so that the policy allows it."""

FRAME = read_script("frame")


class View(NamedTuple):
    """What an engine says of a page."""

    wide: int
    height: int
    order: list[str]
    errors: list[str]
    ground: str


def add_frame(server: Server, name: str, artifacts: tuple[Artifact, ...]) -> str:
    """Serve a site whose pages collect their errors, and the page with the frame; return its URL."""
    changed = [
        Artifact(a.path, a.read().replace(b"<head>", CATCH_ERRORS.encode(), 1))
        if a.path.endswith(".html")
        else a
        for a in artifacts
    ]
    return server.add_folder(name, [*changed, Artifact("frame.html", FRAME.encode())])


def measure_page(evaluate: Callable[[str], Any], path: str, width: int) -> View:
    return View(**evaluate(f"measure('{path or './'}', {width})"))


@pytest.fixture(scope="module")
def running_firefox(firefox: str) -> Iterator[Engine]:  # noqa: ARG001 - it fails without the program
    with launch_firefox() as engine:
        yield engine


@pytest.fixture(scope="module")
def running_webkit(webkit: str) -> Iterator[Engine]:  # noqa: ARG001
    with launch_webkit() as engine:
        yield engine


@pytest.mark.parametrize("theme", [theme for theme in THEMES if theme != "base"])
def test_the_engines_agree(
    theme: str, chromium: Browser, server: Server, running_firefox: Engine, running_webkit: Engine
) -> None:
    wrong: list[str] = []
    page: Page = chromium.new_page()
    for site in dict.fromkeys(site for site, _ in PAGES):
        home = add_frame(server, f"{theme}-{site}", build_sample_site(theme, site).artifacts)
        engines = {"Firefox": running_firefox, "WebKit": running_webkit}
        page.goto(f"{home}frame.html")
        for engine in engines.values():
            engine.open_page(f"{home}frame.html")
        for path in (path for name, path in PAGES if name == site):
            for width in WIDTHS:
                expected = measure_page(page.evaluate, path, width)
                for name, engine in engines.items():
                    actual = measure_page(engine.evaluate, path, width)
                    place = f"{name}, {theme}, {site}/{path} at {width}"
                    wrong += [f"{place}: {error}" for error in actual.errors]
                    if actual.wide > 0:
                        wrong.append(f"{place}: {actual.wide} pixels too wide")
                    if actual.order != expected.order:
                        wrong.append(f"{place}: another order: {actual.order}, and not {expected.order}")
                    tolerance = HIGHER.get((name, theme, path, width), TOLERANCE)
                    if abs(actual.height / expected.height - 1) > tolerance:
                        wrong.append(f"{place}: {actual.height} pixels high, and not {expected.height}")
    assert wrong == [], "\n".join(wrong)


SEARCH = read_script("search")
EDIT_IS_SHOWN = read_script("the edit is shown")
LAUNCHERS = pytest.mark.parametrize("launch", [launch_firefox, launch_webkit], ids=["firefox", "webkit"])


@pytest.mark.usefixtures("firefox", "webkit")
@LAUNCHERS
def test_search_and_dark_pages(
    launch: Callable[..., Any], site: Callable[[str], Sources], server: Server
) -> None:
    home = add_frame(
        server,
        f"dark-{launch.__name__}",
        site(read_site("lab").replace("THEME", "folio")).build().build.artifacts,
    )
    with launch(dark=True) as engine:
        engine.open_page(f"{home}frame.html")
        red, green, blue = map(int, re.findall(r"\d+", measure_page(engine.evaluate, "", 1280).ground)[:3])
        assert max(red, green, blue) < 60
        engine.open_page(home)
        assert "The lab" in engine.evaluate(SEARCH)


@pytest.mark.usefixtures("firefox", "webkit")
@LAUNCHERS
def test_the_preview_shows_an_edited_title_without_loading_the_page_anew(
    launch: Callable[..., Any], site: Callable[[str], Sources]
) -> None:
    sources = site("-- content/talks.yaml --\n- {title: Ships, date: 2024}\n")
    with start_preview(sources.root) as preview, launch() as engine:
        engine.open_page(f"{preview.address}talks/")
        assert "Ships" in engine.evaluate("document.querySelector('main').textContent")
        engine.evaluate("(window.mark = 'the same page')")
        sources.edit_files("-- content/talks.yaml --\n- {title: Harbours, date: 2024}\n")
        assert engine.evaluate(EDIT_IS_SHOWN) == "the same page"
