"""Suggestions for dates and periods that cannot be parsed."""

import re
from collections.abc import Iterator

from tenure.model.dates import (
    MONTH_NAMES,
    SEASON_KEYS,
    days_in_month,
    is_present_word,
    parse_date,
    parse_month_name,
    parse_period,
)
from tenure.problems import find_similar_word

UNKNOWN_DATE_TERMS = frozenset(
    {
        "tbd",
        "tba",
        "soon",
        "unknown",
        "n/a",
        "to appear",
        "forthcoming",
        "to be announced",
        "to be determined",
    }
)
DATE_WORDS = (
    *MONTH_NAMES,
    *(name[:3] for name in MONTH_NAMES),
    *(name for name in SEASON_KEYS if len(name) > 2),
    "present",
)
_DATE_PREFIX = re.compile(
    r"^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?|early|mid|late|beginning of|end of|class of)[\s-]+",
    re.IGNORECASE,
)
"""Text before a date that is ignored: weekdays, "early"."""

_TIME_OF_DAY = re.compile(r"[,\sT]+(?:at\s+)?\d{1,2}:\d\d.*$")

_ACADEMIC_TERM = re.compile(
    r"(?:(?P<season>winter|spring|summer|fall|autumn)[\s-]+(?:term|semester|quarter|session)|(?P<winter>WS|WiSe|Wintersemester)"
    r"|SS|SoSe|Sommersemester)\s*(?P<years>(?:\d\d)?\d\d(?:\s*[/–-]\s*(?:\d\d)?\d\d)?)",
    re.IGNORECASE,
)
"""Academic terms: "WS 2023/24", "Spring semester 2024"."""


def suggest_date(text: str) -> str:
    """Return a hint for a date or period that cannot be parsed, or "" if no suggestion is similar."""
    normalized = " ".join(text.split())
    if normalized.strip(" .?()").casefold() in UNKNOWN_DATE_TERMS:
        return "delete the date until it is known"
    if is_present_word(normalized):
        return f"write its start before it: 2021 - {normalized}"
    if not re.search(r"\d{3}", normalized) and parse_date(f"{normalized} 2024"):
        return f"add its year: {normalized} 2024"
    periods = (form for form in _possible_periods(normalized) if parse_period(form))
    suggestions = [*dict.fromkeys(_possible_dates(normalized))] or [*dict.fromkeys(periods)]
    if suggestions:
        return f"write {' or '.join(suggestions[:2])}"
    forms = (normalized, *_numeric_date_orders(normalized))
    return _explain_impossible_date(normalized) or _explain_impossible_date(forms[-1])


def _possible_periods(text: str) -> Iterator[str]:
    """Yield the periods that a text may mean."""
    term = _ACADEMIC_TERM.fullmatch(text)
    if term:
        season = (term["season"] or ("winter" if term["winter"] else "summer")).capitalize()
        years = re.sub(r"\s*[/–-]\s*", "/", term["years"])
        yield f"{season} {years}" if re.match(r"\d{4}", years) else f"{season} 20{years}"
    month_first = re.fullmatch(r"([^\W\d_]+)\.? (\d{1,2}) ?[-–] ?(\d{1,2}),? (\d{4})", text)
    days_first = re.fullmatch(r"(\d{1,2}) ?[-–] ?(\d{1,2}) ([^\W\d_]+)\.?,? (\d{4})", text)
    if month_first:
        yield f"{month_first[2]} {month_first[1]} {month_first[4]} - {month_first[3]} {month_first[1]} {month_first[4]}"
    if days_first:
        yield f"{days_first[1]} {days_first[3]} {days_first[4]} - {days_first[2]} {days_first[3]} {days_first[4]}"
    for separator in (
        r"\s*(?:–|—|--|(?<=\d)[~～])\s*|\s+(?:-|to|until)\s+",
        r"\s*-\s*",
        r"\s*,\s*|\s+and\s+|\s*&\s*",
    ):
        texts = re.split(separator, text)
        if len(texts) > 1:
            last = re.sub(r"^(\d\d)\d\d/(\d\d)$", r"\1\2", texts[-1])  # the end of an academic year
            ends = [next(_possible_dates(text_part), "") for text_part in (texts[0], last)]
            if all(ends):
                yield " - ".join(ends)


def _possible_dates(text: str) -> Iterator[str]:
    """Yield the dates that a text may mean. A valid date gives itself."""
    if parse_date(text) or is_present_word(text):
        yield text
        return
    date_text = _TIME_OF_DAY.sub("", _DATE_PREFIX.sub("", text))
    short_year = re.fullmatch(r"['’‘](\d\d)", text)
    if short_year:
        yield f"20{short_year[1]}"
    academic_year = re.fullmatch(r"(\d{4})/\d\d(?:\d\d)?", text)
    if academic_year:
        yield academic_year[1]
    yield from (
        form
        for form in (date_text, *_numeric_date_orders(date_text), _correct_date_spelling(date_text))
        if parse_date(form) or form == "present"
    )


def _numeric_date_orders(text: str) -> Iterator[str]:
    """Yield a numeric date in ISO order for each order of day, month and year that is possible."""
    match = re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})", text)
    if match:
        first, second, year = match.groups()
        yield f"{year}-{first:0>2}-{second:0>2}"
        if first != second:
            yield f"{year}-{second:0>2}-{first:0>2}"
    match = re.fullmatch(r"(\d{1,2})[./-](\d{4})", text)
    if match:
        yield f"{match[2]}-{match[1]:0>2}"
    match = re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", text)
    if match:
        yield f"{match[1]}-{match[3]:0>2}-{match[2]:0>2}"
    match = re.fullmatch(r"(\d{4})年(?:(\d{1,2})月)?(?:(\d{1,2})日)?", text)
    if match:
        yield "-".join(f"{part:0>2}" for part in match.groups() if part)


def _correct_date_spelling(text: str) -> str:
    """Return a date with the names of months and seasons corrected and a year of four digits."""
    corrected = re.sub(r"[^\W\d_]{3,}", lambda match: _correct_date_word(match[0]), text)
    corrected = re.sub(r"(?<=\d)\.(?= )", "", corrected)
    return re.sub(r"^([^\W\d_]+)\.? '?(\d\d)$", r"\1 20\2", corrected)


def _correct_date_word(word: str) -> str:
    if parse_month_name(word) or word.casefold() in SEASON_KEYS:
        return word
    similar = find_similar_word(word, DATE_WORDS)
    return similar if similar == "present" else similar.capitalize() or word


def _explain_impossible_date(text: str) -> str:
    """Return why a well-formed date does not exist, or ""."""
    match = re.fullmatch(r"\d{4}[-./](\d{1,2})(?:[-./](\d{1,2}))?", text)
    if match and not 1 <= int(match[1]) <= 12:
        return "a month is 01 to 12"
    month_match = re.fullmatch(r"(?:\d{1,2}\D* )?([^\W\d_]{3,})\.?(?: \d{1,2}\D*)? \d{4}", text)
    month = int(match[1]) if match and match[2] else parse_month_name(month_match[1]) if month_match else None
    if month:
        year = int(re.findall(r"\d{4}", text)[0])
        days = days_in_month(year, month)
        return f"{MONTH_NAMES[month - 1].capitalize()}{f' {year}' if month == 2 else ''} has {days} days"
    return "a year has four digits: 2024" if re.fullmatch(r"\d{5,}", text) else ""
