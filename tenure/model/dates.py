"""
Dates and periods: parsing, sorting, and formatting.

A Date has the precision of its source, a Period a start and an end. A list of notations gives every meaning
of a text. One is the date, two are ambiguous, and a text without one is not a date: "5 Sep 2024" ->
Date(2024, 9, 5); "04/05/2024" -> 5 April or 4 May; "soon" -> none.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from tenure.limits import cache_texts
from tenure.record import Record, replace

MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
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
"""The month in which a season or a term begins, for sorting."""
PRESENT_WORDS = frozenset([
    "present", "now", "today", "ongoing", "current",
    "to date", "until now", "till now", "till date", "to present",
    "heute", "gegenwärtig", "jetzt", "laufend",
    "présent", "aujourd'hui", "aujourd’hui", "en cours",
    "actual", "actualmente", "actualidad", "la actualidad", "presente", "hoy",
    "oggi", "in corso", "attuale", "atual", "atualmente", "heden", "nu",
    "настоящее время", "по настоящее время", "н.в", "günümüz",
    "至今", "今", "现在", "現在", "حتى الآن", "الآن", "היום", "כיום", "اکنون", "تاکنون",
])  # fmt: skip
"""Words for an end that has not come, in the languages of the labels and in Japanese and Chinese."""

_FOREIGN_MONTHS = (
    "januar jänner janvier janv enero ene gennaio gen janeiro januari январь января ocak يناير ינואר ژانویه",
    "februar februari février févr fev febrero febbraio fevereiro февраль февраля şubat فبراير פברואר فوریه",
    "märz maerz mär mrz mars marzo março maart mrt март марта mart مارس מרץ",
    "avril avr abril abr aprile апрель апреля nisan أبريل ابريل אפריל آوریل",
    "mai mayo maggio mag maio mei май мая mayıs مايو מאי مه",
    "juni juin junio giugno giu junho июнь июня haziran يونيو يونيه יוני ژوئن",
    "juli juillet juil julio luglio lug julho июль июля temmuz يوليو يوليه יולי ژوئیه",
    "août aout agosto ago augustus август августа ağustos أغسطس اغسطس אוגוסט اوت",
    "septembre septiembre setiembre settembre set sett setembro сентябрь сентября eylül"
    " سبتمبر ספטמבר سپتامبر",
    "oktober okt octobre octubre ottobre ott outubro out октябрь октября ekim أكتوبر اكتوبر אוקטובר اکتبر",
    "novembre noviembre novembro ноябрь ноября kasım نوفمبر נובמבר نوامبر",
    "dezember dez décembre déc diciembre dic dicembre dezembro декабрь декабря aralık ديسمبر דצמבר دسامبر",
)
"""
Months in the languages of the labels: German, French, Spanish, Italian, Portuguese, Dutch, Russian, Turkish,
Arabic, Hebrew, Persian.

A name that means different months in two of these languages is omitted. Source: Unicode CLDR 44, the
Gregorian calendar.
"""

_SEASON_NAMES = {
    **{season: season for season in SEASON_MONTHS},
    "spring": "spring sp frühling frühjahr fruehjahr printemps primavera lente voorjaar весна ilkbahar 春 fs"
    " frühjahrssemester frühlingssemester",
    "summer": "summer su sommer été verano estate verão zomer лето yaz 夏",
    "fall": "fall fa autumn au herbst automne otoño autunno outono herfst najaar осень sonbahar 秋 hs"
    " herbstsemester",
    "winter": "winter wi hiver invierno inverno зима kış 冬",
    "winter_term": "winter_term ws wise wintersemester",
    "summer_term": "summer_term ss sose sommersemester",
}
_FILLER_WORDS = """
    of de del di do den der le el il am г року
    mon monday tue tues tuesday wed wednesday thu thurs thursday fri friday sat saturday sun sunday
    montag dienstag mittwoch donnerstag freitag samstag sonntag
    lundi mardi mercredi jeudi vendredi samedi dimanche
    lunes martes miércoles jueves viernes sábado domingo
