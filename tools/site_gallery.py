"""
Imports and builds every site of a folder, and makes one page with small pictures of their pages, to look at.

    python3 tools/site_gallery.py FOLDER OUTPUT [GROUP …]

FOLDER has the sites in groups: FOLDER/GROUP/SITE. OUTPUT gets the new sites, the pictures and `index.html`.
"""

import argparse
import contextlib
import html
import io
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/harness")]

from chromium import launch_chromium  # noqa: E402 - a module of the tests

from tenure.build import build_site  # noqa: E402 - from the clone, like all of Tenure
from tenure.cli.arguments import UsageError  # noqa: E402
from tenure.cli.import_ import import_site  # noqa: E402
from tenure_import.detect import detect_system  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = ("index.html", "publications/index.html")
WIDTHS = (1280, 390)
HEIGHT = 1000
PAGE_TIMEOUT = 300_000
"""Milliseconds: the list of a library of 8,000 entries has 13 MB."""

THUMBNAIL_WIDTHS = {1280: 400, 390: 170}
STYLE = (
    "body{font:14px sans-serif;margin:1rem}section{border-top:1px solid #999;padding:.5rem 0}"
    "img{border:1px solid #ccc;margin-right:.5rem;vertical-align:top}"
    "h2{font-size:1rem;margin:.2rem 0}.error{color:#b00}"
)


class GallerySite(NamedTuple):
    """The result for one site: name, system, numbers of errors and warnings, seconds, pictures, messages."""

    name: str
    system: str
    error_count: int
    warning_count: int
    seconds: float
    pictures: Sequence[Path]
    messages: str


def find_sites(folder: Path, groups: Sequence[str]) -> Iterator[Path]:
    """Yield every folder of the groups (by default of all groups) whose system can be detected."""
    for group in sorted(folder.iterdir()):
        if group.is_dir() and (not groups or group.name in groups):
            yield from (site for site in sorted(group.iterdir()) if site.is_dir() and detect_system(site))


def import_and_build(source: Path, folder: Path) -> tuple[int, int, str]:
    """
    Import and build a site, and write it to `output/`; return the errors, the warnings and the messages.
    """
    console = io.StringIO()
    with contextlib.redirect_stdout(console):
        try:
            import_site(source, folder)
        except UsageError as error:
            return 1, 0, str(error)
    result = build_site(folder)
    for artifact in result.artifacts:
        path = folder / "output" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(artifact.read())
    error_count = sum(problem.level == "error" for problem in result.problems)
    return error_count, len(result.problems) - error_count, console.getvalue()


def take_pictures(browser: "Browser", site_folder: Path, folder: Path) -> list[Path]:
    """Take a small screenshot of each page in PAGES that the site has, at each width; return their paths."""
    pictures: list[Path] = []
    for page_path in PAGES:
        url = (site_folder / "output" / page_path).resolve()
        for width in WIDTHS if url.is_file() else ():
            page = browser.new_page(viewport={"width": width, "height": HEIGHT})
            page.set_default_timeout(PAGE_TIMEOUT)
            page.goto(url.as_uri())
            picture = page.screenshot()
            page.close()

            name = f"{site_folder.name}-{page_path.partition('/')[0].removesuffix('.html')}-{width}.jpg"
            thumbnail_width = THUMBNAIL_WIDTHS[width]
            with Image.open(io.BytesIO(picture)) as image:
                size = (thumbnail_width, round(image.height * thumbnail_width / image.width))
                image.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(folder / name, quality=80)
            pictures.append(folder / name)
    return pictures


def format_gallery(sites: Sequence[GallerySite], folder: Path) -> str:
    """Return the HTML page with all sites: those with errors first, then those with the most warnings."""
    sorted_sites = sorted(sites, key=lambda site: (-site.error_count, -site.warning_count, site.name))
    good_count = sum(not site.error_count for site in sites)
    parts = [
        f"<!doctype html><meta charset=utf-8><title>Gallery</title><style>{STYLE}</style>",
        f"<h1>{good_count} of {len(sites)} sites import and build without an error</h1>",
    ]

    for site in sorted_sites:
        name = html.escape(site.name)
        report = f"sites/{name}/import-report.md"
        sources = (picture.relative_to(folder).as_posix() for picture in site.pictures)
        images = (f'<img src="{source}" alt="">' for source in sources)
        tags = "".join(f'<a href="sites/{name}/output/index.html">{image}</a>' for image in images)
        css_class = ' class="error"' if site.error_count else ""
        counts = f"{site.error_count} errors, {site.warning_count} warnings, {site.seconds:.1f} s"
        parts.append(
            f'<section><h2{css_class}>{name} ({site.system}): {counts}, <a href="{report}">report</a></h2>'
            f"{tags}<pre>{html.escape(site.messages)}</pre></section>"
        )
    return "\n".join(parts) + "\n"


def main() -> int:
    """Create the gallery; return 1 if a site has errors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("groups", nargs="*", help="folders of FOLDER (default: all)")
    arguments = parser.parse_args()

    picture_folder = arguments.output / "pictures"
    picture_folder.mkdir(parents=True, exist_ok=True)
    sites: list[GallerySite] = []
    with launch_chromium() as browser:
        for source in find_sites(arguments.folder, arguments.groups):
            started = time.perf_counter()
            name = f"{source.parent.name}+{source.name}"
            site_folder = arguments.output / "sites" / name
            error_count, warning_count, messages = import_and_build(source, site_folder)
            seconds = time.perf_counter() - started
            pictures = take_pictures(browser, site_folder, picture_folder)
            site = GallerySite(
                name, detect_system(source), error_count, warning_count, seconds, pictures, messages
            )
            sites.append(site)
            sys.stdout.write(f"{name}: {error_count} errors, {warning_count} warnings, {seconds:.1f} s\n")
            sys.stdout.flush()
            (arguments.output / "index.html").write_text(
                format_gallery(sites, arguments.output), encoding="utf-8"
            )
    return 1 if any(site.error_count for site in sites) else 0


if __name__ == "__main__":
    sys.exit(main())
