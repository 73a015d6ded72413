"""The documentation has a current picture of every theme, in light and in dark."""

import pytest
from conftest import ROOT, load_module
from matrix import THEMES
from PIL import Image, ImageSequence
from playwright.sync_api import Browser

pictures = load_module("tools/pictures.py")


def open_picture(name: str) -> Image.Image:
    """Return a saved picture of a theme, and close its file."""
    with Image.open(pictures.FOLDER / name) as picture:
        return picture.convert("RGB")


def test_the_readme_shows_a_site_in_each_theme_and_the_editor() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sizes = {path.name: path.stat().st_size for path in pictures.README_FOLDER.iterdir()}
    assert set(sizes) == {f"{theme}.webp" for theme in pictures.THEMES} | {"edit.webp", "edit-still.webp"}
    assert sizes.pop("edit.webp") <= 900_000
    assert all(size <= 120_000 for size in sizes.values()), sizes
    assert [name for name in sizes if f"docs/content/images/readme/{name}" not in readme] == []
    assert [name for name in pictures.EXAMPLES.values() if f"](examples/{name})" not in readme] == []


def test_the_animation_is_shown_once_and_ends_with_the_still() -> None:
    """If this fails, run `python tools/pictures.py edit`."""
    with Image.open(pictures.README_FOLDER / "edit.webp") as film:
        assert film.info["loop"] == 1
        assert film.width <= 1100
        durations = []
        for frame in ImageSequence.Iterator(film):
            frame.load()
            durations.append(frame.info["duration"])
        assert 6000 <= sum(durations) <= 12_000
        last = film.convert("RGB")
    with Image.open(pictures.README_FOLDER / "edit-still.webp") as still:
        assert pictures.difference(still, last) < 1


def test_every_theme_has_its_pictures() -> None:
    assert sorted(pictures.THEMES) == [theme for theme in THEMES if theme not in ("base", "plain")]
    expected = {f"{theme}-{scheme}.webp" for theme in pictures.THEMES for scheme in pictures.SCHEMES}
    assert {path.name for path in pictures.FOLDER.iterdir()} == expected
    sizes = {path.name: path.stat().st_size for path in pictures.FOLDER.iterdir()}
    assert {name: size for name, size in sizes.items() if size > pictures.LARGEST} == {}


def test_the_themes_page_shows_the_screenshots() -> None:
    page = (ROOT / "docs/content/pages/themes.md").read_text(encoding="utf-8")
    assert [path.name for path in sorted(pictures.FOLDER.iterdir()) if path.name not in page] == []


@pytest.mark.parametrize("theme", pictures.THEMES)
def test_each_screenshot_is_up_to_date(theme: str, chromium: Browser) -> None:
    """If this fails because a theme has changed, run `python tools/pictures.py`."""
    old = {}
    for name, now in pictures.take_pictures(chromium, theme):
        saved_image = open_picture(name)
        assert saved_image.size == now.size, name
        actual = pictures.difference(saved_image, now)
        if actual > pictures.CLEAR:
            old[name] = round(actual, 1)
    assert old == {}, "out of date; run: python tools/pictures.py"


def test_the_comparison_distinguishes_different_themes() -> None:
    """The limit of the test above is low enough: it distinguishes any two pictures of one size."""
    for scheme in pictures.SCHEMES:
        screenshots = {theme: open_picture(f"{theme}-{scheme}.webp") for theme in pictures.THEMES}
        for pair in ("folio classic", "classic margin", "margin folio", "plate folio"):
            one, other = (screenshots[theme] for theme in pair.split())
            assert pictures.difference(one, other) > pictures.CLEAR, (scheme, pair)
