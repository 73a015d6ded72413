"""The options that every theme has (fonts, accent, photo and home), views of lists, and texts on pages."""

import re
from collections.abc import Callable

import pytest
from conftest import ROOT, Sources, read_site
from matrix import THEMES, build_sample_site

from tenure.html.filters import make_markdown_labels
from tenure.markdown.blocks import ADMONITION_TITLES, ENGLISH_LABELS
from tenure.model.entries import PaperAffiliation

Make = Callable[[str], Sources]
PAIRS = ("literata", "garamond", "inter", "figtree", "newsreader", "bricolage")
FONTS = ROOT / "themes/base/assets/fonts"
PHOTO = read_site("photo")
PAPERS = read_site("views")


def opening_tag(page: str) -> str:
    (tag,) = re.findall(r"<html[^>]*>", page)
    return str(tag)


@pytest.mark.parametrize("theme", THEMES)
def test_a_site_without_these_options_loads_nothing_for_them(site: Make, theme: str) -> None:
    built = site(f"-- site.yaml --\ntheme: {theme}\n{PHOTO}").build()
    assert built.problems == []
    assert re.findall(r" data-\w+=", opening_tag(built.read_page("/"))) == []
    assert [path for path in built.paths if "kits" in path or "literata" in path] == []
    sheets = [path for path in built.paths if path.startswith("assets/fonts/") and path.endswith(".css")]
    assert sheets == [] or theme in ("margin", "plate", "stage")


@pytest.mark.parametrize("theme", THEMES)
def test_a_pair_of_fonts_loads_80_kilobytes_at_most(site: Make, theme: str) -> None:
    for pair in PAIRS:
        built = site(f"-- site.yaml --\ntheme: {{name: {theme}, fonts: {pair}}}\n").build()
        assert built.problems == []
        page = built.read_page("/")
        files = {file.path: file.read() for file in built.build.artifacts}
        sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
        within = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        style = "".join([*(files[path].decode() for path in sheets), *within])
        names = {url.rpartition("/")[2] for url in re.findall(r'url\("([^"]+)"\)', style)}
        stems = re.findall(r"url\(([\w-]+)\.woff2", (FONTS / f"{pair}.css").read_text(encoding="utf-8"))
        named = {f"assets/fonts/{name}" for name in names if name.partition(".")[0] in stems}
        assert len(named) == len(stems), pair
        assert named <= files.keys()
        preloaded = set(re.findall(r'<link rel="preload" href="([^"]+)"', page))
        assert preloaded
        assert preloaded <= named
        sizes = {path: len(files[path]) for path in named}
        assert sum(size for path, size in sizes.items() if "/ext-" not in path) <= 81_920
        assert all(size <= 18_432 for path, size in sizes.items() if "/ext-" in path)


def test_each_font_has_its_license() -> None:
    license_text = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in license_text
    families = {re.sub(r"^ext-|-(italic|600|700)$", "", path.stem) for path in FONTS.glob("*.woff2")}
    assert families == set(PAIRS)
    assert [one for one in PAIRS if not re.search(rf"Copyright .*{one}", license_text, re.IGNORECASE)] == []


def test_the_option_of_fonts_has_a_second_name(site: Make) -> None:
    options = (f"theme: {{name: classic, {name}: garamond}}" for name in ("font", "fonts"))
    built = [site(f"-- site.yaml --\n{option}\n").build() for option in options]
    assert built[0].problems == built[1].problems == []
    assert built[0].read_page("/") == built[1].read_page("/")


@pytest.mark.parametrize("theme", THEMES)
def test_each_option_is_an_attribute_of_the_page_and_an_accent_the_color_of_links(
    site: Make, theme: str
) -> None:
    chosen = f'theme: {{name: {theme}, photo: circle, home: centered, fonts: mono, accent: "#7a2d2d"}}'
    built = site(f"-- site.yaml --\n{chosen}\npages: [home, publications]\n{PHOTO}").build()
    assert built.problems == []
    page = built.read_page("/")
    for attribute in ('photo="circle"', 'home="centered"', 'fonts="mono"'):
        assert f" data-{attribute}" in opening_tag(page)
    (sheet,) = re.findall(r'"(assets/style[^"]*)"', page)
    assert "[data-home=centered]" in built.read_page(f"/{sheet}")
    assert " data-home=" not in built.read_page("/404.html")
    assert " data-photo=" in opening_tag(built.read_page("/404.html"))
    (style,) = [text for text in re.findall(r"<style>(.*?)</style>", page, re.DOTALL) if "#7a2d2d" in text]
    assert re.search(r"--accent(-light)?:", style)
    assert "%237a2d2d" in page, "the icon has the accent"


