"""Each letter of a name is drawn in every engine as the heading and the name of the site draw it."""

import io
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from itertools import product
from math import ceil, floor

import pytest
from chromium import Server
from conftest import SAMPLES_FOLDER, read_script, write_files
from engines import Engine, launch_firefox, launch_webkit
from matrix import THEMES
from PIL import Image, ImageChops, ImageOps, ImageStat
from playwright.sync_api import Browser, Page

from tenure.build import build_site
from tenure.site_folder import BuildOptions

pytestmark = pytest.mark.scheduled

LOOKS = tuple(theme for theme in THEMES if theme not in ("base", "plain"))
NAMES = {
    "Polish": "Łucja Wiśniewska-Źdźbło",
    "Czech": "Řehoř Žůček Dvořák",
    "Turkish": "İpek Şahin Çağrı",
    "Vietnamese": "Đỗ Thị Hạnh Nguyễn Vượng",
    "Icelandic": "Þórður Æsa Eiðsdóttir",
    "Romanian": "Ștefan Țurcanu Brâncuși Lăzăr",
    "Greek": "Ελένη Παπαδοπούλου Ίων Ψυχής",
    "Cyrillic": "Щербакова Юлія Ђорђе Ёлкина",
    "Ewe": "Aƒi Ŋutsu",
}
MISSING = "\uffff"
LINES = (MISSING, *NAMES.values())
ELEMENTS = ("name of the site", "heading")
SPACING = 6
DRAW = f"({read_script('draw names')})({json.dumps(LINES)}, {SPACING})"


class Chromium:
    """A page of Chromium, asked as the other engines are."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def open_page(self, url: str) -> None:
        self._page.goto(url)

    def evaluate(self, expression: str) -> object:
        return self._page.evaluate(expression)

    def take_screenshot(self) -> bytes:
        return self._page.screenshot()


def serve_names(server: Server, theme: str) -> str:
    """Serve a site whose homepage has a heading and a name of the site, and return its URL."""
    folder = SAMPLES_FOLDER / f"letters-{theme}"
    write_files(folder, "-- content/profile.yaml --\nname: Ada Example\n")
    return server.add_folder(
        f"letters-{theme}", build_site(folder, options=BuildOptions(theme=theme)).artifacts
    )


def cut_letter(picture: Image.Image, box: Sequence[float]) -> Image.Image:
    """Return the part of a picture that has the ink of one letter, in white on black; without ink it has no size."""
    left, top, right, bottom = box
    cell = picture.crop((ceil(left), ceil(top), floor(right - SPACING / 2), floor(bottom)))
    inked = ImageOps.invert(cell)
    return inked.crop(inked.getbbox() or (0, 0, 0, 0))


def look_alike(one: Image.Image, other: Image.Image) -> bool:
    """Tell whether two pictures are of one letter, which may stand between pixels."""
    is_near = all(abs(size - other_size) <= 1 for size, other_size in zip(one.size, other.size, strict=True))
    return is_near and ImageStat.Stat(ImageChops.difference(one, other.resize(one.size))).mean[0] < 30


def find_lost_letters(engine: Engine, server: Server) -> list[str]:
    """
    Return the letters whose picture is empty or that of a letter that no font has, with their place.

    Each name is drawn whole: WebKit has lost letters only beside others, whose font has them.
    """
    lost: list[str] = []
    for theme in LOOKS:
        engine.open_page(serve_names(server, theme))
        boxes = engine.evaluate(DRAW)
        with Image.open(io.BytesIO(engine.take_screenshot())) as opened:
            picture = opened.convert("L")

        lines = zip(product(ELEMENTS, LINES), boxes, strict=True)
        for (element, line), line_boxes in lines:
            letters = [cut_letter(picture, box) for box in line_boxes]
            if line == MISSING:
                (missing,) = letters
                continue
            lost += [
                f"{theme}, {element}, {line}: {letter}"
                for letter, drawn in zip(line, letters, strict=True)
                if letter != " " and (0 in drawn.size or look_alike(drawn, missing))
            ]
    return lost


def test_chromium_draws_each_letter_of_a_name(chromium: Browser, server: Server) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    assert find_lost_letters(Chromium(page), server) == []


@pytest.mark.usefixtures("firefox", "webkit")
@pytest.mark.parametrize("launch", [launch_firefox, launch_webkit], ids=["firefox", "webkit"])
def test_other_engines_draw_each_letter_of_a_name(
    launch: Callable[[], AbstractContextManager[Engine]], server: Server
) -> None:
    with launch() as engine:
        assert find_lost_letters(engine, server) == []
