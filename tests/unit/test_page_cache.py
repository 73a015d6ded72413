"""Problems and changes that a cached page must not hide."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources

from tenure.cache.store import CacheStore
from tenure.html.page_cache import STORE_NAME, FragmentCache, PageKeys, TrackedSite
from tenure.model.languages import find_language
from tenure.model.site import Site
from tenure.model.translations import Translations
from tenure.record import replace

SITE = """-- site.yaml --
pages:
  - path: /
    sections: [{publications: {limit: 1}}, news]
-- bib/papers.bib --
@misc{old, title = {The $x^$ of old}, author = {Example, Ada}, year = 2020}
"""


def test_a_problem_of_two_pages_is_reported_while_one_page_has_it(
    site: Callable[[str], Sources],
) -> None:
    sources = site(SITE)
    before = sources.build()
    assert before.codes == ["bad-formula"]
    new = "@misc{new, title = {New}, author = {Example, Ada}, year = 2024}\n"
    bib = sources.root / "bib/papers.bib"
    bib.write_text(bib.read_text() + new)
    after = sources.build()
    assert "of old" not in after.read_words("/")
    assert after.problems == before.problems


PARTS = """-- themes/classic/parts/counted.html --
{% set count = site.publications|length %}
-- themes/classic/pages/home.html --
{% if site.publications %}{% import "parts/counted.html" as counted %}<p>{{ counted.count }}</p>{% endif %}
-- themes/classic/pages/404.html --
{% import "parts/counted.html" as counted %}<p>{{ counted.count }}</p>
"""


@pytest.mark.parametrize("page", ["/", "/404.html"])
def test_a_part_with_module_level_state_is_rendered_again(
    site: Callable[[str], Sources], page: str, tmp_path: Path
) -> None:
    sources = site(PARTS + "-- bib/a.bib --\n@misc{one, title = {One}, year = 2020}\n")
    assert sources.build().read_page(page) == "<p>1</p>"
    (tmp_path / "bib/b.bib").write_text("@misc{two, title = {Two}, year = 2020}\n")
    assert sources.build().read_page(page) == "<p>2</p>"


def test_a_fragment_is_rendered_once_for_its_inputs(site: Callable[[str], Sources]) -> None:
    result: list[object] = []
    first = site("-- bib/a.bib --\n@misc{one, title = {One}}\n").build().build.site
    assert first is not None
    cache = CacheStore()

    def render_all(site: Site, *values: object) -> list[str]:
        watched = TrackedSite(site)
        pieces = FragmentCache(PageKeys(site, b""), watched, cache)

        def render_value(value: object) -> str:
            result.append(value)
            return f"{value} of {'some' if watched.collections else 'none'}"

        texts: list[str] = [pieces.render_cached(("one",), render_value, value) for value in values]
        for key, fragment in pieces.rendered.items():
            cache.put(STORE_NAME, None, key, fragment)
        return texts

    assert render_all(first, "a", "b", "a") == ["a of some", "b of some", "a of some"]
    assert result == ["a", "b"]
    cache.save()
    assert render_all(replace(first), "b", "c") == ["b of some", "c of some"]
    assert result == ["a", "b", "c"]
    assert render_all(replace(first, collections={}), "a") == ["a of none"]
    assert result == ["a", "b", "c", "a"]


def test_equal_translations_give_equal_cache_keys() -> None:
    english = find_language("en")
    assert repr(Translations(english, {"more": "More"})) == repr(Translations(english, {"more": "More"}))
