"""
The gallery of the examples: `python examples/gallery.py FOLDER` writes FOLDER/index.html and its pictures.

FOLDER holds built sites as FOLDER/<theme>/<example>/. Each example has a card with its home page in one of the themes, in
light and dark and on a phone, and a page with its sources. If the page “Try it” is
beside FOLDER, a site can be started from each card. If FOLDER is in a built site, that site has a card too. The pictures
are taken by Chromium or Chrome; without one of them, the cards have no pictures.
"""

import html
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
FIRST = ("systems-phd-2026", "historian", "group")
"""A PhD student, a professor of history and a lab: most readers find someone like themselves."""

SOURCES = ("site.yaml", "content/**/*.yaml", "content/**/*.md", "bib/*.bib")
"""The files of a site that its page of sources shows."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – Tenure</title>
<style>
:root {{ color-scheme: light dark; --ground: light-dark(#f6f4f1, #16181b); --card: light-dark(#fff, #1f2226);
  --ink: light-dark(#1a1c20, #e6e4e0); --quiet: light-dark(#5b6068, #a5a9b0); --line: light-dark(#dcd8d2, #3a3e44);
  --link: light-dark(#0b5394, #8cc3f5) }}
* {{ box-sizing: border-box }}
body {{ font: 1rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--ink); margin: 0 auto;
  max-width: 75rem; padding: 3rem 1.25rem 5rem }}
a {{ color: var(--link) }}
h1 {{ font-size: clamp(2rem, 5vw, 3.25rem); line-height: 1.1; margin: 0 }}
h2 {{ font-size: 1.25rem; line-height: 1.25; margin: 0 }}
small {{ color: var(--quiet); font-weight: 400 }}
p {{ color: var(--quiet); margin: .35rem 0 0; max-width: 60ch }}
.cards {{ display: grid; gap: 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); list-style: none;
  margin: 2.5rem 0 0; padding: 0 }}
.card {{ background: var(--card); border: 1px solid var(--line); border-radius: 14px; display: flex; flex-direction: column;
  overflow: hidden }}
.shots {{ border-bottom: 1px solid var(--line); display: block; position: relative }}
.shots img {{ display: block; height: auto; width: 100% }}
.dark {{ clip-path: polygon(58% 0, 100% 0, 100% 100%, 42% 100%); inset: 0; position: absolute }}
.shots .phone {{ border: 4px solid #2a2d31; border-radius: 14px; bottom: -1px; inset-inline-end: 5%; position: absolute; width: 17% }}
.words {{ padding: 1.1rem 1.25rem 1.25rem }}
.links {{ display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: .9rem 0 0; padding: 0 }}
.links a {{ border: 1px solid var(--line); border-radius: 99px; display: block; padding: .2rem .8rem; text-decoration: none }}
.links a:hover {{ border-color: currentColor }}
pre {{ background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; padding: 1rem }}
summary {{ cursor: pointer; margin-top: 1rem }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""
GALLERY = """<p>Each site comes from one set of sources, in every theme. <a href="../docs/">Documentation</a></p>
<ul class="cards">
{cards}
</ul>"""
SOURCE = """<details{open}><summary><code>{path}</code></summary>
<pre tabindex="0">{text}</pre></details>"""
CARD = """<li class="card">{shots}
<div class="words"><h2>{name} <small>{id}</small></h2>
<p>{description}</p>
<ul class="links">
{links}
</ul></div></li>"""
LINK = '<li><a href="{path}">{label}<span hidden>: {name}</span></a></li>'
SHOTS = """<a class="shots" href="{path}" tabindex="-1" aria-hidden="true"><img src="{id}-light.webp" alt="" width="{width}" height="{height}">\
<img class="dark" src="{id}-dark.webp" alt="" width="{width}" height="{height}"><img class="phone" src="{id}-phone.webp" alt="" width="195" height="390"></a>"""


class View(NamedTuple):
    """The window of a picture in pixels, its color scheme, and the width of the picture."""

    width: int
    height: int
    is_dark: bool
    picture_width: int


VIEWS = {
    "light": View(1280, 853, is_dark=False, picture_width=960),
    "dark": View(1280, 853, is_dark=True, picture_width=960),
    "phone": View(500, 1000, is_dark=False, picture_width=195),
}


class Example(NamedTuple):
    """A built site: its name in file names, its sources, its home page in one theme, and its homes in all themes by label."""

    id: str
    sources: Path
    home: Path
    homes: dict[str, Path]


def take_picture(browser: str, page: Path, view: View) -> Image.Image:
    """The first screen of a page. Raises subprocess.CalledProcessError if the browser fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "screen.png"
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/profile",
            f"--blink-settings=preferredColorScheme={0 if view.is_dark else 1}",
            f"--window-size={view.width},{view.height}",
            f"--screenshot={file}",
        ]
        subprocess.run([browser, *options, page.as_uri()], check=True, capture_output=True)
        image = Image.open(io.BytesIO(file.read_bytes())).convert("RGB")
    height = round(image.height * view.picture_width / image.width)
    return image.resize((view.picture_width, height), Image.Resampling.LANCZOS)


