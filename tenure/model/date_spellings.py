"""Rewrites dates in the notation of other languages and programs, so that `dates.py` can parse them."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

_MONTH_NAMES = {
    1: "januar jänner janvier janv enero ene gennaio gen janeiro januari januar tammikuu styczeń stycznia leden ledna январь января ocak",
    2: "februar feber février févr fev febrero febbraio fevereiro februari helmikuu luty lutego únor února февраль февраля şubat",
    3: "märz maerz mär mrz mars marzo março maart mrt marts maaliskuu marzec marca březen března март марта mart",
    4: "april avril avr abril abr aprile apr huhtikuu kwiecień kwietnia duben dubna апрель апреля nisan",
    5: "mai mayo maggio mag maio mei maj toukokuu maja květen května май мая mayıs",
    6: "juni juin junio giugno giu junho kesäkuu czerwiec czerwca červen června июнь июня haziran",
    7: "juli juillet juil julio luglio lug julho heinäkuu lipiec lipca červenec července июль июля temmuz",
    8: "august août aout agosto ago augustus augusti elokuu sierpień sierpnia srpen srpna август августа ağustos",
    9: "september septembre septiembre setiembre settembre set sett setembro syyskuu wrzesień września září сентябрь сентября eylül",
    10: "oktober okt octobre octubre ottobre ott outubro out lokakuu październik października říjen října октябрь октября ekim",
    11: "november novembre noviembre novembro marraskuu listopad listopada listopadu ноябрь ноября kasım",
    12: "dezember dez décembre déc diciembre dic dicembre dezembro december desember joulukuu grudzień grudnia prosinec prosince декабрь декабря aralık",
}  # fmt: skip
"""
Names and abbreviations of months: German, French, Spanish, Italian, Portuguese, Dutch, Danish, Norwegian, Swedish, Finnish,
Polish, Czech, Russian, Turkish. A name that means different months in two of these languages is omitted.