"""
"""Words that say nothing about a date, and days of the week."""


class Date(Record):
    """
    A day, month, season or year, with the precision of its source; `expected` and `approximate` as it says.

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
            raise ValueError(f"“{text}” is not a valid date", "write 2024, Sep 2024, 2024-09-15 or Fall 2024")
        return date

    @property
    def iso(self) -> str:
        """The value of `<time datetime>` (HTML, 4.5.14), such as "2024-09"; "" without a year."""
        if self.year is None:
            return ""
        text = f"{self.year:04d}"
        if self.month:
            text += f"-{self.month:02d}"
            if self.day:
                text += f"-{self.day:02d}"
        return text

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """A chronological sort key; an unknown year is after every known one."""
        year = 9999 if self.year is None else self.year
        return year, self.month or SEASON_MONTHS.get(self.season, 0), self.day or 0

    def may_be_on_or_after(self, since: "Date") -> bool:
        """
        Whether the date may be on or after another one; an unknown part counts as the latest value.

        "2024" may be after May 2024, "fall 2024" too, "May 2024" not after June 2024; "in press" may be any.
        """
        if self.year is None or since.year is None:
            return True
        month = self.month or 99
        if self.season and not self.month:
            month = self.sort_key[1] + 3  # a season has three months
        return (self.year, month, self.day or 99) >= (since.year, since.month or 0, since.day or 0)

    def format_text(self, translations: Mapping[str, str], form: str = "short") -> str:
        """
        The date in words; `form` "long" writes months in full, "short" abbreviates them.

        A translation may have variants under "key.variant": a pattern has "short", "long" and "first" (first
        day of a month), a month has "day" (used with a day) and "alone".
        """
        text = self._format_parts(translations, form)
        if self.approximate:
            text = translations["date_approximate"].format(date=text)
        if self.expected:
            text = translations["date_expected"].format(date=text)
        return text

    def _format_parts(self, translations: Mapping[str, str], form: str) -> str:
        """5 September 2024, Sept. 2024, fall 2024, winter term 2024/25, 2024"""
        # "in press"
        if self.year is None:
            return self.text
        if self.season:
            season = translations.get(f"season_{self.season}", self.season.replace("_", " ").capitalize())
            year = str(self.year)
            if self.season == "winter_term":
                year = f"{self.year}/{(self.year + 1) % 100:02d}"
            return translations["date_season"].format(season=season, year=year)
        if not self.month:
            return translations["date_year"].format(year=self.year)

        month = _translation_form(translations, f"month_{form}_{self.month}", "day" if self.day else "alone")
        pattern = _translation_form(translations, "date_day" if self.day else "date_month", form)
        if self.day == 1:
            pattern = translations.get("date_day.first", pattern)
        return pattern.format(day=self.day, month=month, year=self.year)


