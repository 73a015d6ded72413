"""The layout of pages: each visit of layout/*.js, in each of its themes, and what a printer gets."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from chromium import Server
from conftest import ROOT, SAMPLES_FOLDER, read_parts, select_daily, write_files
from matrix import PORTRAIT, THEMES, build_sample_site
from playwright.sync_api import Browser, Page
from pypdfium2 import PdfDocument

from tenure.build import build_site
from tenure.publish import Artifact
from tenure.site_folder import BuildOptions

HERE = Path(__file__).parent
SHARED = HERE.joinpath("layout.js").read_text("utf-8")
LOOKS = tuple(theme for theme in THEMES if theme not in ("base", "plain"))
SITES = read_parts("browser/layout/sites.txt")
SITES["side"] = PORTRAIT.replace("-- site.yaml --\n", "-- site.yaml --\ntheme: {name: base, menu: side}\n")
HEIGHTS = {390: 844}


class Visit(NamedTuple):
    """The head of a visit: the file of its rules, its number there, the page, the width of the window and the themes."""

    script: Path
    number: int
    site: str
    path: str
    width: int
    themes: tuple[str, ...]


def read_visits(script: Path) -> Iterator[Visit]:
    """Yield the heads: visit('turing', 'cv/', 390, 'looks', […"""
    heads = re.findall(
        r"^visit\('(.*?)', '(.*?)', (\d+), (?:'(.+?)', )?", script.read_text("utf-8"), re.MULTILINE
    )
    for number, (site, path, width, named) in enumerate(heads):
        themes = LOOKS if named == "looks" else tuple(named.split() or THEMES)
        yield Visit(script, number, site, path, int(width), themes)


VISITS = [visit for script in sorted(HERE.glob("layout/*.js")) for visit in read_visits(script)]
CASES = [(theme, visit) for visit in VISITS for theme in visit.themes]


def is_daily(case: tuple[str, Visit]) -> bool:
    """Each day all visits in classic, those for looks also in folio, and those that name other themes."""
    theme, visit = case
    is_look = theme == "folio" and visit.themes == LOOKS
    return theme == "classic" or is_look or visit.themes not in (LOOKS, tuple(THEMES))


def build_layout_site(theme: str, site: str) -> tuple[Artifact, ...]:
    if site not in SITES:
        return build_sample_site(theme, site).artifacts
    folder = SAMPLES_FOLDER / f"layout-{site}-{theme}"
    write_files(folder, SITES[site])
    face = ROOT / "examples/group/content/maren.jpg"
    folder.joinpath("content/maren.jpg").write_bytes(face.read_bytes())
    return build_site(folder, options=BuildOptions(theme=theme)).artifacts


def resize_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})


def evaluate(page: Page, visit: Visit, theme: str, expression: str) -> Any:
    """Evaluate an expression about `visits` and their `steps`, after the file of a visit has run in the page."""
    code = f"const theme = {theme!r};\n{SHARED}\n{visit.script.read_text('utf-8')}"
    return page.evaluate(
        f"(() => {{\n{code}\nconst {{steps}} = visits[{visit.number}];\nreturn {expression};\n}})()"
    )


def take_step(page: Page, home: str, kind: str, words: list[Any]) -> None:
    """Take a step that is no rule and not in the page: what layout.js names."""
    match kind:
        case "open":
            page.goto(home + words[0])
        case "click":
            page.locator(words[0]).first.click()
            page.wait_for_load_state()
        case "fill":
            page.fill(*words)
        case "press":
            page.keyboard.press(words[0])
        case "resize":
            resize_page(page, words[0])
        case _:
            assert kind == "show", kind
            (media,) = words
            page.emulate_media(
                media="print" if media == "print" else "screen",
                color_scheme="dark" if media == "dark" else "light",
                forced_colors="active" if media == "forced" else "none",
            )


def list_broken_rules(page: Page, visit: Visit, theme: str, home: str) -> Iterator[str]:
    """Take the steps of a visit, and yield the names of the rules that are not kept; those in a row are asked at once."""
    steps = evaluate(page, visit, theme, "steps.map(({kind, words}, index) => [index, kind, words])")
    assert any(kind == "rule" for _, kind, _ in steps)
    for is_rule, row in itertools.groupby(steps, lambda step: step[1] == "rule"):
        if is_rule:
            rules = [index for index, _, _ in row]
            yield from evaluate(page, visit, theme, f"listBroken(steps.slice({rules[0]}, {rules[-1] + 1}))")
            continue
        for index, kind, words in row:
            if kind == "run":
                evaluate(page, visit, theme, f"steps[{index}].action()")
            else:
                take_step(page, home, kind, words)


@pytest.mark.parametrize(
    ("theme", "visit"),
    select_daily(CASES, is_daily),
    ids=[f"{theme}-{visit.site}-{visit.path}-{visit.width}" for theme, visit in CASES],
)
def test_a_page_keeps_every_rule_of_its_layout(
    theme: str, visit: Visit, chromium: Browser, server: Server
) -> None:
    home = server.add_site(f"{theme}.{visit.site}.layout", build_layout_site(theme, visit.site))
    page = chromium.new_page()
    resize_page(page, visit.width)
    page.goto(home + visit.path)
    heads = evaluate(page, visit, theme, "visits.map(({site, path, width}) => [site, path, width])")
    assert heads == [[v.site, v.path, v.width] for v in VISITS if v.script == visit.script]
    assert [*list_broken_rules(page, visit, theme, home)] == []


@pytest.mark.parametrize("theme", select_daily(THEMES, lambda theme: theme == "classic"))
def test_a_printed_homepage_has_three_pages_at_most(theme: str, chromium: Browser, server: Server) -> None:
    page = chromium.new_page()
    page.goto(server.add_site(f"{theme}.printed", build_sample_site(theme, "turing").artifacts))
    printed = PdfDocument(page.pdf(prefer_css_page_size=True, format="A4"))
    assert len(printed) <= 3
