"""Colors of themes and CVs: parsing, contrast, and the dark variant of a color."""

import re
from collections.abc import Iterable
from itertools import count, takewhile
from math import hypot

MIN_CONTRAST = 4.5
"""The minimum contrast of text (WCAG 2.2, success criterion 1.4.3)."""
CONTRAST_MARGIN = 0.05
"""Added to MIN_CONTRAST for computed colors, because browsers round."""

GREY_CHROMA = 0.04
"""The chroma in OKLab below which a color gives little of its hue."""

Channels = tuple[float, float, float]


def parse_colors(text: str) -> tuple[str, ...]:
    """The one or two colors in a text, each as "#a03c14"; () if the text is not a color."""
    parts = [part.removeprefix("#") for part in re.split(r"[\s,]+", text.strip().casefold())]
    if len(parts) > 2 or not all(re.fullmatch(r"[0-9a-f]{3}|[0-9a-f]{6}", part) for part in parts):
        return ()
    return tuple(f"#{part if len(part) == 6 else ''.join(digit + digit for digit in part)}" for part in parts)


def contrast_ratio(first_color: str, second_color: str) -> float:
    """
    The contrast ratio of two colors, from 1 to 21.

    Source: WCAG 2.2, definitions of contrast ratio and of relative luminance.
    """
    darker, lighter = sorted((_relative_luminance(first_color), _relative_luminance(second_color)))
    return (lighter + 0.05) / (darker + 0.05)


def mix_colors(color: str, ground: str, share: float) -> str:
    """The result of `color-mix(in oklab, …)` of a color and the ground; `share` is that of the color, from 0 to 1."""
    channel_pairs = zip(_convert_to_oklab(color), _convert_to_oklab(ground), strict=True)
    lightness, a, b = (
        share * color_value + (1 - share) * ground_value for color_value, ground_value in channel_pairs
    )
    return _convert_to_hex((lightness, a, b))


def turn_hue(color: str, hue_color: str) -> str:
    """
    A color with its own lightness in OKLab and the hue of another color.

    Its chroma stays too, unless the other color is nearly grey or sRGB has no such color.
    """
    lightness, a, b = _convert_to_oklab(color)
    _, hue_a, hue_b = _convert_to_oklab(hue_color)
    share = hypot(a, b) / max(hypot(hue_a, hue_b), GREY_CHROMA)
    shares = (share * n / 32 for n in range(32, -1, -1))
    labs = ((lightness, factor * hue_a, factor * hue_b) for factor in shares)
    return _convert_to_hex(next((lab for lab in labs if _is_in_srgb(lab)), (lightness, 0, 0)))


def lowest_contrast(color: str, grounds: Iterable[str], tint: float) -> float:
    """The lowest contrast of a color on its grounds, and on the first of them mixed with a share `tint` of the color."""
    page_ground, *other_grounds = grounds
    tinted = [mix_colors(color, page_ground, tint)] if tint else []
    return min(contrast_ratio(color, ground) for ground in (page_ground, *other_grounds, *tinted))


def lighten_color(color: str, grounds: tuple[str, ...], tint: float) -> str:
    """The color itself, or the nearest lighter one that is legible on all dark grounds."""
    if lowest_contrast(color, grounds, tint) >= MIN_CONTRAST:
        return color
    lightness, a, b = _convert_to_oklab(color)
    lightness_values = takewhile(lambda value: value <= 1, (lightness + n / 256 for n in count(1)))
    shades = (_convert_to_hex((value, a, b)) for value in lightness_values)
    legible_shades = (
        shade for shade in shades if lowest_contrast(shade, grounds, tint) >= MIN_CONTRAST + CONTRAST_MARGIN
    )
    return next(legible_shades, "#ffffff")


def _linear_channels(color: str) -> Channels:
    """Linear red, green and blue of a color such as "#a03c14", from 0 to 1."""
    red, green, blue = (int(color[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return _linearize_channel(red), _linearize_channel(green), _linearize_channel(blue)


def _linearize_channel(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _encode_channel(value: float) -> int:
    value = min(1.0, max(0.0, value))
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def _relative_luminance(color: str) -> float:
    red, green, blue = _linear_channels(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _convert_to_oklab(color: str) -> Channels:
    """Lightness, a and b in OKLab. Source: CSS Color Module Level 4, sample code for conversions."""
    red, green, blue = _linear_channels(color)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _convert_to_hex(lab: Channels) -> str:
    """An OKLab color as "#a03c14"; channels outside sRGB are clipped."""
    red, green, blue = map(_encode_channel, _convert_to_linear(lab))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _is_in_srgb(lab: Channels) -> bool:
    return all(-0.001 <= channel <= 1.001 for channel in _convert_to_linear(lab))


def _convert_to_linear(lab: Channels) -> Channels:
    """Linear red, green and blue of an OKLab color; outside 0 to 1 if sRGB has no such color."""
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return red, green, blue
