"""The publication date from `date`, or from `year`, `month` and `day`."""

import re
from collections.abc import Callable

from tenure.model.dates import MONTH_NAMES, Date, days_in_month, parse_date, parse_month_name, parse_period
from tenure.model.dates import SEASON_KEYS as SEASONS_BY_NAME
from tenure.problems import find_similar_word
from tenure.record import Record
from tenure.sources.schema.date_hints import suggest_date

PUBLICATION_STATES = (
    "in press",
    "to appear",
    "forthcoming",
    "submitted",
    "in submission",
    "under review",
    "under revision",
    "in preparation",
    "in prep",
    "accepted",
    "preprint",
    "online first",
)
"""Publication states that may be written in `year`."""

EDTF_SEASONS = {21: "spring", 22: "summer", 23: "fall", 24: "winter"}
"""Source: EDTF (Library of Congress), level 1, "Seasons"."""

_YEAR_RANGE = re.compile(r"((?:1\d|20)\d\d)\s*[-–—/]+\s*((?:1\d|20)\d\d)")
"""The years of a work in several volumes."""

_NO_YEAR = re.compile(r"[\W0_]+")
"""Signs for a year that is not known, as programs write them: "0", "0000-00-00", "????"."""

_YEAR = re.compile(r"(?<!\d)(?:1[0-9]{3}|20\d\d)(?!\d)")
_EDTF_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?(?:T[\d:.+Zz-]*|\s[\d:.+Zz-]+)?(?P<mark>[~?%]?)"
)


class DateIssue(Record):
    """A value that is not a date: the field, the excerpt, the message and the repair."""

    field: str
    excerpt: str
    message: str
    hint: str


class PublicationDate(Record):
    """
    The date or the publication state (`status`) of a publication, and the values that could not be parsed.

    `end_date` is the end of a period of several years, such as that of a work in several volumes.
    """

    date: Date | None = None
    end_date: Date | None = None
    status: str = ""
    issues: tuple[DateIssue, ...] = ()


def parse_publication_date(read_field: Callable[[str], str]) -> PublicationDate:
    """
    Parse the date fields of an entry; `read_field` returns the plain text of a field.

    Missing parts stay missing, and a text that is not a date stays a text.
    Source: biblatex manual, section 2.3.8, on `date` and its EDTF marks.
    """
    issues: list[DateIssue] = []
    date_text = read_field("date")
    if date_text:
        parsed_date = None if _NO_YEAR.fullmatch(date_text) else _parse_date_field(date_text)
        if parsed_date is not None:
            end = _parse_date_field(date_text.partition("/")[2]) if "/" in date_text else None
            is_later = end is not None and (end.year or 0) > (parsed_date.year or 0)
            return PublicationDate(parsed_date, end if is_later else None)
        suggestion = re.fullmatch(r"write (\S+)", suggest_date(date_text))
        hint = f"write date = {{{suggestion[1] if suggestion else '2024-05'}}}"
        issues.append(DateIssue("date", date_text, f"“{date_text}” is not a valid date", hint))
        date_text = "" if _NO_YEAR.fullmatch(date_text) else date_text
    year = read_field("year")
    if not year:
        return PublicationDate(Date(None, text=date_text) if date_text else None, issues=tuple(issues))
    years = _YEAR_RANGE.fullmatch(year.strip("()[] "))
    if years and years[1] < years[2]:
        return PublicationDate(Date(int(years[1])), Date(int(years[2])), issues=tuple(issues))
    date, status, issue = _parse_year_field(year)
    if issue is not None:
        issues.append(issue)
    if date is not None and date.year is not None and not date.season and date.month is None:
        month, day, issue = _parse_month_field(read_field("month"), read_field("day"), date.year)
        if issue is not None:
            issues.append(issue)
        season = SEASONS_BY_NAME.get(read_field("month").casefold().strip(" .")) if month is None else None
        if season:
            issues = [issue for issue in issues if issue.field != "month"]
        date = Date(date.year, month, day, season=season or "", approximate=date.approximate)
    return PublicationDate(date, None, status, tuple(issues))


