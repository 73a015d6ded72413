"""Charts: their shapes have the sizes of the numbers, and no shape covers another."""

from hypothesis import given
from hypothesis import strategies as st

from tenure.plan.statistics import (
    CHART_WIDTH,
    MAX_COLUMN_HEIGHT,
    MAX_TONES,
    Chart,
    TextLabel,
    make_bar_chart,
    make_column_chart,
    measure_text,
    truncate_to_width,
)

NAMES = st.text(st.characters(categories=["L", "Zs", "P"]), min_size=1, max_size=60)
COUNTS = st.dictionaries(
    st.integers(1850, 2100),
    st.lists(st.integers(0, 300), min_size=3, max_size=MAX_TONES).filter(any).map(lambda parts: parts[:3]),
    min_size=1,
).filter(lambda counts: all(map(any, counts.values())))


def label_extent(label: TextLabel) -> tuple[float, float]:
    """Return the left and the right end of a label."""
    wide = measure_text(label.text)
    start = label.x - {"start": 0, "middle": wide / 2, "end": wide}[label.anchor]
    return start, start + wide


def overlapping_labels(labels: list[TextLabel]) -> list[tuple[str, str]]:
    """Return pairs of overlapping labels, assuming letters that are LETTER wide and ten units high."""
    results = []
    for position, label in enumerate(labels):
        for other in labels[position + 1 :]:
            (a, b), (c, d) = label_extent(label), label_extent(other)
            if abs(label.y - other.y) < 10 and a < d and c < b:
                results.append((label.text, other.text))
    return results


def shapes_outside(drawing: Chart) -> list[object]:
    """Return the shapes that cross the edge by more than half a unit, which may be a rounding error."""
    labels = [
        label
        for label in drawing.labels
        if label_extent(label)[0] < -0.5 or label_extent(label)[1] > CHART_WIDTH + 0.5 or label.y < 7
    ]
    low = [label for label in drawing.labels if label.y > drawing.height]
    rects = [
        b
        for b in drawing.bars
        if b.x < 0 or b.x + b.width > CHART_WIDTH + 0.5 or b.y + b.height > drawing.height
    ]
    return [*labels, *low, *rects]


@given(COUNTS)
def test_columns_have_the_height_of_their_counts(counts: dict[int, list[int]]) -> None:
    drawing = make_column_chart(counts)
    assert drawing == make_column_chart(dict(reversed([*counts.items()])))
    assert shapes_outside(drawing) == []
    assert overlapping_labels([*drawing.labels]) == []
    scale = [label for label in drawing.labels if label.anchor == "end"]
    top = int(scale[-1].text)
    assert scale[0].text == "0"
    assert len(scale) <= 6
    assert top >= max(map(sum, counts.values()))
    expected = [
        (tone, count) for _, parts in sorted(counts.items()) for tone, count in enumerate(parts) if count
    ]
    assert [(bar.tone, round(bar.height * top / MAX_COLUMN_HEIGHT)) for bar in drawing.bars] == expected
    assert [label.text for label in drawing.labels if label.anchor == "middle"]


def test_years_without_entries_have_their_column() -> None:
    drawing = make_column_chart({2020: [1], 2022: [2], 2023: [0, 3]})
    first, second, third = drawing.bars
    assert round((second.x - first.x) / (third.x - second.x)) == 2
    assert [label.text for label in drawing.labels if label.anchor == "middle"] == [
        "2020", "2021", "2022", "2023",
    ]  # fmt: skip


@given(st.lists(st.tuples(NAMES, st.integers(1, 400)), min_size=1, max_size=40))
def test_bars_have_the_length_of_their_counts(counts: list[tuple[str, int]]) -> None:
    drawing = make_bar_chart(counts)
    assert shapes_outside(drawing) == []
    assert overlapping_labels([*drawing.labels]) == []
    most = max(count for _, count in counts)
    assert [round(bar.width * most / (CHART_WIDTH - 2)) for bar in drawing.bars] == [
        count for _, count in counts
    ]
    assert [label.text for label in drawing.labels if label.anchor == "end"] == [str(c) for _, c in counts]


def test_shortened_labels_end_with_an_ellipsis() -> None:
    assert truncate_to_width("G. Ananthanarayanan", 200) == "G. Ananthanarayanan"
    assert truncate_to_width("G. Ananthanarayanan", 90) == "G. Ananthanara…"
    assert truncate_to_width("分散合意アルゴリズム", 90) == "分散合意アルゴ…"
    assert measure_text("e\u0301") == measure_text("é")
