"""People of a group: which authors they are, the lists on their pages, former members, and exports about the group."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Sources, visible_text

from tenure.model.entries import Markdown, Person
from tenure.model.names import Author, Authors, Name
from tenure.model.people import AuthorIndex, find_people

LAB = """-- site.yaml --
url: https://example.org
updated: 2026-11-01
-- content/profile.yaml --
name: Tidal Systems Group
kind: group
ror: 02mhbdp94
head: ada
-- content/people.yaml --
- {name: Ada Example, aliases: [A. B. Example], role: Principal investigator, links: {orcid: 0000-0002-1825-0097}, start: 2019, page: true}
- {name: Bo Lee, role: PhD student, advisor: ada, start: 2021, end: May 2022, then: University of Z}
- {name: Bo Chen, role: PhD student, start: 2025, end: 2027}
-- content/people/cai.md --
---
name: Cai Moon
role: Postdoc
---
Studies waves.
-- content/projects.yaml --
- {title: Buoys, people: [cai, Bo Lee, Zed]}
-- content/openings.yaml --
- {title: Open position, end: 2026-12-01}
- {title: Closed position, end: 2026-10-01}
-- bib/ada.bib --
@article{tides, title={Tides}, author={Example, A. B. and Lee, B. and Stranger, X}, journal={J}, year=2020}
@article{late, title={Late}, author={Stranger, X and Lee, Bo}, journal={J}, year=2026}
-- bib/cai.bib --
@article{waves, title={Waves}, author={Moon, Cai and B. Lee and B. Lee}, journal={J}, year=2022}
"""


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


def test_without_a_revision_a_student_whose_end_is_later_than_every_date_is_no_alumnus(
    site: Callable[[str], Sources],
) -> None:
    words = site(LAB.replace("updated: 2026-11-01", "")).build().read_words("/people/")
    current, _, former = words.partition("Alumni")
    assert "Bo Chen PhD student 2025 – 2027 (expected)" in current
    assert "Bo Lee PhD student 2021 – May 2022" in former


def test_the_page_of_the_people_has_roles_and_a_table_of_former_members(
    site: Callable[[str], Sources],
) -> None:
    page = site(LAB).build().read_page("/people/")
    assert re.findall(r'class="group-title"[^>]*>([^<]*)', page) == ["Alumni"]
    current, former = page.split("<table")[1:]
    assert "Ada Example Principal investigator" in visible_text(f"<body><table{current}")
    assert "Bo Chen" in current
    table = visible_text(f"<body><table{former}")
    assert "Bo Lee PhD student 2021 – May 2022 Now: University of Z Advisor: Ada Example" in table
    assert "Bo Chen" not in table


@pytest.mark.parametrize(
    ("section", "language", "headings"),
    [
        ("{group: role}", "en", ["PhD students"]),
        ("{group: role, groups: {phd Student: Doctoral researchers}}", "en", ["Doctoral researchers"]),
        ("{group: role}", "de", ["PhD student"]),
    ],
)
def test_a_role_of_three_people_is_a_heading_and_others_are_below_the_names(
    section: str, language: str, headings: list[str], site: Callable[[str], Sources]
) -> None:
    students = "".join(f"- {{name: {name} Ito, role: PhD student}}\n" for name in ("Dai", "Eva", "Fay"))
    photo = "- {name: Gil Orr, role: Postdoc, photo: gil.svg}\n-- content/gil.svg --\n<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>\n"
    pages = f"language: {language}\npages: [home, {{path: people, sections: [people: {section}]}}]\n"
    page = (
        site(f"-- site.yaml --\n{pages}-- content/people.yaml --\n{students}{photo}")
        .build()
        .read_page("/people/")
    )
    assert re.findall(r'class="group-title"[^>]*>([^<]*)', page) == headings
    assert page.index("Gil Orr") < page.index(headings[0]), "roles of few people are first"
    assert 'class="role">Postdoc' in page


def test_the_page_of_a_person_lists_papers_projects_and_students(site: Callable[[str], Sources]) -> None:
    built = site(LAB).build()
    ada, cai = built.read_page("/people/ada-example/"), built.read_page("/people/cai/")
    assert "Tides" in ada
    assert "Waves" not in ada
    assert "Bo Lee" in ada
    assert "Waves" in cai
    assert "Studies waves." in cai
    assert "Buoys" in cai
    assert "/people/bo-lee/index.html" not in built.paths
    assert built.codes == ["unknown-person"]


def test_publications_by_people_during_their_membership(site: Callable[[str], Sources]) -> None:
    section = "-- site.yaml --\npages:\n- path: /\n  sections: [publications: {title: Here, %s}]\n"
    during = site(LAB + section % "by: people, during: membership").build().read_words("/")
    assert "Waves" in during
    assert "Tides" in during
    assert "Late" not in during
    by_bo = site(LAB + section % "by: Bo Lee").build().read_words("/")
    assert "Late" in by_bo
    assert "Waves" not in by_bo
    first = site(LAB + section % "show: first_author").build().read_words("/")
    assert "Tides" in first
    assert "Late" not in first


def test_an_opening_disappears_after_its_date(site: Callable[[str], Sources]) -> None:
    text = (
        site(f"{LAB}-- site.yaml --\nupdated: 2026-11-01\npages: [openings]\n")
        .build()
        .read_words("/openings/")
    )
    assert "Open position" in text
    assert "Closed position" not in text


def test_a_group_has_no_cv(site: Callable[[str], Sources]) -> None:
    built = site(f"{LAB}-- site.yaml --\nurl: https://example.org\nrecords: [json-resume, text]\n").build()
    assert [path for path in built.paths if re.search(r"cv|resume", path)] == []


def test_names_of_people_need_no_translation(site: Callable[[str], Sources]) -> None:
    built = site(
        """\
-- site.yaml --
language: en
languages: [de]
-- content/profile.yaml --
name: Tidal Systems Group
kind: group
-- content/people.yaml --
- {name: Ada Example, role: {en: Postdoc, de: Postdoktorandin}}
- {name: {en: Cai Moon, de: Kai Mond}, role: Captain}
"""
    ).build()
    page = built.read_page("/de/people/")
    assert '<span lang="en">Ada Example' not in page
    assert "Kai Mond" in page
    assert '<span lang="en">Captain</span>' in page


def test_the_site_of_a_person_is_a_link(site: Callable[[str], Sources]) -> None:
    people = "-- content/people.yaml --\n- {name: Bo Lee, site: 'https://bo.example.org/'}\n"
    assert 'href="https://bo.example.org/"' in site(people).build().read_page("/people/")
