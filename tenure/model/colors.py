"""Colors of themes and CVs: parsing, contrast, and the dark variant of a color."""

import re
from collections.abc import Iterable
from math import hypot

MIN_CONTRAST = 4.5
"""The minimum contrast of text (WCAG 2.2, success criterion 1.4.3)."""
CONTRAST_MARGIN = 0.05
"""Added to MIN_CONTRAST for computed colors, because browsers round."""

Channels = tuple[float, float, float]


def parse_colors(text: str) -> tuple[str, ...]:
    """The one or two colors in a text, each as "#a03c14"; () if the text is not a color."""
    parts = [part.removeprefix("#") for part in re.split(r"[\s,]+", text.strip().casefold())]
    if len(parts) > 2 or not all(re.fullmatch(r"[0-9a-f]{3}|[0-9a-f]{6}", part) for part in parts):
        return ()
    return tuple(map(_lengthen_color, parts))


def _lengthen_color(digits: str) -> str:
    """fa0 -> #ffaa00"""
    if len(digits) == 3:
        digits = re.sub("(.)", r"\1\1", digits)
    return f"#{digits}"


def contrast_ratio(first_color: str, second_color: str) -> float:
    """
    The contrast ratio of two colors, from 1 to 21.

    Source: WCAG 2.2, definitions of contrast ratio and of relative luminance.
    """
    darker, lighter = sorted((_relative_luminance(first_color), _relative_luminance(second_color)))
    return (lighter + 0.05) / (darker + 0.05)


def mix_colors(color: str, ground: str, share: float) -> str:
    """
    The result of `color-mix(in oklab, …)` of a color and a ground; the share of the color is from 0 to 1.
    """
    channel_pairs = zip(_convert_to_oklab(color), _convert_to_oklab(ground), strict=True)
    lightness, a, b = (share * own + (1 - share) * other for own, other in channel_pairs)
    return _convert_to_hex((lightness, a, b))


def turn_hue(color: str, hue_color: str) -> str:
    """
    A color in the hue of another one, with its own lightness and chroma; a grey gives little of its hue.
    """
    lightness, a, b = _convert_to_oklab(color)
    _, hue_a, hue_b = _convert_to_oklab(hue_color)
    share = hypot(a, b) / max(hypot(hue_a, hue_b), 0.04)
    return _convert_to_hex((lightness, share * hue_a, share * hue_b))


def lowest_contrast(color: str, grounds: Iterable[str], tint: float) -> float:
    """
    The lowest contrast of a color on its grounds, and on the first one with a share `tint` of the color.

    A chosen filter is drawn in the accent of the theme, on a ground with a tenth of the same accent.
    """
    page_ground, *other_grounds = grounds
    tinted = [mix_colors(color, page_ground, tint)] if tint else []
    return min(contrast_ratio(color, ground) for ground in (page_ground, *other_grounds, *tinted))


def lighten_color(color: str, grounds: tuple[str, ...], tint: float) -> str:
    """The color itself, or the nearest lighter one that is legible on all dark grounds."""
    if lowest_contrast(color, grounds, tint) >= MIN_CONTRAST:
        return color
    lightness, a, b = _convert_to_oklab(color)
    for step in range(1, 257):
        shade = _convert_to_hex((lightness + step / 256, a, b))
        if lowest_contrast(shade, grounds, tint) >= MIN_CONTRAST + CONTRAST_MARGIN:
            return shade
    return "#ffffff"


def _relative_luminance(color: str) -> float:
    red, green, blue = _linear_channels(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear_channels(color: str) -> Channels:
    """Linear red, green and blue of a color such as "#a03c14", from 0 to 1."""
    red, green, blue = (_linearize(int(color[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return red, green, blue


def _linearize(value: float) -> float:
    """A channel of sRGB as a share of light."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _compress(value: float) -> float:
    """A share of light as a channel of sRGB."""
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


_LINEAR_TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_LMS_TO_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_OKLAB_TO_LMS = (
    (1, 0.3963377774, 0.2158037573),
    (1, -0.1055613458, -0.0638541728),
    (1, -0.0894841775, -1.2914855480),
)
_LMS_TO_LINEAR = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
"""Source: CSS Color Module Level 4, sample code for conversions."""


def _multiply(matrix: tuple[Channels, ...], vector: Channels) -> Channels:
    """The product of a matrix, given by its rows, and a vector."""
    first, second, third = ((a * vector[0] + b * vector[1]) + c * vector[2] for a, b, c in matrix)
    return first, second, third


def _convert_to_oklab(color: str) -> Channels:
    """Lightness, a and b in OKLab."""
    long, medium, short = _multiply(_LINEAR_TO_LMS, _linear_channels(color))
    return _multiply(_LMS_TO_OKLAB, (long ** (1 / 3), medium ** (1 / 3), short ** (1 / 3)))


def _convert_to_hex(lab: Channels) -> str:
    """An OKLab color as "#a03c14"; channels outside sRGB are clipped."""
    long, medium, short = _multiply(_OKLAB_TO_LMS, lab)
    linear = _multiply(_LMS_TO_LINEAR, (long**3, medium**3, short**3))
    channels = (_compress(min(1.0, max(0.0, value))) for value in linear)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
