"""
The video of the example of Alan Turing: `python examples/turing_video.py FILE.mp4` computes it and encodes it with ffmpeg.

Spots grow and divide where two substances react and diffuse, as in "The Chemical Basis of Morphogenesis" (1952). The
reaction is the model of Gray and Scott with the parameters of dividing spots (J. E. Pearson, "Complex Patterns in a
Simple System", Science 261, 1993).
"""

import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from PIL import Image, ImageOps

COLUMNS, ROWS = 120, 75
SCALE = 4
"""Pixels of the video for each cell, in each direction."""

FEED, KILL, DIFFUSION_U, DIFFUSION_V = 0.03, 0.0612, 0.2, 0.1
FRAMES, STEPS_PER_FRAME, FRAME_RATE = 130, 45, 22

Row = list[float]


def spread(row: Row, above: Row, below: Row) -> Row:
    """Return the difference of each cell of a row to the mean of its neighbours, times four; opposite edges are connected."""
    left, right = [row[-1], *row], [*row[1:], row[0]]
    return [
        west + east + north + south - 4 * own
        for own, west, east, north, south in zip(row, left, right, above, below, strict=False)
    ]


def react(rows_u: list[Row], rows_v: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return both substances after one step."""
    next_u, next_v = [], []
    for j in range(ROWS):
        below = (j + 1) % ROWS
        flow_u = spread(rows_u[j], rows_u[j - 1], rows_u[below])
        flow_v = spread(rows_v[j], rows_v[j - 1], rows_v[below])
        row_u, row_v = [], []
        for u, v, du, dv in zip(rows_u[j], rows_v[j], flow_u, flow_v, strict=True):
            rate = u * v * v
            row_u.append(u + DIFFUSION_U * du - rate + FEED * (1 - u))
            row_v.append(v + DIFFUSION_V * dv + rate - (FEED + KILL) * v)
        next_u.append(row_u)
        next_v.append(row_v)
    return next_u, next_v


def grow_spots() -> Iterator[list[Row]]:
    """Yield the second substance at each frame; it begins in a few cells."""
    source = random.Random(1952)
    rows_u = [[1.0] * COLUMNS for _ in range(ROWS)]
    rows_v = [[0.0] * COLUMNS for _ in range(ROWS)]
    for _ in range(7):
        left, top = source.randrange(COLUMNS - 5), source.randrange(ROWS - 5)
        for j in range(top, top + 5):
            rows_u[j][left : left + 5] = [0.5] * 5
            rows_v[j][left : left + 5] = [0.25 + source.uniform(0, 0.05) for _ in range(5)]
    for _ in range(FRAMES):
        for _ in range(STEPS_PER_FRAME):
            rows_u, rows_v = react(rows_u, rows_v)
        yield rows_v


def draw_frame(rows: list[Row]) -> Image.Image:
    """Return a frame: dark rings with brown inside, on gold."""
    values = bytes(min(255, max(0, round(value * 640))) for row in rows for value in row)
    field = Image.frombytes("L", (COLUMNS, ROWS), values)
    field = field.resize((COLUMNS * SCALE, ROWS * SCALE), Image.Resampling.BICUBIC)
    levels = [(0, 0), (70, 0), (96, 128), (150, 128), (178, 255), (255, 255)]
    curve = [0] * 256
    for (start, low), (end, high) in pairwise(levels):
        for level in range(start, end + 1):
            curve[level] = round(low + (high - low) * (level - start) / max(1, end - start))
    return ImageOps.colorize(field.point(curve), black="#edae49", mid="#3b2a1e", white="#b9772c")


def encode_video(frames: Iterable[Image.Image], rate: int, file: str) -> None:
    """Encode frames of one size with ffmpeg; exit if it fails."""
    frames = iter(frames)
    first = next(frames)
    size = f"{first.width}x{first.height}"
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(rate), "-i", "-"]
    coding = ["-c:v", "libx264", "-preset", "veryslow", "-crf", "34", "-pix_fmt", "yuv420p"]
    plain = [
        "-map_metadata",
        "-1",
        "-fflags",
        "+bitexact",
        "-flags:v",
        "+bitexact",
        "-movflags",
        "+faststart",
    ]
    command = ["ffmpeg", "-y", "-loglevel", "error", *source, *coding, *plain, file]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        if encoder.stdin is not None:
            for frame in chain([first], frames):
                encoder.stdin.write(frame.tobytes())
            encoder.stdin.close()
    if encoder.returncode:
        sys.exit(encoder.returncode)


def main(file: str) -> None:
    """Write the video."""
    encode_video(map(draw_frame, grow_spots()), FRAME_RATE, file)


if __name__ == "__main__":
    main(sys.argv[1])
