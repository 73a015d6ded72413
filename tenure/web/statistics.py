"""The charts of a statistics section: publications by year and type, co-authors, talks by place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from tenure.frozen import dataclass
from tenure.model.additions import Coauthor
from tenure.model.coauthors import Partner, partners
from tenure.model.names import Name, is_cjk
from tenure.model.scholar import Publication, Talk
from tenure.model.words import Words
from tenure.text import plain
from tenure.web.figures import TONES, Drawing, bars, circle, columns

MOST_PEOPLE = 30
"""Names around the circle; more make it unreadable."""

MOST_PLACES = 15
"""Maximum number of bars for places."""

TOLD = 3
"""Number of table rows that the description of a chart repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """
    A chart with its table: `head` names the columns, `rows` are text.

    `key` has the labels of the shades in order, if there are several; `notes` explain how to read the chart; `links` are
    the URLs of the rows, "" if unknown.
    """

    name: str
    title: str
    description: str
    drawing: Drawing
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    def told(self, words: Words) -> Iterator[tuple[str, str, str]]:
        """Each row as text: its subject, the columns between, and its last number."""
        for first, *between, last in self.rows:
            named = zip(self.head[1:-1], between, strict=True)
            said = [words.labelled(head, number) for head, number in named if number not in ("", "0")]
            yield first, words["comma"].join(said), last


def figures(
    words: Words, papers: Sequence[Publication], talks: Sequence[Talk], known: Iterable[Coauthor], limit: int
) -> Iterator[Figure]:
    """The charts that have data; `limit` is the maximum number of people and places, 0 for the default."""
    if any(paper.date and paper.date.year for paper in papers):
        yield by_year(words, papers)
    met = partners(papers, known)
    if len(met) > 1:
        yield network(words, met, limit or MOST_PEOPLE)
    if any(_place(talk) for talk in talks):
        yield by_place(words, talks, limit or MOST_PLACES)


def by_year(words: Words, papers: Sequence[Publication]) -> Figure:
    """Publications by year and type; the most frequent types have a shade each, undated publications a table row."""
    counts: dict[int, Counter[str]] = {}
    undated: Counter[str] = Counter()
    for paper in papers:
        kind = words.get(f"kind_{paper.kind}", paper.kind)
        year = paper.date.year if paper.date else None
        (undated if year is None else counts.setdefault(year, Counter()))[kind] += 1
    kinds = _kinds(words, [*counts.values(), undated])
    stacks = {year: _stack(found, kinds) for year, found in counts.items()}
    total = {year: sum(stack) for year, stack in stacks.items()}
    lines = [(str(year), *map(str, stacks[year]), str(total[year])) for year in sorted(stacks, reverse=True)]
    if undated:
        lines.append((words["undated"], *map(str, _stack(undated, kinds)), str(undated.total())))
    if len(kinds) == 1:
        lines = [(line[0], line[-1]) for line in lines]
    first, last = str(min(counts)), str(max(counts))
    when = words["date_period"].format(start=first, end=last) if first != last else first
    fullest = sorted(total, key=lambda year: (-total[year], -year))[:TOLD]
    told = [f"{words.labelled(str(year), str(total[year]))}" for year in fullest]
    return Figure(
        name="papers",
        title=words["figure_papers"],
        description=words["comma"].join([words.counted("filter_all", len(papers)), when])
        + f". {_and_so_on(words, told, len(total))}",
        drawing=columns(stacks),
        head=(words["column_year"], *(kinds if len(kinds) > 1 else ()), words["column_total"]),
        rows=tuple(lines),
        key=kinds if len(kinds) > 1 else (),
        notes=(words.labelled(words["undated"], str(undated.total())),) if undated else (),
    )


def _kinds(words: Words, found: Iterable[Counter[str]]) -> tuple[str, ...]:
    """The types by frequency, with the last ones combined if there are more than TONES."""
    total = sum(found, Counter[str]())
    names = sorted(total, key=lambda kind: (-total[kind], words.order(kind)))
    return tuple(names) if len(names) <= TONES else (*names[: TONES - 1], words["figure_other"])


