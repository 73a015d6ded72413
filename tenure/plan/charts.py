"""Geometry of the charts that a theme draws: columns by year and bars."""

import math
import unicodedata
from collections.abc import Mapping, Sequence

from tenure.record import Record

CHART_WIDTH = 320
"""Width of a chart in units: as many as the narrowest page has pixels, so that its text can be read there."""

MAX_LETTER_WIDTH = 5.9
"""Maximum width of a letter in units, averaged over a name, in the font size of a chart."""

MAX_TONES = 5
"""Number of shades that a reader can distinguish in one chart."""


class Bar(Record):
    """A rectangle; `tone` is its shade, 0 is the strongest."""

    x: float
    y: float
    width: float
    height: float
    tone: int = 0


class TextLabel(Record):
    """A text; `anchor` is the part of it at the point: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    anchor: str = "start"


class Chart(Record):
    """
    Shapes on an area of CHART_WIDTH by `height` units; drawn in the order lines, bars, labels.

    `lines` are the SVG paths of a scale.
    """

    height: float
    lines: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    labels: tuple[TextLabel, ...] = ()

    @property
    def width(self) -> int:
        return CHART_WIDTH


MAX_COLUMN_HEIGHT = 130
"""Height of the area for columns, in units."""

SCALE_WIDTH = 30
"""Width at the left for the numbers of the scale, in units."""


def make_column_chart(counts: Mapping[int, Sequence[int]]) -> Chart:
    """
    A column for each year from the first to the last, including years without a count.

    The counts of a year are stacked, the first at the bottom, each in its own shade; at most MAX_TONES counts.
    """
    first, last = min(counts), max(counts)
    max_count = max(sum(year_counts) for year_counts in counts.values())
    step = _choose_step(max_count, 4)
    scale_end = math.ceil(max_count / step) * step
    unit_height, column_pitch = (
        MAX_COLUMN_HEIGHT / scale_end,
        (CHART_WIDTH - SCALE_WIDTH) / (last - first + 1),
    )
    bars: list[Bar] = []
    for year, year_counts in sorted(counts.items()):
        column_start, bottom = SCALE_WIDTH + (year - first) * column_pitch, 10.0 + MAX_COLUMN_HEIGHT
        for tone, count in enumerate(year_counts):
            if count:
                height = count * unit_height
                bottom -= height
                bar_width = min(column_pitch * 0.76, 34)
                bars.append(
                    _make_bar(column_start + (column_pitch - bar_width) / 2, bottom, bar_width, height, tone)
                )
    scale_lines = [
        (number, round(10 + MAX_COLUMN_HEIGHT - number * unit_height, 1))
        for number in range(0, scale_end + 1, step)
    ]
    year_step = _choose_step(last - first + 1, int((CHART_WIDTH - SCALE_WIDTH) / 34))
    labelled_years = [year for year in range(first, last + 1) if year % year_step == 0] or [first]
    label_centers = [
        min(SCALE_WIDTH + (year - first + 0.5) * column_pitch, CHART_WIDTH - measure_text(str(year)) / 2)
        for year in labelled_years
    ]
    years = [
        TextLabel(round(x, 1), MAX_COLUMN_HEIGHT + 24, str(y), "middle")
        for x, y in zip(label_centers, labelled_years, strict=True)
    ]
    return Chart(
        height=MAX_COLUMN_HEIGHT + 30,
        lines=tuple(f"M{SCALE_WIDTH} {y}H{CHART_WIDTH}" for _, y in scale_lines),
        bars=tuple(bars),
        labels=(
            *(TextLabel(SCALE_WIDTH - 5, y + 3.5, str(number), "end") for number, y in scale_lines),
            *years,
        ),
    )


def _choose_step(max_count: int, max_steps: int) -> int:
    """The smallest round number (1, 2 or 5 times a power of ten) with at most `max_steps` steps to `max_count`."""
    sizes = (digit * int(10**power) for power in range(9) for digit in (1, 2, 5))
    return next(size for size in sizes if max_count <= size * max_steps)


def _make_bar(x: float, y: float, width: float, height: float, tone: int) -> Bar:
    return Bar(round(x, 1), round(y, 1), round(width, 1), round(height, 1), tone)


BAR_ROW_HEIGHT = 22
"""Vertical distance between two bars, in units."""

BACKGROUND_TONE = 3
"""A shade that is light enough for text on it."""


def make_bar_chart(counts: Sequence[tuple[str, int]]) -> Chart:
    """A bar for each name, after the name, with a length proportional to its count; the count is at the right."""
    max_count = max(count for _, count in counts)
    bar_shapes: list[Bar] = []
    labels: list[TextLabel] = []
    for row, (name, count) in enumerate(counts):
        bar_shapes.append(
            _make_bar(
                1,
                row * BAR_ROW_HEIGHT + 2,
                (CHART_WIDTH - 2) * count / max_count,
                BAR_ROW_HEIGHT - 4,
                BACKGROUND_TONE,
            )
        )
        labels.append(TextLabel(7, row * BAR_ROW_HEIGHT + 14.5, truncate_to_width(name, CHART_WIDTH - 40)))
        labels.append(TextLabel(CHART_WIDTH - 7, row * BAR_ROW_HEIGHT + 14.5, str(count), "end"))
    return Chart(height=len(counts) * BAR_ROW_HEIGHT, bars=tuple(bar_shapes), labels=tuple(labels))


def truncate_to_width(text: str, max_width: float) -> str:
    """The text, shortened with "…" if it is wider than `max_width` units."""
    if measure_text(text) <= max_width:
        return text
    end = len(text)
    while end > 1 and measure_text(text[:end].rstrip() + "…") > max_width:
        end -= 1
    return text[:end].rstrip() + "…"


def measure_text(text: str) -> float:
    """Maximum width of a text in units; a Chinese or Japanese character counts as two letters."""
    characters = [c for c in text if not unicodedata.combining(c)]
    return MAX_LETTER_WIDTH * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in characters)
