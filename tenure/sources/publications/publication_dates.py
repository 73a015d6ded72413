"""
The publication date from `date`, or from `year`, `month` and `day`.

date = {2020-21} -> spring 2020; year = {2024}, month = {8 oct} -> 8 October 2024;
year = {im Erscheinen} -> a state
"""

import re
from collections.abc import Callable

from tenure.model.dates import (
    MONTH_NAMES,
    Date,
    days_in_month,
    parse_date,
    parse_month_name,
    parse_period,
    parse_season_name,
)
from tenure.problems import find_similar_word
from tenure.record import Record, replace
from tenure.sources.bibtex.bib_fields import FieldIssue
from tenure.sources.schema.date_hints import suggest_date

PUBLICATION_STATES = (
    "in press", "in print", "to appear", "forthcoming", "submitted", "in submission", "under review",
    "in review", "under revision", "in preparation", "in prep", "work in progress", "working paper",
    "accepted", "preprint", "online first",
    "im erscheinen", "erscheint", "im druck", "in druck", "eingereicht", "in begutachtung", "angenommen",
    "in vorbereitung", "i. vorb",
    "à paraître", "sous presse", "soumis", "en révision", "accepté", "en préparation",
    "en prensa", "próxima publicación", "por aparecer", "enviado", "en revisión", "aceptado",
    "en preparación",
)  # fmt: skip
"""Publication states that may be written in `year`: English, German, French, Spanish."""

EDTF_SEASONS = {"21": "spring", "22": "summer", "23": "fall", "24": "winter"}
"""Source: EDTF (Library of Congress), level 1, "Seasons"."""

_EDTF_DATE = r"""(?x)
    (?P<date>\d{4}(?:-(?P<month>\d{1,2})(?:-\d{1,2})?)?)   # 2024-05-13
    (?:[T\s][\d:.+Zz-]*)?(?P<mark>[~?%]?)                   # 2024-05-13T12:00:00Z, 1990~
"""
_NO_YEAR = r"[\W0_]+"
"""Signs for a year that is not known, as programs write them: "0", "0000-00-00", "????"."""


class PublicationDate(Record):
    """
    The date or the publication state (`status`) of a publication, and the values that could not be parsed.

    `end_date` is the end of a period of several years, such as that of a work in several volumes.
    """

    date: Date | None = None
    end_date: Date | None = None
    status: str = ""
    issues: tuple[FieldIssue, ...] = ()


def parse_publication_date(read_field: Callable[[str], str]) -> PublicationDate:
    """
    Parse the date fields of an entry; `read_field` returns the plain text of a field.

    Missing parts stay missing, and a text that is not a date stays a text.
    Source: biblatex manual, section 2.3.8, on `date` and its EDTF marks.
    """
    issues: tuple[FieldIssue, ...] = ()
    date_text = read_field("date")
    if date_text:
        result = _parse_date_range(date_text)
        if result.date is not None:
            return result
        issues = result.issues

    year = read_field("year")
    if not year:
        is_text = date_text and not re.fullmatch(_NO_YEAR, date_text)
        return PublicationDate(Date(None, text=date_text) if is_text else None, issues=issues)
    result = _complete_year(_parse_year_field(year), read_field("month"), read_field("day"))
    return replace(result, issues=issues + result.issues)


def _parse_date_range(date_text: str) -> PublicationDate:
    """
    The date in `date`, with its end if that is in a later year; no date but an issue if it is none.

    "2023-05/2025" -> 2023-05 to 2025; "May 32, 2024" -> an issue that suggests a date.
    """
    is_unknown = re.fullmatch(_NO_YEAR, date_text)
    date = None if is_unknown else _parse_date_field(date_text)
    if date is None:
        suggestion = re.fullmatch(r"write (\S+)", suggest_date(date_text))
        example = suggestion[1] if suggestion else "2024-05"
        message = f"“{date_text}” is not a valid date"
        return PublicationDate(
            issues=(FieldIssue("date", message, date_text, f"write date = {{{example}}}"),)
        )

    end = _parse_date_field(date_text.partition("/")[2]) if "/" in date_text else None
    # "2024-05/2024-06" is shown as 2024-05
    is_later = end is not None and (end.year or 0) > (date.year or 0)
    return PublicationDate(date, end if is_later else None)


