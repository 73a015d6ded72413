"""Dates as scholars write them: how they are read, refused, formatted and sorted."""

import pytest

from tenure.model.dates import (
    MONTH_NAMES,
    Date,
    Period,
    days_in_month,
    is_present_word,
    parse_date,
    parse_month_name,
    parse_period,
)

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


@pytest.mark.parametrize(
    ("text", "date"),
    [
        # years
        ("2024", Date(2024)),
        ("1899", Date(1899)),
        # months in digits; YAML reads the second and the third as numbers
        ("2024-09", Date(2024, 9)),
        ("2022.09", Date(2022, 9)),
        ("2022.10", Date(2022, 10)),
        ("2024/9", Date(2024, 9)),
        # days in digits
        ("2024-09-15", Date(2024, 9, 15)),
        ("2024.09.15", Date(2024, 9, 15)),
        ("2024/9/5", Date(2024, 9, 5)),
        ("20240915", Date(2024, 9, 15)),
        # years of two digits
        ("'25", Date(2025)),
        ("Fall '98", Date(1998, season="fall")),
        # months in words
        ("Sep 2022", Date(2022, 9)),
        ("Sept. 2021", Date(2021, 9)),
        ("september 2024", Date(2024, 9)),
        ("DEC. 2024", Date(2024, 12)),
        ("Sep, 2024", Date(2024, 9)),
        ("2024 Sep", Date(2024, 9)),
        ("2024, September", Date(2024, 9)),
        ("May'24", Date(2024, 5)),
        ("Sep ’24", Date(2024, 9)),
        # days in words
        ("15 Sep 2024", Date(2024, 9, 15)),
        ("1st of May 2024", Date(2024, 5, 1)),
        ("15. September 2024", Date(2024, 9, 15)),
        ("15-Sep-2024", Date(2024, 9, 15)),
        ("2024 September 15", Date(2024, 9, 15)),
        ("Sept.~2024", Date(2024, 9)),
        # seasons in Chinese, brackets, other words for "expected"
        ("2024年春季学期", Date(2024, season="spring")),
        ("[Sep 2024]", Date(2024, 9)),
        ("Expected graduation: May 2027", Date(2027, 5, expected=True)),
        ("预计2026年6月", Date(2026, 6, expected=True)),
        ("Sep 15, 2024", Date(2024, 9, 15)),
        ("September 3rd 2024", Date(2024, 9, 3)),
        # seasons and terms
        ("Fall 2023", Date(2023, season="fall")),
        ("autumn 2023", Date(2023, season="fall")),
        ("2023 Spring", Date(2023, season="spring")),
        ("Fa'23", Date(2023, season="fall")),
        ("Sp’24", Date(2024, season="spring")),
        ("Su 2024", Date(2024, season="summer")),
        ("Winter '22", Date(2022, season="winter")),
        ("Michaelmas 1939", Date(1939, season="michaelmas")),
        ("Hilary 2020", Date(2020, season="hilary")),
        ("Trinity 2020", Date(2020, season="trinity")),
        ("Lent 2020", Date(2020, season="lent")),
        ("Easter 2020", Date(2020, season="easter")),
        # approximate and expected dates
        ("~2027", Date(2027, approximate=True)),
        ("c. 1990", Date(1990, approximate=True)),
        ("ca. May 1990", Date(1990, 5, approximate=True)),
        ("circa 1990", Date(1990, approximate=True)),
        ("about 1990", Date(1990, approximate=True)),
        ("May 2027 (expected)", Date(2027, 5, expected=True)),
        ("expected May 2027", Date(2027, 5, expected=True)),
        ("May 2027, anticipated", Date(2027, 5, expected=True)),
        ("~May 2027 (expected)", Date(2027, 5, approximate=True, expected=True)),
        # an unknown year keeps its text
        ("20xx", Date(None, text="20xx")),
        ("20xx.xx", Date(None, text="20xx.xx")),
        ("201?", Date(None, text="201?")),
        ("~20XX (expected)", Date(None, text="20XX", approximate=True, expected=True)),
        # formats of other countries: with dots the day is first, with slashes only if the month is impossible
        ("10/2019", Date(2019, 10)),
        ("29.09.2024", Date(2024, 9, 29)),
        ("04.05.2024", Date(2024, 5, 4)),
        ("05/13/2024", Date(2024, 5, 13)),
        ("13/05/2024", Date(2024, 5, 13)),
        ("05/05/2024", Date(2024, 5, 5)),
        ("2016年9月", Date(2016, 9)),
        ("2024年5月10日", Date(2024, 5, 10)),
        # other languages
        ("Mai 2024", Date(2024, 5)),
        ("15. Mai 2024", Date(2024, 5, 15)),
        ("1er mai 2024", Date(2024, 5, 1)),
        ("15 de mayo de 2024", Date(2024, 5, 15)),
        ("settembre 2021", Date(2021, 9)),
        ("março de 2020", Date(2020, 3)),
        ("mei 2020", Date(2020, 5)),
        ("1 сентября 2020 г.", Date(2020, 9, 1)),
        ("Herbst 2023", Date(2023, season="fall")),
        # a time of day, or a day of the week
        ("2025-01-05 10:00:00 +0100", Date(2025, 1, 5)),
        ("2015-10-22 15:59:00-0400", Date(2015, 10, 22)),
        ("2024-09-15T10:00:00Z", Date(2024, 9, 15)),
        ("13 May 2024, 14:00", Date(2024, 5, 13)),
        ("Monday, 13 May 2024", Date(2024, 5, 13)),
        # terms
        ("WS 2023/24", Date(2023, season="winter_term")),
        ("平成18年4月", Date(2006, 4)),
        ("令和元年", Date(2019)),
        ("昭和 63 年", Date(1988)),
        ("يناير 2005", Date(2005, 1)),
        ("12 أغسطس 2020", Date(2020, 8, 12)),
        ("אוקטובר 2015", Date(2015, 10)),
        ("WiSe 2023/24", Date(2023, season="winter_term")),
        ("WS23/24", Date(2023, season="winter_term")),
        ("Wintersemester 2023/2024", Date(2023, season="winter_term")),
        ("Winter 2023/24", Date(2023, season="winter_term")),
        ("SoSe 2024", Date(2024, season="summer_term")),
        ("SS 2020", Date(2020, season="summer_term")),
        ("Spring semester 2024", Date(2024, season="spring")),
        ("Winter quarter 2024", Date(2024, season="winter")),
        ("Fall 23", Date(2023, season="fall")),
        # white space has no meaning
        ("  Sep \n 2022 ", Date(2022, 9)),
    ],
)
def test_dates_are_read(text: str, date: Date) -> None:
    assert parse_date(text) == date
    assert Date.parse(text) == date
    assert parse_period(text) == Period(start=date)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "tomorrow",
        "present",
        "Sep",
        "24",
        "20245",
        "0000",
        "2024-00",
        "2024-13",
        "2024-04-31",
        "2023-02-29",
        "1900-02-29",
        "31 Apr 2024",
        "Feb 30, 2024",
        "May 24",  # the day or the year?
        "9/5/2024",  # May or September?
        "04-05-2024",
        "31.2.2024",
        "SS 2020/21",
        "Febuary 2024",
        "Se 2024",
        "Septober 2024",
        "Fall",
        "15 Fall 2024",
        "since 2020",
    ],
)
def test_invalid_dates_are_refused(text: str) -> None:
    assert parse_date(text) is None
    with pytest.raises(ValueError, match="write") as reported:
        Date.parse(text)
    message, hint = reported.value.args
    assert f"“{text}”" in message
    assert "Sep 2024" in hint


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2018 - 2021", Period(Date(2018), Date(2021))),
        ("2016年9月 - 2020年6月", Period(Date(2016, 9), Date(2020, 6))),
        ("2021年9月至今", Period(Date(2021, 9), ongoing=True)),
        ("10/2019 - heute", Period(Date(2019, 10), ongoing=True)),
        ("dic. 2018 – actual", Period(Date(2018, 12), ongoing=True)),
        ("01.10.2019 – 30.09.2021", Period(Date(2019, 10, 1), Date(2021, 9, 30))),
        ("Okt. 2019 bis Sept. 2021", Period(Date(2019, 10), Date(2021, 9))),
        ("May 13-15, 2024", Period(Date(2024, 5, 13), Date(2024, 5, 15))),
        ("13.-15. Mai 2024", Period(Date(2024, 5, 13), Date(2024, 5, 15))),
        ("since 2020", Period(Date(2020), ongoing=True)),
        ("until 2024", Period(end=Date(2024))),
        ("WS 2022/23 - SS 2024", Period(Date(2022, season="winter_term"), Date(2024, season="summer_term"))),
        ("2018-2021", Period(Date(2018), Date(2021))),
        ("2018–2021", Period(Date(2018), Date(2021))),
        ("2018 — 2021", Period(Date(2018), Date(2021))),
        ("2018--2021", Period(Date(2018), Date(2021))),
        ("2018/2021", Period(Date(2018), Date(2021))),
        ("2018 to 2021", Period(Date(2018), Date(2021))),
        ("2018 until 2021", Period(Date(2018), Date(2021))),
        ("2018-21", Period(Date(2018), Date(2021))),
        ("2021/22", Period(Date(2021), Date(2022))),
        ("Sep 2021 - Jun 2024", Period(Date(2021, 9), Date(2024, 6))),
        ("2021.09-2024.06", Period(Date(2021, 9), Date(2024, 6))),
        ("2021-09 – 2024-06", Period(Date(2021, 9), Date(2024, 6))),
        ("2020-09-01/2020-10-02", Period(Date(2020, 9, 1), Date(2020, 10, 2))),
        ("Sep-Dec 2023", Period(Date(2023, 9), Date(2023, 12))),
        ("May/June 2020", Period(Date(2020, 5), Date(2020, 6))),
        ("Fall 2020 - Spring 2021", Period(Date(2020, season="fall"), Date(2021, season="spring"))),
        ("Fa'20-Sp'21", Period(Date(2020, season="fall"), Date(2021, season="spring"))),
        ("May 2003 – 2026", Period(Date(2003, 5), Date(2026))),
        (
            "Aug 2022 - ~May 2027 (expected)",
            Period(Date(2022, 8), Date(2027, 5, approximate=True, expected=True)),
        ),
        ("20xx - 2024", Period(Date(None, text="20xx"), Date(2024))),
        ("Sep 2021 - present", Period(Date(2021, 9), ongoing=True)),
        ("2021-now", Period(Date(2021), ongoing=True)),
        ("2021-09 to date", Period(Date(2021, 9), ongoing=True)),
        ("2021 – (ongoing)", Period(Date(2021), ongoing=True)),
        ("2021 - Present.", Period(Date(2021), ongoing=True)),
        ("2021 -", Period(Date(2021), ongoing=True)),
        ("2021–", Period(Date(2021), ongoing=True)),
        # an expected end, months of a season, the length of the period
        (
            "Sep. 2022 – present (expected May 2027)",
            Period(Date(2022, 9), Date(2027, 5, expected=True)),
        ),
        ("Summer 2025 (June–Sept)", Period(Date(2025, 6), Date(2025, 9))),
        ("Jan 2020 – Feb 2021 · 1 yr 2 mos", Period(Date(2020, 1), Date(2021, 2))),
        ("academic year 2024-25", Period(Date(2024), Date(2025))),
        # one of two dates explains the order of the numbers
        ("09/01/2023 – 08/31/2026", Period(Date(2023, 9, 1), Date(2026, 8, 31))),
        ("01/09/2023 – 31/08/2026", Period(Date(2023, 9, 1), Date(2026, 8, 31))),
        ("10/17--09/18", Period(Date(2017, 10), Date(2018, 9))),
        ("2021.06~2021.12", Period(Date(2021, 6), Date(2021, 12))),
    ],
)
def test_periods_are_read(text: str, period: Period) -> None:
    assert parse_period(text) == period
    assert Period.parse(text) == period


