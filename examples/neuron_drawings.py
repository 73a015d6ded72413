"""
The drawings of the example of Santiago Ramón y Cajal: `python examples/neuron_drawings.py FOLDER` writes each as FOLDER/<name>.svg.

Each cell grows by rules: a branch turns a little at each step, and divides. No drawing is a copy. The same call always writes the same bytes.
"""

import math
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from svg_elements import HEIGHT, WIDTH, Point, circle, format_path, frame, line

SHEET, SEPIA, SHADE, RUST = "#f3e9d2", "#2e2620", "#7b6a55", "#a4492c"


class Growth(NamedTuple):
    """The growth of a branch: the number and length of its steps, its largest turn, how often it divides, at which angle, and how it thins."""

    steps: int
    step: float = 7
    turn: float = 0.28
    division: float = 0.3
    angle: float = 0.55
    thinning: float = 0.86


def grow(source: random.Random, at: Point, direction: float, width: float, growth: Growth) -> Iterator[str]:
    """Yield a branch with its side branches."""
    points = [at]
    for number in range(growth.steps):
        direction += source.uniform(-growth.turn, growth.turn)
        x, y = points[-1]
        points.append((x + math.cos(direction) * growth.step, y + math.sin(direction) * growth.step))
        if source.random() < growth.division and number > 0:
            shorter = growth._replace(steps=growth.steps - number - 1)
            turn = source.choice((-1, 1)) * growth.angle * source.uniform(0.7, 1.2)
            yield from grow(
                source,
                points[-1],
                direction + turn,
                width * growth.thinning * 0.8,
                shorter,
            )
            direction -= turn * 0.35
            width *= growth.thinning
    yield line(points, SEPIA, max(width, 0.5))


def draw_axon(points: list[Point], colour: str = RUST) -> str:
    """A long thin process."""
    return line(points, colour, 1.2)


def draw_body(at: Point, size: float, direction: float) -> str:
    """The body of a cell, longer in one direction."""
    corners = [
        (
            at[0] + math.cos(a) * size * (1.5 if math.cos(a - direction) > 0.7 else 1),
            at[1] + math.sin(a) * size * (1.5 if math.cos(a - direction) > 0.7 else 1),
        )
        for a in (2 * math.pi * i / 14 for i in range(14))
    ]
    return f'<path d="{format_path(corners, closed=True)}" fill="{SEPIA}" stroke="{SEPIA}" stroke-width="4" stroke-linejoin="round"/>'


def draw_purkinje() -> str:
    """A Purkinje cell: a flat tree with many fine branches above its body."""
    source = random.Random(1888)
    growth = Growth(20, 6, 0.2, 0.42, 0.62)
    trees = [
        part for angle in (-2.35, -1.85, -1.3, -0.8) for part in grow(source, (160, 150), angle, 5.5, growth)
    ]
    axon: list[Point] = [(160, 158), (162, 172), (159, 184), (161, 200)]
    return frame("Célula de Purkinje", SHEET, [*trees, draw_body((160, 150), 7, -1.57), draw_axon(axon)])


def draw_pyramid() -> str:
    """Pyramidal cells of the cortex with their long apical dendrites."""
    source = random.Random(1890)
    parts = [line([(0, 24), (WIDTH, 24)], SHADE, 0.8, stroke_dasharray="2 4")]
    for x, y, size in ((62, 150, 6.0), (128, 128, 5.0), (196, 156, 7.0), (262, 120, 5.0)):
        apex = 26 + source.uniform(0, 8)
        parts += [line([(x, y), (x + 2, (y + apex) / 2), (x, apex + 12)], SEPIA, 3.4)]
        for rung in range(int(apex) + 40, y - 12, 13):
            side = source.choice((0.5, 2.64))
            parts += grow(source, (x + 1, rung), -side, 1.3, Growth(5, 5, 0.2, 0.25))
        parts += [
            p
            for a in (-1.9, -1.57, -1.2)
            for p in grow(source, (x, apex + 12), a, 1.4, Growth(6, 4, 0.3, 0.3))
        ]
        parts += [
            p for a in (0.35, 0.9, 2.2, 2.8) for p in grow(source, (x, y), a, 2.4, Growth(8, 5, 0.3, 0.32))
        ]
        parts += [
            draw_body((x, y), size, -1.57),
            draw_axon([(x, y), (x + 2, y + 20), (x - 2, 186), (x, HEIGHT)]),
        ]
    return frame("Células piramidales de la corteza", SHEET, parts)


