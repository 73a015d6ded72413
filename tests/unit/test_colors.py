"""Contrast by the definition of WCAG, mixing as in browsers, and the colour for dark pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.model.colors import (
    MIN_CONTRAST,
    contrast_ratio,
    lighten_color,
    lowest_contrast,
    mix_colors,
    parse_colors,
)

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
DARK_GROUNDS = ("#16181b", "#1e2125")


def test_usual_color_notations_are_read() -> None:
    assert parse_colors("#a03c14") == parse_colors("A03C14") == ("#a03c14",)
    assert parse_colors("#fc0") == ("#ffcc00",)
    assert parse_colors("#0b5fa5 8cc3f5") == parse_colors("#0b5fa5, #8cc3f5") == ("#0b5fa5", "#8cc3f5")
    assert not any(map(parse_colors, ("rust", "#12345", "#fff #fff #fff", "")))


@pytest.mark.parametrize(
    ("first", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.48),  # the lightest grey that fails, a well-known example
        ("#767676", "#ffffff", 4.54),
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#ffffff", 8.59),
    ],
)
def test_contrast_is_computed_as_in_wcag(first: str, other: str, ratio: float) -> None:
    assert round(contrast_ratio(first, other), 2) == ratio
    assert contrast_ratio(first, other) == contrast_ratio(other, first)


@pytest.mark.parametrize(
    ("colour", "ground", "share", "expected"),
    [
        ("#a03c14", "#fdfcfb", 1, "#a03c14"),
        ("#a03c14", "#fdfcfb", 0, "#fdfcfb"),
        ("#000000", "#ffffff", 0.5, "#636363"),
        # Values that Chromium 156 computes for color-mix(in oklab, …).
        ("#a03c14", "#fdfcfb", 0.1, "#f5e9e4"),
        ("#f0a27c", "#16181b", 0.1, "#282424"),
        ("#0b6a6e", "#fdfcfb", 0.26, "#c2d5d5"),
    ],
)
def test_colors_mix_as_in_a_browser(colour: str, ground: str, share: float, expected: str) -> None:
    assert mix_colors(colour, ground, share) == expected


@given(COLOURS)
def test_a_color_for_dark_pages_has_enough_contrast(colour: str) -> None:
    near = lighten_color(colour, DARK_GROUNDS, 0.1)
    assert lowest_contrast(near, DARK_GROUNDS, 0.1) >= MIN_CONTRAST
    assert (near == colour) == (lowest_contrast(colour, DARK_GROUNDS, 0.1) >= MIN_CONTRAST)
