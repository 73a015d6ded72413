"""Dates as scholars write them: how they are read, refused, formatted and sorted."""

from collections.abc import Iterator

import pytest

from tenure.model.dates import MONTH_NAMES, Date, Period, parse_date, parse_period

WORDS = {
    **{f"month_short_{n}": name.capitalize()[:3] for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"month_long_{n}": name.capitalize() for n, name in enumerate(MONTH_NAMES, 1)},
    "season_fall": "Autumn",
    "date_year": "{year}",
    "date_day": "{day} {month} {year}",
    "date_month": "{month} {year}",
    "date_season": "{season} {year}",
    "date_period": "{start} – {end}",
    "date_until": "until {date}",
    "date_approximate": "~{date}",
    "date_expected": "{date} (expected)",
    "present": "Present",
}


DATES = """
    2024 = 2024
    1899 = 1899
    2024-09 = 2024-09 | 2024/9 | september 2024 | Sep, 2024 | 2024 Sep | 2024, September | Sep ’24 | [Sep 2024]
    2022-09 = 2022.09 | Sep 2022
    2022-10 = 2022.10
    2024-09-15 = 2024-09-15 | 2024.09.15 | 20240915 | 15 Sep 2024 | 15. September 2024 | 15-Sep-2024 | 2024 September 15 | Sep 15, 2024 | 2024-09-15T10:00:00Z
    2024-09-05 = 2024/9/5
    2025 = '25
    fall 1998 = Fall '98
    2021-09 = Sept. 2021 | settembre 2021
    2024-12 = DEC. 2024
    2024-05 = May'24 | Mai 2024
    2024-05-01 = 1st of May 2024 | 1er mai 2024
    spring 2024 = 2024年春季学期 | Sp’24 | Spring semester 2024
    2027-05 expected = Expected graduation: May 2027 | May 2027 (expected) | expected May 2027 | May 2027, anticipated
    2026-06 expected = 预计2026年6月
    2024-09-03 = September 3rd 2024
    fall 2023 = Fall 2023 | autumn 2023 | Fa'23 | Herbst 2023 | Fall 23
    spring 2023 = 2023 Spring
    summer 2024 = Su 2024
    winter 2022 = Winter '22
    michaelmas 1939 = Michaelmas 1939
    hilary 2020 = Hilary 2020
    trinity 2020 = Trinity 2020
    lent 2020 = Lent 2020
    easter 2020 = Easter 2020
    ~2027 = ~2027
    ~1990 = c. 1990 | circa 1990 | about 1990
    ~1990-05 = ca. May 1990
    ~2027-05 expected = ~May 2027 (expected)
    20xx = 20xx
    20xx.xx = 20xx.xx
    201? = 201?
    ~20XX expected = ~20XX (expected)
    2019-10 = 10/2019
    2024-09-29 = 29.09.2024
    2024-05-04 = 04.05.2024
    2024-05-13 = 05/13/2024 | 13/05/2024 | 13 May 2024, 14:00 | Monday, 13 May 2024
    2024-05-05 = 05/05/2024
    2016-09 = 2016年9月
    2024-05-10 = 2024年5月10日
    2024-05-15 = 15. Mai 2024 | 15 de mayo de 2024
    2020-03 = março de 2020
    2020-05 = mei 2020
    2020-09-01 = 1 сентября 2020 г.
    2025-01-05 = 2025-01-05 10:00:00 +0100
    2015-10-22 = 2015-10-22 15:59:00-0400
    winter_term 2023 = WS 2023/24 | WiSe 2023/24 | WS23/24 | Wintersemester 2023/2024 | Winter 2023/24
    2005-01 = يناير 2005
    2020-08-12 = 12 أغسطس 2020
    2015-10 = אוקטובר 2015
    summer_term 2024 = SoSe 2024
    summer_term 2020 = SS 2020
    winter 2024 = Winter quarter 2024
"""
"""Each date with the texts that mean it. With dots, the day is first; with slashes only if the month is impossible."""

