"""Wave patterns, and the closed curves on which a field has one level."""

import math
import random
from collections.abc import Callable, Sequence

from svg_elements import HEIGHT, WIDTH, Curve, Point, format_number


def compute_pattern(wave_length: float, seed: int) -> Callable[[float, float], float]:
    """Return a sum of waves of one length in random directions: the pattern that grows from a uniform state (1952, section 8)."""
    source = random.Random(seed)
    number = 2 * math.pi / wave_length
    waves = [
        (number * math.cos(angle), number * math.sin(angle), source.uniform(0, 2 * math.pi))
        for angle in (source.uniform(0, math.pi) for _ in range(60))
    ]
    return lambda x, y: sum(math.cos(a * x + b * y + phase) for a, b, phase in waves) / math.sqrt(len(waves))


Segment = tuple[Point, Point]


def cut_cell(corners: Sequence[Point], values: Sequence[float], level: float) -> list[Segment]:
    """Return the lines that separate the corners of a cell above a level from those below it (marching squares)."""
    crossings: list[Point] = []
    for i in range(4):
        (x1, y1), (x2, y2) = corners[i], corners[(i + 1) % 4]
        a, b = values[i] - level, values[(i + 1) % 4] - level
        if (a > 0) != (b > 0):
            share = a / (a - b)
            crossings.append((round(x1 + share * (x2 - x1), 3), round(y1 + share * (y2 - y1), 3)))
    return [(crossings[i], crossings[i + 1]) for i in range(0, len(crossings) - 1, 2)]


def trace_contours(field: Callable[[float, float], float], level: float, step: int) -> list[Curve]:
    """Return the closed curves on which a field has a level, in an area that is one step larger than the drawing."""
    columns, rows = WIDTH // step + 3, HEIGHT // step + 3
    grid = [[field((i - 1) * step, (j - 1) * step) for i in range(columns)] for j in range(rows)]
    for j, row in enumerate(grid):
        for i in range(columns):
            if i in (0, columns - 1) or j in (0, rows - 1):
                row[i] = level - 1
    neighbours: dict[Point, list[Point]] = {}
    for j in range(rows - 1):
        for i in range(columns - 1):
            places = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            corners = [((a - 1.0) * step, (b - 1.0) * step) for a, b in places]
            for start, end in cut_cell(corners, [grid[b][a] for a, b in places], level):
                neighbours.setdefault(start, []).append(end)
                neighbours.setdefault(end, []).append(start)
    curves: list[Curve] = []
    while neighbours:
        point = next(iter(neighbours))
        curve = [point]
        while point in neighbours:
            following = [other for other in neighbours.pop(point) if other in neighbours]
            if not following:
                break
            point = following[0]
            curve.append(point)
        curves.append(curve)
    return curves


def format_smooth_path(points: Curve) -> str:
    """Return a closed curve through the middles of the sides of a polygon, with its corners as control points."""
    middles = [
        ((x1 + x2) / 2, (y1 + y2) / 2)
        for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True)
    ]
    parts = [f"M{format_number(middles[-1][0])} {format_number(middles[-1][1])}"]
    for (x, y), (end_x, end_y) in zip(points, middles, strict=True):
        parts.append("Q" + " ".join(map(format_number, (x, y, end_x, end_y))))
    return "".join(parts) + "z"
