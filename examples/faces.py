"""
Portraits of invented people: `python examples/faces.py FOLDER` writes each as FOLDER/<name>.jpg.

They show nobody, and behave like photographs: noise, a ground out of focus, light from one side, in 4:5 or square. It needs Pillow.
"""

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH = 360
"""The width of a portrait; its parts are drawn in units of a tenth of it, twice as large, and reduced."""

Box = tuple[float, float, float, float]


class Face(NamedTuple):
    """The colours of a portrait, the shape of its hair, and its ratio of height to width."""

    ground: str
    light: str
    skin: str
    hair: str
    cloth: str
    long_hair: bool = False
    height: float = 1.25


FACES: Mapping[str, Face] = {
    "maren": Face("#5f8089", "#c9d8d4", "#e8bd9f", "#a5824f", "#7a2530", long_hair=True),
    "tomas": Face("#4f86b5", "#bcd6ea", "#e6b594", "#4a2c1c", "#20262e", height=1),
    "nadia": Face("#93897c", "#d8d0c4", "#dba783", "#2a1a16", "#7d2a2a", long_hair=True, height=1),
    "ines": Face("#23262b", "#5a5f66", "#e2b08c", "#1c1714", "#16181d"),
    "priya": Face("#6a5a86", "#c4b2dc", "#9a6243", "#171112", "#2f5a48", long_hair=True),
    "yuki": Face("#79a865", "#dcefd0", "#eac19c", "#1b1715", "#d5cdbf", height=1),
    "lea": Face("#1d3326", "#42604d", "#8a5436", "#120d0c", "#8a2f3a", long_hair=True, height=1),
    "omar": Face("#c9a893", "#f4e4da", "#c08a63", "#1a1412", "#cfc8bd"),
}


def draw_face(name: str, face: Face) -> Image.Image:
    """Return a portrait; the same name and colours give the same pixels."""
    source = random.Random(name)
    size = (2 * WIDTH, round(2 * WIDTH * face.height))
    image = _draw_ground(source, face, size)
    top = 5 * face.height - 4.1
    unit = WIDTH / 5

    def paint(color: str, box: Box, blur: float = 1.2) -> None:
        mask = Image.new("L", size)
        left, upper, right, lower = box
        ImageDraw.Draw(mask).ellipse(
            (left * unit, (upper + top) * unit, right * unit, (lower + top) * unit), fill=255
        )
        image.paste(color, (0, 0), mask.filter(ImageFilter.GaussianBlur(blur)))

    if face.long_hair:
        paint(face.hair, (2.75, 0.55, 7.25, 7.4), 3)
    paint(face.cloth, (0.9, 6.7, 9.1, 14), 2)
    paint(_shade(face.skin, 0.8), (4.1, 4.6, 5.9, 7.7), 3)
    paint(face.hair, (2.95, 0.5, 7.05, 4.6), 2)
    paint(face.skin, (3.2, 1.1, 6.8, 6.2), 2)
    paint(_shade(face.skin, 0.86), (5.6, 2.2, 6.75, 5.4), 26)
    paint(_shade(face.skin, 1.1), (3.5, 1.7, 4.7, 4.4), 24)
    paint(face.hair, (3.05, 0.55, 6.2, 2.15), 4)
    paint(face.hair, (4.9, 0.65, 6.95, 2.5), 4)
    for left in (3.95, 5.45):
        paint(_shade(face.hair, 0.9), (left - 0.1, 2.98, left + 0.7, 3.12), 2)
        paint("#f3ece6", (left, 3.32, left + 0.6, 3.6))
        paint("#2b1d16", (left + 0.17, 3.3, left + 0.45, 3.62))
    paint(_shade(face.skin, 0.78), (4.75, 3.7, 5.3, 4.4), 8)
    paint(_shade(face.skin, 0.68), (4.4, 4.98, 5.65, 5.28), 4)
    return _add_noise(source, image.resize((WIDTH, round(WIDTH * face.height)), Image.Resampling.LANCZOS))


def _draw_ground(source: random.Random, face: Face, size: tuple[int, int]) -> Image.Image:
    """A ground that is light at one corner, with discs out of focus."""
    gradient = Image.linear_gradient("L").rotate(source.choice((35, 145)), expand=False).resize(size)
    image = Image.composite(Image.new("RGB", size, face.light), Image.new("RGB", size, face.ground), gradient)
    brush = ImageDraw.Draw(image)
    for _ in range(7):
        x, y, radius = (source.uniform(0, size[0]), source.uniform(0, size[1]), source.uniform(30, 120))
        color = _shade(source.choice((face.ground, face.light)), source.uniform(0.85, 1.15))
        brush.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)
    return image.filter(ImageFilter.GaussianBlur(38))


def _shade(color: str, factor: float) -> str:
    values = (min(255, round(int(color[i : i + 2], 16) * factor)) for i in (1, 3, 5))
    return "#" + "".join(f"{value:02x}" for value in values)


def _add_noise(source: random.Random, image: Image.Image) -> Image.Image:
    noise = Image.frombytes("L", image.size, source.randbytes(image.width * image.height))
    grain = noise.point([round(value / 256 * 14) for value in range(256)]).convert("RGB")
    return ImageChops.subtract(ImageChops.add(image, grain), Image.new("RGB", image.size, "#070707"))


def main() -> None:
    """Write all portraits into the folder of the first argument."""
    folder = Path(sys.argv[1])
    for name, face in FACES.items():
        draw_face(name, face).save(folder / f"{name}.jpg", quality=82)


if __name__ == "__main__":
    main()
