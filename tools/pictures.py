"""
Pictures of every theme, for the documentation and the README: `python tools/pictures.py` writes them.

They are in docs/content/images/themes/ and docs/content/images/readme/; `python tools/pictures.py edit` writes
only the animation of the editor.

The site of the themes is the demonstration site of this repository, those of the README are examples. The command
needs Chromium and the packages playwright and pypdfium2. tests/browser/test_theme_screenshots.py says when the
pictures are out of date.
"""

import io
import os
import re
import shutil
import subprocess
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
    from playwright.sync_api import Browser, Locator, Page

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


EXAMPLES = {
    "folio": "group",
    "classic": "historian",
    "margin": "poet",
    "plate": "roboticist",
    "stage": "meadow",
}
"""The example of the README in each theme: invented people of today."""

SCREEN = (1280, 800)
SHOWN = 1100
"""The width of a picture of the README in pixels."""

POINTER = ((0, 0), (0, 23), (5, 18), (9, 27), (13, 25), (9, 17), (16, 17))
"""The corners of the arrow of the pointer."""

MOVES = 4
"""The pictures of one movement of the pointer."""

LETTERS = 3
"""The letters that a picture adds while a text is typed."""

PAPER = "@article{snow, title={Footprints in Dry Snow}, author={Wen, Ruoxi}, journal={Journal of Legs}, year=2026}"


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


def copy_example(name: str, folder: Path, theme: str) -> None:
    """
    Write an example into an empty folder, in a theme.

    Letters for which not every computer has a font are left out: Ruoxi Wen (闻若溪) -> Ruoxi Wen
    """
    ignored = shutil.ignore_patterns(".cache", "output")
    shutil.copytree(ROOT / "examples" / name, folder, ignore=ignored, dirs_exist_ok=True)
    profile, settings = folder / "content/profile.yaml", folder / "site.yaml"
    text = re.sub(r" \([\u4e00-\u9fff]+\)", "", profile.read_text(encoding="utf-8"))
    profile.write_text(text, encoding="utf-8")
    lines = re.sub(
        rf"(?m)^theme:(?!.*name: {theme}\b).*", f"theme: {theme}", settings.read_text(encoding="utf-8")
    )
    settings.write_text(lines, encoding="utf-8")


def take_readme_pictures(browser: "Browser") -> Iterator[tuple[str, Image.Image]]:
    """Yield the pictures of the README: the home page of an invented person or lab in each theme."""
    for theme, name in EXAMPLES.items():
        with tempfile.TemporaryDirectory(prefix="tenure-pictures-") as place:
            folder = Path(place)
            copy_example(name, folder, theme)
            publish_artifacts(build_site(folder, store=CacheStore()).artifacts, folder / "output")
            image = take_picture(browser, folder / "output", View("index.html", *SCREEN, "light", SHOWN))
            yield f"{theme}.webp", image


class Film:
    """Pictures of a page with a pointer, each with the time for which it is shown, in milliseconds."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        self.pointer = (SCREEN[0] // 2, SCREEN[1] // 2)

    def take_frame(self, duration: int, *, has_pointer: bool = True) -> None:
        """Add the page as it is now."""
        screen = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        self.add_frame(screen, duration, has_pointer=has_pointer)

    def add_frame(self, screen: Image.Image, duration: int, *, has_pointer: bool = True) -> None:
        """Add a screen, with the pointer where it is."""
        frame = screen.copy()
        if has_pointer:
            x, y = self.pointer
            corners = [(x + right, y + down) for right, down in POINTER]
            ImageDraw.Draw(frame).polygon(corners, fill="black", outline="white", width=2)
        height = round(frame.height * SHOWN / frame.width)
        self.frames.append(frame.resize((SHOWN, height), Image.Resampling.LANCZOS))
        self.durations.append(duration)

    def click(self, target: "Locator") -> None:
        """Move the pointer to an element, and click on it."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box, target
        screen = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        start, end = (
            self.pointer,
            (round(box["x"] + min(box["width"] / 2, 120)), round(box["y"] + box["height"] / 2)),
        )
        for step in range(1, MOVES + 1):
            part = step / MOVES
            eased = part * part * (3 - 2 * part)
            self.pointer = (
                round(start[0] + (end[0] - start[0]) * eased),
                round(start[1] + (end[1] - start[1]) * eased),
            )
            self.add_frame(screen, 60)
        target.click()

    def type_text(self, text: str) -> None:
        """Type a text into the element that has the focus."""
        for start in range(0, len(text), LETTERS):
            self.page.keyboard.type(text[start : start + LETTERS])
            self.take_frame(90)

    def save(self, path: Path) -> None:
        """Write the film, which is shown once, and its last picture as NAME-still.webp."""
        first, *others = self.frames
        first.save(
            path,
            "WEBP",
            save_all=True,
            append_images=others,
            duration=self.durations,
            loop=1,
            quality=55,
            method=6,
        )
        self.frames[-1].save(path.with_stem(f"{path.stem}-still"), "WEBP", quality=78, method=6)