def list_examples(folder: Path) -> list[Example]:
    """Each example, with the themes in turn, those of FIRST first; then the site around the folder, if there is one."""
    homes = sorted(folder.glob("*/*/index.html"))
    themes = sorted({home.parent.parent.name for home in homes})
    examples = []
    for i, name in enumerate(sorted({home.parent.name for home in homes})):
        by_theme = {theme: folder / theme / name / "index.html" for theme in themes}
        built = {theme: home for theme, home in by_theme.items() if home in homes}
        shown = by_theme[themes[(i + 1) % len(themes)]]
        examples.append(Example(name, ROOT / "examples" / name, shown, built))
    examples.sort(key=lambda example: FIRST.index(example.id) if example.id in FIRST else len(FIRST))
    home = folder.parent / "index.html"
    if home.is_file():
        examples.append(Example("site", ROOT, home, {"home page": home}))
    return examples


def write_sources(example: Example, folder: Path, name: str) -> Path:
    """Write the page that shows the text files of a site; return its path."""
    files = [path for pattern in SOURCES for path in sorted(example.sources.glob(pattern))]
    parts = [
        SOURCE.format(
            open=" open" if number < 2 else "",
            path=html.escape(path.relative_to(example.sources).as_posix()),
            text=html.escape(path.read_text(encoding="utf-8")),
        )
        for number, path in enumerate(files)
    ]
    page = folder / f"{example.id}-sources.html"
    page.write_text(PAGE.format(title=f"Sources of {name}", body="\n".join(parts)), encoding="utf-8")
    return page


def format_card(example: Example, folder: Path, *, has_pictures: bool) -> str:
    """The card of an example as HTML."""
    text = example.home.read_text(encoding="utf-8")
    name = find_text(r"<title>(.*?)</title>", text)
    paths = {label: find_path(home, folder) for label, home in example.homes.items()}
    cv = example.home.parent / "cv.pdf"
    if cv.is_file():
        paths["CV (PDF)"] = find_path(cv, folder)
    paths["Sources"] = find_path(write_sources(example, folder, name), folder)
    if (folder.parent / "try").is_dir() and example.id != "site":
        paths["Start from this"] = f"../try/?example={example.id}"
    shots = SHOTS.format(id=example.id, path=find_path(example.home, folder), width=960, height=640)
    return CARD.format(
        id=example.id,
        shots=shots if has_pictures else "",
        name=name,
        description=find_text(r'<meta name="description" content="(.*?)"', text),
        links="\n".join(LINK.format(path=path, label=label, name=name) for label, path in paths.items()),
    )


def find_path(file: Path, folder: Path) -> str:
    """Return the path of a file relative to a folder, with forward slashes."""
    return Path(os.path.relpath(file, folder)).as_posix()


def find_text(pattern: str, text: str) -> str:
    """The first group of a pattern, as HTML; "" without a match."""
    match = re.search(pattern, text, re.DOTALL)
    return html.escape(html.unescape(match[1])) if match else ""


def write_gallery(folder: Path, browser: str | None) -> None:
    """Write the page, and its pictures if there is a browser."""
    examples = list_examples(folder)
    if browser:
        for example in examples:
            for name, view in VIEWS.items():
                picture = take_picture(browser, example.home.resolve(), view)
                picture.save(folder / f"{example.id}-{name}.webp", "WEBP", quality=80, method=6)
    cards = [format_card(example, folder, has_pictures=bool(browser)) for example in examples]
    body = GALLERY.format(cards="\n".join(cards))
    (folder / "index.html").write_text(PAGE.format(title="Gallery", body=body), encoding="utf-8")


if __name__ == "__main__":
    write_gallery(Path(sys.argv[1]), next(filter(None, map(shutil.which, BROWSERS)), None))
