"""Dates and periods: parsing, sorting, and formatting."""

import re
from collections.abc import Mapping

from tenure.model import date_spellings
from tenure.record import Record, replace

MONTH_NAMES = tuple(name.casefold() for name in date_spellings.ENGLISH_MONTHS)
SEASON_KEYS: Mapping[str, str] = {
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
PRESENT_WORDS = (
    frozenset({"present", "now", "today", "ongoing", "current", "to date"})
    | date_spellings.FOREIGN_PRESENT_WORDS
)
DATE_EXAMPLES = "2024, Sep 2024, 2024-09-15 or Fall 2024"
PERIOD_EXAMPLES = "2024, Sep 2024, 2024-09-15 or Sep 2021 - present"
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Date(Record):
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
    text: str = ""

    @classmethod
    def parse(cls, text: str) -> "Date":
        """Parse one date; raises ValueError with examples of valid dates."""
        date = parse_date(text)
        if date is None:
            raise ValueError(f"“{text}” is not a valid date", f"write {DATE_EXAMPLES}")
        return date

    @property
    def iso(self) -> str:
        """The value of `<time datetime>` (HTML, 4.5.14), such as "2024-09"; "" without a year."""
        if self.year is None:
            return ""
        components = [f"{self.year:04d}"]
        if self.month:
            components.append(f"{self.month:02d}")
            if self.day:
                components.append(f"{self.day:02d}")
        return "-".join(components)

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """A chronological sort key; an unknown year is after every known one."""
        month = self.month or SEASON_MONTHS.get(self.season, 0)
        return (9999 if self.year is None else self.year, month, self.day or 0)

    def may_be_on_or_after(self, since: "Date") -> bool:
        """Whether the date is possibly on or after another one; an unknown part counts as the latest value."""
        if self.year is None or since.year is None:
            return True
        month = self.month or (self.sort_key[1] + 3 if self.season else 99)
        return (self.year, month, self.day or 99) >= (since.year, since.month or 0, since.day or 0)

    def format_text(self, translations: Mapping[str, str], form: str = "short") -> str:
        """
        The date in words; `form` "long" writes months in full, "short" abbreviates them.

        A translation may have variants under "key.variant": a pattern has "short", "long" and "first" (first day of a
        month), a month has "day" (used with a day) and "alone".
        """
        if self.year is None:
            text = self.text
        elif self.season:
            season_name = self.season.replace("_", " ").capitalize()
            year = f"{self.year}/{(self.year + 1) % 100:02d}" if self.season == "winter_term" else self.year
            text = translations["date_season"].format(
                season=translations.get(f"season_{self.season}", season_name), year=year
            )
        elif self.month:
            month = _translation_form(
                translations, f"month_{form}_{self.month}", "day" if self.day else "alone"
            )
            pattern = _translation_form(translations, "date_day" if self.day else "date_month", form)
            if self.day == 1:
                pattern = translations.get("date_day.first", pattern)
            text = pattern.format(day=self.day, month=month, year=self.year)
        else:
            text = translations["date_year"].format(year=self.year)
        if self.approximate and not self.expected:
            text = translations["date_approximate"].format(date=text)
        return translations["date_expected"].format(date=text) if self.expected else text


def _translation_form(translations: Mapping[str, str], key: str, form: str) -> str:
    return translations.get(f"{key}.{form}") or translations[key]


class Period(Record):
    """A period of time; with only `start` it is a single date, with `ongoing` it has no end."""

    start: Date | None = None
    end: Date | None = None
    ongoing: bool = False

    @classmethod
    def parse(cls, text: str) -> "Period":
        """Parse "Sep 2021 - present", "2018–2021" or one date; raises ValueError with examples."""
        period = parse_period(text)
        if period is None:
            raise ValueError(f"“{text}” is not a valid date or period", f"write {PERIOD_EXAMPLES}")
        if period.has_end_before_start:
            raise ValueError(f"“{text}” ends before it starts", "put the earlier date first")
        return period

    @property
    def has_end_before_start(self) -> bool:
        if self.start is None or self.end is None or None in (self.start.year, self.end.year):
            return False
        if self.start.year == self.end.year and "winter" in (self.start.season, self.end.season):
            return False  # winter is at the beginning and at the end of a year
        first, last = self.start.sort_key, self.end.sort_key
        return any(a > b for a, b in zip(first, last, strict=True) if a and b and a != b) and last < first

    @property
    def sort_key(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """A sort key by end, then by start; ongoing periods are after ended ones."""
        start = self.start.sort_key if self.start else (0, 0, 0)
        end = self.end.sort_key if self.end else start
        return ((9999, 99, 99) if self.ongoing else end, start)

    def format_text(self, translations: Mapping[str, str], form: str = "short") -> str:
        """The period in words: "Sep 2021 – Present"; one date if the start and the end are equal."""
        start = self.start.format_text(translations, form) if self.start else ""
        end = self.end.format_text(translations, form) if self.end else ""
        end = translations["present"] if self.ongoing else end
        if not (start and end) or start == end:
            return start or (translations["date_until"].format(date=end) if end else "")
        return translations["date_period"].format(start=start, end=end)


MAX_DATE_LENGTH = 300
"""Characters of a date or period; a longer text is none, and would be compared with each notation in each of its parts."""


def parse_date(text: str) -> Date | None:
    """Parse one date in any accepted notation; None if it is not a date."""
    if len(text) > MAX_DATE_LENGTH:
        return None
    core, approximate, expected = _split_qualifiers(text)
    date = _parse_english_date(core) or _parse_foreign_date(core)
    if date is None:
        return None
    return replace(date, approximate=approximate, expected=expected)


def _parse_foreign_date(core: str) -> Date | None:
    """Parse a date in the notation of another language or program; None if it is not a date or is ambiguous."""
    term = date_spellings.parse_university_term(core)
    if term:
        return Date(term[1], season=term[0])
    dates = {
        date
        for spelling in date_spellings.generate_spellings(core)
        if (date := _parse_english_date(spelling))
    }
    return dates.pop() if len(dates) == 1 else None


def parse_period(text: str) -> Period | None:
    """Parse a period, an open period or a single date; None if the text is none of them."""
    if len(text) > MAX_DATE_LENGTH:
        return None
    text = date_spellings.remove_duration(text.replace("－", "–"))
    single = parse_date(text)
    if single is not None:
        return Period(start=single, end=None)
    if day_range := date_spellings.split_day_range(text.strip()):
        first, last = map(parse_date, day_range)
        return Period(start=first, end=last) if first and last else None
    if start := parse_date(date_spellings.extract_since_date(text)):
        return Period(start=start, ongoing=True)
    if end := parse_date(date_spellings.extract_until_date(text)):
        return Period(end=end)
    return _parse_months_of_season(text) or _parse_range(text)


def _parse_months_of_season(text: str) -> Period | None:
    """The months of "Summer 2025 (June–Sept)"; None if the text is not written so."""
    months = date_spellings.split_months_of_season(text)
    season = parse_date(months[0]) if months else None
    period = parse_period(months[1]) if months and season and season.season else None
    return period if period and period.end else None


def _parse_range(text: str) -> Period | None:
    """The period between two dates, or from a date to now."""
    for start_text, end_text in map(date_spellings.order_numeric_range, _split_range(text)):
        start = parse_date(start_text) or _parse_start_without_year(start_text, end_text)
        if start is None:
            continue
        if not end_text or is_present_word(end_text):
            return Period(start=start, ongoing=True)
        end = parse_date(end_text) or _parse_two_digit_end(start, end_text) or _parse_expected_end(end_text)
        if end is not None:
            return Period(start=start, end=end)
    return None


def is_present_word(text: str) -> bool:
    """Whether a text is a word for an ongoing period, such as "present"."""
    return text.casefold().strip(" .()") in PRESENT_WORDS


_RANGE_SEPARATOR = re.compile(
    r"\s*(?:–|—|--+|～|〜|(?<=\d)~(?=\d)|至(?!今)|(?=至今))\s*|\s+(?=to\s+date\b)|\s+(?:-|to|until|till|bis|through|à|au|hasta|al?|até|tot)\s+|(?<=[\d\w.])\s*-\s*(?=\S)|\s*/\s*|\s*-\s*$",
    re.IGNORECASE,
)


def _split_range(text: str) -> list[tuple[str, str]]:
    """Every split of a text at a dash, "to" or a slash; unambiguous separators first."""
    stripped = text.strip()
    matches = _RANGE_SEPARATOR.finditer(stripped)
    separators = sorted(matches, key=lambda match: (match[0].strip() in "-/", match.start()))
    return [(stripped[: match.start()].strip(), stripped[match.end() :].strip()) for match in separators]


def _parse_start_without_year(start_text: str, end_text: str) -> Date | None:
    """The start of a period that has its year only at the end: "Sep" of "Sep - Dec 2023"."""
    end = parse_date(end_text)
    if end is None or end.year is None or re.search(r"\d{3}", start_text):
        return None
    return parse_date(f"{start_text} {end.year}")


def _parse_two_digit_end(start: Date, end_text: str) -> Date | None:
    """The end of a period that has its century only at the start: "21" of "2018-21"."""
    if start.year is None or start.month or not re.fullmatch(r"\d\d", end_text):
        return None
    year = start.year - start.year % 100 + int(end_text)
    return Date(year) if year > start.year else None


def _parse_expected_end(end_text: str) -> Date | None:
    """The expected end of a period that has not ended: May 2027 of "present (expected May 2027)"."""
    present_word, _, expected_text = end_text.replace("(", ",", 1).partition(",")
    end = parse_date(expected_text.strip(" )")) if is_present_word(present_word) else None
    return end if end and end.expected else None


_EXPECTED_MARK = re.compile(
    r"[(（]?\s*(?:\b(?:expected|anticipated|exp\.|voraussichtlich|voraussichtl\.)(?:\s+(?:graduation|completion|defen[cs]e))?"
    r"(?:\s+(?:in|on|by)\b)?|预计|預計)\s*[)）]?",
    re.IGNORECASE,
)
_APPROXIMATE_MARK = re.compile(r"^(?:~|≈|c\.|ca\.|circa\b|approx\.|about\b)\s*", re.IGNORECASE)


def _split_qualifiers(text: str) -> tuple[str, bool, bool]:
    """Split off "expected" and "about"; returns (date text, is approximate, is expected)."""
    core = " ".join(date_spellings.LATEX_TIE.sub(" ", text).split())
    unexpected_text = _EXPECTED_MARK.sub(" ", core).strip(" ,:")
    expected = unexpected_text != core.strip(" ,:")
    if re.fullmatch(r"\([^()]*\)|\[[^\[\]]*\]", unexpected_text):
        unexpected_text = unexpected_text[1:-1].strip()
    date_text = _APPROXIMATE_MARK.sub("", unexpected_text)
    return date_text, date_text != unexpected_text, expected


_YEAR_PATTERN = r"(?P<year>(?!0000)\d{4})"
_NAME_PATTERN = r"(?P<name>[^\W\d_]{3,})\.?"
_DATE_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        _YEAR_PATTERN,
        _YEAR_PATTERN + r"[-./](?P<month>\d{1,2})",
        _YEAR_PATTERN + r"[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
        _NAME_PATTERN + r",?\s*" + _YEAR_PATTERN,
        _YEAR_PATTERN + r",?\s+" + _NAME_PATTERN,
        r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?" + _NAME_PATTERN + r",?\s+" + _YEAR_PATTERN,
        _NAME_PATTERN + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+" + _YEAR_PATTERN,
        r"(?P<day>\d{1,2})-" + _NAME_PATTERN + r"-" + _YEAR_PATTERN,
        _YEAR_PATTERN + r",?\s+" + _NAME_PATTERN + r"\s+(?P<day>\d{1,2})",
        r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    )
)
_SEASON_AND_YEAR = re.compile(
    r"(?P<season>[a-z]{2,10})\.?\s*(?:(?P<year>(?!0000)\d{4})|['’‘](?P<short>\d\d))", re.IGNORECASE
)
_MONTH_AND_SHORT_YEAR = re.compile(_NAME_PATTERN + r"\s*['’‘](?P<short>\d\d)")
_SHORT_YEAR = re.compile(r"['’‘](?P<short>\d\d)")
_INCOMPLETE_YEAR = re.compile(r"(?:\d{3}[xX?]|\d\d[xX?]{2}|\d[xX?]{3})(?:[-./][\dxX?]{1,2})?")


