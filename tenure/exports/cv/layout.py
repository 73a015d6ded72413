"""
What Word and LaTeX take from a theme: the layout of a look, and their fixed parts, which a theme can replace.

A look states its layout in a comment: `// word: font=Cambria accent=#1a4a8a margins=15,17`
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tenure.exports.cv.document import CvData
from tenure.exports.cv.typst import Template
from tenure.record import Record

POINTS_PER_MILLIMETRE = 72 / 25.4
DEFAULT_SIZE = 10
"""Points of the letters of a CV that configures no size."""

_LOOK = re.compile(r"^// word: (.+)$", re.MULTILINE)
_INCLUDED_LOOK = re.compile(r'^#include "/(.+\.typ)"', re.MULTILINE)
"""The layout that a look states, and a look that is another one: #include "/base/cv-compact.typ"."""

_PLACEHOLDER = re.compile(r"@(?P<name>[a-z]+)(?: (?P<points>[\d.]+))?@")
"""A value, "@accent@", or a length in points, "@gap 10@"."""


class Layout(Record):
    """The letters and the page of a document; `margins` (top and bottom, left and right) are points."""

    font: str
    accent: str
    margins: tuple[float, float]
    size: float
    scale: float

    @property
    def is_serif(self) -> bool:
        """Whether the letters have serifs."""
        return self.font == "Cambria"


def choose_layout(cv: CvData, look: str, templates: Mapping[str, Template], scale: float) -> Layout:
    """The layout of a CV: what it configures, else that of the template of its look; sizes as in its PDF."""
    text = templates[look].text
    if included := _INCLUDED_LOOK.search(text):
        text = templates[included[1]].text
    stated = _LOOK.search(text)
    own = {"font": "Cambria", "accent": "#000000", "margins": "18,18"}
    if stated:
        own |= dict(item.split("=") for item in stated[1].split() if "=" in item)

    margins = cv.margins or [float(side) * POINTS_PER_MILLIMETRE for side in own["margins"].split(",")]
    size = (cv.size or DEFAULT_SIZE) * scale
    return Layout(own["font"], cv.accent or own["accent"], (margins[0], margins[-1]), size, scale)


def read_part(folders: Sequence[Path], name: str) -> str:
    """The text of the nearest file with a name in the folders of a theme and of those that it extends."""
    path = next(folder / name for folder in folders if (folder / name).is_file())
    return path.read_text("utf-8")


def fill_part(text: str, values: Mapping[str, str], units: Mapping[str, Callable[[float], str]]) -> str:
    """A part with its values, and its lengths in the units of the format."""

    def fill(match: re.Match[str]) -> str:
        # "@accent@" -> "1A4A8A", "@gap 10@" -> "200"; a text such as "@x@" that is no value stays
        if match["points"] is None:
            return values.get(match["name"], match[0])
        return units[match["name"]](float(match["points"]))

    return _PLACEHOLDER.sub(fill, text)
