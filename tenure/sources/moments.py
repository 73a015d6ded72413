"""The publication date from `date`, or from `year`, `month` and `day`."""

import re
from collections.abc import Callable

from tenure.frozen import dataclass
from tenure.model.dates import MONTHS, Date, days_in, month_number, read_date, read_period
from tenure.model.dates import SEASONS as SEASONS_BY_NAME
from tenure.problems import did_you_mean
from tenure.sources.misdated import advice

STATES = (
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

SEASONS = {21: "spring", 22: "summer", 23: "fall", 24: "winter"}
"""Source: EDTF (Library of Congress), level 1, "Seasons"."""

_EDTF = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?(?:T[\d:.+Zz-]*|\s[\d:.+Zz-]+)?(?P<mark>[~?%]?)"
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """A value that is not a date: the field, the excerpt, the message and the repair."""

    field: str
    words: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Moment:
    """The date or the publication state (`status`) of a publication, and the values that could not be parsed."""

    date: Date | None = None
    status: str = ""
    complaints: tuple[Complaint, ...] = ()


def moment(text: Callable[[str], str]) -> Moment:
    """
    Parse the date fields of an entry; `read_field` returns the plain text of a field.

    Missing parts stay missing, and a text that is not a date stays a text.
    Source: biblatex manual, section 2.3.8, on `date` and its EDTF marks.
    """
    complaints: list[Complaint] = []
    written = text("date")
    if written:
        found = _of_date(written)
        if found is not None:
            return Moment(found)
        better = re.fullmatch(r"write (\S+)", advice(written))
        hint = f"write date = {{{better[1] if better else '2024-05'}}}"
        complaints.append(Complaint("date", written, f"“{written}” is not a valid date", hint))
    year = text("year")
    if not year:
        return Moment(Date(None, words=written) if written else None, "", tuple(complaints))
    date, status, complaint = _of_year(year)
    if complaint is not None:
        complaints.append(complaint)
    if date is not None and date.year is not None and not date.season and date.month is None:
        month, day, complaint = _of_month(text("month"), text("day"), date.year)
        if complaint is not None:
            complaints.append(complaint)
        season = SEASONS_BY_NAME.get(text("month").casefold().strip(" .")) if month is None else None
        if season:
            complaints = [complaint for complaint in complaints if complaint.field != "month"]
        date = Date(date.year, month, day, season=season or "", approximate=date.approximate)
    return Moment(date, status, tuple(complaints))


def _of_date(written: str) -> Date | None:
    """A biblatex date: a day, or the start of a range; the end of a range with an open start."""
    start, _, end = written.partition("/")
    for part in (start.strip(), end.strip()):
        if part in ("", "..", "open", "unknown"):
            continue
        found = _EDTF.fullmatch(part)
        if found is None:
            break
        year, month, day = (int(found[name] or 0) for name in ("year", "month", "day"))
        approximate = bool(found["mark"])
        if month in SEASONS:
            return Date(year, season=SEASONS[month], approximate=approximate)
        if month > 12 or (month and day > days_in(year, month)):
            return None
        return Date(year, month or None, day or None, approximate=approximate)
    period = read_period(written)
    return period.start if period else None


def _of_year(written: str) -> tuple[Date | None, str, Complaint | None]:
    """The date or publication state in `year`."""
    if written.isdecimal() and len(written) == 4:
        return Date(int(written)), "", None
    state = next((state for state in STATES if state in written.casefold()), "")
    found = re.findall(
        r"(?<!\d)(?:1[0-9]{3}|20\d\d)(?!\d)", re.sub(r"\[[^\]]*\]", "", written)
    ) or re.findall(r"(?<!\d)(?:1[0-9]{3}|20\d\d)(?!\d)", written)
    if state:
        return (Date(int(found[0])) if found else None), written if not found else state, None
    exact = read_date(written.strip("()"))
    if exact is not None:
        return exact, "", None
    if found:
        season = re.search(r"\b(spring|summer|fall|autumn|winter)\b", written, re.IGNORECASE)
        named = read_date(f"{season[1]} {found[0]}") if season else None
        return named or Date(int(found[0])), "", None
    hint = (
        f"write year = {{20{written}}}"
        if re.fullmatch(r"\d\d", written)
        else "write year = {…} in four digits"
    )
    return Date(None, words=written), "", Complaint("year", written, f"“{written}” is not a year", hint)


def _of_month(written: str, day: str, year: int) -> tuple[int | None, int | None, Complaint | None]:
    """A month in any form: "nov", "09", "8 oct", "Sept.", "JUL-AUG"; the first of several."""
    words = written.casefold().strip(' .,{}"?')
    if not words:
        return None, None, None  # "????" means unknown
    number = int(words) if words.isdecimal() and 1 <= int(words) <= 12 else None
    if number is None:
        number = next((n for n in map(month_number, re.findall(r"[^\W\d_]+", words)) if n), None)
    if number is None:
        iso = re.fullmatch(r"\d{4}-(\d\d)(?:-\d\d)?.*", words)
        number = int(iso[1]) if iso and 1 <= int(iso[1]) <= 12 else None
    if number is None:
        near = did_you_mean(words, MONTHS)
        hint = f"write month = {near[:3]}" if near else "write month = jan, feb … or dec"
        return None, None, Complaint("month", written, f"“{written}” is not a month", hint)
    days = [
        int(n) for n in re.findall(r"(?<!\d)\d{1,2}(?!\d)", f"{day} {'' if words.isdecimal() else words}")
    ]
    return number, next((n for n in days if 1 <= n <= days_in(year, number)), None), None