PERIODS = """
    2018 – 2021 = 2018 - 2021 | 2018-2021 | 2018–2021 | 2018 — 2021 | 2018--2021 | 2018/2021 | 2018 to 2021 | 2018 until 2021 | 2018-21
    2016-09 – 2020-06 = 2016年9月 - 2020年6月
    2021-09 – now = 2021年9月至今 | Sep 2021 - present | 2021-09 to date
    2019-10 – now = 10/2019 - heute
    2018-12 – now = dic. 2018 – actual
    2019-10-01 – 2021-09-30 = 01.10.2019 – 30.09.2021
    2019-10 – 2021-09 = Okt. 2019 bis Sept. 2021
    2024-05-13 – 2024-05-15 = May 13-15, 2024 | 13.-15. Mai 2024
    2020 – now = since 2020
     – 2024 = until 2024
    winter_term 2022 – summer_term 2024 = WS 2022/23 - SS 2024
    2021 – 2022 = 2021/22
    2021-09 – 2024-06 = Sep 2021 - Jun 2024 | 2021.09-2024.06 | 2021-09 – 2024-06
    2020-09-01 – 2020-10-02 = 2020-09-01/2020-10-02
    2023-09 – 2023-12 = Sep-Dec 2023
    2020-05 – 2020-06 = May/June 2020
    fall 2020 – spring 2021 = Fall 2020 - Spring 2021 | Fa'20-Sp'21
    2003-05 – 2026 = May 2003 – 2026
    2022-08 – ~2027-05 expected = Aug 2022 - ~May 2027 (expected)
    20xx – 2024 = 20xx - 2024
    2021 – now = 2021-now | 2021 – (ongoing) | 2021 - Present. | 2021 - | 2021–
    2022-09 – 2027-05 expected = Sep. 2022 – present (expected May 2027)
    2020-01 – 2021-02 = Jan 2020 – Feb 2021 · 1 yr 2 mos
    2024 – 2025 = academic year 2024-25
    2023-09-01 – 2026-08-31 = 09/01/2023 – 08/31/2026 | 01/09/2023 – 31/08/2026
    2021-06 – 2021-12 = 2021.06~2021.12
"""

NO_DATES = """
    tomorrow | present | Sep | 24 | 20245 | 0000 | 2024-00 | 2024-13 | 2024-04-31 | 2023-02-29 | 1900-02-29 | 31 Apr 2024
    Feb 30, 2024 | May 24 | 9/5/2024 | 04-05-2024 | 31.2.2024 | SS 2020/21 | Febuary 2024 | Se 2024 | Septober 2024 | Fall
    15 Fall 2024 | since 2020
"""
"""Texts that are no date, or that have two meanings: May or September, the day or the year."""


def split_table(table: str) -> Iterator[tuple[str, str]]:
    for row in table.strip().split("\n"):
        meaning, _, texts = row.partition(" = ")
        yield from ((text, meaning.strip()) for text in texts.split(" | "))


def describe_date(date: Date | None) -> str:
    if date is None:
        return ""
    text = " ".join(filter(None, (date.season, date.iso or date.text)))
    return f"{'~' * date.approximate}{text}{' expected' * date.expected}"


@pytest.mark.parametrize(("text", "meaning"), [*split_table(DATES)])
def test_dates_are_read(text: str, meaning: str) -> None:
    assert describe_date(parse_date(text)) == meaning
    assert Date.parse(f"  {text}\n ") == parse_date(text)
    assert parse_period(text) == Period(start=parse_date(text))


@pytest.mark.parametrize("text", ["", " ", *NO_DATES.replace("\n", " | ").strip(" |").split(" | ")])
def test_invalid_dates_are_refused(text: str) -> None:
    text = text.strip()
    assert parse_date(text) is None
    with pytest.raises(ValueError, match="write") as reported:
        Date.parse(text)
    message, hint = reported.value.args
    assert f"“{text}”" in message
    assert "Sep 2024" in hint


@pytest.mark.parametrize(("text", "meaning"), [*split_table(PERIODS)])
def test_periods_are_read(text: str, meaning: str) -> None:
    period = Period.parse(text)
    end = "now" if period.ongoing else describe_date(period.end)
    assert f"{describe_date(period.start)} – {end}".strip() == meaning


def test_a_month_is_preferred_to_a_second_year() -> None:
    assert parse_period("2011-12") == Period(Date(2011, 12))


