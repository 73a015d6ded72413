"""Names: how they are parsed and formatted, and which author is the site's owner."""

from tenure.model.names import Author, Authors, Name, parse_spellings


def owner_names(marked_authors: Authors) -> list[str]:
    return [author.name.full_name for author in marked_authors.people if author.me]


def test_owner_may_be_a_group() -> None:
    people = Authors((Author(Name(group="The Lab")), Author(Name.parse("Rui Pan"))))
    assert owner_names(people.with_owner_marked((Name(group="the lab"),))) == ["The Lab"]


def test_owner_keeps_everything_else() -> None:
    people = Authors((Author(Name.parse("Rui Pan"), equal=True, marks="*"),), others=True)
    owned = people.with_owner_marked(parse_spellings("Rui Pan", []))
    assert owned == Authors((Author(Name.parse("Rui Pan"), me=True, equal=True, marks="*"),), others=True)
