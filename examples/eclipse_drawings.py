"""
The drawings of the example of the eclipse of 1919: `python examples/eclipse_drawings.py FOLDER` writes each as FOLDER/<name>.svg.

The stars have their measured places, and are displaced as the theory of general relativity gives it. The same call always writes the same bytes.
"""

import math
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from svg_elements import GOLD, GREY, HEIGHT, PAPER, RED, WIDTH, Point, circle, format_path, frame, line, write

NIGHT = "#0d1321"
SUN = (19.5, -13.0)
"""The centre of the sun on 29 May 1919, in minutes of arc east and north of the middle of the plates."""

RADIUS = 15.8
"""The radius of the sun in minutes of arc."""

STARS: tuple[tuple[float, float, float], ...] = (
    (54.0, -16.4, 5.8), (17.4, 18.0, 5.5), (16.7, 23.6, 4.5), (-8.0, -55.4, 6.0), (29.4, 55.0, 4.5), (-35.4, -43.2, 7.0),
    (-36.4, -52.0, 7.0), (-24.2, -65.2, 7.0), (43.0, 66.0, 5.5), (-63.0, -8.0, 5.5), (-65.6, -45.9, 5.5), (4.4, 50.4, 8.0),
)  # fmt: skip
"""Stars of the Hyades near the sun: minutes of arc east and north of the middle of the plates, and the magnitude."""

SCALE = 1.3
EXAGGERATION = 500
"""The factor by which the drawing enlarges the displacements."""


def place(east: float, north: float) -> Point:
    """Return the point of the drawing for a place in the sky, with the sun in the middle; east is to the left, as in the sky."""
    return WIDTH / 2 - (east - SUN[0]) * SCALE, HEIGHT / 2 - (north - SUN[1]) * SCALE


def displace(east: float, north: float) -> Point:
    """Return the displaced place of a star: by 1.75 seconds of arc at the limb of the sun, and inversely proportional to the distance."""
    across, up = east - SUN[0], north - SUN[1]
    distance = math.hypot(across, up)
    shift = 1.75 / 60 * RADIUS / distance * EXAGGERATION
    return east + across / distance * shift, north + up / distance * shift


def draw_star(at: Point, magnitude: float) -> str:
    """A star as a disc, larger if it is brighter."""
    return circle(at, 0.7 + (8.5 - magnitude) * 0.55, PAPER)


def draw_corona() -> Iterator[str]:
    """Rays of the corona around the dark moon, longer at the equator of the sun, and one prominence."""
    rays = random.Random(1919)
    for number in range(150):
        angle = 2 * math.pi * number / 150 + rays.uniform(-0.02, 0.02)
        reach = (
            RADIUS
            * SCALE
            * (1.5 + 1.25 * abs(math.cos(angle - 0.5)) ** 3 * rays.uniform(0.5, 1) + rays.uniform(0, 0.35))
        )
        bend = angle + rays.uniform(-0.05, 0.05)
        inner, outer = (
            (WIDTH / 2 + math.cos(a) * r, HEIGHT / 2 + math.sin(a) * r)
            for a, r in ((angle, RADIUS * SCALE), (bend, reach))
        )
        yield line(
            [inner, outer], "#f6ead2", rays.uniform(0.4, 1.6), opacity=f"{rays.uniform(0.15, 0.6):.2f}"
        )
    for factor, strength in ((1.7, 0.1), (1.4, 0.16), (1.18, 0.3)):
        yield circle((WIDTH / 2, HEIGHT / 2), RADIUS * SCALE * factor, f'#fdf3dc" opacity="{strength}')
    flame = [(WIDTH / 2 + math.cos(a) * r, HEIGHT / 2 + math.sin(a) * r)
             for a, r in ((2.2, 20.4), (2.3, 25.5), (2.42, 28), (2.5, 24.5), (2.62, 26), (2.7, 20.4))]  # fmt: skip
    yield f'<path d="{format_path(flame, closed=True)}" fill="{RED}"/>'
    yield circle((WIDTH / 2, HEIGHT / 2), RADIUS * SCALE, "#05070c")