def _translation_form(translations: Mapping[str, str], key: str, form: str) -> str:
    """A message in a variant, or in its usual form if the language has none."""
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
            hint = "write 2024, Sep 2024, 2024-09-15 or Sep 2021 - present"
            raise ValueError(f"“{text}” is not a valid date or period", hint)
        if period.has_end_before_start:
            raise ValueError(f"“{text}” ends before it starts", "put the earlier date first")
        return period

    @property
    def has_end_before_start(self) -> bool:
        """Whether the known parts of the end are before those of the start: "2024 – 2021"."""
        if self.start is None or self.end is None or None in (self.start.year, self.end.year):
            return False
        if self.start.year == self.end.year and "winter" in (self.start.season, self.end.season):
            return False  # winter is at the beginning and at the end of a year

        # "May 2024 – 2024" is no mistake: its end has no month, which is 0
        first = self.start.sort_key
        last = self.end.sort_key
        return any(a > b for a, b in zip(first, last, strict=True) if a and b) and last < first

    @property
    def sort_key(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """A sort key by end, then by start; ongoing periods are after ended ones."""
        start = self.start.sort_key if self.start else (0, 0, 0)
        end = self.end.sort_key if self.end else start
        if self.ongoing:
            end = (9999, 99, 99)
        return end, start

    def format_text(self, translations: Mapping[str, str], form: str = "short") -> str:
        """The period in words: "Sep 2021 – Present"; one date if the start and the end are equal."""
        start = self.start.format_text(translations, form) if self.start else ""
        end = self.end.format_text(translations, form) if self.end else ""
        if self.ongoing:
            end = translations["present"]

        if start and end and start != end:
            return translations["date_period"].format(start=start, end=end)
        if end and not start:
            return translations["date_until"].format(date=end)
        return start


MAX_DATE_LENGTH = 300
"""Characters of a date or period; a longer text is none, and to compare it with each notation takes time."""

_YEAR = r"(?P<year>(?!0000)\d{4})"
_NAME = r"(?P<name>[^\W\d]+)"
_TERM = r"(?: (?:term|semester|quarter|session))?"
_NUMERIC_NOTATIONS = (
    _YEAR,
    r"['’‘](?P<year>\d\d)",
    _YEAR + r"[-./](?P<month>\d{1,2})",
    _YEAR + r"[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})",
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    r"(?P<month>\d{1,2})[-./](?P<year>[12]\d{3})",
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?" + _YEAR,
)
DAY_FIRST = r"(?P<day>\d{1,2})([/-])(?P<month>\d{1,2})\2 ?" + _YEAR
MONTH_FIRST = r"(?P<month>\d{1,2})([/-])(?P<day>\d{1,2})\2 ?" + _YEAR
_NAMED_NOTATIONS = (
    _NAME + " ?" + _YEAR,
    _NAME + r" ?['’‘](?P<year>\d\d)",
    _YEAR + " ?" + _NAME + _TERM,
    r"(?P<day>\d{1,2}) ?" + _NAME + " ?" + _YEAR,
    _NAME + r" ?(?P<day>\d{1,2}) " + _YEAR,
    _YEAR + " ?" + _NAME + r" ?(?P<day>\d{1,2})",
    _NAME + _TERM + r" ?(?P<season_year>(?:\d\d)?\d\d)(?: ?[/ –-] ?(?P<next>(?:\d\d)?\d\d))?",
    _YEAR + r" ?年? ?(?P<name>[春夏秋冬])(?:[季天]|季?学期|季?學期)?",
    _YEAR + r" ?[年년](?: ?(?P<month>\d{1,2}) ?[月월])?(?: ?(?P<day>\d{1,2}) ?[日号號일])?",
)
"""
The notations of a date after `_translate_words`: "may 2024", "may'24", "2024 fall", "15 may 2024", "may 15
2024", "2024 may 15", "fall term 24" and "winter_term 2023/24", "2024年春季学期", "2024年5月10日".
"""
_INCOMPLETE_YEAR = r"(?:\d{3}[xX?]|\d\d[xX?]{2}|\d[xX?]{3})(?:[-./][\dxX?]{1,2})?"
"""202x, 20xx-05: a year that the author does not know yet."""

_TIME_OF_DAY = r"""(?xi)
    (?:\s*,\s*|\s+(?:at\s+|um\s+)?|(?<=\d)t)                           # 13 May 2024, 14:00
    (?P<time>
      (?:
        (?: \d{1,2}:\d\d(?P<seconds>:\d\d(?:\.\d+)?)?\s*(?:[ap]\.?m\.?|uhr|h)?
          | \d{1,2}\s*[ap]\.?m\.? )                                     # 2 pm
        (?:\s*[–-]\s*(?=\d))?                                          # 14:00–15:30
      ){1,2}
      \s*(?:z|utc|gmt|cest?|[+-]\d\d:?\d\d)?                           # 2024-09-15T10:00:00+01:00
    )$
"""
_EXPECTED_MARK = r"""(?xi)
    [(（]?\s*
    (?:\b(?:expected|anticipated|exp\.|voraussichtlich|voraussichtl\.)  # May 2027 (expected)
       (?:\s+(?:graduation|completion|defen[cs]e))?(?:\s+(?:in|on|by)\b)?
       |预计|預計)
    \s*[)）]?
"""
_APPROXIMATE_MARK = r"(?i)^(?:~|≈|c\.|ca\.|circa\b|approx\.|about\b)\s*"
"""~2020, ca. 2020, about 2020."""


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when the first text needs it."""
    return re.compile(pattern)


def parse_date(text: str) -> Date | None:
    """Parse one date in any accepted notation; None if it is not a date, or is ambiguous."""
    dates = find_dates(text)
    return dates[0] if len(dates) == 1 else None


@cache_texts
def find_dates(text: str, orders: tuple[str, ...] = (MONTH_FIRST, DAY_FIRST)) -> tuple[Date, ...]:
    """Every meaning of a text as one date: "5 Sep 2024" has one, "04/05/2024" two, "soon" none."""
    if len(text) > MAX_DATE_LENGTH or not _compile(r"\d").search(text):
        return ()

    # "~ May 2027 (expected)" -> "May 2027"
    spaced = " ".join(text.split())
    bare = _compile(_EXPECTED_MARK).sub(" ", spaced).strip(" ,:")
    expected = bare != spaced.strip(" ,:")
    # "(2024)"
    if _compile(r"\([^()]*\)|\[[^\[\]]*\]").fullmatch(bare):
        bare = bare[1:-1].strip()
    core = _compile(_APPROXIMATE_MARK).sub("", bare)
    approximate = core != bare
    if _compile(_INCOMPLETE_YEAR).fullmatch(core):
        return (Date(None, text=core, approximate=approximate, expected=expected),)

    return tuple(
        replace(date, approximate=approximate, expected=expected) for date in _match_notations(core, orders)
    )


def _match_notations(text: str, orders: tuple[str, ...]) -> Iterable[Date]:
    """The dates of a text without marks, each once."""
    text = _compile(_TIME_OF_DAY).sub("", text)
    if _compile(r"[^\W\d_]").search(text):
        text = _translate_words(text)

    has_name = _compile(r"[^\W\d_]").search(text) is not None
    notations = _NAMED_NOTATIONS if has_name else (*_NUMERIC_NOTATIONS, *orders)
    matches = filter(None, (_compile(notation).fullmatch(text) for notation in notations))
    return dict.fromkeys(filter(None, (_create_date(match.groupdict()) for match in matches)))


def find_time(text: str) -> str:
    """
    The time of day as it is written: "13 May 2025, 14:00" -> "14:00"; "" for that of a program, with seconds.
    """
    time = _compile(_TIME_OF_DAY).search(text.strip())
    return time["time"] if time and not time["seconds"] else ""


def _translate_words(text: str) -> str:
    """A date with English names and without other words: "Montag, 15. de Mayo de 2024" -> "15 may 2024"."""
    text = _compile(r"(?i)\b(winter|summer)[ -]semester\b").sub(r"\1_term", text)
    # "1st", "1er", "1º"
    text = _compile(r"(?<=\d)(?:st|nd|rd|th|er|[º°ª])(?!\w)").sub("", text)
    text = _compile(r"[^\W\d]+").sub(_translate_word, text)
    # "15. may", "sept.2024", "may,2024", "may-2024", "15-may"
    signs = r"[,.](?=\s|$)|(?<=[^\W\d])[,.]|,|\.(?=[^\W\d])|(?<=[^\W\d])\.?-(?=\d)|(?<=\d)-(?=[^\W\d])"
    return " ".join(_compile(signs).sub(" ", text).split())


def _translate_word(match: re.Match[str]) -> str:
    """Mayo -> may, Herbst -> fall, Montag -> "" because it says nothing; any other word as it is."""
    month = parse_month_name(match[0])
    if month:
        return MONTH_NAMES[month - 1]
    return _read_words().get(_fold_word(match[0]), match[0])


@cache
def _read_words() -> Mapping[str, str]:
    """English names of months and keys of seasons, by their names in all languages without accents."""
    rows = [*zip(MONTH_NAMES, _FOREIGN_MONTHS, strict=True), *_SEASON_NAMES.items(), ("", _FILLER_WORDS)]
    return {_fold_word(word): name for name, words in rows for word in words.split()}


def parse_season_name(name: str) -> str:
    """The key of a season, "fall" of "Autumn" and "Herbst"; "" for another word."""
    season = _read_words().get(_fold_word(name), "")
    return season if season in SEASON_MONTHS else ""


def _fold_word(word: str) -> str:
    """A word in lower case without accents."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _create_date(groups: Mapping[str, str | None]) -> Date | None:
    """
    The date of a match; None for a month or day that does not exist, and for another word.

    {year: 2024, name: May, day: 4} -> 2024-05-04; {year: 2024, name: spring} -> spring 2024
    """
    year = _expand_year(groups.get("year") or groups.get("season_year") or "")
    day = int(groups.get("day") or 0)
    name = groups.get("name") or ""
    season = parse_season_name(name)
    following = groups.get("next")
    if following:  # "winter 2023/24", but no "spring 2023/24" or "winter 2023/27"
        is_winter = season in ("winter", "winter_term") and _expand_year(following) == year + 1
        return Date(year, season="winter_term") if is_winter else None
    if season:
        return None if day else Date(year, season=season)
    # "may 24" is a day or a year
    if groups.get("season_year"):
        return None
    return _create_calendar_date(year, name, groups.get("month"), groups.get("day"))


def _create_calendar_date(year: int, name: str, number: str | None, day_text: str | None) -> Date | None:
    """
    The date of a year, a month by its name or number, and a day; what is not written is left out.

    2024, "May", None, "13" -> 13 May 2024; None for the month 13, for 30 February, and for another word.
    """
    if not name and not number:
        month = None
    else:
        month = parse_month_name(name) if name else int(number or 0)
        if not month or month > 12:
            return None

    day = int(day_text or 0)
    if day_text and not 1 <= day <= days_in_month(year, month or 1):
        return None
    return Date(year, month, day or None)


def _expand_year(digits: str) -> int:
    """A year of four or two digits; 70 to 99 are years of the last century."""
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + 1900 if year >= 70 else year + 2000


def days_in_month(year: int, month: int) -> int:
    """The number of days of a month, in the Gregorian calendar."""
    return monthrange(year, month)[1]


@cache_texts
def parse_month_name(name: str) -> int | None:
    """
    1 to 12 for an English month's name or an abbreviation of three letters or more ("Sept."), else None.
    """
    short = name.casefold().rstrip(".")
    if len(short) < 3:
        return None
    return next((n for n, month in enumerate(MONTH_NAMES, 1) if month.startswith(short)), None)


_DURATION = r"""(?xi)
    \s*[(,·]\s*                                                          # · 1 yr 2 mos
    (?:\d{1,3}(?:\.5)?\s*(?:years?|yrs?\.?|months?|mos?\.?|weeks?)[\s,]*(?:and\s+)?){1,2}\)?\s*$
"""
_ACADEMIC_YEAR = r"(?i)\b(?:AY|academic year)\s+(?=\d{4}\s*[/–-]\s*\d\d)"
"""The word of AY 2023/24."""

_DAYS_OF_MONTH = r"([^\W\d_]+)\.? (\d{1,2}) ?[-–] ?(\d{1,2}),? (\d{4})"
"""May 13-15, 2024."""

_SINCE = r"(?i)(?:since|from|seit|ab|depuis|desde|dal|sinds|с)\s+(.+)"
"""since 2020, seit Mai 2020."""

_UNTIL = r"(?i)(?:until|till|bis|jusqu'à|hasta|fino al?|até|tot)\s+(.+)"
"""until 2020, bis Mai 2020."""

_RANGE_SEPARATOR = r"""(?xi)
    \s*(?:–|—|--+|～|〜|(?<=\d)~(?=\d)|至(?!今)|(?=至今))\s*             # 2018–2021, 2021年至今
    | \s+(?=to\s+date\b)
    | \s+(?:-|to|until|till|bis|through|à|au|hasta|al?|até|tot)\s+
    | (?<=[\d\w.])\s*-\s*(?=\S) | \s*/\s* | \s*-\s*$                   # Sep-Dec 2023, May/June 2020, 2021 -
"""


def parse_period(text: str) -> Period | None:
    """Parse a period, an open period or a single date; None if the text is none of them, or is ambiguous."""
    periods = find_periods(text)
    return periods[0] if len(periods) == 1 else None


@cache_texts
def find_periods(text: str) -> tuple[Period, ...]:
    """
    Every meaning of a text as a period, an open period or a single date; () if it has none.

    "2019-2021", "since 2020", "until May 2024", "May 13-15, 2024"; "03/04/2024" has two meanings.
    """
    if len(text) > MAX_DATE_LENGTH or not _compile(r"\d").search(text):
        return ()

    text = text.replace("－", "–").strip()
    # "2019 - 2021 (2 years)" -> "2019 - 2021"; "academic year 2023/24" -> "2023/24"
    text = _compile(_DURATION).sub("", text) or text
    text = _compile(_ACADEMIC_YEAR).sub("", text)
    if dates := find_dates(text):
        return tuple(Period(start=date) for date in dates)
    if since := _compile(_SINCE).fullmatch(text):
        return tuple(Period(start=date, ongoing=True) for date in find_dates(since[1]))
    if until := _compile(_UNTIL).fullmatch(text):
        return tuple(Period(end=date) for date in find_dates(until[1]))
    if days := _compile(_DAYS_OF_MONTH).fullmatch(text):  # May 13-15, 2024
        text = f"{days[2]} {days[1]} {days[4]} - {days[3]} {days[1]} {days[4]}"

    # a hyphen and a slash also stand within a date: other separators are tried first
    separators = _compile(_RANGE_SEPARATOR).finditer(text)
    for separator in sorted(separators, key=lambda match: (match[0].strip() in "-/", match.start())):
        start = text[: separator.start()].strip()
        end = text[separator.end() :].strip()
        if periods := tuple(dict.fromkeys(_find_ranges(start, end))):
            return periods
    return ()


def is_present_word(text: str) -> bool:
    """Whether a text is a word for an ongoing period, such as "present"."""
    return text.casefold().strip(" .()") in PRESENT_WORDS


def _find_ranges(start_text: str, end_text: str) -> Iterator[Period]:
    """The periods from a date to another one or to now; both have the same order of day and month."""
    for order in (MONTH_FIRST, DAY_FIRST):
        # "13.-15. Mai 2024": the end may complete the start
        end = next(iter(find_dates(end_text, (order,))), None)
        start = next(iter(find_dates(start_text, (order,))), None) or _complete_start(start_text, end)
        if not start:
            continue
        if not end_text or is_present_word(end_text):
            # what is expected has not begun: "Jan 2027 (expected) - present" is its start
            yield Period(start=start, ongoing=not start.expected)
        elif end := end or _complete_end(start, end_text):
            yield Period(start=start, end=end)


def _complete_start(text: str, end: Date | None) -> Date | None:
    """
    The start of a period that has its year or month only at the end.

    "Sep" of "Sep - Dec 2023", "13." of "13.-15. Mai 2024"
    """
    has_own_year = _compile(r"\d{3}").search(text)
    if end is None or end.year is None or not text or has_own_year:
        return None

    only_day = _compile(r"(\d{1,2})\.?").fullmatch(text)
    if only_day and end.day:
        day = int(only_day[1])
        return Date(end.year, end.month, day) if 1 <= day < end.day else None
    return parse_date(f"{text} {end.year}")


def _complete_end(start: Date, text: str) -> Date | None:
    """The end without its century, "21" of "2018-21", or after a word, "present (expected May 2027)"."""
    if start.year and not start.month and _compile(r"\d\d").fullmatch(text):
        year = start.year - start.year % 100 + int(text)
        return Date(year) if year > start.year else None

    present_word, _, expected_text = text.replace("(", ",", 1).partition(",")
    end = parse_date(expected_text.strip(" )")) if is_present_word(present_word) else None
    return end if end and end.expected else None
