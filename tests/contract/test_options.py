"""The effects of theme options on a page."""

from collections.abc import Callable

from conftest import Sources

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