def _parse_english_date(core: str) -> Date | None:
    if _INCOMPLETE_YEAR.fullmatch(core):
        return Date(None, text=core)
    season_match = _SEASON_AND_YEAR.fullmatch(core)
    if season_match and (season := SEASON_KEYS.get(season_match["season"].casefold())):
        return Date(date_spellings.expand_year(season_match["year"] or season_match["short"]), season=season)
    month_match = _MONTH_AND_SHORT_YEAR.fullmatch(core)
    if month_match and (month := parse_month_name(month_match["name"])):
        return Date(date_spellings.expand_year(month_match["short"]), month)
    if short_year_match := _SHORT_YEAR.fullmatch(core):
        return Date(date_spellings.expand_year(short_year_match["short"]))
    for pattern in _DATE_PATTERNS:
        if match := pattern.fullmatch(core):
            return _create_date(match.groupdict())
    return None


def _create_date(groups: Mapping[str, str | None]) -> Date | None:
    year, day = int(groups["year"] or 0), int(groups.get("day") or 0)
    month: int | None = int(groups.get("month") or 0)
    if name := groups.get("name"):
        month = parse_month_name(name)
        if month is None:
            season = SEASON_KEYS.get(name.casefold())
            return Date(year, season=season) if season and not day else None
    elif groups.get("month") is not None and not 1 <= (month or 0) <= 12:
        return None
    if groups.get("day") is not None and not (month and 1 <= day <= days_in_month(year, month)):
        return None
    return Date(year, month or None, day or None)


def days_in_month(year: int, month: int) -> int:
    """The number of days of a month, in the Gregorian calendar."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 28 if month == 2 and not leap else DAYS_IN_MONTH[month - 1]


def parse_month_name(name: str) -> int | None:
    """1 to 12 for an English month's name or an abbreviation of three letters or more ("Sept."), else None."""
    short = name.casefold().rstrip(".")
    if len(short) < 3:
        return None
    return next((n for n, month in enumerate(MONTH_NAMES, 1) if month.startswith(short)), None)