def draw_eclipse() -> str:
    """The sky of the eclipse: the corona among the stars of the Hyades."""
    stars = [draw_star(place(*displace(east, north)), magnitude) for east, north, magnitude in STARS]
    return frame("The corona of the sun among the stars of the Hyades", NIGHT, [*stars, *draw_corona()])


def draw_plate(*, with_sun: bool) -> str:
    """The stars alone, or displaced by the sun."""
    title = "The same stars beside the sun" if with_sun else "The stars at night"
    stars = [
        draw_star(place(*(displace(east, north) if with_sun else (east, north))), magnitude)
        for east, north, magnitude in STARS
    ]
    rings = [line([place(east, north), place(*displace(east, north))], GOLD, 1) for east, north, _ in STARS]
    sun = [circle((WIDTH / 2, HEIGHT / 2), RADIUS * SCALE, GOLD)]
    return frame(title, NIGHT, [*(rings + sun if with_sun else []), *stars])


def draw_rays() -> str:
    """The light of a star on its way past the sun, and where the star seems to be."""
    path: list[Point] = [
        (24 + 2.72 * i, 62 + 46 * (math.sqrt(1 + ((i - 50) / 22) ** 2) - 2.5) * -0.42) for i in range(101)
    ]
    slope = (path[-1][1] - path[-9][1]) / (path[-1][0] - path[-9][0])
    apparent = [(x, path[-1][1] - slope * (path[-1][0] - x)) for x in (24.0, path[-1][0])]
    return frame(
        "Light bends beside the sun",
        NIGHT,
        [
            line(apparent, GREY, 1.5, stroke_dasharray="4 4"),
            line(path, GOLD, 2),
            circle((160, 116), 34, GOLD),
            circle(path[0], 4.5, PAPER),
            circle(apparent[0], 4.5, NIGHT, PAPER),
            circle(path[-1], 6, "#6fa8dc"),
            write("star", (24, path[0][1] + 20), PAPER, 12, "start"),
            write("seen here", (apparent[0][0] + 10, apparent[0][1] + 4), PAPER, 12, "start"),
            write("earth", (path[-1][0], path[-1][1] + 22), PAPER, 12),
        ],
    )


RESULTS = (("Sobral, 4-inch", 1.98, 0.12), ("Príncipe", 1.61, 0.30))
"""The displacement at the limb in seconds of arc, and its probable error, by place."""


def draw_results() -> str:
    """The two results with their errors, between the values of the two theories."""

    def x(value: float) -> float:
        return 40 + 110 * value

    parts = []
    for value, name, colour in ((0.875, "Newton 0.87″", GREY), (1.75, "Einstein 1.75″", RED)):
        parts += [line([(x(value), 38), (x(value), 168)], colour, 1.5, stroke_dasharray="3 3")]
        parts += [write(name, (x(value), 28), colour, 13)]
    for row, (name, value, error) in enumerate(RESULTS):
        y = 86 + 50 * row
        parts += [
            line([(x(value - error), y), (x(value + error), y)], "#17202b", 2),
            circle((x(value), y), 5, "#17202b"),
        ]
        words = f"{name}: {value:.2f}″ ± {error:.2f}″"
        parts += [line([(306 - 5.6 * len(words), y - 18), (306, y - 18)], PAPER, 14)]
        parts += [write(words, (306, y - 14), "#17202b", 12, "end")]
    parts += [line([(30, 168), (300, 168)], "#17202b", 1)]
    parts += [write(f"{value}″", (x(value), 184), "#17202b", 11) for value in (0, 0.5, 1, 1.5, 2)]
    return frame("The measured displacement at the limb of the sun", PAPER, parts)


DRAWINGS: Mapping[str, str] = {
    "eclipse": draw_eclipse(),
    "rays": draw_rays(),
    "results": draw_results(),
    "night": draw_plate(with_sun=False),
    "beside-sun": draw_plate(with_sun=True),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, drawing in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(drawing, encoding="utf-8")
