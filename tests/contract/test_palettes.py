"""Every theme's colours: text has a contrast of 4.5 and controls of 3 on every background, in light and in dark."""

import re
from collections.abc import Mapping
from itertools import product

import pytest
from conftest import ROOT
from matrix import THEMES

from tenure.model.colors import contrast_ratio, lowest_contrast, mix_colors
from tenure.model.site import ThemeColor, ThemePalette
from tenure.problems import Place, Problems
from tenure.sources.theme.options import (
    ThemeOption,
    check_option_value,
    check_palette,
    color_palette,
    use_grounds_of_palette,
)
from tenure.sources.theme.theme import read_lineage

TEXT = {"fg", "muted", "link", "award", "accent"}
CONTROLS = {"rule"}
GROUNDS = {"bg", "panel"}


def read_tokens(theme: str) -> dict[str, tuple[str, str]]:
    """Return the colours that a style sheet defines, as (light, dark)."""
    css = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "themes" / theme / "assets").glob("*.css")
    )
    pairs = re.findall(r"--([\w-]+):light-dark\((#\w+),(#\w+)\)", css)
    return {name: (_expand_colour(light), _expand_colour(dark)) for name, light, dark in pairs}


def _expand_colour(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(letter * 2 for letter in colour[1:])


@pytest.mark.parametrize("theme", [theme for theme in THEMES if "bg" in read_tokens(theme)])
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_has_enough_contrast_on_every_background(theme: str, scheme: int) -> None:
    named = {name: pair[scheme] for name, pair in read_tokens(theme).items()}
    assert {"bg", "fg", "muted"} <= named.keys()
    for name, ground in product(named.keys() & TEXT, named.keys() & GROUNDS):
        assert contrast_ratio(named[name], named[ground]) >= 4.5, f"{name} on {ground}"
    for name in named.keys() & CONTROLS:
        assert contrast_ratio(named[name], named["bg"]) >= 3, name


def read_options(theme: str) -> Mapping[str, ThemeOption]:
    return read_lineage(ROOT, theme, Problems(), Place("site.yaml")).options


OPTIONS = [
    (theme, key, name)
    for theme in THEMES
    for key, option in read_options(theme).items()
    if option.type == "colour"
    for name in option.choice_names
]


PALETTES = [
    pytest.param(theme, palette, id=f"{theme}-{name}")
    for theme in THEMES
    for option in read_options(theme).values()
    for name, palette in option.palettes.items()
]
MIXTURE = re.compile(
    r"""
    --(\w+):color-mix\(in\ oklab,            # --panel:color-mix(in oklab,
    var\(--(\w+)[^)]*\)\ (\d+)%,             # var(--fg) 5%,
    var\(--(\w+)[^)]*\)\)                    # var(--bg))
    """,
    re.VERBOSE,
)


def mix_palette(theme: str, palette: ThemePalette, scheme: str) -> dict[str, str]:
    """Return the colours that a palette gives to a page: its own, and those that the style sheets mix of them."""
    parts = {
        "accent": palette,
        "bg": palette.ground,
        "fg": palette.text,
        "ink": palette.ink,
        "band": palette.band,
    }
    colors = {name: str(getattr(part, scheme)) for name, part in parts.items() if part}
    paths = ("base/assets/style.css", "base/assets/themed.css", f"{theme}/assets/style.css")
    css = "".join((ROOT / "themes" / path).read_text(encoding="utf-8") for path in paths)
    for name, color, share, ground in MIXTURE.findall(css):
        if {color, ground} <= colors.keys():
            colors[name] = mix_colors(colors[color], colors[ground], int(share) / 100)
    return colors


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("theme", "palette"), PALETTES)
def test_every_text_is_legible_in_every_palette(theme: str, palette: ThemePalette, scheme: str) -> None:
    colors = mix_palette(theme, palette, scheme)
    pairs = [*product(("fg", "muted", "accent"), ("bg", "panel")), ("accent", "tint"), ("fg", "mark")]
    if "band" in colors:
        pairs.append(("ink", "band"))
    for text, ground in pairs:
        assert contrast_ratio(colors[text], colors[ground]) >= 4.5, f"{text} on {ground}"
    assert contrast_ratio(colors["edge"], colors["bg"]) >= 3


@pytest.mark.parametrize("theme", ["classic", "folio", "margin", "plate", "stage"])
def test_a_theme_has_six_palettes(theme: str) -> None:
    assert len(read_options(theme)["palette"].palettes) == 6


@pytest.mark.parametrize(("theme", "palette"), PALETTES)
def test_an_accent_is_legible_in_every_palette_or_is_reported(theme: str, palette: ThemePalette) -> None:
    options = read_options(theme)
    name = next(name for name, other in options["palette"].palettes.items() if other == palette)
    option = use_grounds_of_palette(options, {"palette": name})["accent"]
    for chosen in (*option.choice_names, "#7a2d2d", "#000"):
        accent = option.to_template_value(chosen)
        assert isinstance(accent, ThemeColor)
        colored = color_palette(palette, accent)
        problem = check_option_value("accent", chosen, {"accent": option})
        assert (problem is None) == (not list(check_palette(name, colored, option.tint))), chosen
        assert problem is None or chosen not in option.choice_names


@pytest.mark.parametrize(("theme", "key", "name"), OPTIONS)
def test_every_accent_color_has_enough_contrast(theme: str, key: str, name: str) -> None:
    option = read_options(theme)[key]
    colour = option.to_template_value(name)
    assert isinstance(colour, ThemeColor)
    grounds = [ground.split() for ground in option.grounds]
    for chosen, column in ((colour.light, 0), (colour.dark, 1)):
        assert lowest_contrast(chosen, [f"#{pair[column]}" for pair in grounds], option.tint / 100) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_any_color_becomes_legible_on_the_dark_pages_of_every_theme(theme: str) -> None:
    """The colour for dark pages has a contrast of at least 4.5 on the page, on a panel and on a tag."""
    option = read_options(theme)["accent"]
    named = read_tokens(theme)
    grounds = [named[name] for name in ("bg", "panel") if name in named] or [("#ffffff", "#121212")]
    levels = (0x00, 0x33, 0x66, 0x99, 0xCC, 0xFF)
    for red, green, blue in product(levels, levels, levels):
        colour = option.to_template_value(f"#{red:02x}{green:02x}{blue:02x}")
        assert isinstance(colour, ThemeColor)
        ratio = lowest_contrast(colour.dark, [dark for _, dark in grounds], option.tint / 100)
        assert ratio >= 4.5, f"#{red:02x}{green:02x}{blue:02x} as {colour.dark}: {ratio}"


def test_a_legible_color_is_used_as_it_is() -> None:
    colour = read_options("classic")["accent"].to_template_value("#7a2d2d")
    assert isinstance(colour, ThemeColor)
    assert colour.light == "#7a2d2d"
    assert colour.dark != "#7a2d2d"


def test_folio_has_its_nine_accents() -> None:
    assert len([name for theme, key, name in OPTIONS if (theme, key) == ("folio", "accent")]) == 9
