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
from tenure.sources.theme import options as rules
from tenure.sources.theme.theme_settings import read_lineage

TEXT = {"fg", "muted", "link", "award", "accent"}
CONTROLS = {"rule"}
GROUNDS = {"bg", "panel"}


def read_css(theme: str, *names: str) -> str:
    folder = ROOT / "themes"
    paths = [folder / name for name in names] or sorted((folder / theme / "assets").glob("*.css"))
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def read_tokens(theme: str) -> dict[str, tuple[str, str]]:
    """Return the colours that a style sheet defines, as (light, dark)."""
    pairs = re.findall(r"--([\w-]+):light-dark\((#\w+),(#\w+)\)", read_css(theme))
    return {name: (expand_color(light), expand_color(dark)) for name, light, dark in pairs}


def expand_color(color: str) -> str:
    return color if len(color) == 7 else "#" + "".join(letter * 2 for letter in color[1:])


def read_options(theme: str) -> Mapping[str, rules.ThemeOption]:
    return read_lineage(ROOT, theme, Problems(), Place("site.yaml")).options


@pytest.mark.parametrize("theme", [theme for theme in THEMES if "bg" in read_tokens(theme)])
def test_text_has_enough_contrast_on_every_background(theme: str) -> None:
    for scheme in (0, 1):
        named = {name: pair[scheme] for name, pair in read_tokens(theme).items()}
        assert {"bg", "fg", "muted"} <= named.keys()
        for name, ground in product(named.keys() & TEXT, named.keys() & GROUNDS):
            assert contrast_ratio(named[name], named[ground]) >= 4.5, f"{name} on {ground}"
        for name in named.keys() & CONTROLS:
            assert contrast_ratio(named[name], named["bg"]) >= 3, name


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
    css = read_css("", "base/assets/style.css", "base/assets/themed.css", f"{theme}/assets/style.css")
    for name, color, share, ground in MIXTURE.findall(css):
        if {color, ground} <= colors.keys():
            colors[name] = mix_colors(colors[color], colors[ground], int(share) / 100)
    return colors


LOOKS = ("classic", "folio", "margin", "plate", "stage")


@pytest.mark.parametrize("theme", LOOKS)
def test_every_text_is_legible_in_every_palette(theme: str) -> None:
    palettes = read_options(theme)["palette"].palettes
    assert len(palettes) == 6
    for (name, palette), scheme in product(palettes.items(), ("light", "dark")):
        colors = mix_palette(theme, palette, scheme)
        pairs = [*product(("fg", "muted", "accent"), ("bg", "panel")), ("accent", "tint"), ("fg", "mark")]
        if "band" in colors:
            pairs.append(("ink", "band"))
        for text, ground in pairs:
            assert contrast_ratio(colors[text], colors[ground]) >= 4.5, f"{name}: {text} on {ground}"
        assert contrast_ratio(colors["edge"], colors["bg"]) >= 3, name


@pytest.mark.parametrize("theme", LOOKS)
def test_an_accent_is_legible_in_every_palette_or_is_reported(theme: str) -> None:
    options = read_options(theme)
    for name, palette in options["palette"].palettes.items():
        option = rules.use_grounds_of_palette(options, {"palette": name})["accent"]
        for chosen in (*option.choice_names, "#7a2d2d", "#000"):
            accent = option.to_template_value(chosen)
            assert isinstance(accent, ThemeColor)
            colored = rules.color_palette(palette, accent)
            problem = rules.check_option_value("accent", chosen, {"accent": option})
            assert (problem is None) == (not list(rules.check_palette(name, colored, option.tint))), chosen
            assert problem is None or chosen not in option.choice_names


@pytest.mark.parametrize("theme", THEMES)
def test_every_accent_color_has_enough_contrast(theme: str) -> None:
    for option in (option for option in read_options(theme).values() if option.type == "colour"):
        grounds = [ground.split() for ground in option.grounds]
        for name in option.choice_names:
            color = option.to_template_value(name)
            assert isinstance(color, ThemeColor)
            for chosen, column in ((color.light, 0), (color.dark, 1)):
                hexes = [f"#{pair[column]}" for pair in grounds]
                assert lowest_contrast(chosen, hexes, option.tint / 100) >= 4.5, name


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
    assert len(read_options("folio")["accent"].choice_names) == 9
