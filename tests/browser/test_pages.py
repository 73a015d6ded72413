"""Themes over sites in a browser: accessible, as wide as the window, whole without script, asking no one else."""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

import pytest
from chromium import AXE, Server
from matrix import BROWSER_CASES, IS_FULL_MATRIX, built, one_of_each_kind, pages
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

WIDTHS = (1280, 390, 320)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
STATES: tuple[tuple[int, str], ...] = (
    tuple((width, scheme) for width in WIDTHS for scheme in SCHEMES)
    if IS_FULL_MATRIX
    else ((1280, "light"), (390, "dark"), (320, "light"))
)
"""Where axe looks: each width in one color scheme; with TENURE_BROWSERS=full, as on a schedule, in both."""
ALL_RULES_WIDTHS = WIDTHS if IS_FULL_MATRIX else (WIDTHS[0], WIDTHS[-1])
"""Where axe checks all its rules; between the widest and the narrowest window only colors."""
LONG = 100_000
"""Characters of HTML from which on axe takes seconds for one look."""

RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""All that can differ between two schemes of colours at one width."""

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
class Seen:
    """What a browser reported of the pages of one site."""

    axe: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


Visit = Callable[[str, str], Seen]


@pytest.fixture(scope="module")
def visit(chromium: Browser, server: Server) -> Visit:
    """Visit the pages of a theme and site, once for all tests."""
    visited: dict[tuple[str, str], Seen] = {}
    shapes: dict[str, set[str]] = {}
    full = chromium.new_context()
    plain = chromium.new_context(java_script_enabled=False)
    full.add_init_script(path=AXE.path())

    def visiting(theme: str, site: str) -> Seen:
        if (theme, site) not in visited:
            result = built(theme, site)
            base = urlsplit(result.site.settings.url).path if result.site else ""
            home = server.put(f"{theme}.{site}", result.artifacts, under=base.rstrip("/") + "/")
            visited[theme, site] = looked_at(
                home, pages(theme, site), shapes.setdefault(theme, set()), full, plain
            )
        return visited[theme, site]

    return visiting


def looked_at(
    home: str, html: Mapping[str, str], shapes: set[str], full: BrowserContext, plain: BrowserContext
) -> Seen:
    """
    Visit one page of each kind; `shapes` are the elements and classes that the theme has shown before.

    Axe checks a page that has something new in all states, or in the first and the last state if that page is long. A
    page that has nothing new is checked only with TENURE_BROWSERS=full: in the first and the last state, or in the last
    state if it is long. The width of each page is checked in any case.
    """
    seen = Seen()
    page, bare = full.new_page(), plain.new_page()
    for view in (page, bare):
        listen(view, home, seen)
    for path in one_of_each_kind(html):
        page.set_viewport_size({"width": WIDTHS[0], "height": 800})
        page.goto(home + path)
        bare.goto(home + path)
        seen.lost += [f"{path}: {line}" for line in difference(page, bare)]
        new = find_shapes(html[path]) - shapes
        shapes |= new
        look(page, path, seen, axe_states(is_new=bool(new), is_short=len(html[path]) < LONG))
    page.close()
    bare.close()
    return seen


def find_shapes(html: str) -> set[str]:
    """The elements of a page, each with its class."""
    return set(re.findall(r"<[a-z][^ >]*(?: class=\"[^\"]*\")?", html))


def axe_states(*, is_new: bool, is_short: bool) -> Sequence[tuple[int, str]]:
    """The states in which axe checks a page."""
    first, last = STATES[0], STATES[-1]
    if not is_new and not IS_FULL_MATRIX:
        return ()
    return STATES if is_new and is_short else (first, last) if is_new or is_short else (last,)


def listen(page: Page, home: str, seen: Seen) -> None:
    """Note what is asked of others, and whatever fails."""

    def asked(request: Request) -> None:
        if not request.url.startswith((home, "data:")):
            seen.asked.append(request.url)

    def got(response: Response) -> None:
        if not response.ok:
            seen.failed.append(f"{response.status} {response.url}")

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            seen.failed.append(message.text)

    page.on("request", asked)
    page.on("response", got)
    page.on("console", said)
    page.on("pageerror", lambda error: seen.failed.append(str(error)))


def difference(page: Page, bare: Page) -> list[str]:
    """What is read with script and not without it, or the reverse; what serves script alone is hidden without it."""
    visible_values = bare.evaluate(
        f"[...document.querySelectorAll({CONTROLS!r})].filter(one => one.checkVisibility()).length"
    )
    without, read = (str(view.evaluate(READ)).splitlines() for view in (bare, page))
    lines = [
        line
        for line in difflib.unified_diff(without, read, lineterm="", n=0)
        if re.match(r"[-+](?!--|\+\+)", line)
    ]
    return lines + ([f"{visible_values} controls that do nothing without script"] if visible_values else [])


def look(page: Page, path: str, seen: Seen, states: Sequence[tuple[int, str]]) -> None:
    """Narrower and narrower, axe in these states; all that folds is open where the window is narrowest."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if width == WIDTHS[-1]:
            page.evaluate(OPENED)
        page.evaluate(SETTLED)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            seen.wide.append(f"{path} at {width}: {page.evaluate(WIDER)}")
        rules = RULES if width in ALL_RULES_WIDTHS else COLOURS
        for scheme in SCHEMES:
            if (width, scheme) in states:
                page.emulate_media(color_scheme=scheme)
                seen.axe += [
                    f"{path} at {width}, {scheme}: {reported}" for reported in page.evaluate(CHECK, rules)
                ]
                rules = COLOURS


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_axe_reports_nothing(theme: str, site: str, visit: Visit) -> None:
    actual = visit(theme, site).axe
    assert actual == [], "\n".join(actual)


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_no_page_scrolls_sideways(theme: str, site: str, visit: Visit) -> None:
    wide = visit(theme, site).wide
    assert wide == [], "\n".join(wide)


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_no_request_goes_to_another_host_and_none_fails(theme: str, site: str, visit: Visit) -> None:
    seen = visit(theme, site)
    assert seen.asked == []
    assert seen.failed == []


@pytest.mark.parametrize(("theme", "site"), BROWSER_CASES)
def test_everything_is_shown_without_javascript(theme: str, site: str, visit: Visit) -> None:
    lost = visit(theme, site).lost
    assert lost == [], "\n".join(lost)
