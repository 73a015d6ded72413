"""The lines of a CV: even spaces, no line break within names and dates, and the foot of its pages."""

import re
from collections.abc import Iterable
from io import BytesIO

import pytest
from conftest import ROOT, Make, read_site
from matrix import EXAMPLES, build_sample_site
from pdfs import colours_of, feet_of, fonts_of, heights_of, lines_of, looseness_of, pdf_of, step_before
from PIL import Image, ImageColor

from tenure.exports.cv.data import ACCENT_COLORS

LONG_LINES = read_site("long_lines")

NAMES = ["Alexandros Konstantinopoulos", "Ganesh Ananthanarayanan", "Francis Y. Yan", "Rui Pan*", "Mira Okafor",
    "Christos H. Papadimitriou", "Anna Wojciechowska", "Per Lindqvist", "Inés García Márquez", "Li Ng",
    "Anand Sivasubramanian", "Rohan Bhattacharyya", "Shivaram Venkataraman", "Ravi Netravali"]  # fmt: skip


@pytest.mark.parametrize("site", EXAMPLES)
def test_the_spaces_of_all_lines_are_alike(site: str) -> None:
    result = build_sample_site("classic", site)
    bodies = [pdf_of(result, a.path) for a in result.artifacts if a.path.endswith(".pdf")]
    assert [looseness_of(body) <= 2 for body in bodies] == [True] * len(bodies) != []


def test_lines_of_long_words_are_even(site: Make) -> None:
    assert looseness_of(pdf_of(site(LONG_LINES).build(pdf=True).build)) <= 2


def test_names_and_dates_are_on_one_line(site: Make) -> None:
    """The test uses several page widths, so that each name is at the end of a line at least once."""
    widths = range(20, 61, 8)
    option = "cv-{0}: {{margins: [20, {0}], sections: [publications]}}"
    options = ", ".join(map(option.format, widths))
    result = site(f"{LONG_LINES}-- site.yaml --\ncvs: {{{options}}}\n").build(pdf=True)
    assert result.problems == []
    for width in widths:
        lines = [line.replace("\xa0", " ") for line in lines_of(pdf_of(result.build, f"cv-{width}.pdf"))]
        assert [name for name in NAMES if not any(name in line for line in lines)] == []


def test_pages_have_a_foot_if_there_are_several(site: Make) -> None:
    short = pdf_of(site("-- content/awards.yaml --\n- Prize\n").build(pdf=True).build)
    long = pdf_of(site(LONG_LINES).build(pdf=True).build)
    assert feet_of(short) == []
    feet = [re.sub(r"\s+", " ", foot).strip() for foot in feet_of(long)]
    assert feet == ["Ada Example · 1/2", "Ada Example · 2/2"]


def test_entries_of_a_list_are_farther_apart_than_their_lines(site: Make) -> None:
    long = "{title: First words of a talk that is so long that its title and its event need a second line, event: A seminar with a long name and Lastline}"
    second = "- {title: Another talk, event: Workshop}"
    result = site(f"-- content/talks.yaml --\n- {long}\n{second}\n").build(pdf=True)
    first, last, other = heights_of(pdf_of(result.build), ["First", "Lastline", "Another"])
    assert 10 < first - last < 16
    assert last - other > first - last + 1


def test_the_legend_of_stars_is_apart_from_its_heading(site: Make) -> None:
    paper = "@article{one, title={Paper}, author={Example*, Ada and Li*, Kai}, journal={J}, year={2024}}"
    result = site(f"-- bib/papers.bib --\n{paper}\n").build(pdf=True)
    assert step_before(pdf_of(result.build), "(* equal") > 10
    assert result.read_words("/publications/").count("equal contribution") == 1


def test_folio_has_a_cv_in_its_own_font_and_accent(site: Make) -> None:
    sources = site("-- content/awards.yaml --\n- Prize\n")
    named = sources.edit_files("-- site.yaml --\ntheme: {name: folio, accent: plum}\n").build(pdf=True)
    assert b"FolioSans" in pdf_of(named.build)
    other = sources.edit_files("-- site.yaml --\ntheme: {name: folio, accent: teal}\n").build(pdf=True)
    assert pdf_of(named.build) != pdf_of(other.build)


