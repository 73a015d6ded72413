"""
Plots, drawings and logos of the example of a lab: `python examples/meadow_drawings.py FOLDER` writes them.

The figures in them are invented. The portraits are in faces.py.
"""

import math
import random
import sys
from functools import partial
from pathlib import Path

from raster import INK, QUIET, SERIES, WHITE, Plot, Sheet, Span, mix
from svg_elements import circle, frame, line, rectangle, write

PETALS = ("#d1495b", "#edae49", "#7d6bb3", "#f4f0e4", "#5a8fc7")
GREEN, DARK_GREEN, SOIL, SKY = "#7ba05b", "#3f6b43", "#6b4f3a", "#dcebf2"


def _peak(peak: float, height: float, width: float, hour: float) -> float:
    return 2 + height * math.exp(-((hour - peak) ** 2) / width)


def _dry_up(half: float, days: float) -> float:
    return 3.6 / (1 + math.exp((days - half) / 4))


def draw_visits(folder: Path) -> None:
    """Visits to flowers over a day for three kinds of insects."""
    sheet = Sheet(720, 460)
    across = Span("Hour of the day", 5, 21, range(6, 22, 3))
    plot = Plot(sheet, across, Span("Visits in ten minutes", 0, 40, range(0, 41, 10)), (80, 30), (690, 390))
    for color, peak, height, width in zip(SERIES, (9, 13, 17), (30, 36, 20), (5, 9, 7), strict=False):
        plot.draw_curve(partial(_peak, peak, height, width), color, 1.6)
    plot.write_legend(("bumblebees", "hoverflies", "moths"), (560, 48))
    sheet.save(folder / "visits.png")


def draw_mowing(folder: Path) -> None:
    """Species in strips that are mown once, twice or four times."""
    sheet = Sheet(720, 460)
    across = Span("Years since the first cut", 0.2, 6.8, range(1, 7))
    plot = Plot(sheet, across, Span("Species in a strip", 0, 50, range(0, 51, 10)), (80, 30), (690, 390))
    for i, (start, gain) in enumerate(((14, 5.1), (14, 3.2), (13, 0.4))):
        for year in range(1, 7):
            plot.draw_bar((year + 0.24 * (i - 1), start + gain * year), 20, SERIES[i])
    plot.write_legend(("one cut", "two cuts", "four cuts"), (100, 48))
    sheet.save(folder / "mowing.png")


def draw_counts(folder: Path) -> None:
    """What a camera counts against what a person counts."""
    source = random.Random(7)
    sheet = Sheet(560, 560)
    ticks = range(0, 61, 15)
    plot = Plot(
        sheet,
        Span("Counted by a person", 0, 60, ticks),
        Span("Counted by the camera", 0, 60, ticks),
        (80, 30),
        (530, 480),
    )
    sheet.draw_line([plot.find((0, 0)), plot.find((60, 60))], QUIET, 1.5)
    for _ in range(150):
        count = source.uniform(1, 56)
        seen = min(59, max(0.5, count * 0.95 + source.gauss(0, 1 + count * 0.06)))
        sheet.draw_disc(plot.find((count, seen)), 4, mix(SERIES[0], WHITE, source.uniform(0.1, 0.5)))
    sheet.save(folder / "counts.png")


def draw_pollen(folder: Path) -> None:
    """Which insect carries the pollen of which plant: a table of shades."""
    source = random.Random(11)
    plants = ("Clover", "Yarrow", "Knapweed", "Scabious", "Bellflower", "Oxeye", "Vetch")
    insects = (
        "Bombus",
        "Andrena",
        "Eristalis",
        "Syrphus",
        "Maniola",
        "Zygaena",
        "Autographa",
        "Halictus",
        "Osmia",
    )
    sheet = Sheet(760, 480)
    for i, plant in enumerate(plants):
        sheet.write(plant, (118, 68 + 54 * i), 15, anchor="rm")
        for j, _ in enumerate(insects):
            share = source.random() ** 2.2
            corner = (130 + 66 * j, 42 + 54 * i)
            sheet.draw_box(corner, (corner[0] + 63, corner[1] + 51), mix("#f1f4ec", "#23573a", share))
    for j, insect in enumerate(insects):
        sheet.write(insect, (162 + 66 * j, 438 + 18 * (j % 2)), 12, QUIET)
    sheet.save(folder / "pollen.png")


