"""The options that every theme has: fonts, density, accent, photo and home."""

import re
from collections.abc import Callable

import pytest
from conftest import ROOT, Sources
from matrix import THEMES

Make = Callable[[str], Sources]
PAIRS = ("literata", "garamond", "inter", "figtree", "newsreader", "bricolage")
FONTS = ROOT / "themes/base/assets/fonts"
PHOTO = """-- content/profile.yaml --
name: Ada Example
email: name@example.edu
photo: files/ada.svg
-- content/files/ada.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="16" height="20"><rect width="16" height="20"/></svg>
"""


def opening_tag(page: str) -> str:
    (tag,) = re.findall(r"<html[^>]*>", page)
    return str(tag)


@pytest.mark.parametrize("theme", THEMES)
def test_a_site_without_these_options_loads_nothing_for_them(site: Make, theme: str) -> None:
    built = site(f"-- site.yaml --\ntheme: {theme}\n{PHOTO}").build()
    assert built.problems == []
    assert re.findall(r" data-\w+=", opening_tag(built.read_page("/"))) == []
    assert "data-density" not in built.read_page("/")
    files = {file.path for file in built.build.artifacts}
    assert not [path for path in files if "kits" in path or "literata" in path]
    assert theme in ("margin", "plate", "stage") or not [
        path for path in files if path.startswith("assets/fonts/") and path.endswith(".css")
    ]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("theme", THEMES)
def test_a_pair_of_fonts_loads_80_kilobytes_at_most(site: Make, theme: str, pair: str) -> None:
    built = site(f"-- site.yaml --\ntheme: {{name: {theme}, fonts: {pair}}}\n").build()
    assert built.problems == []
    files = {file.path: file.read() for file in built.build.artifacts}
    style = "".join(
        files[path].decode()
        for path in re.findall(r'<link rel="stylesheet" href="([^"]+)"', built.read_page("/"))
    )
    style += "".join(re.findall(r"<style>(.*?)</style>", built.read_page("/"), re.DOTALL))
    urls = re.findall(r'url\("([^"]+)"\)', style)
    stems = re.findall(r"url\(([\w-]+)\.woff2", (FONTS / f"{pair}.css").read_text(encoding="utf-8"))
    named = {
        f"assets/fonts/{name}" for url in urls if (name := url.rpartition("/")[2]).partition(".")[0] in stems
    }
    assert len(named) == len(stems)
    assert named <= files.keys()
    preloaded = set(re.findall(r'<link rel="preload" href="([^"]+)"', built.read_page("/")))
    assert preloaded <= named
    assert preloaded
    text_fonts = [len(files[path]) for path in named if "/ext-" not in path]
    assert sum(text_fonts) <= 81_920
    assert all(len(files[path]) <= 18_432 for path in named if "/ext-" in path)


def test_each_font_has_its_license() -> None:
    license_text = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in license_text
    families = {re.sub(r"^ext-|-(italic|600|700)$", "", path.stem) for path in FONTS.glob("*.woff2")}
    assert families == set(PAIRS)
    for family in families:
        assert re.search(rf"Copyright .*{family}", license_text, re.IGNORECASE)


def test_the_option_of_fonts_has_a_second_name(site: Make) -> None:
    first, second = (
        site(f"-- site.yaml --\ntheme: {{name: classic, {name}: garamond}}\n").build()
        for name in ("font", "fonts")
    )
    assert first.problems == second.problems == []
    assert first.read_page("/") == second.read_page("/")


@pytest.mark.parametrize("theme", THEMES)
def test_each_option_is_an_attribute_of_the_page(site: Make, theme: str) -> None:
    chosen = f"theme: {{name: {theme}, density: airy, photo: circle, home: centered, fonts: mono}}"
    built = site(f"-- site.yaml --\n{chosen}\npages: [home, publications]\n{PHOTO}").build()
    assert built.problems == []
    for attribute in ('density="airy"', 'photo="circle"', 'home="centered"', 'fonts="mono"'):
        assert f" data-{attribute}" in opening_tag(built.read_page("/"))
    (sheet,) = re.findall(r'"(assets/style[^"]*)"', built.read_page("/"))
    assert "[data-home=centered]" in built.read_page(f"/{sheet}")
    assert " data-home=" not in built.read_page("/404.html")
    assert " data-density=" in opening_tag(built.read_page("/404.html"))


@pytest.mark.parametrize("theme", THEMES)
def test_an_accent_is_the_color_of_links(site: Make, theme: str) -> None:
    page = site(f'-- site.yaml --\ntheme: {{name: {theme}, accent: "#7a2d2d"}}\n').build().read_page("/")
    (style,) = [text for text in re.findall(r"<style>(.*?)</style>", page, re.DOTALL) if "#7a2d2d" in text]
    assert re.search(r"--accent(-light)?:", style)
    assert "%237a2d2d" in page, "the icon has the accent"


def test_a_theme_changes_only_the_default_of_an_option(site: Make) -> None:
    """An option of a theme without a type inherits all missing properties from the theme that it extends."""
    theme = "-- themes/mine/theme.yaml --\nextends: folio\noptions:\n  density: {default: airy}\n"
    built = site(f"-- site.yaml --\ntheme: mine\n{theme}").build()
    assert built.problems == []
    assert ' data-density="airy"' in opening_tag(built.read_page("/"))
    wrong = site(f"-- site.yaml --\ntheme: mine\n{theme.replace('airy', 'loose')}").build()
    assert "the default “loose” is not a possible value" in "".join(wrong.problems)
