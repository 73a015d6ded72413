"""Lines of authors.txt: the authors of a BibTeX field as their parts and marks, and the owner among them."""

from lines_of_names import describe_name

from tenure.model.names import list_owner_spellings
from tenure.sources.publications.author_names import parse_authors


def read_authors(text: str) -> str:
    """Return the names of a BibTeX field with their marks, "others", and the problems."""
    read = parse_authors(text)
    marks = [f" {a.marks}" * bool(a.marks) + " equal" * a.equal for a in read.authors.people]
    people = [describe_name(a.name) + mark for a, mark in zip(read.authors.people, marks, strict=True)]
    others = ["others"] * read.authors.others
    return "; ".join((*people, *others, *(f"! {issue.message}" for issue in read.issues)))


def find_owner_of_profile(text: str) -> str:
    """Return whether the first author is the owner of a profile: "name of the profile : author"."""
    owner, _, author = text.partition(" : ")
    authors = parse_authors(f"{author} and Rui Pan").authors
    me, other = authors.with_owner_marked(list_owner_spellings(owner, ())).people
    assert not other.me
    return "yes" if me.me else "no"
