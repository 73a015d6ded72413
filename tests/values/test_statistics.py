"""A section of statistics: the counts, their bars, their people, and the text in a CV."""

import re
from collections.abc import Callable

import html5lib
import yaml
from conftest import ROOT, Built, Sources
from hypothesis import given
from hypothesis import strategies as st

from tenure.model.dates import Date
from tenure.model.entries import Markdown, Publication, Talk
from tenure.model.languages import Language
from tenure.model.names import Author, Authors, Name
from tenure.model.translations import Translations
from tenure.plan.statistics import Figure, make_figures

Make = Callable[[str], Sources]
SITE = """-- site.yaml --
pages: [home, statistics]
-- content/coauthors.yaml --
- {name: Johanna Berg, aliases: [Jo Berg], url: https://example.org/berg}
-- content/talks.yaml --
- {title: One, place: Paris, date: 2024}
- {title: Two, place: "*paris*", event: School, date: 2025}
- {title: Three, event: Seminar & Lunch, date: 2023}
- {title: Four, date: 2023}
-- bib/papers.bib --
@article{one, title={A}, author={Example, Ada and Li, K. and Berg, Jo}, journal={J}, year={2021}}
@inproceedings{two, title={B}, author={Li, Kai and Example, Ada and Berg, Johanna}, booktitle={S}, year={2024}}
@conference{three, title={C}, author={Example, Ada and Wang, Yi}, booktitle={S}, year={2024}, keywords={old}}
@inproceedings{four, title={D}, author={Wang, Yu and Example, Ada and {The Group}}, booktitle={S}, year={2024}}
@misc{five, title={E}, author={Example, Ada}, pubstate={submitted}}
"""


def figures_of(built: Built) -> dict[str, Figure]:
    (page,) = [page for page in built.build.pages if page.path == "/statistics/"]
    (section,) = page.sections
    return {figure.name: figure for figure in section.figures}


def test_publications_are_counted_by_year_and_kind(site: Make) -> None:
    built = site(SITE).build()
    assert built.problems == []
    figure = figures_of(built)["papers"]
    assert figure.head == ("Year", "Conference papers", "Journal articles", "Preprints and others", "Total")
    assert figure.rows == (
        ("2024", "3", "0", "0", "3"),
        ("2021", "0", "1", "0", "1"),
        ("Undated", "0", "0", "1", "1"),
    )
    assert figure.key == figure.head[1:-1]
    assert figure.bars == ((3, 0, 0), (0, 1, 0), (0, 0, 1))


def test_rare_kinds_are_counted_together(site: Make) -> None:
    kinds = ("article", "article", "book", "phdthesis", "techreport", "manual", "patent", "software")
    entries = "\n".join(
        f"@{kind}{{k{n}, title={{T{n}}}, author={{Example, Ada}}, year=2024}}" for n, kind in enumerate(kinds)
    )
    figure = figures_of(site(f"{SITE.partition('-- content')[0]}-- bib/p.bib --\n{entries}\n").build())[
        "papers"
    ]
    assert figure.key == ("Journal articles", "Books", "Manuals", "Patents", "Other")
    assert figure.rows == (("2024", "2", "1", "1", "1", "3", "8"),)


def test_coauthors_are_counted_by_joint_publications(site: Make) -> None:
    figure = figures_of(site(SITE).build())["coauthors"]
    assert figure.rows == (
        ("Johanna Berg", "2021 – 2024", "2"),
        ("Kai Li", "2021 – 2024", "2"),
        ("Yi Wang", "2024", "1"),
        ("Yu Wang", "2024", "1"),
    )


def test_the_table_links_to_known_homepages(site: Make) -> None:
    page = site(SITE).build().read_page("/statistics/")
    assert '<th scope="row"><a href="https://example.org/berg">Johanna Berg</a></th>' in page
    assert '<th scope="row">Kai Li</th>' in page


def test_initials_do_not_match_another_author_of_the_same_work(site: Make) -> None:
    built = site(
        "-- site.yaml --\npages: [home, statistics]\n-- bib/p.bib --\n"
        "@article{a, title={A}, author={Example, Ada and Li, K. and Li, Kai}, journal={J}, year=2024}\n"
    ).build()
    assert [row[0] for row in figures_of(built)["coauthors"].rows] == ["K. Li", "Kai Li"]


def test_coauthors_after_the_first_ones_are_folded(site: Make) -> None:
    people = " and ".join(f"Person{n:03}, Ada" for n in range(300))
    bib = f"@article{{a, title={{A}}, author={{Example, Ada and {people}}}, journal={{J}}, year=2024}}\n"
    for settings, limit in (
        ("pages: [home, statistics]", 15),
        ("pages: [{path: /statistics/, sections: [statistics: {limit: 12}]}]", 12),
    ):
        page = site(f"-- site.yaml --\n{settings}\n-- bib/p.bib --\n{bib}").build().read_page("/statistics/")
        shown, _, folded = page.partition("<summary>See all 300</summary>")
        assert (shown.count("Ada Person"), folded.count("Ada Person")) == (limit, 300 - limit)


