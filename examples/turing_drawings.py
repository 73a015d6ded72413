"""
The drawings of the example of Alan Turing: `python examples/turing_drawings.py FOLDER` writes each as FOLDER/<name>.svg.

Each drawing is computed from the mathematics of the paper that it illustrates. The same call always writes the same bytes.
"""

import cmath
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from contours import compute_pattern, format_smooth_path, trace_contours
from svg_elements import (
    BLUE,
    GOLD,
    GREY,
    HEIGHT,
    INK,
    PAPER,
    RED,
    WIDTH,
    Curve,
    Point,
    circle,
    format_number,
    format_path,
    frame,
    line,
    rectangle,
    squares,
    write,
)

# number theory


def compute_zeta(s: complex, terms: int = 60) -> complex:
    """The Riemann zeta function for a positive real part, by P. Borwein's second algorithm (2000)."""
    coefficients = [0.0]
    total = term = 1.0 / terms
    coefficients = [total]
    for i in range(1, terms + 1):
        term *= 4.0 * (terms + i - 1) * (terms - i + 1) / ((2 * i) * (2 * i - 1))
        total += term
        coefficients.append(total)
    last = coefficients[-1]
    series: complex = sum((-1) ** k * (coefficients[k] - last) / (k + 1) ** s for k in range(terms))
    return -series / (last * (1 - 2 ** (1 - s)))


def compute_hardy_function(t: float) -> float:
    """Hardy's function Z(t): the zeta function on the critical line, turned so that it is real (Riemann and Siegel)."""
    angle = t / 2 * math.log(t / (2 * math.pi)) - t / 2 - math.pi / 8 + 1 / (48 * t)
    return (cmath.exp(1j * angle) * compute_zeta(0.5 + 1j * t)).real


def draw_zeta_curve() -> str:
    """Z(t) between t = 8 and t = 64, with its zeros."""
    steps = [8 + i * 56 / 280 for i in range(281)]
    values = [compute_hardy_function(t) for t in steps]
    points = [(12 + (t - 8) / 56 * 296, 104 - 22 * value) for t, value in zip(steps, values, strict=True)]
    zeros = [
        (x1 + (x2 - x1) * abs(a) / (abs(a) + abs(b)), 104.0)
        for (x1, _), (x2, _), a, b in zip(points, points[1:], values, values[1:], strict=False)
        if a * b < 0
    ]
    return frame(
        "The zeta function on the critical line, and its first zeros",
        INK,
        [
            line([(0, 104), (WIDTH, 104)], GREY, 1),
            line(points, GOLD),
            *(circle(zero, 3.2, RED) for zero in zeros),
        ],
    )


def draw_zeta_spiral() -> str:
    """The values of zeta on the critical line in the complex plane: the curve passes the origin at each zero."""
    values = [compute_zeta(0.5 + 1j * i / 12) for i in range(12 * 42)]
    points = [(112 + 44 * value.real, 100 - 44 * value.imag) for value in values]
    axes = [line([(112, 0), (112, HEIGHT)], GREY, 1), line([(0, 100), (WIDTH, 100)], GREY, 1)]
    return frame(
        "The values of the zeta function in the complex plane",
        INK,
        [*axes, line(points, BLUE, 1.6), circle((112, 100), 4, RED)],
    )


# the growth of form


def draw_leopard() -> str:
    """Rosettes: rings where the pattern is high, with the coat inside darker."""
    field = compute_pattern(50, 1952)
    outer, inner = trace_contours(field, 0.3, 6), trace_contours(field, 0.95, 6)
    parts = [
        f'<path d="{"".join(map(format_smooth_path, curves))}" fill="{fill}"/>'
        for curves, fill in ((outer, "#3b2a1e"), (inner, "#b9772c"))
    ]
    return frame("Spots like those of a leopard, from waves of one length", GOLD, parts)


# machines