def draw_drought(folder: Path) -> None:
    """The nectar of a flower in a dry and in a wet summer."""
    sheet = Sheet(720, 460)
    across = Span("Days without rain", 0, 40, range(0, 41, 10))
    plot = Plot(sheet, across, Span("Nectar in a flower (µl)", 0, 4, range(5)), (80, 30), (690, 390))
    for color, half in zip(SERIES, (30, 19, 9), strict=False):
        plot.draw_curve(partial(_dry_up, half), color, 0.18)
    plot.write_legend(("deep roots", "mixed", "shallow roots"), (540, 48))
    sheet.save(folder / "drought.png")


def draw_map(folder: Path) -> None:
    """A wide map of the strips of the meadow, a brook and the cameras."""
    source = random.Random(3)
    sheet = Sheet(1400, 420, "#e9efdf")
    for i in range(14):
        left = 30 + 97 * i
        shade = (GREEN, mix(GREEN, WHITE, 0.35), mix(DARK_GREEN, WHITE, 0.2))[i % 3]
        sheet.fill([(left, 40), (left + 80, 40), (left + 96, 330), (left + 10, 330)], shade)
        sheet.write(str(i + 1), (left + 48, 186), 22, WHITE)
        for _ in range(26):
            x = left + 12 + source.uniform(0, 72)
            sheet.draw_disc((x, source.uniform(52, 318)), source.uniform(2, 4), source.choice(PETALS))
    sheet.draw_line([(x, 372 + 16 * math.sin(x / 90)) for x in range(-10, 1420, 10)], "#6fa3c8", 22)
    for i in range(5):
        sheet.draw_disc((130 + 290 * i, 186), 15, INK)
        sheet.draw_disc((130 + 290 * i, 186), 7, "#edae49")
    sheet.save(folder / "strips.png")


def draw_root(folder: Path) -> None:
    """A tall section: a flower above the ground, and its roots two metres below."""
    source = random.Random(12)
    sheet = Sheet(480, 1000, SKY)
    sheet.draw_box((0, 330), (480, 1000), SOIL)
    for depth, share in ((470, 0.12), (640, 0.24), (820, 0.36)):
        sheet.draw_box((0, depth), (480, 1000), mix(SOIL, "#000000", share))
    _grow_root(sheet, source, (240, 330), math.pi / 2, 9)
    sheet.draw_line([(240, 335), (236, 220), (246, 120)], DARK_GREEN, 8)
    for side in (-1, 1):
        sheet.fill([(240, 290), (240 + side * 90, 230), (240 + side * 40, 292)], GREEN)
    for i in range(13):
        angle = 2 * math.pi * i / 13
        sheet.draw_disc((246 + 42 * math.cos(angle), 105 + 42 * math.sin(angle)), 17, PETALS[2])
    sheet.draw_disc((246, 105), 27, "#edae49")
    for metre, y in ((0.5, 500), (1, 670), (1.5, 840)):
        sheet.draw_line([(20, y), (48, y)], WHITE, 2)
        sheet.write(f"{metre:g} m", (56, y), 18, WHITE, "lm")
    sheet.save(folder / "roots.png")


def _grow_root(
    sheet: Sheet, source: random.Random, start: tuple[float, float], angle: float, width: float
) -> None:
    """Draw a root that turns, and its branches, until they are thin."""
    x, y = start
    points = [start]
    while width > 1 and y < 965:
        angle += source.uniform(-0.3, 0.3) + 0.16 * (math.pi / 2 - angle)
        x, y = x + 22 * math.cos(angle), y + 22 * math.sin(angle)
        points.append((x, y))
        if source.random() < 0.42:
            turn = source.choice((-1, 1)) * source.uniform(0.5, 1)
            _grow_root(sheet, source, (x, y), angle + turn, width * 0.55)
        width -= 0.24
    sheet.draw_line(points, "#e0cda9", max(1.5, width + 1.5))