def _parse_date_field(date_text: str) -> Date | None:
    """
    A biblatex date: a day, or the start of a range; the end of a range with an open start.

    "2024-05-13" -> that day, "2023/2025" -> 2023, "../2025" -> 2025, "2024~" -> about 2024, "2024-21" ->
    spring 2024; what is none of biblatex, "May 2024", is read as a date of YAML.
    """
    start, _, end = date_text.partition("/")
    for part in (start.strip(), end.strip()):
        if part in ("", "..", "open", "unknown"):
            continue
        match = re.fullmatch(_EDTF_DATE, part)
        if match is None:
            break
        season = EDTF_SEASONS.get(match["month"] or "")
        # 2024-00
        date_without_zero = match["date"].removesuffix("-00")
        date = Date(int(part[:4]), season=season) if season else parse_date(date_without_zero)
        return replace(date, approximate=bool(match["mark"])) if date else None
    period = parse_period(date_text)
    return period.start if period else None


def _parse_year_field(year: str) -> PublicationDate:
    """
    The date or publication state in `year`; no date for signs such as "0" and "????".

    "2024" and "(May 2024)" -> a date; "2010-2014" -> both; "in press 2025" -> 2025 and this state; "2024a" ->
    2024, and an issue; "forthcoming" -> the state alone
    """
    if year.isdecimal() and len(year) == 4 and year != "0000":
        return PublicationDate(Date(int(year)))
    hint = "write year = {…} in four digits"
    if re.fullmatch(r"\d\d", year):
        hint = f"write year = {{20{year}}}"
    no_year = FieldIssue("year", f"“{year}” is not a year", year, hint)
    if re.fullmatch(_NO_YEAR, year):
        return PublicationDate(issues=(no_year,))

    # 2010-2014: a work in several volumes
    volumes = re.fullmatch(r"((?:1\d|20)\d\d)\s*[-–—/]+\s*((?:1\d|20)\d\d)", year.strip("()[] "))
    if volumes and volumes[1] < volumes[2]:
        return PublicationDate(Date(int(volumes[1])), Date(int(volumes[2])))
    years = re.findall(r"(?<!\d)(?:1\d|20)\d\d(?!\d)", year)
    state = next((state for state in PUBLICATION_STATES if state in year.casefold()), "")
    if state:
        if years:
            return PublicationDate(Date(int(years[0])), status=state)
        return PublicationDate(status=year)
    if date := parse_date(year.strip("()")):
        return PublicationDate(date)

    if not years:
        return PublicationDate(Date(None, text=year), issues=(no_year,))
    hint = f"write year = {{{years[0]}}} and the rest in note = {{…}}"
    issue = FieldIssue("year", f"only the year {years[0]} of “{year}” is shown", year, hint)
    return PublicationDate(Date(int(years[0])), issues=(issue,))


def _complete_year(result: PublicationDate, month: str, day: str) -> PublicationDate:
    """A date that is only a year with its month and day; any other date as it is."""
    date = result.date
    if date is None or not date.year or date.season or date.month is not None or result.end_date:
        return result
    date, issues = _add_month(date, date.year, month, day)
    return replace(result, date=date, issues=result.issues + issues)


def _add_month(date: Date, year: int, month_text: str, day: str) -> tuple[Date, tuple[FieldIssue, ...]]:
    """A year with its month in any form: "nov", "09", "8 oct", "JUL-AUG", "Fall", "2024-05"."""
    # "????" is unknown
    text = month_text.casefold().strip(' .,{}"?')
    if not text:
        return date, ()
    if season := parse_season_name(text):
        return replace(date, season=season), ()
    month = _find_month(text)
    if month is None:
        similar = find_similar_word(text, MONTH_NAMES)
        hint = f"write month = {similar[:3]}" if similar else "write month = jan, feb … or dec"
        return date, (FieldIssue("month", f"“{month_text}” is not a month", month_text, hint),)

    days = re.findall(r"(?<!\d)\d{1,2}(?!\d)", day if text.isdecimal() else f"{day} {text}")
    valid_day = next((int(n) for n in days if 1 <= int(n) <= days_in_month(year, month)), None)
    return replace(date, month=month, day=valid_day), ()


def _find_month(text: str) -> int | None:
    """The first month in a text: "09" -> 9, "8 oct" -> 10, "jul-aug" -> 7, "2024-05" -> 5."""
    figures = re.match(r"0{0,9}(\d{1,2})$|\d{4}-(\d\d)\b", text)
    numbers = [int(figures[figures.lastindex or 0])] if figures else []
    names = [number for name in re.findall(r"[^\W\d_]+", text) if (number := parse_month_name(name))]
    return next((number for number in (*numbers, *names) if 1 <= number <= 12), None)
