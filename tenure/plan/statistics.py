"""The tables of a statistics section: publications by year and type, citations, co-authors, talks by place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import plain_text
from tenure.model.collaborators import Collaborator, find_collaborators
from tenure.model.entries import Publication, Talk
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
    translations: Translations,
    publications: Sequence[Publication],
    talks: Sequence[Talk],
    coauthors: Iterable[Coauthor],
    limit: int,
) -> Iterator[Figure]:
    """The tables that have data; `limit` is the number of people and places that are not folded, 0 for the default."""
    if any(publication.date and publication.date.year for publication in publications):
        yield count_publications_by_year(translations, publications)
    collaborators = find_collaborators(publications, coauthors)
    if len(collaborators) > 1:
        yield count_coauthors(translations, collaborators, limit or MAX_ROWS)
    if any(_talk_place(talk) for talk in talks):
        yield count_talks_by_place(translations, talks, limit or MAX_ROWS)


def count_publications_by_year(translations: Translations, publications: Sequence[Publication]) -> Figure:
    """Publications by year and type; the most frequent types have a shade each, undated publications a row."""
    counts: dict[int, Counter[str]] = {}
    undated: Counter[str] = Counter()
    for publication in publications:
        type_name = translations.get(f"kind_{publication.kind}", publication.kind)
        year = publication.date.year if publication.date else None
        (undated if year is None else counts.setdefault(year, Counter()))[type_name] += 1
    type_names = _shown_types(translations, [*counts.values(), undated])
    stacks = {year: _count_by_type(counter, type_names) for year, counter in counts.items()}
    totals = {year: sum(stack) for year, stack in stacks.items()}
    rows = [(str(year), *map(str, stacks[year]), str(totals[year])) for year in sorted(stacks, reverse=True)]
    if undated:
        rows.append(
            (translations["undated"], *map(str, _count_by_type(undated, type_names)), str(undated.total()))
        )
    if len(type_names) == 1:
        rows = [(row[0], row[-1]) for row in rows]
    bars = [stacks[year] for year in sorted(stacks, reverse=True)]
    return Figure(
        name="papers",
        title=translations["figure_papers"],
        head=(
            translations["column_year"],
            *(type_names if len(type_names) > 1 else ()),
            translations["column_total"],
        ),
        rows=tuple(rows),
        bars=(*bars, *([_count_by_type(undated, type_names)] if undated else [])),
        key=type_names if len(type_names) > 1 else (),
    )


def count_citations(translations: Translations, works: Sequence[Work]) -> Figure:
    """Citations by year, then the total and the h-index, which have a bar only without years."""
    years = [(str(year), count) for year, count in sorted(sum_by_year(works).items(), reverse=True)]
    totals = [
        (translations["column_total"], sum(work.citations for work in works)),
        (translations["h_index"], calculate_h_index(works)),
    ]
    return Figure(
        name="citations",
        title=translations["figure_citations" if years else "citations"],
        head=(translations["column_year"] if years else "", translations["citations"]),
        rows=tuple((label, str(count)) for label, count in (*years, *totals)),
        bars=(*((count,) for _, count in years), *(() if years else (count,) for _, count in totals)),
    )


def _shown_types(translations: Translations, counters: Iterable[Counter[str]]) -> tuple[str, ...]:
    """The types by frequency, with the last ones combined if there are more than MAX_TONES."""
    totals = sum(counters, Counter[str]())
    names = sorted(
        totals, key=lambda type_name: (-totals[type_name], translations.alphabetical_key(type_name))
    )
    return (
        tuple(names) if len(names) <= MAX_TONES else (*names[: MAX_TONES - 1], translations["figure_other"])
    )


def _count_by_type(counter: Mapping[str, int], type_names: Sequence[str]) -> tuple[int, ...]:
    """The number of publications of each type; the last number is that of all other types."""
    counts = [counter.get(type_name, 0) for type_name in type_names[:-1]]
    return (*counts, sum(counter.values()) - sum(counts))


def count_coauthors(translations: Translations, collaborators: Sequence[Collaborator], limit: int) -> Figure:
    """Co-authors by the number of joint publications."""
    ranked = sorted(
        collaborators,
        key=lambda collaborator: (
            -len(collaborator.publications),
            translations.alphabetical_key(collaborator.name.inverted_name),
        ),
    )
    counts = [(collaborator.name.full_name, len(collaborator.publications)) for collaborator in ranked]
    return Figure(
        name="coauthors",
        title=translations["figure_coauthors"],
        head=(translations["column_name"], translations["years"], translations["column_joint"]),
        rows=tuple(
            (name, _format_years(translations, collaborator.publications), str(count))
            for collaborator, (name, count) in zip(ranked, counts, strict=True)
        ),
        bars=tuple((count,) for _, count in counts),
        links=tuple(collaborator.record.url if collaborator.record else "" for collaborator in ranked),
        limit=limit,
    )


def _format_years(translations: Translations, publications: Iterable[Publication]) -> str:
    """The range of publication years: "2021 – 2025"."""
    years = sorted(
        {publication.date.year for publication in publications if publication.date and publication.date.year}
    )
    if len(years) < 2:
        return str(years[0]) if years else ""
    return translations["date_period"].format(start=years[0], end=years[-1])


def count_talks_by_place(translations: Translations, talks: Sequence[Talk], limit: int) -> Figure:
    """Talks by place, or by event if the place is unknown."""
    spellings_by_place: dict[str, list[str]] = {}
    for talk in talks:
        place = _talk_place(talk)
        if place:
            spellings_by_place.setdefault(place.casefold(), []).append(place)
    ranked = sorted(
        spellings_by_place.values(),
        key=lambda spellings: (-len(spellings), translations.alphabetical_key(spellings[0])),
    )
    counts = [(spellings[0], len(spellings)) for spellings in ranked]
    count_without_place = sum(not _talk_place(talk) for talk in talks)
    note = translations.format_labelled(translations["figure_nowhere"], str(count_without_place))
    return Figure(
        name="talks",
        title=translations["figure_talks"],
        head=(translations["column_place"], translations["section_talks"]),
        rows=tuple((place, str(count)) for place, count in counts),
        bars=tuple((count,) for _, count in counts),
        notes=(note,) if count_without_place else (),
        limit=limit,
    )


def _talk_place(talk: Talk) -> str:
    return " ".join(plain_text(talk.place or talk.event).split())
