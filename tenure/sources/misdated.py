"""Suggestions for dates and periods that cannot be parsed."""

import re
from collections.abc import Iterator

from tenure.model.dates import (
    DAYS_IN_MONTH,
    MONTHS,
    SEASONS,
    is_present,
    month_number,
    read_date,
    read_period,
)
from tenure.problems import did_you_mean

UNKNOWN = frozenset(
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
WORDS = (*MONTHS, *(name[:3] for name in MONTHS), *(name for name in SEASONS if len(name) > 2), "present")
_ASIDE = re.compile(
    r"^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?|early|mid|late|beginning of|end of)[\s-]+",
    re.IGNORECASE,
)
"""Text before a date that is ignored: weekdays, "early"."""

_CLOCK = re.compile(r"[,\sT]+(?:at\s+)?\d{1,2}:\d\d.*$")

_TERM = re.compile(
    r"(?:(?P<season>winter|spring|summer|fall|autumn)[\s-]+(?:term|semester|quarter|session)|(?P<winter>WS|WiSe|Wintersemester)"
    r"|SS|SoSe|Sommersemester)\s*(?P<years>(?:\d\d)?\d\d(?:\s*[/–-]\s*(?:\d\d)?\d\d)?)",
    re.IGNORECASE,
)
"""Academic terms: "WS 2023/24", "Spring semester 2024"."""


def advice(text: str) -> str:
    """Return a hint for a date or period that cannot be parsed, or "" if no suggestion is similar."""
    words = " ".join(text.split())
    if words.strip(" .?()").casefold() in UNKNOWN:
        return "delete the date until it is known"
    if is_present(words):
        return f"write its start before it: 2021 - {words}"
    if not re.search(r"\d{3}", words) and read_date(f"{words} 2024"):
        return f"add its year: {words} 2024"
    periods = (form for form in _periods(words) if read_period(form))
    found = [*dict.fromkeys(_dates(words))] or [*dict.fromkeys(periods)]
    return (
        f"write {' or '.join(found[:2])}"
        if found
        else _impossible(words) or _impossible([words, *_figures(words)][-1])
    )


def _periods(text: str) -> Iterator[str]:
    """Yield the periods that a text may mean."""
    term = _TERM.fullmatch(text)
    if term:
        season = (term["season"] or ("winter" if term["winter"] else "summer")).capitalize()
        years = re.sub(r"\s*[/–-]\s*", "/", term["years"])
        yield f"{season} {years}" if re.match(r"\d{4}", years) else f"{season} 20{years}"
    day = re.fullmatch(r"([^\W\d_]+)\.? (\d{1,2}) ?[-–] ?(\d{1,2}),? (\d{4})", text)
    days = re.fullmatch(r"(\d{1,2}) ?[-–] ?(\d{1,2}) ([^\W\d_]+)\.?,? (\d{4})", text)
    if day:
        yield f"{day[2]} {day[1]} {day[4]} - {day[3]} {day[1]} {day[4]}"
    if days:
        yield f"{days[1]} {days[3]} {days[4]} - {days[2]} {days[3]} {days[4]}"
    for sign in (r"\s*(?:–|—|--)\s*|\s+(?:-|to|until)\s+", r"\s*-\s*", r"\s*,\s*|\s+and\s+|\s*&\s*"):
        parts = re.split(sign, text)
        if len(parts) > 1:
            ends = [next(_dates(part), "") for part in (parts[0], parts[-1])]
            if all(ends):
                yield " - ".join(ends)


def _dates(text: str) -> Iterator[str]:
    """Yield the dates that a text may mean. A valid date gives itself."""
    if read_date(text) or is_present(text):
        yield text
        return
    bare = _CLOCK.sub("", _ASIDE.sub("", text))
    yield from (
        form for form in (bare, *_figures(bare), _spelt(bare)) if read_date(form) or form == "present"
    )


def _figures(text: str) -> Iterator[str]:
    """Yield a numeric date in ISO order for each order of day, month and year that is possible."""
    found = re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})", text)
    if found:
        first, second, year = found.groups()
        yield f"{year}-{first:0>2}-{second:0>2}"
        if first != second:
            yield f"{year}-{second:0>2}-{first:0>2}"
    found = re.fullmatch(r"(\d{1,2})[./-](\d{4})", text)
    if found:
        yield f"{found[2]}-{found[1]:0>2}"
    found = re.fullmatch(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", text)
    if found:
        yield f"{found[1]}-{found[3]:0>2}-{found[2]:0>2}"
    found = re.fullmatch(r"(\d{4})年(?:(\d{1,2})月)?(?:(\d{1,2})日)?", text)
    if found:
        yield "-".join(f"{part:0>2}" for part in found.groups() if part)


def _spelt(text: str) -> str:
    """Return a date with the names of months and seasons corrected and a year of four digits."""
    right = re.sub(r"[^\W\d_]{3,}", lambda word: _word(word[0]), text)
    right = re.sub(r"(?<=\d)\.(?= )", "", right)
    return re.sub(r"^([^\W\d_]+)\.? '?(\d\d)$", r"\1 20\2", right)


def _word(word: str) -> str:
    if month_number(word) or word.casefold() in SEASONS:
        return word
    near = did_you_mean(word, WORDS)
    return near if near == "present" else near.capitalize() or word


def _impossible(text: str) -> str:
    """Return why a well-formed date does not exist, or ""."""
    found = re.fullmatch(r"\d{4}[-./](\d{1,2})(?:[-./](\d{1,2}))?", text)
    if found and not 1 <= int(found[1]) <= 12:
        return "a month is 01 to 12"
    named = re.fullmatch(r"(?:\d{1,2}\D* )?([^\W\d_]{3,})\.?(?: \d{1,2}\D*)? \d{4}", text)
    month = int(found[1]) if found and found[2] else month_number(named[1]) if named else None
    if month:
        return f"{MONTHS[month - 1].capitalize()} has {DAYS_IN_MONTH[month - 1]} days"
    return "a year has four digits: 2024" if re.fullmatch(r"\d{5,}", text) else ""
