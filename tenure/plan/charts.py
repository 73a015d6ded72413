"""Geometry of the charts that a theme draws: columns by year, a circle of people, bars."""

import math
import unicodedata
from collections.abc import Mapping, Sequence

from tenure.record import dataclass

CHART_WIDTH = 320
"""Width of a chart in units: as many as the narrowest page has pixels, so that its text can be read there."""

MAX_LETTER_WIDTH = 5.9
"""Maximum width of a letter in units, averaged over a name, in the font size of a chart."""

MAX_TONES = 5
"""Number of shades that a reader can distinguish in one chart."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle; `tone` is its shade, 0 is the strongest."""

    x: float
    y: float
    width: float
    height: float
    tone: int = 0


@dataclass(frozen=True, slots=True)
class LinePath:
    """A line as an SVG path with its stroke width; 0 for a thin line of the scale."""

    path: str
    width: float = 0


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class TextLabel:
    """A text; `anchor` is the part of it at the point: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Chart:
    """Shapes on an area of CHART_WIDTH by `height` units; drawn in the order lines, bars, dots, labels."""

    height: float
    lines: tuple[LinePath, ...] = ()
    bars: tuple[Bar, ...] = ()
    dots: tuple[Dot, ...] = ()
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
        lines=tuple(LinePath(f"M{SCALE_WIDTH} {y}H{CHART_WIDTH}") for _, y in scale_lines),
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


CIRCLE_ROW_HEIGHT = 17
"""Vertical distance between two names of a circle, in units."""

CIRCLE_RADIUS = 62
"""Horizontal radius of the circle, in units."""


def make_circle_chart(
    names: Sequence[str], weights: Sequence[int], connections: Mapping[tuple[int, int], int]
) -> Chart:
    """
    Names around a circle, clockwise from the top, at different heights so that no two overlap.

    The area of a dot shows its weight, the width of a line the count of its connection. The keys of `connections`
    are pairs of indexes into `names`, the smaller index first.
    """
    right_count = math.ceil(len(names) / 2)
    height = max(right_count, 3) * CIRCLE_ROW_HEIGHT + 14
    points: list[tuple[float, float]] = []
    for position in range(len(names)):
        is_right = position < right_count
        rows = right_count if is_right else len(names) - right_count
        row = position if is_right else len(names) - 1 - position
        fraction = (row + 0.5) / rows * 2 - 1
        x = CIRCLE_RADIUS * math.sqrt(1 - fraction * fraction)
        points.append((CHART_WIDTH / 2 + (x if is_right else -x), height / 2 + fraction * (height - 14) / 2))
    dots = [
        Dot(round(x, 1), round(y, 1), round(2 + 4.5 * math.sqrt(weight / max(weights)), 1))
        for (x, y), weight in zip(points, weights, strict=True)
    ]
    labels: list[TextLabel] = []
    for dot, name in zip(dots, names, strict=True):
        is_right = dot.x >= CHART_WIDTH / 2
        x = dot.x + (dot.radius + 4) * (1 if is_right else -1)
        label_text = truncate_to_width(name, CHART_WIDTH - x if is_right else x)
        labels.append(
            TextLabel(round(x, 1), round(dot.y + 3.5, 1), label_text, "start" if is_right else "end")
        )
    lines = (
        _make_connection(dots[a], dots[b], height / 2, count) for (a, b), count in sorted(connections.items())
    )
    return Chart(height=height, lines=tuple(lines), dots=tuple(dots), labels=tuple(labels))


def _make_connection(start: Dot, end: Dot, middle: float, count: int) -> LinePath:
    """A line between two dots, curved to the center of the circle, more for distant dots."""
    distance = math.hypot(start.x - end.x, start.y - end.y)
    bend = 0.85 - 0.5 * min(distance / (2 * CIRCLE_RADIUS), 1)
    x = CHART_WIDTH / 2 + ((start.x + end.x) / 2 - CHART_WIDTH / 2) * bend
    y = middle + ((start.y + end.y) / 2 - middle) * bend
    path = f"M{start.x} {start.y}Q{round(x, 1)} {round(y, 1)} {end.x} {end.y}"
    return LinePath(path, round(min(0.4 + 0.4 * count, 3), 1))


BAR_ROW_HEIGHT = 22
"""Vertical distance between two bars, in units."""

BACKGROUND_TONE = 3
"""A shade that is light enough for text on it."""


def make_bar_chart(counts: Sequence[tuple[str, int]]) -> Chart:
    """A bar for each name, behind the name, with a length proportional to its count; the count is at the right."""
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
