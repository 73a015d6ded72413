"""Geometry of the charts that a theme draws: columns by year, a circle of people, bars."""

import math
import unicodedata
from collections.abc import Mapping, Sequence

from tenure.frozen import dataclass

WIDTH = 320
"""Width of a chart in units: as many as the narrowest page has pixels, so that its text can be read there."""

LETTER = 5.9
"""Maximum width of a letter in units, averaged over a name, in the font size of a chart."""

TONES = 5
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
class Line:
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
class Label:
    """A text; `anchor` is the part of it at the point: "start", "middle" or "end"."""

    x: float
    y: float
    words: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on an area of CHART_WIDTH by `height` units; drawn in the order lines, bars, dots, labels."""

    height: float
    lines: tuple[Line, ...] = ()
    bars: tuple[Bar, ...] = ()
    dots: tuple[Dot, ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def width(self) -> int:
        return WIDTH


PLOT = 130
"""Height of the area for columns, in units."""

SCALE = 30
"""Width at the left for the numbers of the scale, in units."""


def columns(counts: Mapping[int, Sequence[int]]) -> Drawing:
    """
    A column for each year from the first to the last, including years without a count.

    The counts of a year are stacked, the first at the bottom, each in its own shade; at most MAX_TONES counts.
    """
    first, last = min(counts), max(counts)
    most = max(sum(parts) for parts in counts.values())
    step = _step(most, 4)
    top = math.ceil(most / step) * step
    unit, pitch = PLOT / top, (WIDTH - SCALE) / (last - first + 1)
    bars: list[Bar] = []
    for year, parts in sorted(counts.items()):
        left, foot = SCALE + (year - first) * pitch, 10.0 + PLOT
        for tone, count in enumerate(parts):
            if count:
                height = count * unit
                foot -= height
                broad = min(pitch * 0.76, 34)
                bars.append(_bar(left + (pitch - broad) / 2, foot, broad, height, tone))
    rungs = [(number, round(10 + PLOT - number * unit, 1)) for number in range(0, top + 1, step)]
    every = _step(last - first + 1, int((WIDTH - SCALE) / 34))
    marked = [year for year in range(first, last + 1) if year % every == 0] or [first]
    middles = [min(SCALE + (year - first + 0.5) * pitch, WIDTH - extent(str(year)) / 2) for year in marked]
    years = [Label(round(x, 1), PLOT + 24, str(y), "middle") for x, y in zip(middles, marked, strict=True)]
    return Drawing(
        height=PLOT + 30,
        lines=tuple(Line(f"M{SCALE} {y}H{WIDTH}") for _, y in rungs),
        bars=tuple(bars),
        labels=(*(Label(SCALE - 5, y + 3.5, str(number), "end") for number, y in rungs), *years),
    )


def _step(most: int, rungs: int) -> int:
    """The smallest round number (1, 2 or 5 times a power of ten) with at most `max_steps` steps to `max_count`."""
    sizes = (digit * int(10**power) for power in range(9) for digit in (1, 2, 5))
    return next(size for size in sizes if most <= size * rungs)


def _bar(x: float, y: float, width: float, height: float, tone: int) -> Bar:
    return Bar(round(x, 1), round(y, 1), round(width, 1), round(height, 1), tone)


ROW = 17
"""Vertical distance between two names of a circle, in units."""

RADIUS = 62
"""Horizontal radius of the circle, in units."""


def circle(names: Sequence[str], weights: Sequence[int], ties: Mapping[tuple[int, int], int]) -> Drawing:
    """
    Names around a circle, clockwise from the top, at different heights so that no two overlap.

    The area of a dot shows its weight, the width of a line the count of its connection. The keys of `connections`
    are pairs of indexes into `names`, the smaller index first.
    """
    right = math.ceil(len(names) / 2)
    height = max(right, 3) * ROW + 14
    places: list[tuple[float, float]] = []
    for position in range(len(names)):
        east = position < right
        rows = right if east else len(names) - right
        row = position if east else len(names) - 1 - position
        across = (row + 0.5) / rows * 2 - 1
        x = RADIUS * math.sqrt(1 - across * across)
        places.append((WIDTH / 2 + (x if east else -x), height / 2 + across * (height - 14) / 2))
    dots = [
        Dot(round(x, 1), round(y, 1), round(2 + 4.5 * math.sqrt(weight / max(weights)), 1))
        for (x, y), weight in zip(places, weights, strict=True)
    ]
    labels: list[Label] = []
    for dot, name in zip(dots, names, strict=True):
        east = dot.x >= WIDTH / 2
        x = dot.x + (dot.radius + 4) * (1 if east else -1)
        words = fitted(name, WIDTH - x if east else x)
        labels.append(Label(round(x, 1), round(dot.y + 3.5, 1), words, "start" if east else "end"))
    lines = (_tie(dots[a], dots[b], height / 2, count) for (a, b), count in sorted(ties.items()))
    return Drawing(height=height, lines=tuple(lines), dots=tuple(dots), labels=tuple(labels))


def _tie(one: Dot, other: Dot, middle: float, count: int) -> Line:
    """A line between two dots, curved to the center of the circle, more for distant dots."""
    apart = math.hypot(one.x - other.x, one.y - other.y)
    bent = 0.85 - 0.5 * min(apart / (2 * RADIUS), 1)
    x = WIDTH / 2 + ((one.x + other.x) / 2 - WIDTH / 2) * bent
    y = middle + ((one.y + other.y) / 2 - middle) * bent
    path = f"M{one.x} {one.y}Q{round(x, 1)} {round(y, 1)} {other.x} {other.y}"
    return Line(path, round(min(0.4 + 0.4 * count, 3), 1))


BAND = 22
"""Vertical distance between two bars, in units."""

BEHIND = 3
"""A shade that is light enough for text on it."""


def bars(counts: Sequence[tuple[str, int]]) -> Drawing:
    """A bar for each name, behind the name, with a length proportional to its count; the count is at the right."""
    most = max(count for _, count in counts)
    made: list[Bar] = []
    labels: list[Label] = []
    for row, (name, count) in enumerate(counts):
        made.append(_bar(1, row * BAND + 2, (WIDTH - 2) * count / most, BAND - 4, BEHIND))
        labels.append(Label(7, row * BAND + 14.5, fitted(name, WIDTH - 40)))
        labels.append(Label(WIDTH - 7, row * BAND + 14.5, str(count), "end"))
    return Drawing(height=len(counts) * BAND, bars=tuple(made), labels=tuple(labels))


def fitted(words: str, room: float) -> str:
    """The text, shortened with "…" if it is wider than `max_width` units."""
    if extent(words) <= room:
        return words
    end = len(words)
    while end > 1 and extent(words[:end].rstrip() + "…") > room:
        end -= 1
    return words[:end].rstrip() + "…"


def extent(words: str) -> float:
    """Maximum width of a text in units; a Chinese or Japanese character counts as two letters."""
    letters = [c for c in words if not unicodedata.combining(c)]
    return LETTER * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in letters)
