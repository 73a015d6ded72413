"""The layout of pages: each group of rules in layout.txt, in each theme, and what a printer gets."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from chromium import Server
from conftest import ROOT, SAMPLES_FOLDER, select_daily, write_files
from matrix import PORTRAIT, THEMES, build_sample_site
from playwright.sync_api import Browser, Page
from pypdfium2 import PdfDocument

from tenure.build import build_site
from tenure.publish import Artifact
from tenure.site_folder import BuildOptions

HERE = Path(__file__).parent
HELPERS = HERE.joinpath("layout.js").read_text(encoding="utf-8")
LOOKS = tuple(theme for theme in THEMES if theme not in ("base", "plain"))
SITES = dict(
    re.findall(
        r"^~~~~ (\S+)\n(.*?)(?=^~~~~|\Z)",
        HERE.joinpath("layout_sites.txt").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
SITES["side"] = PORTRAIT.replace("-- site.yaml --\n", "-- site.yaml --\ntheme: {name: base, menu: side}\n")
HEIGHTS = {390: 844}


class Group(NamedTuple):
    """A page in a window, with the steps and rules for it."""

    site: str
    path: str
    width: int
    themes: tuple[str, ...]
    lines: tuple[str, ...]


def read_groups() -> Iterator[Group]:
    for part in HERE.joinpath("layout.txt").read_text(encoding="utf-8").split("\n@ ")[1:]:
        header, *lines = part.strip().split("\n")
        site, path, width, *named = header.split()
        themes = LOOKS if named == ["looks"] else tuple(named or THEMES)
        yield Group(site, path.removeprefix("/"), int(width), themes, tuple(lines))


CASES = [(theme, group) for group in read_groups() for theme in group.themes]


def is_daily(case: tuple[str, Group]) -> bool:
    """Each day all groups in classic, those for looks also in folio, and those that name other themes."""
    theme, group = case
    is_look = theme == "folio" and group.themes == LOOKS
    return theme == "classic" or is_look or group.themes not in (LOOKS, tuple(THEMES))


def build_layout_site(theme: str, site: str) -> tuple[Artifact, ...]:
    if site not in SITES:
        return build_sample_site(theme, site).artifacts
    folder = SAMPLES_FOLDER / f"layout-{site}-{theme}"
    write_files(folder, SITES[site])
    face = ROOT / "examples/group/content/maren.jpg"
    folder.joinpath("content/maren.jpg").write_bytes(face.read_bytes())
    return build_site(folder, options=BuildOptions(theme=theme)).artifacts


def take_step(page: Page, home: str, step: str) -> None:
    name, _, rest = step.partition(" ")
    if name == "click":
        page.locator(rest).first.click()
        page.wait_for_load_state()
    elif name == "fill":
        selector, _, text = rest.partition(" =")
        page.fill(selector, text.strip())
    elif name == "press":
        page.keyboard.press(rest)
    elif name == "open":
        page.goto(home + rest)
    elif name == "width":
        resize_page(page, int(rest))
    elif name == "media":
        page.emulate_media(
            media="print" if rest == "print" else "screen",
            color_scheme="dark" if rest == "dark" else "light",
            forced_colors="active" if rest == "forced" else "none",
        )
    else:
        assert name == "run", step
        page.evaluate(f"(() => {{ {HELPERS}; {rest} }})()")


def resize_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})


def find_broken_rules(page: Page, theme: str, rules: list[str]) -> list[str]:
    """Evaluate all rules at once, and return those that are not true."""
    named = [rule.partition(": ")[::2] for rule in rules]
    checks = ",\n".join(f"[{name!r}, () => {expression}]" for name, expression in named)
    broken: list[str] = page.evaluate(
        f"""(() => {{ const theme = {theme!r}; {HELPERS}
        return [{checks}].flatMap(([name, rule]) => {{
          try {{ return rule() === true ? [] : [name]; }} catch (error) {{ return [`${{name}}: ${{error}}`]; }}
        }}); }})()"""
    )
    return broken


@pytest.mark.parametrize(
    ("theme", "group"),
    select_daily(CASES, is_daily),
    ids=[f"{theme}-{group.site}-{group.path}-{group.width}" for theme, group in CASES],
)
def test_a_page_keeps_every_rule_of_its_layout(
    theme: str, group: Group, chromium: Browser, server: Server
) -> None:
    home = server.add_site(f"{theme}.{group.site}.layout", build_layout_site(theme, group.site))
    page = chromium.new_page()
    resize_page(page, group.width)
    page.goto(home + group.path)
    broken: list[str] = []
    rules: list[str] = []
    for line in (*group.lines, "> media light"):
        if not line.startswith("> "):
            rules.append(line)
            continue
        broken += find_broken_rules(page, theme, rules)
        rules = []
        take_step(page, home, line.removeprefix("> "))
    assert broken == []


@pytest.mark.parametrize("theme", select_daily(THEMES, lambda theme: theme == "classic"))
def test_a_printed_homepage_has_three_pages_at_most(theme: str, chromium: Browser, server: Server) -> None:
    page = chromium.new_page()
    page.goto(server.add_site(f"{theme}.printed", build_sample_site(theme, "turing").artifacts))
    printed = PdfDocument(page.pdf(prefer_css_page_size=True, format="A4"))
    assert len(printed) <= 3
