"""
Portraits of invented people: `python examples/faces.py` writes each as examples/<site>/content/<name>.jpg.

They show nobody, and behave like photographs: noise, a ground out of focus, light from one side, in the ratios that people send.
It needs Pillow.
"""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

WIDTH = 360
"""The width of a portrait; its parts are drawn in units of a tenth of it, twice as large, and reduced."""

Box = tuple[float, float, float, float]


class Face(NamedTuple):
    """The colours of a portrait, the shape of its hair, its ratio of height to width, and the place of the hair in it."""

    ground: str
    light: str
    skin: str
    hair: str
    cloth: str
    long_hair: bool = False
    height: float = 1.25
    top: float | None = None
    """The distance of the head from its usual place to the upper edge, in tenths of the width."""

    has_glasses: bool = False


TIDES: Mapping[str, Face] = {
    "maren": Face("#5f8089", "#c9d8d4", "#e8bd9f", "#a5824f", "#7a2530", long_hair=True),
    "tomas": Face("#4f86b5", "#bcd6ea", "#e6b594", "#4a2c1c", "#20262e", height=1),
    "nadia": Face("#93897c", "#d8d0c4", "#dba783", "#2a1a16", "#7d2a2a", long_hair=True, height=1),
    "ines": Face("#23262b", "#5a5f66", "#e2b08c", "#1c1714", "#16181d"),
    "priya": Face("#6a5a86", "#c4b2dc", "#9a6243", "#171112", "#2f5a48", long_hair=True),
    "yuki": Face("#79a865", "#dcefd0", "#eac19c", "#1b1715", "#d5cdbf", height=1),
    "lea": Face("#1d3326", "#42604d", "#8a5436", "#120d0c", "#8a2f3a", long_hair=True, height=1),
    "omar": Face("#c9a893", "#f4e4da", "#c08a63", "#1a1412", "#cfc8bd"),
}

WIDE, TALL, EDGE = 3 / 4, 3 / 2, -0.45
"""The heights of pictures of 4:3 and 2:3, and the place of a head whose hair is at the upper edge."""

MEADOW: Mapping[str, Face] = {
    "marit": Face("#7d8f6a", "#e1e8cf", "#e9c3a6", "#b9b4ae", "#2e4a5e", True, WIDE, has_glasses=True),
    "joseph": Face("#8a6f55", "#ead9bf", "#7a4a30", "#140f0d", "#d9a441", height=1),
    "lucia": Face("#b9cbd6", "#f2f6f8", "#d9a47f", "#3a2018", "#3f6b43", True, TALL, EDGE),
    "anil": Face("#3c4a57", "#8fa3b3", "#a9744f", "#14100f", "#e6e2da", False, TALL, EDGE, has_glasses=True),
    "helene": Face("#c7b8a3", "#f3eade", "#ecc9ad", "#8c4a24", "#26354a", True, WIDE),
    "tove": Face("#5d7f94", "#cfe0e8", "#f0cfb6", "#d8b56f", "#a33b3b", True, 1),
    "kwabena": Face("#6f8f5b", "#d6e6c3", "#5f3a26", "#100c0b", "#f0efe9", False, TALL, EDGE),
    "sofie": Face("#9a7f8f", "#ead8e2", "#e3b594", "#23160f", "#51708c", True, 1, has_glasses=True),
    "rehor": Face("#4b5a46", "#a9bb9a", "#ebc4a4", "#7b4a2a", "#39424e", height=WIDE),
    "aylin": Face("#d3c3ad", "#f6efe4", "#d6a27c", "#2b1710", "#74324a", True, TALL, EDGE),
    "ben": Face("#5b6e8a", "#c2cfe2", "#e7b996", "#a8552c", "#4b6b52", height=1),
    "vy": Face("#88a7a0", "#dcebe6", "#e8bf98", "#120e0e", "#e7d9c6", True, TALL, EDGE),
}

FACES: Mapping[str, Mapping[str, Face]] = {
    "group": TIDES,
    "meadow": MEADOW,
    "roboticist": {
        "ruoxi": Face("#2f3d4a", "#9db4c4", "#eac6a5", "#15110f", "#365b7d", True, 1, has_glasses=True)
    },
    "poet": {"leila": Face("#57423c", "#b99d8a", "#cf9c78", "#241713", "#1f2c3d", True, TALL, EDGE)},
}
"""The portraits of each site."""


def draw_face(name: str, face: Face) -> Image.Image:
    """Return a portrait; the same name and colours give the same pixels."""
    source = random.Random(name)
    size = (2 * WIDTH, round(2 * WIDTH * face.height))
    image = _draw_ground(source, face, size)
    top = 5 * face.height - 4.1 if face.top is None else face.top
    unit = WIDTH / 5
    shoulders = (-0.4, 6.7, 10.4, 24) if face.height > 1.25 else (0.9, 6.7, 9.1, 14)

    def paint(color: str, box: Box, blur: float = 1.2) -> None:
        mask = Image.new("L", size)
        left, upper, right, lower = box
        ImageDraw.Draw(mask).ellipse(
            (left * unit, (upper + top) * unit, right * unit, (lower + top) * unit), fill=255
        )
        image.paste(color, (0, 0), mask.filter(ImageFilter.GaussianBlur(blur)))

    if face.long_hair:
        paint(face.hair, (2.75, 0.55, 7.25, 7.4), 3)
    paint(face.cloth, shoulders, 2)
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
        if face.has_glasses:
            paint("#2a2d33", (left - 0.22, 3.08, left + 0.82, 3.84))
            paint(_shade(face.skin, 1.06), (left - 0.15, 3.15, left + 0.75, 3.77))
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
    """Write the portraits of all sites."""
    for site, faces in FACES.items():
        for name, face in faces.items():
            file = Path(__file__).parent / site / "content" / f"{name}.jpg"
            draw_face(name, face).save(file, quality=82 if site == "group" else 72)


if __name__ == "__main__":
    main()