@pytest.mark.parametrize("text", ["", "- 2020", "2020 - soon", "2018 - 18", "2020-20", "Sep 2021 - 24"])
def test_invalid_periods_are_refused(text: str) -> None:
    assert parse_period(text) is None
    with pytest.raises(ValueError, match="write"):
        Period.parse(text)


WRONG = "2024 - 2020 | Jun 2024 - Sep 2021 | Sep 2021 - Jun 2021 | 2021-09-15 - 2021-09-14 | Fall 2020 - Spring 2020"
RIGHT = (
    "2020 - 2020 | Sep 2021 - 2021 | 2021 - Jan 2021 | 2020-09-15 - 2020-10-03 | 20xx - 2024 | 2024 - 20xx"
    " | Fall 2020 - Winter 2020 | 2020 - present"
)


def test_a_period_that_ends_before_it_starts_is_refused() -> None:
    assert all(map(Period.parse, RIGHT.split(" | ")))
    for text in WRONG.split(" | "):
        with pytest.raises(ValueError, match="ends before it starts"):
            Period.parse(text)


@pytest.mark.parametrize(
    ("text", "iso"),
    [("2024", "2024"), ("0987", "0987"), ("Sep 2024", "2024-09"), ("5 Sep 2024", "2024-09-05"), ("20xx", "")],
)
def test_iso_is_as_exact_as_the_source(text: str, iso: str) -> None:
    assert Date.parse(text).iso == iso


@pytest.mark.parametrize("text", ["2024", "Fall 2024", "Michaelmas 2024", "20xx.09", "~2024 (expected)"])
def test_never_invents_a_month(text: str) -> None:
    date = Date.parse(text)
    assert date.month is None
    assert date.day is None
    assert "-" not in date.iso
    assert not any(month in date.format_text(WORDS, "long").casefold() for month in MONTH_NAMES)


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("2024", "2024", "2024"),
        ("2024-09", "Sep 2024", "September 2024"),
        ("2024-09-05", "5 Sep 2024", "5 September 2024"),
        ("Fa'23", "Autumn 2023", "Autumn 2023"),
        ("Michaelmas 1939", "Michaelmas 1939", "Michaelmas 1939"),
        ("~May 2027 (expected)", "May 2027 (expected)", "May 2027 (expected)"),
        ("c. 1990", "~1990", "~1990"),
        ("20xx.xx", "20xx.xx", "20xx.xx"),
        ("2021.09 - 2024.06", "Sep 2021 – Jun 2024", "September 2021 – June 2024"),
        ("2021-09 - present", "Sep 2021 – Present", "September 2021 – Present"),
    ],
)
def test_formatting(text: str, short: str, long: str) -> None:
    period = Period.parse(text)
    assert period.format_text(WORDS) == short
    assert period.format_text(WORDS, "long") == long


def test_a_period_without_start_says_until() -> None:
    assert Period(end=Date(2024, 9)).format_text(WORDS) == "until Sep 2024"
    assert Period().format_text(WORDS) == ""


def test_dates_are_in_chronological_order() -> None:
    written = (
        "2019 | 2020 | Winter 2020 | Feb 2020 | Spring 2020 | Summer 2020 | 2020-06-15 | Fall 2020 | 20xx"
    )
    orders = [Date.parse(text).sort_key for text in written.split(" | ")]
    assert orders == sorted(set(orders))


def test_ongoing_periods_sort_after_ended_periods() -> None:
    written = "2015 - 2018 | 2016 - 2018 | 2019 | 2010 - 2024 | 20xx | 2009 - present | 2011 - present"
    orders = [Period.parse(text).sort_key for text in written.split(" | ")]
    assert orders == sorted(set(orders))


def test_a_winter_term_is_written_with_both_its_years() -> None:
    assert Date(2023, season="winter_term").format_text(WORDS) == "Winter term 2023/24"
    assert Date(1999, season="winter_term").format_text(WORDS) == "Winter term 1999/00"
    assert Date(2024, season="summer_term").format_text(WORDS) == "Summer term 2024"
    assert Date(2023, season="winter_term").sort_key > Date(2023, season="summer_term").sort_key
