"""A link in a text may name another source file, as a Git host shows it; it becomes a link to the page of that file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Sources

from tenure.build import build_site
from tenure.cache.store import CacheStore

Make = Callable[[str], Sources]
PAGES = (
    "-- content/pages/one.md --\n---\ntitle: One\n---\n[two]({}).\n"
    "-- content/pages/two.md --\n---\ntitle: Two\n---\n## Below\n"
    "-- content/projects/tape.md --\n---\ntitle: Tape\n---\nA tape.\n"
)


def test_links_follow_a_page_that_moves(site: Make, tmp_path: Path) -> None:
    sources = site(PAGES.format("tape.md"))
    cache = CacheStore(tmp_path / "memo")
    for name in ("tape", "dappling"):
        sources.edit_files(f"-- content/projects/tape.md --\n---\ntitle: Tape\nid: {name}\n---\nA tape.\n")
        built = build_site(sources.root, store=cache)
        cache.save()
        (page,) = (a.read().decode() for a in built.artifacts if a.path == "one/index.html")
        assert f'<a href="../projects/{name}/">two</a>' in page


def test_a_broken_link_in_a_template_is_reported_once(site: Make) -> None:
    papers = "".join(
        f"@misc{{p{n}, title = {{Paper {n}}}, author = {{A. Example}}, year = 2024}}\n" for n in range(30)
    )
    built = site(
        "-- site.yaml --\ntheme: mine\n-- themes/mine/theme.yaml --\nextends: plain\n"
        '-- themes/mine/pages/publication.html --\n<!doctype html><title>x</title><a href="/{{ "publikations" }}/">All</a><img src="/{{ "lost" }}.png">\n'
        f"-- bib/papers.bib --\n{papers}"
    ).build()
    assert [problem.partition("\n")[0] for problem in built.problems] == [
        "bib/papers.bib: error: “/lost.png” is not a page or file of this site",
        "bib/papers.bib: error: “/publikations/” is not a page or file of this site",
        "bib/papers.bib: warning: the image lost.png has no alt text",
    ]


@pytest.mark.parametrize("url", ["../", "../../", "/../", "../#a", "../?a", "/../people/"])
def test_a_link_above_the_site_is_left_as_written(site: Make, url: str) -> None:
    """A site below /~name/ links to its department."""
    link = f"[x]({url})"
    built = site(
        f"-- content/profile.yaml --\nname: Ada Example\naffiliation: {{name: U, url: '{url}'}}\nlinks: {{Dept: '{url}'}}\n"
        f"-- site.yaml --\nfooter: '{link}'\nredirects: {{/old/: '{url}'}}\n"
        f"-- content/about.md --\n{link} ![x]({url})\n"
        f"-- content/pages/one.md --\n---\ntitle: One\n---\n{link}\n"
        f"-- content/news.yaml --\n- {{date: 2024-05, text: '{link}'}}\n"
        f"-- content/talks.yaml --\n- {{title: T, url: '{url}', links: ['{url}']}}\n"
        f"-- bib/papers.bib --\n@misc{{a, title = {{A}}, author = {{Ada Example}}, year = 2024, note = {{\\href{{{url}}}{{x}}}}}}\n"
    ).build()
    assert {problem for problem in built.problems if "error" in problem} == set()
    assert f'<p><a href="{url.lstrip("/")}">x</a>' in built.read_page("/")
    from_page = f"../{url[1:]}" if url.startswith("/") else url
    assert f'<a href="{from_page}">x</a>' in built.read_page("/one/")


@pytest.mark.parametrize("url", ["https://", "mailto:", "//", "/", "tel:"])
@pytest.mark.parametrize("form", ["{}", "[{}]", "{{Slides: {}}}"])
def test_an_unfinished_link_never_stops_the_site(site: Make, url: str, form: str) -> None:
    links = form.format(f'"{url}"')
    built = site(
        f"-- content/talks.yaml --\n- title: T\n  links: {links}\n-- content/awards.yaml --\n- title: T\n  date: 2024\n  links: {links}\n"
        f"-- content/hobbies.yaml --\n- title: T\n  links: {links}\n"
    ).build()
    assert not built.build.has_errors
    places = {problem.partition(": ")[0].rpartition(":")[0] for problem in built.problems}
    files = ("content/awards.yaml:3", "content/hobbies.yaml:2", "content/talks.yaml:2")
    assert places == (set() if url == "/" else set(files))
