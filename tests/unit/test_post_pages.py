"""Pages of posts: the earlier and the later post, the reading time, and the feed."""

from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.html.filters import estimate_reading_minutes

POSTS = "-- site.yaml --\nurl: https://ada.example.org/\n" + "".join(
    f"-- content/posts/p{year}.md --\n---\ntitle: Post of {year}\ndate: {year}-03-01\n---\n{'word ' * 500}\n"
    for year in (2024, 2022, 2023)
)


def test_a_post_links_to_the_earlier_and_the_later_one(site: Callable[[str], Sources]) -> None:
    built = site(POSTS).build()
    middle = built.read_page("/posts/p2023/")
    assert '<a rel="prev" href="../p2022/"><small>Previous</small> Post of 2022</a>' in middle
    assert '<a rel="next" href="../p2024/"><small>Next</small> Post of 2024</a>' in middle
    assert 'rel="prev"' not in built.read_page("/posts/p2022/")
    assert "2 min read" in built.read_words("/posts/p2023/")


def test_the_list_of_posts_links_to_the_feed(site: Callable[[str], Sources]) -> None:
    page = site(POSTS).build().read_page("/posts/")
    assert '<a href="../feed.xml" type="application/atom+xml" download>Atom</a>' in page
    assert page.count('<link rel="alternate"') == 1


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("word", 1), ("word " * 660, 3), ("漢字" * 450, 2), ("", 1), ("말이 길다 " * 450, 4)],
)
def test_the_time_of_reading(text: str, minutes: int) -> None:
    assert estimate_reading_minutes(text) == minutes


@pytest.mark.parametrize(
    ("theme", "colors"), [("classic", ["#fffefb", "#17191c"]), ("folio", ["#fdfcfb", "#16181b"])]
)
def test_the_color_of_the_browser_is_that_of_the_page(
    site: Callable[[str], Sources], theme: str, colors: list[str]
) -> None:
    built = site("-- content/about.md --\nI do.\n").build(theme=theme)
    page = built.read_page("/")
    assert [
        line.split('"')[3] for line in page.splitlines() if line.startswith('<meta name="theme-color"')
    ] == colors
    assert f"--bg:light-dark({','.join(colors)})" in page