def test_a_month_is_preferred_to_a_second_year() -> None:
    assert parse_period("2011-12") == Period(Date(2011, 12))


@pytest.mark.parametrize("text", ["", "- 2020", "2020 - soon", "2018 - 18", "2020-20", "Sep 2021 - 24"])
def test_invalid_periods_are_refused(text: str) -> None:
    assert parse_period(text) is None
    with pytest.raises(ValueError, match="write"):
        Period.parse(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2024 - 2020", True),
        ("Jun 2024 - Sep 2021", True),
        ("Sep 2021 - Jun 2021", True),
        ("2021-09-15 - 2021-09-14", True),
        ("Fall 2020 - Spring 2020", True),
        ("2020 - 2020", False),
        ("Sep 2021 - 2021", False),
        ("2021 - Jan 2021", False),
        ("2020-09-15 - 2020-10-03", False),
        ("20xx - 2024", False),
        ("2024 - 20xx", False),
        ("Fall 2020 - Winter 2020", False),
        ("2020 - present", False),
    ],
)
def test_a_period_that_ends_before_it_starts_is_refused(text: str, wrong: bool) -> None:
    period = parse_period(text)
    assert period is not None
    assert period.has_end_before_start == wrong
    if wrong:
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
    written = [
        "2019",
        "2020",
        "Winter 2020",
        "Feb 2020",
        "Spring 2020",
        "Summer 2020",
        "2020-06-15",
        "Fall 2020",
        "20xx",
    ]
    orders = [Date.parse(text).sort_key for text in written]
    assert orders == sorted(set(orders))


