"""
Pictures of every theme, for the documentation and the README: `python tools/pictures.py` writes them.

They are in docs/content/images/themes/ and docs/content/images/readme/.

The site shown is the demonstration site of this repository. The command needs Chromium and the packages
playwright and pypdfium2. tests/browser/test_theme_screenshots.py says when the pictures are out of date.
"""

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageStat

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tenure.build import build_site  # noqa: E402
from tenure.cache.store import CacheStore  # noqa: E402 - found in the folder above
from tenure.publish import publish_artifacts  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "docs/content/images/themes"
README_FOLDER = ROOT / "docs/content/images/readme"
THEMES = ("folio", "classic", "margin", "plate", "stage")
LARGEST = 160_000
"""The largest size of a picture in bytes."""

WIDTH = 1280
"""The width of the picture of a theme in pixels."""

GAP = 16
"""The distance between its pages."""

CV_WIDTH = 480
EDGE = "#8a8a8a"
"""The line around each page of a picture."""

SCHEMES = ("light", "dark")

CLEAR = 4.0
"""The difference (see `difference`) above which a picture is out of date, from 0 to 255."""


class View(NamedTuple):
    """A page of the site or a PDF, the window, the color scheme, and the width of the picture in pixels."""

    page: str
    width: int
    height: int
    scheme: str
    shown: int


OPTIONS = {
    "folio": ", publications_view: thumbnails",
    "classic": ", publications_view: thumbnails",
    "plate": "",
    "margin": "",
    "stage": "",
}


def write_site(folder: Path, theme: str) -> None:
    """Write the sources of the demonstration site into an empty folder."""
    for name in ("content", "bib"):
        shutil.copytree(ROOT / name, folder / name)
    settings = (ROOT / "site.yaml").read_text(encoding="utf-8")
    lines = [line for line in settings.splitlines() if not line.startswith("theme:")]
    lines.append(f"theme: {{name: {theme}{OPTIONS[theme]}}}")
    (folder / "site.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def built_site(theme: str) -> Iterator[Path]:
    """
    Build the demonstration site in a theme, and yield its output folder; raise ValueError if it has a
    problem.
    """
    with tempfile.TemporaryDirectory(prefix="tenure-pictures-") as name:
        folder = Path(name)
        write_site(folder, theme)
        result = build_site(folder, store=CacheStore())
        if result.problems:
            raise ValueError("\n".join(problem.message for problem in result.problems))
        publish_artifacts(result.artifacts, folder / "output")
        yield folder / "output"


def take_pictures(browser: "Browser", theme: str) -> Iterator[tuple[str, Image.Image]]:
    """Yield the name and the current picture of a theme in each color scheme."""
    with built_site(theme) as output:
        for scheme in SCHEMES:
            yield f"{theme}-{scheme}.webp", take_three_pages(browser, output, scheme)


def take_three_pages(browser: "Browser", output: Path, scheme: str) -> Image.Image:
    """Return the first screen of the homepage, and below it publications and CV beside each other."""
    home = take_picture(browser, output, View("index.html", 1280, 840, scheme, WIDTH))
    shown = WIDTH - GAP - CV_WIDTH
    publications = take_picture(browser, output, View("publications/index.html", 1180, 980, scheme, shown))
    cv = take_picture(browser, output, View("cv.pdf", 0, 0, scheme, CV_WIDTH))
    cv = cv.crop((0, 0, CV_WIDTH, publications.height))

    image = Image.new("RGBA", (WIDTH, home.height + GAP + publications.height))
    below = home.height + GAP
    for page, corner in ((home, (0, 0)), (publications, (0, below)), (cv, (shown + GAP, below))):
        ImageDraw.Draw(page).rectangle((0, 0, page.width - 1, page.height - 1), outline=EDGE)
        image.paste(page, corner)
    return image


def take_picture(browser: "Browser", output: Path, view: View) -> Image.Image:
    """Return a picture of a page of a built site, or of the first page of its PDF."""
    if view.page.endswith(".pdf"):
        with pypdfium2.PdfDocument(output / view.page) as document:
            page_width, _ = document[0].get_size()
            first_page: Image.Image = document[0].render(scale=view.shown / page_width).to_pil()
            return first_page.convert("RGB")

    page = browser.new_page(
        viewport={"width": view.width, "height": view.height},
        color_scheme="dark" if view.scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto((output / view.page).as_uri())
    page.evaluate("document.fonts.ready.then(() => true)")
    # images below the edge of the window are loaded when the browser has time
    page.evaluate(
        "Promise.all([...document.images].map(one => (one.loading = 'eager', one.decode().catch(() => 0))))"
    )
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.close()

    height = round(image.height * view.shown / image.width)
    return image.resize((view.shown, height), Image.Resampling.LANCZOS)


def cut_across(light: Image.Image, dark: Image.Image) -> Image.Image:
    """Return the left part of one picture and the right part of another, divided by a sloping line."""
    width, height = light.size
    mask = Image.new("L", light.size)
    corners = [(width * 0.58, 0), (width, 0), (width, height), (width * 0.42, height)]
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    return Image.composite(dark, light, mask)


def take_readme_pictures(browser: "Browser") -> Iterator[tuple[str, Image.Image]]:
    """Yield the pictures of the README: the page of its first lines, a large one, and three small ones."""
    with tempfile.TemporaryDirectory(prefix="tenure-pictures-") as name:
        folder = Path(name)
        lines = (ROOT / "README.md").read_text(encoding="utf-8").partition("</td>")[0]
        for path, text in re.findall(r"^```\w+\n[#%] (\S+)\n(.*?)^```$", lines, re.DOTALL | re.MULTILINE):
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        publish_artifacts(build_site(folder, store=CacheStore()).artifacts, folder / "output")
        view = View("index.html", 1000, 500, "light", 720)
        yield "lines.webp", take_picture(browser, folder / "output", view)

    with built_site("folio") as output:
        light, dark = (
            take_picture(browser, output, View("index.html", 1280, 800, scheme, 1280))
            for scheme in ("light", "dark")
        )
        yield "hero.webp", cut_across(light, dark)
        with pypdfium2.PdfDocument(output / "cv.pdf") as document:
            page = document[0].render(scale=1.2).to_pil().convert("RGB")
        yield "cv.webp", page.crop((0, 0, page.width, round(page.width * 0.75)))
    with built_site("plate") as output:
        view = View("publications/index.html", 1280, 960, "light", 720)
        yield "publications.webp", take_picture(browser, output, view)
    with built_site("classic") as output:
        view = View("publications/turing1952morphogenesis/index.html", 1280, 960, "dark", 720)
        yield "paper.webp", take_picture(browser, output, view)


def difference(one: Image.Image, other: Image.Image) -> float:
    """
    Return the mean difference of two pictures, from 0 to 255, after both are reduced so that single letters
    do not count.
    """
    size = (64, 64)
    small = [image.convert("RGB").resize(size, Image.Resampling.BOX) for image in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(small[0], small[1])).mean) / 3


def main() -> None:
    """Take all pictures again, and write them."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    FOLDER.mkdir(parents=True, exist_ok=True)
    README_FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium)
        for theme in THEMES:
            for name, image in take_pictures(browser, theme):
                image.save(FOLDER / name, "WEBP", quality=72, method=6)
        for name, image in take_readme_pictures(browser):
            image.save(README_FOLDER / name, "WEBP", quality=78, method=6)
        browser.close()


if __name__ == "__main__":
    main()
