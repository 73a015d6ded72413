"""The picture of link previews, and the icon of a phone."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from conftest import Sources
from PIL import Image

SETTINGS = "-- site.yaml --\nurl: https://ada.example.org/\n-- content/profile.yaml --\n"


def read_picture(sources: Sources, name: str = "preview.png") -> Image.Image:
    files = {artifact.path: artifact for artifact in sources.build().build.artifacts}
    return Image.open(BytesIO(files[name].read())).convert("RGB")


@pytest.mark.parametrize("name", ["Ada Example", "Oluwaseun Adeyemi-Fitzgerald"])
def test_a_name_beside_the_photo_is_not_cut(
    site: Callable[[str], Sources], tmp_path: Path, name: str
) -> None:
    sources = site(f"{SETTINGS}name: {name}\nphoto: ada.png\n")
    Image.new("RGB", (300, 400), "#ff0000").save(tmp_path / "content/ada.png")
    card = read_picture(sources)
    assert card.getpixel((697, 300)) == card.getpixel((1199, 629)) == (254, 0, 0)  # as JPEG
    box = card.crop((100, 0, 696, 630)).convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    assert box[0] >= 10
    assert box[2] <= 596 - 20


def test_a_photo_that_cannot_be_read_is_left_out(site: Callable[[str], Sources], tmp_path: Path) -> None:
    sources = site(f"{SETTINGS}name: Ada Example\nphoto: ada.png\n")
    (tmp_path / "content/ada.png").write_bytes(b"no photo")
    card = read_picture(sources)
    assert card.getpixel((1199, 300)) == card.getpixel((1199, 10))


def test_letters_that_the_fonts_do_not_have_are_no_boxes(site: Callable[[str], Sources]) -> None:
    """The first spelling with letters of the fonts is shown."""
    cards = [
        read_picture(site(f"{SETTINGS}name: {name}\n")).tobytes()
        for name in ("华罗庚\naliases: [Hua Loo-Keng]", "Hua Loo-Keng")
    ]
    assert cards[0] == cards[1]


def test_a_phone_shows_the_photo_or_the_initials_as_the_icon(
    site: Callable[[str], Sources], tmp_path: Path
) -> None:
    sources = site("-- site.yaml --\nurl: https://ada.example.org/\ntheme: {name: classic, accent: forest}\n")
    built = sources.build()
    assert '<link rel="apple-touch-icon" href="apple-touch-icon.png">' in built.read_page("/")

    icon = read_picture(sources, "apple-touch-icon.png")
    assert icon.size == (180, 180)
    assert icon.getpixel((3, 3)) == (0x1F, 0x6B, 0x3A)
    box = icon.convert("L").point(lambda value: 255 * (value > 200)).getbbox()
    assert box is not None
    assert abs(box[0] + box[2] - 180) < 8, "the initials are in the middle"
    assert abs(box[1] + box[3] - 180) < 8
    Image.new("RGB", (300, 400), "#222222").save(tmp_path / "content/ada.png")
    sources.edit_files("-- content/profile.yaml --\nname: Ada Example\nphoto: ada.png\n")
    assert read_picture(sources, "apple-touch-icon.png").getpixel((3, 3)) == (0x22, 0x22, 0x22)
    Image.new("RGB", (64, 64), "#222222").save(tmp_path / "content/favicon.png")
    assert '<link rel="apple-touch-icon" href="favicon.png">' in sources.build().read_page("/")


def test_the_home_page_is_shared_under_the_name_of_its_owner(
    site: Callable[[str], Sources], tmp_path: Path
) -> None:
    sources = site(
        "-- site.yaml --\nurl: https://ada.example.org/\npages: [{path: /, title: Home, sections: [about]}]\n-- content/about.md --\nI do.\n"
        "-- content/profile.yaml --\nname: Ada Example\nphoto: ada.png\n"
    )
    Image.new("RGB", (300, 400), "#222222").save(tmp_path / "content/ada.png")
    built = sources.build()
    assert '<meta property="og:title" content="Ada Example">' in built.read_page("/")
    card = next(artifact for artifact in built.build.artifacts if artifact.path == "preview.png")
    assert Image.open(BytesIO(card.read())).convert("L").getpixel((1100, 300)) == 34


@pytest.mark.parametrize("title", ["\u202e", "\u200b\u2066", "\u0301", "Ada \u202e Example"])
@pytest.mark.parametrize("theme", ["stage", "classic", "folio"])
def test_a_card_and_an_icon_are_drawn_for_any_title(
    site: Callable[[str], Sources], title: str, theme: str
) -> None:
    settings = f'title: "{title}"\nurl: https://ada.example.org/\ntheme: {theme}\n'
    built = site(f"-- site.yaml --\n{settings}-- content/profile.yaml --\nname: \u200dB\u202e\n").build()
    assert {"preview.png", "apple-touch-icon.png"} <= {*built.paths}