def draw_machine() -> str:
    """Turing's first machine (1936, section 3): it prints 0 1 0 1 … and leaves every second square empty."""
    squares = [rectangle((8 + 44 * i, 56), 40, 44, PAPER) for i in range(-1, 8)]
    digits = [write("01"[i // 2 % 2], (28 + 44 * i, 87), INK, 26) for i in range(0, 7, 2)]
    head = f'<path d="{format_path([(248, 108), (226, 138), (270, 138)], closed=True)}" fill="{RED}"/>'
    states = [circle((60 + 34 * i, 158), 12, "none", BLUE if i < 3 else RED) for i in range(4)]
    names = [write(name, (60 + 34 * i, 163), PAPER, 14) for i, name in enumerate("bcef")]
    return frame(
        "The tape, the head and the states of a machine", INK, [*squares, *digits, head, *states, *names]
    )


def draw_universal_table() -> str:
    """The instructions of a small machine as rows of squares, read by its own head."""
    source = random.Random(1936)
    corners: dict[str, list[Point]] = {}
    for row in range(9):
        for column in range(18):
            fill = source.choice([PAPER, PAPER, BLUE, GREY]) if (row + column) % 5 else RED
            corners.setdefault(fill, []).append((16 + 16 * column, 20 + 18 * row))
    return frame(
        "A table of instructions", INK, [squares(places, 13, fill) for fill, places in corners.items()]
    )


def draw_rotors() -> str:
    """The wires of three rotors and a reflector, with the way of one letter through them."""
    source = random.Random(1940)
    contacts, parts = 13, []
    height = [20 + 160 / (contacts - 1) * i for i in range(contacts)]
    wirings = []
    for rotor in range(3):
        wiring = list(range(contacts))
        source.shuffle(wiring)
        wirings.append(wiring)
        left = 200 - 90 * rotor
        parts.append(rectangle((left - 4, 10), 68, 180, "#243142", rx="6"))
        parts += [line([(left + 60, height[i]), (left, height[j])], GREY, 1) for i, j in enumerate(wiring)]
    contact, way = 4, [(WIDTH + 0.0, height[4])]
    for rotor, wiring in enumerate(wirings):
        left = 200 - 90 * rotor
        way += [(left + 60, height[contact]), (left, height[wiring[contact]])]
        contact = wiring[contact]
    back = (contact + 6) % contacts
    way += [(8, height[contact]), (8, height[back])]
    for rotor, wiring in reversed(list(enumerate(wirings))):
        left = 200 - 90 * rotor
        way.append((left, height[back]))
        back = wiring.index(back)
        way.append((left + 60, height[back]))
    way.append((WIDTH + 0.0, height[back]))
    return frame("The way of a letter through three rotors", INK, [*parts, line(way, GOLD, 2.4)])


MENU_LINKS = tuple(
    pair.split("-")
    for pair in ["W-K", "K-E", "E-W", "E-T", "T-R", "R-W", "K-B", "B-O", "O-N", "N-B", "T-O", "A-R"]
)
"""Letters that a guessed text and its cipher join: pairs at one place."""


def draw_menu() -> str:
    """A menu of the bombe: letters of a crib and its cipher as a graph with closed loops."""
    places = {
        "W": (70, 50), "K": (150, 38), "E": (112, 100), "T": (150, 160), "R": (62, 150), "B": (232, 52),
        "O": (228, 136), "N": (288, 94), "A": (24, 98),
    }  # fmt: skip
    parts = [line([places[a], places[b]], RED, 2.4) for a, b in MENU_LINKS]
    for i, (a, b) in enumerate(MENU_LINKS):
        (x1, y1), (x2, y2) = places[a], places[b]
        parts.append(circle(((x1 + x2) / 2, (y1 + y2) / 2), 8, PAPER))
        parts.append(write(str(i * 7 % 23 + 1), ((x1 + x2) / 2, (y1 + y2) / 2 + 4), GREY, 11))
    for letter, place in places.items():
        parts += [circle(place, 14, INK), write(letter, (place[0], place[1] + 6), PAPER, 17)]
    return frame("A menu of the bombe: letters in closed loops", PAPER, parts)


def draw_pulses() -> str:
    """Binary pulses that run through the delay lines of the ACE."""
    source = random.Random(1945)
    parts = []
    for row in range(6):
        level, top = 0, 34 + 28 * row
        points: list[Point] = [(0, top)]
        for column in range(33):
            level = source.randrange(2)
            points += [(column * 10, top - 14 * level), (column * 10 + 10, top - 14 * level)]
        parts.append(line(points, (BLUE, GOLD, BLUE, RED, BLUE, GOLD)[row], 2))
    return frame("Pulses in delay lines", INK, parts)


def draw_speech() -> str:
    """A voice, and the same voice after a key has been added to its samples."""
    source = random.Random(1944)
    voice = [
        (x, 56 + 30 * math.sin(x / 7) * math.sin(x / 45) * math.exp(-(((x % 110) - 50) ** 2) / 2600))
        for x in range(0, WIDTH + 1, 3)
    ]
    samples = [(x, 148 + source.uniform(-34, 34)) for x in range(4, WIDTH, 6)]
    bars = "".join(format_path([(x, 148), (x, y)]) for x, y in samples)
    return frame(
        "A voice, and the voice in cipher",
        INK,
        [line(voice, GOLD), f'<path d="{bars}" stroke="{BLUE}" stroke-width="3" fill="none"/>'],
    )


PIECES: Mapping[str, Sequence[Curve]] = {
    "p": [[(-7, 10), (7, 10), (4, 0), (-4, 0)]],
    "r": [[(-8, 10), (8, 10), (8, -10), (4, -10), (4, -6), (-4, -6), (-4, -10), (-8, -10)]],
    "n": [[(-8, 10), (8, 10), (8, -3), (2, -11), (-8, -3), (-5, 1), (1, -1)]],
    "b": [[(-7, 10), (7, 10), (0, -11)]],
    "q": [[(-8, 10), (8, 10), (10, -9), (4, -2), (0, -11), (-4, -2), (-10, -9)]],
    "k": [
        [(-8, 10), (8, 10), (8, -3), (-8, -3)],
        [(-2, -3), (2, -3), (2, -12), (-2, -12)],
        [(-6, -6), (6, -6), (6, -9), (-6, -9)],
    ],
}
"""The outline of each chess piece around the middle of its square."""

BOARD = ("r.bqk..r", "ppp..ppp", "..np.n..", "....p...", ".b.PP...", "..N..N..", "PPPB.PPP", "R..QKB.R")
"""The position after five moves of the game of Turing's program against Alick Glennie (1952)."""


def draw_chess() -> str:
    """The upper part of a chess board, cut by the edges of the drawing."""
    size = 40
    dark = [(column * size, row * size) for row in range(5) for column in range(8) if (row + column) % 2]
    parts = [squares(dark, size, "#b98b5e")]
    for row, pieces in enumerate(BOARD[1:6]):
        for column, piece in enumerate(pieces):
            if piece == ".":
                continue
            x, y = column * size + size / 2, row * size + size / 2 + 2
            fill = PAPER if piece.isupper() else INK
            path = "".join(
                format_path([(x + 1.3 * a, y + 1.3 * b) for a, b in curve], closed=True)
                for curve in PIECES[piece.lower()]
            )
            head = circle((x, y - 5), 7, fill, INK) if piece.lower() == "p" else ""
            parts.append(f'<path d="{path}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>{head}')
    return frame("A game of chess after five moves", "#e8d3b0", parts)


def draw_imitation_game() -> str:
    """Two players behind a wall, of whom one is a machine, and the judge who reads their answers."""
    parts = [rectangle((150, 0), 6, HEIGHT, GREY)]
    for y, fill in ((52, BLUE), (148, RED)):
        parts += [
            circle((246, y - 12), 17, fill),
            rectangle((218, y + 8), 56, 40, fill, rx="18"),
            line([(156, y), (112, y), (84, 96 + (y - 100) / 8)], PAPER, 2, stroke_dasharray="2 6"),
            rectangle((104, y - 13), 40, 26, PAPER, rx="4"),
            line([(111, y - 4), (136, y - 4)], INK, 2),
            line([(111, y + 4), (128, y + 4)], INK, 2),
        ]
    parts += [rectangle((238, 126), 16, 4, INK), circle((240, 138), 3, INK), circle((252, 138), 3, INK)]
    parts += [
        circle((48, 84), 19, GOLD),
        rectangle((18, 108), 60, 60, GOLD, rx="20"),
        write("?", (48, 93), INK, 26),
    ]
    return frame("The imitation game", INK, parts)


# logic


def draw_ordinals() -> str:
    """The ordinals below ω·ω as sticks: each run of sticks has the next run at its end."""
    path = ""
    left, width, height = 14.0, 292.0, 160.0
    for _ in range(7):
        run, position, stick = width * 0.42, left, height
        for _ in range(18):
            thickness = format_number(max(0.5, stick / 60))
            place = f"{format_number(position)} {format_number(100 - stick / 2)}"
            path += f"M{place}h{thickness}v{format_number(stick)}h-{thickness}z"
            position += (left + run - position) * 0.2
            stick *= 0.86
        left, width, height = left + run, width - run, height * 0.74
    return frame("The ordinals below omega squared", INK, [f'<path d="{path}" fill="{PAPER}"/>'])


def draw_lambda() -> str:
    """The diagram of a λ-term: a bar for each λ, a line for each variable, a link for each application."""
    bars = [(40, 280, 36), (40, 136, 64), (164, 280, 64), (70, 136, 92), (194, 280, 92)]
    lines = [
        (54, 36, 164),
        (84, 92, 128),
        (110, 64, 128),
        (128, 92, 164),
        (178, 64, 164),
        (208, 92, 128),
        (236, 64, 128),
        (266, 92, 164),
    ]
    links = [
        (84, 110, 128),
        (54, 97, 164),
        (97, 128, 164),
        (208, 236, 128),
        (178, 222, 164),
        (222, 266, 164),
        (54, 178, 178),
    ]
    parts = [line([(a, y), (b, y)], GOLD, 5) for a, b, y in bars]
    parts += [line([(x, y1), (x, y2)], PAPER, 4) for x, y1, y2 in lines]
    parts += [line([(a, y), (b, y)], BLUE, 4) for a, b, y in links]
    parts += [line([(97, 128), (97, 164)], PAPER, 4), line([(222, 128), (222, 164)], PAPER, 4)]
    parts += [line([(54, 164), (54, 190)], PAPER, 4), line([(178, 164), (178, 178)], PAPER, 4)]
    return frame("A lambda term as a diagram", INK, parts)


def draw_lie_group() -> str:
    """The circle as a Lie group, and finite groups that come close to it: polygons with 3, 4, 5, … corners."""
    parts = []
    for corners, colour in ((3, RED), (4, GOLD), (5, BLUE), (7, PAPER), (12, GREY)):
        angles = [2 * math.pi * i / corners - math.pi / 2 for i in range(corners + 1)]
        parts.append(line([(160 + 84 * math.cos(a), 100 + 84 * math.sin(a)) for a in angles], colour, 1.8))
    return frame("Polygons in a circle", INK, [circle((160, 100), 84, "none", PAPER), *parts])


def draw_groups() -> str:
    """A group of order six that is extended: six copies of its graph around the graph itself."""

    def place(centre: Point, radius: float, i: int) -> Point:
        return (
            centre[0] + radius * math.cos(i * math.pi / 3),
            centre[1] + radius * math.sin(i * math.pi / 3),
        )

    parts = []
    centres = [place((160, 100), 66, i) for i in range(6)]
    parts.append(line([*centres, centres[0]], GOLD, 2))
    for centre in centres:
        corners = [place(centre, 21, i) for i in range(6)]
        parts += [line([*corners, corners[0]], BLUE, 1.5), *(circle(corner, 4, RED) for corner in corners)]
    return frame("A group and its extension", INK, parts)


def draw_words() -> str:
    """A word that is rewritten step by step: each row of letters is equal to the one above."""
    rows = ("abbabaab", "abaabab", "baabab", "aabab", "aab")
    fills = {"a": GOLD, "b": BLUE}
    parts = []
    for j, word in enumerate(rows):
        for i, letter in enumerate(word):
            left = 160 - len(word) * 17 + i * 34
            parts.append(rectangle((left, 14 + 36 * j), 30, 28, fills[letter], rx="4"))
            parts.append(write(letter, (left + 15, 34 + 36 * j), INK, 19))
    return frame("A word is rewritten", INK, parts)


def draw_brackets() -> str:
    """Nested brackets as arcs, and the dots that can replace them."""
    pairs = [(20, 300), (34, 150), (48, 96), (104, 140), (164, 286), (178, 272), (192, 226), (234, 262)]
    parts = []
    for start, end in pairs:
        middle, height = (start + end) / 2, (end - start) / 2
        arc = [
            (middle - height * math.cos(math.pi * i / 24), 160 - 0.95 * height * math.sin(math.pi * i / 24))
            for i in range(25)
        ]
        parts.append(line(arc, BLUE, 2))
    depth = {x: sum(a <= x <= b for a, b in pairs) for pair in pairs for x in pair}
    for x, count in depth.items():
        parts += [circle((x, 166 + 8 * i), 2.6, RED) for i in range(count)]
    return frame("Brackets as arcs and dots", INK, parts)


# analysis and computing


def draw_gaussian() -> str:
    """A sum of many small errors: a histogram, and the normal distribution to which it tends."""
    counts = [math.comb(18, i) for i in range(19)]
    parts = [
        rectangle((22 + 14.6 * i, 178 - count / 290), 12, count / 290, BLUE) for i, count in enumerate(counts)
    ]
    curve = [(28 + 14.6 * x / 5, 178 - 48620 / 290 * math.exp(-((x / 5 - 9) ** 2) / 9)) for x in range(91)]
    return frame("The normal distribution", INK, [*parts, line(curve, GOLD, 2.4)])


def draw_almost_periods() -> str:
    """The sum of two cosines whose periods have no common multiple: it never repeats exactly."""
    parts = []
    for row, (first, colour) in enumerate(((0, BLUE), (260, GOLD), (520, RED))):
        curve = [
            (x, 38 + 62 * row - 13 * (math.cos((x + first) / 11) + math.cos(math.sqrt(2) * (x + first) / 11)))
            for x in range(0, WIDTH + 1, 3)
        ]
        parts.append(line(curve, colour))
    return frame("A function that is almost periodic", INK, parts)


def draw_matrix() -> str:
    """A matrix as the product of two triangles (1948, theorem 1)."""
    source = random.Random(1948)
    parts = []
    for left, is_lower, colour in ((22, True, BLUE), (172, False, GOLD)):
        corners: dict[tuple[str, str], list[Point]] = {}
        for i in range(9):
            for j in range(9):
                is_filled = j <= i if is_lower else j >= i
                opacity = source.choice(["0.4", "0.6", "0.8", "1"]) if is_filled else "0.08"
                corners.setdefault((RED if i == j else colour, opacity), []).append(
                    (left + 14 * j, 36 + 14 * i)
                )
        parts += [squares(places, 12, fill, opacity=opacity) for (fill, opacity), places in corners.items()]
    return frame("A matrix as the product of two triangles", INK, parts)


def draw_flow_diagram() -> str:
    """The flow diagram of 1949: a routine that computes factorials by additions, with what is true at each arrow."""
    boxes = {"A": (30, 84), "B": (98, 84), "C": (166, 34), "D": (166, 134), "E": (246, 84)}
    arrows = [("A", "B"), ("B", "C"), ("C", "E"), ("E", "D"), ("D", "B")]
    parts = []
    for start, end in arrows:
        (x1, y1), (x2, y2) = boxes[start], boxes[end]
        parts.append(line([(x1 + 22, y1 + 16), (x2 + 22, y2 + 16)], BLUE, 2))
        parts.append(circle(((x1 + x2) / 2 + 22, (y1 + y2) / 2 + 16), 4, RED))
    for name, (x, y) in boxes.items():
        parts += [rectangle((x, y), 44, 32, PAPER, rx="6"), write(name, (x + 22, y + 22), INK, 17)]
    return frame("The flow diagram of a routine", INK, parts)


def draw_evidence() -> str:
    """The weight of evidence, letter by letter, for a true and for a false setting."""
    source = random.Random(1941)
    parts = [
        line([(0, 140), (WIDTH, 140)], GREY, 1),
        line([(0, 34), (WIDTH, 34)], GREY, 1, stroke_dasharray="4 5"),
    ]
    for drift, colour in ((-0.9, BLUE), (-0.6, BLUE), (-0.3, BLUE), (2.9, GOLD)):
        height, curve = 140.0, [(0.0, 140.0)]
        for x in range(8, WIDTH + 1, 8):
            height = min(192, max(20, height - drift - source.uniform(-5.5, 5.5)))
            curve.append((x, height))
        parts.append(line(curve, colour))
    return frame("The weight of evidence grows for the true setting", INK, parts)


def draw_learning() -> str:
    """An unorganised machine (1948): units that are joined at random, some of them on."""
    source = random.Random(1947)
    units = [
        (30 + 52 * i + source.uniform(-12, 12), 34 + 44 * j + source.uniform(-10, 10))
        for j in range(4)
        for i in range(6)
    ]
    joins = "".join(format_path([unit, end]) for unit in units for end in source.sample(units, 2))
    parts = [f'<path d="{joins}" stroke="{GREY}"/>']
    parts += [circle(unit, 9, source.choice([GOLD, PAPER, PAPER, RED])) for unit in units]
    return frame("A machine of units that are joined at random", INK, parts)


def draw_puzzle() -> str:
    """A sliding puzzle of fifteen tiles: a problem that can be decided."""
    order = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14]
    parts = [rectangle((66, 6), 188, 188, INK, rx="8")]
    for i, number in enumerate(order):
        x, y = 72 + 44.5 * (i % 4), 12 + 44.5 * (i // 4)
        fill = RED if number > 13 else PAPER
        parts += [rectangle((x, y), 42, 42, fill, rx="5"), write(str(number), (x + 21, y + 28), INK, 20)]
    return frame("A puzzle of fifteen tiles", GOLD, parts)


def draw_types() -> str:
    """The types over individuals and truth values: each level holds the functions between the levels below it."""
    parts = []
    for level in range(6):
        width, height = 300 - 48 * level, 188 - 30 * level
        fill = ("#22303f", "#2c3f52", "#3a5269", "#4d6a86", BLUE, GOLD)[level]
        parts.append(rectangle((160 - width / 2, 194 - height), width, height - 6, fill, rx="8"))
    return frame("Types that contain types", INK, parts)


def draw_proof() -> str:
    """A proof as a tree: the theorem below, the axioms at the leaves."""
    parts: list[str] = []
    nodes = [(160.0, 172.0, 84.0)]
    discs = [circle((160, 172), 9, RED)]
    for level in range(4):
        above: list[tuple[float, float, float]] = []
        for x, y, spread in nodes:
            for end in (x - spread, x + spread):
                parts.append(line([(x, y), (end, y - 38)], GREY, 1.5))
                discs.append(circle((end, y - 38), 7 - level, GOLD if level == 3 else BLUE))
                above.append((end, y - 38, spread * 0.47))
        nodes = above
    return frame("A proof as a tree", INK, [*parts, *discs])


def draw_logics() -> str:
    """Logics that are extended step by step along the ordinals: each step proves what the last one could not."""
    parts = []
    for turn in range(60):
        angle, radius = turn * 2 * math.pi / 12.3, 88 * 0.962**turn
        place = (160 + 1.5 * radius * math.cos(angle), 100 + radius * math.sin(angle))
        parts.append(circle(place, 0.6 + radius / 11, (BLUE, GOLD, PAPER, RED)[turn // 12 % 4]))
    return frame("A sequence of logics without end", INK, parts)


def draw_intervals() -> str:
    """A computable number as nested intervals: each digit halves the one before."""
    parts, left, right = [], 20.0, 300.0
    for row, digit in enumerate((1, 0, 1, 1, 0, 1, 0, 0)):
        y = 18 + 22 * row
        parts += [
            line([(20, y), (300, y)], "#2c3a49", 7),
            line([(left, y), (right, y)], GOLD if row % 2 else BLUE, 7),
        ]
        middle = (left + right) / 2
        left, right = (middle, right) if digit else (left, middle)
    return frame("A number as nested intervals", INK, [*parts, line([(left, 6), (left, 194)], RED, 1.5)])


def draw_reduction() -> str:
    """A term and its reductions: two ways that meet again (Church and Rosser)."""
    places = [(i, j) for i in range(3) for j in range(3)]
    centre = {(i, j): (160.0 + 38 * (i - j), 24.0 + 38 * (i + j)) for i, j in places}
    steps = [
        ((i, j), (i + di, j + dj))
        for i, j in places
        for di, dj in ((1, 0), (0, 1))
        if (i + di, j + dj) in centre
    ]
    parts = [line([centre[start], centre[end]], BLUE, 2) for start, end in steps]
    ends = (places[0], places[-1])
    discs = [circle(centre[place], 9, RED if place in ends else PAPER) for place in places]
    return frame("Two ways of reduction that meet", INK, [*parts, *discs])


def draw_paper_tape() -> str:
    """A paper tape with five holes in a row, the code in which the Manchester machine was programmed."""
    source = random.Random(1951)
    holes = [
        circle((14 + 18 * column, 62 + 16 * row + (10 if row > 2 else 0)), 5.2, INK)
        for column in range(17)
        for row in range(5)
        if source.random() < 0.55
    ]
    guide = [circle((14 + 18 * column, 106), 2, INK) for column in range(17)]
    return frame("A paper tape", INK, [rectangle((0, 44), WIDTH, 112, PAPER), *holes, *guide])


DRAWINGS: Mapping[str, Callable[[], str]] = {
    "almost-periods": draw_almost_periods,
    "brackets": draw_brackets,
    "chess": draw_chess,
    "evidence": draw_evidence,
    "flow-diagram": draw_flow_diagram,
    "gaussian": draw_gaussian,
    "groups": draw_groups,
    "imitation-game": draw_imitation_game,
    "intervals": draw_intervals,
    "lambda": draw_lambda,
    "learning": draw_learning,
    "leopard": draw_leopard,
    "lie-group": draw_lie_group,
    "logics": draw_logics,
    "machine": draw_machine,
    "matrix": draw_matrix,
    "menu": draw_menu,
    "ordinals": draw_ordinals,
    "paper-tape": draw_paper_tape,
    "proof": draw_proof,
    "pulses": draw_pulses,
    "puzzle": draw_puzzle,
    "reduction": draw_reduction,
    "rotors": draw_rotors,
    "speech": draw_speech,
    "types": draw_types,
    "universal-table": draw_universal_table,
    "words": draw_words,
    "zeta-curve": draw_zeta_curve,
    "zeta-spiral": draw_zeta_spiral,
}


def main(folder: Path) -> None:
    """Write each drawing into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
