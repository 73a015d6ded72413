"""A site in several languages: the same page in each, with links, anchors, files and metadata in the reader's language."""

import re
from urllib.parse import urljoin

import pytest
from conftest import Built, Capture, Make
from matrix import LAB, SEVERAL_LANGUAGES, read_sample_pages

from tenure.cli.app import main


@pytest.fixture
def multilingual_site(site: Make) -> Built:
    built_site = site(SEVERAL_LANGUAGES).build()
    assert built_site.problems == []
    return built_site


def find_ids(page: str) -> list[str]:
    return re.findall(r' id="([^"]*)"', page)


def test_each_page_exists_in_each_language(multilingual_site: Built) -> None:
    pages = {path for path in multilingual_site.paths if path.endswith(".html")}
    main_pages = {path for path in pages if not path.startswith(("de/", "ar/"))}
    german = {path[3:].replace("lehre", "teaching") for path in pages if path.startswith("de/")}
    arabic = {path.removeprefix("ar/") for path in pages if path.startswith("ar/")}
    assert main_pages == german == arabic


def test_each_language_has_its_feed_and_its_cv(multilingual_site: Built) -> None:
    sitemap = multilingual_site.read_page("/sitemap.xml")
    root = "https://example.edu/~ada"
    teaching = f'<xhtml:link rel="alternate" hreflang="en" href="{root}/teaching/"/>'
    assert f"<loc>{root}/de/lehre/</loc>{teaching}" in sitemap
    feed = multilingual_site.read_page("/de/feed.xml")
    assert 'xml:lang="de"' in feed
    assert "<title>Ein zweiter Beitrag</title>" in feed
    assert 'href="https://example.edu/~ada/de/posts/second/"' in feed
    assert 'href="feed.xml"' in multilingual_site.read_page("/de/")
    assert "Professorin für Physik" in multilingual_site.read_page("/de/cv.txt")
    assert "Professor of Physics" in multilingual_site.read_page("/cv.txt")
    assert "publications.bib" in multilingual_site.paths
    assert "de/publications.bib" not in multilingual_site.paths


def test_a_language_has_a_folder_with_another_name(site: Make) -> None:
    languages = "[{de: {path: deutsch}}, {ar: {path: arabisch}}]"
    built = site(SEVERAL_LANGUAGES.replace("[de, ar]", languages)).build()
    assert built.problems == []
    root = "https://example.edu/~ada"
    page = built.read_page("/deutsch/lehre/")
    paths = {"en": "teaching", "de": "deutsch/lehre", "ar": "arabisch/teaching"}
    addresses = {language: f"{root}/{path}/" for language, path in paths.items()}
    assert f'<link rel="canonical" href="{addresses["de"]}">' in page
    links = re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]*)">', page)
    assert dict(links) == {**addresses, "x-default": addresses["en"]}
    switch = ["../../teaching/", "./", "../../arabisch/teaching/"]
    assert re.findall(r'<li><a href="([^"]*)" hreflang=', page) == switch
    assert '<a href="talks/">Vorträge</a>' in built.read_page("/deutsch/")
    assert 'href="/~ada/arabisch/teaching/"' in built.read_page("/arabisch/404.html")
    assert f"<loc>{addresses['de']}</loc>" in built.read_page("/sitemap.xml")
    assert f'href="{root}/deutsch/posts/second/"' in built.read_page("/deutsch/feed.xml")


def test_the_example_of_a_group_is_whole_in_both_languages() -> None:
    english, german = (
        {
            path.removeprefix(folder): page
            for path, page in read_sample_pages("classic", LAB).items()
            if (path[:3] == "de/") is bool(folder)
        }
        for folder in ("", "de/")
    )
    assert english.keys() == german.keys()
    assert len(english) > 20
    root = "https://tides.example.edu"
    for path in english.keys() - {"404.html"}:
        address = path.removesuffix("index.html")
        for page, folder in ((english[path], ""), (german[path], "de/")):
            switch = re.findall(r'<li><a href="([^"]*)" hreflang="(\w+)"', page)
            targets = [(urljoin(f"/{folder}{address}", url), tag) for url, tag in switch]
            assert targets == [(f"/{address}", "en"), (f"/de/{address}", "de")], path
            alternates = re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]*)">', page)
            first = f"{root}/{address}"
            assert dict(alternates) == {"en": first, "de": f"{root}/de/{address}", "x-default": first}
            own, other = ("de_DE", "en_US") if folder else ("en_US", "de_DE")
            assert f'property="og:locale" content="{own}"' in page
            assert f'property="og:locale:alternate" content="{other}"' in page
            assert f'"inLanguage":"{"de" if folder else "en"}"' in page
        assert find_ids(english[path]) == find_ids(german[path]), path
    assert "Publikationen durchsuchen" in german["publications/index.html"]
    assert "Publikationen" not in english["publications/index.html"]
    assert ">20. Nov. 2026</time>" in german["talks/index.html"]
    assert ">20 Nov 2026</time>" in english["talks/index.html"]


def test_the_search_of_each_language_has_its_pages(site: Make) -> None:
    built = site(SEVERAL_LANGUAGES.replace("title: {en", "search: true\ntitle: {en", 1)).build()
    assert built.problems == []
    (script,) = re.findall(r'data-src="(assets/search\.[^"]*)"', built.read_page("/de/"))
    assert f"de/{script}" in built.paths
    loader = built.read_page("/de/assets/search-index.js")
    (pages,) = re.findall(r'"pages":"([^"]*)"', loader)
    assert '["lehre/","Lehre"]' in built.read_page(f"/de/assets/{pages}")
    (library,) = re.findall(r'"library":"../../([^"]*)"', loader)
    assert library in built.paths


def test_texts_without_a_translation_are_listed(multilingual_site: Built) -> None:
    messages = [problem.message for problem in multilingual_site.build.untranslated]
    assert [sum(message.endswith(f" into {tag}") for message in messages) for tag in ("de", "ar")] == [6, 14]
    assert '"title" of talk 2 (Untranslated talk) has no translation into de' in messages
    assert not [message for message in messages if "On Things" in message]


def test_check_lists_them_with_the_notes(site: Make, capsys: Capture) -> None:
    root = site("-- site.yaml --\nlanguages: [de]\n-- content/talks.yaml --\n- title: One\n").root
    assert main(["check", "--site", str(root)]) == 0
    assert capsys.readouterr().out == "0 problems. 1 note: check --info lists it.\n"
    assert main(["check", "--info", "--site", str(root)]) == 0
    output = capsys.readouterr()
    assert 'content/talks.yaml:1:10: info: "title" of talk 1 (One) has no translation into de' in output.err
    assert output.out.startswith("1 note.\n")
