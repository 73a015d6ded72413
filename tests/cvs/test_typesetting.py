"""The lines of a CV: even spaces, no line break within names and dates, and the foot of its pages."""

import re
from collections.abc import Callable

import pytest
from conftest import ROOT, Sources
from matrix import EXAMPLES, build_sample_site
from pdfs import feet_of, heights_of, lines_of, looseness_of, pdf_of, step_before

from tenure.exports.cv.document import ACCENT_COLORS

Make = Callable[[str], Sources]

LONG_LINES = """\
-- content/experience.yaml --
- organization: First House
  role: Engineer
  details:
    - Die Donaudampfschifffahrtsgesellschaft und die Rechtsschutzversicherungsgesellschaften verhandelten über Lebensversicherungsunternehmen
    - Electroencephalographically characterised counterrevolutionaries and internationalised compartmentalisation of misunderstandings
- {organization: Second House, details: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] }
- {organization: Third House, details: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] }
-- bib/papers.bib --
@article{one, title = {A paper}, journal = {Journal of Words}, year = {2024}, author = {Example, Ada and
  Konstantinopoulos, Alexandros and Ananthanarayanan, Ganesh and Yan, Francis Y. and Pan*, Rui and Okafor, Mira and
  Papadimitriou, Christos H. and Wojciechowska, Anna and Lindqvist, Per and García Márquez, Inés and Ng, Li and
  Sivasubramanian, Anand and Bhattacharyya, Rohan and Venkataraman, Shivaram and Netravali, Ravi}}
"""

NAMES = ["Alexandros Konstantinopoulos", "Ganesh Ananthanarayanan", "Francis Y. Yan", "Rui Pan*", "Mira Okafor",
    "Christos H. Papadimitriou", "Anna Wojciechowska", "Per Lindqvist", "Inés García Márquez", "Li Ng",
    "Anand Sivasubramanian", "Rohan Bhattacharyya", "Shivaram Venkataraman", "Ravi Netravali"]  # fmt: skip


@pytest.mark.parametrize("site", EXAMPLES)
def test_the_spaces_of_all_lines_are_alike(site: str) -> None:
    result = build_sample_site("classic", site)
    bodies = [pdf_of(result, a.path) for a in result.artifacts if a.path.endswith(".pdf")]
    assert [looseness_of(body) <= 2 for body in bodies] == [True] * len(bodies) != []


def test_lines_of_long_words_are_even(site: Make) -> None:
    assert looseness_of(pdf_of(site(LONG_LINES).build(pdf=True).build)) <= 2


def test_names_and_dates_are_on_one_line(site: Make) -> None:
    """The test uses several page widths, so that each name is at the end of a line at least once."""
    widths = range(20, 61, 8)
    options = ", ".join(
        f"cv-{width}: {{margins: [20, {width}], sections: [publications]}}" for width in widths
    )
    result = site(f"{LONG_LINES}-- site.yaml --\ncvs: {{{options}}}\n").build(pdf=True)
    assert result.problems == []
    for width in widths:
        lines = [line.replace("\xa0", " ") for line in lines_of(pdf_of(result.build, f"cv-{width}.pdf"))]
        assert [name for name in NAMES if not any(name in line for line in lines)] == []


def test_pages_have_a_foot_if_there_are_several(site: Make) -> None:
    short = pdf_of(site("-- content/awards.yaml --\n- Prize\n").build(pdf=True).build)
    long = pdf_of(site(LONG_LINES).build(pdf=True).build)
    assert feet_of(short) == []
    assert [re.sub(r"\s+", " ", foot).strip() for foot in feet_of(long)] == [
        "Ada Example · 1/2",
        "Ada Example · 2/2",
    ]


def test_an_entry_without_a_role_is_one_line(site: Make) -> None:
    """The location and the dates add no empty line."""
    entry = "{organization: First House, location: Springfield, start: 2019, end: 2021}"
    result = site(f"-- content/experience.yaml --\n- {entry}\n").build(pdf=True)
    lines = [line.strip() for line in lines_of(pdf_of(result.build))]
    assert "First House, Springfield 2019 – 2021" in lines


def test_entries_of_a_list_are_farther_apart_than_their_lines(site: Make) -> None:
    long = "{title: First words of a talk that is so long that its title and its event need a second line, event: A seminar with a long name and Lastline}"
    result = site(f"-- content/talks.yaml --\n- {long}\n- {{title: Another talk, event: Workshop}}\n").build(
        pdf=True
    )
    first, last, other = heights_of(pdf_of(result.build), ["First", "Lastline", "Another"])
    assert 10 < first - last < 16
    assert last - other > first - last + 1


def test_the_legend_of_stars_is_apart_from_its_heading(site: Make) -> None:
    paper = "@article{one, title={Paper}, author={Example*, Ada and Li*, Kai}, journal={J}, year={2024}}"
    result = site(f"-- bib/papers.bib --\n{paper}\n").build(pdf=True)
    assert step_before(pdf_of(result.build), "(* equal") > 10
    assert result.read_words("/publications/").count("equal contribution") == 1


def test_folio_has_a_cv_in_its_own_font_and_accent(site: Make) -> None:
    sources = site("-- content/awards.yaml --\n- Prize\n")
    named = sources.edit_files("-- site.yaml --\ntheme: {name: folio, accent: plum}\n").build(pdf=True)
    assert b"FolioSans" in pdf_of(named.build)
    other = sources.edit_files("-- site.yaml --\ntheme: {name: folio, accent: teal}\n").build(pdf=True)
    assert pdf_of(named.build) != pdf_of(other.build)


def test_accents_are_those_of_the_themes() -> None:
    theme = (ROOT / "themes/base/theme.yaml").read_text(encoding="utf-8")
    assert dict(re.findall(r"^      - (\w+) (\w{6}) \w{6}$", theme, re.MULTILINE)) == {
        name: code.removeprefix("#") for name, code in ACCENT_COLORS.items()
    }
