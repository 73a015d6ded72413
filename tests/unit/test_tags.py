"""Pages that list the entries with a tag."""

import re
from collections.abc import Callable

from conftest import Sources

Make = Callable[[str], Sources]
FILES = """
-- bib/papers.bib --
@article{a, title={On graphs}, author={Example, Ada}, year={2024}, journal={J}, keywords={graphs}}
@article{b, title={Else}, author={Example, Ada}, year={2023}, journal={J}, keywords={serving}}
-- content/posts/one.md --
---
title: One
date: 2024-01-02
tags: [Graphs, Machine learning]
---
Words.
-- content/posts/two.md --
---
title: Two
date: 2023-01-02
tags: [graphs]
---
Words.
-- content/news.yaml --
- text: A prize
  date: 2024
  tags: [machine-learning]
-- content/talks.yaml --
- title: Graphs, drawn
  tags: [graphs]
- title: Other
  tags: [serving]
-- content/projects.yaml --
- title: Engine
  technologies: [Graphs]
""".lstrip()


def test_a_page_for_each_tag_of_posts_and_news(site: Make) -> None:
    built = site(FILES).build()
    assert built.problems == []
    assert [path for path in built.paths if path.startswith("tags/")] == [
        "tags/graphs/index.html",
        "tags/machine-learning/index.html",
    ]
    text = built.read_words("/tags/graphs/")
    assert re.findall(r"Topic: Graphs|\bPosts\b|One|Two|On graphs|Else|Graphs, drawn|Other", text.partition("Topic")[1] + text.partition("Topic")[2]) == [
        "Topic: Graphs", "Posts", "One", "Two", "On graphs", "Graphs, drawn",
    ]  # fmt: skip
    assert "A prize" in built.read_words("/tags/machine-learning/")


def test_tags_link_to_their_pages(site: Make) -> None:
    built = site(FILES).build()
    tag = r'<a rel="tag" href="([^"]*)">([^<]*)</a>'
    assert re.findall(tag, built.read_page("/posts/one/")) == [
        ("../../tags/graphs/", "Graphs"),
        ("../../tags/machine-learning/", "Machine learning"),
    ]
    jump = built.read_page("/posts/").partition('<nav class="jump"')[2].partition("</nav>")[0]
    assert re.findall(tag, jump) == [
        ("../tags/graphs/", "Graphs"),
        ("../tags/machine-learning/", "Machine learning"),
    ]
    assert re.findall(tag, built.read_page("/publications/a/")) == [("../../tags/graphs/", "graphs")]
    assert re.findall(tag, built.read_page("/publications/b/")) == []
    assert re.findall(tag, built.read_page("/projects/")) == []


def test_a_list_of_news_shows_its_tags(site: Make) -> None:
    assert "A prize machine-learning" in site(
        f"{FILES}-- site.yaml --\npages: [news, posts]\n"
    ).build().read_words("/news/")


def test_without_posts_there_are_no_tag_pages(site: Make) -> None:
    built = site("-- content/talks.yaml --\n- title: One\n  tags: [graphs]\n").build()
    assert [path for path in built.paths if path.startswith("tags/")] == []


def test_cached_pages_have_current_tag_links(site: Make) -> None:
    sources = site(FILES)
    assert 'rel="tag"' in sources.build().read_page("/publications/a/")
    without = FILES.replace("tags: [Graphs, Machine learning]\n", "").replace("tags: [graphs]\n---", "---")
    built = sources.edit_files(without).build()
    assert built.problems == []
    assert 'rel="tag"' not in built.read_page("/publications/a/")
