"""The example sites about scholars build without a problem; each has its own theme, language and direction."""

import re

import pytest
from conftest import visible_text
from matrix import build_sample_site

from tenure.build import BuildResult

LINES = """noether classic de|montaigne margin fr|cajal plate es|ibn-al-haytham folio ar|hua folio zh
    |eclipse-1919 stage en|historian margin en|meadow stage en|roboticist plate en|poet margin en"""
SITES = {name: (theme, language) for name, theme, language in map(str.split, LINES.split("|"))}
"""The theme and the language of each site."""


FACTS = {
    "noether": ["Invariante Variationsprobleme", "Bryn Mawr College", "1933 – 1935", "Ackermann-Teubner-Gedächtnispreis", "Grete Hermann"],
    "montaigne": ["Collège de Guyenne, Bordeaux", "1539 – 1546", "Abel L’Angelier, 1588", "Citoyen romain", "Raymond Sebond"],
    "cajal": ["Ramón y Cajal, 1888", "Textura del sistema nervioso del hombre y de los vertebrados", "pp. 444–468", "1892 – 1922", "Premio Nobel"],
    "ibn-al-haytham": ["الحسن بن الهيثم", "كتاب المناظر", "الشكوك على بطلميوس", "Opticae thesaurus Alhazeni Arabis libri septem", "القاهرة", "Official in the administration"],
    "hua": ["华罗庚", "优选法平话", "中国科学院数学研究所", "1952年 – 1984年", "35, 第 386–389 页", "Director, Institute of Mathematics, Chinese Academy of Sciences"],
    "historian": ["Letters for Everyone", "Prize of the Society for Book History", "Ruth Adler (eds.)", "The censor’s copy", "Palaeography for Beginners"],
    "meadow": ["Řehoř Novotka", "Lecturer, University of Sample", "Counting insects for ninety dollars", "until 15 Feb 2027", "Green Fields Trust"],
    "roboticist": ["Ruoxi Wen (闻若溪)", "arXiv:2605.99901", "Best Student Paper", "Ten seconds of steps", "A battery at 20 %"],
    "poet": ["A Grammar of Wells: Water in Andalusi Verse", "البيت ينتظر", "vuelve a la sombra que la casa pasa", "«Un libro claro como el agua de la que habla.»"],
    "eclipse-1919": ["Frank Watson Dyson", "1.98″", "220, pp. 291–333", "Royal Observatory, Greenwich", "Sobral, Brazil"],
}  # fmt: skip
"""Facts of each site, as its pages show them."""


@pytest.fixture(params=SITES)
def demonstration(request: pytest.FixtureRequest) -> tuple[str, BuildResult]:
    name = str(request.param)
    return name, build_sample_site("", name)


def test_each_demonstration_builds_without_a_problem(demonstration: tuple[str, BuildResult]) -> None:
    name, result = demonstration
    assert result.problems == ()
    assert result.site is not None
    settings = result.site.settings
    assert (settings.theme.name, settings.language) == SITES[name]
    entries = [entry for collection in result.site.collections.values() for entry in collection.entries]
    assert 7 <= len(entries) <= 40
    assert result.site.publications


def test_each_demonstration_shows_its_facts(demonstration: tuple[str, BuildResult]) -> None:
    name, result = demonstration
    site_text = " ".join(
        visible_text(a.read().decode()) for a in result.artifacts if a.path.endswith(".html")
    )
    text = re.sub(r"[\s\u200e\u200f\u2066-\u2069]+", " ", site_text)
    assert [fact for fact in FACTS[name] if fact not in text] == []


def test_each_demonstration_shows_its_own_picture_on_the_homepage(
    demonstration: tuple[str, BuildResult],
) -> None:
    name, result = demonstration
    files = {artifact.path: artifact for artifact in result.artifacts}
    home = files["index.html"].read().decode()
    has_picture = re.search(r'<img [^>]*src="[^"]+\.(svg|jpg|png)"', home) is not None
    assert has_picture == (name != "historian"), "a site without an image is complete too"
    drawings = [artifact.read() for path, artifact in files.items() if path.endswith(".svg")]
    assert all(len(drawing) <= 120_000 and b"<image" not in drawing for drawing in drawings)


def test_the_page_has_the_direction_and_the_letters_of_its_language(
    demonstration: tuple[str, BuildResult],
) -> None:
    name, result = demonstration
    home = next(artifact.read().decode() for artifact in result.artifacts if artifact.path == "index.html")
    assert (' dir="rtl"' in home.partition("<head>")[0]) == (SITES[name][1] == "ar")
    title = home.partition("<title>")[2].partition("</title>")[0]
    assert title == {"ibn-al-haytham": "الحسن بن الهيثم", "hua": "华罗庚"}.get(name, title)
