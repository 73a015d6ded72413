"""Values of .bib files that people type in their own way are shown as they are meant, or reported."""

from collections.abc import Callable

import pytest
from conftest import Sources
from test_biblatex_fields import describe_entry

Make = Callable[[str], Sources]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("@article{key, journal = {J}, pages = {Rn. 1--20}, year = 2019}", "J, Rn. 1–20, 2019"),
        ("@article{key, journal = {J}, pages = {§ 5}, year = 2019}", "J, § 5, 2019"),
        (
            "@inbook{key, booktitle = {B}, pages = {Kat. Nr. 12--15}, year = 2019}",
            "In B, Kat. Nr. 12–15, 2019",
        ),
        ("@article{key, journal = {J}, pages = {e12--e15}, year = 2019}", "J, pp. e12–e15, 2019"),
        ("@article{key, journal = {J}, pages = {xii--xv}, year = 2019}", "J, pp. xii–xv, 2019"),
        (
            "@book{key, publisher = {P}, pages = {240 S., 120 Abb.}, year = 2019}",
            "240 S., 120 Abb., P, 2019",
        ),
        ("@book{key, publisher = {P}, pages = {xvi+496}, year = 2019}", "xvi+496 pp., P, 2019"),
        ("@book{key, publisher = {P}, year = {2019--2021}}", "P, 2019–2021"),
        ("@book{key, publisher = {P}, year = {(2019/2021)}}", "P, 2019–2021"),
        (
            "@incollection{key, booktitle = {B}, editor = {Poe, D. and others}, year = 2019}",
            "In B, edited by D. Poe, et al., 2019",
        ),
        (
            "@inproceedings{key, booktitle = {B}, address = {Rome, Italy}, venue = {Rome, Italy}, year = 2019}",
            "In B, Rome, Italy, 2019",
        ),
    ],
)
def test_values_with_units_ranges_and_others(site: Make, entry: str, expected: str) -> None:
    """Pages with a unit of their own, years of several volumes, further editors, and one place in two fields."""
    line, _, facts, _ = describe_entry(site, entry)
    assert line == expected
    assert "Event" not in facts


def test_a_second_year_is_reported(site: Make) -> None:
    """A text beside the year is not shown, so that the repair moves it to the note."""
    built = site(
        "-- content/profile.yaml --\nname: Ada Example\n"
        "-- bib/papers.bib --\n@book{key, title = {T}, author = {Example, Ada}, publisher = {P}, year = {2012 (paperback 2014)}}\n"
    ).build()
    (problem,) = built.problems
    assert "only the year 2012 of “2012 (paperback 2014)” is shown" in problem
    assert "write year = {2012} and the rest in note = {…}" in problem
