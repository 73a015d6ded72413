"""The image of link previews: the weights of its fonts, and the photo."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from conftest import ROOT, Sources
from PIL import Image

from tenure.images.resizing import CardText, draw_card

FONT = ROOT / "themes/folio/assets/fonts/source-sans-3.woff2"
SIZE = (1200, 630)


def draw_sample_card(line: CardText, photo: bytes = b"") -> Image.Image:
    body = draw_card(SIZE, "#ffffff", "#ffffff", (110, 90), [line], [FONT], photo)
    return Image.open(BytesIO(body)).convert("L")


def count_dark_pixels(image: Image.Image) -> int:
    """Return the number of dark pixels."""
    return sum(image.histogram()[:128])


def test_a_variable_font_is_drawn_in_the_weight_of_the_text() -> None:
    amounts = [
        count_dark_pixels(draw_sample_card(CardText(("Ada Example",), 104, "#000000", 0, 1, weight)))
        for weight in (200, 400, 700)
    ]
    assert amounts[1] > 1.6 * amounts[0]
    assert amounts[2] > 1.4 * amounts[1]


@pytest.mark.parametrize("name", ["Ada Example", "Oluwaseun Adeyemi-Fitzgerald"])
def test_a_name_beside_the_photo_is_not_cut(name: str) -> None:
    photo = BytesIO()
    Image.new("RGB", (300, 400), "#ff0000").save(photo, "PNG")
    left = draw_sample_card(CardText((name,), 104, "#000000", 0, 2, 700), photo.getvalue()).crop(
        (0, 0, 696, 630)
    )
    box = left.point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None
    assert box[2] <= 696 - 20


def test_the_photo_is_the_right_part_of_the_card() -> None:
    photo = BytesIO()
    Image.new("RGB", (300, 400), "#222222").save(photo, "JPEG")
    card = draw_sample_card(CardText(("Ada",), 104, "#000000", 0, 1), photo.getvalue())
    assert [card.getpixel((x, 300)) for x in (690, 700, 1199)] == [255, 34, 34]
    assert count_dark_pixels(draw_sample_card(CardText(("Ada",), 104, "#000000", 0, 1), b"no photo")) < 20_000


def test_a_phone_shows_the_photo_or_the_initials_as_the_icon(
    site: Callable[[str], Sources], tmp_path: Path
) -> None:
    sources = site("-- site.yaml --\nurl: https://ada.example.org/\ntheme: {name: classic, accent: forest}\n")
    built = sources.build()
    assert '<link rel="apple-touch-icon" href="apple-touch-icon.png">' in built.read_page("/")

    def icon_of() -> Image.Image:
        files = {artifact.path: artifact for artifact in sources.build().build.artifacts}
        return Image.open(BytesIO(files["apple-touch-icon.png"].read())).convert("RGB")

    icon = icon_of()
    assert icon.size == (180, 180)
    assert icon.getpixel((3, 3)) == (0x1F, 0x6B, 0x3A)
    box = icon.convert("L").point(lambda value: 255 * (value > 200)).getbbox()
    assert box is not None
    assert abs(box[0] + box[2] - 180) < 8, "the initials are in the middle"
    assert abs(box[1] + box[3] - 180) < 8
    Image.new("RGB", (300, 400), "#222222").save(tmp_path / "content/ada.png")
    sources.edit_files("-- content/profile.yaml --\nname: Ada Example\nphoto: ada.png\n")
    assert icon_of().getpixel((3, 3)) == (0x22, 0x22, 0x22)
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
