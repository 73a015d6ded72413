"""
Suggestions for dates and periods that cannot be parsed.

"04/05/2024" -> write 2024-05-04 or 2024-04-05;
"Febuary 2024" -> write February 2024; "2024-13" -> a month is 01 to 12.
"""

import re

from tenure.model.dates import (
    MONTH_NAMES,
    SEASON_MONTHS,
    Period,
    days_in_month,
    find_periods,
    is_present_word,
    parse_date,
    parse_month_name,
    parse_season_name,
)
from tenure.problems import find_similar_word

UNKNOWN_DATES = frozenset(
    [
        "forthcoming",
        "n/a",
        "soon",
        "tba",
        "tbd",
        "to appear",
        "to be announced",
        "to be determined",
        "unknown",
    ]
)  # fmt: skip
DATE_WORDS = (*MONTH_NAMES, *(name[:3] for name in MONTH_NAMES), *SEASON_MONTHS, "autumn", "present")


def suggest_date(text: str) -> str:
    """
    The repair for a date or period: its meanings,
    a corrected spelling, or why it does not exist; "" if none is known.
    """
    text = " ".join(text.split())
    bare_text = text.strip("“”„«»‘’")
    if bare_text != text:
        return f"write {bare_text} without the curly quotes"
    # (TBA), soon?
    if text.strip(" .?()").casefold() in UNKNOWN_DATES:
        return "delete the date until it is known"
    if is_present_word(text):
        return f"write its start before it: 2021 - {text}"
    # May, 4 May
    if not re.search(r"\d{3}", text) and parse_date(f"{text} 2024"):
        return f"add its year: {text} 2024"

    # Febuary 2024 -> February 2024; mid-2024 -> 2024; May '24 -> May 2024
    corrected = re.sub(r"[^\W\d_]{3,}", _correct_word, text)
    corrected = re.sub(r"(?i)^(?:early|mid|late|beginning of|end of|class of)[\s-]+", "", corrected)
    corrected = re.sub(r"^([^\W\d_]+)\.? '?(\d\d)$", r"\1 20\2", corrected)
    # 2020 to 2022 -> 2020, 2022; 2020/21 – 2022/23 -> 2020, 2023
    dates = re.split(r"\s*(?:–|—|--|,|&)\s*|\s+(?:-|to|until|and)\s+", corrected)
    start = re.sub(r"^(\d{4})/\d\d$", r"\1", dates[0])
    end = re.sub(r"^(\d\d)\d\d/(\d\d)$", r"\1\2", dates[-1])

    # 2024-31-05 -> 2024-05-31
    swapped = re.sub(r"^(\d{4})[-./](\d\d)[-./](\d\d)$", r"\1-\3-\2", text)
    forms = [text, corrected, swapped]
    if len(dates) > 1:
        forms.append(f"{start} - {end}")
    for form in forms:
        meanings = find_periods(form)
        if len(meanings) > 1:
            return f"write {' or '.join(map(_write_period, meanings[:2]))}"
        if meanings and form != text:
            return f"write {form}"

    return _explain_impossible_date(text)


def is_wrong_date(text: str) -> bool:
    """
    Whether a text has the form of a date and is none,
    or may be two: "2025-02-30", "31.11.2025", "04/05/2024".
    """
    return len(find_periods(text)) != 1 and not text.isdecimal() and bool(_explain_impossible_date(text))


def _correct_word(match: re.Match[str]) -> str:
    """The name of the month or season that a misspelt word is similar to."""
    word = match[0]
    if parse_month_name(word) or parse_season_name(word):
        return word
    similar = find_similar_word(word, DATE_WORDS)
    return similar if similar == "present" else similar.capitalize() or word


def _write_period(period: Period) -> str:
    """One meaning of a text in figures: "2024-05-04"."""
    dates = [date.iso for date in (period.start, period.end) if date]
    return " - ".join([*dates, "present"] if period.ongoing else dates)


def _explain_impossible_date(text: str) -> str:
    """Why a well-formed date does not exist, or "": 2024-02-30 -> February 2024 has 29 days."""
    # 2024-02-30 and 30.02.2024; 30 February 2024 and Feb. 30, 2024
    numbers = re.fullmatch(
        r"(?P<year>\d{4})[-./](?P<month>\d{1,2})(?:[-./](?P<day>\d{1,2}))?", text
    ) or re.fullmatch(r"(?P<day>\d{1,2})[-./](?P<month>\d{1,2})[-./](?P<year>\d{4})", text)
    words = re.fullmatch(r"(?:\d{1,2}\D* )?([^\W\d_]{3,})\.?(?: \d{1,2}\D*)? (\d{4})", text)
    year = 0
    month = 0
    if numbers:
        year = int(numbers["year"])
        month = int(numbers["month"])
    elif words:
        year = int(words[2])
        month = parse_month_name(words[1]) or 0

    if numbers and not 1 <= month <= 12:
        return "a month is 01 to 12"
    if month:
        name = MONTH_NAMES[month - 1].capitalize()
        if month == 2:
            name = f"{name} {year}"
        return f"{name} has {days_in_month(year, month)} days"
    return "a year has four digits: 2024" if re.fullmatch(r"\d{5,}", text) else ""
