"""The charts of a statistics section: publications by year and type, citations, co-authors, talks by place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import plain_text
from tenure.model.citation_counts import Work, calculate_h_index, sum_by_year
from tenure.model.collaborators import Collaborator, find_collaborators
from tenure.model.entries import Publication, Talk
from tenure.model.overlays import Coauthor
from tenure.model.translations import Translations
from tenure.plan.charts import MAX_TONES, Chart, make_bar_chart, make_column_chart
from tenure.record import Record

MAX_BARS = 15
"""Default for the maximum number of bars in a chart."""

DESCRIBED_ROWS = 3
"""Number of table rows that the description of a chart repeats."""


class Figure(Record, kw_only=True):
    """
    A chart with its table: `head` names the columns, `rows` are text.

    `key` has the labels of the shades in order, if there are several; `notes` explain how to read the chart; `links` are
    the URLs of the rows, "" if unknown.
    """

    name: str
    title: str
    description: str
    drawing: Chart
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

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
    """The charts that have data; `limit` is the maximum number of people and places, 0 for the default."""
    if any(publication.date and publication.date.year for publication in publications):
        yield chart_publications_by_year(translations, publications)
    collaborators = find_collaborators(publications, coauthors)
    if len(collaborators) > 1:
        yield chart_coauthors(translations, collaborators, limit or MAX_BARS)
    if any(_talk_place(talk) for talk in talks):
        yield chart_talks_by_place(translations, talks, limit or MAX_BARS)


def chart_publications_by_year(translations: Translations, publications: Sequence[Publication]) -> Figure:
    """Publications by year and type; the most frequent types have a shade each, undated publications a table row."""
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
    first, last = str(min(counts)), str(max(counts))
    year_range = translations["date_period"].format(start=first, end=last) if first != last else first
    largest_years = sorted(totals, key=lambda year: (-totals[year], -year))[:DESCRIBED_ROWS]
    described_rows = [
        f"{translations.format_labelled(str(year), str(totals[year]))}" for year in largest_years
    ]
    return Figure(
        name="papers",
        title=translations["figure_papers"],
        description=translations["comma"].join(
            [translations.format_count("filter_all", len(publications)), year_range]
        )
        + f". {_join_described_rows(translations, described_rows, len(totals))}",
        drawing=make_column_chart(stacks),
        head=(
            translations["column_year"],
            *(type_names if len(type_names) > 1 else ()),
            translations["column_total"],
        ),
        rows=tuple(rows),
        key=type_names if len(type_names) > 1 else (),
        notes=(translations.format_labelled(translations["undated"], str(undated.total())),)
        if undated
        else (),
    )


def chart_citations(translations: Translations, works: Sequence[Work]) -> Figure:
    """Citations by year; the total and the h-index are in the notes and the last rows. Without years, two bars."""
    sums = sum_by_year(works)
    totals = [
        (translations["column_total"], sum(work.citations for work in works)),
        (translations["h_index"], calculate_h_index(works)),
    ]
    total_lines = [translations.format_labelled(label, str(count)) for label, count in totals]
    years = [(str(year), count) for year, count in sorted(sums.items(), reverse=True)]
    return Figure(
        name="citations",
        title=translations["figure_citations" if years else "citations"],
        description=_describe_counts(translations, years or totals),
        drawing=make_column_chart({year: (count,) for year, count in sums.items()})
        if any(sums.values())
        else make_bar_chart(totals),
        head=(translations["column_year"] if years else "", translations["citations"]),
        rows=tuple((label, str(count)) for label, count in (*years, *totals)),
        notes=(translations["semicolon"].join(total_lines),),
    )


def _shown_types(translations: Translations, counters: Iterable[Counter[str]]) -> tuple[str, ...]:
    """The types by frequency, with the last ones combined if there are more than TONES."""
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


def chart_coauthors(translations: Translations, collaborators: Sequence[Collaborator], limit: int) -> Figure:
    """Co-authors by the number of joint publications; the table lists all."""
    ranked = sorted(
        collaborators,
        key=lambda collaborator: (
            -len(collaborator.publications),
            translations.alphabetical_key(collaborator.name.inverted_name),
        ),
    )
    counts = [(collaborator.name.full_name, len(collaborator.publications)) for collaborator in ranked]
    omitted_count = max(len(counts) - limit, 0)
    return Figure(
        name="coauthors",
        title=translations["figure_coauthors"],
        description=_describe_counts(translations, counts),
        drawing=make_bar_chart(counts[:limit]),
        head=(translations["column_name"], translations["years"], translations["column_joint"]),
        rows=tuple(
            (name, _format_years(translations, collaborator.publications), str(count))
            for collaborator, (name, count) in zip(ranked, counts, strict=True)
        ),
        links=tuple(collaborator.record.url if collaborator.record else "" for collaborator in ranked),
        notes=(_omitted_note(translations, omitted_count),) if omitted_count else (),
    )


def _format_years(translations: Translations, publications: Iterable[Publication]) -> str:
    """The range of publication years: "2021 – 2025"."""
    years = sorted(
        {publication.date.year for publication in publications if publication.date and publication.date.year}
    )
    if len(years) < 2:
        return str(years[0]) if years else ""
    return translations["date_period"].format(start=years[0], end=years[-1])


def chart_talks_by_place(translations: Translations, talks: Sequence[Talk], limit: int) -> Figure:
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
    count_without_place, omitted_count = (
        sum(not _talk_place(talk) for talk in talks),
        max(len(counts) - limit, 0),
    )
    missing_place_note = translations.format_labelled(
        translations["figure_nowhere"], str(count_without_place)
    )
    return Figure(
        name="talks",
        title=translations["figure_talks"],
        description=_describe_counts(translations, counts),
        drawing=make_bar_chart(counts[:limit]),
        head=(translations["column_place"], translations["section_talks"]),
        rows=tuple((place, str(count)) for place, count in counts),
        notes=(
            *([missing_place_note] if count_without_place else ()),
            *([_omitted_note(translations, omitted_count)] if omitted_count else ()),
        ),
    )


def _talk_place(talk: Talk) -> str:
    return " ".join(plain_text(talk.place or talk.event).split())


def _describe_counts(translations: Translations, counts: Sequence[tuple[str, int]]) -> str:
    described_rows = [
        translations.format_labelled(name, str(count)) for name, count in counts[:DESCRIBED_ROWS]
    ]
    return _join_described_rows(translations, described_rows, len(counts))


def _join_described_rows(translations: Translations, described_rows: Sequence[str], total: int) -> str:
    """The first rows of a table as text, with a sign if there are more."""
    return translations["semicolon"].join(described_rows) + (
        f"{translations['semicolon']}…" if total > len(described_rows) else "."
    )


def _omitted_note(translations: Translations, count: int) -> str:
    return translations["figure_rest"].format(total=count)