Source: Unicode CLDR 44, the Gregorian calendar of these languages.
"""

_MONTH_NAMES_RIGHT_TO_LEFT = {
    1: "يناير ינואר ژانویه",
    2: "فبراير פברואר فوریه",
    3: "مارس מרץ",
    4: "أبريل ابريل אפריל آوریل",
    5: "مايو מאי مه",
    6: "يونيو يونيه יוני ژوئن",
    7: "يوليو يوليه יולי ژوئیه",
    8: "أغسطس اغسطس אוגוסט اوت",
    9: "سبتمبر ספטמבר سپتامبر",
    10: "أكتوبر اكتوبر אוקטובר اکتبر",
    11: "نوفمبر נובמבר نوامبر",
    12: "ديسمبر דצמבר دسامبر",
}
"""Names of months in Arabic, Hebrew and Persian. Source: Unicode CLDR 44, the Gregorian calendar of these languages."""

_SEASON_NAMES = {
    "spring": "frühling frühjahr fruehjahr printemps primavera lente voorjaar forår vår wiosna jaro весна ilkbahar",
    "summer": "sommer été verano estate verão zomer lato léto лето yaz",
    "fall": "herbst automne otoño autunno outono herfst najaar efterår høst höst jesień podzim осень sonbahar",
    "winter": "hiver invierno inverno vinter zima зима kış",
}

ENGLISH_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")  # fmt: skip


def _normalize_word(word: str) -> str:
    """A word in lower case without accents."""
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


ENGLISH_NAMES: Mapping[str, str] = {
    **{
        _normalize_word(name): ENGLISH_MONTHS[number - 1]
        for table in (_MONTH_NAMES, _MONTH_NAMES_RIGHT_TO_LEFT)
        for number, names in table.items()
        for name in names.split()
    },
    **{
        _normalize_word(name): season.capitalize()
        for season, names in _SEASON_NAMES.items()
        for name in names.split()
    },
}
"""English names of months and seasons, by their names in other languages in lower case without accents."""

FOREIGN_PRESENT_WORDS = frozenset(
    ["heute", "gegenwärtig", "jetzt", "laufend", "présent", "aujourd'hui", "aujourd’hui", "en cours", "actual", "actualmente", "actualidad", "la actualidad", "presente", "hoy", "oggi", "in corso", "attuale", "atual", "atualmente", "heden", "nu", "nå", "dziś", "obecnie", "současnost", "dnes", "настоящее время", "по настоящее время", "н.в", "günümüz", "至今", "今", "现在", "現在", "until now", "till now", "till date", "to present", "حتى الآن", "الآن", "היום", "כיום", "اکنون", "تاکنون"]
)  # fmt: skip
"""Non-English words for the end of an ongoing period."""

_WEEKDAY_PREFIX = re.compile(
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag"
    r"|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
    r"\.?,?\s+(?=\D*\d)",
    re.IGNORECASE,
)
_TIME_SUFFIX = re.compile(
    r"(?:\s*,\s*|\s+(?:at\s+|um\s+)?|[Tt])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:[ap]\.?m\.?|uhr|h)?\s*"
    r"(?:z|utc|gmt|cest?|[+-]\d\d:?\d\d)?$",
    re.IGNORECASE,
)
"""A time of day after a date. Source: ISO 8601-1:2019, and the front matter that Jekyll and Hugo write."""

_UNIVERSITY_TERM = re.compile(
    r"(?:(?P<winter>ws|wise|wintersemester|winter[\s-]semester|winter(?=(?:\s+term)?\s+\d{4}\s*[/–-]\s*\d\d))"
    r"|ss|sose|sommersemester|summer[\s-]semester)(?:\s+term)?[\s.]*(?P<year>(?:\d\d)?\d\d)(?:\s*[/–-]\s*(?P<next>(?:\d\d)?\d\d))?",
    re.IGNORECASE,
)
"""Terms of universities that have a winter and a summer term: "WS 2023/24", "SoSe 24"."""

_TEACHING_SEASON = re.compile(
    r"(winter|spring|summer|fall|autumn)[\s-]+(?:term|semester|quarter|session)\s+(\d{4})"
    r"|(\d{4})\s+(winter|spring|summer|fall|autumn)[\s-]+(?:term|semester|quarter|session)",
    re.IGNORECASE,
)
_SHORT_SEASON = re.compile(r"(winter|spring|summer|fall|autumn|fa|sp|su|au|wi)\s*(\d\d)", re.IGNORECASE)
_SWISS_SEMESTER = re.compile(r"(HS|FS|Herbstsemester|Frühjahrssemester|Frühlingssemester)\s*((?:\d\d)?\d\d)")
_EAST_ASIAN_DATE = re.compile(r"(\d{4})\s*[年년](?:\s*(\d{1,2})\s*[月월])?(?:\s*(\d{1,2})\s*[日号號일])?")
_EAST_ASIAN_SEASONS = {"春": "spring", "夏": "summer", "秋": "fall", "冬": "winter"}
_EAST_ASIAN_SEASON = re.compile(r"(\d{4})\s*年?\s*([春夏秋冬])(?:季|天|季?学期|季?學期|学期)?")
_JAPANESE_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""The year before the first year of each era."""

_JAPANESE_YEAR = re.compile(r"(明治|大正|昭和|平成|令和)\s*(元|\d{1,2})\s*年")
_DAY_FIRST_DATE = re.compile(r"(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4})")
_MONTH_AND_YEAR = re.compile(r"(\d{1,2})[./-]([12]\d{3})")
_MONTH_AND_SHORT_YEAR = re.compile(r"(0?[1-9]|1[0-2])/(\d\d)")
_FILLER_WORDS = frozenset({"de", "del", "di", "do", "den", "der", "le", "el", "il", "am", "г", "року"})
_ORDINAL_DAY = re.compile(r"\b(\d{1,2})(?:er|º|°|ª|\.)(?=\s)")


