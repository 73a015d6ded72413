"""
Pictures of every theme, for the documentation and the README: `python docs/pictures.py` writes docs/content/images/themes/.

The site shown is the demonstration site of this repository with a portrait and thumbnails, all computed here. It needs
Chromium and the package playwright. tests/browser/test_theme_screenshots.py says when the pictures are out of date.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import cos, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageChops, ImageStat

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tenure.build import build_site  # noqa: E402
from tenure.cache.store import CacheStore  # noqa: E402 - found in the folder above
from tenure.publish import publish_artifacts  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "docs/content/images/themes"
THEMES = ("classic", "folio", "plain")
LARGEST = 60_000
"""Bytes that a picture may have."""

CLEAR = {"classic": 4.0, "folio": 4.0, "plain": 7.0}
"""
The difference from which on a picture is out of date, of 255 (see `difference`).

It is higher for the theme plain, which is shown in the font of the machine.
"""


class View(NamedTuple):
    """What a picture shows: a page of the site, the window, the color scheme, and the width of the picture in pixels."""

    page: str
    width: int
    height: int
    scheme: str
    shown: int


VIEWS = {
    "home": View("index.html", 1280, 900, "light", 800),
    "publications": View("publications/index.html", 1280, 900, "light", 800),
    "dark": View("index.html", 1280, 900, "dark", 800),
    "cv": View("cv/index.html", 1280, 900, "light", 800),
    "phone": View("index.html", 390, 780, "light", 390),
}

OPTIONS = {
    "folio": ", publications_view: thumbnails",
    "classic": ", publications_view: thumbnails",
    "plain": "",
}


def portrait() -> str:
    """A portrait as a drawing: a head and shoulders in front of a tape with ones and zeros."""
    squares = "".join(
        f'<rect x="{20 * n}" y="{20 * row}" width="20" height="20" fill="#{"d9cfc0" if (n * n + row * n + row) % 3 else "cbbfae"}"/>'
        for n in range(10)
        for row in range(10)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="400" height="400">{squares}'
        '<path d="M20 200c4-42 36-56 80-56s76 14 80 56z" fill="#3d4a57"/><path d="M84 128h32v28l-16 14-16-14z" fill="#d9a98a"/>'
        '<path d="M78 150l22 22 22-22 8 6-20 34h-20l-20-34z" fill="#f4f1ec"/>'
        '<ellipse cx="100" cy="92" rx="36" ry="45" fill="#e6bb9b"/>'
        '<path d="M62 92c-6-44 20-58 42-56 26 2 40 22 33 58-4-22-12-32-26-34-18 6-38 4-44 10-3 6-4 12-5 22z" fill="#3b2a20"/>'
        "</svg>"
    )


def spots() -> str:
    """A thumbnail: spots such as reaction and diffusion make, on a spiral with equal areas."""
    golden = pi * (3 - 5**0.5)
    drawn = "".join(
        f'<circle cx="{160 + 9 * n**0.5 * cos(n * golden):.1f}" cy="{100 + 9 * n**0.5 * sin(n * golden):.1f}" r="{2.4 + n % 5 * 0.6:.1f}"/>'
        for n in range(1, 420)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="640" height="400"><rect width="320" height="200" fill="#e8b45a"/><g fill="#4a2f12">{drawn}</g></svg>'


def tape() -> str:
    """A thumbnail: the tape of a machine as it counts in binary, one line for each number."""
    cells = "".join(
        f'<rect x="{4 + 26 * column}" y="{4 + 24 * row}" width="24" height="22" fill="#{"1f4e79" if row >> (11 - column) & 1 or (row * 7) >> (11 - column) & 1 else "dfe8f1"}"/>'
        for row in range(8)
        for column in range(12)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="640" height="400"><rect width="320" height="200" fill="#f7f9fb"/>{cells}</svg>'


def wave() -> str:
    """A thumbnail: sums of cosines, as on a critical line."""
    lines = ""
    for terms, color in ((4, "8a2d7c"), (9, "0b6a6e"), (16, "a03c14")):
        points = " ".join(
            f"{x},{100 - 22 * sum(cos(x / 12 * n**0.5) / n**0.5 for n in range(1, terms)):.1f}"
            for x in range(0, 321, 2)
        )
        lines += f'<polyline points="{points}" fill="none" stroke="#{color}" stroke-width="2.5"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="640" height="400"><rect width="320" height="200" fill="#fbfaf7"/><path d="M0 100h320" stroke="#bbb"/>{lines}</svg>'


THUMBNAILS = {
    "turing1952morphogenesis": "spots",
    "turing1950mind": "tape",
    "turing1939ordinals": "wave",
    "turing1936computable": "tape",
    "turing1953zeta": "wave",
}
"""The publications with a thumbnail, by key, and which."""


def write_site(folder: Path, theme: str) -> None:
    """Write the sources of the site shown into an empty folder."""
    for name in ("content", "bib"):
        shutil.copytree(ROOT / name, folder / name)
    settings = (ROOT / "site.yaml").read_text(encoding="utf-8")
    lines = [line for line in settings.splitlines() if not line.startswith("theme:")]
    lines.append(f"theme: {{name: {theme}{OPTIONS[theme]}}}")
    (folder / "site.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with (folder / "content/profile.yaml").open("a", encoding="utf-8") as profile:
        profile.write("photo: portrait.svg\n")
    (folder / "content/portrait.svg").write_text(portrait(), encoding="utf-8")
    drawings = {"spots": spots(), "tape": tape(), "wave": wave()}
    for name, drawing in drawings.items():
        (folder / f"content/{name}.svg").write_text(drawing, encoding="utf-8")
    entries = "".join(
        f'- {{key: {key}, image: {name}.svg, image_alt: "A drawing"}}\n' for key, name in THUMBNAILS.items()
    )
    (folder / "content/publications.yaml").write_text(entries, encoding="utf-8")


@contextmanager
def built_site(theme: str) -> Iterator[Path]:
    """The site shown, built in a theme; raises ValueError where it has a problem."""
    with tempfile.TemporaryDirectory(prefix="tenure-pictures-") as name:
        folder = Path(name)
        write_site(folder, theme)
        result = build_site(folder, store=CacheStore())
        if result.problems:
            raise ValueError("\n".join(problem.message for problem in result.problems))
        publish_artifacts(result.artifacts, folder / "output")
        yield folder / "output"


def take_pictures(browser: "Browser", theme: str) -> Iterator[tuple[str, Image.Image]]:
    """Each picture of a theme with the name of its file, as the browser shows the site now."""
    with built_site(theme) as output:
        for name, view in VIEWS.items():
            page = browser.new_page(
                viewport={"width": view.width, "height": view.height},
                color_scheme="dark" if view.scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            page.goto((output / view.page).as_uri())
            page.evaluate("document.fonts.ready.then(() => true)")
            image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            page.close()
            height = round(image.height * view.shown / image.width)
            yield f"{theme}-{name}.webp", image.resize((view.shown, height), Image.Resampling.LANCZOS)


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures from 0 to 255, of areas and not of single letters."""
    size = (64, 64)
    small = [image.convert("RGB").resize(size, Image.Resampling.BOX) for image in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(small[0], small[1])).mean) / 3


def main() -> None:
    """Take all pictures anew and write them."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the tests bring a browser of their own

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium)
        for theme in THEMES:
            for name, image in take_pictures(browser, theme):
                image.save(FOLDER / name, "WEBP", quality=78, method=6)
        browser.close()


if __name__ == "__main__":
    main()
