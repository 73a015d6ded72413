"""Themes and sites in a browser: accessible, no horizontal scrolling, complete without JavaScript, no third-party requests."""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

import pytest
from chromium import Server
from conftest import IS_FULL_RUN
from matrix import BROWSER_CASES, build_sample_site, one_of_each_kind, read_sample_pages
from npm_tools import AXE
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

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

CHECK = """rules => axe.run(document, {runOnly: rules, resultTypes: ['violations'], preload: false})
  .then(found => found.violations.flatMap(rule => rule.nodes.map(node =>
    `${rule.id}: ${node.html.slice(0, 160)}: ${node.failureSummary.split('\\n').at(-1).trim()}`)))"""
OPENED = "document.querySelectorAll('details').forEach(one => { one.open = true })"
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
WIDER = """[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1)
  .map(one => one.outerHTML.slice(0, 120)).slice(0, 3)"""
CONTROLS = "form, button"
READ = f"""(() => {{
  const hide = new CSSStyleSheet();
  hide.replaceSync('{CONTROLS} {{ display: none !important }}');
  document.adoptedStyleSheets.push(hide);
  const read = document.body.innerText;
  document.adoptedStyleSheets.pop();
  return read;
}})()"""


@dataclass
class PageReports:
    """What a browser reported about the pages of one site."""

    axe: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


Visit = Callable[[str, str], PageReports]


@pytest.fixture(scope="module")
def visit_site(chromium: Browser, server: Server) -> Visit:
    """Return a function that visits the pages of a theme and site; each pair is visited once for all tests."""
    visited: dict[tuple[str, str], PageReports] = {}
    shapes_by_theme: dict[str, set[str]] = {}
    shapes_of_all: set[str] = set()
    full = chromium.new_context()
    plain = chromium.new_context(java_script_enabled=False)
    full.add_init_script(path=AXE.find_file())

    def visit_once(theme: str, site: str) -> PageReports:
        if (theme, site) not in visited:
            result = build_sample_site(theme, site)
            base = urlsplit(result.site.settings.url).path if result.site else ""
            home = server.add_site(f"{theme}.{site}", result.artifacts, under=base.rstrip("/") + "/")
            visited[theme, site] = visit_pages(
                home,
                read_sample_pages(theme, site),
                (shapes_by_theme.setdefault(theme, set()), shapes_of_all),
                (full, plain),
            )
        return visited[theme, site]

    return visit_once


def visit_pages(
    home: str,
    html: Mapping[str, str],
    known_shapes: tuple[set[str], set[str]],
    contexts: tuple[BrowserContext, BrowserContext],
) -> PageReports:
    """
    Visit one page of each kind, in a context with scripts and in one without.

    `known_shapes` are the elements and classes of the earlier pages of the theme, and those of all earlier pages.
    Axe checks a page with an element or class that is new in the theme in all states, or in the first and the
    last state if the page is long; rules that do not depend on the style are checked only if it is new in all themes.
    A page with nothing new is checked only in a full run: in the first and the last state, or in the
    last state if it is long. The width of each page is always checked.
    """
    reports = PageReports()
    shapes, shapes_of_all = known_shapes
    page, bare = (context.new_page() for context in contexts)
    for view in (page, bare):
        record_events(view, home, reports)
    for path in one_of_each_kind(html):
        page.set_viewport_size({"width": WIDTHS[0], "height": 800})
        page.goto(home + path)
        bare.goto(home + path)
        reports.lost += [f"{path}: {line}" for line in list_differences(page, bare)]
        shapes_of_page = find_shapes(html[path])
        states = axe_states(is_new=bool(shapes_of_page - shapes), is_short=len(html[path]) < LONG)
        all_rules_widths = ALL_RULES_WIDTHS if IS_FULL_RUN or shapes_of_page - shapes_of_all else ()
        shapes |= shapes_of_page
        shapes_of_all |= shapes_of_page
        check_widths(page, path, reports, states, all_rules_widths)
    page.close()
    bare.close()
    return reports


def find_shapes(html: str) -> set[str]:
    """Return the elements of a page, each with its class."""
    return set(re.findall(r"<[a-z][^ >]*(?: class=\"[^\"]*\")?", html))


def axe_states(*, is_new: bool, is_short: bool) -> Sequence[tuple[int, str]]:
    """Return the states in which axe checks a page."""
    first, last = STATES[0], STATES[-1]
    if not is_new and not IS_FULL_RUN:
        return ()
    return STATES if is_new and is_short else (first, last) if is_new or is_short else (last,)


def record_events(page: Page, home: str, reports: PageReports) -> None:
    """Record requests to other hosts, and everything that fails."""

    def record_request(request: Request) -> None:
        if not request.url.startswith((home, "data:")):
            reports.asked.append(request.url)

    def record_response(response: Response) -> None:
        if not response.ok:
            reports.failed.append(f"{response.status} {response.url}")

    def record_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            reports.failed.append(message.text)

    page.on("request", record_request)
    page.on("response", record_response)
    page.on("console", record_message)
    page.on("pageerror", lambda error: reports.failed.append(str(error)))


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
    page: Page,
    path: str,
    reports: PageReports,
    states: Sequence[tuple[int, str]],
    all_rules_widths: Sequence[int],
) -> None:
    """Resize the page from wide to narrow and run axe in the given states; at the narrowest width every fold is open."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if width == WIDTHS[-1]:
            page.evaluate(OPENED)
        page.evaluate(SETTLED)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            reports.wide.append(f"{path} at {width}: {page.evaluate(WIDER)}")
        rules = RULES if width in all_rules_widths else STYLE_RULES
        for scheme in SCHEMES:
            if (width, scheme) in states:
                page.emulate_media(color_scheme=scheme)
                reports.axe += [
                    f"{path} at {width}, {scheme}: {reported}" for reported in page.evaluate(CHECK, rules)
                ]
                rules = STYLE_RULES


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_axe_reports_nothing(theme: str, site: str, visit_site: Visit) -> None:
    actual = visit_site(theme, site).axe
    assert actual == [], "\n".join(actual)


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_no_page_scrolls_sideways(theme: str, site: str, visit_site: Visit) -> None:
    wide = visit_site(theme, site).wide
    assert wide == [], "\n".join(wide)


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_no_request_goes_to_another_host_and_none_fails(theme: str, site: str, visit_site: Visit) -> None:
    reports = visit_site(theme, site)
    assert reports.asked == []
    assert reports.failed == []


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_everything_is_shown_without_javascript(theme: str, site: str, visit_site: Visit) -> None:
    lost = visit_site(theme, site).lost
    assert lost == [], "\n".join(lost)
