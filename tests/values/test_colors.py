"""Contrast by the definition of WCAG, mixing as in browsers, and the colour for dark pages."""

from hypothesis import given
from hypothesis import strategies as st

from tenure.model.colors import (
    MIN_CONTRAST,
    lighten_color,
    lowest_contrast,
)

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
DARK_GROUNDS = ("#16181b", "#1e2125")


@given(COLOURS)
def test_a_color_for_dark_pages_has_enough_contrast(colour: str) -> None:
    near = lighten_color(colour, DARK_GROUNDS, 0.1)
    assert lowest_contrast(near, DARK_GROUNDS, 0.1) >= MIN_CONTRAST
    assert (near == colour) == (lowest_contrast(colour, DARK_GROUNDS, 0.1) >= MIN_CONTRAST)