def _parse_date_field(date_text: str) -> Date | None:
    """A biblatex date: a day, or the start of a range; the end of a range with an open start."""
    start, _, end = date_text.partition("/")
    for part in (start.strip(), end.strip()):
        if part in ("", "..", "open", "unknown"):
            continue
        match = _EDTF_DATE.fullmatch(part)
        if match is None:
            break
        year, month, day = (int(match[name] or 0) for name in ("year", "month", "day"))
        approximate = bool(match["mark"])
        if month in EDTF_SEASONS:
            return Date(year, season=EDTF_SEASONS[month], approximate=approximate)
        if month > 12 or (month and day > days_in_month(year, month)):
            return None
        return Date(year, month or None, day or None, approximate=approximate)
    period = parse_period(date_text)
    return period.start if period else None


def _parse_year_field(year_text: str) -> tuple[Date | None, str, DateIssue | None]:
    """The date or publication state in `year`; no date for signs such as "0" and "????"."""
    if _NO_YEAR.fullmatch(year_text):
        hint = "write year = {…} in four digits, or delete the field"
        return None, "", DateIssue("year", year_text, f"“{year_text}” is not a year", hint)
    if year_text.isdecimal() and len(year_text) == 4:
        return Date(int(year_text)), "", None
    state = next((state for state in PUBLICATION_STATES if state in year_text.casefold()), "")
    outside_brackets = re.sub(r"\[[^\]]*\]", "", year_text)
    years = _YEAR.findall(outside_brackets) or _YEAR.findall(year_text)
    if state:
        return (Date(int(years[0])) if years else None), year_text if not years else state, None
    is_iso_range = re.fullmatch(r"\d{4}-\d\d(?:-\d\d)?/\S+", year_text) is not None
    exact_date = _parse_date_field(year_text) if is_iso_range else parse_date(year_text.strip("()"))
    if exact_date is not None:
        return exact_date, "", None
    if years:
        season = re.search(r"\b(spring|summer|fall|autumn|winter)\b", year_text, re.IGNORECASE)
        season_date = parse_date(f"{season[1]} {years[0]}") if season else None
        hint = f"write year = {{{years[0]}}} and the rest in note = {{…}}"
        message = f"only the year {years[0]} of “{year_text}” is shown"
        issue = DateIssue("year", year_text, message, hint) if years[-1] > years[0] and not season else None
        return season_date or Date(int(years[0])), "", issue
    is_short = re.fullmatch(r"\d\d", year_text)
    hint = f"write year = {{20{year_text}}}" if is_short else "write year = {…} in four digits"
    return Date(None, text=year_text), "", DateIssue("year", year_text, f"“{year_text}” is not a year", hint)


def _parse_month_field(
    month_text: str, day: str, year: int
) -> tuple[int | None, int | None, DateIssue | None]:
    """A month in any form: "nov", "09", "8 oct", "Sept.", "JUL-AUG"; the first of several."""
    normalized = month_text.casefold().strip(' .,{}"?')
    if not normalized:
        return None, None, None  # "????" means unknown
    is_number = re.fullmatch(r"0*\d{1,2}", normalized[:20]) is not None and len(normalized) <= 20
    number = int(normalized) if is_number and 1 <= int(normalized) <= 12 else None
    if number is None:
        number = next((n for n in map(parse_month_name, re.findall(r"[^\W\d_]+", normalized)) if n), None)
    if number is None:
        iso_match = re.fullmatch(r"\d{4}-(\d\d)(?:-\d\d)?.*", normalized)
        number = int(iso_match[1]) if iso_match and 1 <= int(iso_match[1]) <= 12 else None
    if number is None:
        suggestion = find_similar_word(normalized, MONTH_NAMES)
        hint = f"write month = {suggestion[:3]}" if suggestion else "write month = jan, feb … or dec"
        return None, None, DateIssue("month", month_text, f"“{month_text}” is not a month", hint)
    day_text = day if normalized.isdecimal() else f"{day} {normalized}"
    days = map(int, re.findall(r"(?<!\d)\d{1,2}(?!\d)", day_text))
    return number, next((n for n in days if 1 <= n <= days_in_month(year, number)), None), None
