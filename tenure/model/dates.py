"""Dates and periods: parsing, sorting, and formatting."""

import re
from collections.abc import Mapping
from dataclasses import replace

from tenure.frozen import dataclass
from tenure.model import date_spellings

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
SEASONS: Mapping[str, str] = {
    "winter": "winter",
    "wi": "winter",
    "spring": "spring",
    "sp": "spring",
    "summer": "summer",
    "su": "summer",
    "fall": "fall",
    "fa": "fall",
    "autumn": "fall",
    "au": "fall",
    "hilary": "hilary",
    "lent": "lent",
    "easter": "easter",
    "trinity": "trinity",
    "michaelmas": "michaelmas",
}
SEASON_MONTHS: Mapping[str, int] = {
    "winter": 1,
    "hilary": 1,
    "lent": 1,
    "spring": 3,
    "easter": 4,
    "trinity": 4,
    "summer": 6,
    "fall": 9,
    "michaelmas": 10,
    "summer_term": 4,
    "winter_term": 10,
}
PRESENT = frozenset({"present", "now", "today", "ongoing", "current", "to date"}) | date_spellings.PRESENT
FORMS = "2024, Sep 2024, 2024-09-15 or Fall 2024"
PERIOD_FORMS = "2024, Sep 2024, 2024-09-15 or Sep 2021 - present"
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Date:
    """
    A day, month, season or year, with the precision of its source.

    `year` is None for an incomplete year ("20xx"); `text` then has the original text.
    """

    year: int | None
    month: int | None = None
    day: int | None = None
    season: str = ""
    approximate: bool = False
    expected: bool = False
    words: str = ""

    @classmethod
    def parse(cls, text: str) -> "Date":
        """Parse one date; raises ValueError with examples of valid dates."""
        date = read_date(text)
        if date is None:
            raise ValueError(f"“{text}” is not a valid date", f"write {FORMS}")
        return date

    @property
    def iso(self) -> str:
        """The value of `<time datetime>` (HTML, 4.5.14), such as "2024-09"; "" without a year."""
        if self.year is None:
            return ""
        parts = [f"{self.year:04d}"]
        if self.month:
            parts.append(f"{self.month:02d}")
            if self.day:
                parts.append(f"{self.day:02d}")
        return "-".join(parts)

    @property
    def order(self) -> tuple[int, int, int]:
        """A chronological sort key; an unknown year is after every known one."""
        month = self.month or SEASON_MONTHS.get(self.season, 0)
        return (9999 if self.year is None else self.year, month, self.day or 0)

    def reaches(self, since: "Date") -> bool:
        """Whether the date is possibly on or after another one; an unknown part counts as the latest value."""
        if self.year is None or since.year is None:
            return True
        month = self.month or (self.order[1] + 3 if self.season else 99)
        return (self.year, month, self.day or 99) >= (since.year, since.month or 0, since.day or 0)

    def written(self, words: Mapping[str, str], form: str = "short") -> str:
        """
        The date in words; `form` "long" writes months in full, "short" abbreviates them.

        A translation may have variants under "key.variant": a pattern has "short", "long" and "first" (first day of a
        month), a month has "day" (used with a day) and "alone".
        """
        if self.year is None:
            text = self.words
        elif self.season:
            named = self.season.replace("_", " ").capitalize()
            year = f"{self.year}/{(self.year + 1) % 100:02d}" if self.season == "winter_term" else self.year
            text = words["date_season"].format(season=words.get(f"season_{self.season}", named), year=year)
        elif self.month:
            month = _formed(words, f"month_{form}_{self.month}", "day" if self.day else "alone")
            pattern = _formed(words, "date_day" if self.day else "date_month", form)
            if self.day == 1:
                pattern = words.get("date_day.first", pattern)
            text = pattern.format(day=self.day, month=month, year=self.year)
        else:
            text = words["date_year"].format(year=self.year)
        if self.approximate:
            text = words["date_approximate"].format(date=text)
        return words["date_expected"].format(date=text) if self.expected else text


def _formed(words: Mapping[str, str], key: str, form: str) -> str:
    return words.get(f"{key}.{form}") or words[key]


