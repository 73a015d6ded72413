"""
Covers of invented books in 2:3: `python examples/covers.py FOLDER` writes the three of the example of a poet.

Each has its title at the upper edge and its author at the lower one, so that a page that cuts a cover shows it at once.
"""

import math
import random
import sys
from pathlib import Path

from raster import Sheet, mix

WIDTH, HEIGHT = 480, 720
AUTHOR = "LEILA HADDON"


def draw_ferry_light(folder: Path) -> None:
    """Waves at night, and a light on them."""
    sheet = Sheet(WIDTH, HEIGHT, "#14283a")
    sheet.draw_disc((350, 250), 34, "#f4d28a")
    for i in range(14):
        y = 330 + 26 * i
        points = [(x, y + 9 * math.sin(x / 38 + 1.7 * i)) for x in range(-10, WIDTH + 20, 10)]
        sheet.fill([*points, (WIDTH, HEIGHT), (0, HEIGHT)], mix("#1f4a63", "#0c1722", i / 13))
        glow = 60 - 3 * i
        sheet.draw_line([(350 - glow, y + 8), (350 + glow, y + 8)], mix("#f4d28a", "#1f4a63", i / 14), 3)
    _write_words(sheet, ("Ferry", "Light"), "poems", "#f6efe0")
    sheet.save(folder / "ferry-light.png")


def draw_tide(folder: Path) -> None:
    """Shells in rows, one of them of another colour."""
    sheet = Sheet(WIDTH, HEIGHT, "#f1e7d6")
    for row in range(5):
        for column in range(5):
            x, y = 64 + 88 * column, 300 + 78 * row
            color = "#c2543d" if (row, column) == (3, 3) else "#8b9a8d"
            for i in range(7):
                angle = math.pi * (1.1 + 0.8 * i / 6)
                sheet.draw_line(
                    [(x, y + 24), (x + 34 * math.cos(angle), y + 24 + 48 * math.sin(angle))], color, 7
                )
    _write_words(sheet, ("What the", "Tide Keeps"), "poems", "#2b2a26")
    sheet.save(folder / "what-the-tide-keeps.png")


def draw_wells(folder: Path) -> None:
    """The rings of a well from above, built of stones."""
    source = random.Random(2)
    sheet = Sheet(WIDTH, HEIGHT, "#b8482f")
    for ring in range(7):
        radius = 178 - 24 * ring
        count = 26 - 3 * ring
        for i in range(count):
            start, end = (2 * math.pi * (i + part + ring / 2) / count for part in (0.06, 0.94))
            corners = [(start, radius), (end, radius), (end, radius - 20), (start, radius - 20)]
            shape = [(240 + r * math.cos(a), 440 + r * math.sin(a)) for a, r in corners]
            sheet.fill(shape, mix("#e9cfa4", "#5a1f14", ring / 8 + source.uniform(0, 0.14)))
    sheet.draw_disc((240, 440), 12, "#14202b")
    _write_words(sheet, ("A Grammar", "of Wells"), "Water in Andalusi verse", "#fbefd9")
    sheet.save(folder / "a-grammar-of-wells.png")


def _write_words(sheet: Sheet, title: tuple[str, ...], below: str, color: str) -> None:
    """Write title and subtitle at the upper edge, and the author at the lower one."""
    for i, text in enumerate(title):
        sheet.write(text, (36, 70 + 66 * i), 60, color, "lm")
    sheet.write(below, (38, 196), 24, color, "lm")
    sheet.write(AUTHOR, (36, HEIGHT - 36), 26, color, "lm")


def main() -> None:
    """Write the covers into the folder of the first argument."""
    folder = Path(sys.argv[1])
    for draw in (draw_ferry_light, draw_tide, draw_wells):
        draw(folder)


if __name__ == "__main__":
    main()
