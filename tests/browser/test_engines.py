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
from conftest import Sources
from engines import Engine, launch_firefox, launch_webkit
from matrix import LAB, PROFILE, THEMES, build_sample_site
from playwright.sync_api import Browser, Page
from preview_process import start_preview

from tenure.publish import Artifact

pytestmark = pytest.mark.scheduled

PAGES = (
    ("turing", ""),
    ("turing", "publications/"),
    ("turing", "cv/"),
    ("turing", "projects/"),
    (LAB, "people/"),
)
WIDTHS = (1280, 390)
TOLERANCE = 0.03
HIGHER = {("WebKit", "margin", "projects/", 390): 0.05}
"""A page that may differ more: this theme has the letters of the system, with which WebKit breaks more lines."""
CATCH_ERRORS = """<head><script>window.errors = [];
addEventListener('error', one => errors.push(String(one.message || one.target.src || one.target.href)), true);
addEventListener('unhandledrejection', one => errors.push(String(one.reason)));
console.error = (...words) => errors.push(words.join(' '));</script>"""
"""A script before the policy of the page, so that the policy allows it."""

FRAME = """<!doctype html><title>Frame</title><body style="margin:0"><script>
const measure = (path, width) => new Promise(done => {
  const frame = document.createElement('iframe');
  frame.style.cssText = `border:0;width:${width}px;height:20000px`;
  frame.onload = async () => {
    const page = frame.contentDocument;
    await page.fonts.ready;
    await new Promise(next => setTimeout(next, 100));
    const blocks = [...page.querySelectorAll('main h1, main h2, main h3, main figure, footer')];
    const tops = blocks.map(one => Math.round(one.getBoundingClientRect().top));
    const places = blocks.map((one, number) => [tops[number], number]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    done({
      wide: page.documentElement.scrollWidth - width,
      height: Math.round(page.querySelector('main').getBoundingClientRect().bottom),
      order: places.map(one => blocks[one[1]].textContent.trim().replace(/\\s+/g, ' ').slice(0, 40)),
      errors: frame.contentWindow.errors,
      ground: getComputedStyle(page.body).backgroundColor,
    });
  };
  frame.src = path;
  document.body.replaceChildren(frame);
});</script>"""


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
def running_firefox(firefox: str) -> Iterator[Engine]:
    assert firefox
    with launch_firefox() as engine:
        yield engine


@pytest.fixture(scope="module")
def running_webkit(webkit: str) -> Iterator[Engine]:
    assert webkit
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
    page.close()
    assert wrong == [], "\n".join(wrong)


SEARCH = """new Promise(done => {
  document.querySelector('#search-open').click();
  const wait = setInterval(() => {
    const field = document.querySelector('#search input');
    if (!field) return;
    if (!field.value) { field.value = 'tuesd'; field.dispatchEvent(new Event('input', {bubbles: true})); }
    const found = document.querySelector('#search a');
    if (found) { clearInterval(wait); done(found.textContent); }
  }, 50);
})"""
SITE = f"""\
-- site.yaml --
search: true
theme: folio
{PROFILE}-- content/about.md --
We meet on Tuesdays.
"""
EDIT_IS_SHOWN = """new Promise(done => {
  const wait = setInterval(() => {
    if (!document.querySelector('main').textContent.includes('Harbours')) return;
    clearInterval(wait);
    done(window.mark || 'the page was loaded anew');
  }, 50);
})"""
LAUNCHERS = pytest.mark.parametrize("launch", [launch_firefox, launch_webkit], ids=["firefox", "webkit"])


@LAUNCHERS
def test_search_and_dark_pages(
    launch: Callable[..., Any], firefox: str, webkit: str, site: Callable[[str], Sources], server: Server
) -> None:
    assert firefox
    assert webkit
    home = add_frame(server, f"dark-{launch.__name__}", site(SITE).build().build.artifacts)
    with launch(dark=True) as engine:
        engine.open_page(f"{home}frame.html")
        red, green, blue = map(int, re.findall(r"\d+", measure_page(engine.evaluate, "", 1280).ground)[:3])
        assert max(red, green, blue) < 60
        engine.open_page(home)
        assert "Ada Example" in engine.evaluate(SEARCH)


@LAUNCHERS
def test_the_preview_shows_an_edited_title_without_loading_the_page_anew(
    launch: Callable[..., Any], firefox: str, webkit: str, site: Callable[[str], Sources]
) -> None:
    assert firefox
    assert webkit
    sources = site("-- content/talks.yaml --\n- {title: Ships, date: 2024}\n")
    with start_preview(sources.root) as preview, launch() as engine:
        engine.open_page(f"{preview.address}talks/")
        assert "Ships" in engine.evaluate("document.querySelector('main').textContent")
        engine.evaluate("(window.mark = 'the same page')")
        sources.edit_files("-- content/talks.yaml --\n- {title: Harbours, date: 2024}\n")
        assert engine.evaluate(EDIT_IS_SHOWN) == "the same page"