def test_ongoing_periods_sort_after_ended_periods() -> None:
    written = [
        "2015 - 2018",
        "2016 - 2018",
        "2019",
        "2010 - 2024",
        "20xx",
        "2009 - present",
        "2011 - present",
    ]
    orders = [Period.parse(text).sort_key for text in written]
    assert orders == sorted(set(orders))


@pytest.mark.parametrize(("year", "days"), [(2023, 28), (2024, 29), (1900, 28), (2000, 29)])
def test_february(year: int, days: int) -> None:
    assert days_in_month(year, 2) == days


@pytest.mark.parametrize(
    ("name", "number"), [("Jan", 1), ("sept.", 9), ("December", 12), ("Ma", None), ("Xyz", None)]
)
def test_month_number(name: str, number: int | None) -> None:
    assert parse_month_name(name) == number


@pytest.mark.parametrize(
    ("text", "present"), [("Present", True), ("(ongoing)", True), ("now.", True), ("2024", False)]
)
def test_is_present(text: str, present: bool) -> None:
    assert is_present_word(text) == present


def test_a_winter_term_is_written_with_both_its_years() -> None:
    assert Date(2023, season="winter_term").format_text(WORDS) == "Winter term 2023/24"
    assert Date(1999, season="winter_term").format_text(WORDS) == "Winter term 1999/00"
    assert Date(2024, season="summer_term").format_text(WORDS) == "Summer term 2024"
    assert Date(2023, season="winter_term").sort_key > Date(2023, season="summer_term").sort_key