@contextmanager
def served_editor(folder: Path) -> Iterator[str]:
    """Serve a site, and yield the address of its editor."""
    command = [sys.executable, str(ROOT / "build.py"), "serve", "--site", str(folder), "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        try:
            yield next(
                line.split(": ")[1].strip() for line in process.stdout if "Edit it in the browser" in line
            )
        finally:
            process.terminate()


def film_editor(browser: "Browser") -> Film:
    """Film a click on the page, a form, a paper, another theme, and the page that is made."""
    with tempfile.TemporaryDirectory(prefix="tenure-pictures-") as place:
        folder = Path(place)
        copy_example("roboticist", folder, "plate")
        with served_editor(folder) as address:
            page = browser.new_page(viewport={"width": SCREEN[0], "height": SCREEN[1]})
            film = Film(page)
            page.goto(address)
            play_scenes(film)
            page.close()
    return film


def play_scenes(film: Film) -> None:
    """Edit the site of Ruoxi Wen: her position, a paper, the theme."""
    page = film.page
    site = page.frame_locator("#site")
    role = site.get_by_text("Ph.D. candidate in Computer Science").first
    role.wait_for()
    page.wait_for_timeout(1000)
    film.take_frame(900)

    film.click(role)
    page.wait_for_timeout(600)
    film.take_frame(500)
    field = page.locator('#form [data-at="role"]')
    field.focus()
    page.keyboard.press("ControlOrMeta+a")
    film.type_text("Assistant Professor of Robotics")
    site.get_by_text("Assistant Professor of Robotics").first.wait_for()
    film.take_frame(900)

    film.click(page.locator('#sources [data-path="bib/papers.bib"]'))
    bibtex = page.locator('#form [data-at="bibtex"]')
    bibtex.wait_for()
    site.get_by_role("heading", name="Publications").first.wait_for()
    page.wait_for_timeout(600)
    film.take_frame(900)
    film.click(bibtex)
    bibtex.fill(PAPER)
    film.take_frame(600)
    film.click(page.locator('#form [data-at="bibtex"] + button'))
    site.get_by_text("Footprints in Dry Snow").first.wait_for()
    page.wait_for_timeout(1500)
    film.take_frame(1200)

    film.click(page.locator('#sources [data-path="design"]'))
    page.wait_for_timeout(600)
    film.take_frame(600)
    for palette in ("clay", "lilac"):
        film.click(page.locator("#panels .swatches label", has_text=palette))
        page.wait_for_timeout(1200)
        film.take_frame(700)
    page.wait_for_timeout(3000)
    page.goto(site.locator("html").evaluate("node => node.ownerDocument.location.origin"))
    page.wait_for_timeout(1000)
    page.evaluate("document.querySelector('tenure-preview').remove()")  # the buttons of the preview
    film.take_frame(2000, has_pointer=False)


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
        if sys.argv[1:] != ["edit"]:
            for theme in THEMES:
                for name, image in take_pictures(browser, theme):
                    image.save(FOLDER / name, "WEBP", quality=72, method=6)
            for name, image in take_readme_pictures(browser):
                image.save(README_FOLDER / name, "WEBP", quality=78, method=6)
        film_editor(browser).save(README_FOLDER / "edit.webp")
        browser.close()


if __name__ == "__main__":
    main()
