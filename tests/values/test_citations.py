"""Citations in text: their form, their list of references, and texts that are not citations."""

from collections.abc import Callable

from conftest import Sources

from tenure.model.entries import Markdown, Point, Publication, Talk
from tenure.model.names import Author, Authors, Name
from tenure.plan.citations import CitationLibrary, iterate_markdown

Make = Callable[[str], Sources]


WORDS = {
    "and_two": "{first} and {last}",
    "et_al": "et al.",
    "no_date": "n.d.",
    "comma": ", ",
    "semicolon": "; ",
}


def create_paper(*names: str, title: str = "T") -> Publication:
    people = tuple(Author(Name.parse(name)) for name in names)
    return Publication(key="k", kind="article", title=Markdown(title), authors=Authors(people))


def test_a_publication_without_a_page_is_cited_without_a_link() -> None:
    library = CitationLibrary({"k": create_paper("Ada Example")}, WORDS, lambda _: "")
    assert library.resolve_citations("[@k]").text == "(Example, n.d.)"
    assert library.format_reference(create_paper("Ada Example")) == "Ada Example. T. n.d."


def test_texts_are_found_in_every_field_that_has_one() -> None:
    points = (Point(text=Markdown("a"), points=(Point(text=Markdown("b")),)),)
    talk = Talk(title=Markdown("c"), place="not this", details=points, tags=("nor this",), body=Markdown("d"))
    assert {text for text in iterate_markdown(talk) if text} == {"a", "b", "c", "d"}
