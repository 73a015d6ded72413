"""Values in the forms of other systems: each is read completely, or is reported."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Sources, visible_text

from tenure.model.entries import Person

Make = Callable[[str], Sources]


def read_first_entry(site: Make, name: str, text: str) -> Any:
    """Return the first entry of a list, whose file has no error and no warning."""
    built = site(f"-- content/{name}.yaml --\n{text}\n").build()
    assert built.problems == []
    return built.site.collections[name].entries[0]


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("education", "education:\n- institution: A", "institution", "A"),
        ("education", "school: A\ndegree: PhD", "degree", "PhD"),
        ("education", "- institution: A\n  location: {city: Bern, country: Switzerland}", "location", "Bern, Switzerland"),
        ("education", "- school: A\n  minor: French\n  honors: [a, b]", "note", "Minor: French; Honors: a, b"),
        ("talks", "- title: A\n  place: Bern\n  country: Switzerland", "place", "Bern, Switzerland"),
        ("service", "Department:\n- Chair, 2019\n- Member", "role", "Department"),
        ("skills", "Programming: [Python, C]", "text", "Python, C"),
        ("languages", "- language: German\n  fluency: Native", "title", "German"),
        ("skills", "- name: Code\n  level: Master\n  keywords: [Python, C]", "text", "Python, C"),
        ("skills", "- category: Code\n  items: [Python, C]", "title", "Code"),
        ("doctorates", "- name: Ann Roe\n  titel: Farbe im Barock", "text", "Farbe im Barock"),
        ("people", "- name: Ann Roe\n  title: Professor", "role", "Professor"),
        ("talks", "- title: A\n  authors: [Ann Roe, Bo Lee]", "note", "Authors: Ann Roe, Bo Lee"),
        ("books", "- title: A\n  year: forthcoming", "note", "forthcoming"),
        ("projects", "soilnet:\n  title: SoilNet", "id", "soilnet"),
        ("education", "- school: A\n  courses:\n  - Algebra: A\n  - Optics: B", "note", "Courses: Algebra: A, Optics: B"),
        ("experience", "- company: A\n  remote: yes", "note", "Remote"),
        ("news", "- text:\u00a0Hello", "text", "Hello"),
        ("projects", "- title: A\n  status: finished", "note", "Status: finished"),
        ("news", "- 2024-12: Our survey", "text", "Our survey"),
        ("teaching", "- course: A\n  position: Tutor", "role", "Tutor"),
        # a text with a colon, a name with the fields of the entry below it
        ("teaching", "- 6.4210: Robots\n  role: TA", "course", "6.4210: Robots"),
        ("education", "- 1985 PhD, University A (Advisor: X. Y. Zed)", "institution", "1985 PhD, University A (Advisor: X. Y. Zed)"),
        ("projects", "- Gels under shear:\n    role: PI", "title", "Gels under shear"),
        ("equipment", "- Rheometer: Model 302", "text", "Model 302"),
        ("service", "- Reviewer: TKDE; TODS", "role", "Reviewer"),
        ("service", "organizer: A workshop\nreviewer: [A, B]", "role", "Organizer"),
        # bullets of an office program, a description as a list, a name with a fact
        ("experience", "- company: A\n  description:\n  - Stack: Rust\n  - 3 people", "details", ("Stack: Rust", "3 people")),
        ("skills", "- title: Code\n  items: [{name: Rust, level: expert}]", "details", ("Rust (expert)",)),
        ("students", "- name: Ann Roe\n  thesis: 'Gels: a study'", "note", "Thesis: Gels: a study"),
        # words of other languages, a colon of another keyboard
        ("talks", "- titel: Gedächtnis\n  ort: Berlin", "place", "Berlin"),
        ("education", "- université: A\n  diplôme: Master", "degree", "Master"),
        ("experience", "- instituição: INESC\n  cargo: Investigadora", "role", "Investigadora"),
        # LaTeX
        ("education", '- institution: Universit\\"at M\\"unchen', "institution", "Universität München"),
        ("awards", "- \\textbf{Grant} of Erd\\H{o}s \\\\", "title", "**Grant** of Erdős"),
    ],
)  # fmt: skip
def test_value_forms_of_other_systems_are_read(
    site: Make, name: str, text: str, field: str, value: object
) -> None:
    actual = getattr(read_first_entry(site, name, text), field)
    assert (tuple(str(point.text) for point in actual) if field == "details" else actual) == value


@pytest.mark.parametrize(
    ("name", "text", "dates", "words"),
    [
        ("news", "- [Sep 2025] A paper\n", ["Sep 2025"], ["A paper"]),
        ("news", "- **2025-09**: A paper", ["Sep 2025"], ["A paper"]),
        ("news", "- 09/2025 - A paper", ["Sep 2025"], ["A paper"]),
        ("awards", "- 2021, Member of the Academy", ["2021"], ["Member of the Academy"]),
        ("awards", "- 2023.06 A prize", ["Jun 2023"], ["A prize"]),
        ("awards", "- 2019 & A prize \\\\", ["2019"], ["A prize"]),
        ("awards", "- 2010: [A, B]", ["2010", "2010"], ["A", "B"]),
        ("jobs", "- 2010–present: Professor", ["2010 – Present"], ["Professor"]),
        ("awards", "- title: 2001, an odyssey", [""], ["2001, an odyssey"]),
        ("awards", "- 2001 an odyssey", [""], ["2001 an odyssey"]),
        ("awards", "- time: 2022年11月\n  name: A prize", ["Nov 2022"], ["A prize"]),
    ],
)
def test_a_text_that_begins_with_its_date_is_a_dated_entry(
    site: Make, name: str, text: str, dates: list[str], words: list[str]
) -> None:
    built = site(f"-- content/{name}.yaml --\n{text}\n").build()
    entries = built.site.collections[name].entries
    t = built.site.active_theme.translations
    assert [period.format_text(t) if (period := entry.entry_period) else "" for entry in entries] == dates
    assert [str(entry.name) for entry in entries] == words


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("name: Weber, Jana", "Jana Weber"),
        ("name: Hale, Jr., Robert", "Hale, Jr., Robert"),
        ("name: Jana von der Heide, M.A.", "Jana von der Heide, M.A."),
        ("name: Weber, M.A.", "M.A. Weber"),
    ],
)
def test_the_name_of_a_profile(site: Make, text: str, name: str) -> None:
    assert site(f"-- content/profile.yaml --\n{text}\n").build().site.profile.name == name


@pytest.mark.parametrize(
    "links",
    [
        "[{name: Code, url: 'https://example.org/c'}]",
        "[{title: Code, href: 'https://example.org/c'}]",
        "[{icon: code, icon_pack: fab, link: 'https://example.org/c'}]",
        "{code: {url: 'https://example.org/c'}}",
        "['[Code](https://example.org/c)']",
        "[[Code, 'https://example.org/c']]",
        "['Code: https://example.org/c']",
    ],
)
def test_links_in_any_form_keep_label_and_url(site: Make, links: str) -> None:
    (link,) = read_first_entry(site, "projects", f"- title: A\n  links: {links}").links
    assert (link.label, link.url) == ("Code", "https://example.org/c")


def test_a_markdown_list_in_a_text_is_a_list_of_bullets(site: Make) -> None:
    text = "    - Built a renderer\n    * Wrote a paper\n      with others\n"
    entry = read_first_entry(site, "experience", f"- organization: A\n  highlights: |\n{text}")
    assert [point.text for point in entry.details] == ["Built a renderer", "Wrote a paper with others"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("awards", "2024:\n- Prize\n- {title: Medal, year: 2023}", ["Prize 2024", "Medal 2023"]),
        ("talks", '"2022 - 2023":\n- A talk', ["A talk 2022 – 2023"]),
        ("teaching", "Fall 2023:\n- Optics", ["Optics Fall 2023"]),
        ("news", "2024-05-01: A paper\n2023: A start", ["A paper 1 May 2024", "A start 2023"]),
    ],
)
def test_a_date_above_entries_is_their_date(site: Make, name: str, text: str, words: list[str]) -> None:
    built = site(
        f"-- content/{name}.yaml --\n{text}\n-- site.yaml --\npages: [{{path: /, sections: [{name}]}}]\n"
    ).build()
    assert built.problems == []
    assert [part for part in words if part not in built.read_words("/")] == [], built.read_words("/")


def test_pages_are_named_by_their_titles_and_a_theme_in_any_case(site: Make) -> None:
    built = site(
        "-- content/projects.yaml --\n- title: A\n-- content/openings.yaml --\n- title: Job\n"
        "-- site.yaml --\ntheme: Folio\nnav: [Home, Research: /projects/, Join us: openings, Blog: 'https://blog.example.org', {title: More, link: 'https://more.example.org'}]\n"
    ).build()
    assert built.problems == []
    assert built.site.active_theme.name == "folio"
    menu = built.read_page("/").partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]*)"[^>]*>([^<]+)<', menu) == [
        ("./", "Home"), ("projects/", "Research"), ("openings/", "Join us"), ("https://blog.example.org", "Blog"), ("https://more.example.org", "More"),
    ]  # fmt: skip


def test_a_profile_with_groups_text_and_lists(site: Make) -> None:
    built = site(
        "-- site.yaml --\ngithub_username: ada\n"
        "-- content/profile.yaml --\n"
        "basics:\n  name: Ada Example\n  summary: I study caches.\n  phone: 555 0100\n"
        "  profiles:\n  - {network: Google Scholar, username: abc}\nskills: [Python]\n"
    ).build()
    assert [line for line in built.problems if line.startswith("content/")] == built.problems
    assert built.codes == ["unused-key"]
    assert built.site.collections["about"].entries[0].body == "I study caches."
    assert built.site.collections["skills"].entries[0].name == "Python"
    assert [str(profile_link.url) for profile_link in built.site.profile.links] == [
        "https://scholar.google.com/citations?user=abc",
        "https://github.com/ada",
    ]
    assert "I study caches." in built.read_words("index.html")


def test_files_in_the_folder_of_a_list_are_entries_of_it(site: Make) -> None:
    built = site("-- content/people/jane.yaml --\nname: Jane Doe\nemail: name@example.edu\n").build()
    (jane,) = built.site.collections["people"].entries
    assert isinstance(jane, Person)
    assert (jane.name, jane.email, built.problems) == ("Jane Doe", ("name@example.edu",), [])
    assert "name@example.edu" in built.read_words("/people/")


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("<ada@example.edu>", "ada@example.edu"),
        ("Ada Example <ada@example.edu>", "ada@example.edu"),
        ("ada at example.edu", "ada@example.edu"),
        ("ada (at) example.edu", "ada@example.edu"),
        ("'ada [AT] cs [dot] example [dot] edu'", "ada@cs.example.edu"),
        ('"Example, Ada <ada at example dot edu>"', "ada@example.edu"),
        ("ask me at the office", "ask me at the office"),
    ],
)
def test_an_email_address_is_the_address_alone(site: Make, value: str, address: str) -> None:
    """A value that is no address is shown as it is, without a link."""
    person = f"-- content/people.yaml --\n- name: Bo Lee\n  role: PhD student\n  email: {value}\n"
    profile = f"-- content/profile.yaml --\nname: Ada Example\nrole: Weberin\nemail: {value}\n"
    built = site(profile + person).build()
    owner = built.site.profile
    assert (owner.name, owner.role, owner.email) == ("Ada Example", "Weberin", (address,))
    assert built.site.people[0].email == (address,)
    for page in (built.read_page("/"), built.read_page("/people/")):
        assert address in visible_text(page)
        assert ("mailto:" in html.unescape(page)) is ("@" in address)


@pytest.mark.parametrize(
    ("grade", "shown"),
    [("'**3.95/4.00**'", "GPA: 3.95/4.00"), ("'GPA: 3.96'", "GPA: 3.96"), ("sehr gut", "Grade: sehr gut")],
)
def test_a_grade_has_one_label(site: Make, grade: str, shown: str) -> None:
    pages = "-- site.yaml --\npages: [{path: /, sections: [education]}]\n"
    built = site(f"{pages}-- content/education.yaml --\n- institution: A\n  grade: {grade}\n").build()
    assert built.read_words("/").endswith(f"A {shown}"), built.read_words("/")


def test_lists_of_a_group_are_on_its_homepage(site: Make) -> None:
    built = site(
        "-- content/profile.yaml --\nname: Tides Lab\nkind: group\n-- content/openings.yaml --\n- Postdoc in tides\n"
    ).build()
    assert built.problems == []
    assert "Postdoc in tides" in built.read_words("/")
