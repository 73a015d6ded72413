"""Written values can be read again, and a folder contains the last published files."""

import tempfile
from pathlib import Path

from conftest import read_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from tenure.model.colors import MIN_CONTRAST, lighten_color, lowest_contrast
from tenure.model.dates import MONTH_NAMES, Date, Period, days_in_month
from tenure.model.names import Name, name_match_key
from tenure.publish import MANIFEST_NAME, Artifact, publish_artifacts
from tenure.sources.publications.author_names import parse_authors

quick = settings(max_examples=100)

WORDS = {
    **{f"month_short_{n}": name.capitalize()[:3] for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"month_long_{n}": name.capitalize() for n, name in enumerate(MONTH_NAMES, 1)},
    "date_day": "{day} {month} {year}",
    "date_month": "{month} {year}",
    "date_year": "{year}",
    "date_season": "{season} {year}",
    "date_period": "{start} – {end}",
    "date_approximate": "~{date}",
    "date_expected": "{date} (expected)",
    "present": "Present",
}


@st.composite
def draw_date(draw: st.DrawFn) -> Date:
    """Draw a date of any precision; an expected one is written without the sign of an approximate one."""
    year = draw(st.integers(1000, 2999))
    month = draw(st.none() | st.integers(1, 12))
    day = draw(st.none() | st.integers(1, days_in_month(year, month))) if month else None
    season = "" if month else draw(st.sampled_from(["", "winter", "spring", "summer", "fall", "michaelmas"]))
    is_approximate, is_expected = draw(st.sampled_from([(False, False), (True, False), (False, True)]))
    return Date(year, month, day, season, approximate=is_approximate, expected=is_expected)


@quick
@given(draw_date(), st.sampled_from(["short", "long"]))
def test_a_date_written_is_read_again(date: Date, form: str) -> None:
    assert Date.parse(date.format_text(WORDS, form)) == date


@quick
@given(draw_date())
def test_a_date_in_digits_is_read_again(date: Date) -> None:
    assert Date.parse(date.iso) == Date(date.year, date.month, date.day)


@quick
@given(draw_date(), draw_date(), st.booleans(), st.sampled_from(["short", "long"]))
def test_a_period_written_is_read_again(start: Date, end: Date, ongoing: bool, form: str) -> None:
    # an expected start has not come yet, so that nothing goes on
    is_ongoing = ongoing and not start.expected
    period = Period(start, ongoing=True) if is_ongoing else Period(start, end)
    if period.has_end_before_start:
        period = Period(end, start)
    if period.start == period.end:
        period = Period(start)  # equal dates are written once
    assert Period.parse(period.format_text(WORDS, form)) == period


@quick
@given(draw_date(), draw_date())
def test_a_period_does_not_end_before_it_starts(start: Date, end: Date) -> None:
    assert not (Period(start, end).has_end_before_start and Period(end, start).has_end_before_start)


words = st.text("abcdeéßøłžABÉÜ", min_size=1, max_size=6).map(str.capitalize)


@quick
@given(st.lists(words, min_size=1, max_size=3), words)
def test_a_name_is_one_name_in_either_order(given_names: list[str], family: str) -> None:
    name = Name(" ".join(given_names), "", family)
    assert Name.parse(name.full_name) == Name.parse(name.inverted_name) == name
    both = parse_authors(f"{name.full_name} and {name.inverted_name}")
    assert [author.name for author in both.authors.people] == [name, name]
    assert name_match_key(Name.parse(name.full_name.upper())) == name_match_key(
        Name.parse(name.inverted_name)
    )


paths = st.sampled_from("a.html|B.html|b.css|x/a.html|x/y/a.html|x/y/z.pdf|é.txt|w/a: b".split("|"))
own_files = st.sets(st.sampled_from("own.txt x/own.txt x/y/own.txt".split()))
contents = st.dictionaries(paths, st.binary(max_size=3))


@settings(quick, max_examples=40)
@given(st.lists(contents, min_size=1, max_size=5), own_files)
def test_a_folder_contains_the_last_published_files(runs: list[dict[str, bytes]], own: set[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in own:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(b"own")
        for run in runs:
            publish_artifacts([Artifact(path, body) for path, body in run.items()], folder)
        actual = read_folder(folder)
        actual.pop(MANIFEST_NAME)
        assert actual == runs[-1] | dict.fromkeys(own, b"own")
        again = publish_artifacts([Artifact(path, body) for path, body in runs[-1].items()], folder)
        assert (again.written, again.removed) == ((), ())


DARK_GROUNDS = ("#16181b", "#1e2125")


@given(st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}"))
def test_a_color_for_dark_pages_has_enough_contrast(colour: str) -> None:
    near = lighten_color(colour, DARK_GROUNDS, 0.1)
    assert lowest_contrast(near, DARK_GROUNDS, 0.1) >= MIN_CONTRAST
    assert (near == colour) == (lowest_contrast(colour, DARK_GROUNDS, 0.1) >= MIN_CONTRAST)
