"""Fields that people add to their .bib files have the meaning of their names."""

from collections.abc import Callable

import pytest
from conftest import Sources

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


@pytest.mark.parametrize("field", ["hidden", "draft"])
def test_a_hidden_entry_is_a_draft(site: Make, field: str) -> None:
    built = site(ENTRY.format(fields=f"{field} = {{true}}")).build()
    assert built.problems == []
    assert [paper.key for paper in built.site.publications] == ["two"]
    built = site(ENTRY.format(fields=f"{field} = {{false}}")).build()
    assert len(built.site.publications) == 2
