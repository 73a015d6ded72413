"""A file of deliberate errors: the problems that are reported, and the result for each entry, line by line."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from comparison import LOST
from conftest import Built, Sources

from tenure.model.entries import Publication
from tenure.model.names import Authors

TORTURE = Path(__file__).with_name("torture.bib")
GOLDEN = Path(__file__).with_name("torture.txt")
RULE = "~~~~"
"""The line between the problems and the results."""

Make = Callable[[str], Sources]


@pytest.fixture
def torture(site: Make) -> Built:
    """Build a site with only this bibliography, whose owner is one of the authors."""
    words = TORTURE.read_text(encoding="utf-8")
    return site(f"-- content/profile.yaml --\nname: Rui Pan\n-- bib/torture.bib --\n{words}").build()


def reported_lines(built: Built) -> Iterator[str]:
    """Yield a line for each problem of the bibliography."""
    for problem in built.build.problems:
        place = problem.place
        if place.file == "bib/torture.bib":
            yield f"{place.line}:{place.column} {problem.code}: {problem.message} [{problem.hint}]"


def format_names(authors: Authors) -> str:
    people = [
        f"{'ME ' if a.me else ''}{a.name.inverted_name}{'*' if a.equal else ''}" for a in authors.people
    ]
    return "; ".join([*people, *(["others"] if authors.others else [])])


def format_publication(paper: Publication) -> str:
    """Return an entry in one line: type, key, title, authors, date, venue, links; a missing value is a hyphen."""
    venue = paper.venue
    parts = (venue.name, venue.volume, venue.number, venue.pages, venue.publisher, venue.institution)
    date = " ".join(part for part in (paper.date.iso if paper.date else "", paper.status) if part)
    columns = (
        f"{paper.kind} {str(paper.source).partition(':')[2]}",
        paper.key,
        paper.title,
        format_names(paper.authors) or f"ed. {format_names(paper.editors)}",
        date,
        ", ".join(part for part in parts if part),
        " ".join(f"{link.label}:{link.url}" for link in paper.links),
    )
    return " | ".join(column or "-" for column in columns)


def test_the_torture_file_gives_the_expected_model(torture: Built, request: pytest.FixtureRequest) -> None:
    papers = [p for p in torture.site.collections["publications"].entries if isinstance(p, Publication)]
    papers.sort(key=lambda paper: paper.source)
    actual = "\n".join([*reported_lines(torture), RULE, *map(format_publication, papers), ""])
    if request.config.getoption("--update"):
        GOLDEN.write_text(actual, encoding="utf-8")
        return
    assert actual == GOLDEN.read_text(encoding="utf-8")


def test_every_entry_of_the_torture_file_is_shown_or_reported(torture: Built) -> None:
    count = torture.build.bib_counts["bib/torture.bib"]
    problems = (*torture.build.problems, *torture.build.notes)
    hidden = [p for p in problems if p.code == "bib-joined" or p.message.endswith(LOST)]
    assert (count.entry_count, count.shown_count + len(hidden)) == (22, 22)
