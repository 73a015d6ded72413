"""Decisions of the plan that no page of a small site shows."""

from conftest import Make

from tenure.model.entries import Markdown, Point, Publication, Talk
from tenure.model.names import Author, Authors, Name
from tenure.plan.citations import CitationLibrary, iterate_markdown
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