def _stack(found: Mapping[str, int], kinds: Sequence[str]) -> tuple[int, ...]:
    """The number of publications of each type; the last number is that of all other types."""
    named = [found.get(kind, 0) for kind in kinds[:-1]]
    return (*named, sum(found.values()) - sum(named))


def network(words: Words, met: Sequence[Partner], limit: int) -> Figure:
    """
    Co-authors around a circle, ordered by first joint publication, connected if they share a publication.

    If there are too many, those with the most joint publications are shown; the table lists all.
    """
    ranked = sorted(met, key=lambda one: (-len(one.papers), words.order(one.name.inverted)))
    shown = sorted(ranked[:limit], key=lambda one: (min(map(_order, one.papers)), met.index(one)))
    works = [{paper.key for paper in one.papers} for one in shown]
    pairs = combinations(range(len(shown)), 2)
    ties = {(a, b): len(both) for a, b in pairs if (both := works[a] & works[b])}
    told = [words.labelled(one.name.full, str(len(one.papers))) for one in ranked[:TOLD]]
    rest = len(ranked) - len(shown)
    return Figure(
        name="coauthors",
        title=words["figure_coauthors"],
        description=_and_so_on(words, told, len(ranked)),
        drawing=circle(_shortened([one.name for one in shown]), [len(one.papers) for one in shown], ties),
        head=(words["column_name"], words["years"], words["column_joint"]),
        rows=tuple((one.name.full, _years(words, one.papers), str(len(one.papers))) for one in ranked),
        links=tuple(one.known.url if one.known else "" for one in ranked),
        notes=(words["figure_network"], *([_rest(words, rest)] if rest else ())),
    )


def _order(paper: Publication) -> tuple[int, int, int]:
    return paper.date.order if paper.date else (9999, 99, 99)


def _years(words: Words, papers: Iterable[Publication]) -> str:
    """The range of publication years: "2021 – 2025"."""
    found = sorted({paper.date.year for paper in papers if paper.date and paper.date.year})
    if len(found) < 2:
        return str(found[0]) if found else ""
    return words["date_period"].format(start=found[0], end=found[-1])


def _shortened(names: Sequence[Name]) -> list[str]:
    """Names with initials, "R. Netravali", in full if two would look the same."""
    short = [_initials(name) for name in names]
    alike = Counter(short)
    return [name.full if alike[one] > 1 else one for name, one in zip(names, short, strict=True)]


def _initials(name: Name) -> str:
    if not name.given or is_cjk(name.family + name.given):
        return name.full
    return " ".join(part for part in (f"{name.given[0]}.", name.von, name.family) if part)


def by_place(words: Words, talks: Sequence[Talk], limit: int) -> Figure:
    """Talks by place, or by event if the place is unknown."""
    found: dict[str, list[str]] = {}
    for talk in talks:
        place = _place(talk)
        if place:
            found.setdefault(place.casefold(), []).append(place)
    ranked = sorted(found.values(), key=lambda same: (-len(same), words.order(same[0])))
    counts = [(same[0], len(same)) for same in ranked]
    left, rest = sum(not _place(talk) for talk in talks), max(len(counts) - limit, 0)
    told = [words.labelled(place, str(count)) for place, count in counts[:TOLD]]
    nowhere = words.labelled(words["figure_nowhere"], str(left))
    return Figure(
        name="talks",
        title=words["figure_talks"],
        description=_and_so_on(words, told, len(counts)),
        drawing=bars(counts[:limit]),
        head=(words["column_place"], words["section_talks"]),
        rows=tuple((place, str(count)) for place, count in counts),
        notes=(*([nowhere] if left else ()), *([_rest(words, rest)] if rest else ())),
    )


def _place(talk: Talk) -> str:
    return " ".join(plain(talk.place or talk.event).split())


def _and_so_on(words: Words, told: Sequence[str], total: int) -> str:
    """The first rows of a table as text, with a sign if there are more."""
    return words["semicolon"].join(told) + (f"{words['semicolon']}…" if total > len(told) else ".")


def _rest(words: Words, rest: int) -> str:
    return words["figure_rest"].format(total=rest)
