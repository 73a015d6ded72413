"""
Plots, drawings and videos of the example of a computer scientist: `python examples/walker_drawings.py FOLDER` writes them.

The figures in them are invented; the robot walks by formulas. The videos need ffmpeg, as that of turing_video.py.
"""

import math
import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PIL import Image
from raster import INK, QUIET, SERIES, WHITE, Plot, Point, Sheet, Span, mix
from turing_video import encode_video

SAND, STEEL, JOINT = "#d9b77e", "#3c4b5c", "#d1603d"
FRAME_RATE, FRAMES = 20, 60
THIGH, SHIN = 46.0, 50.0
"""The lengths of the parts of a leg."""


def _learn(top: float, half: float, hours: float) -> float:
    return top * (1 - math.exp(-hours / half)) + 0.012 * math.sin(9 * hours / half)


def _spend(least: float, bend: float, speed: float) -> float:
    return least + bend * (speed - 0.9) ** 2


def draw_learning(folder: Path) -> None:
    """The reward of three robots while they learn."""
    sheet = Sheet(760, 480)
    across = Span("Hours of practice", 0, 10, range(0, 11, 2))
    plot = Plot(sheet, across, Span("Reward of a walk", 0, 1, (0, 0.25, 0.5, 0.75, 1)), (90, 30), (730, 410))
    for color, top, half in zip(SERIES, (0.93, 0.74, 0.52), (0.9, 2.4, 3.6), strict=False):
        plot.draw_curve(partial(_learn, top, half), color, 0.04)
    plot.write_legend(("learns from its slips", "learns on hard ground", "does not learn"), (520, 330))
    sheet.save(folder / "learning.png")


def draw_slips(folder: Path) -> None:
    """Slips in a hundred steps on five grounds."""
    grounds = (("Grass", 4, 3), ("Gravel", 11, 5), ("Sand", 24, 8), ("Mud", 31, 14), ("Snow", 28, 11))
    sheet = Sheet(720, 460)
    plot = Plot(
        sheet, Span("", 0, 5, ()), Span("Slips in 100 steps", 0, 40, range(0, 41, 10)), (90, 30), (690, 390)
    )
    for i, (ground, before, now) in enumerate(grounds):
        plot.draw_bar((i + 0.32, before), 40, SERIES[1])
        plot.draw_bar((i + 0.68, now), 40, SERIES[0])
        sheet.write(ground, (plot.find((i + 0.5, 0))[0], 412))
    plot.write_legend(("with our estimate", "without"), (110, 48))
    sheet.save(folder / "slips.png")


def draw_heat(folder: Path) -> None:
    """How far a foot sinks, by the angle and the speed at which it lands: a square map."""
    sheet = Sheet(520, 520)
    across = Span("Angle of the foot (degrees)", 0, 40, range(0, 41, 10))
    plot = Plot(sheet, across, Span("Speed (m/s)", 0, 2, (0, 0.5, 1, 1.5, 2)), (90, 30), (490, 430))
    for i in range(40):
        for j in range(40):
            x, y = 90 + 10 * i, 420 - 10 * j
            depth = math.exp(-(((i - 28) / 14) ** 2) - ((j - 24 - i / 5) / 13) ** 2)
            shade = (
                mix("#fff4d6", "#c8442c", min(1, 2 * depth))
                if depth < 0.5
                else mix("#c8442c", "#3a1030", 2 * depth - 1)
            )
            sheet.draw_box((x, y), (x + 10, y + 9.5), shade)
    sheet.draw_line([plot.find((14 + 3 * math.sin(t / 3), t / 10)) for t in range(21)], WHITE, 3)
    sheet.save(folder / "sinking.png")


def draw_transfer(folder: Path) -> None:
    """The energy of a walk on Earth and with the gravity of the Moon."""
    source = random.Random(4)
    sheet = Sheet(720, 460)
    across = Span("Speed (m/s)", 0, 2, (0, 0.5, 1, 1.5, 2))
    plot = Plot(sheet, across, Span("Energy for a metre (J)", 0, 80, range(0, 81, 20)), (90, 30), (690, 390))
    for color, least, bend in zip(SERIES, (34, 12), (30, 22), strict=False):
        curve = partial(_spend, least, bend)
        plot.draw_curve(curve, color, 2)
        for _ in range(40):
            x = source.uniform(0.1, 1.9)
            place = plot.find((x, curve(x) + source.gauss(0, 3)))
            sheet.draw_disc(place, 4, mix(color, WHITE, 0.35))
    plot.write_legend(("on Earth", "as on the Moon"), (540, 48))
    sheet.save(folder / "energy.png")


def draw_gait(folder: Path) -> None:
    """A wide chart: which of four feet is on the ground, over ten seconds."""
    sheet = Sheet(1400, 330)
    for i, foot in enumerate(("front left", "front right", "hind left", "hind right")):
        y = 50 + 62 * i
        sheet.write(foot, (136, y), 17, anchor="rm")
        sheet.draw_box((150, y - 20), (1370, y + 20), "#eef1f4")
        for step in range(17):
            start = 150 + 74 * step + 37 * (i in (1, 2)) + 8 * math.sin(step + i)
            late = step in (8, 9) and i == 2
            sheet.draw_box(
                (start, y - 20), (min(1370, start + (58 if late else 42)), y + 20), SERIES[1 if late else 0]
            )
    for second in range(11):
        sheet.write(f"{second} s", (150 + 122 * second, 304), 15, QUIET)
    sheet.save(folder / "gait.png")


