"""People of a group: which authors they are, the lists on their pages, former members, and exports about the group."""

from typing import Any

import pytest

from tenure.model.entries import Markdown, Person
from tenure.model.names import Author, Authors, Name
from tenure.model.people import AuthorIndex, find_people


def create_person(name: str, **values: Any) -> Person:
    return Person(title=Markdown(name), id=name.casefold().replace(" ", "-"), **values)


def create_authors(*names: str) -> Authors:
    return Authors(tuple(Author(Name.parse(name)) for name in names))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Bo Lee", "Zed"], ["bo-lee", ""]),
        (["Lee, B.", "Zed"], ["bo-lee", ""]),
        (["B. Lee", "B. Lee"], ["", ""]),
        (["Bo Lee", "B. Lee"], ["bo-lee", ""]),
        (["C. Moon"], [""]),
        (["Moon, Cai"], ["cai-moon"]),
    ],
)
def test_authors_are_matched_as_the_owner_is(names: list[str], expected: list[str]) -> None:
    index = AuthorIndex.from_people(
        [create_person("Bo Lee"), create_person("Cai Moon"), create_person("Carl Moon")], is_group=True
    )
    marked = index.mark_authors(create_authors(*names)).people
    assert [author.person for author in marked] == expected
    assert [author.me for author in marked] == [bool(name) for name in expected]


def test_a_part_of_a_name_means_everybody_who_has_it() -> None:
    people = [create_person("Bo Lee", aliases=("李博",)), create_person("Bo Chen")]
    assert [p.id for p in find_people(people, "bo")] == ["bo-lee", "bo-chen"]
    assert [p.id for p in find_people(people, "Lee")] == ["bo-lee"]
    assert [p.id for p in find_people(people, "李博")] == ["bo-lee"]
    assert find_people(people, "---") == ()
