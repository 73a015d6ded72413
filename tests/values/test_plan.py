"""Decisions of the plan that no page of a small site shows."""

import pytest
from conftest import Make

from tenure.model.entries import Markdown, Point, Publication, Talk
from tenure.model.names import Author, Authors, Name
from tenure.plan.citations import CitationLibrary, iterate_markdown
from tenure.plan.clicks import Click, Origin, PaperTitle, describe_site, find_origin, list_papers
from tenure.plan.related import MAX_SHARED, find_similar

WORDS = dict(
    line.split(": ", 1)
    for line in "and_two: {first} and {last}\net_al: et al.\nno_date: n.d.\ncomma: , \nsemicolon: ; ".split(
        "\n"
    )
)


def test_frequent_topics_make_nothing_similar(site: Make) -> None:
    papers = "".join(
        f"@misc{{k{n}, title={{T{n}}}, author={{Example, Ada}}, year=2020, keywords={{x}}}}\n"
        for n in range(MAX_SHARED + 1)
    )
    assert not any(find_similar(site(f"-- bib/papers.bib --\n{papers}").build().site).values())


def test_a_publication_without_a_page_is_cited_without_a_link() -> None:
    paper = Publication(
        key="k", kind="article", title=Markdown("T"), authors=Authors((Author(Name.parse("Ada Example")),))
    )
    library = CitationLibrary({"k": paper}, WORDS, lambda _: "")
    assert library.resolve_citations("[@k]").text == "(Example, n.d.)"
    assert library.format_reference(paper) == "Ada Example. T. n.d."


def test_texts_are_found_in_every_field_that_has_one() -> None:
    points = (Point(text=Markdown("a"), points=(Point(text=Markdown("b")),)),)
    talk = Talk(title=Markdown("c"), place="not this", details=points, tags=("nor this",), body=Markdown("d"))
    assert {text for text in iterate_markdown(talk) if text} == {"a", "b", "c", "d"}


CLICKED_SITE = """-- content/profile.yaml --
name: Ada Example
role: Student
-- content/about.md --
---
title: About me
---
Words.
-- content/talks.yaml --
- {title: A first talk, date: 2024}
- {title: A second talk, date: 2025}
-- content/posts/news.md --
---
title: A post
date: 2024
---
A post.
-- bib/papers.bib --
@string{j = "Looms"}
@article{lee2025, title = {On {W}ool}, author = {Example, Ada}, year = 2025, journal = j}
@misc{old, title = {On Wool}, author = {Example, Ada}, year = 2024, eprint = {2401.00001}, archiveprefix = {arXiv}}
"""


@pytest.mark.parametrize(
    ("click", "origin"),
    [
        (Click("index.html", (), "", "profile"), Origin("content/profile.yaml")),
        (Click("index.html", (), "", "site"), Origin("site.yaml")),
        (Click("index.html", ("main",), "about"), Origin("content/about.md")),
        (Click("index.html", ("lee2025", "publications", "main"), "publications"), Origin("bib/papers.bib", 2, "lee2025")),
        (Click("talks/index.html", ("x", "a-second-talk"), "talks"), Origin("content/talks.yaml", 2)),
        (Click("talks/index.html", (), "talks"), Origin("content/talks.yaml")),
        (Click("publications/lee2025/index.html", ("abstract",)), Origin("bib/papers.bib", 2, "lee2025")),
        (Click("posts/news/index.html"), Origin("content/posts/news.md", 2)),
        (Click("404.html"), Origin("site.yaml")),
        (Click("../../etc/passwd", ("lee2025",)), Origin("content/profile.yaml")),
    ],
)  # fmt: skip
def test_a_click_finds_the_source_of_what_it_hit(site: Make, click: Click, origin: Origin) -> None:
    built = site(CLICKED_SITE).build()
    assert find_origin(built.site, built.build.pages, click) == origin
    assert list_papers(built.site, "bib/papers.bib") == (
        PaperTitle("lee2025", "On Wool", "2025", False, ("old",), 2),
    )


def test_forms_know_the_names_and_the_choices_of_a_site(site: Make) -> None:
    text = (
        f"-- site.yaml --\nlanguages: [de]\n{CLICKED_SITE}-- content/people.yaml --\n- Bo Lee, postdoc 2024\n"
    )
    built = site(text + "-- content/about.de.md --\nWorte.\n").build()
    facts = describe_site(built.site)
    assert facts.names == {
        "content/about.md": "About me",
        "content/posts/news.md": "A post",
        "content/talks.yaml": "Talks",
        "content/people.yaml": "People",
    }
    assert facts.languages == ("en", "de")
    assert facts.people == {"Bo Lee": "postdoc"}
    assert facts.papers == {"lee2025": "On Wool"}
    assert facts.pages["talks"] == "Talks"
    clicked = Click("de/index.html", ("main",), "about")
    assert find_origin(built.site, built.build.pages, clicked).file == "content/about.de.md"
    clicked = Click("de/talks/index.html", (), "talks")
    assert find_origin(built.site, built.build.pages, clicked).language == "de"
