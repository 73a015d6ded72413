"""Names: how they are parsed and formatted, and which author is the site's owner."""

import pytest

from tenure.model.names import (
    Author,
    Authors,
    Name,
    fold_text,
    list_owner_spellings,
    name_match_key,
    parse_spellings,
)

NAMES = """
    Rui Pan = Rui | | Pan
    Pan, Rui = Rui | | Pan
    Pan, = | | Pan
    Francis Y. Yan = Francis Y. | | Yan
    Madonna = | | Madonna
    John von Neumann = John | von | Neumann
    Maria de la Cruz = Maria | de la | Cruz
    bell hooks = | bell | hooks
    Martin Luther King Jr. = Martin Luther | | King | Jr.
    Martin Luther King, Jr. = Martin Luther | | King | Jr.
    King, Jr., Martin Luther = Martin Luther | | King | Jr.
    Guy L. Steele III = Guy L. | | Steele | III
    王小明 = | | 王小明
    王 小明 = 小明 | | 王
    王, 小明 = 小明 | | 王
    김 철수 = 철수 | | 김
"""
"""A text and its given name, particle, family name and suffix."""

OWNERS = """
    Rui Pan : Yinwei Dai | Pan, Rui : Rui Pan
    Pan, Rui : Rui Pan : Rui Pan
    José García : Garcia, Jose : Jose Garcia
    Jose Garcia : García, José : José García
    Bjørn Łukasiewicz : BJORN LUKASIEWICZ : BJORN LUKASIEWICZ
    Jean-Paul Sartre : Sartre, Jean Paul : Jean Paul Sartre
    John von Neumann : von Neumann, John : John von Neumann
    Michel de Montaigne : Montaigne, Michel de : Michel de Montaigne
    Michel de Montaigne : Montaigne, M. de : M. de Montaigne
    Montaigne, Michel de : de Montaigne, Michel : Michel de Montaigne
    Santiago Ramón y Cajal : Ramón y Cajal, Santiago : Santiago Ramón y Cajal
    Santiago Ramón y Cajal : S. Ramón y Cajal : S. Ramón y Cajal
    Ramón y Cajal, Santiago : Cajal, Santiago Ramón y : Santiago Ramón y Cajal
    Miguel de Unamuno y Jugo : de Unamuno y Jugo, M. : M. de Unamuno y Jugo
    Antoni Gaudí i Cornet : Gaudi i Cornet, Antoni : Antoni Gaudi i Cornet
    Manuel dos Santos e Silva : dos Santos e Silva, Manuel : Manuel dos Santos e Silva
    Maria e Silva : e Silva, Maria : Maria e Silva
    Guy Steele Jr. : Steele, Jr., Guy : Guy Steele, Jr.
    Guy Steele Jr. : Steele Jr., Guy : Guy Steele Jr.
    Guy Steele Jr. : Steele, Guy :
    Rui Pan = Ray Pan : Ray Pan : Ray Pan
    Rui Pan = 潘睿 : 潘, 睿 : 潘睿
    Ada King = Lovelace, Ada : Ada Lovelace : Ada Lovelace
    王小明 : 王, 小明 : 王小明
    王, 小明 : 王小明 : 王小明
    王 小明 : 王小明 : 王小明
    김철수 : 김 철수 : 김철수
    Rui Pan : R. Pan | K. Li : R. Pan
    Francis Y. Yan : Yan, F. Y. : F. Y. Yan
    Francis Y. Yan : Yan, FY : FY Yan
    Francis Y. Yan : Yan, F. : F. Yan
    Jean-Pierre Serre : J.-P. Serre : J.-P. Serre
    Élie Cartan : E. Cartan : E. Cartan
    Rui Pan : R. Pan | R. K. Pan : R. Pan
    Rui Kai Pan : R. Pan | R. K. Pan :
    Rui Pan : R. Pan | Rui Pan : Rui Pan
    Rui Pan : K. Pan :
    Rui Pan : R. Q. Pan :
    Rui Pan : R. Dai :
    Rui Pan : Ru Pan :
    Boris Oleg Pan : Bo Pan :
    Rui Pan : Pan :
    R. Pan : Rui Pan :
    Rui Pan :  :
    Rui Pan : Rui Chan :
"""
"""The owner with other spellings, the authors, and those who are the owner: by name, or else the only one by initials."""


def split_rows(table: str, separator: str) -> list[list[str]]:
    return [[part.strip() for part in row.split(separator)] for row in table.strip().split("\n")]


def create_authors(*names: str, me: int | None = None, equal: tuple[int, ...] = ()) -> Authors:
    """Return authors by their names; `me` and `equal` count from 0."""
    return Authors(tuple(Author(Name.parse(name), i == me, i in equal) for i, name in enumerate(names)))


def owner_names(marked_authors: Authors) -> list[str]:
    return [author.name.full_name for author in marked_authors.people if author.me]


@pytest.mark.parametrize(("text", "parts"), split_rows(NAMES, "="))
def test_names_are_parsed(text: str, parts: str) -> None:
    assert Name.parse(f"  {text} \n ") == Name(*(part.strip() for part in parts.split("|")))


@pytest.mark.parametrize("text", ["", "  ", ",", " , ,"])
def test_a_text_without_words_is_a_group(text: str) -> None:
    assert Name.parse(text) == Name(group=text.strip())


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


@pytest.mark.parametrize(("spellings", "people", "expected"), split_rows(OWNERS, " :"))
def test_owner(spellings: str, people: str, expected: str) -> None:
    owner, *aliases = spellings.split(" = ")
    authors = create_authors(*filter(None, people.split(" | ")))
    assert " | ".join(owner_names(authors.with_owner_marked(parse_spellings(owner, aliases)))) == expected


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


def test_accents_and_signs_do_not_count() -> None:
    texts = "Élie | Łukasz Øst | Straße | Æsop Œuvre | Þór | J.-P.  O'Neil | İstanbul"
    folded = "elie | lukasz ost | strasse | aesop oeuvre | thor | j p o neil | istanbul"
    assert [*map(fold_text, texts.split(" | "))] == folded.split(" | ")


def test_one_person_has_one_key() -> None:
    keys = {
        name_match_key(Name.parse(text))
        for text in (
            "Ludwig van Beethoven",
            "van Beethoven, Ludwig",
            "Beethoven, Ludwig van",
            "VAN BEETHOVEN, L\u00fadwig",
        )
    }
    assert keys == {("van beethoven", "ludwig")}


@pytest.mark.parametrize(
    ("owner", "author", "is_owner"),
    [
        ("Mateo Ríos Vidal", "Ríos Vidal, Mateo", True),
        ("Mateo Ríos Vidal", "Rios-Vidal, M.", True),
        ("Prof. Dr. Hanna Graf", "Graf, Hanna", True),
        ("Robert J. Hale, Ph.D.", "Robert Hale", True),
        ("Robert James Hale", "Robert J. Hale", True),
        ("Robert Hale, M.A.", "Hale, Robert", True),
        ("Robert Hale, M. A.", "Hale, Robert", False),
        ("Mary Jane Hale", "Mary Hale", False),
        ("Mateo Ríos Vidal", "Vidal, Mario Ríos", False),
    ],
)
def test_the_owner_with_titles_two_family_names_or_initials(owner: str, author: str, is_owner: bool) -> None:
    authors = Authors((Author(Name.parse(author)), Author(Name.parse("Bo Lee"))))
    marked = authors.with_owner_marked(list_owner_spellings(owner, ()))
    assert marked.people[0].me is is_owner