@dataclass(frozen=True, slots=True)
class Period:
    """A period of time; with only `start` it is a single date, with `ongoing` it has no end."""

    start: Date | None = None
    end: Date | None = None
    ongoing: bool = False

    @classmethod
    def parse(cls, text: str) -> "Period":
        """Parse "Sep 2021 - present", "2018–2021" or one date; raises ValueError with examples."""
        period = read_period(text)
        if period is None:
            raise ValueError(f"“{text}” is not a valid date or period", f"write {PERIOD_FORMS}")
        if period.ends_before_it_starts:
            raise ValueError(f"“{text}” ends before it starts", "put the earlier date first")
        return period

    @property
    def ends_before_it_starts(self) -> bool:
        if self.start is None or self.end is None or None in (self.start.year, self.end.year):
            return False
        if self.start.year == self.end.year and "winter" in (self.start.season, self.end.season):
            return False  # winter is at the beginning and at the end of a year
        first, last = self.start.order, self.end.order
        return any(a > b for a, b in zip(first, last, strict=True) if a and b and a != b) and last < first

    @property
    def order(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """A sort key by end, then by start; ongoing periods are after ended ones."""
        start = self.start.order if self.start else (0, 0, 0)
        end = self.end.order if self.end else start
        return ((9999, 99, 99) if self.ongoing else end, start)

    def written(self, words: Mapping[str, str], form: str = "short") -> str:
        """The period in words: "Sep 2021 – Present"."""
        start = self.start.written(words, form) if self.start else ""
        end = words["present"] if self.ongoing else self.end.written(words, form) if self.end else ""
        if not (start and end):
            return start or (words["date_until"].format(date=end) if end else "")
        return words["date_period"].format(start=start, end=end)


def read_date(text: str) -> Date | None:
    """Parse one date in any accepted notation; None if it is not a date."""
    core, approximate, expected = _marks(text)
    date = _plain_date(core) or _respelt_date(core)
    if date is None:
        return None
    return replace(date, approximate=approximate, expected=expected)


def _respelt_date(core: str) -> Date | None:
    """Parse a date in the notation of another language or program; None if it is not a date or is ambiguous."""
    term = date_spellings.term_of(core)
    if term:
        return Date(term[1], season=term[0])
    dates = {date for spelling in date_spellings.spellings_of(core) if (date := _plain_date(spelling))}
    return dates.pop() if len(dates) == 1 else None


def read_period(text: str) -> Period | None:
    """Parse a period, an open period or a single date; None if the text is none of them."""
    single = read_date(text)
    if single is not None:
        return Period(start=single, end=None)
    if days := date_spellings.days_of(text.strip()):
        first, last = map(read_date, days)
        return Period(start=first, end=last) if first and last else None
    if start := read_date(date_spellings.since(text)):
        return Period(start=start, ongoing=True)
    if end := read_date(date_spellings.until(text)):
        return Period(end=end)
    for left, right in _halves(text):
        start = read_date(left) or _borrowed(left, right)
        if start is None:
            continue
        if not right or right.casefold().strip(" .()") in PRESENT:
            return Period(start=start, ongoing=True)
        end = read_date(right) or _century(start, right)
        if end is not None:
            return Period(start=start, end=end)
    return None


def is_present(text: str) -> bool:
    """Whether a text is a word for an ongoing period, such as "present"."""
    return text.casefold().strip(" .()") in PRESENT


_DASH = re.compile(
    r"\s*(?:–|—|--+|～|〜|至(?!今)|(?=至今))\s*|\s+(?=to\s+date\b)|\s+(?:-|to|until|till|bis|through|à|au|hasta|al?|até|tot)\s+|(?<=[\d\w.])\s*-\s*(?=\S)|\s*/\s*|\s*-\s*$",
    re.IGNORECASE,
)


def _halves(text: str) -> list[tuple[str, str]]:
    """Every split of a text at a dash, "to" or a slash; unambiguous separators first."""
    cuts = sorted(_DASH.finditer(text.strip()), key=lambda m: (m.group().strip() in "-/", m.start()))
    stripped = text.strip()
    return [(stripped[: cut.start()].strip(), stripped[cut.end() :].strip()) for cut in cuts]


def _borrowed(left: str, right: str) -> Date | None:
    """The start of a period that has its year only at the end: "Sep" of "Sep - Dec 2023"."""
    end = read_date(right)
    if end is None or end.year is None or re.search(r"\d{3}", left):
        return None
    return read_date(f"{left} {end.year}")


def _century(start: Date, text: str) -> Date | None:
    """The end of a period that has its century only at the start: "21" of "2018-21"."""
    if start.year is None or start.month or not re.fullmatch(r"\d\d", text):
        return None
    year = start.year - start.year % 100 + int(text)
    return Date(year) if year > start.year else None


_EXPECTED = re.compile(r"\(?\s*\b(?:expected|anticipated|exp\.)\s*\)?", re.IGNORECASE)
_APPROXIMATE = re.compile(r"^(?:~|≈|c\.|ca\.|circa\b|approx\.|about\b)\s*", re.IGNORECASE)


def _marks(text: str) -> tuple[str, bool, bool]:
    """Split off "expected" and "about"; returns (date text, is approximate, is expected)."""
    core = " ".join(text.split())
    without = _EXPECTED.sub(" ", core).strip(" ,:")
    expected = without != core.strip(" ,:")
    bare = _APPROXIMATE.sub("", without)
    return bare, bare != without, expected


_YEAR = r"(?P<year>(?!0000)\d{4})"
_NAME = r"(?P<name>[^\W\d_]{3,})\.?"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        _YEAR,
        _YEAR + r"[-./](?P<month>\d{1,2})",
        _YEAR + r"[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
        _NAME + r",?\s*" + _YEAR,
        _YEAR + r",?\s+" + _NAME,
        r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?" + _NAME + r",?\s+" + _YEAR,
        _NAME + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+" + _YEAR,
    )
)
_TERM = re.compile(
    r"(?P<season>[a-z]{2,10})\.?\s*(?:(?P<year>(?!0000)\d{4})|['’‘](?P<short>\d\d))", re.IGNORECASE
)
_SHORT_MONTH = re.compile(_NAME + r"\s*['’‘](?P<short>\d\d)")
_PROMISED = re.compile(r"(?:\d{3}[xX?]|\d\d[xX?]{2}|\d[xX?]{3})(?:[-./][\dxX?]{1,2})?")


