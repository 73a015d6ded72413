"""Lines of names.txt: the parts of names, their keys, and the owner and members among authors."""

from words_writer import WordsWriter

from tenure.model.entries import Markdown, Person, Publication
from tenure.model.languages import Language
from tenure.model.names import Author, Authors, Name, name_match_key, parse_spellings
from tenure.model.people import AuthorIndex, find_people
from tenure.model.translations import Translations
from tenure.presentation.citation import Citation


def describe_name(name: Name) -> str:
    """Return given name, particle, family name and suffix; a group in braces."""
    if name.group:
        return f"{{{name.group}}}"
    return "|".join((name.given, name.von, name.family, name.suffix)).rstrip("|")


def read_name(text: str) -> str:
    """Return the parts of a name, its full and its inverted form."""
    name = Name.parse(f"  {text} \n ")
    return f"{describe_name(name)} / {name.full_name} / {name.inverted_name}"


def find_owner(text: str) -> str:
    """Return the owner among authors: "owner = alias : author | author"."""
    spellings, _, people = text.partition(" : ")
    owner, *aliases = spellings.split(" = ")
    authors = Authors(tuple(Author(Name.parse(name)) for name in people.split(" | ") if name.strip()))
    marked = authors.with_owner_marked(parse_spellings(owner, aliases))
    return " | ".join(author.name.full_name for author in marked.people if author.me)


def make_key(text: str) -> str:
    return " / ".join(name_match_key(Name.parse(text)))


def read_name_parts(text: str) -> str:
    """Return the full and the inverted form of a name: "given|particle|family|suffix", or "{group}"."""
    name = Name(group=text[1:-1]) if text.startswith("{") else Name(*text.split("|"))
    return f"{name.full_name} / {name.inverted_name}"


def find_first_author(text: str) -> str:
    """Return whether the owner is the first of three authors: "owner equal equal …", counted from 0."""
    me, *equal = text.split()
    people = [Author(Name.parse(f"A{n} B"), str(n) == me, str(n) in equal) for n in range(3)]
    assert Authors(tuple(people)).has_equal_contribution == bool(equal)
    return "yes" if Authors(tuple(people)).owner_is_first else "no"


def shorten_list(text: str) -> str:
    """Return the lengths of the parts of a short list, and its hidden owner: "number limit owner"."""
    count, limit, me = text.split()
    people = tuple(Author(Name.parse(f"A{n} B{n}"), str(n) == me) for n in range(int(count)))
    paper = Publication(key="", kind="article", title=Markdown("T"), authors=Authors(people))
    labels = {"comma": ", ", "more_authors": "{total} more"}
    short = Citation(paper, Translations(Language("en"), labels), WordsWriter()).credits(int(limit))
    parts = [part.split(", ") if part else [] for part in (short.head, short.hidden, short.tail)]
    assert sum(parts, []) == [author.name.full_name for author in people]
    return " ".join([*(str(len(part)) for part in parts), short.hidden_owner]).rstrip()


BO, *OTHERS = (
    Person(title=Markdown(name), id=name.casefold().replace(" ", "-"), aliases=aliases)
    for name, aliases in {"Bo Lee": ("李博",), "Cai Moon": (), "Carl Moon": (), "Bo Chen": ()}.items()
)


def find_members(text: str) -> str:
    index = AuthorIndex.from_people([BO, *OTHERS[:2]], is_group=True)
    marked = index.mark_authors(Authors(tuple(Author(Name.parse(name)) for name in text.split(" | "))))
    assert all(author.me == bool(author.person) for author in marked.people)
    return " | ".join(author.person or "-" for author in marked.people)


def find_people_of_group(text: str) -> str:
    return " ".join(person.id for person in find_people([BO, OTHERS[2]], text))
