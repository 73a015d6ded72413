"""Lines of dates.txt: dates and periods with their signs, in both forms, and in order."""

from tenure.model.dates import MONTH_NAMES, Date, Period, parse_date, parse_period

DATE_FORMS = """date_year: {year} | date_day: {day} {month} {year} | date_month: {month} {year}
    | date_season: {season} {year} | date_period: {start} – {end} | date_until: until {date}
    | date_approximate: ~{date} | date_expected: {date} (expected) | present: Present"""
DATE_LABELS = {
    **{f"month_short_{n}": name.capitalize()[:3] for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"month_long_{n}": name.capitalize() for n, name in enumerate(MONTH_NAMES, 1)},
    **{f"season_{name}": name.capitalize() for name in ("spring", "summer", "fall", "winter", "michaelmas")},
    **dict(form.strip().split(": ") for form in DATE_FORMS.split("|")),
}


def describe_date(date: Date | None) -> str:
    """Return a date as its season, its ISO form and its signs: "~2027-05 expected"."""
    if date is None:
        return "-"
    text = " ".join(filter(None, (date.season, date.iso or date.text)))
    return f"{'~' * date.approximate}{text}{' expected' * date.expected}"


def read_date(text: str) -> str:
    """Return the meaning of a date, also within spaces and as a period; a wrong one has a repair."""
    date = parse_date(text)
    if date is None:
        try:
            Date.parse(text)
        except ValueError as error:
            message, hint = error.args
            assert f"“{text.strip()}”" in message
            assert "Sep 2024" in hint
            return "refused"
    assert Date.parse(f"  {text}\n ") == date
    assert parse_period(text) == Period(start=date)
    return describe_date(date)


def read_period(text: str) -> str:
    try:
        period = Period.parse(text)
    except ValueError as error:
        return f"refused: {error.args[0]}"
    end = "now" if period.ongoing else describe_date(period.end) if period.end else ""
    return f"{describe_date(period.start) if period.start else ''} – {end}".strip()


def format_dates(text: str) -> str:
    """Return the short and the long form of a period."""
    period = Period.parse(text)
    return f"{period.format_text(DATE_LABELS)} / {period.format_text(DATE_LABELS, 'long')}"


def sort_periods(text: str) -> str:
    """Return periods in chronological order, in which no two are equal."""
    periods = text.split(" | ")
    keys = {written: Period.parse(written).sort_key for written in periods}
    assert len(set(keys.values())) == len(periods)
    return " | ".join(sorted(periods, key=keys.__getitem__))
