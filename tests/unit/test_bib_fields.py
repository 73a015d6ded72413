"""Fields that people add to their .bib files have the meaning of their names."""

from collections.abc import Callable

import pytest
from conftest import Sources
from sample_images import draw_picture, encode_image

from tenure.sources.publications.fields import find_use, suggest_field

Make = Callable[[str], Sources]
ENTRY = """-- content/profile.yaml --
name: Ada Example
-- bib/papers.bib --
@article{{one, title = {{Caches}}, author = {{Example, Ada}}, journal = {{Cache Letters}}, year = 2024, {fields}}}
@article{{two, title = {{Trees}}, author = {{Example, Ada}}, journal = {{Tree Letters}}, year = 2024}}
"""


def test_a_field_with_an_url_is_a_link_with_the_name_of_the_field(site: Make) -> None:
    fields = (
        "slides = {https://example.org/s.pdf}, poster = {https://example.org/s.pdf}, project = {https://example.org/p},"
        "dataset = {https://example.org/d}, codeurl = {https://example.org/c}, thread_url = {https://example.org/t},"
        "doi = {10.1000/1}, url = {https://doi.org/10.1000/1}, adsurl = {https://example.org/ads}, nourl = {https://example.org/no}"
    )
    built = site(ENTRY.format(fields=fields)).build()
    assert built.problems == []
    assert [link.label for link in built.site.publications[0].links] == [
        "DOI",
        "Slides",
        "Poster",
        "Code",
        "Dataset",
        "Project",
        "Thread",
    ]
    for word in ("project =", "dataset =", "poster ="):
        assert word not in built.site.publications[0].bibtex
    assert "adsurl = {https://example.org/ads}" in built.site.publications[0].bibtex


@pytest.mark.parametrize("field", ["preview", "image", "thumbnail", "teaser", "img"])
def test_an_image_field_has_many_names(site: Make, field: str) -> None:
    sources = site(ENTRY.format(fields=f"{field} = {{cache.png}}"))
    (sources.root / "bib/cache.png").write_bytes(encode_image(draw_picture(), "PNG"))
    built = sources.build()
    assert built.site.publications[0].image.endswith("cache.png")
    assert built.codes == []


@pytest.mark.parametrize("field", ["hidden", "draft"])
def test_a_hidden_entry_is_a_draft(site: Make, field: str) -> None:
    built = site(ENTRY.format(fields=f"{field} = {{true}}")).build()
    assert built.problems == []
    assert [paper.key for paper in built.site.publications] == ["two"]
    built = site(ENTRY.format(fields=f"{field} = {{false}}")).build()
    assert len(built.site.publications) == 2


def test_keywords_have_other_names(site: Make) -> None:
    built = site(ENTRY.format(fields="keywords = {a, b}, tags = {c}")).build()
    assert built.site.publications[0].tags == ("a", "b", "c")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("selectd", "selected"),
        ("abstarct", "abstract"),
        ("pfd", "pdf"),
        ("slide", "slides"),
        ("keywrods", "keywords"),
        ("weather", ""),
        ("x1", ""),
    ],
)
def test_a_misspelled_field_is_recognized(written: str, meant: str) -> None:
    assert suggest_field(written) == meant


@pytest.mark.parametrize(
    "field", ["isbn", "primaryclass", "bdsk-url-1", "mendeley-tags", "author+an", "optnote", "nodoi"]
)
def test_fields_of_other_programs_are_not_reported(field: str) -> None:
    assert find_use(field, "x") != "unused"