def parse_university_term(text: str) -> tuple[str, int] | None:
    """The season key ("winter_term") and the first year of a university term, or None."""
    match = _UNIVERSITY_TERM.fullmatch(text)
    if match is None:
        return None
    year = expand_year(match["year"])
    if match["next"] and (not match["winter"] or expand_year(match["next"]) != year + 1):
        return None
    return ("winter_term" if match["winter"] else "summer_term"), year


def expand_year(digits: str) -> int:
    """A year of four or two digits; 70 to 99 are years of the last century."""
    return int(digits) + (0 if len(digits) == 4 else 1900 if int(digits) >= 70 else 2000)


def generate_spellings(text: str) -> Iterator[str]:
    """The possible meanings of a text as one date, in a notation that `dates.py` parses; several if it is ambiguous."""
    date_text = _WEEKDAY_PREFIX.sub("", _TIME_SUFFIX.sub("", text), count=1).strip(" ,")
    if date_text != text:
        yield date_text
    yield from _generate_numeric_spellings(date_text)
    if match := _TEACHING_SEASON.fullmatch(date_text):
        yield f"{match[1] or match[4]} {match[2] or match[3]}"
    elif match := _SHORT_SEASON.fullmatch(date_text):
        yield f"{match[1]} {expand_year(match[2])}"
    elif match := _SWISS_SEMESTER.fullmatch(date_text):
        yield f"{'Fall' if match[1].startswith('H') else 'Spring'} {expand_year(match[2])}"
    elif re.search(r"[^\W\d_]", date_text):
        translated = _translate_to_english(date_text)
        if translated != date_text:
            yield translated


def _generate_numeric_spellings(text: str) -> Iterator[str]:
    """Spellings of a numeric date that does not begin with its year; with dots the day is first."""
    text = _JAPANESE_YEAR.sub(
        lambda era: f"{_JAPANESE_ERAS[era[1]] + (1 if era[2] == '元' else int(era[2]))}年", text
    )
    if match := _EAST_ASIAN_SEASON.fullmatch(text):
        yield f"{_EAST_ASIAN_SEASONS[match[2]]} {match[1]}"
    elif match := _EAST_ASIAN_DATE.fullmatch(text):
        yield "-".join(f"{number:0>2}" for number in match.groups() if number)
    elif match := _DAY_FIRST_DATE.fullmatch(text):
        first, separator, second, year = match.groups()
        yield f"{year}-{second:0>2}-{first:0>2}"
        if separator != "." and first != second:
            yield f"{year}-{first:0>2}-{second:0>2}"
    elif match := _MONTH_AND_YEAR.fullmatch(text):
        yield f"{match[2]}-{match[1]:0>2}"


def _translate_to_english(text: str) -> str:
    """A date with its month or season in English, and without filler words."""
    words = (
        ENGLISH_NAMES.get(_normalize_word(word.strip(".,")), word)
        for word in _ORDINAL_DAY.sub(r"\1", text).split()
        if _normalize_word(word.strip(".")) not in _FILLER_WORDS
    )
    return " ".join(words)


LATEX_TIE = re.compile(r"(?<=[^\W\d_.])~(?=\d)|(?<=\.)~(?=\w)")
"""A space that LaTeX does not break, as in "Oct.~2015"; between two numbers, ~ is a dash."""

_DURATION = re.compile(
    r"\s*[(,·]\s*(?:\d{1,3}(?:\.5)?\s*(?:years?|yrs?\.?|months?|mos?\.?|weeks?)[\s,]*(?:and\s+)?){1,2}\)?\s*$", re.IGNORECASE
)  # fmt: skip
_ACADEMIC_YEAR = re.compile(r"(?:AY|academic year)\s+(\d{4}\s*[/–-]\s*\d\d(?:\d\d)?)", re.IGNORECASE)


