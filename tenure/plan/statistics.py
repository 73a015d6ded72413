"""The charts of a statistics section (publications by year and type, citations, co-authors, talks by place), and their geometry."""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import plain_text
from tenure.model.collaborators import Collaborator, find_collaborators
from tenure.model.entries import Publication, Talk
from tenure.model.overlays import Coauthor, Work, calculate_h_index, sum_by_year
from tenure.model.translations import Translations
from tenure.record import Record

CHART_WIDTH = 320
"""Width of a chart in units: as many as the narrowest page has pixels, so that its text can be read there."""

MAX_LETTER_WIDTH = 5.9
"""Maximum width of a letter in units, averaged over a name, in the font size of a chart."""

MAX_TONES = 5
"""Number of shades that a reader can distinguish in one chart."""


class Bar(Record):
    """A rectangle; `tone` is its shade, 0 is the strongest."""

    x: float
    y: float
    width: float
    height: float
    tone: int = 0


class TextLabel(Record):
    """A text; `anchor` is the part of it at the point: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    anchor: str = "start"


class Chart(Record):
    """
    Shapes on an area of CHART_WIDTH by `height` units; drawn in the order lines, bars, labels.

    `lines` are the SVG paths of a scale.
    """

    height: float
    lines: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    labels: tuple[TextLabel, ...] = ()

    @property
    def width(self) -> int:
        return CHART_WIDTH


MAX_COLUMN_HEIGHT = 130
"""Height of the area for columns, in units."""

SCALE_WIDTH = 30
"""Width at the left for the numbers of the scale, in units."""


def make_column_chart(counts: Mapping[int, Sequence[int]]) -> Chart:
    """
    A column for each year from the first to the last, including years without a count.

    The counts of a year are stacked, the first at the bottom, each in its own shade; at most MAX_TONES counts.
    """
    first, last = min(counts), max(counts)
    max_count = max(sum(year_counts) for year_counts in counts.values())
    step = _choose_step(max_count, 4)
    scale_end = math.ceil(max_count / step) * step
    unit_height, column_pitch = (
        MAX_COLUMN_HEIGHT / scale_end,
        (CHART_WIDTH - SCALE_WIDTH) / (last - first + 1),
    )
    bars: list[Bar] = []
    for year, year_counts in sorted(counts.items()):
        column_start, bottom = SCALE_WIDTH + (year - first) * column_pitch, 10.0 + MAX_COLUMN_HEIGHT
        for tone, count in enumerate(year_counts):
            if count:
                height = count * unit_height
                bottom -= height
                bar_width = min(column_pitch * 0.76, 34)
                bars.append(
                    _make_bar(column_start + (column_pitch - bar_width) / 2, bottom, bar_width, height, tone)
                )
    scale_lines = [
        (number, round(10 + MAX_COLUMN_HEIGHT - number * unit_height, 1))
        for number in range(0, scale_end + 1, step)
    ]
    year_step = _choose_step(last - first + 1, int((CHART_WIDTH - SCALE_WIDTH) / 34))
    labelled_years = [year for year in range(first, last + 1) if year % year_step == 0] or [first]
    label_centers = [
        min(SCALE_WIDTH + (year - first + 0.5) * column_pitch, CHART_WIDTH - measure_text(str(year)) / 2)
        for year in labelled_years
    ]
    years = [
        TextLabel(round(x, 1), MAX_COLUMN_HEIGHT + 24, str(y), "middle")
        for x, y in zip(label_centers, labelled_years, strict=True)
    ]
    return Chart(
        height=MAX_COLUMN_HEIGHT + 30,
        lines=tuple(f"M{SCALE_WIDTH} {y}H{CHART_WIDTH}" for _, y in scale_lines),
        bars=tuple(bars),
        labels=(
            *(TextLabel(SCALE_WIDTH - 5, y + 3.5, str(number), "end") for number, y in scale_lines),
            *years,
        ),
    )


def _choose_step(max_count: int, max_steps: int) -> int:
    """The smallest round number (1, 2 or 5 times a power of ten) with at most `max_steps` steps to `max_count`."""
    sizes = (digit * int(10**power) for power in range(9) for digit in (1, 2, 5))
    return next(size for size in sizes if max_count <= size * max_steps)


def _make_bar(x: float, y: float, width: float, height: float, tone: int) -> Bar:
    return Bar(round(x, 1), round(y, 1), round(width, 1), round(height, 1), tone)


BAR_ROW_HEIGHT = 22
"""Vertical distance between two bars, in units."""

BACKGROUND_TONE = 3
"""A shade that is light enough for text on it."""


def make_bar_chart(counts: Sequence[tuple[str, int]]) -> Chart:
    """A bar for each name, after the name, with a length proportional to its count; the count is at the right."""
    max_count = max(count for _, count in counts)
    bar_shapes: list[Bar] = []
    labels: list[TextLabel] = []
    for row, (name, count) in enumerate(counts):
        top, width = row * BAR_ROW_HEIGHT + 2, (CHART_WIDTH - 2) * count / max_count
        bar_shapes.append(_make_bar(1, top, width, BAR_ROW_HEIGHT - 4, BACKGROUND_TONE))
        labels.append(TextLabel(7, row * BAR_ROW_HEIGHT + 14.5, truncate_to_width(name, CHART_WIDTH - 40)))
        labels.append(TextLabel(CHART_WIDTH - 7, row * BAR_ROW_HEIGHT + 14.5, str(count), "end"))
    return Chart(height=len(counts) * BAR_ROW_HEIGHT, bars=tuple(bar_shapes), labels=tuple(labels))


def truncate_to_width(text: str, max_width: float) -> str:
    """The text, shortened with "…" if it is wider than `max_width` units."""
    if measure_text(text) <= max_width:
        return text
    end = len(text)
    while end > 1 and measure_text(text[:end].rstrip() + "…") > max_width:
        end -= 1
    return text[:end].rstrip() + "…"


def measure_text(text: str) -> float:
    """Maximum width of a text in units; a Chinese or Japanese character counts as two letters."""
    characters = [c for c in text if not unicodedata.combining(c)]
    return MAX_LETTER_WIDTH * sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in characters)


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
    described_rows = [translations.format_labelled(str(year), str(totals[year])) for year in largest_years]
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
        notes=_omitted_notes(translations, len(counts) - limit),
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
    count_without_place = sum(not _talk_place(talk) for talk in talks)
    notes = _omitted_notes(translations, len(counts) - limit)
    if count_without_place:
        label = translations["figure_nowhere"]
        notes = (translations.format_labelled(label, str(count_without_place)), *notes)
    return Figure(
        name="talks",
        title=translations["figure_talks"],
        description=_describe_counts(translations, counts),
        drawing=make_bar_chart(counts[:limit]),
        head=(translations["column_place"], translations["section_talks"]),
        rows=tuple((place, str(count)) for place, count in counts),
        notes=notes,
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


def _omitted_notes(translations: Translations, count: int) -> tuple[str, ...]:
    return (translations["figure_rest"].format(total=count),) if count > 0 else ()
