"""Plots and drawings of dots: a sheet with lines, discs, texts and axes, written as a small PNG. It needs Pillow."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

INK, QUIET, GRID, WHITE = "#20262e", "#5c6570", "#e3e6ea", "#ffffff"
SERIES = ("#1f5fa8", "#d1603d", "#3b8b5a", "#8a5aa8")
"""The colours of the curves of a plot, in their order."""

COLORS = 128
"""The colours of a PNG: few, so that the file is small."""

Point = tuple[float, float]


class Span(NamedTuple):
    """An axis: its name, its first and last value, and the values that it shows."""

    name: str
    start: float
    end: float
    ticks: Sequence[float]


class Sheet:
    """A drawing in pixels from its upper left corner; it is drawn twice as large, and reduced."""

    def __init__(self, width: int, height: int, ground: str = WHITE) -> None:
        self.size = (width, height)
        self.image = Image.new("RGB", (2 * width, 2 * height), ground)
        self.brush = ImageDraw.Draw(self.image)

    def draw_line(self, points: Iterable[Point], color: str, width: float = 2) -> None:
        """Draw a line through points, with round corners."""
        self.brush.line(_double(points), color, round(2 * width), joint="curve")

    def fill(self, points: Iterable[Point], color: str) -> None:
        """Fill the shape between points."""
        self.brush.polygon(_double(points), color)

    def draw_disc(self, centre: Point, radius: float, color: str) -> None:
        """Fill a disc."""
        x, y = centre
        self.draw_ellipse((x - radius, y - radius), (x + radius, y + radius), color)

    def draw_ellipse(self, start: Point, end: Point, color: str) -> None:
        """Fill the ellipse between two corners."""
        self.brush.ellipse(_double((start, end)), color)

    def draw_box(self, start: Point, end: Point, color: str) -> None:
        """Fill the rectangle between two corners."""
        self.brush.rectangle(_double((start, end)), color)

    def write(self, text: str, at: Point, size: float = 15, color: str = INK, anchor: str = "mm") -> None:
        """Write a line; the anchor is that of Pillow: "lm" begins at the point, "mm" is centred on it."""
        self.brush.text(_double((at,))[0], text, color, ImageFont.load_default(2 * size), anchor)

    def write_upright(self, text: str, at: Point, size: float = 15, color: str = INK) -> None:
        """Write a line from the bottom to the top, centred on the point."""
        font = ImageFont.load_default(2 * size)
        box = font.getbbox(text)
        mask = Image.new("L", (round(box[2]), round(box[3])))
        ImageDraw.Draw(mask).text((0, 0), text, 255, font)
        turned = mask.rotate(90, expand=True)
        corner = (round(2 * at[0] - turned.width / 2), round(2 * at[1] - turned.height / 2))
        self.image.paste(color, corner, turned)

    def save(self, file: Path) -> None:
        """Write the sheet as PNG."""
        small = self.image.resize(self.size, Image.Resampling.LANCZOS)
        small.quantize(COLORS, dither=Image.Dither.NONE).save(file, optimize=True)


class Plot:
    """Two axes with their names and a light grid on a sheet."""

    def __init__(self, sheet: Sheet, across: Span, up: Span, start: Point, end: Point) -> None:
        self.sheet, self.across, self.up = sheet, across, up
        self.start, self.end = start, end

        for tick in across.ticks:
            x, _ = self.find((tick, up.start))
            sheet.draw_line([(x, start[1]), (x, end[1])], GRID, 1)
            sheet.write(f"{tick:g}", (x, end[1] + 16), 14, QUIET)
        for tick in up.ticks:
            _, y = self.find((across.start, tick))
            sheet.draw_line([(start[0], y), (end[0], y)], GRID, 1)
            sheet.write(f"{tick:g}", (start[0] - 8, y), 14, QUIET, "rm")

        sheet.draw_line([start, (start[0], end[1]), end], INK, 1.5)
        sheet.write(across.name, ((start[0] + end[0]) / 2, end[1] + 40))
        sheet.write_upright(up.name, (start[0] - 48, (start[1] + end[1]) / 2))

    def find(self, value: Point) -> Point:
        """The place of a value on the sheet."""
        x = (value[0] - self.across.start) / (self.across.end - self.across.start)
        y = (value[1] - self.up.start) / (self.up.end - self.up.start)
        left, top = self.start
        right, bottom = self.end
        return left + x * (right - left), bottom - y * (bottom - top)

    def draw_curve(self, curve: Callable[[float], float], color: str, spread: float = 0) -> None:
        """Draw a function, with a band of `spread` above and below it."""
        width = self.across.end - self.across.start
        steps = [self.across.start + width * i / 120 for i in range(121)]
        if spread:
            upper = [self.find((x, curve(x) + spread)) for x in steps]
            lower = [self.find((x, curve(x) - spread)) for x in reversed(steps)]
            self.sheet.fill(upper + lower, mix(color, WHITE, 0.78))
        self.sheet.draw_line([self.find((x, curve(x))) for x in steps], color, 2.5)

    def draw_bar(self, value: Point, width: float, color: str) -> None:
        """Draw a bar from the lower axis."""
        x, y = self.find(value)
        self.sheet.draw_box((x - width / 2, y), (x + width / 2, self.end[1] - 1), color)

    def write_legend(self, names: Iterable[str], at: Point) -> None:
        """Write the names of the series below each other, each with its colour."""
        for i, name in enumerate(names):
            x, y = at[0], at[1] + 22 * i
            self.sheet.draw_box((x, y - 5), (x + 18, y + 5), SERIES[i])
            self.sheet.write(name, (x + 26, y), 14, anchor="lm")


def mix(color: str, other: str, share: float) -> str:
    """The colour between two: share 0 is the first, 1 the other."""
    pairs = [(int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def _double(points: Iterable[Point]) -> list[Point]:
    return [(2 * x, 2 * y) for x, y in points]