def _plain_date(core: str) -> Date | None:
    if _PROMISED.fullmatch(core):
        return Date(None, words=core)
    term = _TERM.fullmatch(core)
    if term and (season := SEASONS.get(term["season"].casefold())):
        return Date(int(term["year"] or f"20{term['short']}"), season=season)
    short = _SHORT_MONTH.fullmatch(core)
    if short and (month := month_number(short["name"])):
        return Date(int(f"20{short['short']}"), month)
    for pattern in _PATTERNS:
        if match := pattern.fullmatch(core):
            return _from_parts(match.groupdict())
    return None


def _from_parts(parts: Mapping[str, str | None]) -> Date | None:
    year, day = int(parts["year"] or 0), int(parts.get("day") or 0)
    month: int | None = int(parts.get("month") or 0)
    if name := parts.get("name"):
        month = month_number(name)
        if month is None:
            season = SEASONS.get(name.casefold())
            return Date(year, season=season) if season and not day else None
    elif parts.get("month") is not None and not 1 <= (month or 0) <= 12:
        return None
    if parts.get("day") is not None and not (month and 1 <= day <= days_in(year, month)):
        return None
    return Date(year, month or None, day or None)


def days_in(year: int, month: int) -> int:
    """The number of days of a month, in the Gregorian calendar."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 if month == 2 and not leap else DAYS_IN_MONTH[month - 1]


def month_number(name: str) -> int | None:
    """1 to 12 for an English month's name or an abbreviation of three letters or more ("Sept."), else None."""
    short = name.casefold().rstrip(".")
    if len(short) < 3:
        return None
    return next((n for n, month in enumerate(MONTHS, 1) if month.startswith(short)), None)