def remove_duration(text: str) -> str:
    """A period without its length, "(14 months)", which its dates contain, and without "academic year" before it."""
    return _ACADEMIC_YEAR.sub(r"\1", _DURATION.sub("", text) or text)


def split_months_of_season(text: str) -> tuple[str, str] | None:
    """The season and its months with their year: "Summer 2025" and "June–Sept 2025" of "Summer 2025 (June–Sept)"."""
    match = re.fullmatch(r"([^()]*[^\W\d_][^()]*\s(\d{4}))\s*\(([^()\d]+)\)", text.strip())
    return (match[1], f"{match[3]} {match[2]}") if match else None


def order_numeric_range(bounds: tuple[str, str]) -> tuple[str, str]:
    """The two dates of a period with numbers that only the other date explains: 09/01/2023 - 08/31/2026, or 10/17 - 09/18."""
    matches = [_DAY_FIRST_DATE.fullmatch(text) for text in bounds]
    if all(matches):
        month_first = [int(match[1]) <= 12 < int(match[3]) for match in matches if match]
        day_first = [int(match[3]) <= 12 < int(match[1]) for match in matches if match]
        if any(month_first) and not any(day_first):
            return (
                _DAY_FIRST_DATE.sub(r"\4-\1-\3", bounds[0]),
                _DAY_FIRST_DATE.sub(r"\4-\1-\3", bounds[1]),
            )
        if any(day_first) and not any(month_first):
            return (
                _DAY_FIRST_DATE.sub(r"\4-\3-\1", bounds[0]),
                _DAY_FIRST_DATE.sub(r"\4-\3-\1", bounds[1]),
            )
    months = [match for text in bounds if (match := _MONTH_AND_SHORT_YEAR.fullmatch(text))]
    is_each_month = len(months) == 2 or not re.search(r"\d", bounds[1])
    if months and is_each_month and any(int(match[2]) > 12 for match in months):
        expanded = [f"{expand_year(match[2])}-{match[1]:0>2}" for match in months]
        return expanded[0], (expanded[1] if len(expanded) == 2 else bounds[1])
    return bounds


def split_day_range(text: str) -> tuple[str, str] | None:
    """The first and the last day of a range in one month ("May 13-15, 2024", "13.-15. Mai 2024"), or None."""
    month_first = re.fullmatch(r"([^\W\d_]+)\.? (\d{1,2}) ?[-–] ?(\d{1,2}),? (\d{4})", text)
    if month_first:
        month, first, last, year = month_first.groups()
        return f"{first} {month} {year}", f"{last} {month} {year}"
    in_words = re.fullmatch(r"(\d{1,2})\.? ?[-–] ?(\d{1,2})\.? ([^\W\d_]+)\.?,? (\d{4})", text)
    if in_words:
        first, last, month, year = in_words.groups()
        return f"{first} {month} {year}", f"{last} {month} {year}"
    in_figures = re.fullmatch(r"(\d{1,2})\. ?[-–] ?(\d{1,2})\.(\d{1,2})\.(\d{4})", text)
    if in_figures:
        first, last, month, year = in_figures.groups()
        return f"{first}.{month}.{year}", f"{last}.{month}.{year}"
    return None


_SINCE_PHRASE = re.compile(r"(?:since|from|seit|ab|depuis|desde|dal|sinds|od|с)\s+(.+)", re.IGNORECASE)
_UNTIL_PHRASE = re.compile(r"(?:until|till|bis|jusqu'à|hasta|fino al?|até|tot)\s+(.+)", re.IGNORECASE)


def extract_since_date(text: str) -> str:
    """The date of "since 2020", or ""."""
    match = _SINCE_PHRASE.fullmatch(text.strip())
    return match[1] if match else ""


def extract_until_date(text: str) -> str:
    """The date of "until 2024", or ""."""
    match = _UNTIL_PHRASE.fullmatch(text.strip())
    return match[1] if match else ""
