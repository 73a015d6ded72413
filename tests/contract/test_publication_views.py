"""The views of a list of publications: every view has all the content of the list."""

from collections.abc import Callable

import pytest
from conftest import Sources

Make = Callable[[str], Sources]

FILES = """-- bib/p.bib --
@article{a, title={One}, author={Example, Ada}, journal={J}, year=2024, code={https://example.org/c}, preview={a.svg}}
@article{b, title={Two}, author={Example, Ada}, journal={J}, year=2023}
-- bib/a.svg --
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>
"""


@pytest.mark.parametrize("theme", ["classic", "folio", "plain"])
@pytest.mark.parametrize(("view", "images"), [("list", 0), ("compact", 0), ("thumbnails", 1), ("cards", 1)])
def test_every_view_shows_the_same_words(site: Make, theme: str, view: str, images: int) -> None:
    built = site(f"{FILES}-- site.yaml --\ntheme: {{name: {theme}, publications_view: {view}}}\n").build()
    page = built.read_page("/publications/")
    assert page.count("<img") == images
    assert (f'data-view="{view}"' in page) == (view in ("cards", "compact"))
    for words in ("One", "Two", "Ada Example J", "2023", "Code", "BibTeX"):
        assert words in built.read_words("/publications/")
