"""The tables of a statistics section: publications by year and type, citations, co-authors, talks by place."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from tenure.markdown.html import plain_text
from tenure.model.collaborators import find_collaborators
from tenure.model.entries import Entry, Publication, Talk
from tenure.model.overlays import Coauthor, Work, calculate_h_index, sum_by_year
from tenure.model.translations import Translations
from tenure.record import Record

MAX_TONES = 5
"""Number of shades that a reader can distinguish in one figure."""

MAX_ROWS = 15
"""Default for the maximum number of people and of places that are shown at once."""


class Figure(Record, kw_only=True):
    """
    A table with a bar in each row: `head` names the columns, `rows` are text.

    `bars` has the parts of each bar in the order of the shades, () for a row without a bar. `key` has the labels of the shades, if
    there are several; `notes` explain how to read the table; `links` are the URLs of the rows, "" if unknown. The rows after
    `limit` are folded; 0 folds none.
    """

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[tuple[int, ...], ...]
    key: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    limit: int = 0

    @property
    def max_count(self) -> int:
        """The sum of the longest bar."""
        return max(map(sum, self.bars), default=0)

    def rows_as_text(self, translations: Translations) -> Iterator[tuple[str, str, str]]:
        """Each row as text: its subject, the columns between, and its last number."""
        for first, *between, last in self.rows:
            cells = zip(self.head[1:-1], between, strict=True)
            details = [
                translations.format_labelled(head, number)
                for head, number in cells
                if number not in ("", "0")
            ]
            yield first, translations["comma"].join(details), last


def make_figures(
    t: Translations,
    entries: Iterable[Entry],
    works: Collection[Work],
    coauthors: Iterable[Coauthor],
    limit: int,
) -> Iterator[Figure]:
    """The tables that have data; `limit` is the number of people and places that are not folded, 0 for the default."""
    entries = list(entries)
    papers = [entry for entry in entries if isinstance(entry, Publication)]
    talks = [entry for entry in entries if isinstance(entry, Talk)]
    if any(paper.date and paper.date.year for paper in papers):
        yield _count_publications_by_year(t, papers)
    figure = _count_coauthors(t, papers, coauthors, limit or MAX_ROWS)
    if len(figure.rows) > 1:
        yield figure
    figure = _count_talks_by_place(t, talks, limit or MAX_ROWS)
    if figure.rows:
        yield figure
    if any(work.citations for work in works):
        yield _count_citations(t, works)


def _count_publications_by_year(t: Translations, papers: Sequence[Publication]) -> Figure:
    """Publications by year and type; the most frequent types have a shade each, undated publications the last row."""
    counts: dict[int, Counter[str]] = {}
    for paper in papers:
        year = (paper.date.year if paper.date else None) or 0
        counts.setdefault(year, Counter())[t.get(f"kind_{paper.kind}", paper.kind)] += 1
    totals = sum(counts.values(), Counter[str]())
    types = sorted(totals, key=lambda name: (-totals[name], t.alphabetical_key(name)))
    if len(types) > MAX_TONES:
        types = [*types[: MAX_TONES - 1], t["figure_other"]]
    key = tuple(types) if len(types) > 1 else ()
    rows, bars = [], []
    for year in sorted(counts, reverse=True):
        named = [counts[year][name] for name in types[:-1]]
        total = counts[year].total()
        bar = (*named, total - sum(named))
        bars.append(bar)
        rows.append((str(year) if year else t["undated"], *map(str, bar if key else ()), str(total)))
    return Figure(
        name="papers",
        title=t["figure_papers"],
        head=(t["column_year"], *key, t["column_total"]),
        rows=tuple(rows),
        bars=tuple(bars),
        key=key,
    )


def _count_citations(t: Translations, works: Collection[Work]) -> Figure:
    """Citations by year, then the total and the h-index, which have a bar only without years."""
    years = [(str(year), count) for year, count in sorted(sum_by_year(works).items(), reverse=True)]
    totals = [
        (t["column_total"], sum(work.citations for work in works)),
        (t["h_index"], calculate_h_index(works)),
    ]
    return Figure(
        name="citations",
        title=t["figure_citations" if years else "citations"],
        head=(t["column_year"] if years else "", t["citations"]),
        rows=tuple((label, str(count)) for label, count in (*years, *totals)),
        bars=(*((count,) for _, count in years), *(() if years else (count,) for _, count in totals)),
    )


def _count_coauthors(
    t: Translations, papers: Sequence[Publication], coauthors: Iterable[Coauthor], limit: int
) -> Figure:
    """Co-authors by the number of joint publications, with the range of their years: "2021 – 2025"."""
    ranked = sorted(
        find_collaborators(papers, coauthors),
        key=lambda person: (-len(person.publications), t.alphabetical_key(person.name.inverted_name)),
    )
    rows = []
    for person in ranked:
        dates = [paper.date for paper in person.publications if paper.date]
        years = sorted({date.year for date in dates if date.year})
        period = "".join(map(str, years))
        if len(years) > 1:
            period = t["date_period"].format(start=years[0], end=years[-1])
        rows.append((person.name.full_name, period, str(len(person.publications))))
    return Figure(
        name="coauthors",
        title=t["figure_coauthors"],
        head=(t["column_name"], t["years"], t["column_joint"]),
        rows=tuple(rows),
        bars=tuple((len(person.publications),) for person in ranked),
        links=tuple(person.record.url if person.record else "" for person in ranked),
        limit=limit,
    )


def _count_talks_by_place(t: Translations, talks: Iterable[Talk], limit: int) -> Figure:
    """Talks by place, or by event if the place is unknown."""
    places = [" ".join(plain_text(talk.place or talk.event).split()) for talk in talks]
    counts = Counter(place.casefold() for place in places)
    spellings = {place.casefold(): place for place in reversed(places)}
    without_place = counts.pop("", 0)
    ranked = sorted(counts, key=lambda place: (-counts[place], t.alphabetical_key(spellings[place])))
    note = t.format_labelled(t["figure_nowhere"], str(without_place))
    return Figure(
        name="talks",
        title=t["figure_talks"],
        head=(t["column_place"], t["section_talks"]),
        rows=tuple((spellings[place], str(counts[place])) for place in ranked),
        bars=tuple((counts[place],) for place in ranked),
        notes=(note,) if without_place else (),
        limit=limit,
    )
