"""Colors of a theme: parsing, contrast, and the nearest legible color."""

import re
from collections.abc import Iterable
from itertools import count, takewhile

from tenure.model.site import Colour

LEAST = 4.5
"""The minimum contrast of text (WCAG 2.2, success criterion 1.4.3)."""
SPARE = 0.05
"""Added to MIN_CONTRAST for suggested colors, because browsers round."""

Channels = tuple[float, float, float]


def read_colour(words: str) -> tuple[str, ...]:
    """The one or two colors in a text, each as "#a03c14"; () if the text is not a color."""
    parts = [part.removeprefix("#") for part in re.split(r"[\s,]+", words.strip().casefold())]
    if len(parts) > 2 or not all(re.fullmatch(r"[0-9a-f]{3}|[0-9a-f]{6}", part) for part in parts):
        return ()
    return tuple(f"#{part if len(part) == 6 else ''.join(c + c for c in part)}" for part in parts)


def contrast(one: str, other: str) -> float:
    """
    The contrast ratio of two colors, from 1 to 21.

    Source: WCAG 2.2, definitions of contrast ratio and of relative luminance.
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def mixed(colour: str, ground: str, share: float) -> str:
    """The result of `color-mix(in oklab, …)` of a color and the ground; `share` is that of the color, from 0 to 1."""
    parts = zip(_oklab(colour), _oklab(ground), strict=True)
    lightness, a, b = (share * one + (1 - share) * other for one, other in parts)
    return _hex((lightness, a, b))


def legibility(colour: str, grounds: Iterable[str], tint: float) -> float:
    """The lowest contrast of a color on its grounds, and on the first of them mixed with a share `tint` of the color."""
    first, *rest = grounds
    tinted = [mixed(colour, first, tint)] if tint else []
    return min(contrast(colour, ground) for ground in (first, *rest, *tinted))


def nearest_legible(colour: str, grounds: tuple[str, ...], tint: float) -> str:
    """The color itself, or the nearest color in lightness that is legible on all grounds."""
    if legibility(colour, grounds, tint) >= LEAST:
        return colour
    lightness, a, b = _oklab(colour)
    step = -1 / 256 if _luminance(grounds[0]) > 0.18 else 1 / 256
    lighter = takewhile(lambda value: 0 <= value <= 1, (lightness + n * step for n in count(1)))
    shades = (_hex((value, a, b)) for value in lighter)
    found = (shade for shade in shades if legibility(shade, grounds, tint) >= LEAST + SPARE)
    return next(found, "#000000" if step < 0 else "#ffffff")


def legible(written: tuple[str, ...], grounds: tuple[Colour, ...], tint: float) -> tuple[Colour, Colour]:
    """The color for light and dark from one or two color codes, and the nearest legible color (the dark default)."""
    light, dark = written[0], written[-1]
    on_light, on_dark = tuple(g.light for g in grounds), tuple(g.dark for g in grounds)
    near = Colour(light=nearest_legible(light, on_light, tint), dark=nearest_legible(dark, on_dark, tint))
    return Colour(light=light, dark=dark if len(written) > 1 else near.dark), near


def _channels(colour: str) -> Channels:
    """Linear red, green and blue of a color such as "#a03c14", from 0 to 1."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _encoded(value: float) -> int:
    value = min(1.0, max(0.0, value))
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def _luminance(colour: str) -> float:
    red, green, blue = _channels(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _oklab(colour: str) -> Channels:
    """Lightness, a and b in OKLab. Source: CSS Color Module Level 4, sample code for conversions."""
    red, green, blue = _channels(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _hex(lab: Channels) -> str:
    """An OKLab color as "#a03c14"; channels outside sRGB are clipped."""
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return f"#{_encoded(red):02x}{_encoded(green):02x}{_encoded(blue):02x}"