def draw_leg(folder: Path) -> None:
    """A tall drawing: one leg of the robot with the names of its parts."""
    sheet = Sheet(480, 860, "#f3f5f7")
    sheet.draw_box((0, 770), (480, 860), SAND)
    hip, knee, foot = (220, 120), (330, 420), (210, 740)
    for one, other, width in ((hip, knee, 44), (knee, foot, 30)):
        sheet.draw_line([one, other], STEEL, width)
    sheet.draw_box((90, 60), (350, 130), "#5d7186")
    for centre, radius in ((hip, 46), (knee, 36)):
        sheet.draw_disc(centre, radius, STEEL)
        sheet.draw_disc(centre, radius * 0.55, JOINT)
    sheet.draw_ellipse((150, 726), (270, 790), INK)
    sheet.draw_line([(244, 330), (316, 470), (252, 560)], "#edae49", 7)
    for text, at, place in (
        ("motor", (300, 120), (380, 230)),
        ("spring", (250, 560), (130, 600)),
        ("pressure", (262, 756), (380, 660)),
    ):
        sheet.draw_line([at, place], QUIET, 1.5)
        sheet.draw_box((place[0] - 58, place[1] - 18), (place[0] + 58, place[1] + 18), WHITE)
        sheet.write(text, place, 20)
    sheet.save(folder / "leg.png")


def walk(length: float, sink: float) -> Iterator[Image.Image]:
    """Yield the frames of two steps of a robot with four legs, which ends as it begins; it sinks into the ground by `sink`."""
    source = random.Random(3)
    pebbles = [(source.random(), source.uniform(250, 296), source.uniform(1.5, 4)) for _ in range(50)]
    for frame in range(FRAMES):
        time = 2 * frame / FRAMES
        sheet = Sheet(480, 300, "#e8eef3")
        shift = time * length
        hills = [(x, 236 + 5 * math.sin((x + shift) * math.pi / length * 2)) for x in range(0, 481, 4)]
        sheet.fill([*hills, (480, 300), (0, 300)], SAND)
        for x, y, size in pebbles:
            start = (x * 2 * length - shift) % (2 * length)
            for turn in range(3):
                sheet.draw_disc((start + 2 * length * turn, y), size, mix(SAND, INK, 0.25))
        height = 148 + 3 * math.sin(4 * math.pi * time) + sink / 3
        for x, late, shade in ((170, 0.5, 0.45), (300, 0, 0.45), (180, 0, 0), (310, 0.5, 0)):
            _draw_leg(sheet, (x, height), (time + late) % 1, length, sink, shade)
        sheet.draw_box((150, height - 34), (334, height + 10), "#5d7186")
        sheet.draw_box((334, height - 46), (374, height - 14), STEEL)
        sheet.draw_disc((362, height - 30), 6, "#edae49")
        yield sheet.image.resize(sheet.size, Image.Resampling.LANCZOS)


def _draw_leg(sheet: Sheet, hip: Point, phase: float, length: float, sink: float, shade: float) -> None:
    """Draw a leg: for six tenths of a step its foot moves back on the ground, then forward through the air."""
    if phase < 0.6:
        along, lift = 0.5 - phase / 0.6, -sink
    else:
        share = (phase - 0.6) / 0.4
        along, lift = share - 0.5, 30 * math.sin(math.pi * share)
    foot = (hip[0] + 0.6 * length * along, 234 - lift)
    knee = _find_knee(hip, foot)
    sheet.draw_line([hip, knee], mix(STEEL, WHITE, shade), 13)
    sheet.draw_line([knee, foot], mix(STEEL, WHITE, shade), 9)
    sheet.draw_disc(knee, 7, mix(JOINT, WHITE, shade))
    sheet.draw_disc(foot, 7, mix(INK, WHITE, shade))


def _find_knee(hip: Point, foot: Point) -> Point:
    """The knee of a leg, behind the line from the hip to the foot."""
    x, y = foot[0] - hip[0], foot[1] - hip[1]
    distance = min(math.hypot(x, y), THIGH + SHIN - 0.1)
    bend = math.acos((THIGH**2 + distance**2 - SHIN**2) / (2 * THIGH * distance))
    angle = math.atan2(y, x) + bend
    return hip[0] + THIGH * math.cos(angle), hip[1] + THIGH * math.sin(angle)


def main() -> None:
    """Write all pictures and videos into the folder of the first argument."""
    folder = Path(sys.argv[1])
    for draw in (draw_learning, draw_slips, draw_heat, draw_transfer, draw_gait, draw_leg):
        draw(folder)
    for name, length, sink in (("walk", 120, 0), ("sand", 84, 9)):
        frames = list(walk(length, sink))
        frames[12].quantize(48).save(folder / f"{name}.png", optimize=True)
        encode_video(frames, FRAME_RATE, str(folder / f"{name}.mp4"))


if __name__ == "__main__":
    main()