def test_talks_are_counted_by_place_or_event(site: Make) -> None:
    figure = figures_of(site(SITE).build())["talks"]
    assert figure.rows == (("Paris", "2"), ("Seminar & Lunch", "1"))
    assert figure.notes == ("No place named: 1",)


def test_filters_choose_what_is_counted(site: Make) -> None:
    pages = (
        "-- site.yaml --\npages: [{path: /statistics/, sections: [statistics: {without: old, year: 2024}]}]\n"
    )
    built = figures_of(site(SITE + pages).build())
    assert built["papers"].rows == (("2024", "2"),)
    assert built["talks"].rows == (("Paris", "1"),)


def test_a_row_has_its_name_its_bar_and_its_number(site: Make) -> None:
    page = site(SITE).build().read_page("/statistics/")
    tables = html5lib.parse(page, namespaceHTMLElements=False).findall(".//section//table")
    assert len(tables) == 3
    for table in tables:
        assert all(cell.get("scope") == "col" for cell in table.findall("thead//th"))
        longest = max(int(row[2].text or "") for row in table.findall("tbody/tr"))
        for row in table.findall("tbody/tr"):
            assert (row[0].tag, row[0].get("scope"), row[1].get("aria-hidden")) == ("th", "row", "true")
            (bar,) = row[1]
            assert bar.get("viewBox") == f"0 0 {longest} 1"
            ends = [float(part.get("x") or "") + float(part.get("width") or "") for part in bar]
            assert ends[-1] == float(row[2].text or "")
    assert "Seminar &amp; Lunch" in page
    assert not re.search(r"<section[^>]*style=|<svg[^>]*style=|<script(?![^>]*src=|>try|[^>]*ld\+json)", page)


def test_a_collection_named_statistics_is_a_collection(site: Make) -> None:
    built = site(SITE + "-- content/statistics.yaml --\n- A course in statistics\n").build()
    assert "A course in statistics" in built.read_words("/statistics/")
    assert 'class="group statistic"' not in built.read_page("/statistics/")


def test_without_entries_there_is_no_statistics_page(site: Make) -> None:
    built = site("-- site.yaml --\npages: [home, statistics]\n").build()
    assert built.problems == []
    assert not [path for path in built.paths if path.startswith("statistics")]


def test_the_cv_has_the_numbers_as_text(site: Make) -> None:
    built = site(SITE + "-- site.yaml --\npages: [home, cv: {sections: [statistics]}]\n").build()
    assert built.problems == []
    assert "cv.pdf" in built.paths
    text = built.read_page("/cv.txt")
    assert "2024 – Conference papers: 3 (3)" in text
    assert "Kai Li – Years: 2021 – 2024 (2)" in text
    assert "## Statistics\n\n### Publications by year and kind\n\n- 2024" in built.read_page("/cv.md")


ENGLISH = {
    key: word if isinstance(word, str) else word["other"]
    for key, word in yaml.load(
        (ROOT / "themes/base/translations/en.yaml").read_text(encoding="utf-8"), yaml.BaseLoader
    ).items()
}
LETTERS = st.text(st.characters(categories=["L", "M", "Zs", "P"]), min_size=1, max_size=20).filter(str.strip)
NAMES = st.builds(Name, given=LETTERS | st.just(""), von=st.sampled_from(["", "van der"]), family=LETTERS)
PEOPLE = st.lists(st.builds(Author, name=NAMES, me=st.booleans()), max_size=6).map(tuple)
PAPERS = st.lists(
    st.tuples(
        st.sampled_from(["article", "book", "misc", "inproceedings", "patent", "software", "podcast"]),
        st.none() | st.integers(1, 9999),
        PEOPLE,
    ),
    max_size=12,
)
TALKS = st.lists(
    st.builds(Talk, place=LETTERS | st.just(""), event=LETTERS.map(Markdown) | st.just(Markdown("")))
)


@given(PAPERS, TALKS, st.integers(0, 4))
def test_nothing_is_lost_in_counting(
    entries: list[tuple[str, int | None, tuple[Author, ...]]], talks: list[Talk], limit: int
) -> None:
    papers = [
        Publication(
            key=f"k{n}",
            kind=kind,
            title=Markdown("T"),
            date=Date(year=year) if year else None,
            authors=Authors(people),
        )
        for n, (kind, year, people) in enumerate(entries)
    ]
    translations = Translations(Language("en"), ENGLISH)
    actual = {figure.name: figure for figure in make_figures(translations, papers, talks, (), limit)}
    assert list(actual.values()) == [*make_figures(translations, papers, talks, (), limit)]
    if "papers" in actual:
        assert sum(int(row[-1]) for row in actual["papers"].rows) == len(papers)
        assert all(sum(map(int, row[1:-1])) == int(row[-1]) for row in actual["papers"].rows if row[1:-1])
    else:
        assert all(paper.date is None for paper in papers)
    if "coauthors" in actual:
        bars, rows = actual["coauthors"].bars, actual["coauthors"].rows
        assert [sum(parts) for parts in bars] == [int(row[-1]) for row in rows]
    if "talks" in actual:
        nowhere = sum(not (talk.place or talk.event) for talk in talks)
        assert sum(int(row[-1]) for row in actual["talks"].rows) + nowhere <= len(talks)