def draw_retina() -> str:
    """The layers of the retina: rods and cones, bipolar cells, and ganglion cells."""
    source = random.Random(1893)
    parts = [line([(0, y), (WIDTH, y)], SHADE, 0.8, stroke_dasharray="2 4") for y in (74, 92, 136, 156)]
    for i in range(27):
        x = 12 + i * 11.4
        is_cone = i % 4 == 1
        parts += [
            line([(x, 14 if not is_cone else 26), (x, 40)], SEPIA, 4.5 if is_cone else 2.6),
            line([(x, 40), (x, 80)], SEPIA, 1),
        ]
        parts += [circle((x, 50 + (i * 7 % 3) * 7), 3.2, SEPIA)]
    for i in range(11):
        x = 26 + i * 27
        parts += [
            p for a in (-2.2, -1.57, -0.9) for p in grow(source, (x, 102), a, 1.3, Growth(5, 4, 0.25, 0.3))
        ]
        parts += [circle((x, 110), 4.4, SEPIA), line([(x, 110), (x + 2, 140)], SEPIA, 1.2)]
        parts += [p for a in (0.6, 2.4) for p in grow(source, (x + 2, 140), a, 1, Growth(4, 3, 0.3, 0.3))]
    for x in (48, 118, 190, 262):
        parts += [
            p
            for a in (-2.6, -2.0, -1.57, -1.1, -0.5)
            for p in grow(source, (x, 170), a, 2, Growth(6, 5, 0.25, 0.35))
        ]
        parts += [draw_body((x, 172), 6, -1.57), draw_axon([(x, 176), (x + 12, 186), (WIDTH, 190)])]
    return frame("Las capas de la retina", SHEET, parts)


def draw_cone() -> str:
    """Growth cones at the ends of young axons."""
    source = random.Random(1890)
    parts = []
    for row, y in enumerate((44, 86, 128, 168)):
        end = 150 + 34 * ((row * 5) % 4)
        points = [(x, y + 5 * math.sin(x / 26 + row)) for x in range(0, end + 1, 6)]
        at = points[-1]
        parts += [line([*points], SEPIA, 2), draw_body(at, 5, 0)]
        parts += [
            p
            for a in (-0.9, -0.45, -0.1, 0.3, 0.75)
            for p in grow(source, at, a, 1.4, Growth(8, 5, 0.22, 0.22))
        ]
    return frame("Conos de crecimiento", SHEET, parts)


def draw_hippocampus() -> str:
    """The curved layer of the hippocampus, with the way of the impulse by arrows."""
    source = random.Random(1901)
    parts = []
    for i in range(19):
        angle = math.pi * (0.96 + i * 1.02 / 18)
        x, y = 150 + 112 * math.cos(angle), 140 + 96 * math.sin(angle)
        parts += grow(source, (x, y), angle, 1.9, Growth(6, 5, 0.15, 0.25))
        parts += grow(source, (x, y), angle + math.pi, 1.9, Growth(6, 5, 0.15, 0.25))
        parts += [draw_body((x, y), 3.4, angle)]
    for i in range(13):
        angle = math.pi * (0.3 + i * 1.2 / 12)
        x, y = 214 + 58 * math.cos(angle), 138 + 40 * math.sin(angle)
        parts += [*grow(source, (x, y), angle, 1.2, Growth(4, 4, 0.2, 0.3)), circle((x, y), 3, SEPIA)]
    way = [
        (150 + 84 * math.cos(a), 142 + 66 * math.sin(a))
        for a in (math.pi * (1.05 + 0.06 * i) for i in range(14))
    ]
    tip = way[-1]
    head = [(tip[0] - 9, tip[1] - 3), tip, (tip[0] - 3, tip[1] - 10)]
    return frame(
        "El hipocampo y el curso del impulso", SHEET, [*parts, draw_axon(way), line(head, RUST, 1.6)]
    )


def draw_sprouting() -> str:
    """A cut nerve: the axons of one end grow through the scar to the other."""
    source = random.Random(1913)
    parts = [f'<path d="M138 0C150 60 142 140 150 {HEIGHT}H182C172 140 184 60 174 0z" fill="#e3d3b0"/>']
    for i in range(15):
        y = 16 + i * 12
        bend = source.uniform(-26, 26)
        parts += [line([(0, y), (70, y + source.uniform(-3, 3)), (136, y)], SEPIA, 1.6)]
        parts += grow(source, (136, y), bend / 60, 1.3, Growth(20 + i % 5 * 3, 6, 0.24, 0.12, 0.5))
        if i % 3 == 0:
            parts += [circle((138, y), 3.6, SEPIA)]
    parts += [
        line([(214 + i % 3 * 8, 20 + 14 * i), (WIDTH, 18 + 14 * i)], SHADE, 1.2, stroke_dasharray="5 3")
        for i in range(12)
    ]
    return frame("Regeneración de un nervio", SHEET, parts)


DRAWINGS: Mapping[str, str] = {
    "purkinje": draw_purkinje(),
    "piramidales": draw_pyramid(),
    "retina": draw_retina(),
    "conos": draw_cone(),
    "hipocampo": draw_hippocampus(),
    "regeneracion": draw_sprouting(),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, drawing in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(drawing, encoding="utf-8")
