"""
Pictures of every theme, for the documentation and the README: `python docs/pictures.py` writes docs/content/images/themes/.

The site shown is the demonstration site of this repository. The command needs Chromium and the package playwright. tests/browser/test_theme_screenshots.py says when the pictures are out of date.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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


def write_site(folder: Path, theme: str) -> None:
    """Write the sources of the site shown into an empty folder."""
    for name in ("content", "bib"):
        shutil.copytree(ROOT / name, folder / name)
    settings = (ROOT / "site.yaml").read_text(encoding="utf-8")
    lines = [line for line in settings.splitlines() if not line.startswith("theme:")]
    lines.append(f"theme: {{name: {theme}{OPTIONS[theme]}}}")
    (folder / "site.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


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