PALETTES = [
    ("classic", "rose", "#8e2436", "#fcf1ee"),
    ("folio", "plum", "#8a2d7c", "#fbf4f9"),
    ("margin", "lapis", "#1f4fa3", "#f8f4e6"),
    ("plate", "clay", "#97371a", "#f0c3ab"),
    ("stage", "pine", "#0f6148", "#0b4a38"),
]


@pytest.mark.parametrize(("theme", "palette", "links", "largest"), PALETTES)
def test_all_has_the_colours_of_a_palette(
    site: Make, theme: str, palette: str, links: str, largest: str
) -> None:
    """The page, the bar of the browser, the CV as PDF, the social card and the icon of a phone; `largest` is the ground or the band."""
    result = site(
        f"-- site.yaml --\nurl: https://ada.example.org/\ntheme: {{name: {theme}, palette: {palette}}}\n"
        "-- content/profile.yaml --\nname: Ada Example\nemail: ada@example.org\n-- content/awards.yaml --\n- Prize\n"
    ).build(pdf=True)
    page = result.read_page("/")
    assert f"--accent:light-dark({links}," in page
    assert f'<meta name="theme-color" content="{largest}" media="(prefers-color-scheme: light)">' in page
    colours = colours_of(pdf_of(result.build))
    assert links in colours
    assert theme != "stage" or largest in colours
    for path, pixel, colour in (("preview.png", (600, 5), largest), ("apple-touch-icon.png", (3, 3), links)):
        assert is_near(read_pixel(pdf_of(result.build, path), pixel), colour), path


def read_pixel(image: bytes, place: tuple[int, int]) -> bytes:
    return Image.open(BytesIO(image)).convert("RGB").crop((*place, place[0] + 1, place[1] + 1)).tobytes()


def is_near(pixel: Iterable[int], colour: str) -> bool:
    """Whether a pixel has a colour, within what an image with few colours loses."""
    return all(abs(a - b) <= 2 for a, b in zip(pixel, ImageColor.getrgb(colour), strict=True))


def test_an_accent_takes_the_place_of_links_and_gives_the_band_its_hue_everywhere(site: Make) -> None:
    settings = "url: https://ada.example.org/\ntheme: {name: stage, palette: pine, accent: plum}\n"
    result = site(f"-- site.yaml --\n{settings}-- content/awards.yaml --\n- Prize\n").build(pdf=True)
    page = result.read_page("/")
    assert "--accent:light-dark(#8a2d7c,#eba0dc)" in page
    (band,) = re.findall(r"--band:light-dark\((#\w{6}),", page)
    assert band != "#0b4a38"
    assert f'<meta name="theme-color" content="{band}" media="(prefers-color-scheme: light)">' in page
    assert {band, "#8a2d7c"} <= colours_of(pdf_of(result.build))
    assert is_near(read_pixel(pdf_of(result.build, "preview.png"), (600, 5)), band)


LETTERS = """\
-- content/awards.yaml --
- Prize for *Őszinte* **Grüße to Łukasz Nguyễn and İpek Čapek** and *a **very good** paper*, 2,000 €
"""


STYLES = "Regular Italic SemiBold SemiBoldItalic".split()
FONTS = [
    ("margin", {f"EBGaramond-{style}" for style in STYLES}),
    ("stage", {"BricolageGrotesque-Bold", *(f"Inter-{style}" for style in STYLES)}),
]


@pytest.mark.parametrize(("theme", "fonts"), FONTS)
def test_the_cv_has_the_fonts_of_the_site(site: Make, theme: str, fonts: set[str]) -> None:
    result = site(f"-- site.yaml --\ntheme: {theme}\n{LETTERS}").build(pdf=True)
    assert result.problems == []
    assert fonts_of(pdf_of(result.build)) == fonts
    folder = ROOT / "themes" / theme / "fonts"
    assert sum(path.stat().st_size for path in folder.glob("*.ttf")) <= 400_000
    assert "SIL OPEN FONT LICENSE" in "".join(path.read_text("utf-8") for path in folder.glob("*OFL.txt"))


def test_accents_are_those_of_the_themes() -> None:
    theme = (ROOT / "themes/base/theme.yaml").read_text("utf-8")
    colours = dict(re.findall(r"^      - (\w+) (\w{6}) \w{6}$", theme, re.MULTILINE))
    assert colours == {name: code.removeprefix("#") for name, code in ACCENT_COLORS.items()}
