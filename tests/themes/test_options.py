"""The effects of theme options on a page."""

import re
from collections.abc import Callable

import pytest
from conftest import Sources, visible_text

Make = Callable[[str], Sources]

PAPERS = """
-- content/about.md --
I work on examples.
-- content/projects.yaml --
- {title: A thing, tagline: It does things, date: 2024}
-- content/files/one.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="16" height="10"><rect width="16" height="10"/></svg>
-- content/publications.yaml --
- {key: one, image_alt: A square}
-- bib/papers.bib --
@inproceedings{one, title={One}, author={Example, Ada and Other, Ben}, booktitle={Symposium on Examples}, abbr={SoE '24},
  year=2024, preview={files/one.svg}}
@inproceedings{two, title={Two}, author={Example, Ada}, booktitle={Symposium on Examples}, abbr={SoE '23}, year=2023}
@unpublished{three, title={Three}, author={Other, Ben}, note={Manuscript}, year=2022, status={under review}}
"""


def test_the_accent_is_one_of_nine_or_any_color(site: Make) -> None:
    for chosen, light, dark in [
        ("", "#a03c14", "#f0a27c"),
        (", accent: teal", "#0b6a6e", "#6fcdcb"),
        (", accent: '#123456 #abcdef'", "#123456", "#abcdef"),
    ]:
        page = site(f"-- site.yaml --\ntheme: {{name: folio{chosen}}}\n").build().read_page("/")
        assert f"--accent:light-dark({light},{dark})" in page
        assert f"%23{light[1:]}" in page, "the icon has the accent"


def test_bundled_fonts_are_loaded_and_system_fonts_are_not(site: Make) -> None:
    assert ".woff2" in site("-- site.yaml --\ntheme: folio\n").build().read_page("/")
    page = site("-- site.yaml --\ntheme: {name: folio, fonts: system}\n").build().read_page("/")
    assert ".woff2" not in page
    assert ' data-fonts="system"' in page


def test_another_theme_on_the_command_line_uses_the_options_it_knows(site: Make) -> None:
    options = "accent: teal, venue_tags: true, notes: end, publications_view: thumbnails"
    sources = site(f"-- site.yaml --\ntheme: {{name: folio, {options}}}\n{PAPERS}")
    (reported,) = sources.build(theme="folio").problems
    assert "notes" in reported
    for theme in ("margin", "base"):
        built = sources.build(theme=theme)
        assert built.problems == [], theme
        page = built.read_page("/publications/")
        assert 'class="tag"' in page
        assert "thumbnail" in page


def test_the_same_theme_on_the_command_line_keeps_its_options(site: Make) -> None:
    sources = site("-- site.yaml --\ntheme: {name: folio, accent: teal, tint: 1}\n")
    assert sources.build(theme="folio").problems == sources.build().problems != []
    assert "--accent:light-dark(#0b6a6e," in sources.build(theme="folio").read_page("/")


def test_a_venue_has_its_short_name_as_tag_or_in_parentheses(site: Make) -> None:
    tagged = visible_text(
        site(f"-- site.yaml --\ntheme: folio\n{PAPERS}").build().read_page("/publications/")
    )
    assert "SoE ’24 Symposium on Examples" in tagged
    assert "Under review Manuscript" in tagged
    sources = f"-- site.yaml --\ntheme: {{name: folio, venue_tags: false}}\n{PAPERS}"
    plain = visible_text(site(sources).build().read_page("/publications/"))
    assert "In Symposium on Examples (SoE ’24)" in plain


def test_the_cv_has_full_venue_names(site: Make) -> None:
    assert "(SoE ’24)" in visible_text(
        site(f"-- site.yaml --\ntheme: folio\n{PAPERS}").build().read_page("/cv/")
    )


@pytest.mark.parametrize("theme", ["base", "classic", "folio", "plain"])
def test_a_list_with_images_has_thumbnails(site: Make, theme: str) -> None:
    sources = f"-- site.yaml --\ntheme: {{name: {theme}, publications_view: thumbnails}}\n{PAPERS}"
    built = site(sources).build()
    assert built.problems == []
    page = built.read_page("/publications/")
    assert len(re.findall(r'<img class="thumbnail"', page)) == 1
    assert 'class="thumbnail"' not in page.partition('<img class="thumbnail"')[2]
    assert 'class="thumbnail"' not in built.read_page("/cv/")
    without = site(sources.replace("preview={files/one.svg}", "")).build().read_page("/publications/")
    assert 'class="thumbnail"' not in without


def test_a_list_without_the_option_shows_no_thumbnails(site: Make) -> None:
    page = site(f"-- site.yaml --\ntheme: folio\n{PAPERS}").build().read_page("/publications/")
    assert 'class="thumbnail"' not in page


def test_a_homepage_begins_with_the_name_and_the_first_text(site: Make) -> None:
    page = (
        site(
            f"-- site.yaml --\ntheme: folio\n-- content/profile.yaml --\nname: Ada Example\nemail: name@example.edu\n{PAPERS}"
        )
        .build()
        .read_page("/")
    )
    hero, _, remainder = page.partition('<header class="name')[2].partition("Selected publications")
    assert "I work on examples." in hero
    assert "I work on examples." not in remainder
    assert 'class="icon"' in hero