def test_a_theme_changes_only_the_default_of_an_option(site: Make) -> None:
    """An option of a theme without a type inherits all missing properties from the theme that it extends."""
    theme = "-- themes/mine/theme.yaml --\nextends: folio\noptions:\n  photo: {default: circle}\n"
    built = site(f"-- site.yaml --\ntheme: mine\n{theme}").build()
    assert built.problems == []
    assert ' data-photo="circle"' in opening_tag(built.read_page("/"))
    wrong = site(f"-- site.yaml --\ntheme: mine\n{theme.replace('circle', 'loose')}").build()
    assert "the default “loose” is not a possible value" in "".join(wrong.problems)


def test_another_theme_on_the_command_line_uses_the_options_it_knows(site: Make) -> None:
    options = "accent: teal, notes: end, publications_view: thumbnails"
    sources = site(f"-- site.yaml --\ntheme: {{name: folio, {options}}}\n{PAPERS}")
    (reported,) = [one for one in sources.build(theme="folio").problems if "missing-alt" not in one]
    assert "notes" in reported
    for theme in ("margin", "base"):
        page = sources.build(theme=theme).read_page("/publications/")
        assert "--accent:light-dark(#0b6a6e," in page
        assert "thumbnail" in page


def test_the_same_theme_on_the_command_line_keeps_its_options(site: Make) -> None:
    sources = site("-- site.yaml --\ntheme: {name: folio, accent: teal, tint: 1}\n")
    assert sources.build(theme="folio").problems == sources.build().problems != []
    assert "--accent:light-dark(#0b6a6e," in sources.build(theme="folio").read_page("/")


@pytest.mark.parametrize("theme", ["classic", "folio", "plain"])
def test_every_view_shows_the_same_words(site: Make, theme: str) -> None:
    for view, images in (("list", 0), ("compact", 0), ("thumbnails", 1), ("cards", 1)):
        chosen = f"theme: {{name: {theme}, publications_view: {view}}}"
        built = site(f"{PAPERS}-- site.yaml --\n{chosen}\n").build()
        page = built.read_page("/publications/")
        assert page.count("<img") == images
        assert (f'data-view="{view}"' in page) == (view in ("cards", "compact"))
        words = built.read_words("/publications/")
        expected = ("One", "Two", "Ada Example J", "2023", "Code", "BibTeX")
        assert [one for one in expected if one not in words] == []


def test_entry_types_with_one_label_are_one_choice_of_the_filter(site: Make) -> None:
    entry = "@{}{{k{}, title = {{Title}}, author = {{Ada Example}}, year = {{2020}}, journal = {{J}}, school = {{U}}}}\n"
    types = "phdthesis thesis article articlebold misc".split() * 3
    bib = "".join(entry.format(entry_type, number) for number, entry_type in enumerate(types))
    page = site(f"-- bib/papers.bib --\n{bib}").build().read_page("/publications/")
    choices = re.findall(r'name="kind" value="([^"]*)"><span>([^<]*) <small>(\d+)', page)
    assert sorted(choices) == [
        ("article", "Journal articles", "3"),
        ("articlebold misc", "Preprints and others", "6"),
        ("phdthesis thesis", "Theses", "6"),
    ]


@pytest.mark.parametrize(
    ("authors", "positions"),
    [((), set()), (("1-3",), {1, 2, 3}), (("2", "4"), {2, 4}), (("1–2", "9"), {1, 2, 9}), (("Lee",), {0})],
)
def test_positions_of_authors(authors: tuple[str, ...], positions: set[int]) -> None:
    assert PaperAffiliation(name="X", authors=authors).positions == positions


def test_empty_lines_of_code_are_preserved_and_texts_contain_no_inline_styles(site: Make) -> None:
    """A Content-Security-Policy may forbid inline styles."""
    text = (ROOT / "docs/content/pages/text.md").read_text(encoding="utf-8")
    text = text.replace("[the slides](talk.pdf), ", "")
    code = "```python\nx = 1\n\ny = 2\n```\n\n| a |\n|--:|\n| 1 |\n"
    built = site(f"-- content/posts/one.md --\n---\ntitle: One\n---\n{code}\n{text}").build()
    page = built.read_page("/posts/one/")
    assert '<span class="mi">1</span>\n\n<span class="n">y</span>' in page
    assert ' style="' not in page


def test_labels_in_texts_are_those_of_the_theme() -> None:
    built = build_sample_site("", "masters")
    assert built.site is not None
    assert make_markdown_labels(built.site.active_theme.translations) == ENGLISH_LABELS
    assert dict(ENGLISH_LABELS.admonition_titles) == dict(ADMONITION_TITLES)