def draw_trap(folder: Path) -> None:
    """What the camera sees: flowers out of focus, and a bumblebee in a frame."""
    source = random.Random(9)
    sheet = Sheet(800, 600, "#567a45")
    for i in range(420):
        x, y = source.uniform(-20, 820), source.uniform(-20, 620)
        shade = mix("#3c5c33", "#a8c47f", source.random())
        sheet.draw_line(
            [(x, y), (x + source.uniform(-30, 30), y - source.uniform(40, 130))], shade, 3 + i / 200
        )
    for _ in range(16):
        x, y, size = source.uniform(30, 770), source.uniform(60, 560), source.uniform(16, 34)
        color = source.choice(PETALS)
        for i in range(9):
            turn = 2 * math.pi * i / 9
            sheet.draw_disc((x + size * math.cos(turn), y + size * math.sin(turn) * 0.7), size * 0.42, color)
        sheet.draw_disc((x, y), size * 0.5, "#e8c24a")
    for left, right in ((400, 452), (300, 380)):
        sheet.draw_ellipse((left - 30, 210), (right + 20, 272), mix("#dfe8ee", "#567a45", 0.2))
    sheet.draw_ellipse((320, 245), (470, 345), "#2b2118")
    sheet.draw_ellipse((352, 248), (392, 342), "#e2b13c")
    sheet.draw_ellipse((412, 250), (440, 340), "#e2b13c")
    sheet.draw_disc((482, 296), 27, "#2b2118")
    sheet.draw_line([(280, 195), (530, 195), (530, 370), (280, 370), (280, 195)], "#ffd23f", 4)
    sheet.draw_box((280, 163), (452, 195), "#ffd23f")
    sheet.write("Bombus  0.97", (290, 179), 19, INK, "lm")
    sheet.image.resize(sheet.size).save(folder / "trap.jpg", quality=74)


def draw_logos(folder: Path) -> None:
    """The logo of the lab, and those of its funders."""
    petals = [
        circle((160 + 44 * math.cos(i * math.pi / 4), 80 + 44 * math.sin(i * math.pi / 4)), 22, PETALS[0])
        for i in range(8)
    ]
    stalk = line([(160, 120), (160, 190)], DARK_GREEN, 12)
    drawings = {
        "logo": ("Meadow Lab", [stalk, *petals, circle((160, 80), 30, PETALS[1])]),
        "research-fund": (
            "Example Research Fund",
            [rectangle((24, 60), 80, 80, "#1f4e79"), circle((64, 100), 26, "#ffffff"), write("Research", (206, 96), "#1f4e79", 38), write("Fund", (206, 136), "#1f4e79", 38)],
        ),
        "green-trust": (
            "Green Fields Trust",
            [line([(30, 140), (60, 60), (90, 140)], DARK_GREEN, 10), write("Green Fields", (204, 96), DARK_GREEN, 32), write("TRUST", (204, 132), DARK_GREEN, 26)],
        ),
        "county": (
            "County of Springfield",
            [circle((160, 66), 40, "#b23a2e"), write("S", (160, 82), "#ffffff", 48), write("County of Springfield", (160, 152), "#b23a2e", 26)],
        ),
    }  # fmt: skip
    for name, (title, parts) in drawings.items():
        (folder / f"{name}.svg").write_text(frame(title, "#ffffff", parts), encoding="utf-8")


def main() -> None:
    """Write all pictures into the folder of the first argument."""
    folder = Path(sys.argv[1])
    for draw in (
        draw_visits,
        draw_mowing,
        draw_counts,
        draw_pollen,
        draw_drought,
        draw_map,
        draw_root,
        draw_trap,
        draw_logos,
    ):
        draw(folder)


if __name__ == "__main__":
    main()
