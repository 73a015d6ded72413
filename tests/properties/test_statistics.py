"""Nothing is lost in the counts of a section of statistics."""

import yaml
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from tenure.model.dates import Date
from tenure.model.entries import Markdown, Publication, Talk
from tenure.model.languages import Language
from tenure.model.names import Author, Authors, Name
from tenure.model.translations import Translations
from tenure.plan.statistics import make_figures

WORDS = yaml.load((ROOT / "themes/base/translations/en.yaml").read_text("utf-8"), yaml.BaseLoader)
ENGLISH = {key: word if isinstance(word, str) else word["other"] for key, word in WORDS.items()}
LETTERS = st.text(st.characters(categories=["L", "M", "Zs", "P"]), min_size=1, max_size=20).filter(str.strip)
NAMES = st.builds(Name, given=LETTERS | st.just(""), von=st.sampled_from(["", "van der"]), family=LETTERS)
PEOPLE = st.lists(st.builds(Author, name=NAMES, me=st.booleans()), max_size=6).map(tuple)
KINDS = st.sampled_from("article book misc inproceedings patent software podcast".split())
PAPERS = st.lists(st.tuples(KINDS, st.none() | st.integers(1, 9999), PEOPLE), max_size=12)
EVENTS = LETTERS.map(Markdown) | st.just(Markdown(""))
TALKS = st.lists(st.builds(Talk, place=LETTERS | st.just(""), event=EVENTS))
Entry = tuple[str, int | None, tuple[Author, ...]]


@given(PAPERS, TALKS, st.integers(0, 4))
def test_nothing_is_lost_in_counting(entries: list[Entry], talks: list[Talk], limit: int) -> None:
    papers = []
    for n, (kind, year, people) in enumerate(entries):
        date, authors = Date(year=year) if year else None, Authors(people)
        papers.append(Publication(key=f"k{n}", kind=kind, title=Markdown("T"), date=date, authors=authors))
    translations = Translations(Language("en"), ENGLISH)
    actual = {figure.name: figure for figure in make_figures(translations, [*papers, *talks], (), (), limit)}
    assert list(actual.values()) == [*make_figures(translations, [*papers, *talks], (), (), limit)]
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
