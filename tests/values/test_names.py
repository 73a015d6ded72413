"""Names: how they are parsed and formatted, and which author is the site's owner."""

import pytest

from tenure.model.names import (
    Author,
    Authors,
    Name,
    parse_spellings,
)


def create_authors(*names: str, me: int | None = None, equal: tuple[int, ...] = ()) -> Authors:
    """Return authors by their names; `me` and `equal` count from 0."""
    return Authors(tuple(Author(Name.parse(name), i == me, i in equal) for i, name in enumerate(names)))


def owner_names(marked_authors: Authors) -> list[str]:
    return [author.name.full_name for author in marked_authors.people if author.me]


@pytest.mark.parametrize(
    ("name", "full", "inverted"),
    [
        (Name("Francis Y.", "", "Yan"), "Francis Y. Yan", "Yan, Francis Y."),
        (Name("", "", "Madonna"), "Madonna", "Madonna"),
        (Name("Ludwig", "van", "Beethoven"), "Ludwig van Beethoven", "van Beethoven, Ludwig"),
        (Name("Martin Luther", "", "King", "Jr."), "Martin Luther King, Jr.", "King, Jr., Martin Luther"),
        (Name("小明", "", "王"), "王小明", "王, 小明"),
        (Name("철수", "", "김"), "김철수", "김, 철수"),
        (Name("Xiaoming", "", "Wang"), "Xiaoming Wang", "Wang, Xiaoming"),
        (Name(group="The ATLAS Collaboration"), "The ATLAS Collaboration", "The ATLAS Collaboration"),
    ],
)
def test_full_and_inverted(name: Name, full: str, inverted: str) -> None:
    assert (name.full_name, name.inverted_name) == (full, inverted)


def test_owner_may_be_a_group() -> None:
    people = Authors((Author(Name(group="The Lab")), Author(Name.parse("Rui Pan"))))
    assert owner_names(people.with_owner_marked((Name(group="the lab"),))) == ["The Lab"]


def test_owner_keeps_everything_else() -> None:
    people = Authors((Author(Name.parse("Rui Pan"), equal=True, marks="*"),), others=True)
    owned = people.with_owner_marked(parse_spellings("Rui Pan", []))
    assert owned == Authors((Author(Name.parse("Rui Pan"), me=True, equal=True, marks="*"),), others=True)


@pytest.mark.parametrize(
    ("me", "equal", "leads"),
    [
        (0, (), True),
        (0, (0, 1), True),
        (1, (0, 1), True),
        (2, (0, 1, 2), True),
        (1, (), False),
        (1, (0,), False),  # the first two are not both equal
        (1, (1,), False),
        (2, (0, 2), False),  # the second is between
        (2, (1, 2), False),
        (None, (0, 1), False),
    ],
)
def test_the_owner_is_detected_as_first_author(me: int | None, equal: tuple[int, ...], leads: bool) -> None:
    assert create_authors("A B", "C D", "E F", me=me, equal=equal).owner_is_first == leads


@pytest.mark.parametrize(("equal", "any_equal"), [((), False), ((1,), True)])
def test_equal_contribution_is_detected(equal: tuple[int, ...], any_equal: bool) -> None:
    assert create_authors("A B", "C D", equal=equal).has_equal_contribution == any_equal


@pytest.mark.parametrize(
    ("count", "most", "shape"),
    [
        (5, 0, (5, 0, 0)),  # no limit
        (5, 5, (5, 0, 0)),
        (5, 2, (5, 0, 0)),  # too few to show first and last
        (5, 3, (1, 3, 1)),
        (9, 5, (3, 5, 1)),
    ],
)
def test_shortened(count: int, most: int, shape: tuple[int, int, int]) -> None:
    people = create_authors(*(f"A{i} B{i}" for i in range(count))).people
    short = Authors(people).shorten_list(most)
    assert (len(short.head), len(short.hidden), len(short.tail)) == shape
    assert (*short.head, *short.hidden, *short.tail) == people


@pytest.mark.parametrize(("me", "expected"), [(0, None), (3, "A3 B3"), (5, None)])
def test_shortened_knows_a_hidden_owner(me: int, expected: str | None) -> None:
    owner = create_authors(*(f"A{i} B{i}" for i in range(6)), me=me).shorten_list(3).hidden_owner
    assert (owner.name.full_name if owner else None) == expected
