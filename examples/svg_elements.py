"""Elements of an SVG drawing as text: lines, discs, rectangles, squares, and the frame around them."""

from collections.abc import Iterable, Sequence

WIDTH, HEIGHT = 320, 200
"""The size of each drawing in pixels."""

INK, PAPER, RED, GOLD, BLUE, GREY = "#17202b", "#f4eede", "#d1495b", "#edae49", "#8fb8de", "#5c6b7a"

Point = tuple[float, float]
Curve = Sequence[Point]


def format_number(number: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0") if abs(number) >= 0.05 else "0"


def format_path(points: Iterable[Point], *, closed: bool = False) -> str:
    """The `d` attribute of a line through points."""
    coordinates = [f"{format_number(x)} {format_number(y)}" for x, y in points]
    return "M" + "L".join(coordinates) + ("z" if closed else "")


def line(points: Iterable[Point], colour: str, width: float = 2, **attributes: str) -> str:
    """A line through points without fill."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return (
        f'<path d="{format_path(points)}" fill="none" stroke="{colour}" stroke-width="{format_number(width)}"'
        f' stroke-linejoin="round" stroke-linecap="round"{more}/>'
    )


def circle(centre: Point, radius: float, fill: str, stroke: str = "") -> str:
    """A disc, or a ring if `stroke` is given."""
    x, y = map(format_number, centre)
    outline = f' stroke="{stroke}" stroke-width="2"' if stroke else ""
    return f'<circle cx="{x}" cy="{y}" r="{format_number(radius)}" fill="{fill}"{outline}/>'


def rectangle(corner: Point, width: float, height: float, fill: str, **attributes: str) -> str:
    """A filled rectangle from its upper left corner."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    x, y, wide, high = map(format_number, (*corner, width, height))
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="{fill}"{more}/>'


def squares(corners: Iterable[Point], size: float, fill: str, **attributes: str) -> str:
    """Equal squares as one path."""
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    side = format_number(size)
    path = "".join(f"M{format_number(x)} {format_number(y)}h{side}v{side}h-{side}z" for x, y in corners)
    return f'<path d="{path}" fill="{fill}"{more}/>'


def write(text: str, position: Point, fill: str, size: float = 18, anchor: str = "middle") -> str:
    """A line of text."""
    x, y = map(format_number, position)
    return (
        f'<text x="{x}" y="{y}" fill="{fill}" font-size="{format_number(size)}" text-anchor="{anchor}"'
        f' font-family="Georgia, serif">{text}</text>'
    )


def frame(title: str, ground: str, parts: Iterable[str]) -> str:
    """The whole SVG file of a drawing."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<title>{title}</title>\n{rectangle((0, 0), WIDTH, HEIGHT, ground)}\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )
